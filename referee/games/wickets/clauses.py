"""What had to hold for an entry to count in Wickets, clause by clause, and whether it held."""

from __future__ import annotations

from typing import Any

from referee.clause import Clause
from referee.declaration import Continuation, Declaration, Pass, WicketsCroquet
from referee.games.wickets.board import HEADING_NAMES, Space
from referee.games.wickets.declaring import may_pass
from referee.games.wickets.routes import end_of
from referee.games.wickets.state import State, ball_name, next_step, place_name, standing_on, with_ball
from referee.games.wickets.striking import moved, path_of
from referee.games.wickets.turns import mine
from referee.incident import Incident, Moved


def clauses(state: State, entry: Incident | Declaration, *, upheld: bool, judged_in: Any = None) -> tuple[Clause, ...]:
    """The clauses for one entry; none for what no clause decides. Nothing is judged later than it happened, so `judged_in` is not asked."""
    match entry:
        case Moved() if entry.path is not None and not state.over:
            return _strike(state, entry)
        case WicketsCroquet():
            pawn = entry.pawn if entry.pawn is not None else entry.coin
            roqueted = Clause(text="The ball was roqueted in the strike just made.", met=pawn in state.met, facts={"roqueted": list(state.met)})
            return _said_in_turn(state, entry.player), roqueted
        case Continuation():
            earned = Clause(text="The strike just made earned a continuation shot, and it has not been used.", met=state.phase == "choice")
            return _said_in_turn(state, entry.player), earned
        case Pass():
            allowed = "The dice are not thrown yet, or they allow no move; no roquet waits for its continuation shot or croquet."
            return _said_in_turn(state, entry.player), Clause(text=allowed, met=may_pass(state))
        case _:
            return ()


def _said_in_turn(state: State, player: str | None) -> Clause:
    return Clause(text="It was said by the player whose turn it is.", met=mine(state, player))


def _strike(state: State, entry: Moved) -> tuple[Clause, ...]:
    index = state.table.by_pawn.get(entry.pawn, -1)
    turn = Clause(text="It is this ball's turn.", met=index == state.active)
    thrown = Clause(text="Both dice are thrown, and the ball is awaited to be moved.", met=state.phase == "move")
    if index != state.active or state.phase != "move":
        return turn, thrown
    path = path_of(state, entry)
    end = end_of(state, path)
    facts = {"dice": [face for _, face in state.dice], **({} if end is None else {"ends": end})}
    text = "Each die is one straight move, used up unless a roquet, a stake or the boundary ends it."
    allowed = Clause(text=text, met=end_of(_all_alive(state), path) is not None, facts=facts)
    rows = turn, thrown, _not_dead(state, path), allowed
    return rows if end is None else (*rows, *_step(state, entry, path, end))


def _all_alive(state: State) -> State:
    return with_ball(state, state.active, dead=frozenset())


def _not_dead(state: State, path: tuple[Space, ...]) -> Clause:
    dead = state.balls[state.active].dead
    met = [state.table.seats[i].pawn for space in path for i in standing_on(state, space, state.active) if state.table.seats[i].pawn in dead]
    text = "It meets no ball that is dead to it, or has scored before that."
    return Clause(text=text, met=not met or end_of(state, path) is not None, facts={"dead_on": sorted(dead)})


def _step(state: State, entry: Moved, path: tuple[Space, ...], end: str) -> tuple[Clause, ...]:
    step = next_step(state, state.active)
    if step is None:
        return ()
    after, _verdicts = moved(state, entry)
    made = after.balls[state.active].points > state.balls[state.active].points
    who = ball_name(state, state.active)
    if step.heading is None:
        return (Clause(text=f"{who} strikes {place_name(step.place)}, its next step.", met=made, about="step"),)
    text = f"{who} enters {place_name(step.place)}, its next step, from its front and leaves it to the {HEADING_NAMES[step.heading]}."
    rows = [Clause(text=text, met=made, about="step")]
    if end == "stake" and not made:
        place = state.table.board.stakes[path[-1]]
        rows.append(Clause(text=f"{place_name(place).capitalize()} is its next step.", met=False, about="step"))
    return tuple(rows)
