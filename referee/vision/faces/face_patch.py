"""Cuts a coin's top face out of a frame and rectifies it: as seen from straight above."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.pieces.piece_face import FaceView, cut_face, face_view
from calibration.store.piece_store import PATCH_REACH, FacePatch
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.vision.image.picture import Picture, Rect, picture_from_bgr

# Tuned on our own clips, except where a comment gives another source for a number.

#: Pixels along the side of a patch cut from a frame, in which a coin is some 14 to 40 px wide.
PATCH_PX: Final = 32
RINGS: Final = 14  # samples of a face from its middle outwards,
TURNS: Final = 64  # and around it
GROUND: Final = (0.60, 0.86)  # coin radii between which most of the face is bare
KEPT: Final = 64  # Chosen: the most places that are cached; no set has more coins


@cache
def polar_places(rings: int, turns: int, reach: float, side_px: int) -> NDArray[np.float32]:
    """Return the places (rings, turns, 2) at which to sample a patch that is `side_px` wide, in
    pixels. These places lie on rings around the patch's middle, all within `reach` coin radii.
    """
    radii = (np.arange(rings) + 0.5) / rings * reach
    angle = np.arange(turns) * (2 * np.pi / turns)
    around = np.stack((np.cos(angle), np.sin(angle)), axis=-1)
    return np.asarray(
        (radii[:, None, None] * around / PATCH_REACH + 1) / 2 * side_px - 0.5, dtype=np.float32
    )


def laid_on_grid(face: FacePatch, steps: int) -> NDArray[np.float32]:
    """Return a face on a square grid (2 `steps` + 1, 2 `steps` + 1, channels) as wide as the coin.
    Later rows are farther up, and the channels are those of `Picture.channels`.
    """
    side = face.bgr.shape[0]
    whole = picture_from_bgr(np.clip(face.bgr, 0, 255).astype(np.uint8))
    channels = whole.channels(Rect(0, 0, side, side))
    at = (np.arange(-steps, steps + 1) / steps / PATCH_REACH + 1) / 2 * side - 0.5
    x, y = np.meshgrid(at, at[::-1])
    laid = cv2.remap(channels, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(laid, dtype=np.float32)


def gather(
    frame_bgr: NDArray[np.uint8], view: TableView, centre_mm: Point, sizes: PieceSizes
) -> FacePatch | None:
    """Cut out the top face of the coin that lies at `centre_mm` on the table, from a frame (h, w,
    3) uint8, blue first.

    The face lies one coin's thickness above the table. Return None if a part of it is outside the
    picture. Takes about half a millisecond.
    """
    return cut_face(frame_bgr, view, centre_mm, sizes, PATCH_PX)


@dataclass
class FaceCutter:
    """Cuts the top faces of coins out of the pictures of one camera, and caches, for each place,
    where the camera sees it.
    """

    view: TableView
    sizes: PieceSizes
    _kept: dict[Point, FaceView] = field(default_factory=dict)

    def cut(self, picture: Picture, at_mm: Point) -> FacePatch | None:
        """Cut out the face of the coin at a place. Only the needed part of the picture is converted
        to colour. Return None if the picture has no colour, or a part of the coin lies outside the
        picture.
        """
        if len(self._kept) >= KEPT:
            self._kept.clear()
        if at_mm not in self._kept:
            self._kept[at_mm] = face_view(self.view, at_mm, self.sizes, PATCH_PX)
        seen = self._kept[at_mm]
        rect = Rect(*seen.box).within(picture.width, picture.height)
        bgr = None if rect.empty else picture.bgr(rect)
        return None if bgr is None else seen.cut(bgr, (rect.left, rect.top))
