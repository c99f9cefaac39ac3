"""A coin's top face cut out of a frame and seen straight from above."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.camera import TableView
from calibration.piece_face import cut_face
from calibration.piece_store import FacePatch
from referee.geometry import Point
from referee.pieces import PieceSizes

#: Pixels along the side of a patch gathered from a frame: a coin is some 14 to 40 px wide there.
PATCH_PX = 32


def gather(frame_bgr: NDArray[np.uint8], view: TableView, centre_mm: Point, sizes: PieceSizes) -> FacePatch | None:
    """The top face of the coin that lies at `centre_mm` on the table, from a frame (h, w, 3) uint8, blue first.

    The face is taken at the coin's thickness above the table. None when a part of it lies outside the picture.
    Costs about half a millisecond.
    """
    return cut_face(frame_bgr, view, centre_mm, sizes, PATCH_PX)
