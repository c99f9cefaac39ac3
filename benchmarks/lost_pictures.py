"""Says which pictures of a clip are shown at which time where some are lost or shown again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.worsened import Filmed

LOST_SHARE = 0.1
REPEATED_AFTER_S = (0.07, 0.2)  # after the first deed
STALL_AFTER_S, STALL_FRAMES = 0.1, 3

#: For each picture of a clip, the number of the picture to show at its time; None drops it.
Order = Callable[[Filmed, Sequence[float]], list[int | None]]


def as_filmed(scene: Filmed, times_s: Sequence[float]) -> list[int | None]:
    """Show every picture at its time."""
    return list(range(len(times_s)))


def some_lost(scene: Filmed, times_s: Sequence[float]) -> list[int | None]:
    """Drop a tenth of the pictures by chance, never the first. The others keep their times."""
    lost = np.random.default_rng(len(times_s)).random(len(times_s)) < LOST_SHARE
    return [None if number and lost[number] else number for number in range(len(times_s))]


def some_repeated(scene: Filmed, times_s: Sequence[float]) -> list[int | None]:
    """Show three pictures twice, each in the place of the next one: one at rest, two in motion."""
    stale = {
        number_at(times_s, at_s)
        for at_s in (scene.before_s, *(scene.deed_s + after for after in REPEATED_AFTER_S))
    }
    return [number - 1 if number in stale else number for number in range(len(times_s))]


def stalled(scene: Filmed, times_s: Sequence[float]) -> list[int | None]:
    """Soon after the first incident, show one picture also in the place of the next three."""
    first = number_at(times_s, scene.deed_s + STALL_AFTER_S)
    return [
        first - 1 if first <= number < first + STALL_FRAMES else number
        for number in range(len(times_s))
    ]


def number_at(times_s: Sequence[float], at_s: float) -> int:
    """Return the number of the first picture from a time on, at least 1."""
    later = (number for number, time_s in enumerate(times_s) if time_s >= at_s and number)
    return next(later, len(times_s) - 1)
