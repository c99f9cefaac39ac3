"""The result of a shot of Croquet for piecepack, for people who are entering its route point by
point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from referee.domain.call import Call
from referee.domain.clause import NO_REASONS
from referee.games import Route
from referee.games.piecepack_croquet.declaring import WAITED_FOR, why_no_route
from referee.games.piecepack_croquet.lawn import STEPS, Point, directions_of, on_lawn, step
from referee.games.piecepack_croquet.rolling import ACE, rolled
from referee.games.piecepack_croquet.state import Announced, Judging, State

#: The calls that say nothing about where the ball goes.
NOT_TOLD: Final = ("shot_succeeded", "turn_began", "turn_ended")
#: The numbers on the die; it also has a blank, which never succeeds, and an ace, which always does.
NUMBERS: Final = (2, 3, 4, 5)
#: What a roll on the way decides, in words.
DECIDED: Final = {
    "hoop": "It comes to a hoop diagonally: a second roll decides whether it goes through.",
    "peg": "At the peg another roll decides whether it hits.",
}


def routes_to(
    state: State, route: Sequence[Point], to: Point | None
) -> tuple[tuple[Route, ...], str]:
    """Return the routes that begin with `route` and go on to the point `to` with at most one turn;
    without `to`, `route` itself. If there is no such route, the text says why.
    """
    at = state.balls[state.active].at
    if state.over or state.expects not in ("shot", "continuation") or at is None:
        return (), f"No shot is expected now: {WAITED_FOR.get(state.expects, 'the game is over')}."
    tried = [tuple(route)] if to is None else _on_to(at, tuple(route), to)
    wrong = {one: _why_not(at, one) if one else None for one in tried}
    found = tuple(_route(state, at, one) for one, why in wrong.items() if why is None)
    why = next((why for why in wrong.values() if why is not None), "")
    return found, "" if found else f"This shot cannot be played: {why}."


def _on_to(at: Point, route: tuple[Point, ...], to: Point) -> list[tuple[Point, ...]]:
    """Return the route, extended to a point in two ways: first diagonally and then straight, and
    first straight and then diagonally.
    """
    if not on_lawn(to):
        return [(*route, to)]
    x, y = route[-1] if route else at
    across, along = to[0] - x, to[1] - y
    slant = (_sign(across), _sign(along))
    straight = (_sign(across), 0) if abs(across) > abs(along) else (0, _sign(along))
    many = min(abs(across), abs(along))
    rest = max(abs(across), abs(along)) - many
    ways = dict.fromkeys(
        ((slant,) * many + (straight,) * rest, (straight,) * rest + (slant,) * many)
    )
    return [route + _along((x, y), way) for way in ways]


def _along(at: Point, steps: Sequence[Point]) -> tuple[Point, ...]:
    points = []
    for across, along in steps:
        at = (at[0] + across, at[1] + along)
        points.append(at)
    return tuple(points)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _why_not(at: Point, route: tuple[Point, ...]) -> str | None:
    return why_no_route(at, route, directions_of(at, route), Judging("~", NO_REASONS, True))


def _route(state: State, at: Point, route: tuple[Point, ...]) -> Route:
    end = route[-1] if route else at
    around = (step(end, direction) for direction in range(len(STEPS)))
    return Route(
        route=route,
        down=end,
        told=_told(state, at, route) if route else (),
        ready=bool(route),
        left=None,
        next=tuple(sorted(one for one in around if _why_not(at, (*route, one)) is None)),
    )


def _told(state: State, at: Point, route: tuple[Point, ...]) -> tuple[str, ...]:
    """Return in words how difficult the shot is, and its result if it succeeds."""
    difficulty = len(route)
    enough = ", ".join(str(face) for face in NUMBERS if face >= difficulty)
    needs = f"{enough} or an ace" if enough else "only an ace"
    steps = directions_of(at, route)
    assert steps is not None
    shot = replace(state, said=Announced(steps, route), expects="roll", roll="shot")
    after, verdicts = rolled(shot, Judging("~", NO_REASONS, True), ACE)
    calls = [call.text for call in verdicts if isinstance(call, Call) and call.call not in NOT_TOLD]
    succeeds = [f"If it succeeds: {calls[0]}", *calls[1:]] if calls else []
    then = [DECIDED[after.roll]] if after.expects == "roll" and after.roll in DECIDED else []
    return (f"Difficulty {difficulty}: it succeeds with {needs}.", *succeeds, *then)
