"""Measures how far a tile moved between two pictures, from everything that both show of it: its
face, and if the face is bleached, its outline and its shadow.

The tile's former picture, with a narrow rim around it, is laid over the present picture and moved
and turned until the two agree (Gauss and Newton's method, after Lucas and Kanade). The light may
have changed in strength and in its darkest level. Parts of the rim that show neighbouring tiles do
not count, because those tiles may not have moved.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MOST_STEPS, SETTLED
from calibration.lens.camera import TableView
from calibration.tiles.rims import OUTSIDE_MM
from calibration.tiles.square_grid import square_grid
from referee.domain.geometry import Point, distance
from referee.domain.layout import Tile, within_quarter_turn
from referee.domain.pieces import PieceSizes
from referee.vision.coins.coin_search import PIXEL_MM
from referee.vision.image.disc import SHADOW_MM
from referee.vision.image.picture import Picture
from referee.vision.tiles.tile_search import EXPLAINED_SHARE, laid_flat

# Chosen: edges this near to another tile do not count, because they may be that tile's
BESIDE_MM: Final = 1.0
# Chosen: the longest step of a round; the tile moves at most twice as far in all
MOST_STEP_MM: Final = 3.0
# Measured: an even square explains 0.63 to 0.78 of the variance of the picture of a bleached tile
# whose light spread over its sides, and less than 0.5 if a tower's wall or glare is beside the
# tile.
SQUARE_SHARE: Final = 0.55
# Chosen: this many cells count as one, because neighbouring cells share pixels and compression
# errors.
CELLS_ALIKE: Final = 9.0
# Measured: over the pushes of tests/vision/tiles/test_tile_outline.py, drawn with noise of 1.5.
LEAST_SIGMA_MM: Final = 0.1
# Chosen: half of what counts as displaced; a less certain result is not used
MOST_SIGMA_MM: Final = 0.4

Array = NDArray[np.float64]


def shifted_from(
    now: Picture,
    before: Picture,
    view: TableView,
    tile: Tile,
    start: Tile,
    sizes: PieceSizes,
    others: Iterable[Tile] = (),
    coins_mm: Iterable[Point] = (),
) -> tuple[Tile, float] | None:
    """Measure where a tile lies in the picture `now` that lay at `tile` in the picture `before`.
    The tile must lie within a few mm and degrees of `start` now. `others` are the tiles that lay
    beside it, and `coins_mm` the places of coins that came to rest; what lies under these coins and
    their shadows does not count. Return the tile and the standard error of its centre in mm; None
    if its two pictures do not agree, or do not determine its place.
    """
    steps = _steps(sizes)
    face = _seen(before, view, tile, sizes, steps)
    counts = _free_of(tile, others, coins_mm, sizes, steps)
    return _laid(now, view, start, sizes, face, EXPLAINED_SHARE, counts)


def as_even_square(
    picture: Picture, view: TableView, start: Tile, sizes: PieceSizes
) -> tuple[Tile, float] | None:
    """Measure where a tile lies whose face is one even colour, so that only its outline is visible.
    The tile must lie within a few mm and degrees of `start`. Return None if the picture shows no
    even square there.
    """
    steps = _steps(sizes)
    inside = np.clip(sizes.tile_mm / 2 - np.abs(_at(steps)) + PIXEL_MM / 2, 0.0, 1.0)
    face = np.minimum(inside[:, None], inside[None, :])
    counts = np.ones(face.shape, dtype=np.bool_)
    return _laid(picture, view, start, sizes, face, SQUARE_SHARE, counts)


def _laid(
    picture: Picture,
    view: TableView,
    start: Tile,
    sizes: PieceSizes,
    face: Array,
    least_share: float,
    counts: NDArray[np.bool_],
) -> tuple[Tile, float] | None:
    """Move and turn a tile until the picture shows the `face` there, in the picture's own light.
    Only the cells in `counts` are compared. Return the tile and the standard error of its centre,
    mm; None if the face explains less than `least_share` of the picture's variance.
    """
    steps, half_mm = _steps(sizes), sizes.tile_mm / 2 + OUTSIDE_MM
    grids = np.meshgrid(_at(steps), _at(steps))
    x, y = grids[0][counts], grids[1][counts]
    lies, step_mm = start, math.inf
    for _ in range(MOST_STEPS):
        whole = _seen(picture, view, lies, sizes, steps)
        up, right = (slope[counts] for slope in _slopes(whole))
        seen = whole[counts]
        design = np.stack((right, up, x * up - y * right, -face[counts], -np.ones(x.size)))
        cover = np.linalg.pinv(design @ design.T, hermitian=True)
        change = cover @ design @ -seen
        left = seen + change @ design
        step_mm = math.hypot(change[0], change[1], change[2] * half_mm)
        lies = _moved(lies, change[:3] * min(1.0, MOST_STEP_MM / max(step_mm, 1e-9)))
        if step_mm < SETTLED:
            break
    far = distance(lies.centre_mm, start.centre_mm) > 2 * MOST_STEP_MM
    unlike = float(left.var()) >= (1.0 - least_share) * float(seen.var())
    if far or unlike or step_mm > LEAST_SIGMA_MM:
        return None
    spread = np.sqrt(np.maximum(np.diag(cover)[:3], 0.0) * CELLS_ALIKE * float(left.var()))
    sigma_mm = math.hypot(LEAST_SIGMA_MM, *(float(s) / math.sqrt(2) for s in spread[:2]))
    if max(sigma_mm, float(spread[2]) * half_mm) > MOST_SIGMA_MM:
        return None
    turn_deg = within_quarter_turn(lies.rotation_deg)
    return replace(lies, rotation_deg=turn_deg, sigma_mm=sigma_mm), sigma_mm


def _free_of(
    tile: Tile, others: Iterable[Tile], coins_mm: Iterable[Point], sizes: PieceSizes, steps: int
) -> NDArray[np.bool_]:
    """Return which cells on a tile and around it show no part of the other tiles, and nothing in
    reach of a coin and its shadow.
    """
    turn = math.radians(tile.rotation_deg)
    x, y = np.meshgrid(_at(steps), _at(steps))
    east = tile.centre_mm[0] + math.cos(turn) * x - math.sin(turn) * y
    north = tile.centre_mm[1] + math.sin(turn) * x + math.cos(turn) * y
    half_mm = sizes.tile_mm / 2
    free = np.ones(x.shape, dtype=np.bool_)
    for other in others:
        turned = math.radians(other.rotation_deg)
        off = east - other.centre_mm[0], north - other.centre_mm[1]
        along = math.cos(turned) * off[0] + math.sin(turned) * off[1]
        across = math.cos(turned) * off[1] - math.sin(turned) * off[0]
        free &= np.maximum(np.abs(along), np.abs(across)) > half_mm + BESIDE_MM
    free |= np.maximum(np.abs(x), np.abs(y)) < half_mm - BESIDE_MM
    reach_mm = sizes.span_mm[1] / 2 + SHADOW_MM
    for coin in coins_mm:
        free &= np.hypot(east - coin[0], north - coin[1]) > reach_mm
    return free


def _slopes(seen: Array) -> tuple[Array, Array]:
    """Return how fast a grid's values rise from row to row and from column to column, per mm."""
    along, across = (np.gradient(seen, PIXEL_MM, axis=0), np.gradient(seen, PIXEL_MM, axis=1))
    return np.asarray(along, dtype=np.float64), np.asarray(across, dtype=np.float64)


