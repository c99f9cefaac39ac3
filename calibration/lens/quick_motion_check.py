"""Checks quickly, with a few patches of its picture, whether a camera has moved at all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import NOISE_LEVELS
from calibration.lens.camera_change import CameraChange, seen_after
from calibration.lens.camera_motion import (
    FEWEST_PATCHES,
    LEAST_GAIN,
    REACH_PX,
    STILL_PX,
    Floats,
    Luma,
    Reference,
    patch_pixels,
)

FIRST_PATCHES: Final = 8  # Chosen: the number of patches that are compared first
# Measured: while the camera stood still, compression moved the median patch by up to 0.02 px and a
# single one by 0.05 px.
STIRS_PX: Final = 0.05


@dataclass(frozen=True)
class QuickMotionCheck:
    """A few of the reference's patches as one frame showed them. Later frames are quickly compared
    with that frame.

    `columns` and `rows` (n, m) are the patches' pixels and `levels` (n, m) the grey levels there.
    `explains` (n, 3, m), multiplied by a change of these levels, gives the motion (right and down,
    px) and the change of the gain.
    """

    columns: NDArray[np.intp]
    rows: NDArray[np.intp]
    levels: Floats
    explains: Floats

    @staticmethod
    def of(reference: Reference, luma: Luma, change: CameraChange) -> QuickMotionCheck:
        """Take the patches from a picture (h, w) of the camera after a `change`."""
        some = slice(None, None, max(1, len(reference.middles) // FIRST_PATCHES))
        middles = np.rint(seen_after(reference.camera, change, reference.rays[some]))
        border, size = REACH_PX + 1, np.array(luma.shape[::-1])
        inside = ((middles >= border) & (middles < size - border)).all(axis=1)
        columns, rows = (along.astype(np.intp) for along in patch_pixels(middles[inside]))
        slopes = reference.basis[some, 1:][inside]
        to_px = -np.linalg.inv(reference.exactness[some][inside]) @ slopes
        levels = luma[rows, columns].astype(np.float32)
        contrast = levels - levels.mean(axis=1, keepdims=True)
        to_gain = contrast / ((contrast**2).sum(axis=1, keepdims=True) + NOISE_LEVELS**2)
        explains = np.concatenate((to_px, to_gain[:, None, :]), axis=1)
        return QuickMotionCheck(columns, rows, levels, np.asarray(explains, dtype=np.float32))

    def stirs(self, luma: Luma) -> bool:
        """Return whether most of the patches have moved, or have lost their contrast, as under a
        hand over the lens. If there are too few patches to decide, return True as well.
        """
        change = luma[self.rows, self.columns] - self.levels
        parts = (self.explains @ change[:, :, None])[:, :, 0].tolist()
        if len(parts) < FEWEST_PATCHES:
            return True
        right, down, gained = (_middle(values) for values in zip(*parts, strict=True))
        off = _middle([math.hypot(right, down) for right, down, _ in parts])
        lost = 1 + gained < LEAST_GAIN
        return lost or math.hypot(right, down) > STIRS_PX or off > STILL_PX


def _middle(values: Sequence[float]) -> float:
    """Return the median. For few values, this takes a tenth of the time of `np.median`."""
    ranked = sorted(values)
    return (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2
