"""Finds the moving coins in a frame: near their expected places, and in every other region that
changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final

import numpy as np

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.episode import STARTED_MM
from referee.domain.frame_observation import Disc, Expected
from referee.domain.geometry import Point, cross, distance, dot, scale, subtract, unit
from referee.domain.layout import Course
from referee.vision.background.foreground import LEAST_OF_COIN, SPECK_OF_COIN, Foreground
from referee.vision.background.regions import Region
from referee.vision.coins.coin_template import CoinTemplate
from referee.vision.coins.motion_fit import LEAST_EXPLAINED, SHARP_SUPPORT, DiscFit
from referee.vision.coins.rim_appearance import RimAppearance
from referee.vision.coins.rim_fit import LEAST_SUPPORT
from referee.vision.image.disc import ProjectedDisc
from referee.vision.image.picture import Bytes, ChannelMix, Picture, Rect
from referee.vision.image.projection_cache import ProjectionCache
from referee.vision.moving_coins.disc_fits import FrameFits, SearchArea
from referee.vision.moving_coins.hand_in_frame import BESIDE_FAINTER, NEAR_HAND_MM, HandInFrame
from referee.vision.moving_coins.template_match import LEAST_SHOWN
from referee.vision.moving_coins.tile_crossing import beside_changed_tile, crosses_tile

# Tuned on our own clips, except where a comment gives another source for a number.

CONTRAST_OF_REST: Final = 0.2  # a disc's least contrast, as a share of the usual one
# A fit above this value may be a coin with a wrong sweep (its motion during the exposure). The fit
# is repeated with the sweep that it shows. Measured: over 15 bundled and path-traced clips -0.5 and
# 0.12 give the same paths. Over 15 with faster flicks or longer exposures -0.5 finds three more
# streaks (goodness -0.36 to 0.54, -0.24 to 0.73, 0.10 to 0.89), and the same incidents.
LEAST_SWEPT_GOODNESS: Final = -0.5
LEAST_GOODNESS: Final = 0.12  # the least goodness of a disc (support minus unexplained)
EXPLAINED_MM: Final = 3.0  # a disc explains differences up to this far beyond its rim
MOST_IN_REGION: Final = 3  # the most discs in one region, and lost coins tried for each
ON_TILE_RADII: Final = 0.8  # in coin radii; a coin centred nearer to a tile would overlap it
# In coin widths: this near a removed coin's place, the table is only estimated. Chosen: as far as a
# disc overlaps the coin's shadow. Measured: a coin that came to rest 1.47 widths away was dropped
# with 1.5.
GHOST_WIDTHS: Final = 1.25
# In contrasts of a removed coin: a disc near its place that is fainter or brighter may be a wrong
# estimate of the table.
LIKE_REMOVED: Final = (0.6, 1.4)
USUAL_FLICK_MM_S: Final = 1500.0  # a flicked coin's speed while nothing better is known
MOST_MISSING: Final = 2  # the most missing coins from whose places a streak may have begun
STRUCK_WIDTHS: Final = 4.0  # in coin widths: the longest path along which a coin is searched for
# Chosen: in coin widths; a coin that a hand covered is searched for up to this far from there.
CAME_BACK_WIDTHS: Final = 2.0
NEAR_MM: Final = 5.0  # how far a coin may be from its expected place
# A smaller error of the sweep is ignored, although it shifts the measured middle.
WRONG_SWEEP_MM: Final = 2.5
AT_HAND_SIGMAS: Final = 2.0  # sigma grows by this factor: fingers shift the measured centre
PLAIN_LEFT: Final = 0.35  # the largest share of a coin's area that it may leave unexplained
OUTLINE_SIGMA: Final = 0.1  # Chosen: in coin widths; a shadow shifts the outline by this much
# The largest sigma of an unexpected disc, in coin widths. Measured: 99 % of sightings below 0.12.
MOST_SIGMA: Final = 0.15  # Measured: edges of moving shadows on a pale table have 0.2 and more
# A share of a coin's width. Two discs closer than this are the same disc. A moving coin closer than
# this to its place of rest looks much like one that never moved.
APART: Final = 0.6


@dataclass(frozen=True)
class DiscSearch:
    """One frame in which to search for discs: its pixels, those of the background, what differs,
    and how coins look on this table. `radii` are the radii of the coins at rest, by their places in
    mm. `changed` is not 0 where the small copy differs from the previous one (None: unknown).
    """

    picture: Picture
    background: Picture
    foreground: Foreground
    table: SurveyedTable
    course: Course
    projections: ProjectionCache
    channel_mix: ChannelMix
    rim_look: RimAppearance
    coin_px: float
    guessed: tuple[tuple[Point, float], ...] = ()
    missing_mm: tuple[Point, ...] = ()
    hues: tuple[tuple[float, float], ...] = ()
    templates: Mapping[str, CoinTemplate] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    radii: Mapping[Point, float] = field(default_factory=dict)
    changed: Bytes | None = None

    def discs(
        self,
        moving: Sequence[Expected],
        standing: Sequence[Disc],
        under_hand: Sequence[Expected],
        still_mm: Sequence[Point],
        change: Bytes | None,
        exposure_s: float,
    ) -> tuple[Disc, ...]:
        """Find the discs where moving coins are expected, and beside hands that cover resting
        coins. Also search every other region that these discs do not explain and in which `change`,
        a mask of the small copy, is not 0 (None: no other region is searched).

        `standing` are discs that are known already, because nothing changed there. `still_mm` are
        the places of coins at rest in full view.
        """
        found: list[Disc] = [*standing]
        for e in moving:
            if all(distance(e.at_mm, disc.at_mm) > NEAR_MM for disc in standing):
                self._add_expected(found, still_mm, e, exposure_s)
        # A coin that was clearly found at its expected place is not searched for elsewhere. A disc
        # beside a hand is never clear, because a finger may look like a coin.
        plain = [d.at_mm for d in found if d.support >= SHARP_SUPPORT and not d.beside_hand]
        clear = {e.coin for e in moving if any(distance(e.at_mm, at) < NEAR_MM for at in plain)}
        for e in under_hand:
            self._add_under_hand(found, still_mm, e)
        # If no coin is missing, nothing else that moves is a coin.
        all_found = bool(moving) and not self.missing_mm and len(clear) == len(moving)
        if all_found or change is None:
            return tuple(found)
        rest = replace(self, lost=tuple(coin for coin in self.lost if coin not in clear))
        for region in self.foreground.coin_like:
            if not np.count_nonzero(region.box.of(change)):
                continue
            for _ in range(MOST_IN_REGION):
                if not rest._fit_region(region, found, still_mm, exposure_s):
                    break
        return tuple(found)

    def slides_in_view(
        self, beside: Sequence[Expected], still_mm: Sequence[Point], change: Bytes
    ) -> bool:
        """Return whether one of the coins `beside` a hand is plainly seen where `change` is not 0,
        away from any hand, although all coins seem to lie at `still_mm`.
        """
        places, names = tuple(e.at_mm for e in beside), tuple(e.coin for e in beside)
        doubted = replace(self, missing_mm=places, lost=names)
        discs = doubted.discs([], [], [], still_mm, change, 0.0)
        return any(disc.support >= SHARP_SUPPORT and not disc.at_hand for disc in discs)

    def covers(self, expected: Expected) -> bool:
        """Return whether a hand covers a coin at its expected place, or is right beside it."""
        return self.hand.reaches(expected.at_mm, expected.coin)

    def _radius_mm(self, coin: str | None) -> float:
        return self.table.sizes.width_mm(coin) / 2

    def _known(self, found: Sequence[Disc], still_mm: Sequence[Point]) -> list[tuple[Point, float]]:
        """Return the places and the radii of the coins at rest and of the discs found so far."""
        usual = self._radius_mm(None)
        lying = [(at, self.radii.get(at, usual)) for at in still_mm]
        return [
            *lying,
            *((d.at_mm, usual if d.width_mm is None else d.width_mm / 2) for d in found),
        ]

    def _area(self, rect: Rect, found: Sequence[Disc], still_mm: Sequence[Point]) -> SearchArea:
        """Return the area to search for discs: `rect` without the pixels of known coins."""
        known = self._known(found, still_mm)
        explained = (self.projections.at(at).rect(own + EXPLAINED_MM) for at, own in known)
        return SearchArea(rect, tuple(explained))

    def _add_expected(
        self, found: list[Disc], still_mm: Sequence[Point], e: Expected, exposure_s: float
    ) -> None:
        """Search for a moving coin at its expected place. If the coin is not there, it may have
        struck something: then search everywhere between there and where it was last seen.
        """
        if (
            self.foreground.share_in(
                self.projections.small_rect(e.at_mm, 2 * self._radius_mm(e.coin))
            )
            > SPECK_OF_COIN
        ):
            sweep = scale(e.velocity_mm_s or (0.0, 0.0), exposure_s)
            fit = self._fits.near(e.at_mm, sweep, e.coin)
            fit = self._with_seen_sweep(e, fit, sweep, exposure_s)
            if not self._through_tile(e.seen_mm, fit) and self._add(
                found, still_mm, fit, LEAST_SUPPORT, coin=e.coin, expected=e
            ):
                return
            fit = self._fits.as_it_looks(e.at_mm, sweep, e.coin)
            if not self._through_tile(e.seen_mm, fit) and self._add(
                found, still_mm, fit, LEAST_SUPPORT, coin=e.coin, expected=e
            ):
                return
        if e.seen_mm is None or distance(e.seen_mm, e.at_mm) > STRUCK_WIDTHS * 2 * self._radius_mm(
            e.coin
        ):
            return
        spot, radius = self.projections.at(e.seen_mm), self._radius_mm(e.coin)
        way = spot.rect(radius).joined(self.projections.at(e.at_mm).rect(radius))
        around = self._area(way, found, still_mm)
        fit = self._fits.at(spot, (0.0, 0.0), e.coin, around=around)
        fit = self._with_seen_sweep(e, fit, (0.0, 0.0), exposure_s)
        self._add(found, still_mm, fit, LEAST_SUPPORT, coin=e.coin, expected=e)

    def _add_under_hand(self, found: list[Disc], still_mm: Sequence[Point], e: Expected) -> None:
        """Search for a coin that a hand covers, at its old place or where it may have moved. A coin
        that leaves a hand slowly stays in one region with the hand.
        """
        at_mm, width_mm = e.maybe_mm or e.at_mm, 2 * self._radius_mm(e.coin)
        if self.foreground.fully_covered(self.projections.small_rect(at_mm, width_mm)):
            return
        fit = self._fits.near(at_mm, (0.0, 0.0), e.coin, NEAR_HAND_MM)
        seen = fit is not None and fit.contrast > LEAST_SHOWN
        seen = seen and fit is not None and distance(fit.at_mm, e.at_mm) > STARTED_MM
        if not (seen and self._add(found, still_mm, fit, SHARP_SUPPORT, coin=e.coin)):
            self._add_come_back(found, still_mm, e, CAME_BACK_WIDTHS * width_mm)

    def _add_come_back(
        self, found: list[Disc], still_mm: Sequence[Point], e: Expected, reach_mm: float
    ) -> None:
        """Search beside a hand for a coin that was flicked at a tile up to `reach_mm` away, and
        bounced back. Such a coin is in one region with the hand, but plainly seen, also by its hue.
        """
        tile_mm = self.table.sizes.tile_mm / 2 + self._radius_mm(e.coin) + reach_mm
        if not self.course.has_tile(e.at_mm, tile_mm):
            return
        spot = self.projections.at(e.at_mm)
        around = self._area(spot.rect(reach_mm), found, still_mm)
        worth = partial(self.hand.has_coins_hue, coin=e.coin)
        fit = self._fits.at(spot, (0.0, 0.0), e.coin, around=around, worth=worth)
        moved = fit is not None and distance(fit.at_mm, e.at_mm) > STARTED_MM
        if fit is not None and moved and self.hand.is_plain(fit, lenient=False, coin=e.coin):
            self._add(found, still_mm, fit, SHARP_SUPPORT, coin=e.coin)

    def _with_seen_sweep(
        self, e: Expected, fit: DiscFit | None, sweep_mm: Point, exposure_s: float
    ) -> DiscFit | None:
        """Repeat a fit whose sweep was wrong: the fit's place shows that the coin moved faster than
        expected, or in another direction.
        """
        if (
            fit is None
            or fit.goodness < LEAST_SWEPT_GOODNESS
            or e.seen_mm is None
            or e.seen_ago_s <= 0.0
            or exposure_s <= 0.0
        ):
            return fit
        went = scale(subtract(fit.at_mm, e.seen_mm), exposure_s / e.seen_ago_s)
        if distance(went, sweep_mm) < WRONG_SWEEP_MM:
            return fit
        again = self._fits.near(fit.at_mm, went, e.coin)
        return again if again is not None and again.goodness > fit.goodness else fit

    def near(
        self, coin: str, at_mm: Point, velocity_mm_s: Point, exposure_s: float, uneven_mm: float
    ) -> Disc | None:
        """Find the disc at a place where a coin is known to have been at about this moment, even
        right beside a hand; None if it cannot be seen. A disc in full view may lie up to
        `uneven_mm` from the place along the coin's path.
        """
        fit = self._fits.near(at_mm, scale(velocity_mm_s, exposure_s), coin)
        if fit is None or fit.support < LEAST_SUPPORT or fit.unexplained > 1 - LEAST_EXPLAINED:
            return None
        if self._fits.is_bare_table(fit, coin):
            return None
        off, heading = subtract(fit.at_mm, at_mm), unit(velocity_mm_s)
        along_mm = max(NEAR_MM, uneven_mm) if fit.is_sharp else NEAR_MM
        if abs(cross(heading, off)) > NEAR_MM or abs(dot(heading, off)) > along_mm:
            return None
        at_hand = self.hand.reaches(fit.at_mm, coin)
        sigma_mm = fit.sigma_mm * (AT_HAND_SIGMAS if at_hand else 1.0)
        width_mm = self.table.sizes.width_mm(coin)
        return Disc(fit.at_mm, sigma_mm, fit.support, at_hand, at_hand, width_mm)

    def _fit_region(
        self, region: Region, found: list[Disc], still_mm: Sequence[Point], exposure_s: float
    ) -> bool:
        """Fit one more disc to a region if enough of the region is unexplained. Return whether a
        disc was added.
        """
        if region.area < LEAST_OF_COIN * self.coin_px:
            return False
        places = self._known(found, still_mm)
        known = [self.projections.small_rect(at, own + EXPLAINED_MM) for at, own in places]
        place = self.foreground.unexplained_middle(region, known, LEAST_OF_COIN * self.coin_px)
        if place is None:
            return False
        spot = self._fits.spot_seen_at(place)
        if region.apart and not self.hand.has_coins_hue(spot):
            return False
        box, *parts = (rect.times(self.foreground.shrink) for rect in (region.box, *known))
        around = SearchArea(box, tuple(parts))
        fit, coin = self._best_fit(region, spot, around, exposure_s)
        if (
            fit is not None
            and fit.contrast < BESIDE_FAINTER
            and self._beside_changed_tile(fit.at_mm)
            and not self.hand.is_plain(fit, lenient=True, coin=coin)
        ):
            return False
        if region.apart and (
            fit is None
            or not self._is_all_of(region, fit, known, coin)
            or not self.hand.is_plain(fit, lenient=True, coin=coin)
        ):
            return False
        return self._add(found, still_mm, fit, LEAST_SUPPORT, region, coin) or (
            not region.apart and self._add_outline(found, still_mm, region, spot, exposure_s)
        )

    def _add_outline(
        self,
        found: list[Disc],
        still_mm: Sequence[Point],
        region: Region,
        spot: ProjectedDisc,
        exposure_s: float,
    ) -> bool:
        """Add a coin in open view that is recognised only by the outline of the pixels that differ
        from the table. Return whether a coin was added.
        """
        sweeps = [(0.0, 0.0), *self._sweeps(region, spot, exposure_s)]
        coin = next(iter(self.lost), None)
        at_mm = self._fits.outline_at(spot, sweeps, coin)
        if at_mm is None or self.hand.reaches(at_mm) or self._beside_changed_tile(at_mm):
            return False
        width_mm = self.table.sizes.width_mm(coin)
        known = (*still_mm, *self.missing_mm, *(d.at_mm for d in found))
        if any(distance(at_mm, other) < APART * width_mm for other in known):
            return False
        sigma_mm = OUTLINE_SIGMA * width_mm
        found.append(Disc(at_mm, sigma_mm, LEAST_SUPPORT, at_hand=False, width_mm=width_mm))
        return True

    def _best_fit(
        self, region: Region, spot: ProjectedDisc, around: SearchArea, exposure_s: float
    ) -> tuple[DiscFit | None, str | None]:
        """Return the best fit to a region, and the coin whose size and look it used."""
        best: tuple[DiscFit | None, str | None] = (None, None)
        for sweep in [(0.0, 0.0), *self._sweeps(region, spot, exposure_s)]:
            for coin in self.lost[:MOST_IN_REGION] or (None,):
                fit = self._fits.at(spot, sweep, coin, around=around)
                if fit is not None and (best[0] is None or fit.goodness > best[0].goodness):
                    best = (fit, coin)
                if best[0] is not None and best[0].is_sharp and self.table.sizes.is_set:
                    return best
        return best

    def _is_all_of(
        self, region: Region, fit: DiscFit, known: list[Rect], coin: str | None = None
    ) -> bool:
        """Return whether a disc, together with the known ones, explains nearly all of a region."""
        explained = [
            *known,
            self.projections.small_rect(fit.at_mm, self._radius_mm(coin) + EXPLAINED_MM),
        ]
        return (
            self.foreground.unexplained_middle(region, explained, PLAIN_LEFT * self.coin_px) is None
        )

    def _apart_at(self, fit: DiscFit, coin: str | None) -> Region | None:
        """Return the region that a disc explains if only a shadow joins it to a hand; else None."""
        x, y = (v / self.foreground.shrink for v in self.projections.at(fit.at_mm).at_px)
        around = (
            r
            for r in self.foreground.coin_like
            if r.apart and r.box.left <= x < r.box.right and r.box.top <= y < r.box.bottom
        )
        return next((r for r in around if self._is_all_of(r, fit, [], coin)), None)

    def _sweeps(self, region: Region, spot: ProjectedDisc, exposure_s: float) -> Iterator[Point]:
        """Return possible motions, during the exposure, of the coin in a region: away from the
        place of a missing coin, or along the region's length.
        """
        if self.changed is not None and not np.count_nonzero(region.box.of(self.changed)):
            return  # a coin at rest leaves no streak
        length, radius = USUAL_FLICK_MM_S * exposure_s, self.table.sizes.span_mm[0] / 2
        if length > WRONG_SWEEP_MM and self.foreground.holds_streak(region, spot, radius, length):
            nearest = sorted(self.missing_mm, key=lambda at: distance(at, spot.at_mm))
            for at_mm in nearest[:MOST_MISSING]:
                if (way := distance(at_mm, spot.at_mm)) > self._radius_mm(None):
                    yield scale(subtract(spot.at_mm, at_mm), length / way)
        if (sweep := self.foreground.sweep_of(region, spot, radius)) != (0.0, 0.0):
            yield sweep

    @cached_property
    def hand(self) -> HandInFrame:
        """Return what tells coins beside a hand from parts of the hand."""
        return HandInFrame(
            self.picture, self.background, self.foreground, self.table, self.projections, self.hues
        )

    @cached_property
    def _fits(self) -> FrameFits:
        return FrameFits(
            self.picture,
            self.background,
            self.table,
            self.projections,
            self.channel_mix,
            self.rim_look,
            self.templates,
        )

    def _add(
        self,
        found: list[Disc],
        still_mm: Sequence[Point],
        fit: DiscFit | None,
        least_support: float,
        region: Region | None = None,
        coin: str | None = None,
        expected: Expected | None = None,
    ) -> bool:
        """Add a fit to `found` if it is a good disc, is not known already and does not lie on a
        coin at rest. Return whether it was added. `expected` is the moving coin searched for.
        """
        if (
            fit is None
            or fit.contrast < CONTRAST_OF_REST
            or fit.unexplained > 1 - LEAST_EXPLAINED
            or fit.goodness < LEAST_GOODNESS
        ):
            return False
        radius = self._radius_mm(coin)
        vague = region is not None and fit.sigma_mm > MOST_SIGMA * 2 * radius
        if vague or any(
            distance(fit.at_mm, other) < APART * (radius + own)
            for other, own in self._known(found, still_mm)
        ):
            return False
        if self._on_tile(fit.at_mm) or self._fits.is_bare_table(fit, coin):
            return False
        if self.may_be_estimate(fit, coin, expected=region is None):
            return False
        at_hand = beside_hand = self.hand.reaches(fit.at_mm, coin)
        if at_hand:
            followed = expected is not None and self._is_followed(fit, expected)
            lenient = followed or (region or self._apart_at(fit, coin)) is not None
            at_hand = not self.hand.is_plain(fit, lenient=lenient, coin=coin)
            if at_hand and self.hand.is_fingertip(fit.at_mm, coin):
                return False
        if fit.support < (max(least_support, SHARP_SUPPORT) if at_hand else least_support):
            return False
        sigma_mm = fit.sigma_mm * (AT_HAND_SIGMAS if at_hand else 1.0)
        found.append(Disc(fit.at_mm, sigma_mm, fit.support, at_hand, beside_hand, 2 * radius))
        return True

    def _is_followed(self, fit: DiscFit, expected: Expected) -> bool:
        """Return whether a disc is near the expected place of a coin that was just seen to slide
        clear of any hand.
        """
        near_mm = 2 * self._radius_mm(expected.coin)
        return expected.seen_free and distance(fit.at_mm, expected.at_mm) < near_mm

    def may_be_estimate(
        self, fit: DiscFit, coin: str | None = None, *, expected: bool = False
    ) -> bool:
        """Return whether a disc may be only a wrong estimate of the bare table: it is near a
        removed coin's place, and fainter than that coin was, or not `expected`, brighter, and
        without a coin's hue.
        """
        spot = self.projections.at(fit.at_mm)
        (x, y), width_px = spot.at_px, 2 * spot.reach_px(self._radius_mm(None))[0]
        faint, bright = LIKE_REMOVED
        contrasts = [
            contrast
            for px, contrast in self.guessed
            if math.hypot(x - px[0], y - px[1]) < GHOST_WIDTHS * width_px
        ]
        if any(fit.contrast < faint * contrast for contrast in contrasts):
            return True
        if expected or all(fit.contrast <= bright * contrast for contrast in contrasts):
            return False
        return not self.hand.has_coins_hue(spot, coin)

    def _on_tile(self, at_mm: Point) -> bool:
        """Return whether a disc is centred on a tile, or too near to one to be a coin beside it."""
        reach_mm = self.table.sizes.tile_mm / 2 + ON_TILE_RADII * self.table.sizes.coin_mm / 2
        return self.course.has_tile(at_mm, reach_mm)

    def _beside_changed_tile(self, at_mm: Point) -> bool:
        """Return whether a disc lies on or beside a tile that something may have pushed."""
        seen = (self.foreground, self.projections, self.table.sizes)
        return beside_changed_tile(self.course, at_mm, *seen)

    def _through_tile(self, seen_mm: Point | None, fit: DiscFit | None) -> bool:
        """Return whether a coin would have had to pass through a tile to reach a disc beside a
        hand. In that case the disc is a finger, and the coin struck the tile.
        """
        return (
            seen_mm is not None
            and fit is not None
            and self.hand.reaches(fit.at_mm)
            and crosses_tile(self.course, self.table.sizes.tile_mm, seen_mm, fit.at_mm)
        )
