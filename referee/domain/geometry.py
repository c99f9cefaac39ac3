"""Plane geometry of the table, in millimetres and without numpy, for the rules and the detectors.

In the table frame x points to the right, y away from a viewer who stands at y < 0, and z up
(right-handed). A point is a plain pair `(x_mm, y_mm)`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

# Source: the ratio of a normal distribution's standard deviation to its median absolute deviation.
MEDIAN_SIGMAS: Final = 1.4826

Point = tuple[float, float]
Polygon = Sequence[Point]


def add(a: Point, b: Point) -> Point:
    """Return the sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1])


def subtract(a: Point, b: Point) -> Point:
    """Return the vector from `b` to `a`."""
    return (a[0] - b[0], a[1] - b[1])


def scale(a: Point, factor: float) -> Point:
    """Return the vector `a` made `factor` times as long."""
    return (a[0] * factor, a[1] * factor)


def dot(a: Point, b: Point) -> float:
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1]


def cross(a: Point, b: Point) -> float:
    """Return the z part of the vector product: positive when `b` lies counter-clockwise of `a`."""
    return a[0] * b[1] - a[1] * b[0]


def distance(a: Point, b: Point) -> float:
    """Return the distance between two points, mm."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def unit(a: Point) -> Point:
    """Return the vector of length 1 in the direction of `a`. Raises ValueError for the null
    vector.
    """
    length = math.hypot(*a)
    if length == 0.0:
        raise ValueError("the null vector has no direction")
    return (a[0] / length, a[1] / length)


def sides(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    """Yield the polygon's sides in order. The last side leads back to the first corner."""
    for i, corner in enumerate(polygon):
        yield corner, polygon[(i + 1) % len(polygon)]


def signed_area(polygon: Polygon) -> float:
    """Return the area in mm2: positive if the corners run counter-clockwise, otherwise negative
    (the shoelace formula).
    """
    return 0.5 * sum(cross(a, b) for a, b in sides(polygon))


def contains(polygon: Polygon, point: Point) -> bool:
    """Return whether the point lies inside the polygon, by the even-odd rule. A point on the
    outline may count as inside or outside.
    """
    inside = False
    for (ax, ay), (bx, by) in sides(polygon):
        if (ay > point[1]) != (by > point[1]) and point[0] < (bx - ax) * (point[1] - ay) / (
            by - ay
        ) + ax:
            inside = not inside
    return inside


def nearest_on_segment(a: Point, b: Point, point: Point) -> Point:
    """Return the point of the segment from `a` to `b` that is nearest to `point`."""
    along = subtract(b, a)
    length_squared = dot(along, along)
    if length_squared == 0.0:
        return a
    share = min(1.0, max(0.0, dot(subtract(point, a), along) / length_squared))
    return add(a, scale(along, share))


def nearest_on_outline(polygon: Polygon, point: Point) -> tuple[Point, Point]:
    """Return the outline's point nearest to `point`, and the inward unit normal of the side it lies
    on.
    """
    turn = 1.0 if signed_area(polygon) > 0 else -1.0
    best: tuple[float, Point, Point] | None = None
    for a, b in sides(polygon):
        if a == b:
            continue
        foot = nearest_on_segment(a, b, point)
        along = unit(subtract(b, a))
        candidate = (distance(foot, point), foot, scale((-along[1], along[0]), turn))
        if best is None or candidate[0] < best[0]:
            best = candidate
    if best is None:
        raise ValueError("a polygon needs at least one side")
    return best[1], best[2]


def inside_by(polygon: Polygon, point: Point) -> float:
    """Return how far inside the polygon the point lies, mm; negative outside."""
    gap = distance(nearest_on_outline(polygon, point)[0], point)
    return gap if contains(polygon, point) else -gap


def crossing_share(a: Point, b: Point, c: Point, d: Point) -> float | None:
    """Return where the segment from `a` to `b` meets the segment from `c` to `d`, as a share from 0
    (at `a`) to 1 (at `b`); None if the two do not meet.
    """
    step, line = subtract(b, a), subtract(d, c)
    turn = cross(step, line)
    if turn == 0.0:
        return None
    share = cross(subtract(c, a), line) / turn
    along = cross(subtract(c, a), step) / turn
    return share if 0.0 <= share <= 1.0 and 0.0 <= along <= 1.0 else None


def square_corners(centre: Point, side_mm: float, rotation_deg: float) -> list[Point]:
    """Return the four corners of a square in counter-clockwise order, from its centre, the length
    of its side and its counter-clockwise rotation.
    """
    half, turn = side_mm / 2, math.radians(rotation_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    return [
        (centre[0] + cos * x - sin * y, centre[1] + sin * x + cos * y)
        for x, y in ((half, half), (-half, half), (-half, -half), (half, -half))
    ]
