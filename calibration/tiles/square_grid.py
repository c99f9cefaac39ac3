"""Projects the points of a square on the table, or above it, to the picture. Only a few points are
projected; the others are interpolated. Also takes the median of pictures of such squares.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView

Array = NDArray[np.float64]
Patch = NDArray[np.float32]

# Tuned on our own clips, except where a comment gives another source for a number.

_PROJECTED: Final = 6  # projected places along a side


def square_grid(
    view: TableView,
    centre_mm: tuple[float, float],
    turn_rad: float,
    height_mm: float,
    step_mm: float,
    steps: int,
) -> NDArray[np.float32]:
    """Return the pixels (2 steps + 1, 2 steps + 1, 2) at which the points of a square are seen. The
    points are `step_mm` apart: columns go to the right and rows go up, both turned by `turn_rad`.

    Over the width of a few tiles, lens and perspective bend so little that a polynomial through a
    few projected places is accurate to a thousandth of a pixel.
    """
    at, spread = _spreading(steps)
    x, y = np.meshgrid(at * step_mm, at * step_mm)
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    points = np.column_stack(
        (
            centre_mm[0] + (cos * x - sin * y).ravel(),
            centre_mm[1] + (sin * x + cos * y).ravel(),
            np.full(x.size, height_mm),
        )
    )
    few = view.to_image(points).reshape(len(at), len(at), 2)
    return np.stack([spread @ few[..., k] @ spread.T for k in (0, 1)], axis=-1).astype(np.float32)


@lru_cache(maxsize=16)
def _spreading(steps: int) -> tuple[Array, Array]:
    """Return the n places (n,) along a side that are projected (Chebyshev points, in steps from the
    middle), and the matrix (2 steps + 1, n) that interpolates values at these places to all points.
    """
    full = np.arange(-steps, steps + 1, dtype=np.float64)
    at = steps * np.cos(np.pi * (np.arange(_PROJECTED) + 0.5) / _PROJECTED)
    others = at[None, :] - at[:, None] + np.eye(_PROJECTED)
    along = [
        np.prod(np.delete(full[:, None] - at[None, :], k, axis=1), axis=1) / others[:, k].prod()
        for k in range(_PROJECTED)
    ]
    return at, np.column_stack(along)


def median_of_turns(squares: Patch) -> Patch:
    """Return the median (side, side, ...) of square pictures (n, side, side, ...), each in four
    rotations. Their side is an odd number of pixels.
    """
    middle = squares.shape[1] // 2
    # the median of one quarter, with a line between quarters; the other quarters are the same,
    # turned
    turned = [np.rot90(squares, k, (1, 2))[:, :middle, : middle + 1] for k in range(4)]
    quarter = np.median(np.concatenate(turned), axis=0)
    whole = np.empty(squares.shape[1:], dtype=np.float32)
    whole[middle, middle] = np.median(squares[:, middle, middle], axis=0)
    for k in range(4):
        np.rot90(whole, k)[:middle, : middle + 1] = quarter
    return whole
