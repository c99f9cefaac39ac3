"""Follows discs on a plain table: from a video's frames to a report on each flick."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from statistics import median
from string import ascii_uppercase
from types import MappingProxyType
from typing import Final

from calibration.discs.disc_search import find_discs, with_moved
from calibration.discs.found_disc import FoundDisc
from calibration.discs.plain_view import PlainView, plain_view
from calibration.lens.camera_change import UNMOVED, CameraChange, reported_motion_px
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.episode import HAND_S, Episode
from referee.domain.errors import InputError
from referee.domain.geometry import Point
from referee.domain.incident import SURE, Flicked, Incident
from referee.domain.layout import Course, Line
from referee.free_play.flick_report import FlickReport, flick_reports
from referee.session.naming.coin_naming import renamed
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.opening import SeenBefore, SeenDisc
from referee.tracking.trajectory.lost_pictures import LostPictures, lost_pictures, retimed
from referee.vision.alignment.motion import FramePicture, Landmark
from referee.vision.background.opening_background import SHRINK, hand_around, hand_at_start
from referee.vision.image.disc import spot_at
from referee.vision.image.picture import Bytes, Picture, Rect, rect_around
from referee.vision.sources.frame import VideoFrame

FREE_PLAY: Final = "free-play"
#: No tile lies on the table. The course needs some width of a tile, but nothing uses it.
NO_COURSE: Final = Course(MappingProxyType({}), 50.8)
# Chosen: for this long a hand may hide the discs, or somebody may still lay them out.
DISCS_WITHIN_S: Final = 10.0
LOOK_EVERY_S: Final = 0.5  # Chosen: the time between two searches until discs are found
# Chosen: the exposure, in frames, of webcams and phones in a lit room
EXPOSURE_OF_FRAME: Final = 0.3
# Chosen: the largest share of the ring around a disc that a hand may cover
IN_HAND: Final = 0.5
RING_RADII: Final = 1.4  # Chosen: that ring's radius, in radii of the disc: outside rim and shadow
MOST_RATIO: Final = 3.0  # Chosen: discs played together differ less in width
LANDMARK_RADII: Final = 1.3  # Chosen: in radii of the disc; shows a little of the table around it
# Chosen: a camera that moves by more than this from one frame to the next, in most frames, is held
# by hand. Measured: in compressed clips a camera that stands still seems to move by up to 0.06 px.
HELD_PX: Final = 0.2
HELD_SHARE: Final = 0.5  # Chosen: a larger share of the frames is most of them
# Chosen: a video is refused if most flicks are unsure and nothing moves in less than this share of
# its frames. Measured: 0.5 in drawn videos; 0.04 in the real one, where four of five flicks are
# sure.
MOVING_SHARE: Final = 0.1
HELD_FRAMES: Final = 60  # Chosen: the camera's motion is judged by this many frames at first


@dataclass
class FreePlay:
    """Takes the frames of one source and reports its flicks. `disc_mm` is the width of the discs,
    if given. `lines_of` makes the lines from the view; None for a line between any two discs at
    rest. `moved` are discs of the first frame that are known to move later, and `bare` is a picture
    of the table without the hand that is over it in the first frame. `frame_s` is the time between
    two frames. `lost` are the pictures that the video has lost, and `lost_late` says that
    they became known only after the first flick was reported. `flicks` counts the flicks so far.
    `unknown_mm` are the places where the last flick moved something that is none of the known
    discs.
    """

    source: str
    disc_mm: float | None
    lines_of: Callable[[PlainView], dict[str, Line]] | None = None
    moved: Sequence[FoundDisc] = ()
    bare: Picture | None = None
    frame_s: float = 0.0
    view: PlainView | None = None
    lost: LostPictures | None = None
    lost_late: bool = False
    flicks: int = 0
    lines: dict[str, Line] | None = None
    unknown_mm: tuple[Point, ...] = ()
    _builder: EpisodeBuilder | None = None
    _first_s: float = 0.0
    _searched_s: float | None = None
    _moved: list[bool] = field(default_factory=list)
    _stood: CameraChange = UNMOVED
    _frames: int = 0
    _rested: int = 0
    _sure: int = 0
    _slowed: int = 0
    _marked: dict[str, Landmark] = field(default_factory=dict)
    _hands: list[tuple[float, Set[str]]] = field(default_factory=list)
    _named: int = 0

    def take(self, frame: VideoFrame) -> tuple[list[FlickReport], list[Incident]]:
        """Take one frame. Return the flicks that ended with it, and the incidents that belong to no
        flick. Raises InputError if no disc is found in time, or if the camera is held by hand.
        """
        if self._builder is None and not self._begin(frame):
            return [], []
        assert self._builder is not None
        episode = self._builder.take(frame)
        self._check_camera(frame.luma)
        self._mark_resting(frame)
        seen = self._builder.observation
        if seen is not None and seen.covered:
            self._hands.append((seen.t_s, seen.covered))
        self._frames += 1
        self._rested += seen is not None and not seen.changing
        names = self._name()
        return self._reported(None if episode is None else renamed(episode, names))

    def finish(self) -> tuple[list[FlickReport], list[Incident]]:
        """Return the last flick, which may not have ended, and the incidents that belong to no
        flick: the source has ended. Raises InputError if no disc was found, or if something moved
        all the time.
        """
        if self._builder is None or not self._builder.ready:
            raise InputError(f"{self.source}: no disc was found that lies still on a plain table")
        last = self._reported(self._builder.finish())
        doubtful = self._sure <= self.flicks / 2 and self._slowed < max(1, self.flicks / 2)
        if doubtful and self._rested <= MOVING_SHARE * self._frames:
            self._sure = 0  # so that `found_flicks` is False
            raise InputError(
                f"{self.source}: something moves all the time, the camera or what it sees; discs"
                " must lie still on a plain table before they are flicked"
            )
        return last

    def check_flicks(self) -> None:
        """Raise InputError if nothing was flicked: then something else was taken for discs."""
        if not self.flicks:
            raise InputError(
                f"{self.source}: nobody flicks a disc in it, as far as can be seen; what was taken"
                f" for discs ({len(self.opening_mm)}) lies still"
            )

    @property
    def ready(self) -> bool:
        """Whether the discs on the table are known."""
        return self._builder is not None and self._builder.ready

    @property
    def found_flicks(self) -> bool:
        """Whether a flick was found that is sure."""
        return self._sure > 0

    @property
    def opening_mm(self) -> dict[str, tuple[float, float]]:
        """Return where the discs lay in the first frames, mm."""
        return (
            {} if self._builder is None else {c: r.at_mm for c, r in self._builder.opening.items()}
        )

    def at_px(self, at_mm: tuple[float, float]) -> tuple[float, float]:
        """Return the pixel, (x, y), that shows the middle of the face of a disc at `at_mm`."""
        assert self.view is not None
        return self.view.view.pixel_of(*at_mm, self.view.sizes.coin_thickness_mm)

    def px_per_mm(self, at_mm: tuple[float, float]) -> float:
        """Return how many pixels a millimetre covers on the face of a disc at `at_mm`."""
        assert self.view is not None
        return self.view.view.px_per_mm(at_mm, self.view.sizes.coin_thickness_mm)

    @property
    def all_at_rest(self) -> bool:
        """Whether the last frame shows every disc lying still and in full view."""
        builder = self._builder
        seen = None if builder is None else builder.observation
        if builder is None or seen is None or builder.missed or seen.presence or seen.covered:
            return False
        return len(builder.resting()) == len(builder.tracker.coins)

    @property
    def widths_mm(self) -> dict[str, float]:
        """Return how wide each disc is, mm, or in an arbitrary unit without a `disc_mm`."""
        if self._builder is None or not self.ready:
            return {}
        sizes = self._builder.table.sizes
        return {coin: sizes.width_mm(coin) for coin in sorted(self._builder.tracker.coins)}

    def notes(self) -> list[str]:
        """Return sentences for the user on the camera's tilt and on lost pictures."""
        if self.view is None:
            return []
        sigma = f"{self.view.tilt_sigma_deg:.0f}"
        notes = [
            f"The discs show that the camera is tilted by {self.view.tilt_deg:.0f}° ± {sigma}°;"
            " paths are straightened for it."
            if self.view.is_tilted
            else f"The camera looks straight down, as far as the discs show (to {sigma}°)."
        ]
        if self.lost is not None:
            notes.append(
                f"The video lost one picture after every {self.lost.every}; times and speeds allow"
                " for that."
            )
        return notes

    def _begin(self, frame: VideoFrame) -> bool:
        """Search a frame for discs, every `LOOK_EVERY_S`. Return whether some were found."""
        if self._searched_s is None:
            self._searched_s = -LOOK_EVERY_S + frame.t_s
            self._first_s = frame.t_s
        if frame.t_s - self._searched_s < LOOK_EVERY_S:
            return False
        self._searched_s = frame.t_s
        bgr = frame.bgr()
        discs = with_moved(self._seen_discs(frame), self.moved if frame.number == 0 else ())
        if not discs:
            if frame.t_s - self._first_s > DISCS_WITHIN_S:
                raise InputError(
                    f"{self.source}: no disc was found in the first {DISCS_WITHIN_S:.0f} s; discs"
                    " must lie still on a plain table, seen from above"
                )
            return False
        self.view = plain_view(bgr, discs, self.disc_mm)
        table = SurveyedTable(FREE_PLAY, self.view.view, NO_COURSE, self.view.sizes, (), 0.0)
        view, thickness_mm = self.view.view, self.view.sizes.coin_thickness_mm
        seen = tuple(
            SeenDisc(view.place_of(*disc.middle_px, thickness_mm), width_mm, disc.log_odds)
            for disc, width_mm in zip(discs, self.view.widths_mm, strict=True)
        )
        self._builder = EpisodeBuilder(
            table,
            EXPOSURE_OF_FRAME * self.frame_s,
            any_number=True,
            seen_before=SeenBefore(seen, self.bare),
        )
        self._builder.steady_camera.plain_table = True
        self._builder.steady_camera.landmarks = {
            str(k): Landmark(part, part.of(frame.luma).copy())
            for k, part in enumerate(map(_around, discs))
        }
        self.lines = None if self.lines_of is None else self.lines_of(self.view)
        return True

    def _seen_discs(self, frame: VideoFrame) -> list[FoundDisc]:
        """Return the discs that a frame shows, without what only looks like a disc: things in a
        hand, and marks on the table.
        """
        discs = [disc for disc in find_discs(frame.bgr()) if self._may_be_played(disc)]
        if self.bare is None or not discs:
            return discs
        usual_px = median(disc.width_px[0] for disc in discs)
        disc_px = math.pi * (usual_px / 2 / SHRINK) ** 2
        hand = hand_at_start(FramePicture(frame), self.bare, disc_px)
        return (
            discs
            if hand is None
            else [
                d
                for d in discs
                if hand_around(hand, d.middle_px, RING_RADII * d.width_px[0] / 2) < IN_HAND
            ]
        )

    def _may_be_played(self, disc: FoundDisc) -> bool:
        """Return whether a disc is about as wide as one of the discs that are known to move. If
        not, it is a mark on the table, such as a dot on the rail of a billiard table.
        """
        ratios = [disc.width_px[0] / other.width_px[0] for other in self.moved]
        return not ratios or any(1 / MOST_RATIO < ratio < MOST_RATIO for ratio in ratios)

    def _mark_resting(self, frame: VideoFrame) -> None:
        """Keep a picture of each disc that has come to rest in full view. As long as one of these
        discs looks the same in the same pixels, the camera stands still. Drop the pictures of discs
        that moved.
        """
        builder = self._builder
        assert builder is not None and self.view is not None
        if not builder.ready or builder.observation is None or builder.missed:
            return
        resting = builder.resting()
        for coin in self._marked.keys() - resting.keys():
            self._marked.pop(coin)
        for coin in resting.keys() - self._marked.keys() - builder.observation.covered:
            spot = spot_at(self.view.view, resting[coin].at_mm, self.view.sizes.coin_thickness_mm)
            part = spot.rect(LANDMARK_RADII * builder.table.sizes.width_mm(coin) / 2)
            self._marked[coin] = Landmark(part, part.of(frame.luma).copy())
        if self._marked:  # not those of the first frame, where a disc may have set off since
            builder.steady_camera.landmarks = self._marked

    def _check_camera(self, luma: Bytes) -> None:
        """Raise InputError if somebody holds the camera: then no place can be measured."""
        builder = self._builder
        assert builder is not None and self.view is not None
        camera, change = self.view.view.camera, builder.steady_camera.change
        moved_px = reported_motion_px(camera, change.since(self._stood))
        self._stood = change
        moves = moved_px > HELD_PX and not builder.steady_camera.stands_still(luma)
        self._moved.append(moves or builder.missed > 0)
        if len(self._moved) == HELD_FRAMES and sum(self._moved) > HELD_SHARE * HELD_FRAMES:
            raise InputError(
                f"{self.source}: the camera moves all the time; it must stand still over the table"
            )

    def _name(self) -> dict[str, str]:
        """Give new discs their letters, from left to right. Return the new names."""
        builder = self._builder
        assert builder is not None
        new = {c: r.at_mm for c, r in builder.known().items() if c.startswith("?")}
        if not builder.ready or not new:
            return {}
        order = sorted(new, key=lambda coin: self.at_px(new[coin])[0])
        names = {coin: letters(self._named + k) for k, coin in enumerate(order)}
        self._named += len(order)
        builder.rename(names)
        builder.opening = {names.get(c, c): rest for c, rest in builder.opening.items()}
        return names

    def _reported(self, episode: Episode | None) -> tuple[list[FlickReport], list[Incident]]:
        if episode is None:
            return [], []
        lost = lost_pictures(episode) or self.lost
        if lost is not None:
            self.lost_late |= self.lost is None and self.flicks > 0
            self.lost, episode = lost, retimed(episode, lost)
        self.unknown_mm = episode.unknown_mm
        reports, others = flick_reports(episode, self.lines, self.flicks + 1, self._hands)
        self._hands = [
            (t_s, at) for t_s, at in self._hands if t_s > episode.frames[-1].t_s - HAND_S
        ]
        self.flicks += len(reports)
        self._sure += sum(
            isinstance(i, Flicked) and (i.probability is None or i.probability > SURE)
            for report in reports
            for i in report.incidents
        )
        self._slowed += sum(report.slowed_down for report in reports)
        return reports, others


def _around(disc: FoundDisc) -> Rect:
    """Return the part of the picture that shows a disc and a little around it, px."""
    reach_px = LANDMARK_RADII * disc.width_px[0] / 2
    return rect_around(*disc.middle_px, reach_px, reach_px)


def letters(number: int) -> str:
    """Return A, B, ..., Z, AA, AB and so on for 0, 1, 2, ..."""
    text = ""
    number += 1
    while number > 0:
        number, rest = divmod(number - 1, len(ascii_uppercase))
        text = ascii_uppercase[rest] + text
    return text