def _steps(sizes: PieceSizes) -> int:
    return int((sizes.tile_mm / 2 + OUTSIDE_MM) / PIXEL_MM)


def _at(steps: int) -> Array:
    """Return the distance of each row or column of cells from the middle, mm."""
    return np.arange(-steps, steps + 1, dtype=np.float64) * PIXEL_MM


def _moved(tile: Tile, change: Array) -> Tile:
    """Return the tile after a `change`: moved along its own sides, mm, and turned, radians."""
    turn = math.radians(tile.rotation_deg)
    along, across, turned_rad = (float(c) for c in change)
    centre = (
        tile.centre_mm[0] + math.cos(turn) * along - math.sin(turn) * across,
        tile.centre_mm[1] + math.sin(turn) * along + math.cos(turn) * across,
    )
    return replace(
        tile, centre_mm=centre, rotation_deg=tile.rotation_deg + math.degrees(turned_rad)
    )


def _seen(picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes, steps: int) -> Array:
    """Return a tile and its surroundings as seen from above. The tile's sides lie along the rows
    and columns.
    """
    height_mm = tile.stack * sizes.tile_thickness_mm
    turn_rad = math.radians(tile.rotation_deg)
    cells_px = square_grid(view, tile.centre_mm, turn_rad, height_mm, PIXEL_MM, steps)
    return np.asarray(laid_flat(picture, cells_px), dtype=np.float64)
