"""Predicts where coins may be a moment later: still sliding, or after hitting another coin or a
tile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.domain import slide
from referee.domain.geometry import Point, add, cross, distance, dot, scale, subtract, unit
from referee.domain.pieces import PieceSizes
from referee.tracking.identity.prices import UNLIKELY_PRICE

# Tuned on our own clips, except where a comment gives another source for a number.

# A sighting this far from a coin's predicted place may still be the coin, however short the time
# since it was last seen.
GATE_MM: Final = 6.0
# A prediction may be wrong by this share of the distance that the coin can have gone since it was
# last seen.
GATE_OF_STEP: Final = 0.45
LOST_S: Final = 0.25  # a moving coin that is not seen for this long is no longer predicted


@dataclass(frozen=True, slots=True)
class Motion:
    """A coin's centre and velocity at one instant."""

    at_mm: Point
    velocity_mm_s: Point


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place where a coin may be, with a penalty in squared sigmas, which is larger for less
    likely places. `hit` says that the coin can be there only if another coin hit it.
    """

    at_mm: Point
    penalty: float
    hit: bool = False


def slid(motion: Motion, for_s: float, slowing_mm_s2: float = slide.USUAL_SLOWING_MM_S2) -> Motion:
    """Return where a coin that hits nothing is after `for_s` seconds, and its velocity. Such a coin
    slides straight on and slows down until it stops.
    """
    speed = distance(motion.velocity_mm_s, (0.0, 0.0))
    if speed == 0.0 or for_s <= 0.0:
        return motion
    until = min(for_s, slide.standing_after_s(speed, slowing_mm_s2))
    heading = unit(motion.velocity_mm_s)
    return Motion(
        add(motion.at_mm, scale(heading, slide.way_mm(speed, slowing_mm_s2, until))),
        scale(heading, slide.speed_after_s(until, speed, slowing_mm_s2)),
    )


def first_touch_s(a: Motion, b: Motion, within_s: float, reach_mm: float) -> float | None:
    """Return after how many seconds two coins that keep their velocities first touch, with their
    middles `reach_mm` apart. Return None if they do not touch within `within_s`.
    """
    gap, closing = subtract(b.at_mm, a.at_mm), subtract(b.velocity_mm_s, a.velocity_mm_s)
    along, fast = dot(gap, closing), dot(closing, closing)
    if along >= 0.0 or fast == 0.0:
        return None
    root = along * along - fast * (dot(gap, gap) - reach_mm * reach_mm)
    if root < 0.0:
        return None
    touch = (-along - root**0.5) / fast
    return touch if -0.5 * reach_mm / fast**0.5 <= touch <= within_s else None


def after_touch(a: Motion, b: Motion) -> tuple[Motion, Motion]:
    """Return the motions of two coins just after they hit each other without a loss of energy. The
    two coins exchange the components of their velocities along the line of centres.
    """
    if a.at_mm == b.at_mm:
        return a, b
    line = unit(subtract(b.at_mm, a.at_mm))
    push = dot(subtract(a.velocity_mm_s, b.velocity_mm_s), line)
    return Motion(a.at_mm, subtract(a.velocity_mm_s, scale(line, push))), Motion(
        b.at_mm, add(b.velocity_mm_s, scale(line, push))
    )


def through(begin: Point, end: Point, others: Sequence[Point], coin_mm: float) -> bool:
    """Return whether the straight path from one place to another leads through one of the coins at
    `others`. The moving coin would come within half a coin's width of that coin's middle and leave
    on the far side.
    """
    track = distance(begin, end)
    if track < coin_mm:
        return False
    heading = unit(subtract(end, begin))
    for at in others:
        along, aside = dot(subtract(at, begin), heading), abs(cross(heading, subtract(at, begin)))
        if aside < coin_mm / 2 and 0.0 < along < track - coin_mm / 2:
            return True
    return False


def candidate_places(
    coin: str, coins: Mapping[str, Motion], for_s: float, sizes: PieceSizes
) -> list[Candidate]:
    """Return the places where the coin `coin` may be after `for_s`: either it slides without a hit,
    or it and another coin hit each other.

    If the two coins would otherwise have to pass through each other, the place after the hit gets
    the smaller penalty.
    """
    own, through_another, hits = coins[coin], False, []
    for name, other in coins.items():
        if name == coin:
            continue
        reach_mm = sizes.reach_mm(coin, name)
        touch = first_touch_s(own, other, for_s, reach_mm / 2)
        through_another = through_another or touch is not None
        hits += [Candidate(at, 0.0, hit=True) for at in _after_meeting(own, other, for_s, reach_mm)]
    return [Candidate(slid(own, for_s).at_mm, UNLIKELY_PRICE * through_another), *hits]


def _after_meeting(own: Motion, other: Motion, for_s: float, reach_mm: float) -> tuple[Point, ...]:
    """Return where a coin may be after `for_s` if it and another coin hit each other within that
    time. Return no places if the two do not hit each other.
    """
    touch = first_touch_s(own, other, for_s, reach_mm)
    if touch is None:
        return ()
    touch = max(0.0, touch)
    after, _ = after_touch(slid(own, touch), slid(other, touch))
    return (slid(after, for_s - touch).at_mm,)
