"""What had to hold for an entry to count in Wickets, clause by clause, and whether it held."""

from __future__ import annotations

from typing import Any

from referee.domain.call import Call
from referee.domain.clause import Clause
from referee.domain.declaration import Concede, Continuation, Declaration, Pass, WicketsCroquet
from referee.domain.incident import Incident, Moved, Rolled
from referee.games.wickets.board import HEADINGS
from referee.games.wickets.clauses_of_paths import of_path
from referee.games.wickets.croqueting import croquet_thrown, croqueted
from referee.games.wickets.declaring import may_pass
from referee.games.wickets.keeping import cannot_be_played
from referee.games.wickets.routes import end_of
from referee.games.wickets.state import (
    State,
    ball_name,
    place_name,
    seat_of,
    standing_on,
    with_ball,
)
from referee.games.wickets.striking import compared, path_of
from referee.games.wickets.turns import mine

ENDS = {
    "played": "with the dice used up",
    "roquet": "at another ball",
    "stake": "at a stake",
    "boundary": "at the boundary",
}
AWAITED = {
    "roll": "dice",
    "move": "the move",
    "choice": "a choice",
    "croquet": "the croquet's direction",
}


def clauses(
    state: State, entry: Incident | Declaration, *, upheld: bool, judged_in: Any = None
) -> tuple[Clause, ...]:
    """The clauses for one entry; none for what no clause decides. Nothing is judged later than it
    happened, so `judged_in` is not asked.
    """
    right = Clause(text="Its player had a right to this shot, as the match now reads.", met=False)
    if state.void and cannot_be_played(state, entry):
        return (right,)
    rows = _clauses(state, entry)
    return (right, *rows) if rows and state.void else rows


def _clauses(state: State, entry: Incident | Declaration) -> tuple[Clause, ...]:
    if state.over and isinstance(entry, Moved | Rolled | WicketsCroquet | Continuation | Pass):
        return (Clause(text="The game still went on.", met=False),)
    match entry:
        case Moved():
            return _moved(state, entry)
        case Rolled():
            return _rolled(state, entry)
        case WicketsCroquet():
            return _croquet(state, entry)
        case Continuation():
            earned = Clause(
                text="The strike just made earned a continuation shot, and it has not been used.",
                met=state.phase == "choice",
            )
            return _said_in_turn(state, entry.player), earned
        case Pass():
            allowed = (
                "The dice are not thrown yet, or they allow no move; no roquet waits for its"
                " continuation shot or croquet."
            )
            facts = {"awaited": AWAITED[state.phase], "roqueted": list(state.met)}
            return _said_in_turn(state, entry.player), Clause(
                text=allowed, met=may_pass(state), facts=facts
            )
        case Concede():
            return _concedes(state, entry.player or seat_of(state).name)
        case _:
            return ()


def _said_in_turn(state: State, player: str | None) -> Clause:
    return Clause(
        text=f"It was said by {seat_of(state).name}, whose turn it is.",
        met=mine(state, player),
        facts={} if player is None else {"player": player},
    )


def _concedes(state: State, name: str) -> tuple[Clause, ...]:
    plays = any(
        not ball.out
        for seat, ball in zip(state.table.seats, state.balls, strict=True)
        if seat.name == name
    )
    return (
        Clause(
            text=f"{name} is still in the game.",
            met=plays and name not in state.conceded and not state.over,
        ),
    )


def _rolled(state: State, entry: Rolled) -> tuple[Clause, ...]:
    croquets = (
        state.sent is not None
        if state.phase == "roll"
        else bool(state.phase == "choice" and state.met)
    )
    thrown = [die for die, _ in state.dice]
    wanted = ["die-1"] if croquets else [die for die in ("die-1", "die-2") if die not in thrown]
    awaited = Clause(
        text="A die is awaited.",
        met=state.phase == "roll" or croquets,
        facts={"awaited": AWAITED[state.phase]},
    )
    if not awaited.met:
        return (awaited,)
    rows = (
        awaited,
        Clause(
            text=f"It is one that is awaited: {' or '.join(wanted)}.",
            met=entry.die in wanted,
            facts={"thrown": thrown},
        ),
    )
    return (
        rows
        if entry.die not in wanted or not croquets
        else (*rows, *_sent(croquet_thrown(state, "?", (entry.die, int(entry.face)))[1]))
    )


def _croquet(state: State, entry: WicketsCroquet) -> tuple[Clause, ...]:
    pawn = entry.pawn if entry.pawn is not None else entry.coin
    roqueted = Clause(
        text="The ball was roqueted in the strike just made.",
        met=pawn in state.met,
        facts={"roqueted": list(state.met)},
    )
    sent = _sent(croqueted(state, entry)[1])
    if entry.direction not in HEADINGS:
        sent = (Clause(text="It goes north, east, south or west.", met=False),)
    return (_said_in_turn(state, entry.player), roqueted, *sent)


def _sent(verdicts: tuple[Any, ...]) -> tuple[Clause, ...]:
    """What a croqueted ball came to on its way."""
    found = []
    for call in (one for one in verdicts if isinstance(one, Call) and one.place is not None):
        counts = call.call in ("wicket_scored", "stake_scored")
        text = (
            f"The croqueted ball comes to {place_name(str(call.place))}: its next step, passed the"
            " right way."
        )
        found.append(Clause(text=text, met=counts, about="step"))
    return tuple(found)


def _moved(state: State, entry: Moved) -> tuple[Clause, ...]:
    index = state.table.by_pawn.get(entry.pawn, -1)
    turn = Clause(text="It is this ball's turn.", met=index == state.active)
    thrown = Clause(
        text="Both dice are thrown, and the move is awaited.",
        met=state.phase == "move",
        facts={"awaited": AWAITED[state.phase]},
    )
    if index != state.active or state.phase != "move" or entry.path is None:
        return turn, thrown, *_stands(state, entry, index)
    path = path_of(state, entry)
    end = end_of(state, path)
    facts = {
        "dice": [face for _, face in state.dice],
        **({} if end is None else {"ends": ENDS[end]}),
    }
    text = (
        "Each die is one straight move, used up unless a roquet, a stake or the boundary ends it."
    )
    allowed = Clause(
        text=text,
        met=end_of(with_ball(state, state.active, dead=frozenset()), path) is not None,
        facts=facts,
    )
    rows = turn, thrown, _not_dead(state, path), allowed
    return rows if end is None else (*rows, *of_path(state, entry, path, end))


def _stands(state: State, entry: Moved, index: int) -> tuple[Clause, ...]:
    """Of a ball that is only moved to where it must stand."""
    if index < 0:
        return (Clause(text="Somebody plays this ball.", met=False),)
    at = state.balls[index].at
    facts = {"must_stand": "off the board" if at is None else list(at)}
    text = f"{ball_name(state, index)} is put where the rules want it; nothing else hangs on it."
    return (Clause(text=text, met=not compared(state, entry, index)[1], facts=facts),)


def _not_dead(state: State, path: tuple[tuple[int, int], ...]) -> Clause:
    dead = state.balls[state.active].dead
    met = [
        state.table.seats[i].pawn
        for space in path
        for i in standing_on(state, space, state.active)
        if state.table.seats[i].pawn in dead
    ]
    text = "It meets no ball that is dead to it, or has scored before that."
    return Clause(
        text=text, met=not met or end_of(state, path) is not None, facts={"dead_on": sorted(dead)}
    )
