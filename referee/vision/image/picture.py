"""The pixels of one frame: the luminance at full size, and the two colour differences where the
source has them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
_Kind = TypeVar("_Kind", bound=np.generic)
_Colour = TypeVar("_Colour", np.uint8, np.float32)

# Tuned on our own clips, except where a comment gives another source for a number.

# A mix whose colour weighs less than this share of the luminance is computed without colour.
LITTLE_COLOUR: Final = 0.25
FULL: Final = 255.0  # By definition: the largest value of a pixel
NO_COLOUR: Final = 128.0  # By definition: the value of a colour difference in a grey pixel


class Rect(NamedTuple):
    """A rectangle of pixels: columns `left` to `right` - 1, rows `top` to `bottom` - 1.

    Thousands are made per second: a named tuple takes a third of the time of a dataclass.
    """

    left: int
    top: int
    right: int
    bottom: int

    @property
    def empty(self) -> bool:
        """Whether the rectangle holds no pixel."""
        return self.right <= self.left or self.bottom <= self.top

    def within(self, width: int, height: int) -> Rect:
        """Return the part of the rectangle that lies in a picture of this width and height."""
        left, top, right, bottom = self
        if left >= 0 and top >= 0 and right <= width and bottom <= height:
            return self
        return self.inside(Rect(0, 0, width, height))

    def joined(self, other: Rect) -> Rect:
        """Return the smallest rectangle that holds both."""
        return Rect(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def times(self, k: int) -> Rect:
        """Return this rectangle in a picture that is `k` times as wide and as high."""
        return Rect(k * self.left, k * self.top, k * self.right, k * self.bottom)

    def inside(self, other: Rect) -> Rect:
        """Return the part of this rectangle that lies in `other`, counted from the top left corner
        of `other`.
        """
        own_left, own_top, own_right, own_bottom = self
        left, top, right, bottom = other
        return Rect(  # takes a third of the time of `max` and `min`
            own_left - left if own_left > left else 0,
            own_top - top if own_top > top else 0,
            (own_right if own_right < right else right) - left,
            (own_bottom if own_bottom < bottom else bottom) - top,
        )

    def of(self, image: NDArray[_Kind]) -> NDArray[_Kind]:
        """Return the pixels of an image (h, w[, c]) inside the rectangle, as a view."""
        return image[self.top : self.bottom, self.left : self.right]


def rect_around(x_px: float, y_px: float, reach_x_px: float, reach_y_px: float) -> Rect:
    """Return the smallest rectangle of whole pixels that holds everything within the given reach of
    a point.
    """
    return Rect(
        math.floor(x_px - reach_x_px),
        math.floor(y_px - reach_y_px),
        math.ceil(x_px + reach_x_px) + 1,
        math.ceil(y_px + reach_y_px) + 1,
    )


@dataclass(frozen=True, slots=True)
class ChannelMix:
    """The mix of luminance and colour differences in which a set's coins stand out best from this
    table.

    Coins are brighter than their surroundings in this mix, by `contrast` grey levels.
    """

    y: float = 1.0
    u: float = 0.0
    v: float = 0.0
    contrast: float = 40.0

    @property
    def needs_colour(self) -> bool:
        """Whether the mix uses the colour differences."""
        return abs(self.u) + abs(self.v) > 0.0

    def plain(self) -> ChannelMix:
        """Return the luminance alone if colour adds little to the mix, because luminance takes less
        time. Otherwise return the mix itself.
        """
        return (
            ChannelMix(1.0, 0.0, 0.0, self.contrast)
            if self.y > 0 and abs(self.u) + abs(self.v) < LITTLE_COLOUR * self.y
            else self
        )


@dataclass(frozen=True, slots=True)
class Picture:
    """One frame: `luma` (h, w) uint8, and the colour differences `u` and `v` (full or half size
    along each axis; None without colour).
    """

    luma: Bytes
    u: Bytes | None = None
    v: Bytes | None = None

    @property
    def seen(self) -> Picture:
        """Return the frame before its light was corrected."""
        return self

    @property
    def taken(self) -> Picture:
        """Return the frame as the camera took it, before its motion was removed."""
        return self

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return int(self.luma.shape[1])

    @property
    def height(self) -> int:
        """Return the number of rows."""
        return int(self.luma.shape[0])

    @property
    def has_colour(self) -> bool:
        """Whether the picture has colour differences."""
        return self.u is not None and self.v is not None

    def luma_in(self, rect: Rect) -> Bytes:
        """Return the luminance inside `rect`, uint8 (rows, columns)."""
        return rect.of(self.luma)

    def planes(self, rect: Rect) -> tuple[Bytes, ...]:
        """Return the part of every plane inside `rect`: the luminance, and with colour U and V at
        their own size, rounded outward. For a `Picture` these are views.
        """
        luma = rect.of(self.luma)
        if self.u is None or self.v is None:
            return (luma,)
        part = self.part_of_colour(rect)
        return (luma, part.of(self.u), part.of(self.v))

    def mixed(self, rect: Rect, channel_mix: ChannelMix) -> Floats:
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

    def channels(self, rect: Rect) -> Floats:
        """Return luminance and, where the picture has colour, both colour differences inside
        `rect` (rows, columns, 1 or 3), float32. `rect` must lie within the picture.
        """
        merged = np.asarray(self._merged(rect), dtype=np.float32)
        return merged.reshape(*merged.shape[:2], -1)

    def _merged(self, rect: Rect) -> Bytes:
        planes = [rect.of(self.luma)]
        if self.u is not None and self.v is not None:
            part = self._colour_part(rect)
            planes += [self._spread(part.of(p), part, rect) for p in (self.u, self.v)]
        return np.asarray(cv2.merge(planes), dtype=np.uint8)

    def bgr(self, rect: Rect) -> Bytes | None:
        """Return the pixels inside `rect` in colour, uint8 (rows, columns, 3), blue first; None
        if the picture has no colour.

        The conversion is full-range BT.601, which is close enough to distinguish faces.
        """
        if not self.has_colour:
            return None
        return np.asarray(cv2.cvtColor(self._merged(rect), cv2.COLOR_YUV2BGR), dtype=np.uint8)

    def small(self, channel_mix: ChannelMix, shrink: int) -> Bytes:
        """Return the frame in a channel mix, uint8, shrunk by the factor `shrink`. Without colour
        in the mix or in the frame, this is the luminance.
        """
        return self.coloured(self.small_luma(shrink), channel_mix)

    def small_luma(self, shrink: int) -> Bytes:
        """Return the luminance shrunk by the factor `shrink`, uint8."""
        return shrunk(self.luma, shrink)

    def coloured(self, luma: Bytes, channel_mix: ChannelMix) -> Bytes:
        """Return a small copy in a channel mix, uint8. `luma` is its luminance. Middle grey stays
        middle grey; else a mix of little luminance would make brown tables and all hands black.
        """
        size = (luma.shape[1], luma.shape[0])
        colours = self.small_colours(size) if channel_mix.needs_colour else None
        if colours is None:
            return luma
        u, v = colours
        # Bytes take a third of the time of floats. Until the end, 128 stands for no colour.
        colour = cv2.addWeighted(
            u,
            channel_mix.u,
            v,
            channel_mix.v,
            NO_COLOUR - NO_COLOUR * (channel_mix.u + channel_mix.v),
        )
        return np.asarray(
            cv2.addWeighted(luma, channel_mix.y, colour, 1.0, -NO_COLOUR * channel_mix.y),
            dtype=np.uint8,
        )

    def small_colours(self, size: tuple[int, int]) -> tuple[Bytes, Bytes] | None:
        """Return both colour differences shrunk to a size (columns, rows); None without colour."""
        if self.u is None or self.v is None:
            return None
        u, v = (
            np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
            for plane in (self.u, self.v)
        )
        return u, v

    def hue(self, rect: Rect) -> tuple[float, float] | None:
        """Return the mean colour differences (blue, red) inside a rectangle, divided by its mean
        luminance. These ratios are the same in light and in shade. None without colour.
        """
        if self.u is None or self.v is None or rect.empty:
            return None
        part = self._colour_part(rect)
        parts = (rect.of(self.luma), part.of(self.u), part.of(self.v))
        luma, u, v = (cv2.sumElems(p)[0] / p.size for p in parts)  # in a fifth of np.mean's time
        return (u - NO_COLOUR) / max(luma, 1.0), (v - NO_COLOUR) / max(luma, 1.0)

    def colour_step(self) -> tuple[int, int]:
        """Return how many luminance pixels, across and down, share one pixel of the colour planes:
        1 or 2, for odd sizes too.
        """
        return (
            (1, 1)
            if self.u is None
            else (round(self.width / self.u.shape[1]), round(self.height / self.u.shape[0]))
        )

    def part_of_colour(self, rect: Rect) -> Rect:
        """Return the rectangle of the colour planes that covers `rect`."""
        x, y = self.colour_step()
        return Rect(rect.left // x, rect.top // y, -(-rect.right // x), -(-rect.bottom // y))

    def _colour_part(self, rect: Rect) -> Rect:
        """Return the rectangle of the colour planes that covers `rect`, and one pixel more on each
        side.
        """
        assert self.u is not None
        part = self.part_of_colour(rect)
        more = Rect(part.left - 1, part.top - 1, part.right + 1, part.bottom + 1)
        return more.within(self.u.shape[1], self.u.shape[0])

    def _spread(self, colour: NDArray[_Colour], part: Rect, rect: Rect) -> NDArray[_Colour]:
        """Enlarge `colour`, the rectangle `part` of a colour plane, to the luminance's resolution,
        and return it for `rect`. A colour sample lies in the middle of the pixels that share it.
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
        """Return a copy with pixels of its own."""
        return Picture(
            self.luma.copy(),
            None if self.u is None else self.u.copy(),
            None if self.v is None else self.v.copy(),
        )


