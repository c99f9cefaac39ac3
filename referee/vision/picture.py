"""One frame's pixels as the seeing code takes them: the luminance in full, the two colour differences where the stream has them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

LITTLE_COLOUR = 0.25  # of the luminance's weight: less colour than this is not worth its cost


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of pixels: columns `left` to `right` - 1, rows `top` to `bottom` - 1."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.right <= self.left or self.bottom <= self.top

    def within(self, width: int, height: int) -> Rect:
        """The part of it that lies in a picture of that size."""
        return Rect(max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom))

    def joined(self, other: Rect) -> Rect:
        """The smallest rectangle that holds both."""
        return Rect(min(self.left, other.left), min(self.top, other.top), max(self.right, other.right), max(self.bottom, other.bottom))

    def inside(self, other: Rect) -> Rect:
        """The part of it that lies in another, counted from that one's corner."""
        moved = Rect(self.left - other.left, self.top - other.top, self.right - other.left, self.bottom - other.top)
        return moved.within(other.right - other.left, other.bottom - other.top)

    def of(self, image: NDArray[np.generic]) -> NDArray[np.generic]:
        """That part of an image (h, w[, c]), as a view."""
        return image[self.top : self.bottom, self.left : self.right]


def rect_around(x_px: float, y_px: float, reach_x_px: float, reach_y_px: float) -> Rect:
    """The smallest rectangle of whole pixels that holds everything within reach of a point."""
    return Rect(int(np.floor(x_px - reach_x_px)), int(np.floor(y_px - reach_y_px)), int(np.ceil(x_px + reach_x_px)) + 1, int(np.ceil(y_px + reach_y_px)) + 1)


@dataclass(frozen=True, slots=True)
class Tint:
    """The mixture of luminance and colour differences in which the coins of a set stand out best from this table.

    Coins are brighter than what surrounds them in it. `contrast` is by how much, in grey levels.
    """

    y: float = 1.0
    u: float = 0.0
    v: float = 0.0
    contrast: float = 40.0

    @property
    def needs_colour(self) -> bool:
        """Whether the colour differences matter at all."""
        return abs(self.u) + abs(self.v) > 0.0


    def plain(self) -> Tint:
        """The mixture without colour where colour adds little: the luminance alone costs less."""
        return Tint(1.0, 0.0, 0.0, self.contrast) if self.y > 0 and abs(self.u) + abs(self.v) < LITTLE_COLOUR * self.y else self


@dataclass(frozen=True, slots=True)
class Picture:
    """One frame: `luma` (h, w) uint8, and `u`, `v` (each of the same or of half the size along either axis) or None."""

    luma: Bytes
    u: Bytes | None = None
    v: Bytes | None = None

    @property
    def width(self) -> int:
        """Columns, px."""
        return int(self.luma.shape[1])

    @property
    def height(self) -> int:
        """Rows, px."""
        return int(self.luma.shape[0])

    def tinted(self, rect: Rect, tint: Tint) -> Floats:
        """The tinted values inside `rect` (rows, columns), float32. `rect` must lie within the picture."""
        values: Floats = np.asarray(rect.of(self.luma), dtype=np.float32) * np.float32(tint.y)
        if tint.needs_colour and self.u is not None and self.v is not None:
            values += np.float32(tint.u) * self._spread(self.u, rect)
            values += np.float32(tint.v) * self._spread(self.v, rect)
        return values

    def bgr(self, rect: Rect) -> Bytes | None:
        """The pixels inside `rect` in colour, uint8 (rows, columns, 3), blue first; None where the picture has no colour.

        Converted as full-range BT.601, which is near enough for telling faces apart.
        """
        if self.u is None or self.v is None:
            return None
        planes = [np.asarray(rect.of(self.luma), dtype=np.uint8), *(np.asarray(self._spread(p, rect), dtype=np.uint8) for p in (self.u, self.v))]
        return np.asarray(cv2.cvtColor(cv2.merge(planes), cv2.COLOR_YUV2BGR), dtype=np.uint8)

    def _spread(self, plane: Bytes, rect: Rect) -> Floats:
        """A colour plane inside `rect` at the luminance's resolution (chroma sited in the middle of its pixels)."""
        step_x, step_y = self.width / plane.shape[1], self.height / plane.shape[0]
        shape = (rect.right - rect.left, rect.bottom - rect.top)
        to_plane = np.array(
            [[1 / step_x, 0, (rect.left + 0.5) / step_x - 0.5], [0, 1 / step_y, (rect.top + 0.5) / step_y - 0.5]], dtype=np.float64
        )
        spread = cv2.warpAffine(plane, to_plane, shape, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(spread, dtype=np.float32)

    def copy(self) -> Picture:
        """The same pixels in memory of their own."""
        return Picture(self.luma.copy(), None if self.u is None else self.u.copy(), None if self.v is None else self.v.copy())


def picture_from_bgr(bgr: Bytes) -> Picture:
    """A picture (h, w, 3) in OpenCV's colour order as luminance and colour differences (BT.601)."""
    y, u, v = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV))
    return Picture(np.asarray(y, dtype=np.uint8), np.asarray(u, dtype=np.uint8), np.asarray(v, dtype=np.uint8))
