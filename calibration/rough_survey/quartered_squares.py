"""Finds tiles by the quarters on their backs: a back shows a square divided into four smaller
squares.

A tile that is as pale as its table shows no outline, but its printed lines enclose its quarters.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.tiles.scale_estimate import USUAL

Array = NDArray[np.float64]

# Chosen: the distance between the middles of two neighbouring quarters, in sides of a quarter, and
# its largest error along each direction. A printed line lies between the quarters, and blur makes
# it wider.
_APART: Final = 1.15
_OFF: Final = 0.25  # Chosen: see above
_ALIKE: Final = 1.5  # Chosen: the areas of two quarters of a tile differ by less than this factor

_FEWEST: Final = 3  # Chosen: the fewest quarters that are seen; two may be checks of a cloth
#: By definition: the corners of a square with sides of 1.
_CORNERS: Final = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def divided_squares(quads: Sequence[Array]) -> list[Array]:
    """Return the outlines (4, 2) px of tiles that show a square divided into four. A tile is found
    if three or four of its quarters are among the quadrilaterals. The same tile may be found
    several times.

    The outline returned is that of the whole tile: a little larger than its quarters together,
    because a printed line lies between the quarters and the rim.
    """
    if len(quads) < _FEWEST:
        return []
    corners = np.array(quads)
    middles = corners.mean(axis=1)
    areas = np.array([_area(square) for square in corners])
    found = []
    for own, middle, area in zip(corners, middles, areas, strict=True):
        sides = np.column_stack(
            (own[1] + own[2] - own[0] - own[3], own[2] + own[3] - own[0] - own[1])
        )
        alike = (areas < _ALIKE * area) & (area < _ALIKE * areas)
        away = np.linalg.solve(sides / 2, (middles - middle).T).T / _APART
        for right, down in product((-1.0, 1.0), repeat=2):
            places = _CORNERS * (right, down)
            near = np.abs(away[:, None] - places[None]).max(axis=2) < _OFF / _APART
            near &= alike[:, None]
            seen = near.any(axis=0)
            if seen.sum() >= _FEWEST:
                quarters = [int(np.argmax(near[:, k])) for k in np.flatnonzero(seen)]
                found.append(_enclosing(own, middle, places[seen], corners[quarters]))
    return found


def _area(square: Array) -> float:
    """Return the area of a square (4, 2)."""
    one, other = square[2] - square[0], square[3] - square[1]
    return abs(float(one[0] * other[1] - one[1] * other[0])) / 2


def _enclosing(own: Array, middle: Array, places: Array, quarters: Array) -> Array:
    """Return the square (4, 2) px around some of its quarters (n, 4, 2) px, computed by the affine
    map that fits all their corners. `places` (n, 2) says where each quarter lies relative to the
    first. The result's corners have the order of `own`, the corners of the first quarter. A line
    runs along the rim of a tile, and one between its quarters.
    """
    (inset, _), (width, _) = USUAL["inset_mm"], USUAL["width_mm"]
    border = (inset + width / 2) / (0.5 - inset - width)  # in sides of a quarter
    steps, begins = [], []
    for place, quarter in zip(places, quarters, strict=True):
        shift = place * _APART
        # any corner of a quarter may come first
        expected = _CORNERS - 0.5 + shift
        moved = own - middle + quarter.mean(axis=0)
        order = [int(np.argmin(np.hypot(*(quarter - at).T))) for at in moved]
        steps.append(np.column_stack((expected, np.ones(4))))
        begins.append(quarter[order])
    mapped, *_ = np.linalg.lstsq(np.concatenate(steps), np.concatenate(begins), rcond=None)
    low = places.min(axis=0) * _APART - 0.5 - border
    high = places.max(axis=0) * _APART + 0.5 + border
    outer = low + _CORNERS * (high - low)
    return np.asarray(np.column_stack((outer, np.ones(4))) @ mapped)
