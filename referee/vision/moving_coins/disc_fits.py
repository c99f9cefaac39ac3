"""Fits a disc to one frame, at a place or in a part of the frame. The disc may have to look like a
certain coin, like coins on this table in general, or like the pixels at that place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final

import numpy as np

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import Point
from referee.vision.coins.coin_template import RADII, CoinTemplate
from referee.vision.coins.local_contrast import local_contrast, step_from
from referee.vision.coins.motion_fit import DiscFit, coarse_place, fit_disc
from referee.vision.coins.rim_appearance import RimAppearance
from referee.vision.coins.rim_fit import FARTHEST_MM
from referee.vision.image.disc import ProjectedDisc, spot_behind
from referee.vision.image.picture import ChannelMix, Floats, Picture, Rect, rect_around
from referee.vision.image.projection_cache import ProjectionCache
from referee.vision.moving_coins.outline_fit import OUTLINE_RADII, outline_place
from referee.vision.moving_coins.template_match import least_fall, or_by_its_picture

# Tuned on our own clips.

# Chosen: every second pixel of the table, which is enough for its colours.
SAMPLED_PX: Final = 2
# Chosen: a coin's own mix is used where it shows the coin at least half as clearly as the best one.
USUAL_CLEARNESS: Final = 0.5
# With a larger correlation, the table's pattern is still visible. Measured: on a cloth with dots at
# crf 30, dots that a hand's shadow darkened, with correlations of 0.97 to 0.99, were taken for
# coins. On this cloth and on eight tables with print, coins that moved had at most 0.72.
SAME_PATTERN: Final = 0.9
# The margin of the fine fit, after a disc was found to a pixel: room for its side wall and some
# bare table.
FINE_MARGIN_MM: Final = 2.5


@dataclass(frozen=True, slots=True)
class SearchArea:
    """A rectangle of the frame to search, and the rectangles in it whose pixels known coins
    explain.
    """

    rect: Rect
    known: tuple[Rect, ...]


@dataclass(frozen=True, slots=True)
class FrameFits:
    """One frame in which discs are fitted: its pixels, those of the background, and how coins look
    on this table (the mix in which they stand out, their rims, and the templates of known coins).
    """

    picture: Picture
    background: Picture
    table: SurveyedTable
    projections: ProjectionCache
    channel_mix: ChannelMix
    rim_look: RimAppearance
    templates: Mapping[str, CoinTemplate]
    _kept: dict[tuple[Rect, ChannelMix], tuple[Floats, Floats]] = field(default_factory=dict)

    def near(
        self, at_mm: Point, sweep_mm: Point, coin: str | None, margin_mm: float = FARTHEST_MM
    ) -> DiscFit | None:
        """Fit the best disc within `margin_mm` of a place."""
        return self.at(self.projections.at(at_mm), sweep_mm, coin, margin_mm)

    def as_it_looks(self, at_mm: Point, sweep_mm: Point, coin: str | None = None) -> DiscFit | None:
        """Fit a disc in the mix in which the pixels at a place stand out from their surroundings;
        None if they are not plainly a disc. Such a fit finds a coin that looks different from how
        it looked at rest, because it is in another light, as where a window is reflected.
        """
        mix = local_contrast(self.picture, self.table.view, at_mm, self.table.sizes.of(coin))
        spot = self.projections.at(at_mm)
        fit = None if mix is None else self.at(spot, sweep_mm, coin, mix=mix)
        if fit is None or not fit.is_sharp:
            return None
        return _beside_unknown_wall(fit, spot)

    def outline_at(
        self, spot: ProjectedDisc, sweeps_mm: Sequence[Point], coin: str | None = None
    ) -> Point | None:
        """Return the centre, near a spot, of a coin that moves by one of `sweeps_mm`, from the
        outline of the pixels that differ from the background; None if there is no such outline.
        """
        longest_mm = max(math.hypot(*sweep) for sweep in sweeps_mm)
        sizes = self.table.sizes.of(coin)
        reach_mm = OUTLINE_RADII * sizes.coin_mm / 2 + 0.5 * longest_mm
        rect = spot.rect(reach_mm).within(self.picture.width, self.picture.height)
        pictures = (self.picture, self.background)
        return outline_place(*pictures, rect, self.table.view, spot, sizes, sweeps_mm)

    def is_bare_table(self, fit: DiscFit, coin: str | None = None) -> bool:
        """Return whether the table's pattern, perhaps lighter or darker, is still visible where a
        disc was fitted: what hides the table hides its pattern, too. A coin that lies exactly on a
        printed disc of its size may count as bare table. A coin that moves by its radius or more
        while the shutter is open does not hide the pattern, so it never counts.
        """
        radius_mm = self.table.sizes.width_mm(coin) / 2
        if math.hypot(*fit.sweep_mm) >= radius_mm:
            return False
        rect = self.projections.at(fit.at_mm).rect(radius_mm)
        rect = rect.within(self.picture.width, self.picture.height)
        if rect.empty:
            return False
        size = (rect.bottom - rect.top, rect.right - rect.left)
        down, right = (np.linspace(-1.0, 1.0, n) for n in size)
        # A tile beside a coin reaches into the corners.
        inside = down[:, None] ** 2 + right[None] ** 2 <= 1.0
        pictures = (self.picture, self.background)
        discs = (picture.channels(rect)[inside] for picture in pictures)
        seen, bare = ((pixels - pixels.mean(axis=0)).ravel() for pixels in discs)
        if seen.shape != bare.shape:
            return False  # one of the pictures has no colour
        return float(seen @ bare) > SAME_PATTERN * float(
            np.linalg.norm(seen) * np.linalg.norm(bare)
        )

    def spot_seen_at(self, at_px: Point) -> ProjectedDisc:
        """Return the spot of a coin whose face is seen at a pixel."""
        return spot_behind(self.table.view, at_px, self.table.sizes.coin_thickness_mm)

    def at(
        self,
        spot: ProjectedDisc,
        sweep_mm: Point,
        coin: str | None,
        margin_mm: float = FARTHEST_MM,
        around: SearchArea | None = None,
        mix: ChannelMix | None = None,
        worth: Callable[[ProjectedDisc], bool] | None = None,
    ) -> DiscFit | None:
        """Fit the best disc within `margin_mm` of a spot, or, with `around`, anywhere in that part
        of the frame. The disc is first found to a pixel; return None if `worth` says that this
        place is not worth a fit. The contrast of the fit is a share of the contrast that coins
        usually have in `mix` (by default the coin's own mix, or else the table's). If `mix` is
        given, only the size of `coin` is used, not its look.
        """
        if mix is None:
            return self._in_usual_or_local_mix(spot, sweep_mm, coin, margin_mm, around, worth)
        return self._in_mix(spot, sweep_mm, coin, None, mix, margin_mm, around, worth)

    def _in_usual_or_local_mix(
        self,
        spot: ProjectedDisc,
        sweep_mm: Point,
        coin: str | None,
        margin_mm: float,
        around: SearchArea | None,
        worth: Callable[[ProjectedDisc], bool] | None,
    ) -> DiscFit | None:
        """Fit a disc in the coin's own mix, or else the table's. If the fit is not sharp, and the
        coin hardly stands out from this part of the table in that mix, also fit it in the mix in
        which it does, and return the better fit.
        """
        template = None if coin is None else self.templates.get(coin)
        usual = self.channel_mix if template is None else template.channel_mix
        fit = self._in_mix(spot, sweep_mm, coin, template, usual, margin_mm, around, worth)
        if template is None or (fit is not None and fit.is_sharp):
            return fit
        reach_mm = template.radius_mm + 0.5 * float(np.hypot(*sweep_mm)) + margin_mm
        local = self._local_mix(template, spot.rect(reach_mm))
        if local is None:
            return fit
        # no wall was measured in this mix
        wall_unknown = replace(self, rim_look=replace(self.rim_look, wall_share=None))
        again = wall_unknown._in_mix(spot, sweep_mm, coin, None, local, margin_mm, around, worth)
        again = again and _beside_unknown_wall(again, spot)
        found = (each for each in (fit, again) if each is not None)
        return max(found, key=attrgetter("goodness"), default=None)

    def _local_mix(self, template: CoinTemplate, around: Rect) -> ChannelMix | None:
        """Return the mix in which a coin is most clearly lighter than a part of the table; None if
        it stands out there in its own mix.
        """
        part = around.within(self.picture.width, self.picture.height)
        if template.colour is None or part.empty:
            return None
        table = self.background.channels(part)[::SAMPLED_PX, ::SAMPLED_PX]
        if table.shape[2] != len(template.colour):
            return None
        step = step_from(np.ascontiguousarray(table.reshape(-1, table.shape[2]).T), template.colour)
        if step.clearness(template.channel_mix) > USUAL_CLEARNESS * step.clearest():
            return None
        return step.best_mix()

    def _in_mix(
        self,
        spot: ProjectedDisc,
        sweep_mm: Point,
        coin: str | None,
        template: CoinTemplate | None,
        channel_mix: ChannelMix,
        margin_mm: float,
        around: SearchArea | None,
        worth: Callable[[ProjectedDisc], bool] | None,
    ) -> DiscFit | None:
        """Fit the best disc in one mix (see `at`). With `template`, the disc may also look like
        that coin.
        """
        sizes = self.table.sizes.of(coin)
        radius = sizes.coin_mm / 2
        width, height = self.picture.width, self.picture.height
        reach_mm = radius + 0.5 * float(np.hypot(*sweep_mm))
        rect = spot.rect(reach_mm + margin_mm).within(width, height)
        reach = spot.reach_px(radius)
        if rect.right - rect.left < 2 * reach[0] or rect.bottom - rect.top < 2 * reach[1]:
            return None
        searched = rect if around is None else rect.joined(around.rect.within(width, height))
        # room for the coin's template around a centre at the border
        margin_px = math.ceil((RADII - 1) * max(reach))
        seen, bare, whole = self._pixels_around(searched, margin_px, channel_mix)
        more = seen - bare
        for known in around.known if around is not None else ():
            known.within(width, height).inside(whole).of(more)[...] = 0.0
        there = (more, bare, whole)
        shift = coarse_place(searched.inside(whole).of(more), searched, spot, radius, sweep_mm)
        seen_px = (spot.at_px[0] + shift[0], spot.at_px[1] + shift[1])
        if worth is not None and not worth(self.spot_seen_at(seen_px)):
            return None
        # the linearised view around the spot is not valid so far away
        if max(abs(shift[0]), abs(shift[1])) > reach[0]:
            spot, shift = self.spot_seen_at(seen_px), (0.0, 0.0)
        fine = rect_around(*seen_px, *spot.reach_px(reach_mm + FINE_MARGIN_MM))
        near = fine.within(width, height)
        if near.right - near.left < reach[0] or near.bottom - near.top < reach[1]:
            return None
        if near.joined(whole) != whole:
            seen, bare, whole = self._pixels_around(near, 0, channel_mix)
        seen, bare = (near.inside(whole).of(values) for values in (seen, bare))
        own = template if template is not None and template.lifted else None
        least = -math.inf if own is None else least_fall(own, bare, sizes, sweep_mm)
        view, rim_look = self.table.view, self.rim_look
        if template is not None and template.wall_share is not None:
            rim_look = replace(rim_look, wall_share=template.wall_share)
        fit = fit_disc(seen, bare, near, view, spot, sizes, shift, sweep_mm, rim_look, least)
        if fit is not None:
            fit = replace(fit, contrast=fit.contrast / channel_mix.contrast)
        if own is None:
            return fit
        return or_by_its_picture(fit, *there, view, spot, sizes, own, sweep_mm)

    def _pixels_around(
        self, rect: Rect, margin_px: int, channel_mix: ChannelMix
    ) -> tuple[Floats, Floats, Rect]:
        """Return the values of the frame and of the background in a rectangle and a margin around
        it, in a channel mix, and the whole rectangle that they fill. The values are kept, because a
        region is fitted once for each possible motion of its coin. So do not write to these values.
        """
        whole = Rect(
            rect.left - margin_px,
            rect.top - margin_px,
            rect.right + margin_px,
            rect.bottom + margin_px,
        ).within(self.picture.width, self.picture.height)
        key = (whole, channel_mix)
        if key not in self._kept:
            self._kept[key] = (
                self.picture.mixed(whole, channel_mix),
                self.background.mixed(whole, channel_mix),
            )
        return (*self._kept[key], whole)


def _beside_unknown_wall(fit: DiscFit, spot: ProjectedDisc) -> DiscFit:
    """Return a fit with a larger sigma, for a mix or a light in which it is not known how the
    coin's side wall looks. If the wall counted as part of the disc, the disc would lie half a wall
    closer to the camera, so sigma includes that distance.
    """
    half_wall_mm = 0.5 * float(np.hypot(*(spot.mm_per_px @ np.asarray(spot.wall_px))))
    return replace(fit, sigma_mm=math.hypot(fit.sigma_mm, half_wall_mm))
