"""Sorts what differs from the background in one frame into hands and regions that may be coins. All
pixels in this module are pixels of the small copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import NEARLY_ALL
from referee.domain.geometry import Point
from referee.vision.background.parted_coins import parted_coins
from referee.vision.background.regions import Labels, Region, area_in, common, regions_of
from referee.vision.image.disc import ProjectedDisc
from referee.vision.image.picture import Bytes, Rect

# Tuned on our own clips, except where a comment gives another source for a number.

# As a share of a coin's area: a smaller region is noise or what is left of a moved coin's shadow.
SPECK_OF_COIN: Final = 0.12
# A region with a larger area than this many coins is a hand or its shadow. The streak of a coin at
# 3 m/s covers about four.
HAND_OVER_COIN: Final = 5.0
# Chosen: if several coins lay where a region is that touches no border, the region may be larger by
# this many coin areas for each coin but the first. A coin that moved changes two places: the one
# where it lay, and the one beside it where it lies now.
COINS_OF_COIN: Final = 2.0
# A region larger than this many coins is a hand if it touches the border of the watched part, where
# only a part of the hand may be seen. A coin-like part inside a hand's region is not a coin if it
# is larger than this.
PART_OVER_COIN: Final = 2.5
# A share of a coin's area. A smaller unexplained region is not a coin, and neither is a smaller
# coin-like part inside a hand's region. For a streak, the number is a share of the area that the
# coin sweeps.
LEAST_OF_COIN: Final = 0.45
# A hand that covers this share of a place's surroundings hides the place.
FULLY_COVERED_SHARE: Final = NEARLY_ALL


@dataclass(frozen=True)
class Foreground:
    """What differs from the background inside `box`: the binary image, the labels of its regions,
    the mask of the hand, and the regions that are not a hand (`small`).

    `light` returns an image that is nonzero where a pixel may belong to a coin: each of its bits
    stands for one way to recognise a coin's pixels. One small pixel stands for `shrink` x `shrink`
    pixels of the frame. The smallest coin covers `coin_px` small pixels, and the largest
    `largest_px`.
    """

    shrink: int
    box: Rect
    differs: Bytes
    regions: Labels
    hand: Bytes
    has_hand: bool
    small: tuple[Region, ...]
    coin_px: float
    light: Callable[[], Bytes]
    largest_px: float

    @cached_property
    def lighter(self) -> Bytes:
        """Return an image (h, w) that is nonzero where a pixel may belong to a coin (see
        `light`).
        """
        return self.light()

    @property
    def coin_like(self) -> tuple[Region, ...]:
        """Return the regions that may be coins."""
        return (*self.small, *self._parted[0])

    @property
    def labels(self) -> Labels:
        """Return the label of each pixel's region (h, w)."""
        return self._parted[1]

    @cached_property
    def _parted(self) -> tuple[list[Region], Labels]:
        """Return the coins that only a shadow joins to the hand, and the labels of all regions, in
        which each of these coins has a label of its own.
        """
        if not self.has_hand:
            return [], self.regions
        areas_px = (LEAST_OF_COIN * self.coin_px, PART_OVER_COIN * self.largest_px)
        light = np.asarray(cv2.bitwise_and(self.hand, self.lighter), dtype=np.uint8)
        return parted_coins(light, self.regions, self.box, areas_px)

    def _mine(self, region: Region) -> NDArray[np.bool_]:
        """Return which pixels of a region's box may belong to a coin: those of the region at which
        `light` is not 0.
        """
        cut = region.box.inside(self.box)
        return np.asarray(
            np.logical_and(cut.of(self.labels) == region.label, cut.of(self.lighter)),
            dtype=np.bool_,
        )

    def share_in(self, rect: Rect) -> float:
        """Return the share, 0 to 1, of the ellipse that fills a rectangle in which the frame
        differs from the background.
        """
        cut = rect.inside(self.box)
        whole = math.pi / 4 * max(1, (rect.right - rect.left) * (rect.bottom - rect.top))
        return 0.0 if cut.empty else np.count_nonzero(cut.of(self.differs)) / whole

    def fully_covered(self, rect: Rect) -> bool:
        """Return whether a hand covers nearly all of a rectangle."""
        cut = rect.inside(self.box)
        whole = max(1, (rect.right - rect.left) * (rect.bottom - rect.top))
        return not cut.empty and bool(
            np.count_nonzero(cut.of(self.hand)) > FULLY_COVERED_SHARE * whole
        )

    def hand_in(self, rect: Rect) -> bool:
        """Return whether a hand reaches into a rectangle."""
        if not self.has_hand:
            return False
        box, hand = self._hand_alone
        cut = rect.inside(box)
        return not cut.empty and bool(np.count_nonzero(cut.of(hand)) > 1)

    @cached_property
    def _hand_alone(self) -> tuple[Rect, Bytes]:
        """Return the smallest box around the hand, and the hand's mask inside that box. Most places
        that callers ask about lie outside the box, which takes little time to check.
        """
        x, y, w, h = cv2.boundingRect(self.hand)
        cut, (left, top) = Rect(x, y, x + w, y + h), self.box[:2]
        return Rect(left + x, top + y, left + x + w, top + y + h), cut.of(self.hand)

    def beside_hand(self, region: Region) -> bool:
        """Return whether a region lies within a coin's width of a hand, or in one."""
        near_px = round(2 * math.sqrt(self.coin_px / math.pi))
        return region.apart or self.hand_in(_grown(region.box, near_px))

    def unexplained_middle(
        self, region: Region, known: list[Rect], least_pixels: float
    ) -> Point | None:
        """Return the middle, in pixels of the frame, of the part of a region that lies outside all
        known discs; None if that part is smaller than `least_pixels`.
        """
        cut, mine = region.box.inside(self.box), self._mine(region)
        for rect in known:
            own = rect.inside(self.box)
            mine[
                max(0, own.top - cut.top) : max(0, own.bottom - cut.top),
                max(0, own.left - cut.left) : max(0, own.right - cut.left),
            ] = False
        if np.count_nonzero(mine) < least_pixels:
            return None
        rows, columns = np.nonzero(mine)
        k = self.shrink
        return (
            k * (region.box.left + float(columns.mean())) + (k - 1) / 2,
            k * (region.box.top + float(rows.mean())) + (k - 1) / 2,
        )

    def sweep_of(self, region: Region, spot: ProjectedDisc, radius_mm: float) -> Point:
        """Estimate how far a coin moved during the exposure, mm, from the spread of its streak's
        pixels. The variance of a disc of radius r is r^2/4, and a motion by a length l adds l^2/12.
        Return (0, 0) if the region is too small for a streak of that length.
        """
        rows, columns = np.nonzero(self._mine(region))
        if len(rows) < 8:
            return (0.0, 0.0)
        mm = (
            self.shrink
            * np.column_stack((columns - columns.mean(), rows - rows.mean()))
            @ spot.mm_per_px.T
        )
        values, axes = np.linalg.eigh(np.cov(mm.T))
        # the variance of a disc, plus that of a pixel
        disc = radius_mm**2 / 4 + self._pixel_mm2(spot) / 12
        length = float(np.sqrt(max(0.0, 12 * (values[1] - max(values[0], disc)))))
        if length < 0.4 * radius_mm or not self.holds_streak(region, spot, radius_mm, length):
            return (0.0, 0.0)
        return (length * float(axes[0, 1]), length * float(axes[1, 1]))

    def holds_streak(
        self, region: Region, spot: ProjectedDisc, radius_mm: float, length_mm: float
    ) -> bool:
        """Return whether a region is large enough for a coin that moved by `length_mm` during the
        exposure.
        """
        swept_mm2 = math.pi * radius_mm**2 + 2 * radius_mm * length_mm
        return region.area * self._pixel_mm2(spot) >= LEAST_OF_COIN * swept_mm2

    def _pixel_mm2(self, spot: ProjectedDisc) -> float:
        return spot.pixel_mm2 * self.shrink**2


