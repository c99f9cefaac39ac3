"""Croquet for piecepack (Dan Smith, version 1) for 2 to 4 players in two teams: black and blue
against red and green.

Readings where the rules text and the match record's page are silent:

- A ball that comes back on to the lawn is placed by a `moved` like one that enters, also where only
  one point is free.
- A ball whose croquet is played stands, until it moves, on the roqueted ball's place; if neither of
  the two can leave it, they share it. Balls that share an intersection are never in each other's
  way when leaving it; a third one that comes there hits the first in the order of play.
- A croquet's distance may lead off the lawn. After a croquet misshot the roqueted ball's way is the
  one step it makes: a ball met there is met with nothing left.
- A roqueted ball that hits the peg by the knock-on is out of play like one that left the lawn: the
  croquet is skipped.
- A ball on a hoop that is met by one coming through is knocked on before any second roll: the roll
  decides only whether a ball stops on the hoop.
- A ball that hits another right behind a hoop and cannot knock it on stops on the hoop and has not
  gone through.
- A hoop run on a follow-through makes the ball just croqueted one that may be roqueted again, too
  (DS-18 goes before DS-24).
- Only steps really made count as going through a hoop: a route may be announced through a hoop from
  the side, and the ball stops before it.
- A misshot is never meant for the peg, even where its route contains it; a ball that has run six
  hoops then goes out on blank or ace.
- Among the opponents who may decide a disaster one who has conceded comes last. The own direction
  it chooses is the follow-through's announced one or 45 degrees to either side.
- Were all three start points taken, a ball enters at the nearest free edge point.
- `winner` is always a team's list of players. A player without `team` in the setup has the team's
  colours for it.
- A coin turned over before its special shot is declared is an irregularity; where no ball can play
  on any more the match ends level.
- A ball whose croquet is played on a ball that stands on a hoop stands on that hoop, too, and goes
  through by leaving it by the far side.
- With `then: keep` no ball of the player who had no right to a shot runs a hoop in it, and one that
  hits the peg stands on it as if it had missed. Every ball stays where it lies; where the ruling
  itself says where a pawn was put, that pawn stands there until it is moved. A croquet in place of
  a bonus shot is void, the shot behind it is the bonus shot. Play that went on while a go was not
  over denies what was left of it (`flicks`: so many shots).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from referee.domain.call import Irregularity, Question, Verdict
from referee.domain.clause import NO_REASONS, Condition, Reasons
from referee.domain.declaration import Challenge, Declaration, PiecepackCroquet, Said, Shot
from referee.domain.entry import Setup
from referee.domain.incident import CoinFlipped, CoinTurned, Incident, Moved, Rolled
from referee.games.piecepack_croquet.declaring import WAITED_FOR, after_the_end, declared
from referee.games.piecepack_croquet.keeping import (
    OF_GOES,
    as_played,
    as_they_stood,
    cannot_be_played,
    not_played,
)
from referee.games.piecepack_croquet.lawn import Point
from referee.games.piecepack_croquet.rolling import rolled
from referee.games.piecepack_croquet.state import (
    Judged,
    Judging,
    State,
    begin,
    decider,
    of_coin,
    refused,
    seat_of,
    with_ball,
)
from referee.games.piecepack_croquet.turns import turn_began
from referee.games.piecepack_croquet.watching import (
    coin_flipped,
    coin_turned,
    moved,
    places,
    places_awaited_ball,
)

#: The section of the rules that a doubt about an incident is told with.
DOUBTS = "Play"


def setup(entry: Setup) -> State:
    """The state before the first go."""
    return begin(entry)


def opening(state: State) -> tuple[Verdict, ...]:
    """The calls with which a match begins, on `setup`."""
    return (turn_began(state, "setup"),)


def apply(
    state: State, entry: Incident | Declaration, *, upheld: bool = False, explain: bool = False
) -> tuple[State, tuple[Verdict, ...], tuple[Condition, ...]]:
    """What one incident or declaration does, and the conditions it was decided by (with `explain`).
    Nothing raises for play the rules do not allow.
    """
    reasons = Reasons(str(entry.id)) if explain else NO_REASONS
    entitled = not (
        state.void and isinstance(entry, OF_GOES) and reasons.fails("entitled", bool(state.void))
    )
    if not entitled and cannot_be_played(state, entry):
        after, verdicts = not_played(state, str(entry.id)), tuple[Verdict, ...]()
    else:
        after, verdicts = _judged(state, entry, Judging(str(entry.id), reasons, entitled))
    return after, verdicts, tuple(reasons.conditions) if explain else ()


def _judged(state: State, entry: Incident | Declaration, judging: Judging) -> Judged:
    match entry:
        case Rolled():
            return _rolled(state, entry, judging)
        case Moved():
            return moved(state, entry, judging)
        case CoinFlipped():
            return coin_flipped(state, entry, judging)
        case CoinTurned():
            return coin_turned(state, entry, judging)
        case Said() if not isinstance(entry, Challenge):
            return declared(state, entry, judging)
        case _:
            return state, ()


def _rolled(state: State, entry: Rolled, judging: Judging) -> Judged:
    face, awaited = str(entry.face), state.expects == "roll"
    if judging.reasons.holds("roll_awaited", awaited, state.expects, state.roll, face):
        return rolled(state, judging, face)
    if state.over:
        return after_the_end(state, judging)
    text = f"The die is rolled, but {WAITED_FOR[state.expects]}."
    return refused(state, judging.on, "roll_not_expected", "Play", text)


def standings(state: State) -> list[dict[str, Any]]:
    """Where each ball stands, in the order of play."""
    return [_standing(state, index) for index in range(len(state.balls))]


def _standing(state: State, index: int) -> dict[str, Any]:
    seat, ball = state.table.seats[index], state.balls[index]
    row: dict[str, Any] = {
        "player": seat.player,
        "pawn": seat.pawn,
        "team": seat.team,
        "hoops": ball.hoops,
        "at": None if ball.at is None else list(ball.at),
        "state": ball.state,
        "special_shots": [f"{seat.suit}-{rank}" for rank in ball.shots],
    }
    if ball.conceded:
        row["conceded"] = True
    return row


def turn(state: State) -> dict[str, Any]:
    """Whose go it is and what is expected: `places` to place the ball on, the `roll`, who `decides`
    a disaster, the ball to `croquet`.
    """
    seat = seat_of(state)
    row: dict[str, Any] = {"player": seat.player, "pawn": seat.pawn, "expects": state.expects}
    if state.over:
        return row
    if state.expects == "roll":
        row["roll"] = state.roll
    elif state.expects == "disaster":
        row["decides"] = state.table.seats[decider(state)].player
    elif state.expects == "place":
        row["places"] = [list(at) for at in places(state)]
    elif state.expects == "croquet" and state.struck is not None:
        row["croquet"] = state.table.seats[state.struck].pawn
    elif state.expects == "shot" and state.kind != "shot":
        row["shot"] = state.kind
    row["roqueted"] = [state.table.seats[index].pawn for index in sorted(state.roqueted)]
    return row


def open_questions(state: State) -> list[Question]:
    """Questions that wait while play goes on: this game has none."""
    return []


def is_over(state: State) -> bool:
    """Whether the match has ended."""
    return state.over


def winner(state: State) -> list[str] | None:
    """The winning team's players in their order; None while there is none and when it ends
    level.
    """
    return list(state.winner) or None


def players(state: State) -> tuple[str, ...]:
    """The players' names in order of play."""
    return state.table.players


