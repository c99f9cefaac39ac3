"""Rays from the middle of a disc in a picture, along which its rim is searched for."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

# The directions of the rays. Chosen: one every five degrees.
RAY_TURNS: Final = np.arange(72) * (2 * np.pi / 72)
RAY_WAYS: Final = np.column_stack((np.cos(RAY_TURNS), np.sin(RAY_TURNS)))
RAY_STEP_PX: Final = 0.25  # Chosen: between two samples along a ray
# Chosen: how far from the middle a rim is searched for, in rough widths: from here to `_TO`.
_FROM: Final = 0.3
_TO: Final = 1.0  # Chosen: likewise


def steps_outward(
    smooth: NDArray[np.float32], middle_px: ArrayLike, width_px: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return radii (n,), px, and how much the picture `smooth` (h, w, 3) changes within a pixel at
    each of them, (rays, n). `width_px` is the disc's rough width.
    """
    radii = np.arange(_FROM * width_px, _TO * width_px, RAY_STEP_PX)
    places = (np.asarray(middle_px) + RAY_WAYS[:, None] * radii[:, None]).astype(np.float32)
    values = cv2.remap(smooth, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
    apart = round(1 / RAY_STEP_PX)
    steps = np.linalg.norm(values[:, apart:] - values[:, :-apart], axis=2)
    return radii[:-apart] + 0.5 * apart * RAY_STEP_PX, steps
