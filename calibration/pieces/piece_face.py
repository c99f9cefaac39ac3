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

    The face is at the coin's thickness above the table. None when a part of it lies outside the
    picture.
    """
    return face_view(view, centre_mm, sizes, side_px).cut(picture)


@dataclass(frozen=True)
class FaceView:
    """Where a camera sees the pixels of a face's patch, `side_px` along a side: `at_px` (n, n, 2),
    n a multiple of `side_px`. The face is `seen_px` wide in the picture.
    """

    at_px: Pixels
    seen_px: float
    side_px: int

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """Return the first column and row, and the last ones plus 1, of the pixels needed."""
        low, high = self.at_px.min(axis=(0, 1)), self.at_px.max(axis=(0, 1))
        (left, top), (right, bottom) = np.floor(low).tolist(), np.ceil(high).tolist()
        return (int(left) - 3, int(top) - 3, int(right) + 4, int(bottom) + 4)

    def cut(
        self, picture: NDArray[np.uint8], left_top: tuple[int, int] = (0, 0)
    ) -> FacePatch | None:
        """Cut the face out of a BGR picture (h, w, 3), or of a part of one that begins at
        `left_top`. None when a part of the face lies outside.
        """
        at_px = np.subtract(self.at_px, left_top, dtype=np.float32)
        if not inside(at_px, picture.shape[1], picture.shape[0]):
            return None
        return FacePatch(shrunk(sampled(picture, at_px), self.side_px), self.seen_px)


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
    """Return how many samples a patch's pixel needs along each side so that no pixel of the picture
    is skipped.
    """
    return max(1, math.ceil(PATCH_REACH * seen_px / side_px))


def face_grid_px(view: TableView, centre_mm: Point, sizes: PieceSizes, side_px: int) -> Pixels:
    """Return where the pixels of a patch lie in the picture (side_px, side_px, 2), px."""
    grid = _grid(side_px) * (PATCH_REACH * sizes.coin_mm / 2) + np.asarray(centre_mm)
    points_mm = np.column_stack((grid, np.full(len(grid), sizes.coin_thickness_mm)))
    return np.asarray(view.to_image(points_mm).reshape(side_px, side_px, 2), dtype=np.float32)


def inside(at_px: Pixels, width: int, height: int) -> bool:
    """Return whether all the places lie within a picture of this size."""
    low, high = at_px.min(axis=(0, 1)), at_px.max(axis=(0, 1))
    return bool(low.min() >= 0 and high[0] <= width - 1 and high[1] <= height - 1)


def sampled(plane: NDArray[np.uint8], at_px: Pixels) -> Pixels:
    """Return a picture's values at places in px, by bicubic interpolation, in float32 to avoid
    rounding.
    """
    low = np.maximum(np.floor(at_px.min(axis=(0, 1))).astype(int) - 3, 0)
    high = np.ceil(at_px.max(axis=(0, 1))).astype(int) + 4
    cut = plane[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    places = np.asarray(at_px - low, dtype=np.float32)
    return np.asarray(
        cv2.remap(
            cut, places[..., 0], places[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
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
