"""Makes the pictures for the question which coin is which: of the table, and of each coin's
face.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.desk.page_topics.opening_questions import InPicture
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.face_gathering import StillPicture
from referee.vision.faces.face_exposure import best_exposed, stretched
from referee.vision.overlay.video_overlay import Marks, jpeg_of

# Chosen: nothing was measured for these, except where a comment says so.

#: Pixels along a side of the picture of a face that the page shows.
SHOWN_PX: Final = 224


def table_picture(builder: EpisodeBuilder) -> bytes | None:
    """Return, as a JPEG, the picture that shows best how the coins lay at rest; None if there is
    none yet. A dark picture is made brighter.
    """
    still = builder.gathered.still
    if still is None:
        return None
    whole = np.ones(still.bgr.shape[:2], dtype=np.bool_)
    return _jpeg(stretched(still.bgr.astype(np.float32), whole))


def seen_in(still: StillPicture, at_mm: Point, sizes: PieceSizes) -> InPicture:
    """Return where in the picture a coin at a place is seen, and how large it is there."""
    (x, y), height_mm = at_mm, sizes.coin_thickness_mm
    at_px = still.view.pixel_of(x, y, height_mm)
    east_px = still.view.pixel_of(x + sizes.coin_mm / 2, y, height_mm)
    return InPicture(at_px=at_px, radius_px=distance(at_px, east_px))


def face_picture(builder: EpisodeBuilder, number: str) -> bytes | None:
    """Return a coin's face at its best exposure (`best_exposed`), enlarged, as a JPEG; None if it
    was never seen well.
    """
    face = best_exposed(builder.faces[number].patches) if number in builder.faces else None
    return None if face is None else _jpeg(enlarged(face, SHOWN_PX))


def _jpeg(pixels: NDArray[np.float32]) -> bytes:
    return jpeg_of(np.clip(np.rint(pixels), 0, 255).astype(np.uint8), Marks())


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