def shrunk(luma: Bytes, by: int) -> Bytes:
    """Shrink the luminance by the factor `by` (1, 2 or 4) in width and height. Each pixel becomes
    the mean of `by` x `by` pixels.

    Halving twice is eight times as fast in OpenCV as dividing by four.
    """
    small = luma
    for _ in range(by.bit_length() - 1):
        small = np.asarray(
            cv2.resize(
                small, (small.shape[1] // 2, small.shape[0] // 2), interpolation=cv2.INTER_AREA
            ),
            dtype=np.uint8,
        )
    return small


def different(a: Bytes, b: Bytes, mask: Bytes, step: float) -> Bytes:
    """Return a mask of where two small copies differ by more than `step` grey levels, inside `mask`
    (255 there, 0 elsewhere).
    """
    _, apart = cv2.threshold(cv2.absdiff(a, b), step, 255, cv2.THRESH_BINARY)
    return np.asarray(cv2.bitwise_and(apart, mask), dtype=np.uint8)


def picture_from_bgr(bgr: Bytes) -> Picture:
    """Convert a picture (h, w, 3) in OpenCV's colour order to luminance and colour differences
    (BT.601).
    """
    y, u, v = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV))
    return Picture(
        np.asarray(y, dtype=np.uint8), np.asarray(u, dtype=np.uint8), np.asarray(v, dtype=np.uint8)
    )
