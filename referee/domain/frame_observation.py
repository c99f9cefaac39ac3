"""What one frame says, before anybody knows which coin is which, and what is asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from referee.domain.geometry import Point


class Presence(Enum):
    """Whether a coin that lay still is where it was: plainly there, plainly gone, or not to be seen
    because something is over it.
    """

    THERE = "there"
    GONE = "gone"
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class Expected:
    """Where a coin is looked for: at rest when `velocity_mm_s` is None, else in motion near the
    place a prediction gives.

    A moving coin was last seen at `seen_mm`, `seen_ago_s` before the middle of this exposure (0
    where that is not known). A coin that lay still and has a hand over it may have got to
    `maybe_mm` by now.
    """

    coin: str
    at_mm: Point
    velocity_mm_s: Point | None = None
    seen_mm: Point | None = None
    seen_ago_s: float = 0.0
    maybe_mm: Point | None = None


@dataclass(frozen=True, slots=True)
class Disc:
    """A coin that is not where one lay still, whoever's it is: its centre at mid-exposure.

    `support` is the share of its rim that was seen; `at_hand` says that a hand was over it or right
    beside it.
    """

    at_mm: Point
    sigma_mm: float
    support: float
    at_hand: bool


@dataclass(frozen=True, slots=True)
class FrameObservation:
    """One frame. `t_s` is the middle of the exposure; `stirring` says that something changed since
    the frame before.

    `presence` answers for every coin expected at rest near which anything differs (a coin not named
    is there). `quiet` names the moving coins around which nothing changed since the frame before,
    `not_gone` those that plainly lie where they lay, whatever was taken for them. `hand` says that
    something large is over the table.
    """

    frame: int
    t_s: float
    stirring: bool
    hand: bool
    discs: tuple[Disc, ...] = ()
    presence: Mapping[str, Presence] = field(default_factory=lambda: MappingProxyType({}))
    quiet: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()
    not_gone: frozenset[str] = frozenset()
