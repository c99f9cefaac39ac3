"""The lines over which a coin leaves the table or its board: the table's outline, and the walls of
Carroms. A coin has left when its centre is past such a line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from referee.domain import slide
from referee.domain.geometry import Point, add, distance, dot, scale, subtract, unit
from referee.domain.layout import Course, Line
from referee.domain.path import Run

# Tuned on our own clips, except where a comment gives another source for a number.

# how far beyond the end of a side a coin may cross and still count as leaving over that side
CORNER_MM: Final = 1.0
# a slide that stops more sigmas than this before the edge does not lead over it
LEAST_SIGMAS: Final = 4.0
_SIDES_OF_WALLS: Final = {"n": "north", "e": "east", "s": "south", "w": "west"}


@dataclass(frozen=True, slots=True)
class EdgeSide:
    """One side of the table's outline. `sigma_mm` is the standard uncertainty of the side's line,
    across the line.

    Only the part from `from_share` to `to_share` (shares of the distance from `begin_mm` to
    `end_mm`) was seen in the picture, so only there can the camera tell whether a coin left. Both
    are 0 for a side whose place is only a guess.
    """

    begin_mm: Point
    end_mm: Point
    sigma_mm: float
    from_share: float
    to_share: float


@dataclass(frozen=True, slots=True)
class Exit:
    """Where and when a coin's run leads over a side of the table.

    `past_mm` is how far past the side the coin would come; it is negative where the coin stops
    before the side. `sigma_mm` is the standard uncertainty of `past_mm`.
    """

    side: EdgeSide
    t_s: float
    at_mm: Point
    past_mm: float
    sigma_mm: float


def exit_of(edge: tuple[EdgeSide, ...], run: Run) -> Exit | None:
    """Return where the run first leads over the edge if the coin slides on until friction stops it;
    None if the coin certainly stops before the edge.
    """
    middle = middle_of(edge) if edge else (0.0, 0.0)
    exits = [found for side in edge if (found := _over(side, middle, run)) is not None]
    return min(exits, key=lambda e: e.t_s, default=None)


def _over(side: EdgeSide, middle: Point, run: Run) -> Exit | None:
    inward = inward_normal(side, middle)
    ahead, climb = dot(subtract(run.from_mm, side.begin_mm), inward), -dot(run.heading, inward)
    if climb <= 0.0 or run.speed_mm_s <= 0.0:
        return None
    whole = slide.standing_after_mm(run.speed_mm_s, run.slowing_mm_s2)
    past = whole * climb - ahead
    sigma = math.hypot(
        side.sigma_mm, run.sigma_at(run.stop_s if math.isfinite(run.stop_s) else run.end_s)
    )
    way = min(max(ahead / climb, 0.0), whole)
    at = add(run.from_mm, scale(run.heading, way))
    along = dot(subtract(at, side.begin_mm), unit(subtract(side.end_mm, side.begin_mm)))
    if (
        past < -LEAST_SIGMAS * sigma
        or not -CORNER_MM <= along <= distance(side.begin_mm, side.end_mm) + CORNER_MM
    ):
        return None
    t_s = run.time_at(way)
    return Exit(side, run.stop_s if t_s is None else t_s, at, past, sigma)


def middle_of(edge: tuple[EdgeSide, ...]) -> Point:
    """Return a point inside the table: the mean of the ends of its sides. Raises ZeroDivisionError
    for a table without sides.
    """
    ends = [p for side in edge for p in (side.begin_mm, side.end_mm)]
    return (sum(p[0] for p in ends) / len(ends), sum(p[1] for p in ends) / len(ends))


def inward_normal(side: EdgeSide, middle: Point) -> Point:
    """Return the unit normal of the side that points to the inside of the table. `middle` is a
    point inside.
    """
    along = unit(subtract(side.end_mm, side.begin_mm))
    normal = (-along[1], along[0])
    return normal if dot(subtract(middle, side.begin_mm), normal) > 0 else (-normal[0], -normal[1])


def refereed(side: EdgeSide, at: Point) -> bool:
    """Return whether this point of the side was seen in the picture, so that the camera can tell
    whether a coin left there.
    """
    share = dot(subtract(at, side.begin_mm), subtract(side.end_mm, side.begin_mm)) / max(
        distance(side.begin_mm, side.end_mm) ** 2, 1e-9
    )
    return side.from_share < side.to_share and side.from_share <= share <= side.to_share


def wall_in_words(name: str) -> str:
    """Return the plain words for a wall, or for a tile of a wall. Other names stay as they are.

    >>> wall_in_words("wall-s"), wall_in_words("wall-n-3"), wall_in_words("wicket-4")
    ('the south wall', 'tile 3 of the north wall', 'wicket-4')
    """
    if not name.startswith("wall-"):
        return name
    side, _, number = name.removeprefix("wall-").partition("-")
    wall = f"the {_SIDES_OF_WALLS[side]} wall"
    return f"tile {number} of {wall}" if number else wall


def outer_sides(course: Course) -> dict[str, Line]:
    """Return the outer side of each wall of the course, from end to end, by the wall's name. A coin
    whose centre crosses this side outward went over the wall. The result is empty for a course
    without walls.
    """
    walls: dict[str, list[str]] = {}
    for name in sorted(name for name in course.tiles if name.startswith("wall-")):
        walls.setdefault(name.rpartition("-")[0], []).append(name)
    return {
        wall: _outer_side(course, (laid[0], laid[-1]))
        for wall, laid in walls.items()
        if len(laid) > 1
    }


def beyond_a_wall(course: Course, at_mm: Point) -> bool:
    """Return whether a place lies behind the outer side of a wall, between its ends."""
    for line in outer_sides(course).values():
        ahead = subtract(at_mm, line.right_mm)
        side = subtract(line.left_mm, line.right_mm)
        if dot(ahead, line.outward) > 0.0 and 0.0 < dot(ahead, side) < dot(side, side):
            return True
    return False


def _outer_side(course: Course, ends: tuple[str, str]) -> Line:
    first, last = (course.tiles[name] for name in ends)
    along = scale(unit(subtract(last.centre_mm, first.centre_mm)), course.tile_mm / 2)
    out = (along[1], -along[0])  # to the right of somebody who looks from the first to the last
    behind = subtract(first.centre_mm, course.middle_mm)
    turned = dot(out, behind) < 0.0
    if turned:
        out = scale(out, -1.0)
    one = add(first.centre_mm, subtract(out, along))
    other = add(last.centre_mm, add(out, along))
    if turned:
        return Line(one, other, (first.sigma_mm, last.sigma_mm))
    return Line(other, one, (last.sigma_mm, first.sigma_mm))
