"""Builds the first background from several frames of a table on which only a hand moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from referee.vision.image.picture import Bytes, Picture, shrunk

# Tuned on our own clips, except where a comment gives another source for a number.

SHRINK: Final = 4  # frames are compared shrunk by this factor
CHANGE_STEP: Final = 10  # grey levels; smaller differences come from noise and compression
# of a coin's area; a smaller difference between two frames is not a hand
CHANGE_OF_COIN: Final = 0.25


def changed_between(frames: Sequence[Picture], coin_px: float) -> Bytes | None:
    """Return a mask (h, w), in pixels of the small copy, of where any earlier frame differs from
    the last one; None if no difference is large enough for a hand.
    """
    last = shrunk(frames[-1].luma, SHRINK)
    most = np.zeros_like(last)
    for frame in frames[:-1]:
        most = np.maximum(most, cv2.absdiff(shrunk(frame.luma, SHRINK), last))
    changed = np.asarray(
        cv2.morphologyEx(
            np.where(most > CHANGE_STEP, 255, 0).astype(np.uint8),
            cv2.MORPH_OPEN,
            np.ones((2, 2), np.uint8),
        ),
        dtype=np.uint8,
    )
    return changed if parts_of(changed, coin_px) else None


def parts_of(changed: Bytes, coin_px: float) -> list[tuple[int, int, int, int]]:
    """Return left, top, width and height of each connected part that is large enough for a hand."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    return [
        (int(x), int(y), int(w), int(h))
        for x, y, w, h, area in stats[1:]
        if area > CHANGE_OF_COIN * coin_px
    ]


def median_picture(frames: Sequence[Picture]) -> Picture:
    """Return the median of the frames, pixel by pixel. A hand that passes covers each pixel in few
    frames, so it does not appear.
    """

    def middle(planes: list[Bytes | None]) -> Bytes | None:
        known = [plane for plane in planes if plane is not None]
        return (
            np.partition(np.stack(known), len(known) // 2, axis=0)[len(known) // 2].copy()
            if known
            else None
        )

    luma = middle([frame.luma for frame in frames])
    assert luma is not None
    return Picture(
        luma, middle([frame.u for frame in frames]), middle([frame.v for frame in frames])
    )
