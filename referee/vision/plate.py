"""The scene as it is while nothing moves: what every later frame is compared with.

All comparing is done at half size, where noise is averaged and cost is small; only small parts are ever looked at in full.
The plate holds the coins that lie still. A coin that starts to move is taken out of it, so that its old place does not
look like something that moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.picture import Bytes, Picture, Rect

LEAST_STEP = 7.0  # grey levels at half size: what video compression alone can do
STEP_OVER_NOISE = 6.0  # and so many times the noise measured between two frames
DIFFERENT_STEP = 1.4  # a lasting difference from the plate must be so much larger: light drifts a little


def half_size(luma: Bytes) -> Bytes:
    """The luminance at half its width and height, each pixel the mean of four."""
    return np.asarray(cv2.resize(luma, (luma.shape[1] // 2, luma.shape[0] // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def noise_between(a: Bytes, b: Bytes, mask: Bytes) -> float:
    """The noise of one half-size frame, grey levels: from the median change between two frames in which little moves."""
    change = cv2.absdiff(a, b)[::3, ::3][mask[::3, ::3] > 0]
    return float(np.mean(change[change <= np.percentile(change, 90)])) * 0.886 if change.size else 0.0  # mean |a - b| = 1.128 sigma


@dataclass
class Plate:
    """The still scene: in full (`picture`) and at half size (`half`). It lives through the match and follows what lies still."""

    picture: Picture
    half: Bytes

    @staticmethod
    def of(picture: Picture) -> Plate:
        """A plate that holds a copy of one frame."""
        return Plate(picture.copy(), half_size(picture.luma))

    def take_out(self, rect: Rect, hole: Bytes) -> None:
        """Replace the pixels of `rect` where `hole` is set by what their surroundings let expect (inpainting, Telea)."""
        for plane, part in self._planes(rect):
            view = part.of(plane)
            mask = cv2.resize(hole, (view.shape[1], view.shape[0]), interpolation=cv2.INTER_NEAREST) if view.shape[:2] != hole.shape else hole
            view[...] = cv2.inpaint(np.ascontiguousarray(view), mask, 4, cv2.INPAINT_TELEA)
        self._halve(rect)

    def take_over(self, picture: Picture, rect: Rect, where: NDArray[np.bool_]) -> None:
        """Take those pixels of `rect` from a frame for which `where` (rows, columns of the rectangle) is set."""
        for plane, part in self._planes(rect):
            view, new = part.of(plane), part.of(self._like(picture, plane))
            mask = cv2.resize(where.astype(np.uint8), (view.shape[1], view.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
            np.copyto(view, new, where=mask)
        self._halve(rect)

    def _like(self, picture: Picture, plane: Bytes) -> Bytes:
        """The other picture's plane that stands for the same thing as one of ours."""
        if plane is self.picture.u and picture.u is not None:
            return picture.u
        return picture.v if plane is self.picture.v and picture.v is not None else picture.luma

    def _planes(self, rect: Rect) -> list[tuple[Bytes, Rect]]:
        """Every plane with the rectangle in its own pixels."""
        planes = [(self.picture.luma, rect)]
        for plane in (self.picture.u, self.picture.v):
            if plane is not None:
                step_x, step_y = self.picture.width // plane.shape[1], self.picture.height // plane.shape[0]
                planes.append((plane, Rect(rect.left // step_x, rect.top // step_y, -(-rect.right // step_x), -(-rect.bottom // step_y))))
        return planes

    def _halve(self, rect: Rect) -> None:
        """Bring the half-size copy up to date in `rect`, rounded outward to even pixels."""
        even = Rect(rect.left & ~1, rect.top & ~1, (rect.right + 1) & ~1, (rect.bottom + 1) & ~1).within(2 * self.half.shape[1], 2 * self.half.shape[0])
        if not even.empty:
            self.half[even.top // 2 : even.bottom // 2, even.left // 2 : even.right // 2] = half_size(np.asarray(even.of(self.picture.luma), dtype=np.uint8))
