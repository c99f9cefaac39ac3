"""Computes what a hit does: impulses along the line of centres between discs, and between a disc
and a tile that may move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from referee.domain.geometry import Point, add, cross, dot, scale, subtract

#: Pieces that hit each other at a lower closing speed do not bounce. So pieces that are pressed
#: together come to rest instead of bouncing for ever.
_SOFT_MM_S: Final = 1.0
#: The speed at which two pieces part that do not bounce. It is too small to see, but limits a long
#: push to a few hundred hits.
_PART_MM_S: Final = 0.5
#: The acceleration of free fall.
GRAVITY_MM_S2: Final = 9810.0


@dataclass(frozen=True, slots=True)
class Surface:
    """How the pieces slide and bounce. Friction slows them by mu g with g = 9810 mm/s^2.

    `coin_bounce` and `tile_bounce` give the speed at which two pieces part after a hit, as a share
    of the speed at which they met, along the line of the hit. `tile_mass` is a tile's mass in coins
    (a 50.8 x 5 mm tile has 8.5 times the volume of a 22 x 4 mm coin). A coin that hits a single
    tile at `climbs_mm_s` or faster climbs onto the tile.
    """

    slowing_mm_s2: float = 2450.0
    tile_slowing_mm_s2: float = 2950.0
    coin_bounce: float = 0.93
    tile_bounce: float = 0.55
    tile_mass: float = 8.5
    climbs_mm_s: float = math.inf


def _parting(closing_mm_s: float, bounce: float) -> float:
    return closing_mm_s * bounce if closing_mm_s > _SOFT_MM_S else _PART_MM_S


def bounce_discs(va: Point, vb: Point, normal: Point, bounce: float) -> tuple[Point, Point]:
    """Return the velocities after two equal smooth discs hit each other. `normal` is the unit
    vector from b's centre to a's.

    Along the normal the closing speed is reversed and multiplied by `bounce`, and momentum is
    conserved. Across it nothing changes.
    """
    closing = dot(subtract(vb, va), normal)
    push = scale(normal, (closing + _parting(closing, bounce)) / 2)
    return add(va, push), subtract(vb, push)


@dataclass(frozen=True, slots=True)
class TileKick:
    """The result of a hit: the disc's velocity, and the tile's velocity and spin."""

    coin_mm_s: Point
    tile_mm_s: Point
    tile_rad_s: float


def climbed(coin_mm_s: Point, normal: Point, high_mm: float) -> Point:
    """Return the velocity of a coin after it climbed by `high_mm`. The climb takes energy, so the
    speed along the normal falls; the speed across it stays. Raises ValueError if the coin is too
    slow to climb so high.
    """
    closing = -dot(coin_mm_s, normal)
    left = closing * abs(closing) - 2 * GRAVITY_MM_S2 * high_mm
    if left <= 0.0:
        raise ValueError(f"a coin at {closing:.0f} mm/s does not climb {high_mm:g} mm")
    return add(coin_mm_s, scale(normal, closing - math.sqrt(left)))


def bounce_off_tile(
    coin_mm_s: Point,
    tile_mm_s: Point,
    tile_rad_s: float,
    arm_mm: Point,
    normal: Point,
    mass: float,
    side_mm: float,
    bounce: float,
) -> TileKick:
    """Return what happens when a smooth disc of mass 1 hits a square of `mass`. `arm_mm` goes from
    the square's middle to the point of contact.

    `normal` is the unit vector from the square to the disc. The inertia of a square plate is M s^2
    / 6.
    """
    turn = cross(arm_mm, normal)
    inertia = mass * side_mm**2 / 6
    surface = (tile_mm_s[0] - tile_rad_s * arm_mm[1], tile_mm_s[1] + tile_rad_s * arm_mm[0])
    closing = dot(subtract(surface, coin_mm_s), normal)
    push = (closing + _parting(closing, bounce)) / (1 + 1 / mass + turn * turn / inertia)
    return TileKick(
        add(coin_mm_s, scale(normal, push)),
        subtract(tile_mm_s, scale(normal, push / mass)),
        tile_rad_s - turn * push / inertia,
    )
