"""Searches for a tile that was pushed or taken away, by its picture in the background.

The surroundings are laid flat on the plane of the tile's top face; the tile as it was, cut out and
turned by every angle, is looked for in them as they are (normalised cross-correlation). To be
measured from there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tiles.square_grid import square_grid
from referee.domain.geometry import Point
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.vision.image.picture import Bytes, Floats

# Tuned on our own clips, except where a comment says what stands behind a number.

MM_PER_CELL: Final = 2.0
FINE_MM_PER_CELL: Final = 1.0  # about a pixel
EVERY_CELL: Final = 2  # is compared: neighbouring ones tell much the same
EVEN_FACE: Final = 1e-12  # keeps what an even face says nothing of at nothing
# less is how well a tile can be measured by itself: it lies as it lay
UNMOVED_MM: Final = 0.25
UNMOVED_DEG: Final = 0.4
# of how the face differs from plain must be as it was, or nothing is said
EXPLAINED_SHARE: Final = 0.9
REACH_MM: Final = 20.0  # how far a tile is looked for at first,
# and how far where it is not to be found there: a flick pushes one by 50 mm
FAR_REACH_MM: Final = 60.0
TURN_STEP_DEG: Final = 5.0
MOST_TURN_DEG: Final = 45.0  # a square turned further is the same square turned less
SURELY: Final = 0.9  # so alike where it lay before, it lies there
# so far off it must be in plain view: between two cells and two turns it reaches 0.74
FAR_LIKENESS: Final = 0.7
LEAST_LIKENESS: Final = 0.6  # a tile half under a hand reaches 0.5
HANDS_ABOUT_LIKENESS: Final = 0.8  # the same while hands are about: sleeves and fingers reach 0.75
COVERED_LIKENESS: Final = 0.35  # a tile turned by 20 degrees still reaches 0.4
KEEP_SHARE: Final = 0.94  # of the face is compared: its very rim changes with what lies beside it


def search_tile(
    now: Bytes,
    before: Bytes,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    *,
    hands_about: bool = False,
) -> Tile | None:
    """Find in `now` a tile that lay at `tile` in the picture `before` (h, w), to two millimetres
    and 2.5 degrees; None where it is not to be seen.
    """
    around, was, half = _laid_out(now, before, view, tile, sizes, REACH_MM)
    best = Found(-1.0, 0, 0, 0.0)
    for turn_deg in sorted(
        np.arange(-MOST_TURN_DEG, MOST_TURN_DEG, TURN_STEP_DEG).tolist(), key=abs
    ):
        if (
            best.likeness > (SURELY if best.moved else LEAST_LIKENESS)
            and abs(turn_deg) > abs(best.turn_deg) + TURN_STEP_DEG
        ):
            # found, and turned further to either side it is less alike; where it lay before a worse
            # likeness does
            break
        found = _best_at(around, was, tile.rotation_deg, half, turn_deg)
        best = max(best, found, key=lambda f: f.likeness)
        if turn_deg == 0.0 and found.likeness > SURELY and not found.moved:
            break  # it has hardly moved: there is nothing to look for
        if hands_about and turn_deg == 0.0 and found.likeness < COVERED_LIKENESS:
            break  # most likely a hand is over it: it waits until that has gone
    if best.likeness < (HANDS_ABOUT_LIKENESS if hands_about else LEAST_LIKENESS):
        return None
    return _moved(tile, best)


def search_far(
    now: Bytes,
    before: Bytes,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    *,
    hands_about: bool = False,
) -> Tile | None:
    """Find a tile that `search_tile` does not find, within several times its distance and at
    several times its cost; None where it is not in plain view.
    """
    around, was, half = _laid_out(now, before, view, tile, sizes, FAR_REACH_MM)
    turns_deg = np.arange(-MOST_TURN_DEG, MOST_TURN_DEG, TURN_STEP_DEG).tolist()
    best = max(
        (_best_at(around, was, tile.rotation_deg, half, turn_deg) for turn_deg in turns_deg),
        key=lambda f: f.likeness,
    )
    return (
        _moved(tile, best)
        if best.likeness >= (HANDS_ABOUT_LIKENESS if hands_about else FAR_LIKENESS)
        else None
    )


def _laid_out(
    now: Bytes, before: Bytes, view: TableView, tile: Tile, sizes: PieceSizes, reach_mm: float
) -> tuple[Floats, Floats, float]:
    """Return the surroundings as they are, so wide that the tile's middle may lie `reach_mm` off,
    the tile as it was, and half the width of what is compared, mm.
    """
    height_mm, half = tile.stack * sizes.tile_thickness_mm, sizes.tile_mm / 2 * KEEP_SHARE
    corner_mm = half * 1.42
    return (
        _flat(now, view, tile.centre_mm, corner_mm + reach_mm, height_mm),
        _flat(before, view, tile.centre_mm, corner_mm, height_mm),
        half,
    )


def _moved(tile: Tile, found: Found) -> Tile:
    at = (tile.centre_mm[0] + found.right * MM_PER_CELL, tile.centre_mm[1] + found.up * MM_PER_CELL)
    return Tile(at, tile.rotation_deg + found.turn_deg, tile.stack)


def lies_as_it_lay(
    now: Bytes, before: Bytes, view: TableView, tile: Tile, sizes: PieceSizes
) -> bool:
    """Whether a tile that lay at `tile` in the picture `before` (h, w) lies exactly so in `now`;
    also False where that cannot be decided.

    The tile's former face, shifted and turned a little, is fitted to the present picture; the light
    may have changed, more at one side than at the other. That is a linear problem of nine unknowns
    (one step of Lucas and Kanade), at a tenth of the cost of measuring the tile.
    """
    reach_mm, height_mm = sizes.tile_mm / 2 * 1.42, tile.stack * sizes.tile_thickness_mm
    cells = _cells(view, tile.centre_mm, reach_mm, height_mm, FINE_MM_PER_CELL)
    was, seen = _laid_flat(before, cells), _laid_flat(now, cells)
    steps = (np.arange(was.shape[0]) - (was.shape[0] - 1) / 2) * FINE_MM_PER_CELL
    inside = np.flatnonzero(_square(steps, math.radians(tile.rotation_deg), sizes.tile_mm / 2))[
        ::EVERY_CELL
    ]
    x, y = steps[inside % len(steps)], steps[inside // len(steps)]
    lit, aim, up, right = (
        values.ravel()[inside].astype(np.float64)
        for values in (was, seen - was, *np.gradient(was, FINE_MM_PER_CELL))
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
    """The best place for one turn: how alike (1: the same), how many cells to the right and up, and
    the turn.
    """

    likeness: float
    right: int
    up: int
    turn_deg: float

    @property
    def moved(self) -> bool:
        """Whether it is more than a cell, or a step of turning, off where the tile lay."""
        return max(abs(self.right), abs(self.up)) > 1 or self.turn_deg != 0.0


def _best_at(
    around: Floats, was: Floats, rotation_deg: float, half_mm: float, turn_deg: float
) -> Found:
    """Find the best place in the surroundings for the tile as it was, turned further by
    `turn_deg`.
    """
    middle = (was.shape[0] - 1) / 2
    turning = cv2.getRotationMatrix2D(
        (middle, middle), -turn_deg, 1.0
    )  # rows go up the table, so that its turns are mirrored
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
    """Return which cells of a grid lie within a square around its middle."""
    along = math.cos(turn_rad) * steps_mm[None, :] + math.sin(turn_rad) * steps_mm[:, None]
    across = math.cos(turn_rad) * steps_mm[:, None] - math.sin(turn_rad) * steps_mm[None, :]
    return np.asarray(np.maximum(np.abs(along), np.abs(across)) <= half_mm, dtype=np.bool_)


def _flat(
    picture: Bytes, view: TableView, centre_mm: Point, reach_mm: float, height_mm: float
) -> Floats:
    """Return the square within `reach_mm` of a place as seen from above: rows go up the table,
    columns to the right; an odd number of each.
    """
    return _laid_flat(picture, _cells(view, centre_mm, reach_mm, height_mm, MM_PER_CELL))


def _cells(
    view: TableView, centre_mm: Point, reach_mm: float, height_mm: float, cell_mm: float
) -> Floats:
    """Return the pixels (rows, columns, 2) at which the cells of such a square are seen."""
    return square_grid(view, centre_mm, 0.0, height_mm, cell_mm, int(reach_mm / cell_mm))


def _laid_flat(picture: Bytes, cells_px: Floats) -> Floats:
    return np.asarray(
        cv2.remap(
            picture,
            cells_px[..., 0],
            cells_px[..., 1],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        dtype=np.float32,
    )
