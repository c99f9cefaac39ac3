"""Says whether a coin would have to pass through a tile, and whether a tile looks as before."""

from __future__ import annotations

import math
from typing import Final

from referee.domain.geometry import Point, add, distance, scale, subtract
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.vision.background.foreground import SPECK_OF_COIN, Foreground
from referee.vision.image.projection_cache import ProjectionCache

# A coin that pushes a tile may appear this far inside it. Tuned on our own clips.
INTO_TILE_MM: Final = 4.0


def crosses_tile(course: Course, tile_mm: float, begin_mm: Point, end_mm: Point) -> bool:
    """Return whether the straight way of a coin's centre leads through the inside of a tile."""
    steps = math.ceil(distance(begin_mm, end_mm) / INTO_TILE_MM)
    way = subtract(end_mm, begin_mm)
    places = [add(begin_mm, scale(way, k / steps)) for k in range(1, steps)]
    return any(course.has_tile(at, tile_mm / 2 - INTO_TILE_MM) for at in places)


def has_changed(
    tile: Tile, foreground: Foreground, projections: ProjectionCache, sizes: PieceSizes
) -> bool:
    """Return whether more than specks of a tile differ from the background."""
    speck = SPECK_OF_COIN * (sizes.coin_mm / sizes.tile_mm) ** 2
    rect = projections.small_rect(tile.centre_mm, sizes.tile_mm / 2)
    return foreground.share_in(rect) > speck
