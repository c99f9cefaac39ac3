"""Finds parts of the background that show a hand which has since left.

There every later frame differs from the background, so it looks as if a hand stayed and never
moved. The outline shows which case it is. When the hand has left, the background has an edge along
the outline and the frame has none. When a hand is there now, it is the other way
round. A tile under an arm has lost its edges, too, so tiles are left out.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from referee.vision.background.foreground import Foreground
from referee.vision.image.picture import Bytes, Floats

# Tuned on our own clips, except where a comment gives another source for a number.

LEAST_OUTLINE_PX: Final = 20  # of the small copy; a shorter outline is not judged
# At least this share of the outline has lost its edge. Measured: 0.34 to 0.8 where a hand has left.
LEAST_GONE: Final = 0.15
# So many times more of the outline has lost its edge than has gained one. Measured: 1.8 and more
# where a hand has left; 0.4 and less where a hand is there.
GONE_OVER_COME: Final = 1.5
# The slope of an edge is at least so many noise steps. Sobel's operator gives eight times the
# slope.
EDGE_STEPS: Final = 10.0
BORDER_PX: Final = 2  # of the judged part; an outline there is only the border of the mask
MARGIN_PX: Final = 2  # added around what a hand left behind, for its blurred rim
_SQUARE: Final = np.ones((3, 3), np.uint8)


def left_behind(
    foreground: Foreground, now: Bytes, was: Bytes, mask: Bytes, step: float
) -> Bytes | None:
    """Find where the background still shows a hand that has left. Return a mask of the scene's box
    (255 there, with a small margin); None where there is nothing of the kind.

    `now` and `was` are the small copies of the frame and of the background. `mask` is the part of
    the picture where outlines are judged. Smaller differences than `step` grey levels are noise.
    """
    if not foreground.has_hand:
        return None
    more = _slope(foreground.box.of(now)) - _slope(foreground.box.of(was))
    inner = foreground.box.of(
        cv2.erode(mask, np.ones((2 * BORDER_PX + 1, 2 * BORDER_PX + 1), np.uint8), borderValue=0)
    )
    behind = np.zeros(foreground.hand.shape, np.uint8)
    for label in np.unique(foreground.labels[foreground.hand > 0]).tolist():
        region = (foreground.labels == label).astype(np.uint8)
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
    """Return the size of the brightness gradient at every pixel, multiplied by eight."""
    return np.asarray(
        cv2.magnitude(cv2.Sobel(small, cv2.CV_32F, 1, 0), cv2.Sobel(small, cv2.CV_32F, 0, 1)),
        dtype=np.float32,
    )


def _has_gone(more: Floats, edge: float) -> bool:
    """Return whether the outline belongs to something that has left. `more` is how much steeper
    each of its pixels is in the frame than in the background.
    """
    if more.size < LEAST_OUTLINE_PX:
        return False
    gone, come = (
        float(np.count_nonzero(more < -edge)) / more.size,
        float(np.count_nonzero(more > edge)) / more.size,
    )
    return gone >= LEAST_GONE and gone > GONE_OVER_COME * come
