"""Computes when moving things meet, with an error far below a nanosecond: by formulas or bracketed
roots, never in time steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import numpy as np
from scipy.optimize import brentq

from referee.domain.geometry import (
    Point,
    Polygon,
    add,
    cross,
    distance,
    dot,
    nearest_on_segment,
    scale,
    sides,
    square_corners,
    subtract,
)
from referee.domain.layout import Tile
from referee.domain.slide import standing_after_mm
from referee.synthetic.physics.motion import Slide, TileSlide

#: Rims closer than this touch, mm.
TOUCH_MM: Final = 1e-7
#: When a disc climbs a tile, its rim first touches the tile's side. After the disc has slid so far
#: on, its rim is over the tile.
_SETTING_OFF_MM: Final = 0.01


def nearest_on_square(tile: Tile, side_mm: float, point: Point) -> Point:
    """Return the point of a tile's outline closest to `point`. Inside the tile, return `point`
    itself.
    """
    turn = math.radians(tile.rotation_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = subtract(point, tile.centre_mm)
    half = side_mm / 2
    u, v = max(-half, min(half, cos * x + sin * y)), max(-half, min(half, cos * y - sin * x))
    return add(tile.centre_mm, (cos * u - sin * v, sin * u + cos * v))


def square_gap(tile: Tile, side_mm: float, point: Point, radius_mm: float) -> float:
    """Return the gap between a disc's rim and a tile, mm. It is negative when they overlap and the
    disc's centre is outside the tile.
    """
    return distance(point, nearest_on_square(tile, side_mm, point)) - radius_mm


def discs_meet(a: Slide, b: Slide, reach_mm: float, from_s: float, until_s: float) -> float | None:
    """Return the first instant in [from_s, until_s] at which two centres come within `reach_mm`;
    None when they do not.

    Neither disc may stop before `until_s`. The squared distance of the centres is a quartic in
    time. Between the roots of its derivative it only rises or only falls, so each sign change
    brackets exactly one root.
    """
    p = subtract(a.position(from_s), b.position(from_s))
    v = subtract(a.velocity(from_s), b.velocity(from_s))
    c = subtract(scale(b.heading, b.slowing_mm_s2), scale(a.heading, a.slowing_mm_s2))
    quartic = np.array(
        [dot(c, c) / 4, dot(v, c), dot(v, v) + dot(p, c), 2 * dot(p, v), dot(p, p) - reach_mm**2]
    )
    if math.hypot(*p) <= reach_mm + TOUCH_MM and dot(p, v) < 0:
        return from_s
    turning = [
        r.real for r in np.roots(np.trim_zeros(np.polyder(quartic), "f")) if abs(r.imag) < 1e-9
    ]
    span = until_s - from_s
    knots = [0.0, *sorted(t for t in turning if 0.0 < t < span), span]
    for begin, end in pairwise(knots):
        low, high = np.polyval(quartic, begin), np.polyval(quartic, end)
        if low > 0.0 >= high:
            return float(
                from_s + brentq(lambda t: float(np.polyval(quartic, t)), begin, end, xtol=1e-13)
            )
    return None


def _along_to_point(from_mm: Point, heading: Point, point: Point, radius_mm: float) -> float | None:
    """Return the distance along a ray at which the ray first comes within `radius_mm` of `point`;
    None if it never does.
    """
    back = subtract(from_mm, point)
    b, c = dot(back, heading), dot(back, back) - radius_mm**2
    root = b * b - c
    return -b - math.sqrt(root) if b < 0.0 and root > 0.0 else None


def _along_to_side(
    from_mm: Point, heading: Point, side: tuple[Point, Point], radius_mm: float
) -> float | None:
    """Return the distance along a ray after which a disc touches the flat part of a side
    (counter-clockwise outline); None when it does not.
    """
    a, b = side
    length = distance(a, b)
    along = scale(subtract(b, a), 1 / length)
    outward = (along[1], -along[0])
    sinking = -dot(heading, outward)
    if sinking <= 0.0:
        return None
    travelled = (dot(subtract(from_mm, a), outward) - radius_mm) / sinking
    share = dot(subtract(add(from_mm, scale(heading, travelled)), a), along)
    return travelled if 0.0 <= share <= length else None


def along_to_square(
    from_mm: Point, heading: Point, tile: Tile, side_mm: float, radius_mm: float
) -> float | None:
    """Return the distance along a ray after which a disc first touches a tile that lies still: one
    of its four sides, or of the arcs around its corners.
    """
    corners = square_corners(tile.centre_mm, side_mm, tile.rotation_deg)
    found = [_along_to_side(from_mm, heading, side, radius_mm) for side in sides(corners)]
    found += [_along_to_point(from_mm, heading, corner, radius_mm) for corner in corners]
    ahead = [s for s in found if s is not None and s >= -10 * TOUCH_MM]
    return max(0.0, min(ahead)) if ahead else None


def square_met(
    slide: Slide, tile: Tile, side_mm: float, radius_mm: float, from_s: float, until_s: float
) -> float | None:
    """Return the first instant at which a sliding disc touches a tile that lies still; None when it
    does not by `until_s`.
    """
    if not slide.moving:
        return None
    reach = standing_after_mm(slide.speed_mm_s, slide.slowing_mm_s2)
    if distance(slide.from_mm, tile.centre_mm) > reach + radius_mm + side_mm:
        return None
    done = slide.travelled_mm(from_s)
    ahead = along_to_square(slide.position(from_s), slide.heading, tile, side_mm, radius_mm)
    if ahead is None:
        return None
    t_s = slide.time_at(done + ahead)
    return max(t_s, from_s) if t_s is not None and t_s <= until_s else None


def moving_square_met(
    slide: Slide, tile: TileSlide, radius_mm: float, from_s: float, until_s: float
) -> float | None:
    """Return the first instant at which a disc touches a tile that is itself moving; None when it
    does not by `until_s`.

    The method is conservative advancement. The two speeds and the spin at the corners bound how
    fast the gap can close. A step in time of the gap divided by this bound never goes past a
    contact.
    """
    bound = (
        slide.speed_mm_s
        + math.hypot(*tile.velocity_mm_s)
        + abs(tile.spin_rad_s) * tile.side_mm * math.sqrt(0.5)
        + 1e-9
    )

    def gap(t_s: float) -> float:
        return square_gap(tile.pose(t_s), tile.side_mm, slide.position(t_s), radius_mm)

    t_s = from_s
    while t_s <= until_s:
        apart = gap(t_s)
        if apart > TOUCH_MM:
            t_s += apart / bound
        elif gap(t_s + 1e-7) < apart:
            return t_s
        else:
            t_s += 1e-6
    return None


def tiles_left(
    slide: Slide, tiles: Iterable[Tile], side_mm: float, radius_mm: float, from_s: float
) -> float | None:
    """Return when the rim of a disc that slides on top of tiles is clear of all of them; None if
    the disc stops before that. The gap to a tile grows by at most 1 mm for each millimetre that the
    disc slides.
    """
    tiles = list(tiles)
    way = slide.travelled_mm(from_s) + _SETTING_OFF_MM
    while (t_s := slide.time_at(way)) is not None:
        at = slide.position(t_s)
        over = -min(square_gap(tile, side_mm, at, radius_mm) for tile in tiles)
        if over < TOUCH_MM:
            return t_s
        way += over
    return None


def outline_left(slide: Slide, outline: Polygon, from_s: float, until_s: float) -> float | None:
    """Return when a sliding centre leaves a counter-clockwise outline; None when it does not by
    `until_s`.
    """
    if not slide.moving:
        return None
    here, times = slide.position(from_s), []
    for a, b in sides(outline):
        turn = cross(slide.heading, subtract(b, a))
        if turn <= 0.0:
            continue
        ahead = cross(subtract(a, here), subtract(b, a)) / turn
        foot = add(here, scale(slide.heading, ahead))
        if ahead >= -TOUCH_MM and distance(nearest_on_segment(a, b, foot), foot) < 1e-6:
            times.append(slide.time_at(slide.travelled_mm(from_s) + ahead))
    left = [t for t in times if t is not None and t <= until_s]
    return max(from_s, min(left)) if left else None
