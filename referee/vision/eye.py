"""The eye: looks at every frame, at half size, and at full size only where something moves.

A frame costs one halving and two comparisons (with the frame before: does anything stir; with the plate: what differs from
the still scene) while nothing moves. Where something does, connected regions of difference are a hand when they are large,
else coins; a disc is then fitted to the pixels in full.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.table import SurveyedTable
from referee.geometry import Point, distance
from referee.glimpse import Disc, Expected, Glimpse, Presence
from referee.layout import Tile
from referee.vision.disc import Spot, filled_share, spot_at, spot_behind
from referee.vision.motion_fit import DiscFit, coarse_place, fit_disc
from referee.vision.picture import Bytes, Picture, Rect, Tint
from referee.vision.plate import DIFFERENT_STEP, LEAST_STEP, STEP_OVER_NOISE, Plate, half_size, noise_between
from referee.vision.portrait import RADII as PORTRAIT_RADII
from referee.vision.portrait import RIM_RADII, Portrait
from referee.vision.scene import SPECK_OF_COIN, Region, Scene, sort_scene

AROUND_TABLE_MM = 25.0  # a coin that falls is followed so far beyond the edge
STIR_PIXELS = 5  # fewer changed half-size pixels are noise
DISTURBED_SHARE = 0.18  # of a resting coin's face must differ before it is looked at again
EXPECTED_SUPPORT = 0.5  # of a disc's rim that must be seen where a moving coin is expected
GOOD_SUPPORT = 0.55  # the same elsewhere
AT_HAND_SUPPORT = 0.75  # the same beside a hand, where fingertips look like coins
CONTRAST_OF_REST = 0.35  # a disc's step in brightness must be so much of the usual one
MOST_UNEXPLAINED = 0.5
SHARP_SUPPORT = 0.75  # a disc worse than this, or leaving more than the next, may be a streak
SHARP_UNEXPLAINED = 0.25
EXPLAINED_MM = 3.0  # a disc explains what differs so far beyond its rim
LEAST_OF_COIN = 0.45  # what is left of a region must be so much of a coin to be one
NEAR_HAND_MM = 9.0  # a disc whose rim is nearer to a hand than this is at the hand
MOST_DISCS_PER_REGION = 3
FIT_MARGIN_MM = 6.0
TOUCHED_SHARE = 0.01  # of a tile and its surroundings must differ before it is measured again
SHADOW_MM = 7.0  # how far a coin's side wall and shadow reach beyond its rim


@dataclass
class Eye:
    """What the eye keeps between frames: the table as surveyed, the mixture coins stand out in, the plate and the last frame."""

    table: SurveyedTable
    tint: Tint
    plate: Plate
    mask: Bytes
    before: Bytes
    step: float = LEAST_STEP
    coin_px: float = 0.0
    swell_mm: float = 0.0
    portraits: dict[str, Portrait] = field(default_factory=dict)
    _spots: dict[Point, Spot] = field(default_factory=dict)

    @staticmethod
    def opened(table: SurveyedTable, picture: Picture, tint: Tint) -> Eye:
        """An eye that takes `picture` for the still scene."""
        plate = Plate.of(picture)
        mask = watched(table, picture.width, picture.height)
        eye = Eye(table, tint, plate, mask, plate.half.copy())
        middle = spot_behind(table.view, (picture.width / 2, picture.height / 2), table.sizes.coin_thickness_mm)
        eye.coin_px = float(np.pi * (table.sizes.coin_mm / 4) ** 2 * abs(np.linalg.det(middle.px_per_mm)))
        return eye

    def look(self, picture: Picture, frame: int, t_s: float, expected: Sequence[Expected], exposure_s: float) -> Glimpse:
        """What this frame says of the coins expected, and what else moves."""
        half = half_size(picture.luma)
        change = _different(half, self.before, self.mask, self.step)
        stirred = int(cv2.countNonZero(change))
        if stirred < STIR_PIXELS:
            quiet_step = noise_between(half, self.before, self.mask) if frame % 16 == 0 else None
            self.step = self.step if quiet_step is None else max(LEAST_STEP, STEP_OVER_NOISE * quiet_step)
        self.before = half
        differs = _different(half, self.plate.half, self.mask, self.step * DIFFERENT_STEP)
        x, y, w, h = cv2.boundingRect(differs)
        moving = [e for e in expected if e.velocity_mm_s is not None]
        quiet = frozenset(e.coin for e in moving if not self._stirs(change, e.at_mm, self.table.sizes.coin_mm / 2 + 2))
        if w == 0:
            return Glimpse(frame, t_s, stirred >= STIR_PIXELS, False, quiet=quiet)
        box = Rect(max(0, x - 3), max(0, y - 3), min(half.shape[1], x + w + 3), min(half.shape[0], y + h + 3))
        scene = sort_scene(differs, box, self.mask, self.coin_px)
        presence = {e.coin: p for e in expected if e.velocity_mm_s is None and (p := self._presence(picture, scene, e)) is not Presence.THERE}
        discs = self._discs(picture, scene, change, expected, presence, exposure_s)
        covered = frozenset(e.coin for e in expected if self._at_hand(scene, e.at_mm))
        return Glimpse(frame, t_s, stirred >= STIR_PIXELS, scene.has_hand, discs, presence, quiet, covered)

    def _near_stir(self, change: Bytes, expected: Sequence[Expected]) -> list[Expected]:
        """The expected coins worth a fit: all but those that lay still and around which nothing stirs."""
        return [e for e in expected if e.velocity_mm_s is not None or self._stirs(change, e.at_mm, self.table.sizes.coin_mm)]

    def lay(self, coin: str, at_mm: Point) -> None:
        """Remember how a coin that lies still looks in the plate. A coin partly outside the picture has no portrait."""
        spot = self.spot(at_mm)
        reach_mm = self.table.sizes.coin_mm / 2 * PORTRAIT_RADII
        rect = spot.rect(reach_mm)
        self.portraits.pop(coin, None)
        if rect.within(self.plate.picture.width, self.plate.picture.height) == rect:
            values = self.plate.picture.tinted(rect, self.tint)
            face = filled_share(spot, rect, self.table.sizes.coin_mm / 2 * RIM_RADII) > 0.5
            self.portraits[coin] = Portrait(rect, face, (filled_share(spot, rect, reach_mm) > 0.5) & ~face, values, values)

    def _lift(self, at_mm: Point) -> None:
        """Take the coin that lay at a place out of the plate."""
        radius = self.table.sizes.coin_mm / 2
        spot = self.spot(at_mm)
        rect = spot.rect(radius + SHADOW_MM + 6).within(self.plate.picture.width, self.plate.picture.height)
        if not rect.empty:
            self.plate.take_out(rect, (filled_share(spot, rect, radius + SHADOW_MM) > 0).astype(np.uint8))

    def changed_at(self, at_mm: Point) -> bool:
        """Whether the last frame differs from the still scene where a coin at a place would lie."""
        rect = self.half_rect(at_mm, self.table.sizes.coin_mm / 2)
        return not rect.empty and self._changed_share(rect) > DISTURBED_SHARE

    def _changed_share(self, rect: Rect) -> float:
        now, was = np.asarray(rect.of(self.before), dtype=np.uint8), np.asarray(rect.of(self.plate.half), dtype=np.uint8)
        return float(np.count_nonzero(cv2.absdiff(now, was) > self.step * DIFFERENT_STEP)) / max(1, now.size)

    def tile_touched(self, tile: Tile) -> bool:
        """Whether the last frame differs from the still scene at a tile or right beside it."""
        height_mm = tile.stack * self.table.sizes.tile_thickness_mm
        spot = spot_at(self.table.view, tile.centre_mm, height_mm)
        rect = spot.rect(self.table.sizes.tile_mm * 0.75)
        half = Rect(rect.left // 2, rect.top // 2, rect.right // 2 + 1, rect.bottom // 2 + 1).within(self.mask.shape[1], self.mask.shape[0])
        return not half.empty and self._changed_share(half) > TOUCHED_SHARE

    def something_new(self, known_mm: Sequence[Point]) -> bool:
        """Whether the last frame differs from the still scene by about a coin or more somewhere no coin is known to lie."""
        differs = _different(self.before, self.plate.half, self.mask, self.step * DIFFERENT_STEP)
        for at_mm in known_mm:
            rect = self.half_rect(at_mm, self.table.sizes.coin_mm / 2 + SHADOW_MM)
            rect.of(differs)[...] = 0
        whole = Rect(0, 0, differs.shape[1], differs.shape[0])
        scene = sort_scene(differs, whole, self.mask, self.coin_px)
        return any(r.area > LEAST_OF_COIN * self.coin_px for r in scene.coin_like) or scene.has_hand

    def refresh(self, picture: Picture) -> None:
        """Take the whole frame for the still scene."""
        self.plate = Plate.of(picture)

    def spot(self, at_mm: Point) -> Spot:
        """The view around a coin's place; kept, since coins lie still most of the time."""
        key = (round(at_mm[0], 1), round(at_mm[1], 1))
        found = self._spots.get(key)
        if found is None:
            if len(self._spots) > 512:
                self._spots.clear()
            found = self._spots[key] = spot_at(self.table.view, key, self.table.sizes.coin_thickness_mm)
        return found

    def half_rect(self, at_mm: Point, radius_mm: float) -> Rect:
        """The half-size pixels within a radius of a place."""
        rect = self.spot(at_mm).rect(radius_mm)
        return Rect(rect.left // 2, rect.top // 2, rect.right // 2 + 1, rect.bottom // 2 + 1).within(self.mask.shape[1], self.mask.shape[0])

    def _stirs(self, change: Bytes, at_mm: Point, reach_mm: float) -> bool:
        rect = self.half_rect(at_mm, reach_mm)
        return not rect.empty and bool(np.count_nonzero(rect.of(change)) > 1)

    def _presence(self, picture: Picture, scene: Scene, expected: Expected) -> Presence:
        """Whether a coin that lay still is still there. The first time one is not plainly so, it is taken out of the plate."""
        portrait = self.portraits.get(expected.coin)
        if portrait is None:
            return Presence.COVERED
        if not portrait.lifted:
            if scene.share_in(self.half_rect(expected.at_mm, self.table.sizes.coin_mm / 2)) < DISTURBED_SHARE:
                return Presence.THERE
            self._lift(expected.at_mm)
            bare = self.plate.picture.tinted(portrait.rect, self.tint)
            portrait = self.portraits[expected.coin] = replace(portrait, bare=bare, lifted=True)
        presence = portrait.compare(picture.tinted(portrait.rect, self.tint), self.tint.contrast)
        if presence is Presence.GONE and not self._at_hand(scene, expected.at_mm):
            self._uncover(picture, expected)
        return presence

    def _uncover(self, picture: Picture, gone: Expected) -> None:
        """The table where a coin lay is to be seen for the first time: take it for what it is, no longer for what it was guessed to be."""
        portrait = self.portraits[gone.coin]
        radius = self.table.sizes.coin_mm / 2 + 1.0
        spot = self.spot(gone.at_mm)
        rect = spot.rect(radius).within(picture.width, picture.height)
        self.plate.take_over(picture, rect, filled_share(spot, rect, radius) > 0.5)
        self.portraits[gone.coin] = replace(portrait, bare=self.plate.picture.tinted(portrait.rect, self.tint))

    def _discs(
        self, picture: Picture, scene: Scene, change: Bytes, expected: Sequence[Expected], presence: Mapping[str, Presence], exposure_s: float
    ) -> tuple[Disc, ...]:
        """Every disc that is not a resting coin: first where moving coins are expected, then in every region no disc explains yet."""
        found: list[Disc] = []
        still = [e.at_mm for e in expected if e.velocity_mm_s is None and e.coin not in presence]
        for e in self._near_stir(change, expected):
            if e.velocity_mm_s is not None:
                sweep = (e.velocity_mm_s[0] * exposure_s, e.velocity_mm_s[1] * exposure_s)
                if scene.share_in(self.half_rect(e.at_mm, self.table.sizes.coin_mm)) > SPECK_OF_COIN:
                    self._add(found, still, scene, self._fit(picture, e.at_mm, sweep), EXPECTED_SUPPORT)
            elif presence.get(e.coin) is Presence.COVERED and not scene.smothered(self.half_rect(e.at_mm, 1.2 * self.table.sizes.coin_mm)):
                self._add(found, still, scene, self._fit(picture, e.at_mm, (0.0, 0.0)), GOOD_SUPPORT)
        for region in scene.coin_like:
            for _ in range(MOST_DISCS_PER_REGION):
                if not self._fit_region(picture, scene, region, found, still):
                    break
        return tuple(found)

    def _fit_region(self, picture: Picture, scene: Scene, region: Region, found: list[Disc], still: list[Point]) -> bool:
        """Fit one more disc to a region where enough of it is not explained; whether one was added."""
        known = [self.half_rect(at_mm, self.table.sizes.coin_mm / 2 + EXPLAINED_MM) for at_mm in [*still, *(d.at_mm for d in found)]]
        place = scene.unexplained_middle(region, known, LEAST_OF_COIN * self.coin_px)
        if place is None:
            return False
        spot = spot_behind(self.table.view, place, self.table.sizes.coin_thickness_mm)
        fit = self._fit(picture, spot.at_mm, (0.0, 0.0))
        if fit is None or fit.support < SHARP_SUPPORT or fit.unexplained > SHARP_UNEXPLAINED:
            swept = self._fit(picture, spot.at_mm, scene.sweep_of(region, spot, self.table.sizes.coin_mm / 2))
            fit = swept if fit is None or (swept is not None and swept.support > fit.support) else fit
        return self._add(found, still, scene, fit, GOOD_SUPPORT)

    def _fit(self, picture: Picture, at_mm: Point, sweep_mm: Point) -> DiscFit | None:
        """The best disc around a place."""
        spot = self.spot(at_mm)
        radius = self.table.sizes.coin_mm / 2
        rect = spot.rect(radius + 0.5 * float(np.hypot(*sweep_mm)) + FIT_MARGIN_MM).within(picture.width, picture.height)
        reach = spot.reach_px(radius)
        if rect.right - rect.left < 2 * reach[0] or rect.bottom - rect.top < 2 * reach[1]:
            return None
        seen, bare = picture.tinted(rect, self.tint), self.plate.picture.tinted(rect, self.tint)
        shift = coarse_place(seen, bare, rect, spot, radius, sweep_mm)
        return fit_disc(seen, bare, rect, self.table.view, spot, self.table.sizes, shift, sweep_mm, self.swell_mm)

    def _add(self, found: list[Disc], still: list[Point], scene: Scene, fit: DiscFit | None, least_support: float) -> bool:
        """Keep a fit that is a good disc, is not one already known and does not lie on a coin at rest."""
        if fit is None or fit.contrast < CONTRAST_OF_REST * self.tint.contrast or fit.unexplained > MOST_UNEXPLAINED:
            return False
        apart_mm = 0.6 * self.table.sizes.coin_mm
        if any(distance(fit.at_mm, other) < apart_mm for other in [*still, *(d.at_mm for d in found)]):
            return False
        at_hand = self._at_hand(scene, fit.at_mm)
        if fit.support < (max(least_support, AT_HAND_SUPPORT) if at_hand else least_support):
            return False
        found.append(Disc(fit.at_mm, fit.sigma_mm, fit.support, at_hand))
        return True

    def _at_hand(self, scene: Scene, at_mm: Point) -> bool:
        return scene.hand_in(self.half_rect(at_mm, self.table.sizes.coin_mm / 2 + NEAR_HAND_MM))


def _different(a: Bytes, b: Bytes, mask: Bytes, step: float) -> Bytes:
    """255 where two half-size frames differ by more than `step` inside the mask."""
    _, apart = cv2.threshold(cv2.absdiff(a, b), step, 255, cv2.THRESH_BINARY)
    return np.asarray(cv2.bitwise_and(apart, mask), dtype=np.uint8)


def watched(table: SurveyedTable, width: int, height: int) -> Bytes:
    """The part of the picture that is watched, at half size: the table and a margin beyond its edge (all of it where no edge is known)."""
    if not table.edge:
        return np.full((height // 2, width // 2), 255, np.uint8)
    step = 8
    columns, rows = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    places = table.view.to_table(np.column_stack((columns.ravel(), rows.ravel())).astype(np.float64)).astype(np.float32)
    outline = np.array(table.edge_mm, dtype=np.float32).reshape(-1, 1, 2)
    inside_mm = np.array([cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in places], dtype=np.float32).reshape(rows.shape)
    spread = cv2.warpAffine(
        np.maximum(inside_mm, -1000), np.array([[2 / step, 0, 0], [0, 2 / step, 0]]), (width // 2, height // 2), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    return np.where(spread > -AROUND_TABLE_MM, 255, 0).astype(np.uint8)
