"""Times for pictures that come without any: from when they arrive, which a network scatters, to when they were probably taken."""

from __future__ import annotations

from collections import deque

#: Pictures a second as long as nothing better is known: more than most sources send, since times can be put forward later but never back.
_GUESSED_FPS = 60.0
#: How many of the last arrivals say at what rate pictures come, and from how many, over how long, s, they are believed.
_WINDOW, _LEAST_ARRIVALS, _LEAST_SPAN_S = 150, 8, 1.0
#: What share of being late or early is made up with each picture, and at most by how much of the step between two pictures.
_GAIN, _MOST_GAIN = 0.03, 0.2
#: A picture later than this after it was due, s, is no scatter: the source stood still.
_STOOD_STILL_S = 1.0
#: So many pictures on end lay ready: the reader is not catching up, it is always late.
_NEVER_WAITED = 40


class ArrivalClock:
    """Takes a source's pictures to come at a steady rate, learnt from their arrivals; what is late or early is made up little by little.

    Speeds hang on the steps between pictures, so these stay even whatever the network does. A picture that lay ready when it was asked for
    arrived at a time nobody knows: it only counts. Where every picture lies ready, the reader is always late, and its times are taken all
    the same.
    """

    def __init__(self) -> None:
        self._arrivals: deque[tuple[int, float]] = deque(maxlen=_WINDOW)
        self._number = self._ready = 0
        self._step_s: float | None = None
        self._last_s: float | None = None

    def place(self, arrived_s: float, *, lay_ready: bool = False) -> float:
        """When the picture that was just given was probably taken, on the same clock; always later than the one before."""
        self._ready = self._ready + 1 if lay_ready else 0
        heard = not lay_ready or self._ready % _NEVER_WAITED == 0
        was_known = self._step_s is not None
        if heard:
            self._arrivals.append((self._number, arrived_s))
            self._step_s = self._slope_s() or self._step_s
        self._number += 1
        step_s = self._step_s or 1 / _GUESSED_FPS
        due_s = arrived_s if self._last_s is None else self._last_s + step_s
        late_s = arrived_s - due_s
        stood_still = not lay_ready and late_s > _STOOD_STILL_S
        if stood_still:
            self._arrivals.clear()
        if late_s > 0 and (stood_still or (self._step_s is not None and not was_known)):
            self._last_s = arrived_s
        else:
            most_s = _MOST_GAIN * step_s
            self._last_s = due_s + (max(-most_s, min(most_s, _GAIN * late_s)) if heard else 0.0)
        return self._last_s

    def _slope_s(self) -> float | None:
        """The time between two pictures: the slope of the line through the last arrivals, least squares; None while they say too little."""
        count = len(self._arrivals)
        if count < _LEAST_ARRIVALS or self._arrivals[-1][1] - self._arrivals[0][1] < _LEAST_SPAN_S:
            return None
        middle, mean_s = sum(n for n, _ in self._arrivals) / count, sum(a for _, a in self._arrivals) / count
        return sum((n - middle) * (a - mean_s) for n, a in self._arrivals) / sum((n - middle) ** 2 for n, _ in self._arrivals)