def sort_foreground(
    differs: Bytes,
    box: Rect,
    mask: Bytes,
    coin_px: float,
    shrink: int,
    light: Callable[[], Bytes],
    tiles: tuple[Rect, ...] = (),
    coins: Callable[[], Sequence[Rect]] = tuple,
    largest_px: float | None = None,
) -> Foreground:
    """Sort what differs from the background inside `box` into hands and regions that may be coins.
    `mask` is the watched part, and `coin_px` the area of a coin in small pixels. If coins differ in
    size, `coin_px` is the area of the smallest coin and `largest_px` that of the largest.

    `light` returns an image that is nonzero inside `box` where a pixel may belong to a coin.
    `tiles` are rectangles around tiles. A region inside one of them is not taken for a hand, even
    if a part of it as large as the coins that lay there is outside. `coins` returns the rectangles
    around the coins, so that a heap of coins that was hit is not taken for a hand either.
    """
    most_px, lay_in = largest_px or coin_px, cache(coins)
    part = np.ascontiguousarray(box.of(differs))
    regions, labels = regions_of(part, (box.left, box.top), SPECK_OF_COIN * coin_px)
    large = [
        r
        for r in regions
        if r.area > PART_OVER_COIN * most_px
        and (_at_border(r, mask) or r.area > _of_coins(r, labels, box, lay_in()) * most_px)
    ]
    hands = []
    for region in large:
        lay = 0 if _at_border(region, mask) else _coins_in(region, labels, box, lay_in())
        if not _is_pushed_tile(region, labels, box, tiles, COINS_OF_COIN * lay * most_px):
            hands.append(region)
    small = tuple(r for r in regions if r not in large)
    hand = np.zeros(part.shape, np.uint8)
    for region in hands:
        own = region.box.inside(box)
        its = own.of(hand)
        its |= (own.of(labels) == region.label).view(np.uint8) * np.uint8(255)
    return Foreground(shrink, box, part, labels, hand, bool(hands), small, coin_px, light, most_px)


