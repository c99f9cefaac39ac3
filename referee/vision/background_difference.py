"""Compares a frame with the background. The comparison shows where hands, coins and pushed tiles
may be, which places changed, and where something new may lie.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import Point
from referee.domain.layout import Course, Tile
from referee.vision.background.background import Background
from referee.vision.background.foreground import LEAST_OF_COIN, Foreground, sort_foreground
from referee.vision.background.parted_coins import BY_LEVEL, BY_WIDTH
from referee.vision.coins.face_levels import FaceLevels
from referee.vision.image.disc import SHADOW_MM, place_behind, spot_at
from referee.vision.image.picture import Bytes, Rect, different
from referee.vision.image.projection_cache import ProjectionCache

# Tuned on our own clips, except where a comment gives another source for a number.

# A share of the usual contrast. A region whose grey level changed by less than this holds no coin.
COIN_STEP: Final = 0.18
# Chosen: in noise steps. A coin that differs from the table by less cannot be distinguished from a
# shadow by its grey level. So a coin of the table's own colour is recognised by its outline alone.
FAINT_STEPS: Final = 2.0
# Chosen: a share of a coin's width. A narrower change is the edge of a shadow.
EDGE_OF_COIN: Final = 1 / 3
# the share of a resting coin's face that must differ before the coin is checked again
DISTURBED_SHARE: Final = 0.18
# In tile widths, from the tile's middle: the tile, its shadow, and where it may be pushed to.
TILE_SURROUNDINGS: Final = 0.75
# This share of a tile and its surroundings must differ before the tile is measured again.
TOUCHED_SHARE: Final = 0.01
BESIDE_MM: Final = 2.0  # a difference this close to a coin's rim counts as one at the coin
PUSHED_MM: Final = 25.0  # a tile pushed by less than this still lies within its surroundings
SIDE_STEPS: Final = 16  # Chosen: points on each side of the table's edge, which the lens may bend


def surroundings(table: SurveyedTable, tile: Tile, projections: ProjectionCache) -> Rect:
    """Return the rectangle of pixels around a tile and what lies right beside it."""
    top_mm = tile.stack * table.sizes.tile_thickness_mm
    spot = projections.at_height(tile.centre_mm, top_mm)
    return spot.rect(table.sizes.tile_mm * TILE_SURROUNDINGS)


def tile_boxes(
    table: SurveyedTable, course: Course, projections: ProjectionCache
) -> tuple[Rect, ...]:
    """Return the tiles' surroundings as rectangles of the small copy. A difference that lies inside
    one of these rectangles is a tile that was pushed and turned, not a hand.
    """
    reach_mm = table.sizes.tile_mm / math.sqrt(2) + PUSHED_MM
    spots = (
        spot_at(table.view, t.centre_mm, t.stack * table.sizes.tile_thickness_mm / 2)
        for t in course.tiles.values()
    )
    return tuple(projections.small(spot.rect(reach_mm)) for spot in spots)


def bare_table(
    mask: Bytes, table: SurveyedTable, course: Course, projections: ProjectionCache
) -> Bytes:
    """Return a mask of the small copy without the parts beyond the table's edge, the tiles, and
    what lies right beside the tiles. In the parts left out, the background has edges of its own.
    """
    bare = mask.copy()
    if table.edge_mm:
        inside = np.zeros_like(mask)
        ends = np.array([*table.edge_mm, table.edge_mm[0]])
        steps = np.linspace(0, 1, SIDE_STEPS)[:, None]
        sides = np.concatenate([a + steps * (b - a) for a, b in pairwise(ends)])
        px = table.view.to_image(np.column_stack((sides, np.zeros(len(sides)))))
        small = (px - (projections.shrink - 1) / 2) / projections.shrink
        cv2.fillPoly(inside, [np.round(small).astype(np.int32)], 255)
        bare &= inside
    for tile in course.tiles.values():
        projections.small(surroundings(table, tile, projections)).of(bare)[...] = 0
    return bare


@dataclass(frozen=True, slots=True)
class BackgroundDifference:
    """A frame's small copy compared with the background.

    A difference of more than `step` grey levels is more than noise. `contrast` is by how many grey
    levels coins differ from the table, and `faces` are the grey levels of the coins' faces.
    `first_background` is the background at the beginning of the episode. `left_behind` is the mask
    of where that first background shows a hand that has left (None: nowhere). `coins` are the
    rectangles of pixels where coins lay, and where some were seen in the last frame that was
    searched. `coin_px` and `largest_px` are the areas of the smallest and of the largest coin.
    `luma` is the small copy of the luminance: differences of more than `luma_step` in it count,
    too. `luma` is None if the small copy in the channel mix is enough.
    """

    small: Bytes
    background: Background
    first_background: Background
    left_behind: Bytes | None
    mask: Bytes
    step: float
    contrast: float
    coin_px: float
    table: SurveyedTable
    projections: ProjectionCache
    tile_boxes: tuple[Rect, ...]
    faces: FaceLevels
    coins: tuple[Rect, ...] = ()
    largest_px: float | None = None
    luma: Bytes | None = None
    luma_step: float = 0.0

    def foreground(self) -> Foreground:
        """Return what differs from the background, sorted into hands and possible coins."""
        return self._sorted(self._differs(), self.tile_boxes, self.coins)

    def _differs(self) -> Bytes:
        """Return a mask of where the frame differs from the background."""
        differs = different(self.small, self.background.small, self.mask, self.step)
        if self.luma is not None:
            bare = self.background.luma
            cv2.bitwise_or(differs, different(self.luma, bare, self.mask, self.luma_step), differs)
        return differs

    def changed_at(self, at_mm: Point, left_mm: Sequence[Point] = ()) -> bool:
        """Return whether, in the area of a coin at this place, the frame differs from the
        background of the episode's beginning. Differences at `left_mm`, where coins lay that have
        left, and in their former shadows do not count.
        """
        reach_mm = self.table.sizes.coin_mm / 2
        rect = self.projections.small_rect(at_mm, reach_mm)
        left = [self.projections.small_rect(at, reach_mm + SHADOW_MM) for at in left_mm]
        return self._changed_share(rect, left) > DISTURBED_SHARE

    def changed_within(self, at_mm: Point, off_mm: float) -> bool:
        """Return whether `changed_at` may be true for some place within `off_mm` of this one."""
        reach_mm = self.table.sizes.coin_mm / 2
        own, around = (
            self.projections.small_rect(at_mm, reach) for reach in (reach_mm, reach_mm + off_mm)
        )
        of_coin = _area(around) / max(1, _area(own))
        return self._changed_share(around) * of_coin > DISTURBED_SHARE

    def coin_touched(self, at_mm: Point) -> bool:
        """Return whether the frame differs, at a coin or right beside it, from the background of
        the episode's beginning.
        """
        reach_mm = self.table.sizes.coin_mm / 2 + BESIDE_MM
        return self._changed_share(self.projections.small_rect(at_mm, reach_mm)) > TOUCHED_SHARE

    def tile_touched(self, tile: Tile) -> bool:
        """Return whether the frame differs, at a tile or right beside it, from the background of
        the episode's beginning.
        """
        return self._changed_share(self._around(tile)) > TOUCHED_SHARE

    def hand_left(self, tile: Tile) -> bool:
        """Return whether the background of the episode's beginning shows, at a tile or right beside
        it, a hand that has since left.
        """
        behind = self.left_behind
        return behind is not None and bool(np.count_nonzero(self._around(tile).of(behind)))

    def something_new(self, known_mm: Sequence[Point]) -> tuple[tuple[Point, float], ...]:
        """Find the regions, about as large as a coin, in which the frame differs from the
        background although no coin is known to lie there. Return the middle and the reach of each
        region, mm.

        Also return all places where the background of the episode's beginning shows a hand and the
        frame differs from that background: the comparison cannot tell what lies there now.
        """
        least = LEAST_OF_COIN * self.coin_px
        differs = self._differs()
        regions = self._sorted(self._without(known_mm, differs)).coin_like
        boxes = [r.box for r in regions if r.area > least]
        if self.left_behind is not None:
            changed = different(
                self.small, self.first_background.small, self.left_behind, self.step
            )
            boxes += _cells(self._without(known_mm, changed), self.coin_px)
        shrink, thickness_mm = self.background.shrink, self.table.sizes.coin_thickness_mm
        return tuple(place_behind(self.table.view, b.times(shrink), thickness_mm) for b in boxes)

    def unexplained(self, known_mm: Sequence[Point]) -> tuple[Point, ...]:
        """Return the places of all differences from the background that are not a hand and that no
        coin at `known_mm` explains, even if they are smaller than a coin. A coin that moved by less
        than its width leaves two crescents of difference.
        """
        regions = self._sorted(self._without(known_mm, self._differs())).small
        shrink, thickness_mm = self.background.shrink, self.table.sizes.coin_thickness_mm
        boxes = (region.box.times(shrink) for region in regions)
        return tuple(place_behind(self.table.view, box, thickness_mm)[0] for box in boxes)

    def _sorted(
        self, differs: Bytes, tiles: tuple[Rect, ...] = (), coins: tuple[Rect, ...] = ()
    ) -> Foreground:
        x, y, w, h = cv2.boundingRect(differs)
        height, width = self.small.shape
        box = Rect(x - 2, y - 2, x + w + 2, y + h + 2).within(width, height)
        shrink, was = self.background.shrink, box.of(self.background.small)
        return sort_foreground(
            differs,
            box,
            self.mask,
            self.coin_px,
            shrink,
            lambda: self._coloured(box, was),
            tiles,
            lambda: tuple(self.projections.small(rect) for rect in coins),
            self.largest_px,
        )

    def _coloured(self, box: Rect, was: Bytes) -> Bytes:
        """Return an image of where, inside `box`, the frame may show a coin. The bit BY_LEVEL is
        set where the frame is lighter than the background and some coin is lighter, too, or where
        both are darker. The bit BY_WIDTH is set in every change that is wide enough and lies where
        a coin that may move would hardly differ from the background. If some coin that may move
        hardly differed from the table where it lay, BY_WIDTH is set in every change that is wide
        enough.
        """
        now, was = np.ascontiguousarray(box.of(self.small)), np.ascontiguousarray(was)
        above, below = _limits(max(COIN_STEP * self.contrast, self.step), self.faces)
        up = cv2.compare(now, cv2.LUT(was, above), cv2.CMP_GT)
        down = cv2.compare(now, cv2.LUT(was, below), cv2.CMP_LT)
        coloured = np.asarray(cv2.bitwise_or(up, down), dtype=np.uint8) & np.uint8(BY_LEVEL)
        faint = FAINT_STEPS * self.step
        alike = np.asarray(cv2.LUT(was, _levels_alike(faint, self.faces)), dtype=np.uint8)
        if self.faces.faintest < faint or cv2.countNonZero(alike):
            part = np.ascontiguousarray(box.of(self._differs()))
            width_px = 2 * math.sqrt(self.coin_px / math.pi)
            wide = _without_edges(part, round(EDGE_OF_COIN * width_px)) & np.uint8(BY_WIDTH)
            coloured |= wide if self.faces.faintest < faint else wide & alike
        return coloured

    def _without(self, known_mm: Sequence[Point], small: Bytes) -> Bytes:
        """Clear the image, in place, where coins are known to lie, and return it."""
        reach_mm = self.table.sizes.span_mm[1] / 2 + SHADOW_MM
        for at_mm in known_mm:
            self.projections.small_rect(at_mm, reach_mm).of(small)[...] = 0
        return small

    def _around(self, tile: Tile) -> Rect:
        return self.projections.small(surroundings(self.table, tile, self.projections))

    def _changed_share(self, rect: Rect, left: Sequence[Rect] = ()) -> float:
        """Return the share of a rectangle of the small copy that differs from the background of the
        episode's beginning; 0 outside the picture. Differences inside `left` do not count.
        """
        if rect.empty:
            return 0.0
        now, was = rect.of(self.small), rect.of(self.first_background.small)
        differs = cv2.absdiff(now, was) > self.step
        for x, y, right, bottom in left:
            columns = slice(max(0, x - rect.left), max(0, right - rect.left))
            differs[max(0, y - rect.top) : max(0, bottom - rect.top), columns] = False
        return float(np.count_nonzero(differs)) / max(1, now.size)


def _without_edges(part: Bytes, wide_px: int) -> Bytes:
    """Return the image without the parts that are too narrow to hold a square `wide_px` pixels
    wide.
    """
    square, middle = np.ones((wide_px, wide_px), np.uint8), wide_px // 2
    kept = cv2.erode(part, square, anchor=(middle, middle))
    back = wide_px - 1 - middle  # the dilation restores what the erosion removed on the same side
    return np.asarray(cv2.dilate(kept, square, anchor=(back, back)), dtype=np.uint8)


def _area(rect: Rect) -> int:
    return (rect.right - rect.left) * (rect.bottom - rect.top)


@lru_cache(maxsize=4)
def _limits(least: float, faces: FaceLevels) -> tuple[Bytes, Bytes]:
    """Return two limits for each grey level of the background (256,). A pixel above the first limit
    is lighter than the background by more than `least`, a pixel below the second is darker by more.
    If no coin is lighter than that level, the first limit is 255, which no pixel exceeds; if no
    coin is darker, the second is 0.
    """
    was = np.arange(256, dtype=np.float32)
    lighter, darker = faces.lighter_than(was, least), faces.darker_than(was, least)
    above = np.where(lighter, np.minimum(np.floor(was + least), 255), 255)
    below = np.where(darker, np.maximum(np.ceil(was - least), 0), 0)
    return above.astype(np.uint8), below.astype(np.uint8)


@lru_cache(maxsize=4)
def _levels_alike(least: float, faces: FaceLevels) -> Bytes:
    """Return for each grey level of the background (256,) 255 if some coin that may move would
    differ from it by less than `least`, else 0.
    """
    alike = faces.hardly_from(np.arange(256, dtype=np.float32), least)
    return np.asarray(alike, dtype=np.uint8) * np.uint8(255)


def _cells(where: Bytes, coin_px: float) -> list[Rect]:
    """Return squares, each as wide as two coins, that together cover the pixels of a mask that are
    not 0. `coin_px` is a coin's usual area in the mask's pixels.
    """
    side = max(1, round(2 * math.sqrt(4 / math.pi * coin_px)))
    rows, columns = np.nonzero(where)
    cells = sorted({*zip((rows // side).tolist(), (columns // side).tolist(), strict=True)})
    return [Rect(x * side, y * side, (x + 1) * side, (y + 1) * side) for y, x in cells]
