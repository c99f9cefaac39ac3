"""The background model: the table without anything that moves. Every frame is compared with this
model.

Frames are compared as small copies (a quarter of the width and height where coins are large
enough). Comparing small copies averages noise and saves time. Only parts of a frame are examined at
full size. The background includes the coins at rest. When a coin starts to move, it is removed from
the background, so that its old place does not look like something that moves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import Point
from referee.vision.image.disc import ProjectedDisc, filled_share
from referee.vision.image.picture import Bytes, ChannelMix, Picture, Rect

Flags = NDArray[np.bool_]

# Tuned on our own clips, except where a comment gives another source for a number.

AROUND_TABLE_MM: Final = 25.0  # how far beyond the table's edge a falling coin is still followed
# A frame differs from the background where the difference is more than this many noise steps. The
# number is above 1 because the light drifts a little.
DIFFERENT_STEP: Final = 1.4
# the width of the ring around a removed disc from which the table under it is estimated
INPAINTED_FROM_MM: Final = 6.0


@dataclass
class Background:
    """The background at full size (`picture`) and as a small copy (`small`, shrunk by the factor
    `shrink`). One background is kept for the whole match, and coins that come to rest are added to
    it.
    """

    picture: Picture
    small: Bytes
    channel_mix: ChannelMix
    shrink: int
    _luma: Bytes | None = None
    _half: Bytes | None = None
    _readers: list[tuple[Rect, Callable[[], None]]] = field(default_factory=list)
    _taken_out: dict[Point, tuple[Rect, Flags, tuple[Bytes, ...]]] = field(default_factory=dict)

    @staticmethod
    def of(picture: Picture, channel_mix: ChannelMix, shrink: int) -> Background:
        """Make a background from a copy of one frame."""
        copy = picture.copy()
        luma = copy.small_luma(shrink)
        return Background(copy, copy.coloured(luma, channel_mix), channel_mix, shrink, luma)

    def copy(self) -> Background:
        """Return a copy with pixels of its own."""
        taken_out = {**self._taken_out}
        return replace(self, picture=self.picture.copy(), _readers=[], _taken_out=taken_out)

    def before_change(self, rect: Rect, read: Callable[[], None]) -> None:
        """Register a function `read`, which is called once, before the first change of a pixel in
        `rect`.
        """
        self._readers.append((rect, read))

    def _will_change(self, rect: Rect) -> None:
        due = [read for around, read in self._readers if not around.inside(rect).empty]
        self._readers = [(r, read) for r, read in self._readers if r.inside(rect).empty]
        for read in due:
            read()

    @property
    def luma(self) -> Bytes:
        """Return the small copy of the luminance."""
        if self._luma is None:
            self._luma = self.picture.small_luma(self.shrink)
        return self._luma

    @property
    def half(self) -> Bytes:
        """Return the luminance at half the size of the small copy."""
        if self._half is None:
            height, width = self.small.shape
            self._half = _resized(self.picture.luma, width // 2, height // 2)
        return self._half

    def take_out_disc(self, spot: ProjectedDisc, radius_mm: float) -> None:
        """Remove a disc: replace its pixels by an estimate from their surroundings."""
        rect = spot.rect(radius_mm + INPAINTED_FROM_MM)
        rect = rect.within(self.picture.width, self.picture.height)
        if not rect.empty:
            hole, planes = filled_share(spot, rect, radius_mm) > 0, self.picture.planes(rect)
            own = tuple(plane.copy() for plane in planes)
            self._taken_out.setdefault(spot.at_mm, (rect, hole, own))
            self.take_out(rect, hole.astype(np.uint8))

    def put_back(self, places_mm: Collection[Point]) -> None:
        """Show again what `take_out_disc` removed from some places, unless a frame has been copied
        there since. What was removed last comes back first, because what it hid includes estimates
        made under earlier discs that it overlaps.
        """
        for at_mm in [at for at in reversed(self._taken_out) if at in places_mm]:
            rect, hole, planes = self._taken_out.pop(at_mm)
            self._write(rect, planes, hole)

    def take_out(self, rect: Rect, hole: Bytes) -> None:
        """Replace the pixels of `rect` where the mask `hole` is set by an estimate from their
        surroundings (inpainting by Telea's method).
        """
        self._will_change(rect)
        for view in self.picture.planes(rect):
            mask = (
                cv2.resize(hole, (view.shape[1], view.shape[0]), interpolation=cv2.INTER_NEAREST)
                if view.shape[:2] != hole.shape
                else hole
            )
            view[...] = cv2.inpaint(np.ascontiguousarray(view), mask, 4, cv2.INPAINT_TELEA)
        self._shrink_again(rect)

    def take_over_disc(self, picture: Picture, spot: ProjectedDisc, radius_mm: float) -> None:
        """Copy the pixels of a disc from a frame into the background."""
        rect = spot.rect(radius_mm).within(picture.width, picture.height)
        self.take_over(picture, rect, filled_share(spot, rect, radius_mm) > 0.5)

    def take_over(self, picture: Picture, rect: Rect, where: Flags) -> None:
        """Copy the pixels of `rect` from a frame into the background where the mask `where` (rows
        and columns of `rect`) is set.
        """
        kept = (one for one in self._taken_out.items() if one[1][0].inside(rect).empty)
        self._taken_out = dict(kept)
        self._write(rect, picture.planes(rect), where)

    def _write(self, rect: Rect, planes: Iterable[Bytes], where: Flags) -> None:
        """Write planes of the size of `rect` into the background where the mask is set."""
        self._will_change(rect)
        for view, new in zip(self.picture.planes(rect), planes, strict=True):
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

    def take_over_small(self, picture: Picture, box: Rect, where: Bytes) -> None:
        """Copy pixels from a frame into the background where the mask `where` is not 0. The mask
        covers `box`, a rectangle of the small copy.
        """
        x, y, w, h = cv2.boundingRect(where)
        left, top = box.left + x, box.top + y
        rect = Rect(left, top, left + w, top + h).times(self.shrink)
        rect = rect.within(picture.width, picture.height)
        size = (rect.right - rect.left, rect.bottom - rect.top)
        cut = cv2.resize(where[y : y + h, x : x + w], size, interpolation=cv2.INTER_NEAREST)
        self.take_over(picture, rect, cut > 0)

    def _shrink_again(self, rect: Rect) -> None:
        """Compute the small copy again inside `rect`, which has changed."""
        picture, k = self.picture, self.shrink
        block = 2 * k  # a whole number of pixels both in the small copy and in the colour planes
        if k == 1 or picture.width % block or picture.height % block:
            self.small, self._luma, self._half = picture.small(self.channel_mix, k), None, None
            return
        part = Rect(
            rect.left // block * block,
            rect.top // block * block,
            -(-rect.right // block) * block,
            -(-rect.bottom // block) * block,
        )
        cut = Picture(*self.picture.planes(part))
        own = Rect(part.left // k, part.top // k, part.right // k, part.bottom // k)
        self.small = self.small.copy()
        own.of(self.small)[...] = cut.small(self.channel_mix, k)
        if self._luma is not None:
            self._luma = self._luma.copy()
            own.of(self._luma)[...] = cut.small_luma(k)
        if self._half is not None:
            rows, columns = (side // block for side in cut.luma.shape)
            self._half, left, top = self._half.copy(), part.left // block, part.top // block
            there = Rect(left, top, left + columns, top + rows).of(self._half)
            there[...] = _resized(cut.luma, columns, rows)


def _resized(luma: Bytes, width: int, height: int) -> Bytes:
    """Return a luminance resized to `width` x `height`. If `width` and `height` divide the original
    size, each pixel is the mean of a block.
    """
    size = (width, height)
    return np.asarray(cv2.resize(luma, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def watched(table: SurveyedTable, width: int, height: int, shrink: int) -> Bytes:
    """Return the mask of the watched part of the small copy: the table and a margin beyond its
    edge. Without a known edge, the whole picture is watched.
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
