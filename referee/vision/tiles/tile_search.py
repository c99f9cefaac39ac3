"""Searches for a tile that was pushed or taken away, using its picture in the background.

The surroundings are resampled on the plane of the tile's top face. The tile's former picture is cut
out, turned by many angles, and searched for in the present surroundings (normalised
cross-correlation). The exact measurement starts from the place found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import ALIKE, NEARLY_ALL, UNLIKE
from calibration.lens.camera import TableView
from calibration.tiles.square_grid import square_grid
from referee.domain.geometry import Point
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.vision.coins.coin_search import PIXEL_MM
from referee.vision.image.picture import Floats, Picture, Rect

# Tuned on our own clips, except where a comment gives another source for a number.

MM_PER_CELL: Final = 2.0
# only every second cell is compared: neighbouring cells hold much the same information
EVERY_CELL: Final = 2
# a weak prior that keeps the change at zero if the face is even and determines nothing
EVEN_FACE: Final = 1e-12
# A smaller motion is within the error of measuring a single tile: the tile lies as it lay.
UNMOVED_MM: Final = 0.25
UNMOVED_DEG: Final = 0.4
# This share of the face's variance must be explained, otherwise nothing is decided.
EXPLAINED_SHARE: Final = NEARLY_ALL
REACH_MM: Final = 20.0  # how far away a tile is searched for at first
# how far a tile is searched for when it was not found there: a flick pushes a tile by 50 mm
FAR_REACH_MM: Final = 60.0
TURN_STEP_DEG: Final = 5.0
MOST_TURN_DEG: Final = 45.0  # a square turned farther looks like one turned less
SURELY: Final = NEARLY_ALL  # a tile this similar where it lay before still lies there
# In the far search, a tile must be in full view. If the tile lies between two cells and two angles,
# its similarity is at least 0.74.
FAR_SIMILARITY: Final = ALIKE
LEAST_SIMILARITY: Final = 0.55  # a tile half under a hand reaches 0.5
# the least similarity while hands are present: sleeves and fingers reach 0.75
HANDS_ABOUT_SIMILARITY: Final = 0.8
COVERED_SIMILARITY: Final = UNLIKE  # a tile turned by 20 degrees still reaches 0.4
# the share of the face's width that is compared: its rim changes with what lies beside it
KEEP_SHARE: Final = 0.94


def search_tile(
    now: Picture,
    before: Picture,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    *,
    hands_about: bool = False,
) -> Tile | None:
    """Find, in the picture `now`, a tile that lay at `tile` in the picture `before`. The place
    found is accurate to two millimetres and 2.5 degrees. Return None if the tile cannot be seen.
    """
    around, was, half = _laid_out(now, before, view, tile, sizes, REACH_MM)
    best = Found(-1.0, 0, 0, 0.0)
    for turn_deg in sorted(
        np.arange(-MOST_TURN_DEG, MOST_TURN_DEG, TURN_STEP_DEG).tolist(), key=abs
    ):
        if (
            best.similarity > (SURELY if best.moved else LEAST_SIMILARITY)
            and abs(turn_deg) > abs(best.turn_deg) + TURN_STEP_DEG
        ):
            # Found: turned farther to either side, the tile is less similar. If the tile has not
            # moved, a lower similarity is enough.
            break
        found = _best_at(around, was, tile.rotation_deg, half, turn_deg)
        best = max(best, found, key=lambda f: f.similarity)
        if turn_deg == 0.0 and found.similarity > SURELY and not found.moved:
            break  # the tile has hardly moved, so no search is needed
        if hands_about and turn_deg == 0.0 and found.similarity < COVERED_SIMILARITY:
            break  # a hand is probably over the tile; the search waits until the hand has left
    if best.similarity < (HANDS_ABOUT_SIMILARITY if hands_about else LEAST_SIMILARITY):
        return None
    return _moved(tile, best)


def search_far(
    now: Picture,
    before: Picture,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    *,
    hands_about: bool = False,
) -> Tile | None:
    """Find a tile that `search_tile` does not find. This search reaches several times as far and
    takes several times as long. Return None if the tile is not in full view.
    """
    around, was, half = _laid_out(now, before, view, tile, sizes, FAR_REACH_MM)
    turns_deg = np.arange(-MOST_TURN_DEG, MOST_TURN_DEG, TURN_STEP_DEG).tolist()
    best = max(
        (_best_at(around, was, tile.rotation_deg, half, turn_deg) for turn_deg in turns_deg),
        key=lambda f: f.similarity,
    )
    return (
        _moved(tile, best)
        if best.similarity >= (HANDS_ABOUT_SIMILARITY if hands_about else FAR_SIMILARITY)
        else None
    )


def _laid_out(
    now: Picture, before: Picture, view: TableView, tile: Tile, sizes: PieceSizes, reach_mm: float
) -> tuple[Floats, Floats, float]:
    """Return the present surroundings, large enough for the tile's middle to lie `reach_mm` away;
    the tile's former picture; and half the width of the part of the tile that is compared, mm.
    """
    height_mm, half = tile.stack * sizes.tile_thickness_mm, sizes.tile_mm / 2 * KEEP_SHARE
    corner_mm = half * math.sqrt(2)
    return (
        _flat(now, view, tile.centre_mm, corner_mm + reach_mm, height_mm),
        _flat(before, view, tile.centre_mm, corner_mm, height_mm),
        half,
    )


def _moved(tile: Tile, found: Found) -> Tile:
    at = (tile.centre_mm[0] + found.right * MM_PER_CELL, tile.centre_mm[1] + found.up * MM_PER_CELL)
    return Tile(at, tile.rotation_deg + found.turn_deg, tile.stack)


def lies_as_it_lay(
    now: Picture, before: Picture, view: TableView, tile: Tile, sizes: PieceSizes
) -> bool:
    """Return whether a tile that lay at `tile` in the picture `before` lies at exactly the same
    place in `now`. Return False, too, if the pictures do not show the tile.

    The tile's former face, shifted and turned a little, is fitted to the present picture. The fit
    allows for a change of light, even one that is stronger on one side. The fit is a linear problem
    with nine unknowns (one step of Lucas and Kanade). Solving it takes a tenth of the time that
    measuring the tile takes.
    """
    reach_mm, height_mm = sizes.tile_mm / math.sqrt(2), tile.stack * sizes.tile_thickness_mm
    cells = _cells(view, tile.centre_mm, reach_mm, height_mm, PIXEL_MM)
    was, seen = laid_flat(before, cells), laid_flat(now, cells)
    steps = (np.arange(was.shape[0]) - (was.shape[0] - 1) / 2) * PIXEL_MM
    inside = np.flatnonzero(_square(steps, math.radians(tile.rotation_deg), sizes.tile_mm / 2))[
        ::EVERY_CELL
    ]
    x, y = steps[inside % len(steps)], steps[inside // len(steps)]
    lit, aim, up, right = (
        values.ravel()[inside].astype(np.float64)
        for values in (was, seen - was, *np.gradient(was, PIXEL_MM))
    )
    across, along = x / reach_mm, y / reach_mm
    design = np.stack(
        (
            right,
            up,
            up * x - right * y,
            lit,
            lit * across,
            lit * along,
            across,
            along,
            np.ones(len(x)),
        )
    )
    normal = design @ design.T
    change = np.linalg.solve(
        normal + EVEN_FACE * np.trace(normal) * np.eye(len(normal)), design @ aim
    )
    left = aim - change @ design
    if float(left.var()) > (1 - EXPLAINED_SHARE) * float((lit + aim).var()):
        return False
    return bool(
        np.hypot(change[0], change[1]) < UNMOVED_MM and abs(math.degrees(change[2])) < UNMOVED_DEG
    )


@dataclass(frozen=True, slots=True)
class Found:
    """The best place of the tile for one rotation: how similar the picture there is (1: identical),
    how many cells it lies to the right of the former place and above it, and the rotation.
    """

    similarity: float
    right: int
    up: int
    turn_deg: float

    @property
    def moved(self) -> bool:
        """Whether this place is more than a cell, or more than a step of rotation, away from where
        the tile lay.
        """
        return max(abs(self.right), abs(self.up)) > 1 or self.turn_deg != 0.0


def _best_at(
    around: Floats, was: Floats, rotation_deg: float, half_mm: float, turn_deg: float
) -> Found:
    """Find the best place in the surroundings for the tile's former picture, turned by a further
    `turn_deg`.
    """
    middle = (was.shape[0] - 1) / 2
    turning = cv2.getRotationMatrix2D(
        (middle, middle), -turn_deg, 1.0
    )  # rows go up the table, so rotations are mirrored
    face = cv2.warpAffine(
        was,
        turning,
        (was.shape[1], was.shape[0]),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    steps = (np.arange(was.shape[0]) - middle) * MM_PER_CELL
    inside = _square(steps, math.radians(rotation_deg + turn_deg), half_mm).astype(np.float32)
    score = cv2.matchTemplate(
        around, np.asarray(face, dtype=np.float32), cv2.TM_CCOEFF_NORMED, mask=inside
    )
    score = np.where(np.isfinite(score), score, -1.0)
    row, column = np.unravel_index(int(np.argmax(score)), score.shape)
    return Found(
        float(score[row, column]),
        int(column) - (score.shape[1] - 1) // 2,
        int(row) - (score.shape[0] - 1) // 2,
        turn_deg,
    )


def _square(steps_mm: NDArray[np.float64], turn_rad: float, half_mm: float) -> NDArray[np.bool_]:
    """Return which cells of a grid lie inside a square around its middle."""
    along = math.cos(turn_rad) * steps_mm[None, :] + math.sin(turn_rad) * steps_mm[:, None]
    across = math.cos(turn_rad) * steps_mm[:, None] - math.sin(turn_rad) * steps_mm[None, :]
    return np.asarray(np.maximum(np.abs(along), np.abs(across)) <= half_mm, dtype=np.bool_)


def _flat(
    picture: Picture, view: TableView, centre_mm: Point, reach_mm: float, height_mm: float
) -> Floats:
    """Return the square that reaches `reach_mm` from a place on each side, as seen from above: rows
    go up the table and columns to the right, an odd number of each.
    """
    return laid_flat(picture, _cells(view, centre_mm, reach_mm, height_mm, MM_PER_CELL))


def _cells(
    view: TableView, centre_mm: Point, reach_mm: float, height_mm: float, cell_mm: float
) -> Floats:
    """Return the pixels (rows, columns, 2) at which the camera sees the cells of the square that
    reaches `reach_mm` from a place on each side.
    """
    return square_grid(view, centre_mm, 0.0, height_mm, cell_mm, int(reach_mm / cell_mm))


def laid_flat(picture: Picture, cells_px: Floats) -> Floats:
    """Return the luminance (rows, columns) at the pixels `cells_px` of a square's cells."""
    part = _around(cells_px, picture)
    x_px, y_px = cells_px[..., 0] - part.left, cells_px[..., 1] - part.top
    luma = picture.luma_in(part)
    flat = cv2.remap(luma, x_px, y_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, dtype=np.float32)


def _around(cells_px: Floats, picture: Picture) -> Rect:
    """Return the part of a picture that holds the pixels of a square's cells. For a square outside
    the picture, that part is the nearest pixel.
    """
    rim = np.concatenate((cells_px[0], cells_px[-1], cells_px[:, 0], cells_px[:, -1]))
    size = np.array([picture.width, picture.height])
    low = np.clip(np.nan_to_num(np.floor(rim.min(axis=0))) - 1, 0, size - 1)
    high = np.clip(np.nan_to_num(np.ceil(rim.max(axis=0))) + 2, low + 1, size)
    return Rect(int(low[0]), int(low[1]), int(high[0]), int(high[1]))
