"""Finds by how much all tiles are shifted in the same direction.

On a pale table, the side walls and the shadow of a dark tile look like parts of its face, so the
tile is found a little too far to the side on which they are. The mean of all faces shows by how
much.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tiles.rims import Light, tile_turn
from calibration.tiles.template_match import FARTHEST_SHARE, LEAST_SIMILARITY, WITHIN, face_patch
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float32]

# Chosen: the width, in tiles, that is examined around the place where a face was found
_WIDTH: Final = 1.4


def shifted_alike(
    light: Light, view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes
) -> dict[str, Tile]:
    """Return all tiles, shifted by the same distances along their sides, so that their mean face is
    symmetric about its middle. Return them unchanged if no shift makes it symmetric.
    """
    seen = (face_patch(light, view, tile, sizes, _WIDTH) for tile in tiles.values())
    patches = [patch for patch in seen if patch is not None]
    if not patches:
        return dict(tiles)
    mean = np.median(patches, axis=0).astype(np.float32)
    per_px = _WIDTH / (len(mean) - 1)
    alike, *off_px = max(_symmetries(mean, per_px))
    if alike < LEAST_SIMILARITY:
        return dict(tiles)
    off_mm = np.array(off_px) * per_px * sizes.tile_mm
    return {name: _moved(tile, off_mm) for name, tile in tiles.items()}


def _symmetries(mean: Array, per_px: float) -> Iterator[tuple[float, int, int]]:
    """Yield, for many middles, how similar the mean face is to itself turned by quarters about that
    middle, and the middle's distance in pixels from that of the patch.
    """
    middle, half = len(mean) // 2, int(WITHIN / 2 / per_px)
    farthest = min(int(FARTHEST_SHARE / per_px), middle - half)
    for dy in range(-farthest, farthest + 1):
        for dx in range(-farthest, farthest + 1):
            rows = slice(middle + dy - half, middle + dy + half + 1)
            columns = slice(middle + dx - half, middle + dx + half + 1)
            yield _alike(mean[rows, columns]), dx, dy


def _alike(face: Array) -> float:
    """Return the correlation of a face with the mean of its quarter turns."""
    off = face - face.mean()
    turned = np.mean([np.rot90(off, k) for k in (1, 2, 3)], axis=0)
    return float((off * turned).sum() / (np.linalg.norm(off) * np.linalg.norm(turned) + 1e-9))


def _moved(tile: Tile, off_mm: NDArray[np.float64]) -> Tile:
    x, y = tile_turn(tile) @ off_mm + np.array(tile.centre_mm)
    return replace(tile, centre_mm=(float(x), float(y)))
