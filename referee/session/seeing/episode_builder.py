"""Turns frames into episodes: follows one table through time.

The first frames show where coins lie. From then on, every frame is analysed and the coins are
followed. Whenever nothing moves any more, the time since the last rest is an episode. Until they
are named, coins have numbers (`?1`, `?2`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from calibration.lens.camera import TableView
from calibration.table.surveyed_table import SurveyedTable
from referee.detectors.provisional import provisional_incidents
from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.frame_observation import FrameObservation
from referee.domain.geometry import Point, distance
from referee.domain.incident import Incident, Surveyed
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.session.seeing.backward_search import BACK_FRAMES, Recent, search_backward
from referee.session.seeing.face_gathering import FaceGathering
from referee.session.seeing.flick_begins import before_next, next_begins
from referee.session.seeing.hand_parts import hand_over, lose_hands, see_bare, set_back, stayed
from referee.session.seeing.light_following import follow_light, shows_the_same
from referee.session.seeing.measured_course import MeasuredCourse
from referee.session.seeing.moved_camera import (
    moved_until,
    pose_from_tiles,
    seen_again,
    told_by_tiles,
)
from referee.session.seeing.opening import Opened, Opening, SeenBefore
from referee.session.seeing.reacquisition import (
    NewCoins,
    all_put_down,
    dated,
    in_colour,
    match_missing,
    measure_moved_coins,
    rest_of,
    settle,
    with_unknown,
)
from referee.session.seeing.source_end import cut_off
from referee.session.seeing.stacked_coins import StackTops
from referee.tracking.identity.tracked_coin import State
from referee.tracking.identity.tracker import Tracker
from referee.vision.alignment.motion import SteadyCamera
from referee.vision.coins.coin_search import Floor, lay_floor, measure_by_look
from referee.vision.coins.inventory import places_around, plainest_rim, plainly_a_coin, shared_mix
from referee.vision.coins.rim_appearance import RimsSeen
from referee.vision.coins.rim_fit import RimFit
from referee.vision.faces.identification import FaceEvidence
from referee.vision.frame_analysis import FrameAnalysis
from referee.vision.image.picture import ChannelMix, Picture
from referee.vision.sources.frame import VideoFrame
from referee.vision.sources.intact import IntactPictures

# Tuned on our own clips, except where a comment gives another source for a number.

CALM_S: Final = 0.25  # an episode ends when nothing has moved for so long
LINGERING_HAND_S: Final = 2.0  # the longest wait for a hand that stays over coins that lie still
PUT_DOWN_S: Final = 0.06  # Chosen: this much calm is enough after hands put down all they took
LIES_THERE_MM: Final = 1.2  # a coin measured so close to where it came to rest lies there


@dataclass
class EpisodeBuilder:
    """Builds episodes from the frames of one table. Pass every frame to `take`, which returns an
    episode whenever one has ended. `bumps` are entries about the camera that must be recorded, with
    their times. `coins_in_match` is the number of coins; None if it is not known. With `any_number`
    nobody knows it, so a pattern of the table must not be taken for coins, and `seen_before` is
    what was seen of the table before. `missed` counts the frames since the last measured one.
    """

    table: SurveyedTable
    exposure_s: float
    full_range: bool = False
    coins_in_match: int | None = None
    any_number: bool = False
    seen_before: SeenBefore = field(default_factory=SeenBefore)
    tracker: Tracker = field(init=False)
    analysis: FrameAnalysis | None = None
    measured: MeasuredCourse = field(init=False)
    gathered: FaceGathering = field(init=False)
    observation: FrameObservation | None = None
    opened_s: float = 0.0
    opening: dict[str, Rest] = field(default_factory=dict)
    unlike_survey: str | None = None
    bumps: list[tuple[float, Surveyed]] = field(default_factory=list)
    steady_camera: SteadyCamera = field(init=False)
    missed: int = 0
    _last: tuple[Picture, VideoFrame] | None = None
    _mix: ChannelMix | None = None
    _recent: Recent = field(default_factory=lambda: deque(maxlen=BACK_FRAMES))
    _floor: Floor = field(init=False)
    _opening: Opening = field(init=False)
    _intact: IntactPictures = field(default_factory=IntactPictures)
    _missed_s: float = 0.0  # the time of the latest of the `missed`
    _calm_since_s: float | None = None
    _ended_s: float | None = None
    _changed: bool = False
    _unsettled: set[str] = field(default_factory=set)
    _coins_named: int = 0
    tops: StackTops = field(init=False)
    _rims: RimsSeen = field(default_factory=RimsSeen)
    _measured_rims: dict[Point, RimFit] = field(default_factory=dict)
    _new_coins: NewCoins = field(default_factory=NewCoins)

    def __post_init__(self) -> None:
        """Begin with the table as surveyed and nothing seen yet."""
        self.tracker = Tracker(self.table.edge_mm, self.table.sizes)
        self.measured = MeasuredCourse(self.table)
        self.tops = StackTops(self.table)
        self.gathered = FaceGathering(self.table.view, self.table.sizes)
        self.steady_camera = SteadyCamera(self.table.view.camera)
        self._look_from(self.table.view)

    def _look_from(self, view: TableView) -> None:
        """Use another view of the table from now on."""
        self.steady_camera.camera = view.camera
        self.table = self.measured.table = self.tops.table = replace(self.table, view=view)
        self._floor = lay_floor(view, self.table.sizes, self.table.edge_mm, self.course)
        self._opening = Opening(self.table, self._floor, self.any_number, self.seen_before)
        self.gathered.look_from(view)

    def _look_again(self, taken: VideoFrame) -> None:
        """Compute the camera's pose from the tiles in an uncorrected frame."""
        view, survey = pose_from_tiles(self.table, self.course, self.view_now, taken)
        if survey is not None:
            self.bumps.append((self.steady_camera.moved_since_s or 0.0, survey))
            self._look_from(view)

    @property
    def view_now(self) -> TableView:
        """Return the view of the last frame, with the camera's motion in it."""
        return self.steady_camera.seen_from(self.table.view)

    @property
    def course(self) -> Course:
        """Return the course as it lies now."""
        return self.measured.course

    @property
    def faces(self) -> dict[str, FaceEvidence]:
        """Return the evidence of the faces of the coins at rest, by the coins' names."""
        return self.gathered.faces

    @property
    def ready(self) -> bool:
        """Whether the coins on the table are known."""
        return self.analysis is not None

    def take(self, taken: VideoFrame) -> Episode | None:
        """Process one frame. Return the episode that it ended, if any."""
        same = shows_the_same(self.analysis, self.observation, taken)
        shown = self._shown(taken, same=same)
        if shown is None:
            self.missed, self._missed_s = self.missed + 1, taken.t_s
            return None
        self.missed, (frame, picture) = 0, shown
        t_s = frame.t_s + self.exposure_s / 2
        if self.analysis is None:
            if (opened := self._opening.add_frame(frame, picture)) is not None:
                self._open(opened, t_s)
                self._last = (picture, frame)
            return None
        bare, light = self.analysis.background, self.analysis.light
        picture = light.lit(picture, bare.picture, bare.small, bare.half, same=same)
        expected = self.tracker.expected(t_s)
        observation = self.analysis.observe(
            picture, frame.number, t_s, expected, self.exposure_s, same=same
        )
        before, self.observation, self._last = self.observation, observation, (picture, frame)
        followed = self.tracker.coins.values()
        parted = next_begins(observation, before, self._ended_s, followed, self.table)
        if parted:
            self.gathered.forget(self._set_back(picture, frame, observation))
        early = before_next(self._close(picture, observation, still=False), t_s) if parted else None
        changed = self.tracker.update(observation)
        search_backward(self.analysis, self.tracker.coins.values(), self._recent, self.exposure_s)
        self._recent.append((observation.frame, t_s, picture))
        if changed.began or observation.hand or observation.presence:
            self._changed = True
        self._gather(picture, frame, observation)
        if changed.rested or changed.left_table:
            self._ended_s = self.tracker.ended_s(changed, observation.t_s)
        self._rest(picture, observation, changed.rested)
        ended = early or self._end(picture, frame, observation)
        if not (ended or self._changed) and self.steady_camera.bumped(frame.t_s):
            self._settle_bump(taken, observation.t_s)
        return ended

    def _shown(self, taken: VideoFrame, *, same: bool) -> tuple[VideoFrame, Picture] | None:
        """Return a frame and its picture as an unmoved camera would have taken them; None if the
        frame is damaged, or the camera's motion not known.
        """
        calm = self.observation is None or not self.observation.changing
        if not self._intact.is_observation(taken, sliding=self._any_sliding(), calm=calm):
            return None
        if self.steady_camera.reference is None:
            self._look_again(taken)
        camera = self.steady_camera
        return camera.steady(taken, same=same) or told_by_tiles(camera, self.measured, taken)

    def _settle_bump(self, taken: VideoFrame, t_s: float) -> None:
        """Once nothing moves, use the view from where the camera stands since it was bumped."""
        if self._calm_since_s is None or t_s - self._calm_since_s <= CALM_S or not self.analysis:
            return
        self._look_again(taken)
        lying = {coin: rest.at_mm for coin, rest in self.resting().items()}
        self.analysis = seen_again(self.analysis, self.table, taken, lying)
        self._recent.clear()
        self._measured_rims.clear()
        self.steady_camera.start_again(taken.luma)

    def _rest(
        self, picture: Picture, observation: FrameObservation, rested: tuple[str, ...]
    ) -> None:
        """Add coins that have come to rest to the background, as soon as no hand is over them."""
        assert self.analysis is not None
        followed, measure = [self.tracker.coins[n] for n in rested], partial(self._measure, picture)
        lose_hands(followed, observation.covered, measure, self.analysis.changed_at)
        self._unsettled = {name for name in (*self._unsettled, *rested) if name in self.resting()}
        for name in sorted(self._unsettled - observation.covered):
            at_mm = self.resting()[name].at_mm
            if name in rested or (
                (fit := self._fit(picture, at_mm, name)) is not None
                and distance(fit.at_mm, at_mm) < LIES_THERE_MM
            ):
                self.analysis.settle(picture, name, at_mm)
                self._unsettled.discard(name)

    def finish(self) -> Episode | None:
        """Close the episode when the source has ended: what coins not seen at rest did is unknown.
        A move of the camera since the last rest is added to `bumps`.
        """
        if self._last is None or (last := self.observation) is None:
            return None
        self.bumps += moved_until(self.steady_camera, self._last[1].t_s)
        lost = cut_off(tuple(self.tracker.coins.values()), last, self.missed, changed=self._changed)
        if lost:
            return self._close(self._last[0], last, still=False, lost=lost)
        return None if lost is None else self._close_at_rest(*self._last, last)

    def last_picture(self) -> Picture | None:
        """Return the last picture, as it was measured; None before the coins were known."""
        return None if self._last is None else self._last[0]

    def provisional(self) -> tuple[Incident, ...]:
        """Return the incidents that a flick seems to have so far, while coins still move."""
        return provisional_incidents(
            self.measured.episode(self.tracker, self.tracker.tracks(), self.exposure_s, self.course)
        )

    def rename(self, names: Mapping[str, str]) -> None:
        """Give coins their names (`?1` to `suns`) everywhere."""
        self.tracker.rename(names)
        self._have_sizes(self.tracker.sizes)
        self.gathered.rename(names)
        self.tops.rename(names)
        self._unsettled = {names.get(k, k) for k in self._unsettled}
        if self.analysis is not None:
            self.analysis.rename(names)

    def resting(self) -> dict[str, Rest]:
        """Return the coins that lie still, with their places."""
        return {
            c.coin: c.rest
            for c in self.tracker.coins.values()
            if c.rest is not None and c.state is State.REST
        }

    def known(self) -> dict[str, Rest]:
        """Return every coin on the table with its place or its last known place, including coins
        that move or that a hand covers.
        """
        on_table = (c for c in self.tracker.coins.values() if c.state is not State.OFF_TABLE)
        return {c.coin: rest for c in on_table if (rest := c.rest or c.before) is not None}

    def _open(self, opened: Opened, t_s: float) -> None:
        """Start to follow the coins that lay still in the opening frames."""
        self._mix = opened.channel_mix
        names = [self._new_name() for _ in opened.coins]
        for name, coin in zip(names, opened.coins, strict=True):
            self._have_sizes(self.table.sizes.with_width(name, coin.rim.width_mm))
        self.analysis = FrameAnalysis.opened(
            self.table, opened.background, self._mix or ChannelMix(), full_range=self.full_range
        )
        for name, coin in zip(names, opened.coins, strict=True):
            self._lay(name, coin.rest, t_s)
            last = opened.pictures[coin.seen_in[-1]]
            if last is not opened.pictures[-1]:
                self.analysis.settle(last, name, coin.rest.at_mm)  # a hand is over it by now
            self._see_rim(last, name, coin.rim)
        self.gathered.open(opened, names)
        self.analysis.rim_look = self._rims.usual
        self.unlike_survey = self.measured.open(opened.background)
        self.tops.learn(opened.background, self.course, self.tracker)
        self.analysis.begin(self.course)
        self.opened_s, self.opening = t_s, self.resting()
        self.tracker.close()

    def add_given_coin(self, at_mm: Point, within_mm: float, others_mm: Sequence[Point]) -> str:
        """Add a coin that people see where the program saw none, and return its number. It lies at
        the plainest rim within `within_mm` that is not closer to `others_mm`, else at the place.
        """
        assert self._last is not None
        picture, name = self._last[0], self._new_name()
        taken = [rest.at_mm for rest in self.known().values()]
        starts = [] if self.course.tower_at(at_mm) else places_around(at_mm, within_mm)
        fits = (self._fit(picture, start) for start in starts)
        plainest = plainest_rim(fits, at_mm, taken, self.table.sizes.coin_mm, others_mm)
        rest = Rest(at_mm, within_mm) if plainest is None else rest_of(plainest)
        self._lay(name, rest, self.opened_s)
        self.tops.add_given_coin(self.tracker.coins[name], self.course)
        self.tracker.coins[name].begin_episode()
        self.opening[name] = rest
        return name

    def _new_name(self) -> str:
        self._coins_named += 1
        return f"?{self._coins_named}"

    def _see_rim(self, picture: Picture, coin: str, fit: RimFit | None) -> None:
        sizes, mix = self.table.sizes.of(coin), self._mix or ChannelMix()
        if fit is not None:
            self._rims.add(picture, self.table.view, fit, sizes, mix)

    def _have_sizes(self, sizes: PieceSizes) -> None:
        self.table = self.measured.table = self.tops.table = replace(self.table, sizes=sizes)
        self.tracker.sizes = sizes
        if self.analysis is not None:
            self.analysis.table = self.table

    def _lay(self, coin: str, rest: Rest, t_s: float) -> None:
        assert self.analysis is not None
        self.tracker.lay(coin, rest, t_s)
        self.analysis.lay(coin, rest.at_mm)

    def _fit(self, picture: Picture, at_mm: Point, coin: str | None = None) -> RimFit | None:
        lying, sizes = [rest.at_mm for rest in self.resting().values()], self.table.sizes.of(coin)
        return measure_by_look(picture, self.table.view, self._floor, at_mm, sizes, lying)

    def _measure(self, picture: Picture, coin: str, at_mm: Point) -> RimFit | None:
        """Measure a coin as `_fit` does, or return what was measured there while nothing moved."""
        fit = self._measured_rims.get(at_mm) or self._fit(picture, at_mm, coin)
        if fit is not None:
            self._measured_rims |= {at_mm: fit, fit.at_mm: fit}
        return fit

    def _set_back(
        self, picture: Picture, frame: VideoFrame, seen: FrameObservation
    ) -> dict[str, RimFit | None]:
        assert self.analysis is not None
        measure, changed = partial(self._measure, picture), self.analysis.changed_at
        floor, view = self._floor, self.table.view
        return set_back(self.tracker, seen, picture, frame, view, floor, measure, changed)

    def _gather(self, picture: Picture, frame: VideoFrame, observation: FrameObservation) -> None:
        """Gather the faces of coins at rest in full view."""
        unclear = observation.covered | observation.presence.keys()
        lying = {n: rest for n, rest in self.resting().items() if n not in unclear}
        calm = not (observation.changing or observation.hand or self._any_sliding())
        self.gathered.add(picture, frame, lying, calm=calm)

    def _any_sliding(self) -> bool:
        return any(c.state is State.SLIDING for c in self.tracker.coins.values())

    def _end(
        self, picture: Picture, frame: VideoFrame, observation: FrameObservation
    ) -> Episode | None:
        """Return the episode if this frame ends one, because nothing has moved for long enough."""
        assert self.analysis is not None
        if self.analysis.copies.moving or self._any_sliding():
            self._calm_since_s = None
            return None
        self._calm_since_s = observation.t_s if self._calm_since_s is None else self._calm_since_s
        calm_s = observation.t_s - self._calm_since_s
        if not self._changed:
            if calm_s > CALM_S:
                self.tracker.close(self.tracker.frames[-2:])
                follow_light(self.analysis, picture, self.resting())
            return None
        hand = observation.hand and calm_s >= CALM_S  # no episode ends earlier, hand or not
        hand = hand and not self.measured.only_pushed(self.analysis, self.tracker)
        ended = calm_s >= (LINGERING_HAND_S if hand else CALM_S)
        if not ended and PUT_DOWN_S <= calm_s < 2 * PUT_DOWN_S:
            find = self._new_coins.of(frame, picture, self.analysis, self._floor, self.tracker)
            ended = all_put_down(find, self.tracker, observation, self.table.sizes)
        return self._close_at_rest(picture, frame, observation) if ended else None

    def _close_at_rest(
        self, picture: Picture, frame: VideoFrame, observation: FrameObservation
    ) -> Episode:
        """Close the episode because nothing moves any more."""
        self._reconcile(picture, frame, observation)
        episode = self._close(picture, observation, still=True)
        uncovered = {n: r for n, r in self.resting().items() if n not in observation.covered}
        self.gathered.up_to(1, uncovered, picture, frame)  # coins that were only found just now
        return episode

    def _reconcile(
        self, picture: Picture, frame: VideoFrame, observation: FrameObservation
    ) -> None:
        """Measure the coins that moved, and search for missing and new coins, as nothing moves."""
        assert self.analysis is not None
        difference, covered = self.analysis.difference, observation.covered
        followed, sizes, view = [*self.tracker.coins.values()], self.table.sizes, self.table.view
        measure = partial(self._measure, picture)
        lose_hands(followed, covered, measure, self.analysis.changed_at)
        see_bare(followed, observation, self.analysis.changed_at)
        self.tops.take_in(picture, self.course, difference.tile_touched, self.tracker, observation)
        coins = [c for c in followed if c.state is not State.ON_STACK]
        self.gathered.forget(others := self._set_back(picture, frame, observation))
        missing = [c for c in coins if c.state is not State.REST or c.coin in observation.presence]
        changed, coin_mm = difference.coin_touched, sizes.coin_mm
        missing += measure_moved_coins(coins, missing, covered, measure, changed, coin_mm)
        known = [c.rest.at_mm for c in coins if c.rest is not None and c not in missing]
        new_fits = [fit for fit in others.values() if fit is not None]
        find = self._new_coins.of(frame, picture, self.analysis, self._floor, self.tracker)
        new_fits += find([*known, *(f.at_mm for f in new_fits)], missing, self.coins_in_match)
        self._mix = self._mix or shared_mix(new_fits, in_colour(picture, frame), view, sizes)
        self.analysis.channel_mix = self._mix or ChannelMix()
        self._measured_rims |= {fit.at_mm: fit for fit in new_fits}
        for coin, fit in match_missing(missing, new_fits, sizes):
            settle(coin, rest_of(fit))
            new_fits.remove(fit)
        for coin, fit in stayed(coins, new_fits, sizes):
            self._have_sizes(hand_over(self.tracker, coin, self._new_name(), rest_of(fit)))
            self.gathered.forget([coin.coin])
            new_fits.remove(fit)
        for fit in (f for f in new_fits if plainly_a_coin(f) or not self.any_number):
            name = self._new_name()
            self._have_sizes(self.table.sizes.with_width(name, fit.width_mm))
            self.tracker.lay(name, rest_of(fit), observation.t_s)
            self.tracker.coins[name].hand_frames = set(self.tracker.hand_frames)
        every = self.tracker.coins.values()
        self.tracker.forget(self.gathered.lose_strangers(picture, frame, every, covered))

    def _close(
        self,
        picture: Picture,
        observation: FrameObservation,
        *,
        still: bool,
        lost: frozenset[str] = frozenset(),
    ) -> Episode:
        """Make the episode, without places for `lost` coins, and begin the next one. If the table
        is not `still`, a hand may be anywhere, so the background is not updated."""
        assert self.analysis is not None
        before, lost_before = self.course, self.measured.lost
        self.measured.measure(picture, self.analysis, self.tracker.coins.values(), still=still)
        self.analysis.course = self.course
        ended_s = max(observation.t_s, self._missed_s + self.exposure_s / 2)
        tracks = tuple(
            replace(t, after=None, cut_off_s=ended_s) if t.coin in lost else t
            for t in dated(self.tracker, self.analysis, observation, still=still)
        )
        episode = self.measured.episode(self.tracker, tracks, self.exposure_s, before, lost_before)
        if still and self.any_number and not observation.hand:
            episode = with_unknown(episode, self.analysis.difference)
        self.gathered.note_moves(tracks)
        if still:
            self._settle(picture, tracks, observation)
        self.tracker.close([Frame(observation.frame, observation.t_s)] if still else [])
        self._changed, self._calm_since_s, self._ended_s = False, None, None
        return episode

    def _settle(
        self, picture: Picture, tracks: tuple[CoinTrack, ...], observation: FrameObservation
    ) -> None:
        """Make the last frame the background, and store how the coins in it look."""
        assert self.analysis is not None
        self.analysis.refresh(picture)
        if not observation.hand:
            self.tops.learn(picture, self.course, self.tracker, observation)
            self.measured.learn_faces(picture)
        self._recent.clear()
        for track in tracks:
            if self.tracker.coins[track.coin].state is State.ON_STACK:
                continue
            if track.after is None:
                self.tracker.coins[track.coin].rest = None  # the background is bare there
            else:
                self._lay(track.coin, track.after, observation.t_s)
                if track.sightings or track.before != track.after:
                    if track.coin.startswith("?"):
                        self.faces[track.coin] = FaceEvidence(place=track.after)
                    if track.coin not in observation.covered:
                        fit = self._measure(picture, track.coin, track.after.at_mm)
                        self._see_rim(picture, track.coin, fit)
        self._measured_rims.clear()
        self._unsettled.clear()
        self.analysis.rim_look = self._rims.usual
