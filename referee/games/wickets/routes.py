"""Ways over the board: every path two dice allow, and what a ball runs into on one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from referee.games.wickets.board import HEADINGS, Space, ahead, opposite
from referee.games.wickets.state import State, next_step, standing_on

#: How a move ends: with the dice, at another ball, at a stake, or at the board's edge.
End = Literal["played", "roquet", "stake", "boundary"]
_HEADING_OF = {step: heading for heading, step in HEADINGS.items()}


def start_of(state: State) -> Space:
    """Where the active ball's strike begins: its space, or the start space while it is not on the
    board (WK-19).
    """
    at = state.balls[state.active].at
    return state.table.board.start if at is None else at


def routes(state: State) -> dict[tuple[Space, ...], End]:
    """Every legal path for the dice thrown, with how it ends (WK-3/4).

    Each die is one straight move, either die first; the second may go on straight or turn by 90
    degrees, but not back. A path that would enter the space of a ball the striker is dead on is not
    among them (WK-18), unless the striker passes its wicket before that.
    """
    ways = (_way(state, headings) for headings in _readings(state, HEADINGS))
    return dict(way for way in ways if way is not None)


def can_move(state: State) -> bool:
    """Whether any path is legal for the dice thrown. The same as asking whether there are `routes`,
    but without making all of them.
    """
    return any(_way(state, headings) is not None for headings in _readings(state, HEADINGS))


def end_of(state: State, path: tuple[Space, ...]) -> End | None:
    """How a path ends, by the dice thrown; None when it is not legal. The same as looking it up in
    `routes`, but without making all of them.
    """
    along = headings_of(start_of(state), path)
    if along is None:
        return None
    for headings in _readings(state, along[:1] or HEADINGS):
        if headings[: len(along)] == along:
            way = _way(state, headings)
            if way is not None and len(way[0]) == len(path):
                return way[1]
    return None


def _readings(state: State, first_headings: Iterable[str]) -> Iterator[list[str]]:
    one_face, other_face = (face for _, face in state.dice)
    orders = (
        [(one_face, other_face)]
        if one_face == other_face
        else [(one_face, other_face), (other_face, one_face)]
    )
    for one in first_headings:
        for first, second in orders:
            for other in HEADINGS:
                if not opposite(one, other):
                    yield [one] * first + [other] * second


def _way(state: State, headings: Sequence[str]) -> tuple[tuple[Space, ...], End] | None:
    board, ball, step = state.table.board, state.balls[state.active], next_step(state, state.active)
    dead, came, at = ball.dead, ball.came, start_of(state)
    path: list[Space] = []
    others = {other.at for i, other in enumerate(state.balls) if i != state.active}
    for heading in headings:
        if (
            dead
            and step is not None
            and came == heading == step.heading
            and board.wickets.get(at) == step.place
        ):
            dead = frozenset()
        at, came = ahead(at, heading), heading
        if not board.has(at):
            return tuple(path), "boundary"
        path.append(at)
        if at in board.stakes:
            return tuple(path), "stake"
        if at in others:
            met = standing_on(state, at, state.active)
            return (
                None
                if any(state.table.seats[i].pawn in dead for i in met)
                else (tuple(path), "roquet")
            )
    return tuple(path), "played"


def headings_of(at: Space, path: Sequence[Space]) -> list[str] | None:
    """The headings that lead from a space along a path; None where two spaces of it are no
    neighbours.
    """
    found: list[str] = []
    for space in path:
        heading = _HEADING_OF.get((space[0] - at[0], space[1] - at[1]))
        if heading is None:
            return None
        found.append(heading)
        at = space
    return found
