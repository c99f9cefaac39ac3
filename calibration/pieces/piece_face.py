"""Finds a coin's top face in a picture, and cuts it out as seen from straight above."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.store.piece_store import PATCH_REACH, FacePatch
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes

Pixels = NDArray[np.float32]


def cut_face(
    picture: NDArray[np.uint8], view: TableView, centre_mm: Point, sizes: PieceSizes, side_px: int
) -> FacePatch | None:
    """Cut the top face of the coin at `centre_mm` out of a BGR picture (h, w, 3), `side_px` along a
    side.

    The face lies one coin's thickness above the table. Return None if a part of it is outside the
    picture.
    """
    return face_view(view, centre_mm, sizes, side_px).cut(picture)


@dataclass(frozen=True)
class FaceView:
    """Where a camera sees the samples of a face's patch, which has `side_px` pixels along a side.
    `at_px` (n, n, 2) are the samples' places in the picture; n is a multiple of `side_px`. The face
    is `seen_px` wide in the picture.
    """

    at_px: Pixels
    seen_px: float
    side_px: int

    @cached_property
    def _extent(self) -> tuple[float, float, float, float]:
        """Return the smallest x and y, then the largest x and y, of the samples' places in the
        picture.
        """
        places = self.at_px.reshape(-1, 2).T  # a row at a time takes a tenth of the time
        (left, right), (top, bottom) = ((float(row.min()), float(row.max())) for row in places)
        return (left, top, right, bottom)

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """Return the first column and row of the pixels needed, then the last column and row, each
        plus 1.
        """
        left, top, right, bottom = self._extent
        return (
            math.floor(left) - 3,
            math.floor(top) - 3,
            math.ceil(right) + 4,
            math.ceil(bottom) + 4,
        )

    def cut(
        self, picture: NDArray[np.uint8], left_top: tuple[int, int] = (0, 0)
    ) -> FacePatch | None:
        """Cut the face out of a BGR picture (h, w, 3), or out of a part of a picture that begins at
        `left_top`. Return None if a part of the face is outside.
        """
        (x, y), (height, width) = left_top, picture.shape[:2]
        left, top, right, bottom = self._extent
        if left < x or top < y or right > x + width - 1 or bottom > y + height - 1:
            return None
        first, above, last, below = self.box
        first, above = max(first, x), max(above, y)
        part = picture[above - y : below - y, first - x : last - x]
        at_px = self.at_px - np.array((first, above), dtype=np.float32)
        return FacePatch(shrunk(sampled(part, at_px), self.side_px), self.seen_px)


def face_view(view: TableView, centre_mm: Point, sizes: PieceSizes, side_px: int) -> FaceView:
    """Return how a camera sees the top face of the coin at `centre_mm`."""
    seen_px = coin_width_px(view, centre_mm, sizes)
    at_px = face_grid_px(view, centre_mm, sizes, side_px * oversampling(seen_px, side_px))
    return FaceView(at_px, seen_px, side_px)


def coin_width_px(view: TableView, centre_mm: Point, sizes: PieceSizes) -> float:
    """Return how wide the coin's top face is in the picture, px: the diameter of a circle with the
    same area.
    """
    r, h = sizes.coin_mm / 2, sizes.coin_thickness_mm
    x, y = centre_mm
    east, west, north, south = view.to_image(
        np.array([[x + r, y, h], [x - r, y, h], [x, y + r, h], [x, y - r, h]])
    )
    across, along = east - west, north - south
    return math.sqrt(abs(float(across[0] * along[1] - across[1] * along[0])))


def oversampling(seen_px: float, side_px: int) -> int:
    """Return how many samples along each side a pixel of a patch needs so that no pixel of the
    picture is skipped.
    """
    return max(1, math.ceil(PATCH_REACH * seen_px / side_px))


def face_grid_px(view: TableView, centre_mm: Point, sizes: PieceSizes, side_px: int) -> Pixels:
    """Return the places in the picture (side_px, side_px, 2), px, of the pixels of a patch."""
    grid = _grid(side_px) * (PATCH_REACH * sizes.coin_mm / 2) + np.asarray(centre_mm)
    points_mm = np.column_stack((grid, np.full(len(grid), sizes.coin_thickness_mm)))
    return np.asarray(view.to_image(points_mm).reshape(side_px, side_px, 2), dtype=np.float32)


def sampled(part: NDArray[np.uint8], at_px: Pixels) -> Pixels:
    """Return the values of a part of a picture at places in px, by bicubic interpolation. They are
    float32, to avoid rounding.
    """
    return np.asarray(
        cv2.remap(
            part.astype(np.float32),
            at_px[..., 0],
            at_px[..., 1],
            cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        dtype=np.float32,
    )


def shrunk(pixels: Pixels, side_px: int) -> Pixels:
    """Average samples to a patch of `side_px` along a side."""
    if pixels.shape[0] == side_px:
        return pixels
    return np.asarray(
        cv2.resize(pixels, (side_px, side_px), interpolation=cv2.INTER_AREA), dtype=np.float32
    )


@cache
def _grid(side_px: int) -> NDArray[np.float64]:
    """Return the pixel centres of a patch (n * n, 2), x to the right and y up, in units of half its
    side, row by row from the top.
    """
    steps = (np.arange(side_px) + 0.5) / side_px * 2 - 1
    x, y = np.meshgrid(steps, -steps)
    return np.column_stack((x.ravel(), y.ravel()))
