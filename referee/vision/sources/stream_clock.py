"""Computes the times of frames from the timestamps of their stream."""

from __future__ import annotations

from fractions import Fraction

from referee.vision.sources.arrival_clock import HELD_UP_S

# Chosen: limits, sizes and colours that nothing was measured for.


class StreamClock:
    """Turns a stream's timestamps into seconds since its first frame, always increasing.

    A frame without a timestamp is assumed to come one frame interval after the previous frame. A
    frame whose time is not later than that of the previous frame is left out (`read` returns None).
    If the timestamps jump back by over a second, the source's clock was reset: time then continues
    one frame interval after the previous frame. `notes` says how often each of these happened.
    """

    def __init__(self, time_base: Fraction, fps: float) -> None:
        self._time_base = time_base
        self._frame_s = 1.0 / fps
        self._origin: int | None = None
        self._shift_s = 0.0
        self._guessed = self._left_out = self._resets = 0
        self.last_s: float | None = None

    def place(self, pts: int) -> float:
        """Return the time of a timestamp, in seconds since the first frame, without advancing the
        clock; 0 before the first frame.
        """
        return (
            0.0
            if self._origin is None
            else float((pts - self._origin) * self._time_base) + self._shift_s
        )

    def read(self, pts: int | None) -> float | None:
        """Return the time of the next frame, in seconds since the first frame; None if it is not
        later than that of the previous frame.
        """
        if pts is None:
            self._guessed += 1
            self.last_s = 0.0 if self.last_s is None else self.last_s + self._frame_s
            return self.last_s
        if self._origin is None:
            self._origin, self._shift_s = (
                pts,
                0.0 if self.last_s is None else self.last_s + self._frame_s,
            )
        t_s = self.place(pts)
        if self.last_s is not None and t_s <= self.last_s:
            if t_s > self.last_s - HELD_UP_S:
                self._left_out += 1
                return None
            self._resets += 1
            self._shift_s += self.last_s + self._frame_s - t_s
            t_s = self.last_s + self._frame_s
        self.last_s = t_s
        return t_s

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what was unusual about the times, one line each."""
        lines = (
            (
                self._guessed,
                f"frames without a time, each assumed to come {1000 * self._frame_s:.1f} ms after"
                " the one before",
            ),
            (self._left_out, "frames left out, because they came no later than the one before"),
            (self._resets, "jumps back of the stream's clock, each made one frame forward"),
        )
        return tuple(f"{line}: {count}" for count, line in lines if count)
