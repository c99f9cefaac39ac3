"""Where a tile that was pushed or taken lies now, roughly: by its own looks, as they were in the still scene.

The surroundings are laid flat on the plane of the tile's top face; the tile as it was, cut out and turned by every angle, is
looked for in them as they are (normalised cross-correlation). To be measured from there.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import TableView
from referee.layout import Tile
from referee.pieces import PieceSizes
from referee.vision.picture import Bytes, Floats

MM_PER_CELL = 1.0
REACH_MM = 28.0  # how far a tile is looked for
TURN_STEP_DEG = 3.0
MOST_TURN_DEG = 45.0  # a square turned further is the same square turned less
LEAST_LIKENESS = 0.6  # a tile half under a hand reaches 0.5
KEEP_SHARE = 0.94  # of the face is compared: its very rim changes with what lies beside it


def search_tile(now: Bytes, before: Bytes, view: TableView, tile: Tile, sizes: PieceSizes) -> Tile | None:
    """A tile that lay at `tile` in the picture `before` (h, w), as found in `now`, to a millimetre and 1.5 degrees; None where it is not to be seen."""
    height_mm = tile.stack * sizes.tile_thickness_mm
    half = sizes.tile_mm / 2 * KEEP_SHARE
    around = _flat(now, view, tile.centre_mm, 0.0, sizes.tile_mm / 2 + REACH_MM, height_mm)
    best = (-1.0, (0, 0), 0.0)
    for turn_deg in np.arange(-MOST_TURN_DEG, MOST_TURN_DEG, TURN_STEP_DEG):
        face, inside = _turned_face(before, view, tile, half, float(turn_deg), height_mm)
        score = cv2.matchTemplate(around, face, cv2.TM_CCOEFF_NORMED, mask=inside)
        score = np.where(np.isfinite(score), score, -1.0)
        row, column = np.unravel_index(int(np.argmax(score)), score.shape)
        if score[row, column] > best[0]:
            shift = ((score.shape[1] - 1) / 2, (score.shape[0] - 1) / 2)
            best = (float(score[row, column]), (int(column - shift[0]), int(row - shift[1])), float(turn_deg))
    if best[0] < LEAST_LIKENESS:
        return None
    (right, up), turn = best[1], best[2]
    return Tile((tile.centre_mm[0] + right * MM_PER_CELL, tile.centre_mm[1] + up * MM_PER_CELL), tile.rotation_deg + turn, tile.stack)


def _flat(picture: Bytes, view: TableView, centre_mm: tuple[float, float], turn_deg: float, reach_mm: float, height_mm: float) -> Floats:
    """The square within `reach_mm` of a place, turned, laid flat: rows go up the table, columns to the right."""
    steps = np.arange(-reach_mm, reach_mm + 0.5 * MM_PER_CELL, MM_PER_CELL)
    east, north = np.meshgrid(steps, steps)
    turn = np.radians(turn_deg)
    x = centre_mm[0] + np.cos(turn) * east - np.sin(turn) * north
    y = centre_mm[1] + np.sin(turn) * east + np.cos(turn) * north
    px = view.to_image(np.column_stack((x.ravel(), y.ravel(), np.full(x.size, height_mm)))).reshape(*x.shape, 2).astype(np.float32)
    return np.asarray(cv2.remap(picture, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32)


def _turned_face(before: Bytes, view: TableView, tile: Tile, half_mm: float, turn_deg: float, height_mm: float) -> tuple[Floats, NDArray[np.float32]]:
    """The tile's face as it would look turned further by `turn_deg`, and which pixels of that square are face."""
    reach = half_mm * 1.42
    face = _flat(before, view, tile.centre_mm, -turn_deg, reach, height_mm)
    steps = np.arange(-reach, reach + 0.5 * MM_PER_CELL, MM_PER_CELL)
    east, north = np.meshgrid(steps, steps)
    turn = np.radians(tile.rotation_deg + turn_deg)
    along, across = np.cos(turn) * east + np.sin(turn) * north, np.cos(turn) * north - np.sin(turn) * east
    return face, (np.maximum(np.abs(along), np.abs(across)) <= half_mm).astype(np.float32)
