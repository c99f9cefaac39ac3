"""What one frame shows before anybody knows which coin is which, and where the frame is searched
for coins.
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
    """Where a frame is searched for one coin. If `velocity_mm_s` is None, the coin is expected to
    lie still at `at_mm`. Otherwise it is expected to move near `at_mm`, its predicted place.

    A moving coin was last seen at `seen_mm`, `seen_ago_s` before the middle of this exposure (0 if
    that is not known). `seen_free` is True if it was just seen clear of any hand. `maybe_mm` is a
    place to which a hand may have moved a coin that lay still. `left` is True for a coin that was
    seen to leave `at_mm` and was not found again.
    """

    coin: str
    at_mm: Point
    velocity_mm_s: Point | None = None
    seen_mm: Point | None = None
    seen_ago_s: float = 0.0
    seen_free: bool = False
    maybe_mm: Point | None = None
    left: bool = False


@dataclass(frozen=True, slots=True)
class Disc:
    """A coin that was seen away from every place where a coin lay still. It is not known which coin
    it is. `at_mm` is its centre at the middle of the exposure.

    `width_mm` is the width of the coins that were looked for here; None for the usual width.
    `support` is the share of the disc's rim that was seen. `beside_hand` is True if a hand was over
    the disc or right beside it. `at_hand` is True if, in addition, the disc looks as if it could be
    a part of the hand. `still` is True if nothing changed there since the frame before.
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
    """What was seen in one frame. `t_s` is the middle of the exposure. `changing` is True if
    something changed since the frame before.

    `presence` says for coins that are expected to lie still whether they are there; a coin that it
    does not name is there. `quiet` names the moving coins around which nothing changed since the
    frame before. `not_gone` names the coins that clearly still lie in their places, even if one of
    the discs was taken for such a coin. `covered` names the expected coins that a hand covers or
    that are right beside a hand. `in_view` names those of them that are in full view. `hand` is
    True if something large is over the table.
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
