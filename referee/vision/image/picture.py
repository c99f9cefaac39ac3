"""One frame's pixels as the seeing code takes them: the luminance in full, the two colour
differences where the stream has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
_Kind = TypeVar("_Kind", bound=np.generic)
_Colour = TypeVar("_Colour", np.uint8, np.float32)

# Tuned on our own clips, except where a comment says what stands behind a number.

# of the luminance's weight: less colour than this is not worth its cost
LITTLE_COLOUR: Final = 0.25


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
        """Return the part of the rectangle that lies in a picture of that size."""
        return Rect(
            max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom)
        )

    def joined(self, other: Rect) -> Rect:
        """Return the smallest rectangle that holds both."""
        return Rect(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def times(self, k: int) -> Rect:
        """Return the same part of a picture that is `k` times as large."""
        return Rect(k * self.left, k * self.top, k * self.right, k * self.bottom)

    def inside(self, other: Rect) -> Rect:
        """Return the part of the rectangle that lies in another, counted from that one's corner."""
        moved = Rect(
            self.left - other.left,
            self.top - other.top,
            self.right - other.left,
            self.bottom - other.top,
        )
        return moved.within(other.right - other.left, other.bottom - other.top)

    def of(self, image: NDArray[_Kind]) -> NDArray[_Kind]:
        """Return that part of an image (h, w[, c]), as a view."""
        return image[self.top : self.bottom, self.left : self.right]


def rect_around(x_px: float, y_px: float, reach_x_px: float, reach_y_px: float) -> Rect:
    """Return the smallest rectangle of whole pixels that holds everything within reach of a
    point.
    """
    return Rect(
        int(np.floor(x_px - reach_x_px)),
        int(np.floor(y_px - reach_y_px)),
        int(np.ceil(x_px + reach_x_px)) + 1,
        int(np.ceil(y_px + reach_y_px)) + 1,
    )


@dataclass(frozen=True, slots=True)
class ChannelMix:
    """The mixture of luminance and colour differences in which the coins of a set stand out best
    from this table.

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

    def plain(self) -> ChannelMix:
        """Return the mixture without colour where colour adds little: the luminance alone costs
        less.
        """
        return (
            ChannelMix(1.0, 0.0, 0.0, self.contrast)
            if self.y > 0 and abs(self.u) + abs(self.v) < LITTLE_COLOUR * self.y
            else self
        )


@dataclass(frozen=True, slots=True)
class Picture:
    """One frame: `luma` (h, w) uint8, and `u`, `v` (each of the same or of half the size along
    either axis) or None.
    """

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

    def tinted(self, rect: Rect, channel_mix: ChannelMix) -> Floats:
        """Return the values inside `rect` in the channel mix (rows, columns), float32. `rect` must
        lie within the picture.
        """
        values: Floats = np.asarray(
            rect.of(self.luma) * np.float32(channel_mix.y), dtype=np.float32
        )
        if channel_mix.needs_colour and self.u is not None and self.v is not None:
            part = self._colour_part(rect)
            mixed = cv2.addWeighted(
                part.of(self.u),
                channel_mix.u,
                part.of(self.v),
                channel_mix.v,
                0.0,
                dtype=cv2.CV_32F,
            )
            values += self._spread(np.asarray(mixed, dtype=np.float32), part, rect)
        return values

    def bgr(self, rect: Rect) -> Bytes | None:
        """Return the pixels inside `rect` in colour, uint8 (rows, columns, 3), blue first; None
        where the picture has no colour.

        Converted as full-range BT.601, which is near enough to distinguish faces.
        """
        if self.u is None or self.v is None:
            return None
        part = self._colour_part(rect)
        planes = [
            rect.of(self.luma),
            *(self._spread(part.of(p), part, rect) for p in (self.u, self.v)),
        ]
        return np.asarray(cv2.cvtColor(cv2.merge(planes), cv2.COLOR_YUV2BGR), dtype=np.uint8)

    def hue(self, rect: Rect) -> tuple[float, float] | None:
        """Return the mean colour differences (blue, red) inside a rectangle as shares of its
        luminance: the same in light and shade. None without colour.
        """
        if self.u is None or self.v is None or rect.empty:
            return None
        part, light = self._colour_part(rect), max(float(rect.of(self.luma).mean()), 1.0)
        return (float(part.of(self.u).mean()) - 128.0) / light, (
            float(part.of(self.v).mean()) - 128.0
        ) / light

    def colour_step(self) -> tuple[int, int]:
        """Return how many pixels of the luminance, across and down, one pixel of the colour planes
        stands for: 1 or 2 (also where their size is odd).
        """
        return (
            (1, 1)
            if self.u is None
            else (round(self.width / self.u.shape[1]), round(self.height / self.u.shape[0]))
        )

    def _colour_part(self, rect: Rect) -> Rect:
        """Return the pixels of the colour planes that cover those inside `rect`, neighbours
        included.
        """
        assert self.u is not None
        x, y = self.colour_step()
        return Rect(
            rect.left // x - 1, rect.top // y - 1, -(-rect.right // x) + 1, -(-rect.bottom // y) + 1
        ).within(self.u.shape[1], self.u.shape[0])

    def _spread(self, colour: NDArray[_Colour], part: Rect, rect: Rect) -> NDArray[_Colour]:
        """Enlarge a piece of a colour plane, of `part`, to the luminance's resolution inside `rect`
        (a sample sits in the middle of its pixels).
        """
        x, y = self.colour_step()
        wide = (
            colour
            if x == y == 1
            else cv2.resize(
                colour, (colour.shape[1] * x, colour.shape[0] * y), interpolation=cv2.INTER_LINEAR
            )
        )
        return rect.inside(Rect(x * part.left, y * part.top, x * part.right, y * part.bottom)).of(
            np.asarray(wide, dtype=colour.dtype)
        )

    def copy(self) -> Picture:
        """Return the same pixels in memory of their own."""
        return Picture(
            self.luma.copy(),
            None if self.u is None else self.u.copy(),
            None if self.v is None else self.v.copy(),
        )


def picture_from_bgr(bgr: Bytes) -> Picture:
    """Convert a picture (h, w, 3) in OpenCV's colour order to luminance and colour differences
    (BT.601).
    """
    y, u, v = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV))
    return Picture(
        np.asarray(y, dtype=np.uint8), np.asarray(u, dtype=np.uint8), np.asarray(v, dtype=np.uint8)
    )