def _of_coins(region: Region, labels: Labels, box: Rect, coins: Sequence[Rect]) -> float:
    """Return the largest area, in coin areas, that a region may have without counting as a hand.
    This largest area grows with the number of coins that lay where the region is.
    """
    inside = _coins_in(region, labels, box, coins)
    return HAND_OVER_COIN + COINS_OF_COIN * max(0, inside - 1)


def _coins_in(region: Region, labels: Labels, box: Rect, coins: Sequence[Rect]) -> int:
    """Return how many coins lay where a region is."""
    return sum(area_in(coin, region, labels, box) > 0 for coin in coins)


def _grown(box: Rect, by_px: int) -> Rect:
    left, top, right, bottom = box
    return Rect(left - by_px, top - by_px, right + by_px, bottom + by_px)


def _at_border(region: Region, mask: Bytes) -> bool:
    """Return whether a region touches the border of the watched part."""
    box = region.box
    if (
        box.left <= 1
        or box.top <= 1
        or box.right >= mask.shape[1] - 1
        or box.bottom >= mask.shape[0] - 1
    ):
        return True
    around = _grown(box, 1).within(mask.shape[1], mask.shape[0])
    return bool((np.asarray(around.of(mask)) == 0).any())


def _is_pushed_tile(
    region: Region, labels: Labels, box: Rect, tiles: Sequence[Rect], coins_px: float
) -> bool:
    """Return whether a region lies inside the surroundings of one tile. A part of the region
    outside them is allowed, up to `coins_px`, the area of the coins that lay there.
    """
    least, (left, top, right, bottom) = region.area - coins_px, region.box
    return any(
        area_in(tile, region, labels, box) >= least
        for tile in tiles
        if tile.left < right and left < tile.right
        if tile.top < bottom and top < tile.bottom
        if _pixels(common(tile, region.box)) >= least
    )


def _pixels(rect: Rect) -> int:
    return 0 if rect.empty else (rect.right - rect.left) * (rect.bottom - rect.top)
