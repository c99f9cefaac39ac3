"""A stream that drops is taken up again; an end is an end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import referee.session.retaken_source as module
from referee.domain.errors import InputError
from referee.library.clips import ClipPacket
from referee.session.retaken_source import RetakenSource
from referee.vision.sources.frame import SourceProperties, VideoFrame

LUMA = np.zeros((2, 2), np.uint8)
PROPERTIES = SourceProperties("camera", 2, 2, 10.0, None, None, True, "mjpeg", True, 0)


class Take:
    """One take: frames at these times, then an end, or a drop where `shortfall` says so."""

    clip_format = None
    notes = ()

    def __init__(
        self,
        times_s: Sequence[float],
        shortfall: str | None = "camera: breaks off",
        properties: SourceProperties = PROPERTIES,
    ) -> None:
        self.times_s, self.shortfall, self.properties = times_s, shortfall, properties
        self.closed = False

    def __enter__(self) -> Take:
        return self

    def __exit__(self, *error: object) -> None:
        self.closed = True

    def __iter__(self) -> Iterator[VideoFrame]:
        for number, t_s in enumerate(self.times_s):
            packet = ClipPacket(t_s, 0, 0, True, b"")
            yield VideoFrame(number, t_s, LUMA, (packet,), lambda: LUMA)


class Clock:
    """A clock that goes on by half a second while somebody waits for pictures."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.waited: list[str] = []

    def __call__(self) -> float:
        return self.now_s

    def wait(self, _since_s: float, _for_s: float, why: str) -> None:
        self.now_s += 0.5
        self.waited.append(why)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open sources at once instead of in a thread."""

    class Attempt:
        runs = False

        def __init__(self, opening: Callable[[], Take]) -> None:
            self.source: Take | None = None
            self.failure: str | None = None
            try:
                self.source = opening()
            except InputError as error:
                self.failure = str(error)

    monkeypatch.setattr(module, "_Attempt", Attempt)


def played(clock: Clock, *takes: Take | str, end: int) -> list[VideoFrame]:
    """Return the first frames of a source whose takes come one after the other. A text is why it
    cannot be opened.
    """
    first, *others = takes

    def opening() -> Take:
        clock.now_s += 0.25
        nxt = others.pop(0)
        if isinstance(nxt, str):
            raise InputError(nxt)
        return nxt

    assert isinstance(first, Take)
    frames = iter(RetakenSource(first, opening, clock.wait, clock))
    return list(islice(frames, end))


def test_times_and_numbers_go_on_by_the_clock_and_every_failure_is_said() -> None:
    clock = Clock()
    frames = played(
        clock, Take([0.0, 0.1]), "camera: unplugged", "camera: busy", Take([0.0, 0.1]), end=4
    )
    assert [frame.t_s for frame in frames] == pytest.approx([0.0, 0.1, 4.85, 4.95])
    assert [frame.packets[0].t_s for frame in frames] == pytest.approx([0.0, 0.1, 4.85, 4.95])
    assert [frame.number for frame in frames] == [0, 1, 2, 3]
    assert clock.waited == ["camera: breaks off"] * 4 + ["camera: unplugged"] * 4


def test_the_end_of_a_stream_that_promised_none_is_a_drop() -> None:
    assert len(played(Clock(), Take([0.0], None), Take([0.0], None), end=2)) == 2


def test_the_end_of_a_promised_length_is_an_end() -> None:
    file = replace(PROPERTIES, live=False, duration_s=0.2)
    assert len(played(Clock(), Take([0.0, 0.1], None, file), end=9)) == 2


def test_a_download_that_broke_off_goes_on_where_it_was() -> None:
    file = replace(PROPERTIES, live=False, duration_s=0.3)
    takes = (Take([0.0, 0.1], "broke", file), Take([0.0, 0.1, 0.2], None, file))
    frames = played(Clock(), *takes, end=9)
    assert [frame.t_s for frame in frames] == [0.0, 0.1, 0.2]


def test_pictures_of_another_size_are_waited_out() -> None:
    clock, other = Clock(), Take([0.0], properties=replace(PROPERTIES, width=9))
    frames = played(clock, Take([0.0]), other, Take([0.0]), end=2)
    assert len(frames) == 2 and other.closed
    assert clock.waited[0] == "camera: its pictures changed from 2x2 to 9x2"
