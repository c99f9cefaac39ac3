"""An episode: everything that was seen from one moment at which all was still to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.domain.geometry import Point
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.domain.table_edge import EdgeSide

# Tuned on our own clips, except where a comment says what stands behind a number.

LET_GO_S: Final = 0.1  # a hand that puts a coin down is over its place for at least so long


@dataclass(frozen=True, slots=True)
class Rest:
    """Where a coin lay still, with the standard uncertainty along each axis."""

    at_mm: Point
    sigma_mm: float


@dataclass(frozen=True, slots=True)
class CoinTrack:
    """One coin through an episode, with its identity kept.

    `sightings` are in order of time and hold only frames in which the coin was measured while it
    may have been moving; a coin that never stirred has none. `hand_frames` are the frames in which
    the hand lay over the coin or touched it. `hidden_frames` are those in which the coin should
    have been in view and was not found, for any reason. `before` or `after` is None where the coin
    was not on the table, or not seen, at that end of the episode. `settled_s` is since when the
    place of `after` has looked as it did at the end, `covered_s` for how long before that something
    lay over it that was neither the bare table nor the coin; `lay_until_s` is when it was last
    plainly seen at `before`; None where that is not known.
    """

    coin: str
    before: Rest | None
    after: Rest | None
    sightings: tuple[Sighting, ...] = ()
    hand_frames: frozenset[int] = frozenset()
    hidden_frames: frozenset[int] = frozenset()
    settled_s: float | None = None
    covered_s: float | None = None
    lay_until_s: float | None = None

    @property
    def hand_let_go(self) -> bool | None:
        """Whether a hand was over the place of `after` for as long as it takes to let go of a coin;
        None where that is not known.
        """
        return None if self.covered_s is None else self.covered_s >= LET_GO_S


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame's number and the middle of its exposure."""

    number: int
    t_s: float


@dataclass(frozen=True, slots=True)
class Episode:
    """All that was seen between two moments of rest, in the table frame.

    `course_before` is the course as it stood when the episode began, `course_after` as measured
    when all was still again; a tile that could not be measured again has its place before
    (`unmeasured_tiles`), and is one of the next episode's `lost_tiles`: it may have moved before
    that began. `exposure_s` is 0 where it is not known. `hand_frames` are the frames in which any
    hand was over the table.
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
