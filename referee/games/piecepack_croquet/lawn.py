"""The lawn of Croquet for piecepack: 9 x 13 intersections, six hoops, the peg, eight directions,
routes and edge points.

An intersection is `(x, y)`, with x to the right and y up; (0, 0) is the bottom left corner.
Directions are the numbers 0 to 7, clockwise from up: one more is 45 degrees to the right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Any, Final

import yaml

Point = tuple[int, int]

NAMES: Final = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
STEPS: Final[tuple[Point, ...]] = (
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
)
_DIRECTION_OF: Final = {step: direction for direction, step in enumerate(STEPS)}
IN_WORDS: Final = (
    "up",
    "up and right",
    "right",
    "down and right",
    "down",
    "down and left",
    "left",
    "up and left",
)


def _point(at: Any) -> Point:
    x, y = at
    return int(x), int(y)


_LAYOUT: Final[dict[str, Any]] = yaml.safe_load(
    resources.files("referee")
    .joinpath("layouts", "piecepack-croquet.yaml")
    .read_text(encoding="utf-8")
)
WIDTH: Final = int(_LAYOUT["width"])
HEIGHT: Final = int(_LAYOUT["height"])
PEG: Final[Point] = _point(_LAYOUT["peg"]["at"])
STARTS: Final[tuple[Point, ...]] = tuple(_point(at) for at in _LAYOUT["starts"])
#: The six hoops in their order: the place of each, and the direction in which a ball runs it (+1
#: up, -1 down).
HOOPS: Final[tuple[tuple[Point, int], ...]] = tuple(
    (_point(hoop["at"]), 1 if hoop["forward"] == "n" else -1) for hoop in _LAYOUT["hoops"].values()
)
HOOP_AT: Final = {at: number for number, (at, _) in enumerate(HOOPS, start=1)}


def number_of(direction: str) -> int:
    """Return the number of a direction from its name."""
    return NAMES.index(direction)


def turned(direction: int, by: int) -> int:
    """Return the direction turned to the right by `by` times 45 degrees, or to the left where `by`
    is negative.
    """
    return (direction + by) % 8


def beside(direction: int) -> tuple[int, int, int]:
    """Return the direction itself and the two directions 45 degrees to either side."""
    return direction, turned(direction, -1), turned(direction, 1)


def step(at: Point, direction: int) -> Point:
    """Return the next intersection in a direction, on the lawn or off it."""
    return at[0] + STEPS[direction][0], at[1] + STEPS[direction][1]


def on_lawn(at: Point) -> bool:
    """Return whether the intersection is on the lawn. The edge of the lawn belongs to it."""
    return 0 <= at[0] <= WIDTH and 0 <= at[1] <= HEIGHT


def sideways(direction: int) -> bool:
    """Return whether a ball that moves in this direction meets the side of a hoop."""
    return STEPS[direction][1] == 0


def diagonal(direction: int) -> bool:
    """Return whether the direction is a diagonal one."""
    return direction % 2 == 1


def forwards(hoop: int, direction: int) -> bool:
    """Return whether a ball that leaves hoop number `hoop` in this direction leaves it by the far
    side.
    """
    return STEPS[direction][1] == HOOPS[hoop - 1][1]


def directions_of(start: Point, route: Sequence[Point]) -> tuple[int, ...] | None:
    """Return the direction of each step of a route. Return None if any step does not go to a
    neighbouring intersection.
    """
    found = []
    for before, after in zip((start, *route), route, strict=False):
        gap = (after[0] - before[0], after[1] - before[1])
        direction = _DIRECTION_OF.get(gap)
        if direction is None:
            return None
        found.append(direction)
    return tuple(found)


def neighbouring(directions: Sequence[int]) -> bool:
    """Return whether a route's steps use at most two directions, 45 degrees apart."""
    ways = sorted(set(directions))
    return len(ways) < 2 or (len(ways) == 2 and (ways[1] - ways[0]) % 8 in (1, 7))


def leaves_a_hoop_sideways(start: Point, route: Sequence[Point], directions: Sequence[int]) -> bool:
    """Return whether a route leaves a hoop, on which the ball stood, by the hoop's side. If the
    ball meets the side of another hoop before that, it stops there, and the result is False.
    """
    for number, at in enumerate((start, *route[:-1])):
        if at not in HOOP_AT:
            continue
        if number > 0 and sideways(directions[number - 1]):
            return False
        if sideways(directions[number]):
            return True
    return False


def _edge() -> tuple[Point, ...]:
    bottom = [(x, 0) for x in range(WIDTH)]
    right = [(WIDTH, y) for y in range(HEIGHT)]
    top = [(x, HEIGHT) for x in range(WIDTH, 0, -1)]
    left = [(0, y) for y in range(HEIGHT, 0, -1)]
    return (*bottom, *right, *top, *left)


#: The intersections of the lawn's edge, in order all the way round.
EDGE: Final = _edge()


def free_edge_points(at: Point, taken: frozenset[Point]) -> tuple[Point, ...]:
    """Return the points at which a ball that left the lawn at `at` may come back.

    This is `at` itself if it is free, else its free neighbours on the edge, else the nearest free
    points along the edge.
    """
    for gap in range(len(EDGE)):
        free = tuple(point for point in _at_gap(at, gap) if point not in taken)
        if free:
            return free
    return ()


def _at_gap(at: Point, gap: int) -> Iterator[Point]:
    place = EDGE.index(at)
    yield EDGE[(place + gap) % len(EDGE)]
    if gap:
        yield EDGE[(place - gap) % len(EDGE)]


def free_starts(taken: frozenset[Point]) -> tuple[Point, ...]:
    """Return the points where a ball may enter: the free start points, or, if all three are taken,
    the nearest free edge points.
    """
    free = tuple(point for point in STARTS if point not in taken)
    return free or free_edge_points(STARTS[1], taken)
