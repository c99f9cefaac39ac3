"""Reads packets without timestamps in a separate thread, so that each arrival is timed even while
the previous packet is still being processed.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from referee.vision.sources.arrival_clock import WINDOW, ArrivalClock

if TYPE_CHECKING:
    import av

    Packet = av.Packet[av.VideoStream]

# Chosen: limits, sizes and colours that nothing was measured for.

#: The unit of the packets' timestamps, s.
ARRIVAL_TICKS: Final = Fraction(1, 90_000)
#: A packet that comes faster than this, s, was waiting before the reader asked for it.
_READY_S: Final = 0.002
#: At most this many packets wait: two seconds at 60 per second. If more come, the source must wait,
#: as it would without a thread.
_MOST_WAITING: Final = 120
#: At most `WINDOW` of the first packets, or this many seconds of them, are held back to learn their
#: rate.
_MOST_HELD_S: Final = 3.0
#: The end of the thread is awaited for this many seconds. Reading cannot be interrupted, and it can
#: take longer if the source has stopped sending.
_FAREWELL_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Arrival:
    packet: Packet
    at_s: float
    lay_ready: bool


class Arrivals:
    """The packets of a live source, each with the time at which its picture was probably taken.
    Iterate over it once, then `stop` it.

    The packets of the first second are held back, so that the rate is known before the first time
    is estimated. Packets without pictures are passed on unchanged, and so are reading errors.
    `clock` returns seconds.
    """

    def __init__(
        self, packets: Iterator[Packet], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._packets = packets
        self._clock = clock
        self._waiting: deque[_Arrival] = deque()
        self._change = threading.Condition()
        self._stopped = self._ended = False
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._read, name="arrivals", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Packet]:
        times = ArrivalClock()
        held = self._first(times)
        while (arrival := held.popleft() if held else self._next()) is not None:
            if arrival.packet.size:
                within_s = times.backlog_after_s(arrival.at_s, lay_ready=arrival.lay_ready)
                backlog = within_s is not None and self._follows(arrival, held, within_s)
                taken_s = times.place(arrival.at_s, lay_ready=arrival.lay_ready, backlog=backlog)
                stamp = round(taken_s / ARRIVAL_TICKS)
                arrival.packet.pts = arrival.packet.dts = stamp
            yield arrival.packet
        if self._error is not None:
            raise self._error

    def stop(self) -> bool:
        """Stop reading. Return False if the thread is still reading; then the source must not be
        closed yet.
        """
        with self._change:
            self._stopped = True
            self._change.notify_all()
        self._thread.join(_FAREWELL_S)
        return not self._thread.is_alive()

    def _first(self, times: ArrivalClock) -> deque[_Arrival]:
        """Return as many of the first packets as are needed to learn their rate."""
        held: deque[_Arrival] = deque()
        while len(held) < WINDOW and (arrival := self._next()) is not None:
            held.append(arrival)
            if arrival.at_s - held[0].at_s > _MOST_HELD_S or times.learn(
                [(a.at_s, a.lay_ready) for a in held if a.packet.size]
            ):
                break
        return held

    def _follows(self, late: _Arrival, held: deque[_Arrival], within_s: float) -> bool:
        """Return whether another packet came within `within_s` of the packet `late`."""
        with self._change:
            self._change.wait_for(lambda: held or self._waiting or self._ended, within_s)
            following = next(iter(held or self._waiting), None)
        return following is not None and following.at_s - late.at_s < within_s

    def _next(self) -> _Arrival | None:
        with self._change:
            self._change.wait_for(lambda: self._waiting or self._ended)
            self._change.notify_all()
            return self._waiting.popleft() if self._waiting else None

    def _read(self) -> None:
        """Read every packet with its time of arrival, until there are no more packets or `stop` was
        called. The method runs in the separate thread.
        """
        try:
            while self._has_room():
                asked_s = self._clock()
                packet = next(self._packets, None)
                at_s = self._clock()
                if packet is None:
                    break
                with self._change:
                    self._waiting.append(_Arrival(packet, at_s, at_s - asked_s < _READY_S))
                    self._change.notify_all()
        except Exception as error:  # noqa: BLE001 - passed on to whoever takes the packets
            self._error = error
        with self._change:
            self._ended = True
            self._change.notify_all()

    def _has_room(self) -> bool:
        """Wait until there is room for another packet. Return False if `stop` was called."""
        with self._change:
            self._change.wait_for(lambda: self._stopped or len(self._waiting) < _MOST_WAITING)
            return not self._stopped
