"""Opens a stream or a camera again after it has dropped, so that a match goes on by itself.

Times continue by the monotonic clock. The end of a file, or of a stream whose length was known, is
a real end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from referee.domain.errors import InputError
from referee.library.clips import ClipFormat
from referee.vision.sources.frame import SourceProperties, VideoFrame
from referee.vision.sources.video import Source

#: Chosen: a dropped source is tried again after this many seconds.
RETRY_S: Final = 2.0
#: Chosen: this often during the wait, the page says how long it lasts, and answers are taken.
LOOK_S: Final = 0.5

#: Called every `LOOK_S` while there are no pictures: since when (s in the source), for how long (s)
#: and why. It takes about `LOOK_S`.
Waiting = Callable[[float, float, str], None]


class RetakenSource:
    """A live source that is opened again whenever it drops. Use it as a `Source`."""

    def __init__(
        self,
        source: Source,
        opening: Callable[[], Source],
        waiting: Waiting,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.properties: SourceProperties = source.properties
        self.shortfall: str | None = None
        self._source = source
        self._opening = opening
        self._waiting = waiting
        self._clock = clock
        self._notes: tuple[str, ...] = ()
        self._last_s = 0.0  # the time of the last frame, and when it came by the clock
        self._came_s = clock()
        self._next_number = 0

    @property
    def clip_format(self) -> ClipFormat | None:
        """Return how the present packets can be written as clips. After every drop, this is another
        object.
        """
        return self._source.clip_format

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the problems that did not end the source, one line each."""
        return (*self._notes, *self._source.notes)

    def __enter__(self) -> RetakenSource:
        return self

    def __exit__(self, *error: object) -> None:
        self._source.__exit__(*error)

    def __iter__(self) -> Iterator[VideoFrame]:
        """Iterate over the frames of all takes, each later than the one before."""
        yield from self._frames(later_s=None)
        while not self._has_ended():
            opened_s = self._retake()
            yield from self._frames(opened_s - self._came_s)

    def _has_ended(self) -> bool:
        return self._source.shortfall is None and not self._source.properties.live

    def _frames(self, later_s: float | None) -> Iterator[VideoFrame]:
        """Yield the frames of one take. Its first frame came `later_s` after the last frame of the
        take before; None for the first take.
        """
        number, shift_s = self._next_number, 0.0 if later_s is None else None
        for frame in self._source:
            if shift_s is None:
                shift_s = self._last_s + (later_s or 0.0) - frame.t_s if self._goes_on else 0.0
            t_s = frame.t_s + shift_s
            if self._next_number and t_s <= self._last_s:
                continue  # a download that broke off begins again
            self._last_s, self._came_s = t_s, self._clock()
            self._next_number = number + frame.number + 1
            packets = tuple(replace(p, t_s=p.t_s + shift_s) for p in frame.packets)
            yield replace(frame, number=number + frame.number, t_s=t_s, packets=packets)

    @property
    def _goes_on(self) -> bool:
        """Whether a new take shows what happens now, and not the beginning of a file."""
        return self.properties.live

    def _retake(self) -> float:
        """Open the source again, and wait until this succeeds. Return the clock's time at which the
        successful attempt began, because its first pictures are held back until their rate is
        known.
        """
        why = self._source.shortfall or f"{self.properties.name}: has ended"
        self._notes = self.notes
        self._source.__exit__(None, None, None)
        while True:
            attempt, tried_s = _Attempt(self._opening), self._clock()
            while attempt.runs or (attempt.source is None and self._clock() - tried_s < RETRY_S):
                self._waiting(self._last_s, self._clock() - self._came_s, why)
            if attempt.source is None:
                why = attempt.failure or why
            elif (unlike := self._unlike(attempt.source)) is None:
                self._source = attempt.source
                return tried_s
            else:
                attempt.source.__exit__(None, None, None)
                why = unlike
                self._waiting(self._last_s, self._clock() - self._came_s, why)

    def _unlike(self, source: Source) -> str | None:
        """Return why a source that was opened again cannot be used; None if it can."""
        now, first = source.properties, self.properties
        if (now.width, now.height) == (first.width, first.height):
            return None
        return (
            f"{now.name}: its pictures changed from {first.width}x{first.height} to"
            f" {now.width}x{now.height}"
        )


class _Attempt:
    """One attempt to open a source. It runs in a separate thread, because it may take long."""

    def __init__(self, opening: Callable[[], Source]) -> None:
        self.source: Source | None = None
        self.failure: str | None = None
        self._opening = opening
        self._thread = threading.Thread(target=self._open, name="source", daemon=True)
        self._thread.start()

    @property
    def runs(self) -> bool:
        """Whether the attempt is still running, so that it is not known yet if the source can be
        opened.
        """
        return self._thread.is_alive()

    def _open(self) -> None:
        try:
            self.source = self._opening()
        except InputError as error:
            self.failure = str(error)
