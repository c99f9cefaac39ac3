"""Measures the common width of the coins in a row, and their centres, in a picture with a known
pose.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Array, TableView
from calibration.pieces.piece_edges import changes, colours, foot_mm, outermost, vertex
from referee.domain.pieces import PieceSizes
from referee.vision.coins.region_fit import measure_coin
from referee.vision.image.picture import picture_from_bgr

# Tuned on our own clips, except where a comment gives another source for a number.

_SECTORS: Final = 24
_RAYS: Final = 7
_REACH: Final = 0.35  # in radii: how far the rim may be from the rough radius
SHIFT: Final = 0.18  # in radii: how far the centre may be from the rough centre
_STEPS: Final = 13  # shifts tried along each axis
_GRID: Final = 141  # offsets along a ray
#: Where less of a wall is visible, its foot cannot be separated from the edge of the face.
HIDDEN_MM: Final = 0.4
# Rings printed inside a rim may be sharp, too. So the rim is the outermost circle with at least
# this share of the best sharpness.
_CLEAR_RIM: Final = 0.7


def measure_width(
    picture: NDArray[np.uint8], view: TableView, centres_mm: Array, sizes: PieceSizes
) -> float:
    """Measure the coins' common diameter in mm, starting from rough centres (n, 2) and the diameter
    in `sizes`.

    The rim is the outermost circle around a coin's centre whose edge is about as sharp as that of
    the sharpest circle. Sharpness is measured where the coin's wall is hidden, and summed over all
    coins.
    """
    radius = sizes.coin_mm / 2
    grid = np.linspace(-_REACH - SHIFT * 1.5, _REACH + SHIFT * 1.5, _GRID) * radius
    radii = np.linspace(-_REACH, _REACH, 71) * radius
    shifts = np.linspace(-SHIFT, SHIFT, _STEPS) * radius
    scores = [_scores(picture, view, centre, sizes, grid, radii, shifts) for centre in centres_mm]
    total = np.sum([score.max(axis=(0, 1)) for score in scores], axis=0)
    best = outermost(total, _CLEAR_RIM)
    fine = 0.0
    if 0 < best < len(radii) - 1:
        fine = vertex(float(total[best - 1]), float(total[best]), float(total[best + 1]))
    return 2 * (radius + float(radii[best]) + fine * float(radii[1] - radii[0]))


def measure_centres(
    picture: NDArray[np.uint8], view: TableView, centres_mm: Array, sizes: PieceSizes
) -> Array:
    """Measure the coins' centres (n, 2), starting from rough centres. A coin whose rim is not seen
    keeps its rough centre.
    """
    seen = picture_from_bgr(picture)
    starts = [(float(x), float(y)) for x, y in centres_mm]
    coins = [measure_coin(seen, view, start, sizes) for start in starts]
    return np.array(
        [coin.at_mm if coin else start for coin, start in zip(coins, starts, strict=True)]
    )


def _scores(
    picture: NDArray[np.uint8],
    view: TableView,
    centre: Array,
    sizes: PieceSizes,
    grid: Array,
    radii: Array,
    shifts: Array,
) -> Array:
    """Return how sharp the edges of circles around a coin are, for every shift of the centre in x
    and in y and every radius: (shifts in x, shifts in y, radii).
    """
    radius, height = sizes.coin_mm / 2, sizes.coin_thickness_mm
    spacing = float(grid[1] - grid[0])
    angles = (np.arange(_SECTORS * _RAYS) + 0.5) / (_SECTORS * _RAYS) * 2 * np.pi
    outward = np.stack((np.cos(angles), np.sin(angles)), axis=-1).reshape(_SECTORS, _RAYS, 2)
    middle = outward[:, _RAYS // 2]
    hidden = foot_mm(view, centre + radius * middle, middle, height) < HIDDEN_MM
    across = middle[hidden]
    sharp = changes(
        colours(picture, view, centre + radius * outward[hidden], outward[hidden], height, grid)
    )
    sharp /= sharp.max(axis=1, keepdims=True) + 1.0
    score = np.zeros((len(shifts), len(shifts), len(radii)))
    for direction, line in zip(across, sharp, strict=True):
        push = shifts[:, None] * direction[0] + shifts[None, :] * direction[1]
        where = (radii[None, None, :] + push[:, :, None] - grid[0]) / spacing
        low = np.clip(where.astype(int), 0, len(grid) - 2)
        share = where - low
        score += line[low] * (1 - share) + line[low + 1] * share
    return np.asarray(score / max(1, len(across)), dtype=np.float64)
