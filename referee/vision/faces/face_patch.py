"""Cuts a coin's top face out of a frame, as seen straight from above."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.pieces.piece_face import cut_face
from calibration.store.piece_store import FacePatch
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.vision.image.disc import ProjectedDisc
from referee.vision.image.picture import Picture

# Tuned on our own clips, except where a comment gives another source for a number.

#: Pixels along the side of a patch cut from a frame, in which a coin is some 14 to 40 px wide.
PATCH_PX: Final = 32


def gather(
    frame_bgr: NDArray[np.uint8], view: TableView, centre_mm: Point, sizes: PieceSizes
) -> FacePatch | None:
    """Cut out the top face of the coin that lies at `centre_mm` on the table, from a frame (h, w,
    3) uint8, blue first.

    The face is at the coin's thickness above the table. None when a part of it lies outside the
    picture. Takes about half a millisecond.
    """
    return cut_face(frame_bgr, view, centre_mm, sizes, PATCH_PX)


def gather_part(
    picture: Picture, view: TableView, spot: ProjectedDisc, sizes: PieceSizes
) -> FacePatch | None:
    """Cut out the top face of the coin at a spot of a picture. Only the needed part is converted to
    colour. None where the picture has no colour, or the coin lies outside the picture.
    """
    rect = spot.rect(sizes.coin_mm).within(picture.width, picture.height)
    bgr = None if rect.empty else picture.bgr(rect)
    if bgr is None:
        return None
    camera = view.camera
    part = replace(
        camera,
        width=rect.right - rect.left,
        height=rect.bottom - rect.top,
        cx_px=camera.cx_px - rect.left,
        cy_px=camera.cy_px - rect.top,
    )
    return gather(bgr, replace(view, camera=part), spot.at_mm, sizes)
