"""An episode: everything the camera saw between two moments at which nothing moved."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from referee.domain.geometry import Point, distance
from referee.domain.incident import DISPLACED_DEG, DISPLACED_MM
from referee.domain.layout import Course, Tile, turned
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import SEEN_SIGMAS, Sighting
from referee.domain.table_edge import EdgeSide

# Tuned on our own clips, except where a comment gives another source for a number.

# Within this time a sliding coin moves far enough for the camera to notice.
MOMENT_S: Final = 0.1
# A hand that puts a coin down covers the coin's place at least this long.
LET_GO_S: Final = MOMENT_S
# A hand that is seen at a coin at most this long before or after an event counts as its cause. Two
# flicks by hands are at least this far apart.
HAND_S: Final = 0.15
# Chosen: the hand over a coin hides it for at most this distance of its slide, in coin widths.
COVERED_WIDTHS: Final = 2.0
STARTED_MM: Final = 1.2  # a coin this far from where it lay has been moved
# A coin seen closer than this to a place lies there: a hand's shadow shifts the measured centre by
# up to 1 mm. A coin that lies farther away was moved.
LIES_MM: Final = 1.5
# By definition: two consecutive frames are at most this many frame times apart: one, plus half of
# one as a tolerance.
IN_A_ROW_FRAMES: Final = 1.5
# By definition: if no more frames than this are lost, a path is fitted as if none were. A coin that
# is out of sight for longer may have left the table, or a hand may have stopped it.
MOST_LOST_FRAMES: Final = 3

#: The intervals (begin, end) in which something was the case, s, in order of time.
Stretches = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """Where a coin lay still, with the standard uncertainty along each axis."""

    at_mm: Point
    sigma_mm: float

    def is_at(self, at_mm: Point, sigma_mm: float) -> bool:
        """Return whether a coin seen at a place may lie at this rest: the two places are no farther
        apart than their standard errors explain.
        """
        off_mm = max(STARTED_MM, SEEN_SIGMAS * math.hypot(sigma_mm, self.sigma_mm))
        return distance(at_mm, self.at_mm) < off_mm


@dataclass(frozen=True, slots=True)
class CoinTrack:
    """One coin through an episode, under one name.

    `sightings` are in order of time. They come only from frames in which the coin may have been
    moving, so a coin that never moved has no sightings. `hand_frames` are the frames in which a
    hand lay over the coin or touched it. `hidden_frames` are the frames in which the coin should
    have been in view and was not found, for any reason.

    `before` is where the coin lay when the episode began, and `after` where it lay at its end. Each
    is None if the coin was not on the table or was not seen at that time.

    From `settled_s` on, the picture around the place of `after` looked as it did at the end.
    `hand_after_s` are the stretches of time in which a hand lay over that place, or right around
    it. `lay_until_s` is the time at which the coin was last clearly seen at `before`. Each of the
    three is None if it is not known.

    `moved_within_s` are the two times between which the coin came from `before` to `after`. At the
    first, parts of the coin that no hand hid still showed it at `before`; at the second, they
    showed it at `after`. It is None if that is not known.

    `cut_off_s` is the time at which the source ended, if nobody could see until then where the coin
    came to rest; None otherwise. `lost` is True for a coin that slid away before the episode and
    was not found again, so that it may lie on the table unseen. `may_lie_unseen` is True if the
    coin may lie on the table unseen at the end, because something changed somewhere on the table,
    or because nobody searched for the coin. `came_unnoticed` is True if the place of `after` looks
    the same with the coin as it did before the coin came, so that nobody can tell when the coin
    came.
    """

    coin: str
    before: Rest | None
    after: Rest | None
    sightings: tuple[Sighting, ...] = ()
    hand_frames: frozenset[int] = frozenset()
    hidden_frames: frozenset[int] = frozenset()
    settled_s: float | None = None
    hand_after_s: Stretches | None = None
    lay_until_s: float | None = None
    moved_within_s: tuple[float, float] | None = None
    cut_off_s: float | None = None
    lost: bool = False
    may_lie_unseen: bool = False
    came_unnoticed: bool = False

    @property
    def hand_let_go(self) -> bool | None:
        """Whether a hand covered the place of `after` long enough to put a coin down; None if that
        is not known.
        """
        return None if self.hand_after_s is None else self.put_down_since_s is not None

    @property
    def came_without_hand(self) -> bool:
        """Whether probably no hand put the coin down at `after`: no hand covered that place long
        enough, or the place looks as it did before the coin came.
        """
        return self.hand_let_go is False or self.came_unnoticed

    @property
    def put_down_since_s(self) -> float | None:
        """Return when the hand that may have put the coin down at `after` came over that place;
        None if no such hand was seen. A hand that had left before the coin came did not put it
        down.
        """
        came_s = -math.inf if self.settled_s is None else self.settled_s - LET_GO_S
        longer = [
            from_s
            for from_s, to_s in self.hand_after_s or ()
            if min(to_s - from_s - LET_GO_S, to_s - came_s) > -1e-6
        ]
        return longer[-1] if longer else None


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame's number and the time of the middle of its exposure."""

    number: int
    t_s: float


