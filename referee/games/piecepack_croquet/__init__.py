"""Croquet for piecepack (Dan Smith, version 1) for 2 to 4 players in two teams: black and blue
against red and green.

Where the rules text and the description of the record leave a case open, this package decides:

- A ball that comes back on to the lawn is placed by a `moved`, like a ball that enters, even where
  only one point is free.
- A ball that plays a croquet stands on the roqueted ball's place until it moves. If neither of the
  two can leave the place, they share it. Balls that share an intersection are never in each other's
  way when they leave it. A third ball that comes there hits the first of them in the order of play.
- A croquet's distance may lead off the lawn. After a croquet misshot the roqueted ball makes one
  step. If it meets another ball on this step, it has no steps left.
- A roqueted ball that hits the peg by the knock-on is out of play like a ball that left the lawn,
  so the croquet is skipped.
- A ball that comes through a hoop may meet a ball that stands on the hoop. The other ball is
  knocked on before any second roll. The roll decides only whether a ball stops on the hoop.
- A ball that hits another ball right behind a hoop, and cannot knock it on, stops on the hoop. It
  has not gone through.
- If a ball runs a hoop on a follow-through, it may roquet even the ball that it just croqueted
  (DS-18 takes precedence over DS-24).
- Only steps that a ball really makes count as going through a hoop. A route may be announced
  through a hoop from the side; then the ball stops before the hoop.
- A misshot is never meant for the peg, even where its route contains the peg. A ball that has run
  six hoops then goes out on a blank or an ace.
- A player who has conceded comes last among the opponents who may decide a disaster. The
  `own_direction` that this opponent chooses is that of the announced follow-through or 45 degrees
  to either side of it.
- If all three start points are taken, a ball enters at the nearest free edge point.
- `winner` is always a list of a team's players. Where a player has no `team` in the setup, the team
  is named after its colours.
- It is an irregularity to turn a coin over before its special shot is declared. Where no ball can
  play on, the match ends level.
- If a croquet is played on a ball that stands on a hoop, both balls stand on that hoop. A ball goes
  through the hoop if it leaves by the far side.
- With `then: keep` no ball of the player who had no right to a shot runs a hoop in it. If such a
  ball hits the peg, it stays on it as if it had missed. Every ball stays where it lies. If the
  ruling itself says where a pawn was put, that pawn stands there until it is moved. A croquet
  played in place of a bonus shot is void, and the shot after it is the bonus shot. If play went on
  before a go was over, the player loses the shots that were left (`flicks` says how many).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from referee.domain.call import Irregularity, Question, Verdict
from referee.domain.clause import NO_REASONS, Condition, Reasons
from referee.domain.declaration import Challenge, Declaration, PiecepackCroquet, Said, Shot
from referee.domain.entry import Setup
from referee.domain.incident import CoinFlipped, CoinTurned, Incident, Moved, Rolled
from referee.games.piecepack_croquet.declaring import WAITED_FOR, after_the_end, declared
from referee.games.piecepack_croquet.entered_routes import routes_to as routes_to
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

#: The section of the rules that a question about a doubtful incident names.
DOUBTS: Final = "Play"


def setup(entry: Setup) -> State:
    """Return the state before the first go."""
    return begin(entry)


def opening(state: State) -> tuple[Verdict, ...]:
    """Return the calls with which a match begins; they belong to the entry `setup`."""
    return (turn_began(state, "setup"),)


def apply(
    state: State, entry: Incident | Declaration, *, upheld: bool = False, explain: bool = False
) -> tuple[State, tuple[Verdict, ...], tuple[Condition, ...]]:
    """Play one incident or declaration. With `explain`, also return the conditions that decided it.

    The function raises no error for play that the rules do not allow.
    """
    reasons = Reasons(str(entry.id)) if explain else NO_REASONS
    entitled = not (
        state.void and isinstance(entry, OF_GOES) and reasons.fails("entitled", bool(state.void))
    )
    if not entitled and cannot_be_played(state, entry):
        return not_played(state, str(entry.id)), (), tuple(reasons.conditions)
    after, verdicts = _judged(state, entry, Judging(str(entry.id), reasons, entitled))
    return after, verdicts, tuple(reasons.conditions)


def _judged(state: State, entry: Incident | Declaration, judging: Judging) -> Judged:
    if (rule := RULES.get(type(entry))) is not None:
        return rule(state, entry, judging)
    if isinstance(entry, Said) and type(entry) is not Challenge:
        return declared(state, entry, judging)
    return state, ()


def _rolled(state: State, entry: Rolled, judging: Judging) -> Judged:
    face, awaited = str(entry.face), state.expects == "roll"
    if judging.reasons.holds("roll_awaited", awaited, state.expects, state.roll, face):
        return rolled(state, judging, face)
    if state.over:
        return after_the_end(state, judging)
    text = f"The die is rolled, but {WAITED_FOR[state.expects]}."
    return refused(state, judging.on, "roll_not_expected", "Play", text)


#: The rules for what a die, a pawn and a coin do. A table by type, because `isinstance` is slow for
#: structs.
RULES: Final[Mapping[type, Callable[..., Judged]]] = {
    CoinFlipped: coin_flipped,
    CoinTurned: coin_turned,
    Moved: moved,
    Rolled: _rolled,
}


def standings(state: State) -> list[dict[str, Any]]:
    """Return where each ball stands, in the order of play."""
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
    """Return whose go it is and what is expected.

    `places` are the points where the ball may be placed, `roll` is what the die is rolled for,
    `decides` the player who decides a disaster, and `croquet` the ball to croquet.
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
    """Return no questions: in this game, play never goes on before a question is answered."""
    return []


