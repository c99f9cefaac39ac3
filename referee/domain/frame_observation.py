"""What one frame shows before anybody knows which coin is which, and where coins are looked for in
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from referee.domain.geometry import Point


class Presence(Enum):
    """Whether a coin that lay still is still there, is gone, or cannot be seen because something
    covers it.
    """

    THERE = "there"
    GONE = "gone"
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class Expected:
    """Where a coin is looked for. With `velocity_mm_s` None the coin is expected at rest at
    `at_mm`, else moving near there, where it was predicted.

    A moving coin was last seen at `seen_mm`, `seen_ago_s` before the middle of this exposure (0
    where that is not known). `maybe_mm` is a place to which a hand may have moved a coin that lay
    still. `left` says that the coin was seen to leave `at_mm`, and was lost.
    """

    coin: str
    at_mm: Point
    velocity_mm_s: Point | None = None
    seen_mm: Point | None = None
    seen_ago_s: float = 0.0
    maybe_mm: Point | None = None
    left: bool = False


@dataclass(frozen=True, slots=True)
class Disc:
    """A coin seen away from every place where a coin lay still; which coin it is, is not known.
    `at_mm` is its centre at the middle of the exposure.

    `width_mm` is how wide a coin was looked for, None for a usual one. `support` is the share of
    its rim that was seen. `beside_hand` says that a hand was over it or
    right beside it, and `at_hand` that it may then be a part of the hand, by its looks. `still`
    says that nothing changed there since the frame before.
    """

    at_mm: Point
    sigma_mm: float
    support: float
    at_hand: bool
    beside_hand: bool = False
    width_mm: float | None = None
    still: bool = False


@dataclass(frozen=True, slots=True)
class FrameObservation:
    """What was seen in one frame. `t_s` is the middle of the exposure, and `changing` says that
    something changed since the frame before.

    `presence` says of coins expected at rest whether they are there; a coin that it does not name
    is there. `quiet` names the moving coins around which nothing changed since the frame before.
    `not_gone` names the coins that clearly lie where they lay, whatever else was taken for them,
    and `in_view` those of the `covered` ones, near a hand, that are in full view all the same.
    `hand` says that something large is over the table.
    """

    frame: int
    t_s: float
    changing: bool
    hand: bool
    discs: tuple[Disc, ...] = ()
    presence: Mapping[str, Presence] = field(default_factory=lambda: MappingProxyType({}))
    quiet: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()
    not_gone: frozenset[str] = frozenset()
    in_view: Set[str] = frozenset()
