"""Wickets, croquet on a board: six-wicket for two teams with two balls each, nine-wicket for one to
six balls, alone or in teams.

Where the rules text and the description of the record leave a case open, this package decides:

- A first path may name the start space, or begin with the space after it. The dice do not count the
  start space.
- A ball on an edge space may use its dice to go straight off the board (`path` is empty). Its turn
  ends there, at the boundary.
- A ball that is croqueted through its own next wicket or into the turning stake has scored. So all
  balls are alive to it again. But its player gets no continuation shot for it.
- A rover that is croqueted into its last stake is out. If it is croqueted to the turning stake, it
  stops on the space before it, like any other ball.
- A ball may become a rover in a croquet and go on into the stake in the same croquet. Then it is
  out.
- A ball that left a wicket sideways or backwards must enter it again. A ball that was croqueted
  into a wicket from its front may leave it by the far side in its own strike, and earns the
  continuation shot.
- Two balls may share the start space. A ball does not roquet the other one when it begins there. Of
  two balls met on that space, either may be croqueted.
- After a croquet is declared, nothing else can be chosen before its die is thrown. After its die is
  thrown, nothing else can be chosen before its direction is declared.
- If every ball left in play belongs to players who have conceded, the match is over, as when every
  ball is out. A side with a member who has conceded cannot win on points.
- For the option `too_close`, a strike that scores or roquets is good for the player whose turn it
  is, and a stake that is not the ball's next step is bad.
- `then: rewind` goes back to the end of a strike, a croquet or a choice. A strike begins with its
  first die, and a croquet with its die or its declaration.
- With `then: keep`, no ball of the player who had no right to a shot makes a step in it. A rover of
  that player stops in front of the stake. Every ball stays where it lies. A ball that the ruling
  itself moves stands there until it is moved again. A ball that is out under all rulings so far
  stays out, and its moves have no effect.
- A layout in a `surveyed` changes nothing: the board is that of the setup.
- In six-wicket, a side is named after its colours where the setup names no teams.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from referee.domain.call import Irregularity, Question, Verdict
from referee.domain.clause import NO_REASONS, Condition, Reasons
from referee.domain.declaration import (
    Challenge,
    Continuation,
    Declaration,
    Pass,
    Said,
    WicketsCroquet,
)
from referee.domain.entry import Setup
from referee.domain.incident import Incident, Moved, Rolled
from referee.games.wickets.board import Space
from referee.games.wickets.declaring import declared, may_pass
from referee.games.wickets.entered_routes import routes_to as routes_to
from referee.games.wickets.keeping import (
    OF_TURNS,
    as_played,
    as_they_stood,
    cannot_be_played,
    counted,
    not_played,
)
from referee.games.wickets.routes import routes
from referee.games.wickets.state import (
    BOTH,
    Judged,
    State,
    ball_name,
    begin,
    is_rover,
    next_step,
    seat_of,
)
from referee.games.wickets.striking import compared, moved, rolled
from referee.games.wickets.turns import can_play, turn_began

#: The section of the rules that a question about a doubtful incident names.
DOUBTS: Final = BOTH


def setup(entry: Setup) -> State:
    """Return the state before the first throw."""
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
    after, verdicts = _judged(state, entry, reasons)
    return after, verdicts, tuple(reasons.conditions)


def _judged(state: State, entry: Incident | Declaration, reasons: Reasons) -> Judged:
    entitled = not reasons.fails("entitled", bool(state.void) and isinstance(entry, OF_TURNS))
    if reasons.fails("game_goes_on", state.over and _plays(entry)):
        return _after_the_end(state, entry, reasons)
    if not entitled and cannot_be_played(state, entry):
        return not_played(state, str(entry.id)), ()
    if type(entry) is Rolled:
        return rolled(state, entry, reasons, entitled=entitled)
    if type(entry) is Moved:
        return moved(state, entry, reasons, entitled=entitled)
    if isinstance(entry, Said):
        return declared(state, entry, reasons, entitled=entitled)
    return state, ()


def _plays(entry: Incident | Declaration) -> bool:
    """Return whether an entry is a move, a roll, or a declaration other than a challenge."""
    return isinstance(entry, Moved | Rolled | Said) and type(entry) is not Challenge


def _after_the_end(state: State, entry: Incident | Declaration, reasons: Reasons) -> Judged:
    if isinstance(entry, Moved) and not compared(state, entry, reasons)[1]:
        return state, ()
    text = "The game is over; what happens after it changes nothing."
    return state, (
        Irregularity(
            on=str(entry.id),
            what="after_the_end",
            rule=BOTH,
            text=text,
            coin=getattr(entry, "pawn", None),
        ),
    )


def standings(state: State) -> list[dict[str, Any]]:
    """Return where each ball stands, in order of play."""
    return [_standing(state, index) for index in range(len(state.balls))]


def _standing(state: State, index: int) -> dict[str, Any]:
    seat, ball, step = state.table.seats[index], state.balls[index], next_step(state, index)
    row: dict[str, Any] = {
        "player": seat.name,
        "pawn": seat.pawn,
        "at": None if ball.at is None else list(ball.at),
        "points": ball.points,
        "next": None if step is None else step.place,
        "label": None if step is None else step.label,
        "state": _state_of(state, index),
        "dead_on": [other.pawn for other in state.table.seats if other.pawn in ball.dead],
    }
    if state.table.teams:
        row["team"] = state.table.sides[seat.side].team
    if seat.name in state.conceded:
        row["conceded"] = True
    return row


def _state_of(state: State, index: int) -> str:
    ball = state.balls[index]
    if ball.out:
        return "staked_out"
    if ball.at is None:
        return "not_entered"
    return "rover" if is_rover(state, index) else "in_play"


def turn(state: State) -> dict[str, Any]:
    """Return whose turn it is and what is expected. `dice` are the dice thrown so far, `options`
    what may be declared, and `paths` the number of legal paths.
    """
    seat = seat_of(state)
    row: dict[str, Any] = {
        "player": seat.name,
        "pawn": seat.pawn,
        "expects": "nothing" if state.over else state.phase,
    }
    if state.over:
        return row
    row["options"] = _options(state)
    if state.dice:
        row["dice"] = {die: face for die, face in state.dice}
    if state.phase == "roll":
        row["roll"] = (
            ["die-1"]
            if state.sent is not None
            else [die for die in ("die-1", "die-2") if die not in dict(state.dice)]
        )
    if state.phase == "move":
        row["paths"] = len(routes(state))
    if state.met:
        row["roqueted"] = list(state.met)
    return row


def _options(state: State) -> list[str]:
    if state.phase == "croquet":
        return ["croquet"]
    options = ["continuation"] if state.phase == "choice" else []
    if state.phase == "choice" and state.met:
        options.append("croquet")
    return [*options, "pass"] if may_pass(state) else options


def open_questions(state: State) -> list[Question]:
    """Return no questions: in this game, play never goes on before a question is answered."""
    return []


def is_over(state: State) -> bool:
    """Return whether the match has ended."""
    return state.over


def winner(state: State) -> str | list[str] | None:
    """Return the winner: a name, or with teams a list of names; None while there is no winner and
    when the match ends level.
    """
    if not state.winner:
        return None
    return list(state.winner) if state.table.teams else state.winner[0]


def players(state: State) -> tuple[str, ...]:
    """Return the players' names in order of play."""
    return tuple(dict.fromkeys(seat.name for seat in state.table.seats))


