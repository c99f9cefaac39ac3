"""How a body slides under dry friction: it keeps its direction and loses the same speed in every
second until it stops.

The deceleration is the coefficient of friction times gravity and does not depend on the body's
weight (Coulomb). Every part of the program that computes a coin's motion, forwards or backwards in
time, uses these equations.
"""

from __future__ import annotations

import math
from typing import Any, Final, Protocol, TypeVar

# The referee assumes that no flicked coin is faster than this. Measured: on five clips of flicks at
# 5400 mm/s, which the referee can follow neither with 5000 nor with 6000. With 6000 it reports one
# more false incident and no more true ones.
FASTEST_FLICK_MM_S: Final = 5000.0
# The deceleration of a wooden coin on varnished wood, about 0.2 g. The search uses it while the
# friction of a table is not known. Tuned on our own clips.
USUAL_SLOWING_MM_S2: Final = 2000.0
# A coin that meets a tile keeps about this share of its speed perpendicular to the tile's side,
# plus or minus the same share. Chosen: between dead and lively wood.
BOUNCE: Final = 0.5
# Chosen: the largest friction between two rims of wood or of card, a force within 20 degrees of the
# normal of the rim. This is the tangent of the largest angle between that normal and the push on a
# tile or a coin's change of velocity.
RIM_FRICTION: Final = math.tan(math.radians(20.0))
# At the end of its slide a coin creeps half a millimetre in 20 to 30 ms, which no camera sees.
# Measured: on one of twelve random tables a path ended 26 ms before the coin stopped, while the
# coin still slid at 37 mm/s.
LAST_CREEP_S: Final = 0.05


class _Quantity(Protocol):
    """A number, or an array of numbers."""

    def __mul__(self, other: Any, /) -> Any: ...
    def __rmul__(self, other: Any, /) -> Any: ...


Quantity = TypeVar("Quantity", bound=_Quantity)


def way_mm(speed_mm_s: Any, slowing_mm_s2: Any, since_s: Quantity) -> Quantity:
    """Return the distance a body slides in the `since_s` after the moment at which it has
    `speed_mm_s`. It is negative for a negative `since_s`.

    The caller makes sure that `since_s` is not later than the moment at which the body stops.
    """
    way: Quantity = speed_mm_s * since_s - 0.5 * slowing_mm_s2 * since_s * since_s
    return way


def standing_after_s(speed_mm_s: float, slowing_mm_s2: float) -> float:
    """Return how long the body slides until it stops: 0 at rest, infinite without friction."""
    if speed_mm_s == 0.0:
        return 0.0
    return speed_mm_s / slowing_mm_s2 if slowing_mm_s2 > 0.0 else math.inf


def standing_after_mm(speed_mm_s: float, slowing_mm_s2: float) -> float:
    """Return how far the body slides until it stops: 0 at rest, infinite without friction."""
    return 0.5 * speed_mm_s * standing_after_s(speed_mm_s, slowing_mm_s2)


def unstopped_mm_s(since_s: Quantity, speed_mm_s: Any, slowing_mm_s2: Any) -> Quantity:
    """Return the speed `since_s` later, for a body that still moves then. For a body that stops
    before, the result is below 0.
    """
    speed: Quantity = speed_mm_s - slowing_mm_s2 * since_s
    return speed


def speed_after_s(since_s: float, speed_mm_s: float, slowing_mm_s2: float) -> float:
    """Return the speed `since_s` later; 0 once the body has stopped. For a negative time, return
    the speed at an earlier time.
    """
    return max(0.0, unstopped_mm_s(since_s, speed_mm_s, slowing_mm_s2))


def speed_after_mm(covered_mm: float, speed_mm_s: float, slowing_mm_s2: float) -> float:
    """Return the speed after a further `covered_mm`; 0 if the body stops before that. For a
    negative distance, return the speed at an earlier place.
    """
    return math.sqrt(max(0.0, speed_mm_s**2 - 2.0 * slowing_mm_s2 * covered_mm))


def speed_over_mm(way_mm: float, slowing_mm_s2: float) -> float:
    """Return the speed at which a body must start so that it slides `way_mm` until it stops."""
    return speed_after_mm(-way_mm, 0.0, slowing_mm_s2)


def time_over_s(covered_mm: float, speed_mm_s: float, slowing_mm_s2: float) -> float:
    """Return the time in which the body covers a distance, or the time until it stops if it stops
    earlier; negative for a negative distance.

    This form of the equation stays exact for a body that loses little speed.
    """
    left = speed_after_mm(covered_mm, speed_mm_s, slowing_mm_s2)
    if left == 0.0:
        return standing_after_s(speed_mm_s, slowing_mm_s2)
    return 2.0 * covered_mm / (speed_mm_s + left)


def first_speed_mm_s(covered_mm: float, took_s: float, slowing_mm_s2: float) -> float:
    """Return the speed at the beginning of a distance that the body covered in `took_s` without
    stopping.
    """
    return covered_mm / took_s + 0.5 * slowing_mm_s2 * took_s
