"""The result of a move of Wickets, for people who are entering it space by space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.domain.call import Call
from referee.domain.clause import NO_REASONS
from referee.domain.incident import Moved
from referee.games import Route
from referee.games.wickets.board import Space
from referee.games.wickets.routes import End, routes, start_of
from referee.games.wickets.scoring import walked
from referee.games.wickets.state import State, seat_of
from referee.games.wickets.striking import moved, way_of, why_illegal

#: The calls that say whose turn it is; they are no part of a route.
TURNS: Final = ("turn_began", "turn_ended")


def routes_to(
    state: State, route: Sequence[Space], to: Space | None
) -> tuple[tuple[Route, ...], str]:
    """Return the moves that begin with `route` and lead on to the space `to` by the dice that were
    thrown; without `to`, `route` itself. If there is no such move, the text says why.
    """
    if state.over or state.phase != "move":
        return (), "No move is expected now."
    path = tuple(route)
    ways = {way: end for way, end in routes(state).items() if way[: len(path)] == path}
    if to is None:
        found = [path] if ways else []
    else:
        found = [way[: len(path) + far] for way in ways if (far := _steps_to(way[len(path) :], to))]
    if not found:
        dead, _ = way_of(state, path if to is None else (*path, to))
        return (), why_illegal(state, dead)
    return tuple(_route(state, one, ways) for one in dict.fromkeys(found)), ""


def _steps_to(way: Sequence[Space], to: Space) -> int:
    """Return after how many steps a way reaches a space; 0 if the space is not on the way."""
    return way.index(to) + 1 if to in way else 0


def _route(state: State, path: tuple[Space, ...], ways: Mapping[tuple[Space, ...], End]) -> Route:
    end, at = ways.get(path), start_of(state)
    stops_before = end in ("roquet", "stake")
    entered = path[:-1] if stops_before else path
    following = {way[len(path)] for way in ways if way[: len(path)] == path and way != path}
    dice = sum(face for _, face in state.dice)
    return Route(
        route=path,
        down=entered[-1] if entered else at,
        told=_told(state, path, ends=end is not None),
        ready=end is not None,
        left=0 if stops_before else dice - len(path),
        next=tuple(sorted(following)),
    )


def _told(state: State, path: tuple[Space, ...], *, ends: bool) -> tuple[str, ...]:
    """Return in words what the ball passes and meets on a path. If the move `ends` with this path,
    it is judged as a whole.
    """
    if ends:
        entry = Moved(id="~", pawn=seat_of(state).pawn, path=path)
        _, verdicts = moved(state, entry, NO_REASONS, entitled=True)
    else:
        _, verdicts = walked(state, path, "~", NO_REASONS, stops=False, entitled=True)
    return tuple(
        call.text for call in verdicts if isinstance(call, Call) and call.call not in TURNS
    )
