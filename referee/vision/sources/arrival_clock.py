"""Estimates when pictures without timestamps were taken, from the times at which they arrive over a
network with uneven delays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

# Tuned on our own clips, except where a comment gives another source for a number.

#: The assumed rate until the rate is known. The assumed rate is higher than that of most sources,
#: because times can be corrected to later ones, but never to earlier ones.
_GUESSED_FPS: Final = 60.0
#: The rate is learnt from this many of the last arrivals, and from no fewer than `_LEAST_ARRIVALS`,
#: over at least `HELD_UP_S` seconds.
WINDOW: Final = 150
_LEAST_ARRIVALS: Final = 8
#: This share of the clock's error is corrected with each picture, but at most `_MOST_GAIN` of the
#: step between two pictures.
_GAIN: Final = 0.03
_MOST_GAIN: Final = 0.2
#: A network delays pictures by less than this. So the earliest picture within the last `HELD_UP_S`
#: seconds shows whether the clock is late. A picture that comes later than this was not delayed:
#: the source had paused.
HELD_UP_S: Final = 1.0
#: But such a late picture was delayed if the next one comes within this share of the step between
#: two pictures: both had been waiting.
_BACKLOG_SHARE: Final = 0.5
#: If this many pictures in a row waited for the reader, the reader is not catching up: it is always
#: late.
_NEVER_WAITED: Final = 40


class ArrivalClock:
    """Estimates when a live source's pictures were taken. The clock assumes a steady rate, which it
    learns from the pictures' arrivals, and corrects its errors gradually.

    Measured speeds depend on the time steps between pictures, so the steps stay even whatever the
    network does. A picture may arrive late but never early, so the earliest arrivals show when
    pictures are taken. All estimated times are late by the shortest delay of a picture. If a
    picture was waiting before the reader asked for it, its arrival time is unknown, and it is only
    counted. If every picture was waiting, the reader is always late, and the arrival times are used
    nevertheless.
    """

    def __init__(self) -> None:
        self._arrivals: deque[tuple[int, float]] = deque(maxlen=WINDOW)
        self._number = self._ready = 0
        self._step_s: float | None = None
        self._last_s: float | None = None

    def learn(self, arrivals: Sequence[tuple[float, bool]]) -> bool:
        """Learn from the source's first pictures their rate and when the first was probably taken.
        Call this before `place`.

        `arrivals` says for each picture when it arrived and whether it was already waiting for the
        reader. Returns False, and learns nothing, if there are too few arrivals.
        """
        heard = [
            (number, at_s) for number, (at_s, lay_ready) in enumerate(arrivals) if not lay_ready
        ]
        steady = _since_it_stood_still(heard)
        line = _line(steady)
        if line is not None:
            self._step_s = line[0]
            if steady == heard:
                self._last_s = line[1] - line[0]
        return line is not None

    def backlog_after_s(self, arrived_s: float, *, lay_ready: bool) -> float | None:
        """Return within how many seconds the next picture must come for this picture to count as
        the first of a backlog; None if this picture is not late enough.
        """
        step_s = self._step_s or 1 / _GUESSED_FPS
        due_s = arrived_s if self._last_s is None else self._last_s + step_s
        late = not lay_ready and arrived_s - due_s > HELD_UP_S
        return _BACKLOG_SHARE * step_s if late else None

    def place(self, arrived_s: float, *, lay_ready: bool = False, backlog: bool = False) -> float:
        """Return when the latest picture was probably taken, on the clock of the arrivals. The time
        is always later than that of the previous picture. A late picture that is followed by a
        `backlog` was delayed on its way.
        """
        self._ready = self._ready + 1 if lay_ready else 0
        heard = not backlog and (not lay_ready or self._ready % _NEVER_WAITED == 0)
        was_known = self._step_s is not None
        step_s = self._step_s or 1 / _GUESSED_FPS
        due_s = arrived_s if self._last_s is None else self._last_s + step_s
        late_s = arrived_s - due_s
        stood_still = not (lay_ready or backlog) and late_s > HELD_UP_S
        if stood_still:
            self._arrivals.clear()
        if heard:
            self._hear(arrived_s)
        if late_s > 0 and (stood_still or (self._step_s is not None and not was_known)):
            self._last_s = arrived_s
        else:
            most_s = _MOST_GAIN * step_s
            self._last_s = due_s + (
                max(-most_s, min(most_s, _GAIN * self._least_late_s(due_s, step_s)))
                if heard
                else 0.0
            )
        self._number += 1
        return self._last_s

    def _least_late_s(self, due_s: float, step_s: float) -> float:
        """Return the smallest delay among the last pictures, compared with a steady rate at which
        the latest picture was due at `due_s`.
        """
        recent = [
            (number, at_s)
            for number, at_s in self._arrivals
            if at_s > self._arrivals[-1][1] - HELD_UP_S
        ]
        return min(at_s - due_s - step_s * (number - self._number) for number, at_s in recent)

    def _hear(self, arrived_s: float) -> None:
        self._arrivals.append((self._number, arrived_s))
        line = _line(self._arrivals)
        if line is not None:
            self._step_s = line[0]


def _line(arrivals: Sequence[tuple[int, float]]) -> tuple[float, float] | None:
    """Fit a line to numbered arrivals such that no arrival is earlier than the line. Return the
    time between two pictures and the time of picture 0.

    Of all such lines, the one closest to the arrivals is used: the edge of their lower convex hull
    at their middle. Return None if there are too few arrivals.
    """
    if len(arrivals) < _LEAST_ARRIVALS or arrivals[-1][1] - arrivals[0][1] < HELD_UP_S:
        return None
    middle = sum(number for number, _ in arrivals) / len(arrivals)
    begin, end = next((a, b) for a, b in pairwise(_lower_hull(arrivals)) if b[0] >= middle)
    step_s = _slope(begin, end)
    return step_s, begin[1] - step_s * begin[0]


def _lower_hull(points: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    hull: list[tuple[int, float]] = []
    for point in points:
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) >= _slope(hull[-2], point):
            hull.pop()
        hull.append(point)
    return hull


def _slope(a: tuple[int, float], b: tuple[int, float]) -> float:
    return (b[1] - a[1]) / (b[0] - a[0])


def _since_it_stood_still(arrivals: list[tuple[int, float]]) -> list[tuple[int, float]]:
    begin = max(
        (i for i, (a, b) in enumerate(pairwise(arrivals), start=1) if b[1] - a[1] > HELD_UP_S),
        default=0,
    )
    return arrivals[begin:]
