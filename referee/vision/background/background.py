"""The background model: the scene as it is while nothing moves, with which every later frame is
compared.

All comparing is done on small copies (a quarter of the size where coins are large enough), in which
noise is averaged and cost is small; only parts of a frame are ever looked at in full. The
background holds the coins that lie still. A coin that starts to move is taken out of it, so that
its old place does not look like something that moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table.surveyed_table import SurveyedTable
from referee.vision.image.picture import Bytes, ChannelMix, Picture, Rect

# Tuned on our own clips, except where a comment says what stands behind a number.

AROUND_TABLE_MM: Final = 25.0  # a coin that falls is followed so far beyond the edge
NO_COLOUR: Final = 128.0  # the value of a colour difference where there is none
# a lasting difference from the background must be so much larger: light drifts a little
DIFFERENT_STEP: Final = 1.4


def shrunk(luma: Bytes, by: int) -> Bytes:
    """Shrink the luminance to a `by`-th (1, 2 or 4) of its width and height: each pixel is the mean
    of `by` x `by`.

    Halved twice: OpenCV's halving is eight times as fast as its division by four.
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


def small_copy(picture: Picture, channel_mix: ChannelMix, shrink: int) -> Bytes:
    """Return a frame in the channel mix in which coins stand out, uint8, at a `shrink`-th of its
    size. Where colour adds nothing, that mix is the luminance.
    """
    luma = shrunk(picture.luma, shrink)
    if picture.u is None or picture.v is None or not channel_mix.needs_colour:
        return luma
    size = (luma.shape[1], luma.shape[0])
    u, v = (
        cv2.resize(plane, size, interpolation=cv2.INTER_AREA) for plane in (picture.u, picture.v)
    )
    # In bytes throughout, no colour being 128 on the way: a third of what floats cost.
    colour = cv2.addWeighted(
        u, channel_mix.u, v, channel_mix.v, NO_COLOUR - NO_COLOUR * (channel_mix.u + channel_mix.v)
    )
    return np.asarray(
        cv2.addWeighted(
            luma, channel_mix.y, colour, 1.0, (255.0 if channel_mix.y < 0 else 0.0) - NO_COLOUR
        ),
        dtype=np.uint8,
    )


def different(a: Bytes, b: Bytes, mask: Bytes, step: float) -> Bytes:
    """Return 255 where two small copies differ by more than `step` inside the mask."""
    _, apart = cv2.threshold(cv2.absdiff(a, b), step, 255, cv2.THRESH_BINARY)
    return np.asarray(cv2.bitwise_and(apart, mask), dtype=np.uint8)


@dataclass
class Background:
    """The background: in full (`picture`) and small (`small`, a `shrink`-th of the size). It lives
    through the match and takes in what lies still.
    """

    picture: Picture
    small: Bytes
    channel_mix: ChannelMix
    shrink: int

    @staticmethod
    def of(picture: Picture, channel_mix: ChannelMix, shrink: int) -> Background:
        """Make a background from a copy of one frame."""
        copy = picture.copy()
        return Background(copy, small_copy(copy, channel_mix, shrink), channel_mix, shrink)

    def copy(self) -> Background:
        """The same in memory of its own."""
        return Background(self.picture.copy(), self.small, self.channel_mix, self.shrink)

    def take_out(self, rect: Rect, hole: Bytes) -> None:
        """Replace the pixels of `rect` where `hole` is set by an estimate from their surroundings
        (inpainting, Telea).
        """
        for plane, part in self._planes(rect):
            view = part.of(plane)
            mask = (
                cv2.resize(hole, (view.shape[1], view.shape[0]), interpolation=cv2.INTER_NEAREST)
                if view.shape[:2] != hole.shape
                else hole
            )
            view[...] = cv2.inpaint(np.ascontiguousarray(view), mask, 4, cv2.INPAINT_TELEA)
        self._shrink_again(rect)

    def take_over(self, picture: Picture, rect: Rect, where: NDArray[np.bool_]) -> None:
        """Copy the pixels of `rect` for which `where` (rows, columns of the rectangle) is set from
        a frame.
        """
        for plane, part in self._planes(rect):
            view, new = part.of(plane), part.of(self._like(picture, plane))
            mask = (
                cv2.resize(
                    where.astype(np.uint8),
                    (view.shape[1], view.shape[0]),
                    interpolation=cv2.INTER_NEAREST,
                )
                > 0
            )
            np.copyto(view, new, where=mask)
        self._shrink_again(rect)

    def _shrink_again(self, rect: Rect) -> None:
        """Update the small copy where `rect` changed."""
        picture, k = self.picture, self.shrink
        block = 2 * k  # whole pixels of the small copy and of the colours alike
        if k == 1 or picture.width % block or picture.height % block:
            self.small = small_copy(picture, self.channel_mix, k)
            return
        part = Rect(
            rect.left // block * block,
            rect.top // block * block,
            -(-rect.right // block) * block,
            -(-rect.bottom // block) * block,
        )
        cut = Picture(*(where.of(plane) for plane, where in self._planes(part)))
        small = self.small.copy()
        Rect(part.left // k, part.top // k, part.right // k, part.bottom // k).of(small)[...] = (
            small_copy(cut, self.channel_mix, k)
        )
        self.small = small

    def _like(self, picture: Picture, plane: Bytes) -> Bytes:
        """Return the other picture's plane (luminance or colour) that corresponds to one of
        ours.
        """
        if plane is self.picture.u and picture.u is not None:
            return picture.u
        return picture.v if plane is self.picture.v and picture.v is not None else picture.luma

    def _planes(self, rect: Rect) -> list[tuple[Bytes, Rect]]:
        """Return every plane with the rectangle in its own pixels."""
        x, y = self.picture.colour_step()
        part = Rect(rect.left // x, rect.top // y, -(-rect.right // x), -(-rect.bottom // y))
        colours = [plane for plane in (self.picture.u, self.picture.v) if plane is not None]
        return [(self.picture.luma, rect), *((plane, part) for plane in colours)]


def watched(table: SurveyedTable, width: int, height: int, shrink: int) -> Bytes:
    """Return the mask of the watched part of the picture, in the small copy: the table and a margin
    beyond its edge (all of it where no edge is known).
    """
    if not table.edge:
        return np.full((height, width), 255, np.uint8)
    step = 4
    columns, rows = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    px = np.column_stack((columns.ravel(), rows.ravel())) * shrink + (shrink - 1) / 2
    places = table.view.to_table(px.astype(np.float64)).astype(np.float32)
    outline = np.array(table.edge_mm, dtype=np.float32).reshape(-1, 1, 2)
    inside_mm = np.array(
        [cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in places],
        dtype=np.float32,
    ).reshape(rows.shape)
    spread = cv2.warpAffine(
        np.maximum(inside_mm, -1000),
        np.array([[1 / step, 0, 0], [0, 1 / step, 0]]),
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
    )
    return np.where(spread > -AROUND_TABLE_MM, 255, 0).astype(np.uint8)