def is_over(state: State) -> bool:
    """Return whether the match has ended."""
    return state.over


def winner(state: State) -> list[str] | None:
    """Return the players of the winning team in their order; None while there is no winner and when
    the match ends level.
    """
    return list(state.winner) or None


def players(state: State) -> tuple[str, ...]:
    """Return the players' names in order of play."""
    return state.table.players


def active_player(state: State) -> str:
    """Return the player whose go it is."""
    return seat_of(state).player


def outcome(state: State) -> object:
    """Return the whole state, except for which special-shot coins were seen turned over. The
    referee asks about a doubtful incident only if it changes this.
    """
    return replace(state, balls=tuple(replace(ball, spent=frozenset()) for ball in state.balls))


def favours(state: State, entry: Incident) -> bool | None:
    """Return None: no incident of this game is clearly good or bad for the player whose go it is.
    The referee asks about every doubtful roll, whatever the option `too_close` says.
    """
    return None


def describe(state: State, entry: Incident) -> str:
    """Return an incident in words, for a question about it."""
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
    """Return True: this game has no flicks whose incidents could have another order."""
    return True


def begins_play(state: State, entry: object) -> bool:
    """Return whether an entry begins a shot, a croquet or the placing of a ball. A ruling with
    `then: rewind` goes back to the end of one of these.
    """
    places_ball = isinstance(entry, Moved) and places_awaited_ball(state, entry)
    return isinstance(entry, Shot | PiecepackCroquet) or places_ball


def pawns(state: State) -> dict[str, Point | None]:
    """Return where each pawn stands on the lawn; None for a pawn that is off the lawn."""
    return {
        seat.pawn: ball.at if ball.state == "in_play" else None
        for seat, ball in zip(state.table.seats, state.balls, strict=True)
    }


def take_back(state: State, entries: Sequence[object]) -> State:
    """Return the state after a ruling that took play back. Special-shot coins that were turned over
    in it must be turned back.
    """
    for coin in (entry.coin for entry in entries if isinstance(entry, CoinFlipped)):
        index, rank = of_coin(coin)
        state = with_ball(state, index, spent=state.balls[index].spent | {rank})
    return state


def kept_state(
    state: State,
    was: State,
    ended: State | None,
    entry: Incident | Declaration,
    reasons: Reasons = NO_REASONS,
) -> Judged:
    """Return the state in which a kept entry is played, and the verdicts about what is void or
    denied. The entry was first played in the state `was`.
    """
    if state.over or was.over:
        return state, ()
    was = replace(was, table=state.table)
    told = apply(was, entry)[1]
    refused = any(isinstance(one, Irregularity) and not one.placement for one in told)
    begins = begins_play(was, entry) and not refused
    return as_played(state, was, ended, entry, reasons, begins=begins)


def play_kept(
    state: State, was: State, ended: State | None, entry: Incident | Declaration
) -> Judged:
    """Play an entry that a ruling keeps as it was first played, in the state `was`. For `ended` see
    `as_they_stood`.
    """
    if state.over or was.over:
        return apply(state, entry)[:2]
    ready, verdicts = kept_state(state, was, ended, entry)
    after, more, _ = apply(ready, entry)
    return after, (*verdicts, *more)


def as_it_lies(state: State, was: State, ended: State | None) -> State:
    """Return the state with the balls in the places where kept play left them. That play ended in
    the state `was`.
    """
    return replace(state, balls=as_they_stood(state, was, ended))
