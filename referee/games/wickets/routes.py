"""Paths over the board: every path that two dice allow, and what a ball meets on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, Literal

from referee.games.wickets.board import HEADINGS, Space, opposite
from referee.games.wickets.state import State, next_step, standing_on

#: How a move ends: when the dice are used up, at another ball, at a stake, or at the edge of the
#: board.
End = Literal["played", "roquet", "stake", "boundary"]
_HEADING_OF: Final = {step: heading for heading, step in HEADINGS.items()}


def start_of(state: State) -> Space:
    """Return where the active ball's strike begins: its space, or the start space while it is not
    on the board (WK-19).
    """
    at = state.balls[state.active].at
    return state.table.board.start if at is None else at


def routes(state: State) -> dict[tuple[Space, ...], End]:
    """Return every legal path for the dice that were thrown, with how it ends (WK-3/4).

    Each die is one straight move, and either die may come first. The second may go straight on or
    turn by 90 degrees, but not back. A path may not enter the space of a ball that is dead to the
    striking ball (WK-18), unless the striking ball passes its next wicket before that.
    """
    ways = (_way(state, headings) for headings in _readings(state, HEADINGS))
    return dict(way for way in ways if way is not None)


def can_move(state: State) -> bool:
    """Return whether any path is legal for the dice that were thrown. This is faster than computing
    all `routes`.
    """
    return any(_way(state, headings) is not None for headings in _readings(state, HEADINGS))


def end_of(state: State, path: tuple[Space, ...]) -> End | None:
    """Return how a path ends with the dice that were thrown; None when it is not legal. This is
    faster than computing all `routes`.
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


def _readings(state: State, first_headings: Iterable[str]) -> Iterator[tuple[str, ...]]:
    (_, one_face), (_, other_face) = state.dice
    for heading in first_headings:
        yield from _straight_moves(heading, one_face, other_face)


@cache
def _straight_moves(heading: str, one_face: int, other_face: int) -> tuple[tuple[str, ...], ...]:
    """Return the headings, one for each space entered, of every move with two dice in which the
    first die moves the ball in `heading`.
    """
    orders = dict.fromkeys([(one_face, other_face), (other_face, one_face)])
    return tuple(
        (heading,) * first + (other,) * second
        for first, second in orders
        for other in HEADINGS
        if not opposite(heading, other)
    )


def _way(state: State, headings: Sequence[str]) -> tuple[tuple[Space, ...], End] | None:
    board, ball = state.table.board, state.balls[state.active]
    dead, came, at = ball.dead, ball.came, start_of(state)
    step = next_step(state, state.active) if dead else None
    path: list[Space] = []
    others = [other.at for i, other in enumerate(state.balls) if i != state.active]
    (column, row), cols, rows = at, board.cols, board.rows
    for heading in headings:
        if dead and step is not None and came == heading == step.heading:
            dead = frozenset() if board.wickets.get(at) == step.place else dead
        across, along = HEADINGS[heading]
        column, row, came = column + across, row + along, heading
        at = column, row
        if not (1 <= column <= cols and 1 <= row <= rows):  # as `board.has`, but twice as fast
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


def headings_of(at: Space, path: Sequence[Space]) -> tuple[str, ...] | None:
    """Return the headings that lead from a space along a path; None if two spaces that follow
    each other are not neighbours.
    """
    found: list[str] = []
    for space in path:
        heading = _HEADING_OF.get((space[0] - at[0], space[1] - at[1]))
        if heading is None:
            return None
        found.append(heading)
        at = space
    return tuple(found)
