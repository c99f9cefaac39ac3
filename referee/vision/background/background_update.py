"""Finds parts of the background model that show a hand which has gone since the background was
taken.

Where it was the table differs from the still scene from then on, and looks like a hand that never
moves. But its outline is an edge in the still scene and none in the frame; that of a hand which is
there is an edge in the frame and none in the scene.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from referee.vision.background.foreground import Scene
from referee.vision.image.picture import Bytes, Floats

# Tuned on our own clips, except where a comment says what stands behind a number.

LEAST_OUTLINE_PX: Final = 20  # of the small copy: of a shorter outline nothing is said
# Of the outline must have been an edge and be none. Measured: 0.34 to 0.8 where a hand has gone.
LEAST_GONE: Final = 0.15
# And so many times what has become one. Measured: 1.8 and more; where a hand is there, 0.4 and
# less.
GONE_OVER_COME: Final = 1.5
# an edge is as steep as so many of the least steps by which two looks differ (Sobel's slope is
# eightfold)
EDGE_STEPS: Final = 10.0
BORDER_PX: Final = 2  # beside what is watched, where the outline is only that of the watching
MARGIN_PX: Final = 2  # around what has gone: its soft rim
_SQUARE: Final = np.ones((3, 3), np.uint8)


def left_behind(scene: Scene, now: Bytes, was: Bytes, mask: Bytes, step: float) -> Bytes | None:
    """Return 255 inside the scene's box where a hand left something behind, with a small margin
    around it; None where it left nothing.

    `now` and `was` are the small copies of the frame and of the background, `mask` what is watched;
    less than `step` grey levels is noise.
    """
    if not scene.has_hand:
        return None
    more = _slope(scene.box.of(now)) - _slope(scene.box.of(was))
    inner = scene.box.of(
        cv2.erode(mask, np.ones((2 * BORDER_PX + 1, 2 * BORDER_PX + 1), np.uint8), borderValue=0)
    )
    behind = np.zeros(scene.hand.shape, np.uint8)
    for label in np.unique(scene.labels[scene.hand > 0]).tolist():
        region = (scene.labels == label).astype(np.uint8)
        smooth = cv2.morphologyEx(region, cv2.MORPH_OPEN, _SQUARE)
        outline = (cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, _SQUARE) > 0) & (
            np.asarray(inner) > 0
        )
        if _has_gone(more[outline], EDGE_STEPS * step):
            behind |= region
    return (
        np.asarray(cv2.dilate(behind * 255, _SQUARE, iterations=MARGIN_PX), dtype=np.uint8)
        if behind.any()
        else None
    )


def _slope(small: Bytes) -> Floats:
    """Return the brightness gradient's size at every pixel, eightfold."""
    return np.asarray(
        cv2.magnitude(cv2.Sobel(small, cv2.CV_32F, 1, 0), cv2.Sobel(small, cv2.CV_32F, 0, 1)),
        dtype=np.float32,
    )


def _has_gone(more: Floats, edge: float) -> bool:
    """Whether an outline is that of something that has gone, by how much steeper it is now than it
    was.
    """
    if more.size < LEAST_OUTLINE_PX:
        return False
    gone, come = (
        float(np.count_nonzero(more < -edge)) / more.size,
        float(np.count_nonzero(more > edge)) / more.size,
    )
    return gone >= LEAST_GONE and gone > GONE_OVER_COME * come


def lighter_parts(small: Bytes, where: Bytes, step: float) -> Bytes:
    """Return 255 inside `where` (255 there) where a small copy is at least `step` grey levels
    lighter than its median there.
    """
    level = float(np.median(small[where > 0])) if where.any() else 255.0
    return np.where((where > 0) & (small > level + step), 255, 0).astype(np.uint8)