def active_player(state: State) -> str:
    """Return the player whose turn it is."""
    return seat_of(state).name


def outcome(state: State) -> object:
    """Return the whole state. The referee asks about an incident only if it changes this."""
    return state


def favours(state: State, entry: Incident) -> bool | None:
    """Return whether a strike is clearly good for the player whose turn it is (True), clearly bad
    (False), or neither (None).
    """
    if not isinstance(entry, Moved) or state.over:
        return None
    names = {
        getattr(verdict, "call", "")
        for verdict in apply(state, replace(entry, id=entry.id or "?"))[1]
    }
    if "stake_out_of_turn" in names:
        return False
    return True if names & {"wicket_scored", "stake_scored", "roquet"} else None


def begins_play(state: State, entry: object) -> bool:
    """Return whether an entry begins a strike, a croquet or a choice. A ruling that takes play back
    goes back to the end of one of these.
    """
    match entry:
        case Rolled():
            croquet = state.phase == "choice" and bool(state.met) and entry.die == "die-1"
            return croquet or (state.phase == "roll" and not state.dice and state.sent is None)
        case WicketsCroquet():
            return state.phase != "croquet"
    return isinstance(entry, Continuation | Pass)


def pawns(state: State) -> dict[str, Space | None]:
    """Return where each pawn stands; None for a pawn that is not on the board."""
    return {seat.pawn: ball.at for seat, ball in zip(state.table.seats, state.balls, strict=True)}


def describe(state: State, entry: Incident) -> str:
    """Return an incident in words, for a question about it."""
    match entry:
        case Rolled():
            return f"{entry.die} shows {entry.face}"
        case Moved(pawn=pawn) if pawn in state.table.by_pawn:
            put = "off the board" if entry.to is None else f"to {entry.to}"
            where = "" if entry.to is UNSET else f" {put}"
            return f"{ball_name(state, state.table.by_pawn[pawn])} is moved{where}"
        case _:
            return "what was seen"


def indifferent(state: State, entry: Incident) -> bool:
    """Return True: this game has no flicks whose incidents could have another order."""
    return True


def take_back(state: State, entries: Sequence[object]) -> State:
    """Return the same state: after a ruling that took play back, hands only have to undo the places
    of pawns.
    """
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
    if state.over or was.over or state.table.by_pawn != was.table.by_pawn:
        return state, ()
    was = replace(was, table=state.table)
    told = apply(was, entry)[1]
    refused = any(isinstance(one, Irregularity) and not one.placement for one in told)
    begins = begins_play(was, entry) and not refused
    return as_played(state, was, ended, entry, reasons, begins=begins)


def play_kept(
    state: State, was: State, ended: State | None, entry: Incident | Declaration
) -> Judged:
    """Play an entry that a ruling keeps as it was played in `was`. For `ended` see
    `as_they_stood`.
    """
    if state.over or was.over or state.table.by_pawn != was.table.by_pawn:
        return apply(state, entry)[:2]
    ready, verdicts = kept_state(state, was, ended, entry)
    after, more, _ = apply(ready, entry)
    return counted(state, was, after), (*verdicts, *more)


def as_it_lies(state: State, was: State, ended: State | None) -> State:
    """Return the state with the balls where kept play left them. That play ended in the state
    `was`.
    """
    if state.over or state.table.by_pawn != was.table.by_pawn:
        return state
    lying = replace(state, balls=as_they_stood(state, was, ended))
    return (
        lying
        if can_play(lying, lying.active) and not cannot_be_played(lying, Pass())
        else not_played(lying, "")
    )
