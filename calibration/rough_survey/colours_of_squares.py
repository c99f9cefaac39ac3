"""Groups squares of one size by their colours. If the pattern of a cloth has squares as large as
the tiles, only their colour distinguishes the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from calibration.constants.fitting import MAJORITY
from calibration.tiles.plane import FEWEST_TILES

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Chosen: in levels of Lab. Squares of one kind differ by less: by grain, print and shade.
_ALIKE_LEVELS: Final = 16.0
_CELL_LEVELS: Final = 4.0  # Chosen: colours are rounded to multiples of this
_SAMPLES: Final = 6  # Chosen: along each side of a square's inner half


def colours_of(picture: Picture, squares: Sequence[Array]) -> Array:
    """Return the colour of each square (4, 2) px of a picture (h, w, 3) BGR, (n, 3) Lab: the median
    of its inner half. The squares lie within the picture.
    """
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), dtype=np.uint8)
    corners = np.array(squares).reshape(-1, 4, 2)
    along = 0.5 + MAJORITY * np.linspace(-0.5, 0.5, _SAMPLES)
    u, v = (grid.ravel() for grid in np.meshgrid(along, along))
    weights = np.stack(((1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v), axis=1)
    columns, rows = np.moveaxis(np.rint(weights @ corners).astype(np.intp), -1, 0)
    return np.asarray(np.median(lab[rows, columns], axis=1), dtype=np.float64)


def alike_in_colour(colours: Array) -> list[NDArray[np.intp]]:
    """Return the indices of each group of colours (n, 3) that are about the same, the smallest
    group first, because a pattern has more squares than a course has tiles. Groups that are too
    small to determine a plane are left out.
    """
    cells, cell_of, counts = np.unique(
        np.rint(colours / _CELL_LEVELS), axis=0, return_inverse=True, return_counts=True
    )
    cell_of = cell_of.reshape(-1)  # some versions of NumPy return (n, 1)
    near = cdist(cells, cells) * _CELL_LEVELS < _ALIKE_LEVELS
    left, groups = counts.copy(), list[NDArray[np.intp]]()
    while left.any():
        group = near[int((near @ left).argmax())] & (left > 0)
        members = np.flatnonzero(group[cell_of])
        if len(members) >= FEWEST_TILES:
            groups.append(members)
        left[group] = 0
    return sorted(groups, key=len)
