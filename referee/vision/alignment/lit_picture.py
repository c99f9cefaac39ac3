"""A frame as it would look in the light of another frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.alignment.computed_picture import ComputedPicture
from referee.vision.image.picture import NO_COLOUR, Bytes, ChannelMix, Floats, Picture, Rect

# By definition: luminance, U and V, each as a channel mix, and with its value in a grey pixel.
CHANNELS: Final = (
    (ChannelMix(), 0.0),
    (ChannelMix(0.0, 1.0), NO_COLOUR),
    (ChannelMix(0.0, 0.0, 1.0), NO_COLOUR),
)


@dataclass(frozen=True)
class LightChange:
    """How the light of a frame differs from the reference. `means` are the mean luminances of the
    frame's blocks, with black as 0, and `kept` marks the blocks that nothing covers. `gain` is the
    factor by which each pixel of the small copy must be multiplied to look as before; None if it is
    1 everywhere. `rise` is by how much U and V rose for each grey level of luminance.
    """

    means: Floats
    kept: NDArray[np.bool_]
    gain: Floats | None
    rise: tuple[float, float]

    @property
    def differs(self) -> bool:
        """Whether the frame must be changed at all to show it in the light of the reference."""
        return self.gain is not None or self.rise != (0.0, 0.0)


class RelitPicture(ComputedPicture):
    """A frame as it would look in the light of a reference."""

    _seen: Picture
    _luma: Bytes
    _change: LightChange
    _black: float
    _made: tuple[ChannelMix, Bytes] | None  # the small copy

    def __init__(self, seen: Picture, luma: Bytes, change: LightChange, black: float) -> None:
        """Keep the frame with the small copy of its luminance and the change of its light. `black`
        is the luminance of black.
        """
        self.__dict__.update(_seen=seen, _luma=luma, _change=change, _black=black, _made=None)

    @property
    def seen(self) -> Picture:
        """Return the frame before its light was corrected."""
        return self._seen

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return self.seen.width

    @property
    def height(self) -> int:
        """Return the number of rows."""
        return self.seen.height

    @property
    def has_colour(self) -> bool:
        """Whether the frame has colour differences."""
        return self.seen.has_colour

    def luma_in(self, rect: Rect) -> Bytes:
        """Return the luminance inside `rect`, as `Picture.luma_in` does."""
        seen = self.seen.luma_in(rect)
        if self._gain is None:
            return seen
        gain = self._gain_in(rect)
        scaled = cv2.multiply(seen, gain, dtype=cv2.CV_32F)
        lit = cv2.addWeighted(scaled, 1.0, gain, -self._black, self._black, dtype=cv2.CV_8U)
        return np.asarray(lit, dtype=np.uint8)

    def planes(self, rect: Rect) -> tuple[Bytes, ...]:
        """Return the part of every plane inside `rect`, as `Picture.planes` does."""
        if not self._change.differs:
            return self.seen.planes(rect)
        x, y = self.seen.colour_step()
        part = self.seen.part_of_colour(rect)
        around = Rect(x * part.left, y * part.top, x * part.right, y * part.bottom)
        around = around.within(self.width, self.height)
        planes = self.seen.planes(around)
        gain = None if self._gain is None else self._gain_in(around)
        luma, *colours = (
            self._undone(
                plane,
                sized(planes[0], plane.shape),
                None if gain is None else sized(gain, plane.shape),
                channel,
                no_colour,
                depth=cv2.CV_8U,
            )
            for plane, (channel, no_colour) in zip(planes, CHANNELS, strict=False)
        )
        return (rect.inside(around).of(luma), *colours)

    def channels(self, rect: Rect) -> Floats:
        """Return luminance and colour differences inside `rect`, as `Picture.channels` does."""
        values = self.seen.channels(rect)
        if not self._change.differs:
            return values
        planes = [np.asarray(plane) for plane in cv2.split(values)]
        luma = planes[0].astype(np.uint8)
        gain = None if self._gain is None else self._gain_in(rect)
        undone = [
            self._undone(plane, luma, gain, channel, no_colour)
            for plane, (channel, no_colour) in zip(planes, CHANNELS, strict=False)
        ]
        return np.asarray(cv2.merge(undone), dtype=np.float32).reshape(values.shape)

    def mixed(self, rect: Rect, channel_mix: ChannelMix) -> Floats:
        """Return the values inside `rect` in the channel mix, as `Picture.mixed` does."""
        values = self.seen.mixed(rect, channel_mix)
        if not self._change.differs:
            return values
        no_colour = (
            NO_COLOUR * (channel_mix.u + channel_mix.v) if self._in_colour(channel_mix) else 0
        )
        gain = None if self._gain is None else self._gain_in(rect)
        rises = self._change.rise != (0.0, 0.0) and self._in_colour(channel_mix)
        luma = self.seen.luma_in(rect) if rises else None
        return self._undone(values, luma, gain, channel_mix, no_colour)

    def bgr(self, rect: Rect) -> Bytes | None:
        """Return the pixels inside `rect` in colour, as `Picture.bgr` does."""
        if not (self.has_colour and self._change.differs):
            return self.seen.bgr(rect)
        planes = _bytes(self.channels(rect))
        return np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR), dtype=np.uint8)

    def small(self, channel_mix: ChannelMix, shrink: int) -> Bytes:
        """Return the small copy in the channel mix, as `Picture.small` does."""
        if self._made is not None and self._made[0] == channel_mix:
            return self._made[1]
        coloured = self._in_colour(channel_mix)
        values = self.seen.coloured(self._luma, channel_mix)
        if self._change.differs:
            # without colour, `coloured` gives the luminance, even if coins are darker in it
            mix = channel_mix if coloured else CHANNELS[0][0]
            no_colour = NO_COLOUR * (1 - channel_mix.y) if coloured else 0.0
            undone = (values, self._luma, self._gain, mix, no_colour)
            values = self._undone(*undone, depth=cv2.CV_8U)
        self.__dict__["_made"] = (channel_mix, values)
        return values

    def small_luma(self, shrink: int) -> Bytes:
        """Return the small copy of the luminance, as `Picture.small_luma` does."""
        if self._gain is None:
            return self._luma
        return _bytes(self._undone(self._luma, None, self._gain, CHANNELS[0][0], 0.0))

    def hue(self, rect: Rect) -> tuple[float, float] | None:
        """Return the mean colour differences over the mean luminance, as `Picture.hue` does."""
        seen = self.seen.hue(rect)
        return (
            None
            if seen is None
            else (seen[0] - self._change.rise[0], seen[1] - self._change.rise[1])
        )

    def _in_colour(self, channel_mix: ChannelMix) -> bool:
        return channel_mix.needs_colour and self.has_colour

    def _undone(
        self,
        values: NDArray[Any],
        luma: Bytes | None,
        gain: Floats | None,
        channel_mix: ChannelMix,
        no_colour: float,
        depth: int = cv2.CV_32F,
    ) -> NDArray[Any]:
        """Remove the change of light from values in a channel mix, and return them: float32, or
        with the `depth` `cv2.CV_8U` whole grey levels from 0 to 255.

        `luma` is the luminance of the same pixels before the correction (None if U and V did not
        rise), and `gain` the factor by which they must be multiplied. `no_colour` is what the
        colour differences of a grey pixel add to its value in the mix.
        """
        rise = channel_mix.u * self._change.rise[0] + channel_mix.v * self._change.rise[1]
        lit = values
        if luma is not None and rise != 0.0 and self._in_colour(channel_mix):
            last = depth if gain is None else cv2.CV_32F
            lit = cv2.addWeighted(values, 1.0, luma, -rise, rise * self._black, dtype=last)
        if gain is not None:
            fixed = channel_mix.y * self._black + no_colour
            # (lit - fixed) * gain + fixed in one pass over the pixels
            scaled = cv2.multiply(lit, gain, dtype=cv2.CV_32F)
            lit = cv2.addWeighted(scaled, 1.0, gain, -fixed, fixed, dtype=depth)
        return np.asarray(lit, dtype=np.float32 if depth == cv2.CV_32F else np.uint8)

    @property
    def _gain(self) -> Floats | None:
        return self._change.gain

    def _gain_in(self, rect: Rect) -> Floats:
        """Return the gain for each pixel of a rectangle of the frame."""
        assert self._gain is not None
        k = self.width // self._luma.shape[1]
        left, top = ((edge + 0.5) / k - 0.5 for edge in (rect.left, rect.top))
        spread = cv2.warpAffine(
            self._gain,
            np.array([[1 / k, 0.0, left], [0.0, 1 / k, top]]),
            (rect.right - rect.left, rect.bottom - rect.top),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(spread, dtype=np.float32)


def spread(blocks: Floats, shape: tuple[int, ...]) -> Floats:
    """Return a smooth surface (h, w) through the blocks' middles."""
    size = (shape[1], shape[0])
    return np.asarray(cv2.resize(blocks, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def sized(values: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return values resampled to another shape (h, w)."""
    if values.shape == shape:
        return values
    return np.asarray(cv2.resize(values, (shape[1], shape[0]), interpolation=cv2.INTER_AREA))


def _bytes(values: Floats) -> Bytes:
    """Round to whole grey levels, 0 to 255."""
    return np.asarray(cv2.addWeighted(values, 1.0, values, 0.0, 0.0, dtype=cv2.CV_8U), np.uint8)
