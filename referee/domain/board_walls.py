"""The walls of Carroms as lines over which a coin leaves the board."""

from __future__ import annotations

from referee.domain.geometry import Point, add, dot, scale, subtract, unit
from referee.domain.layout import Course, Line


def outer_sides(course: Course) -> dict[str, Line]:
    """Return the outer side of each wall of the course, from end to end, by the wall's name. A coin
    whose centre crosses it outward went over the wall. Empty for other games' courses.
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
