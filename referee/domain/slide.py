"""How a body slides under dry friction: it keeps its direction and loses the same speed in every
second, until it stands.

The deceleration is the coefficient of friction times gravity, whatever the body weighs (Coulomb).
Every part of the program that moves a coin on, or asks how it came, takes these equations.
"""

from __future__ import annotations

import math
from typing import Any, Final, Protocol, TypeVar

# No flick of a coin over a table is faster. Measured: over five clips of flicks at 5400 mm/s,
# which the referee cannot follow anyway, 6000 in place of 5000 invents one incident more and
# finds none.
FASTEST_FLICK_MM_S: Final = 5000.0
# What a wooden coin loses on varnished wood, about 0.2 g: searched by while a table is not known.
# Tuned on our own clips.
USUAL_SLOWING_MM_S2: Final = 2000.0


class _Quantity(Protocol):
    """A number, or an array of numbers."""

    def __mul__(self, other: Any, /) -> Any: ...
    def __rmul__(self, other: Any, /) -> Any: ...


Quantity = TypeVar("Quantity", bound=_Quantity)


def way_mm(speed_mm_s: Any, slowing_mm_s2: Any, since_s: Quantity) -> Quantity:
    """The way from where the body has `speed_mm_s` to where it is `since_s` later: negative for an
    earlier instant. The caller ends `since_s` where the body stands.
    """
    way: Quantity = speed_mm_s * since_s - 0.5 * slowing_mm_s2 * since_s * since_s
    return way


def standing_after_s(speed_mm_s: float, slowing_mm_s2: float) -> float:
    """How long the body slides until it stands: 0 at rest, infinite without friction."""
    if speed_mm_s == 0.0:
        return 0.0
    return speed_mm_s / slowing_mm_s2 if slowing_mm_s2 > 0.0 else math.inf


def standing_after_mm(speed_mm_s: float, slowing_mm_s2: float) -> float:
    """How far the body slides until it stands: 0 at rest, infinite without friction."""
    return 0.5 * speed_mm_s * standing_after_s(speed_mm_s, slowing_mm_s2)


def speed_after_s(since_s: float, speed_mm_s: float, slowing_mm_s2: float) -> float:
    """The speed `since_s` later, 0 once the body stands; a negative time looks back."""
    return max(0.0, speed_mm_s - slowing_mm_s2 * since_s)


def speed_after_mm(covered_mm: float, speed_mm_s: float, slowing_mm_s2: float) -> float:
    """The speed `covered_mm` further on, 0 where the body stands before; a negative way looks
    back.
    """
    return math.sqrt(max(0.0, speed_mm_s**2 - 2.0 * slowing_mm_s2 * covered_mm))


def time_over_s(covered_mm: float, speed_mm_s: float, slowing_mm_s2: float) -> float:
    """Return the time the body takes to cover a distance, or to stop if it stops before; negative
    for a negative distance.

    The form of the equation keeps its digits where little speed is lost.
    """
    left = speed_after_mm(covered_mm, speed_mm_s, slowing_mm_s2)
    if left == 0.0:
        return standing_after_s(speed_mm_s, slowing_mm_s2)
    return 2.0 * covered_mm / (speed_mm_s + left)


def first_speed_mm_s(covered_mm: float, took_s: float, slowing_mm_s2: float) -> float:
    """The speed at the beginning of a way that took `took_s` and did not end before."""
    return covered_mm / took_s + 0.5 * slowing_mm_s2 * took_s
