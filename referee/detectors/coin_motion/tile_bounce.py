"""Decides whether a coin that nobody saw on its way struck a tile and bounced off it: the tile must
have moved and turned as a hit by a coin from that place makes it, and the coin must now lie where
it can have bounced to.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from referee.domain.episode import LIES_MM, CoinTrack, Episode, frame_time_s, was_displaced
from referee.domain.geometry import (
    Point,
    add,
    cross,
    distance,
    dot,
    scale,
    sides,
    square_corners,
    subtract,
    unit,
)
from referee.domain.layout import Tile, turned
from referee.domain.path import Held, Path
from referee.domain.sighting import SEEN_SIGMAS
from referee.domain.slide import RIM_FRICTION, USUAL_SLOWING_MM_S2, speed_over_mm, standing_after_s

# Chosen: a tile that is struck beside its middle turns by a share between these of the angle by
# which it would turn without friction.
TURN_SHARES: Final = (0.6, 1.6)
# Chosen: this many places are tried on each side of a tile, 2 mm apart,
PLACES_ON_SIDE: Final = 24
# Chosen: and this many round each corner, 11 degrees apart.
PLACES_ON_CORNER: Final = 8
# In units of chi-square: how much dearer a fit makes a hand. Measured: 4 in 100 pushes in any
# direction, of coins put down in any direction, fit by chance (17 episodes of castles). Chosen: 10
# in 100, because a hand pushes coin and tile in the same direction.
FITS_BY_CHANCE: Final = 2.0 * math.log(10.0)


@dataclass(frozen=True, slots=True)
class _Touch:
    """A coin's centre as its rim touches a tile, where the rims touch, and the normal there, which
    points to the coin.
    """

    centre_mm: Point
    contact_mm: Point
    normal: Point


def slid_off_tile(episode: Episode, path: Path) -> bool:
    """Return whether a coin that nobody saw on its way surely bounced off a tile: it may have
    bounced, and it came from its former place to its present one in so short a time that no hand
    can have moved it and pushed the tile, too. A coin that bounces needs at most the time in which
    dry friction stops a coin over the same way, to the tile and off it. Each end of the measured
    time is known to a frame.
    """
    lay_mm, lies_mm = path.rest_before_mm, path.rest_after_mm
    if lay_mm is None or lies_mm is None or len(path.held) != 1:
        return False
    ways_mm = (
        distance(lay_mm, touch.centre_mm) + distance(touch.centre_mm, lies_mm)
        for touch in _fitting(episode, path.coin, lay_mm, lies_mm)
    )
    speed_mm_s = speed_over_mm(max(ways_mm, default=0.0), USUAL_SLOWING_MM_S2)
    slid_s = standing_after_s(speed_mm_s, USUAL_SLOWING_MM_S2)
    most_s = slid_s + 2.0 * frame_time_s(episode)
    return slid_s > 0.0 and _moved_in_s(episode.track_of(path.coin), path.held[0]) < most_s


def _moved_in_s(track: CoinTrack, held: Held) -> float:
    """Return the time, s, in which the coin came from one place to the other, or a hand took it
    there. A hand that holds still over the new place no longer moves the coin.
    """
    from_s = held.begin_s if track.lay_until_s is None else track.lay_until_s
    came_s = held.end_s
    if track.settled_s is not None and track.settled_s > from_s:
        came_s = min(track.settled_s, came_s)
    left_s, seen_s = track.moved_within_s or (from_s, came_s)
    return min(came_s - from_s, seen_s - left_s)


def _fitting(episode: Episode, coin: str, lay_mm: Point, lies_mm: Point) -> Iterator[_Touch]:
    """Yield those touches of a coin and a displaced tile that explain how the tile moved, and how
    the coin came from `lay_mm` to `lies_mm`.
    """
    course, radius_mm = episode.course_before, 0.5 * episode.sizes.width_mm(coin)
    for name, before in course.tiles.items():
        if was_displaced(episode, name):
            after = episode.course_after.tiles[name]
            for touch in _touches(before, course.tile_mm, radius_mm):
                if _was_pushed(course.tile_mm, before, after, touch) and _came_off(
                    touch, lay_mm, lies_mm
                ):
                    yield touch


def _touches(tile: Tile, tile_mm: float, radius_mm: float) -> Iterator[_Touch]:
    """Yield the places, all around a tile, at which a coin may touch it."""
    corners = square_corners(tile.centre_mm, tile_mm, tile.rotation_deg)
    for a, b in sides(corners):
        along = unit(subtract(b, a))
        outward = (along[1], -along[0])
        for k in range(PLACES_ON_SIDE + 1):
            at = add(a, scale(subtract(b, a), k / PLACES_ON_SIDE))
            yield _Touch(add(at, scale(outward, radius_mm)), at, outward)
        for k in range(1, PLACES_ON_CORNER):
            turn = 0.5 * math.pi * k / PLACES_ON_CORNER
            aside = add(scale(outward, math.cos(turn)), scale(along, math.sin(turn)))
            yield _Touch(add(b, scale(aside, radius_mm)), b, aside)


def _was_pushed(tile_mm: float, before: Tile, after: Tile, touch: _Touch) -> bool:
    """Return whether a blow at this place explains how the tile moved and turned: it moved away
    from the coin, and turned to the side on which the line of the blow passes the tile's middle.
    """
    moved = subtract(after.centre_mm, before.centre_mm)
    way_mm, sigma_mm = math.hypot(*moved), math.hypot(before.sigma_mm, after.sigma_mm)
    into, aside = -dot(moved, touch.normal), abs(cross(moved, touch.normal))
    if into <= 0.0 or aside - RIM_FRICTION * into > SEEN_SIGMAS * sigma_mm:
        return False
    # While its middle moves by 1 mm, a body with the radius of gyration k turns by d / k^2, if the
    # blow passes its middle at the distance d. A square of side a has k^2 = a^2 / 6.
    per_mm = 6.0 / tile_mm**2
    lever_mm = cross(subtract(touch.contact_mm, before.centre_mm), scale(moved, 1.0 / way_mm))
    turns = sorted(share * per_mm * lever_mm * way_mm for share in TURN_SHARES)
    turn = math.radians(turned(before, after))
    turn_sigma = math.hypot(sigma_mm / (math.sqrt(0.5) * tile_mm), per_mm * lever_mm * sigma_mm)
    return max(turns[0] - turn, turn - turns[1]) < SEEN_SIGMAS * turn_sigma


def _came_off(touch: _Touch, lay_mm: Point, lies_mm: Point) -> bool:
    """Return whether a coin that comes from `lay_mm` may bounce off a tile here towards `lies_mm`.
    It leaves on the other side of the normal, at no smaller angle to it than it came, except for
    what the friction of the rims takes. It is not known how much of the speed along the normal the
    tile takes.
    """
    came, went = subtract(touch.centre_mm, lay_mm), subtract(lies_mm, touch.centre_mm)
    into, off = -dot(came, touch.normal), dot(went, touch.normal)
    if into <= 0.0 or off <= 0.0:
        return False
    slope_in, slope_off = cross(touch.normal, came) / into, cross(touch.normal, went) / off
    if slope_in < 0.0:
        slope_in, slope_off = -slope_in, -slope_off
    least = max(0.0, slope_in - 2.0 * RIM_FRICTION)
    return slope_off > least - SEEN_SIGMAS * LIES_MM / off