@dataclass(frozen=True, slots=True)
class Episode:
    """Everything that was seen between two moments at which nothing moved, in the table frame.

    `course_before` is the course as measured when the episode began, `course_after` as measured
    when nothing moved any more. A tile that could not be measured at the end of this episode is in
    `unmeasured_tiles` and keeps its earlier place in `course_after`. In the next episode it is
    among the `lost_tiles`, because it may have moved before that episode began. `changed_tiles`
    were never measured before this episode, and look different now. `exposure_s` is 0 if it is
    not known. `hand_frames` are the frames in which a hand was over the table. `unknown_mm` are
    places that changed although no known coin is the cause.
    """

    frames: tuple[Frame, ...]
    tracks: tuple[CoinTrack, ...]
    course_before: Course
    course_after: Course
    edge: tuple[EdgeSide, ...]
    sizes: PieceSizes
    exposure_s: float = 0.0
    hand_frames: frozenset[int] = frozenset()
    unmeasured_tiles: frozenset[str] = frozenset()
    lost_tiles: frozenset[str] = frozenset()
    changed_tiles: frozenset[str] = frozenset()
    unknown_mm: tuple[Point, ...] = ()

    def track_of(self, coin: str) -> CoinTrack:
        """Return the track of a coin, which must be among the tracks."""
        return next(track for track in self.tracks if track.coin == coin)


def was_displaced(episode: Episode, name: str) -> bool:
    """Return whether a tile was measured before and after the episode and has moved in between."""
    return was_measured(episode, name) and off_place(
        episode.course_before.tiles[name], episode.course_after.tiles[name]
    )


def was_measured(episode: Episode, name: str) -> bool:
    """Return whether a tile was measured before and after the episode. A tile that looks the same
    as before keeps its place and is not measured again.
    """
    after = episode.course_after.tiles.get(name)
    anew = after is not None and after != episode.course_before.tiles[name]
    return anew and name not in episode.unmeasured_tiles


def off_place(before: Tile, after: Tile) -> bool:
    """Return whether a tile was moved by at least 2 mm or turned by at least 2 degrees."""
    return (
        distance(before.centre_mm, after.centre_mm) >= DISPLACED_MM
        or abs(turned(before, after)) >= DISPLACED_DEG
    )


def is_vague(episode: Episode, sigma_mm: float) -> bool:
    """Return whether a path with this error shows nothing about lines and rims, because the error
    is larger than a coin. Such a path is reported as unseen.
    """
    return sigma_mm > episode.sizes.coin_mm


def frames_about(episode: Episode, t_s: float) -> tuple[int, int] | None:
    """Return the numbers of the frames before and after `t_s`; None without frames. For an instant
    before the first frame, the numbers are those of earlier frames, which are assumed to be evenly
    spaced. After the last frame, both numbers are the last frame's.
    """
    if not episode.frames:
        return None
    first = episode.frames[0]
    if t_s < first.t_s:
        earlier = math.ceil((first.t_s - t_s) / frame_time_s(episode))
        before = max(0, first.number - earlier)
        return before, min(before + 1, first.number)
    k = bisect_right([f.t_s for f in episode.frames], t_s)
    last = len(episode.frames) - 1
    return episode.frames[max(0, k - 1)].number, episode.frames[min(k, last)].number


def frame_time_s(episode: Episode) -> float:
    """Return the median time between frames, s; a thirtieth of a second if there are too few frames
    to measure it.
    """
    steps = sorted(b.t_s - a.t_s for a, b in zip(episode.frames, episode.frames[1:], strict=False))
    return steps[len(steps) // 2] if steps else 1 / 30
