"""A picture as the camera would have taken it if it had not turned since its reference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Camera
from calibration.lens.camera_change import CameraChange, moved_pixels
from referee.vision.alignment.computed_picture import ComputedPicture
from referee.vision.image.picture import Bytes, ChannelMix, Floats, Picture, Rect, shrunk

GRID_PX: Final = 32  # Chosen: the step of the grid on which the motion is computed
# Chosen: interpolating a rectangle's colours needs the pixels this far around it
AROUND_PX: Final = 4


@dataclass(frozen=True)
class ShiftField:
    """How far a change of the camera moves the pixels of a picture: `shift_px` (rows, columns, 2)
    at the points of a grid that begins half a cell outside the picture.
    """

    shift_px: Floats
    _small: dict[tuple[int, int, int, int], tuple[Floats, Floats]] = field(default_factory=dict)

    @staticmethod
    def of(camera: Camera, change: CameraChange) -> ShiftField:
        """Return how a change of the camera moves what it sees."""
        columns, rows = -(-camera.width // GRID_PX) + 2, -(-camera.height // GRID_PX) + 2
        x, y = np.meshgrid(np.arange(columns, dtype=float), np.arange(rows, dtype=float))
        first = GRID_PX / 2 - 0.5 - GRID_PX
        points = np.column_stack((x.ravel(), y.ravel())) * GRID_PX + first
        shift = moved_pixels(camera, change, points) - points
        return ShiftField(shift.reshape(rows, columns, 2).astype(np.float32))

    def seen_at(self, rect: Rect, step: tuple[int, int]) -> tuple[Floats, Floats]:
        """Return the columns and the rows (h, w) of a plane at which the turned camera sees each
        pixel of the rectangle `rect` of that plane. `step` is how many pixels of the picture,
        across and down, share one pixel of the plane.
        """
        size = (rect.right - rect.left, rect.bottom - rect.top)
        begin = [
            ((at + 0.5) * k - 0.5 + GRID_PX / 2 + 0.5) / GRID_PX
            for at, k in zip((rect.left, rect.top), step, strict=True)
        ]
        affine = np.array([[step[0] / GRID_PX, 0, begin[0]], [0, step[1] / GRID_PX, begin[1]]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        shift = cv2.warpAffine(self.shift_px, affine, size, flags=flags)
        x = shift[..., 0] / np.float32(step[0]) + np.arange(rect.left, rect.right, dtype=np.float32)
        y = shift[..., 1] / np.float32(step[1])
        y += np.arange(rect.top, rect.bottom, dtype=np.float32)[:, None]
        return np.asarray(x, dtype=np.float32), np.asarray(y, dtype=np.float32)

    def sampled(
        self, plane: NDArray[Any], under: NDArray[Any], rect: Rect, step: tuple[int, int]
    ) -> Bytes:
        """Return a rectangle of a plane as it was before the turn. Where the turned camera does not
        see it, the values come from `under`, a plane of the same rectangle.
        """
        # Linear sampling blurs sharp edges so much that they differ from the background.
        sampling = cv2.INTER_CUBIC if step == (1, 1) else cv2.INTER_LINEAR
        x, y = self.seen_at(rect, step)
        out = cv2.remap(plane, x, y, sampling, under.copy(), borderMode=cv2.BORDER_TRANSPARENT)
        return np.asarray(out, dtype=np.uint8)

    def small(self, plane: Bytes, under: Bytes, by: tuple[int, int], k: tuple[int, int]) -> Bytes:
        """Shrink a plane by the factors `by`, across and down, and return it as it was before the
        turn. Where the turned camera does not see it, the values come from `under`. A pixel of the
        returned plane stands for `k` pixels of the picture, across and down. A mean over so many
        pixels is smooth, so linear sampling is exact enough.
        """
        means = cv2.blur(plane, by)
        step = (by[0] * k[0], by[1] * k[1])
        key = (under.shape[1], under.shape[0], *step)  # luminance and colours use the same grid
        if key not in self._small:
            self._small[key] = self.seen_at(Rect(0, 0, *key[:2]), step)
        x, y = self._small[key]
        # With an even size, `cv2.blur` gives the mean around the edge before a pixel.
        x, y = ((at + 0.5) * n - 0.5 * (n % 2) for at, n in zip((x, y), by, strict=True))
        mode = cv2.BORDER_TRANSPARENT
        out = cv2.remap(means, x, y, cv2.INTER_LINEAR, under.copy(), borderMode=mode)
        return np.asarray(out, dtype=np.uint8)


class UnmovedPicture(ComputedPicture):
    """A picture as the camera would have taken it if it had not turned since its reference."""

    _taken: Picture
    _before: Picture
    _field: ShiftField

    def __init__(self, taken: Picture, before: Picture, shifts: ShiftField) -> None:
        """Keep the picture as it was `taken`, a picture from `before` the turn for the parts that
        are not seen now, and how far the turn moves each pixel.
        """
        self.__dict__.update(_taken=taken, _before=before, _field=shifts)

    @property
    def taken(self) -> Picture:
        """Return the frame as the camera took it, before its motion was removed."""
        return self._taken

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return self._taken.width

    @property
    def height(self) -> int:
        """Return the number of rows."""
        return self._taken.height

    @property
    def has_colour(self) -> bool:
        """Whether both pictures have colour differences."""
        return self._taken.has_colour and self._before.has_colour

    def colour_step(self) -> tuple[int, int]:
        """Return how many luminance pixels share one pixel of the colour planes."""
        return self._taken.colour_step()

    def luma_in(self, rect: Rect) -> Bytes:
        """Return the luminance inside `rect`, as `Picture.luma_in` does."""
        return self._field.sampled(self._taken.luma, self._before.luma_in(rect), rect, (1, 1))

    def planes(self, rect: Rect) -> tuple[Bytes, ...]:
        """Return the part of every plane inside `rect`, as `Picture.planes` does."""
        steps = ((1, 1), self.colour_step(), self.colour_step())
        part = self.part_of_colour(rect)
        taken = (self._taken.luma, self._taken.u, self._taken.v)
        return tuple(
            self._field.sampled(plane, under, where, step)
            for plane, under, where, step in zip(
                taken, self._before.planes(rect), (rect, part, part), steps, strict=False
            )
            if plane is not None
        )

    def mixed(self, rect: Rect, channel_mix: ChannelMix) -> Floats:
        """Return the values inside `rect` in the channel mix, as `Picture.mixed` does."""
        part, inner = self._around(rect)
        return part.mixed(inner, channel_mix)

    def channels(self, rect: Rect) -> Floats:
        """Return luminance and colour differences inside `rect`, as `Picture.channels` does."""
        part, inner = self._around(rect)
        return part.channels(inner)

    def bgr(self, rect: Rect) -> Bytes | None:
        """Return the pixels inside `rect` in colour, as `Picture.bgr` does."""
        part, inner = self._around(rect)
        return part.bgr(inner)

    def hue(self, rect: Rect) -> tuple[float, float] | None:
        """Return the mean colour differences over the mean luminance, as `Picture.hue` does."""
        if rect.empty or not self.has_colour:
            return None
        part, inner = self._around(rect)
        return part.hue(inner)

    def small_luma(self, shrink: int) -> Bytes:
        """Return the small copy of the luminance, as `Picture.small_luma` does."""
        under = shrunk(self._before.luma, shrink)
        return self._field.small(self._taken.luma, under, (shrink, shrink), (1, 1))

    def small_colours(self, size: tuple[int, int]) -> tuple[Bytes, Bytes] | None:
        """Return both colour differences shrunk to a size, as `Picture.small_colours` does."""
        under, taken = self._before.small_colours(size), (self._taken.u, self._taken.v)
        if under is None or taken[0] is None or taken[1] is None:
            return None
        by = (round(taken[0].shape[1] / size[0]), round(taken[0].shape[0] / size[1]))
        u, v = (
            self._field.small(plane, less, by, self.colour_step())
            for plane, less in zip(taken, under, strict=True)
            if plane is not None
        )
        return u, v

    def _around(self, rect: Rect) -> tuple[Picture, Rect]:
        """Return a part of the picture that is a little larger than a rectangle, and where the
        rectangle lies in that part.
        """
        more = Rect(
            (rect.left - AROUND_PX) // AROUND_PX * AROUND_PX,
            (rect.top - AROUND_PX) // AROUND_PX * AROUND_PX,
            rect.right + AROUND_PX,
            rect.bottom + AROUND_PX,
        ).within(self.width, self.height)
        return Picture(*self.planes(more)), rect.inside(more)
