"""Analyses every frame as a small copy, and at full size only where something moves.

The small copy is compared with that of the previous frame, to see whether anything moves, and with
the background, to see what differs from it. Where something moves, a large region that differs is
taken for a hand, and a smaller one may be a coin. A disc is then fitted to the full-size pixels of
that smaller region. What was found at a place stays valid until something moves there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.episode import MOMENT_S
from referee.domain.frame_observation import Disc, Expected, FrameObservation, Presence
from referee.domain.geometry import Point, distance
from referee.domain.layout import Course, Tile
from referee.vision.alignment.light import Light
from referee.vision.background.appearance_history import AppearanceHistory
from referee.vision.background.background import DIFFERENT_STEP, Background, watched
from referee.vision.background.background_update import left_behind
from referee.vision.background.small_copies import SmallCopies, leaves_luma_out, shrink_of
from referee.vision.background.unsearched import Unsearched
from referee.vision.background_difference import (
    DISTURBED_SHARE,
    FAINT_STEPS,
    BackgroundDifference,
    bare_table,
    surroundings,
    tile_boxes,
)
from referee.vision.coins.coin_template import CoinTemplate, guessed_places
from referee.vision.coins.face_levels import face_levels, levels_at
from referee.vision.coins.laid_coins import CoinsInView, LaidTemplate, rects_away
from referee.vision.coins.motion_fit import FLOOR_SIGMA_MM
from referee.vision.coins.rim_appearance import UNKNOWN_RIMS, RimAppearance
from referee.vision.image.disc import SHADOW_MM, ProjectedDisc, middle_scale
from referee.vision.image.noise import Noise
from referee.vision.image.picture import Bytes, ChannelMix, Picture, Rect
from referee.vision.image.projection_cache import ProjectionCache
from referee.vision.moving_coins.disc_finding import APART, DiscSearch

# Tuned on our own clips, except where a comment gives another source for a number.

# In template widths: a coin that is expected farther than this from its template's place has left
# it.
ELSEWHERE: Final = 0.2


@dataclass
class FrameAnalysis:
    """Analyses the frames of one table in order. Between frames, it keeps the channel mix, the
    background, and what the last frames showed.
    """

    table: SurveyedTable
    channel_mix: ChannelMix
    background: Background
    mask: Bytes
    projections: ProjectionCache
    coin_px: float
    course: Course
    history: AppearanceHistory
    noise: Noise
    light: Light
    largest_px: float
    rim_look: RimAppearance = UNKNOWN_RIMS
    coin_templates: dict[str, CoinTemplate] = field(default_factory=dict)
    copies: SmallCopies = field(init=False)
    _unsearched: Unsearched = field(init=False)
    _presence: dict[str, Presence] = field(default_factory=dict)
    _covered: frozenset[str] = frozenset()
    _still_since_s: float | None = None
    _taken: Background | None = None
    _left_behind: Bytes | None = None
    _hand: bool = False
    _discs: tuple[Disc, ...] = ()
    _disc_rects: tuple[Rect, ...] = ()  # pixels of the frame
    _boxes: tuple[Course, tuple[Rect, ...]] | None = None

    def __post_init__(self) -> None:
        copy, shrink = self.background.small.copy(), self.background.shrink
        self.copies = SmallCopies(shrink, self.coin_px, self.noise, self.history, copy)
        self._unsearched = Unsearched.of(self.mask)

    @staticmethod
    def opened(
        table: SurveyedTable, picture: Picture, channel_mix: ChannelMix, *, full_range: bool = False
    ) -> FrameAnalysis:
        """Return an analysis that has `picture` as its background. With `full_range`, the
        luminance of black is 0.
        """
        thickness_mm = table.sizes.coin_thickness_mm
        scale, shrink = middle_scale(table.view, thickness_mm), shrink_of(table)
        background = Background.of(picture, channel_mix, shrink)
        height, width = background.small.shape
        projections = ProjectionCache(table.view, thickness_mm, shrink, width, height)
        coin_px, usual_px, largest_px = (
            float(np.pi * (width_mm / 2 / shrink) ** 2 * scale)
            for width_mm in (table.sizes.span_mm[0], table.sizes.coin_mm, table.sizes.span_mm[1])
        )
        mask = watched(table, width, height, shrink)
        noise = Noise(mask)
        return FrameAnalysis(
            table,
            channel_mix,
            background,
            mask,
            projections,
            coin_px,
            table.course,
            AppearanceHistory(projections, table.sizes.coin_mm, noise),
            noise,
            Light(mask, math.sqrt(4 / math.pi * usual_px), shrink, full_range),
            largest_px,
        )

    def observe(
        self,
        picture: Picture,
        frame: int,
        t_s: float,
        expected: Sequence[Expected],
        exposure_s: float,
        *,
        same: bool = False,
    ) -> FrameObservation:
        """Return what this frame shows of the expected coins, and what else moves. `same` says that
        the frame shows the same as the previous one; hardly any of it is then examined.
        """
        if same and self.noise.needs_none():
            self.copies.stand(t_s)
            return self._unchanged(picture, frame, t_s, expected)
        change = self.copies.take(picture, self.channel_mix, t_s, by_luma=self._is_faint)
        if change is None:
            return self._unchanged(picture, frame, t_s, expected)
        if self.copies.moving:
            self._still_since_s = None
        else:
            self._update_left_behind(picture, t_s, expected)
        return self._changed(self.discs_in(picture), change, frame, t_s, expected, exposure_s)

    def _changed(
        self,
        search: DiscSearch,
        change: Bytes,
        frame: int,
        t_s: float,
        expected: Sequence[Expected],
        exposure_s: float,
    ) -> FrameObservation:
        """Return the observation of a frame in which something moves, where `change` is not 0."""
        picture, foreground = search.picture, search.foreground
        moving = [e for e in expected if e.velocity_mm_s is not None]
        resting = [e for e in expected if e.velocity_mm_s is None]
        quiet = frozenset(
            e.coin
            for e in moving
            if not self.projections.any_in(change, e.at_mm, self._radius_mm(e.coin) + 2)
        )
        self._check_resting_coins(picture, search, change, resting)
        if len(resting) == len(expected) and not self._presence:
            self._find_fingertip(search, resting, change)
        still = [e.at_mm for e in resting if e.coin not in self._presence]
        missing_mm = tuple(e.at_mm for e in resting if e.coin in self._presence)
        under_hand = [
            e
            for e in resting
            if self._presence.get(e.coin) is Presence.COVERED
            and self.projections.any_in(change, e.maybe_mm or e.at_mm, 2 * self._radius_mm(e.coin))
        ]
        self._unsearched.add(change)
        # While every coin is visible at its place of rest, no coin needs to be found. A coin that a
        # hand brings is searched for when everything is still.
        all_lie = 0 < len(expected) == len(still)
        searched = None if all_lie else self._unsearched.due(foreground)
        not_gone = frozenset(e.coin for e in expected if self._not_gone(search, e))
        discs: tuple[Disc, ...] = ()
        if moving or under_hand or searched is not None:
            lost = tuple(
                e.coin for e in expected if e.velocity_mm_s is not None or e.coin in self._presence
            )
            radii = {e.at_mm: self._radius_mm(e.coin) for e in resting}
            standing = self._standing(moving, quiet, change)
            told = replace(search, missing_mm=missing_mm, lost=lost, radii=radii, changed=change)
            discs = told.discs(moving, standing, under_hand, still, searched, exposure_s)
        if searched is not None:
            self._unsearched.searched(foreground)
        usual_mm = self.table.sizes.coin_mm / 2
        self._discs = tuple(
            replace(d, still=not self.projections.any_in(change, d.at_mm, usual_mm + 2))
            for d in discs
        )
        self._disc_rects = rects_away(self._discs, self.coin_templates, self.projections, usual_mm)
        self._hand = foreground.has_hand
        self._covered = frozenset(e.coin for e in expected if search.covers(e))
        near = self._covered.difference(self._presence, (e.coin for e in moving))
        in_view = CoinsInView(self.coin_templates, near, picture)
        for e in moving:  # a moving coin has no presence at its old place
            self._presence.setdefault(e.coin, Presence.COVERED)
        for coin in not_gone:
            self._presence.pop(coin, None)
        known, covered = self._known(expected), self._covered
        return FrameObservation(
            frame, t_s, True, self._hand, self._discs, known, quiet, covered, not_gone, in_view
        )

    def _standing(self, moving: Sequence[Expected], quiet: Set[str], change: Bytes) -> list[Disc]:
        """Return the discs of the previous frame that are still valid: that of a coin that stopped
        where it is expected now, and those at which nothing changed. A disc beside a hand is valid
        only if its place need not be searched again.
        """
        usual_mm = self.table.sizes.coin_mm / 2
        stops, small = [e.at_mm for e in moving if e.coin in quiet], self.projections.small_rect
        ways = [at for e in moving for at in (e.seen_mm, e.at_mm) if at is not None]
        return [
            disc
            for disc in self._discs
            if any(distance(disc.at_mm, at_mm) < FLOOR_SIGMA_MM for at_mm in stops)
            or not (
                (disc.beside_hand and not self._unsearched.holds(small(disc.at_mm, usual_mm)))
                or self.projections.any_in(change, disc.at_mm, usual_mm + 2)
                or any(distance(disc.at_mm, at_mm) < usual_mm for at_mm in ways)
            )
        ]

    def _unchanged(
        self, picture: Picture, frame: int, t_s: float, expected: Sequence[Expected]
    ) -> FrameObservation:
        """Return the observation of a frame without motion: the previous one is still valid."""
        self._update_left_behind(picture, t_s, expected)
        moving = frozenset(e.coin for e in expected if e.velocity_mm_s is not None)
        known = self._known(expected)
        return FrameObservation(frame, t_s, False, self._hand, (), known, moving, self._covered)

    def _known(self, expected: Sequence[Expected]) -> dict[str, Presence]:
        """Return the last finding about each coin at rest that is not clearly visible."""
        resting = (e.coin for e in expected if e.velocity_mm_s is None)
        return {coin: self._presence[coin] for coin in resting if coin in self._presence}

    def _update_left_behind(
        self, picture: Picture, t_s: float, expected: Sequence[Expected]
    ) -> None:
        """Update the background where a hand has left, if nothing has moved for a while."""
        self._still_since_s = t_s if self._still_since_s is None else self._still_since_s
        if not self._hand or t_s - self._still_since_s < MOMENT_S:
            return
        self._still_since_s = math.inf  # do not come here again before something moves
        foreground = self.difference.foreground()
        judged = bare_table(self.mask, self.table, self.course, self.projections)
        step, small = self.noise.step, self.copies.last
        behind = left_behind(foreground, picture, self.background, judged, small, step)
        if behind is None:
            return
        self._taken = self._taken or self.background.copy()
        for e in expected:
            if e.velocity_mm_s is not None or (
                e.coin in self.coin_templates and self.coin_templates[e.coin].lifted
            ):  # this coin must not become part of the background
                rect = self.projections.small_rect(e.at_mm, self._radius_mm(e.coin) + SHADOW_MM)
                rect.inside(foreground.box).of(behind)[...] = 0
        self.background.take_over_small(picture, foreground.box, behind)
        if self._left_behind is None:
            self._left_behind = np.zeros_like(self.copies.last)
        foreground.box.of(self._left_behind)[behind > 0] = 255
        search = self.discs_in(picture)
        self._hand = search.foreground.has_hand
        self._covered = frozenset(e.coin for e in expected if search.covers(e))

    def discs_in(self, picture: Picture) -> DiscSearch:
        """Return an object that searches a frame for discs."""
        small = picture.small(self.channel_mix, self.background.shrink)
        luma = picture.small_luma(self.background.shrink) if self._is_faint else None
        hues = tuple(p.hue for p in self.coin_templates.values() if p.hue is not None)
        return DiscSearch(
            picture,
            self.background.picture,
            self._difference(small, luma).foreground(),
            self.table,
            self.course,
            self.projections,
            self.channel_mix,
            self.rim_look,
            self.coin_px,
            guessed_places(self.coin_templates.values()),
            hues=hues,
            templates=self.coin_templates,
        )

    @property
    def difference(self) -> BackgroundDifference:
        """Return how the last frame differs from the background."""
        return self._difference(self.copies.last, self.copies.luma if self._is_faint else None)

    @property
    def _is_faint(self) -> bool:
        """Whether the mix leaves out luminance and some coin that may move is faint in it."""
        if not leaves_luma_out(self.channel_mix):
            return False
        faintest = face_levels([*self.coin_templates.values()]).faintest
        return faintest < FAINT_STEPS * DIFFERENT_STEP * self.noise.step

    def _difference(self, small: Bytes, luma: Bytes | None) -> BackgroundDifference:
        if self._boxes is None or self._boxes[0] is not self.course:
            self._boxes = (self.course, tile_boxes(self.table, self.course, self.projections))
        return BackgroundDifference(
            small,
            self.background,
            self.first_background,
            self._left_behind,
            self.mask,
            self.noise.step * DIFFERENT_STEP,
            self.channel_mix.contrast,
            self.coin_px,
            self.table,
            self.projections,
            self._boxes[1],
            face_levels([*self.coin_templates.values()]),
            (*(t.rect for t in self.coin_templates.values()), *self._disc_rects),
            self.largest_px,
            luma,
            self.copies.luma_noise.step * DIFFERENT_STEP,
        )

    def _check_resting_coins(
        self, picture: Picture, search: DiscSearch, change: Bytes, resting: Sequence[Expected]
    ) -> None:
        """Update what is known of the resting coins that are not clearly visible."""
        for e in resting:
            if (
                e.coin not in self._presence
                and e.coin in self.coin_templates
                and not self.coin_templates[e.coin].lifted
            ):
                face = self.projections.small_rect(e.at_mm, self._radius_mm(e.coin))
                if search.foreground.share_in(face) < DISTURBED_SHARE:
                    continue
            elif not e.left and self._is_settled(search, change, e):
                continue
            presence = self._check_coin(picture, search, change, e)
            if presence is Presence.THERE and not e.left:
                self._presence.pop(e.coin, None)
            else:
                self._presence[e.coin] = presence

    def _find_fingertip(
        self, search: DiscSearch, resting: Sequence[Expected], change: Bytes
    ) -> None:
        """Find a fingertip that was taken for a coin. If a coin slides although all coins seem to
        be in place, the one beside the hand that looks least like its template is a fingertip.
        """
        templates = self.coin_templates
        lifted = [e for e in resting if e.coin in templates and templates[e.coin].lifted]
        beside = [e for e in lifted if search.covers(e)]
        if beside and search.slides_in_view(beside, [e.at_mm for e in resting], change):
            coin = min(beside, key=lambda e: templates[e.coin].correlation(search.picture)).coin
            templates[coin] = replace(templates[coin], mistaken=True)
            self._presence[coin] = Presence.COVERED

    def _is_settled(self, search: DiscSearch, change: Bytes, e: Expected) -> bool:
        """Return whether the last finding about a coin's place is still valid: nothing moves there,
        and another look would show nothing more.
        """
        coin_template = self.coin_templates.get(e.coin)
        if coin_template is None or self.projections.any_in(
            change, e.at_mm, 2 * self._radius_mm(e.coin)
        ):
            return False
        return coin_template.uncovered or e.coin not in self._presence or search.covers(e)

    def _not_gone(self, search: DiscSearch, expected: Expected) -> bool:
        """Return whether a coin that seemed to move, or to be lost, is in full view where it lay.
        What moved was then a finger, or another coin from under the same hand.
        """
        template = self.coin_templates.get(expected.coin)
        if template is None or (not expected.left and expected.seen_mm is None):
            return False
        seen_px = self.projections.at(expected.seen_mm or expected.at_mm).at_px
        if not expected.left and template.widths_away(seen_px) <= APART:
            return False
        by_hand = search.hand.reaches(template.spot.at_mm, expected.coin)
        shows = template.shows_itself if by_hand else template.plainly_shows
        return shows(template.values(search.picture))

    def _check_coin(
        self, picture: Picture, search: DiscSearch, change: Bytes, expected: Expected
    ) -> Presence:
        """Return whether a coin at rest is there, gone or covered. The first time that the coin is
        not clearly visible, remove it from the background.
        """
        coin_template = self.coin_templates.get(expected.coin)
        if coin_template is None:
            return Presence.COVERED
        if not coin_template.lifted:
            self.background.take_out_disc(*self._with_shadow(expected.coin, expected.at_mm))
            bare = coin_template.values(self.background.picture)
            coin_template = self.coin_templates[expected.coin] = replace(
                coin_template, bare=bare, lifted=True
            )
        presence = coin_template.compare(coin_template.values(picture))
        if presence is Presence.GONE and search.hand.hides(expected):
            presence = Presence.COVERED  # a sleeve may be as light as the table
        away = coin_template.widths_away(self.projections.at(expected.at_mm).at_px)
        if presence is not Presence.THERE and away > ELSEWHERE:
            # The coin came to rest under a hand. Its template shows its old place, and says nothing
            # about the new one.
            return Presence.COVERED
        if presence is Presence.THERE or coin_template.uncovered or search.covers(expected):
            return presence
        if self.projections.any_in(
            change, expected.at_mm, self._radius_mm(expected.coin) + SHADOW_MM
        ):
            return presence
        # no coin, no hand and no motion: this is the bare table, even if unlike its estimate
        self._uncover(picture, expected)
        return Presence.GONE

    def lay(self, coin: str, at_mm: Point) -> None:
        """Store how a coin at rest looks in the background, if all of it is in the picture."""
        self.coin_templates.pop(coin, None)
        self._presence.pop(coin, None)
        spot, sizes = self.projections.at(at_mm), self.table.sizes.of(coin)
        levels = levels_at(self.background.small, self.projections, at_mm, sizes.coin_mm / 2)
        made = LaidTemplate.of(self.background.picture, self.table.view, spot, sizes, levels)
        if made is not None:
            self.coin_templates[coin] = made
            self.background.before_change(made.around, made.read_pixels)

    def forget_print(self, things: Set[str]) -> None:
        """Forget `things`, which are print of the table, and put the print back."""
        places = [self.coin_templates.pop(n).spot.at_mm for n in things & {*self.coin_templates}]
        for background in (self.background, self.first_background):
            background.put_back(places)
        self._presence = {n: p for n, p in self._presence.items() if n not in things}

    def begin(self, course: Course) -> None:
        """Begin to follow what lies on a course, with all coins at rest."""
        self.course = course
        for template in self.coin_templates.values():
            template.read_pixels()

    def rename(self, names: Mapping[str, str]) -> None:
        """Give coins other names (old name to new one)."""
        self.coin_templates = {names.get(k, k): v for k, v in self.coin_templates.items()}
        self._presence = {names.get(k, k): v for k, v in self._presence.items()}
        self._covered = frozenset(names.get(k, k) for k in self._covered)

    def settle(self, picture: Picture, coin: str, at_mm: Point) -> None:
        """Add a coin that has come to rest in full view to the background."""
        self.background.take_over_disc(picture, *self._with_shadow(coin, at_mm))
        self.lay(coin, at_mm)

    def settle_tile(self, picture: Picture, lay: Tile, lies: Tile) -> None:
        """Show a tile that moved from `lay` to `lies` there in both backgrounds from now on."""
        rects = (surroundings(self.table, tile, self.projections) for tile in (lay, lies))
        for rect in (r.within(picture.width, picture.height) for r in rects):
            whole = np.ones((rect.bottom - rect.top, rect.right - rect.left), np.bool_)
            for background in filter(None, (self.background, self._taken)):
                background.take_over(picture, rect, whole)

    def refresh(self, picture: Picture) -> None:
        """Make the whole frame the background, in its own light."""
        self.background = Background.of(picture.seen, self.channel_mix, self.background.shrink)
        self.copies.start_again(self.background.small.copy())
        self._presence, self._covered, self._hand, self._disc_rects = {}, frozenset(), False, ()
        self._still_since_s, self._taken, self._left_behind = None, None, None
        self._unsearched.clear()

    def _radius_mm(self, coin: str) -> float:
        return self.table.sizes.width_mm(coin) / 2

    def _with_shadow(self, coin: str, at_mm: Point) -> tuple[ProjectedDisc, float]:
        """Return the camera's view of a coin's place, and the coin's radius with its shadow, mm."""
        return self.projections.at(at_mm), self._radius_mm(coin) + SHADOW_MM

    def _uncover(self, picture: Picture, gone: Expected) -> None:
        """Replace the estimate of the bare table under a coin by the real table, seen only now."""
        coin_template = self.coin_templates[gone.coin]
        self.background.take_over_disc(picture, *self._with_shadow(gone.coin, gone.at_mm))
        self.coin_templates[gone.coin] = replace(
            coin_template, bare=coin_template.values(self.background.picture), uncovered=True
        )

    def changed_at(self, at_mm: Point) -> bool:
        """Return whether a place has changed since the episode began, even if the background now
        shows the coin that came to rest there."""
        return self.difference.changed_at(at_mm) or self.history.changed_at(at_mm)

    @property
    def first_background(self) -> Background:
        """Return the background of the episode's beginning, which may show a hand that has since
        left.
        """
        return self._taken or self.background
