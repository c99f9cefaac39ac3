"""Finds how the light has changed since a reference frame, and removes that change from later
frames.

A shadow, a lamp or another exposure multiplies the brightness by a smooth factor, and the texture
stays. A hand or a coin replaces the texture. So the factor is measured in blocks about as wide as a
coin. Where the factor does not explain a block's pixels, something covers the block, and the
surrounding blocks give its factor. A median over blocks keeps the edge of a shadow and leaves out a
coin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import COMPRESSION_LEVELS, DARK_LEVELS, NOISE_LEVELS
from referee.domain.geometry import Point
from referee.vision.alignment.lit_picture import LightChange, RelitPicture, sized, spread
from referee.vision.image.picture import FULL, NO_COLOUR, Bytes, Floats, Picture, shrunk

LIMITED_BLACK: Final = 16.0  # By definition: the luminance of black in limited range
# If only the light changed, the factor explains a block's pixels as well as those of most blocks:
# its mean residual is at most this many times the lower quartile of all blocks' residuals.
# Measured: on footage a, c and d under shadows of 25 % and bands, 95 of 100 blocks are within 3
# times, those under hands and sleeves at 7 and more.
KEPT_OVER_QUARTILE: Final = 4.0
LEAST_QUARTILE: Final = 0.25  # By definition: the residual, in grey levels, that rounding causes
# Tuned on our own clips: a block kept its texture if the texture is at least this many times as
# strong as the block's residual.
TEXTURE_OVER_RESIDUAL: Final = 2.0
MOST_CHANGE: Final = 4.0  # Chosen: light never changes by a larger factor between two rests
LEAST_SEEN: Final = 0.2  # Chosen: if less of the table is in sight, the light counts as unchanged
MEDIAN_BLOCKS: Final = 5  # Chosen: a coin, or its streak, fills less than half of 5 x 5 blocks
# Chosen: when nothing moves, the background is updated to a light that changed by more than this
# share, so that the noise of a dark frame is never amplified by much more.
FOLLOWED: Final = 0.05
# By definition: rounding hides a smaller rise of a colour difference, even on white.
LEAST_RISE: Final = 0.5 / FULL
EVERY_PIXEL: Final = 4  # Chosen: one row and column in this many is read for a mean colour
# Chosen: while nothing moves, camera and light drift so slowly that one frame in eight is enough.
HELD_FRAMES: Final = 8


@dataclass(frozen=True)
class LightReference:
    """The table as it looks in the reference light, to which later frames are corrected.

    `was` is the table's luminance above `black`, at half the size of the small copy. `blocks` are
    the means of `was` in blocks, and `texture` is the mean deviation of each block's pixels from a
    smooth surface. `watched` marks the blocks on the table. `colour` are the mean colour
    differences U and V of the blocks; None without colour.
    """

    was: Floats
    blocks: Floats
    texture: Floats
    watched: NDArray[np.bool_]
    colour: tuple[Floats, Floats] | None
    black: float

    @staticmethod
    def of(
        picture: Picture, half: Bytes, mask: Bytes, block_px: float, black: float
    ) -> LightReference:
        """Make the reference from a picture. `half` is its luminance at half the size of the small
        copy, `mask` the watched part of the small copy (255 there), and `block_px` the width of a
        block in pixels of the small copy.
        """
        shape = half.shape
        was = half.astype(np.float32) - np.float32(black)
        across = max(1, round(block_px / 2))  # resizing by a whole number is much faster
        rows, columns = (max(1, side // across) for side in shape)
        blocks = sized(was, (rows, columns))
        texture = sized(cv2.absdiff(was, spread(blocks, shape)), (rows, columns))
        watched = sized(mask, (rows, columns)) > 0
        return LightReference(was, blocks, texture, watched, _colour(picture, blocks.shape), black)

    def change(
        self, picture: Picture, luma: Bytes, now: Bytes, means: Floats, rise: Point | None = None
    ) -> LightChange:
        """Return how the light has changed in a frame.

        `luma` is the small copy of the frame's luminance, and `now` is `luma` at half the size.
        `means` are the mean luminances of the blocks of `now`, with black as 0. `rise` is that of
        `LightChange`, if it is known already; otherwise it is measured.
        """
        blocks, kept = self._gain(means, now)
        gain = None if blocks is None else spread(blocks, luma.shape)
        return LightChange(means, kept, gain, rise or self._rise(picture, means, kept))

    def _gain(self, means: Floats, now: Bytes) -> tuple[Floats | None, NDArray[np.bool_]]:
        """Return two things: the factor by which each block must be multiplied to look as before
        (None if that is 1 everywhere), and a mask of the blocks that nothing covers.
        """
        if self._is_same(means - self.blocks):
            return None, self.watched
        ratio: Floats = np.divide(means, np.maximum(self.blocks, 1.0), dtype=np.float32)
        lit = spread(ratio, self.was.shape)
        lit *= self.was
        lit += np.float32(self.black)
        residual = sized(cv2.absdiff(now.astype(np.float32), lit), means.shape)
        usual = max(_ranked(residual.ravel(), 0.25), LEAST_QUARTILE)
        kept = self._kept(ratio, residual, KEPT_OVER_QUARTILE * usual)
        if not self._shows_enough(kept):
            return None, kept
        factor = _smooth(_filled(ratio, kept))
        same = self._is_same((factor - 1) * self.blocks)
        gain: Floats = np.divide(1.0, factor, dtype=np.float32)
        return (None if same else gain), kept

    def _is_same(self, more: Floats) -> bool:
        """Return whether the light is the same: no part of the table larger than a coin has become
        brighter or darker by `NOISE_LEVELS` or more.
        """
        return not (
            _wide((more >= NOISE_LEVELS) & self.watched)
            or _wide((more <= -NOISE_LEVELS) & self.watched)
        )

    def _rise(
        self, picture: Picture, means: Floats, kept: NDArray[np.bool_]
    ) -> tuple[float, float]:
        """Return by how much the colour differences U and V rose for each grey level of luminance.
        U and V rise when the white balance changes.
        """
        lit = kept & (means > DARK_LEVELS) & (self.blocks > DARK_LEVELS)
        colour = _colour(picture.taken, means.shape)
        if colour is None or self.colour is None or not lit.any():
            return (0.0, 0.0)
        now, was = means[lit], self.blocks[lit]
        u, v = (
            _ranked(plane[lit] / now - before[lit] / was)
            for plane, before in zip(colour, self.colour, strict=True)
        )
        return (u, v) if max(abs(u), abs(v)) > LEAST_RISE else (0.0, 0.0)

    def _shows_enough(self, kept: NDArray[np.bool_]) -> bool:
        """Return whether enough of the table is in sight to measure how the light changed."""
        of_table, seen = np.count_nonzero(self.watched), np.count_nonzero(kept & self.watched)
        return of_table == 0 or bool(seen / of_table >= LEAST_SEEN)

    def _kept(self, ratio: Floats, residual: Floats, most: float) -> NDArray[np.bool_]:
        """Return the blocks in which only the light changed. The factor explains the pixels of each
        such block, and the block either kept its texture or is connected, through other blocks like
        it, to one that did.

        So the inside of a hand over a plain table does not count. A table without texture is
        recognised by size instead: connected blocks that make up more than half of it.
        """
        explained = (
            (residual < most)
            & (self.blocks > DARK_LEVELS)
            & (ratio < MOST_CHANGE)
            & (ratio > 1 / MOST_CHANGE)
        )
        textured = explained & (self.texture * np.minimum(ratio, 1) > TEXTURE_OVER_RESIDUAL * most)
        count, labels = cv2.connectedComponents(
            explained.view(np.uint8), connectivity=4, ltype=cv2.CV_16U
        )
        joined = np.zeros(count, np.bool_)  # label 0: pixels that the factor does not explain
        joined[labels[textured]] = True
        kept = joined.take(np.asarray(labels))
        if not self._shows_enough(kept):
            sizes = np.bincount(labels[self.watched], minlength=count)
            joined |= sizes > np.count_nonzero(self.watched) / 2
            joined[0] = False
            kept = joined.take(np.asarray(labels))
        return np.asarray(kept, dtype=np.bool_)


@dataclass
class Light:
    """Corrects the frames of one table to the light of its background.

    `mask` is the watched part of the small copy (255 there), `shrink` the factor by which a frame
    is shrunk to the small copy, and `block_px` the width of a block in pixels of the small copy,
    about that of a coin. `full_range` says that black has the luminance 0, not 16.
    """

    mask: Bytes
    block_px: float
    shrink: int
    full_range: bool
    _reference: tuple[Bytes, LightReference] | None = None
    _last: LightChange | None = None
    _changes: int = 0
    _small: tuple[Bytes, Bytes] | None = None
    _examined: Bytes | None = None
    _held: int = 0

    @property
    def changed(self) -> bool:
        """Whether the last frame's light differs so much that the background should be updated to
        it.
        """
        gain = None if self._last is None else self._last.gain
        return gain is not None and float(np.abs(gain - 1.0).max()) > FOLLOWED

    def unchanged(self, luma: Bytes, step: float) -> bool:
        """Return whether a frame shows the same as the last examined one: no pixel of the small
        copy differs by more than `step` grey levels, and noise alone explains the differences. If
        so, neither the camera's motion nor the light need be measured. `luma` (h, w) is the frame's
        luminance before any correction. Every eighth frame counts as changed.
        """
        small = shrunk(luma, self.shrink)
        self._small, self._held = (luma, small), self._held + 1
        before = self._examined if self._held < HELD_FRAMES else None
        if before is not None:
            most = cv2.norm(small, before, cv2.NORM_INF, self.mask)
            if most <= min(step, COMPRESSION_LEVELS) or (
                most <= step and self._same_means(small, before)
            ):
                return True
        self._examined, self._held = small, 0
        return False

    def _same_means(self, now: Bytes, before: Bytes) -> bool:
        """Return whether the brightness of a small copy changed nowhere over more than a coin's
        width. Noise changes single pixels, but hardly the means of blocks.
        """
        blocks = [max(1, round(side / self.block_px)) for side in now.shape]
        more = sized(now.astype(np.float32) - before, (blocks[0], blocks[1]))
        return not any(_wide(part) for part in (more >= NOISE_LEVELS, more <= -NOISE_LEVELS))

    def lit(
        self,
        picture: Picture,
        background: Picture,
        small: Bytes,
        half: Bytes | None = None,
        *,
        same: bool = False,
    ) -> RelitPicture:
        """Return a frame as it would look in the light of the background. `small` is the
        background's small copy: as long as it is the same array, the background is the same. `half`
        is the background's luminance at half that size, or None if it is not known. With `same`,
        the light of the previous frame is used again.
        """
        reference, last = self._reference, self._last
        black = 0.0 if self.full_range else LIMITED_BLACK
        if reference is None or reference[0] is not small:
            if half is None:
                half = sized(background.luma, (small.shape[0] // 2, small.shape[1] // 2))
            made = LightReference.of(background, half, self.mask, self.block_px, black)
            self._reference = reference = (small, made)
            last = None
        luma = self._small_luma(picture)
        if last is None or not same:
            half = sized(luma, reference[1].was.shape)
            means = sized(half.astype(np.float32), reference[1].blocks.shape) - np.float32(black)
            if last is None or self._changed_since(last, means):
                rise = None if last is None or self._changes % HELD_FRAMES == 0 else last.rise
                last = reference[1].change(picture, luma, half, means, rise)
        self._last = last
        return RelitPicture(picture, luma, last, black)

    def _small_luma(self, picture: Picture) -> Bytes:
        """Return the small copy of a picture's luminance. If the camera's motion need not be
        removed, return the copy that `unchanged` made.
        """
        if self._small is not None and picture.taken is picture and picture.luma is self._small[0]:
            return self._small[1]
        return picture.small_luma(self.shrink)

    def _changed_since(self, last: LightChange, means: Floats) -> bool:
        """Return whether the light must be measured again: the brightness changed where nothing
        covers the table, or it changed elsewhere, and this is one in `HELD_FRAMES` such frames.
        """
        more = means - last.means
        changed = [part for part in (more > NOISE_LEVELS, more < -NOISE_LEVELS) if _wide(part)]
        if not changed:
            return False
        self._changes += 1
        return self._changes % HELD_FRAMES == 0 or any(_wide(part & last.kept) for part in changed)


def _wide(changed: NDArray[np.bool_]) -> bool:
    """Return whether more of the table has changed than a coin or noise can change: most blocks of
    some square that is `MEDIAN_BLOCKS` wide. Where that is so, the median of that square has
    changed. Counting blocks takes a third of the time of computing medians.
    """
    if not np.count_nonzero(changed):
        return False
    most = MEDIAN_BLOCKS * MEDIAN_BLOCKS // 2
    square = (MEDIAN_BLOCKS, MEDIAN_BLOCKS)
    border = cv2.BORDER_REPLICATE
    counts = cv2.boxFilter(changed.view(np.uint8), -1, square, normalize=False, borderType=border)
    return cv2.minMaxLoc(counts)[1] > most


def _colour(picture: Picture, shape: tuple[int, ...]) -> tuple[Floats, Floats] | None:
    """Return the mean colour differences in blocks (rows, columns), 0 for grey, from every fourth
    pixel of every fourth row. None without colour.
    """
    if picture.u is None or picture.v is None:
        return None
    u, v = (
        sized(plane[::EVERY_PIXEL, ::EVERY_PIXEL], shape).astype(np.float32) - np.float32(NO_COLOUR)
        for plane in (picture.u, picture.v)
    )
    return u, v


def _ranked(values: Floats, share: float = 0.5) -> float:
    """Return the value below which a share of the values (n,) lies: the median for half. The
    function takes a third of the time of `np.percentile`.
    """
    place = int(share * len(values))
    return float(np.partition(values, place)[place])


def _filled(ratio: Floats, kept: NDArray[np.bool_]) -> Floats:
    """Return the ratio of every block. A block that is not kept takes the mean ratio of the kept
    blocks around it, else of those farther away, else the median of all kept blocks.
    """
    weight, left = kept.astype(np.float32), ~kept
    known = ratio * weight
    filled = ratio.copy()
    for width in (MEDIAN_BLOCKS, MEDIAN_BLOCKS**2):  # near it, or farther away
        if not left.any():
            return filled
        share = cv2.blur(weight, (width, width))
        near = left & (share > 0.5 / width**2)
        np.divide(cv2.blur(known, (width, width)), share, out=filled, where=near)
        left &= ~near
    if left.any():
        filled[left] = _ranked(ratio[kept])
    return filled


def _smooth(ratio: Floats) -> Floats:
    """Return the part of the blocks' ratios that the light causes: the median of each row times a
    median over blocks of the rest. Flickering mains light changes whole rows, because a camera
    reads its rows one after the other.
    """
    # a short row is sorted in half the time that finding its median takes
    rows = np.sort(ratio, axis=1)[:, ratio.shape[1] // 2, None]
    rest = cv2.medianBlur(np.ascontiguousarray(ratio / rows), MEDIAN_BLOCKS)
    return np.asarray(rows * rest, dtype=np.float32)
