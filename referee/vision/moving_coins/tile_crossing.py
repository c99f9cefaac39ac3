"""Decides whether a coin's path would pass through a tile, and whether a tile still looks as
before.
"""

from __future__ import annotations

import math
from typing import Final

from referee.domain.geometry import Point, add, distance, scale, subtract
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.vision.background.foreground import SPECK_OF_COIN, Foreground
from referee.vision.image.projection_cache import ProjectionCache

# A coin that pushes a tile may appear this far inside it. Tuned on our own clips.
INTO_TILE_MM: Final = 4.0
# In coin widths. Beside a pushed tile, the table is lighter where the tile's shadow was. Tuned on
# our own clips.
BESIDE_TILE_WIDTHS: Final = 1.25


def crosses_tile(course: Course, tile_mm: float, begin_mm: Point, end_mm: Point) -> bool:
    """Return whether the straight path of a coin's centre passes through the inside of a tile."""
    steps = math.ceil(distance(begin_mm, end_mm) / INTO_TILE_MM)
    way = subtract(end_mm, begin_mm)
    places = [add(begin_mm, scale(way, k / steps)) for k in range(1, steps)]
    return any(course.has_tile(at, tile_mm / 2 - INTO_TILE_MM) for at in places)


def beside_changed_tile(
    course: Course,
    at_mm: Point,
    foreground: Foreground,
    projections: ProjectionCache,
    sizes: PieceSizes,
) -> bool:
    """Return whether a place lies on or beside a tile that differs from the background in more than
    specks.
    """
    speck = SPECK_OF_COIN * (sizes.coin_mm / sizes.tile_mm) ** 2
    reach_mm = sizes.tile_mm / 2 + BESIDE_TILE_WIDTHS * sizes.coin_mm
    return any(
        foreground.share_in(projections.small_rect(tile.centre_mm, sizes.tile_mm / 2)) > speck
        for tile in course.tiles.values()
        if tile.is_within(at_mm, reach_mm)
    )