def active_player(state: State) -> str:
    """Whose go it is."""
    return seat_of(state).player


def outcome(state: State) -> object:
    """What a doubt must change to be worth asking about: all but which special-shot coins have been
    seen turned over.
    """
    return replace(state, balls=tuple(replace(ball, spent=frozenset()) for ball in state.balls))


def favours(state: State, entry: Incident) -> bool | None:
    """Whether an incident is good for the player whose go it is: nothing seen in this game is, but
    for rolls, which are always asked about.
    """
    return None


def describe(state: State, entry: Incident) -> str:
    """An incident in words, as part of a question."""
    match entry:
        case Rolled():
            return f"the die shows {entry.face}"
        case Moved():
            return f"the {entry.pawn} ball is moved"
        case CoinFlipped() | CoinTurned():
            return f"the coin {entry.coin} is turned"
        case _:
            return "what was seen"


def indifferent(state: State, entry: Incident) -> bool:
    """Whether an incident of a flick changes nothing, whenever it came: there are no flicks in this
    game.
    """
    return True


def begins_play(state: State, entry: object) -> bool:
    """Whether an entry begins a shot, a croquet or the placing of a ball: what a ruling's `rewind`
    goes back to the end of.
    """
    places_ball = isinstance(entry, Moved) and places_awaited_ball(state, entry)
    return isinstance(entry, Shot | PiecepackCroquet) or places_ball


def pawns(state: State) -> dict[str, Point | None]:
    """Where each pawn stands on the lawn; None for one that is off it."""
    return {
        seat.pawn: ball.at if ball.state == "in_play" else None
        for seat, ball in zip(state.table.seats, state.balls, strict=True)
    }


def take_back(state: State, entries: Sequence[object]) -> State:
    """The state behind a ruling that took play back: coins turned over in it are turned back."""
    for coin in (entry.coin for entry in entries if isinstance(entry, CoinFlipped)):
        index, rank = of_coin(coin)
        state = with_ball(state, index, spent=state.balls[index].spent | {rank})
    return state


def kept_state(
    state: State, was: State, ended: State | None, entry: Incident | Declaration
) -> Judged:
    """The state in which an entry is played that stays as it was played, in `was`, and what is void
    or denied with it.
    """
    if state.over or was.over:
        return state, ()
    was = replace(was, table=state.table)
    illegal = any(
        isinstance(one, Irregularity) and not one.placement for one in apply(was, entry)[1]
    )
    return as_played(state, was, ended, entry, begins=begins_play(was, entry) and not illegal)


def play_kept(
    state: State, was: State, ended: State | None, entry: Incident | Declaration
) -> Judged:
    """An entry that a ruling lets stay as it was played, which was in `was`; see
    `as_they_stood`.
    """
    if state.over or was.over:
        return apply(state, entry)[:2]
    ready, verdicts = kept_state(state, was, ended, entry)
    after, more, _ = apply(ready, entry)
    return after, (*verdicts, *more)


def as_it_lies(state: State, was: State, ended: State | None) -> State:
    """The state with the balls where they stand at the end of play that stays, which is in
    `was`.
    """
    return replace(state, balls=as_they_stood(state, was, ended))
