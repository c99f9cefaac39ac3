"""Groups squares of one size by their colours: tiles on a cloth whose pattern has squares as large
as they are differ from it by their colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MAJORITY
from calibration.tiles.plane import FEWEST_TILES

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Chosen: in levels of Lab. Squares of one kind differ by less: by grain, print and shade.
_ALIKE_LEVELS: Final = 16.0


def colours_of(picture: Picture, squares: Sequence[Array]) -> Array:
    """Return the colour of each square (4, 2) px of a picture (h, w, 3) BGR, (n, 3) Lab: the median
    of its inner half.
    """
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), dtype=np.uint8)
    return np.array([_colour(lab, square) for square in squares]).reshape(-1, 3)


def alike_in_colour(colours: Array) -> list[NDArray[np.intp]]:
    """Return the indices of each group of colours (n, 3) that are about the same, the smallest
    group first, because a pattern has more squares than a course has tiles. Groups that are too
    small to determine a plane are left out.
    """
    rest, groups = np.arange(len(colours)), list[NDArray[np.intp]]()
    while len(rest):
        near = np.linalg.norm(colours[rest, None] - colours[None, rest], axis=2) < _ALIKE_LEVELS
        group = near[int(near.sum(axis=1).argmax())]
        if group.sum() >= FEWEST_TILES:
            groups.append(rest[group])
        rest = rest[~group]
    return sorted(groups, key=len)


def _colour(lab: Picture, square: Array) -> Array:
    middle = square.mean(axis=0)
    inner = np.round(middle + MAJORITY * (square - middle)).astype(np.int32)
    low = np.maximum(inner.min(axis=0), 0)
    part = lab[low[1] : inner[:, 1].max() + 1, low[0] : inner[:, 0].max() + 1]
    mask = np.zeros(part.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(mask, inner - low, 1)
    return np.asarray(np.median(part[mask > 0], axis=0), dtype=np.float64)
