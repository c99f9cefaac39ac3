"""Draws a coin's own face, for the question which coin it is."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.vision.overlay.video_overlay import Marks, jpeg_of

# Chosen: nothing was measured for these, except where a comment says so.

#: Pixels along a side of the picture that is shown.
SHOWN_PX: Final = 224


def face_picture(builder: EpisodeBuilder, number: str) -> bytes | None:
    """Return a coin's face, enlarged, as a JPEG; None where it was never seen well.

    It is the median of all views of the coin, so that no arm hides it.
    """
    seen = builder.faces[number].face if number in builder.faces else None
    if seen is None:
        return None
    return jpeg_of(np.clip(np.rint(enlarged(seen.bgr, SHOWN_PX)), 0, 255).astype(np.uint8), Marks())


def enlarged(square: NDArray[np.float32], side_px: int) -> NDArray[np.float32]:
    """Enlarge a square picture (n, n, 3) to (side_px, side_px, 3) by linear interpolation."""
    return _rows(_rows(square, side_px).swapaxes(0, 1), side_px).swapaxes(0, 1)


def _rows(square: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    had = square.shape[0]
    at = np.clip((np.arange(count) + 0.5) * had / count - 0.5, 0, had - 1)
    low = np.minimum(at.astype(np.intp), had - 2)
    share = (at - low).astype(np.float32)[:, None, None]
    between: NDArray[np.float32] = square[low] * (1 - share) + square[low + 1] * share
    return between
