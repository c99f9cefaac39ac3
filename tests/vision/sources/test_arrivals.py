"""Pictures without times, read while others are processed. The clock is the stream's own: it says
when each picture came, however fast it is read.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

from referee.vision.sources.arrivals import ARRIVAL_TICKS, Arrivals
from referee.vision.sources.video import open_source
from tests.vision.sources.serving import MULTIPART, multipart, packets_of, sent

Video = Callable[..., Path]


class Pace:
    """A clock that is read before and after each picture is awaited. The first picture was waiting
    already. `gone_on` is set when picture `watched` has come.
    """

    def __init__(self, came_s: Sequence[float], watched: int = 0) -> None:
        self._came_s = came_s
        self._watched = watched
        self._readings = 0
        self.gone_on = threading.Event()

    def __call__(self) -> float:
        number, after = divmod(self._readings, 2)
        self._readings += 1
        if after and number == self._watched:
            self.gone_on.set()
        return self._came_s[min(max(0, number if after else number - 1), len(self._came_s) - 1)]


class Stream:
    """Packets whose contents number them, `count` of them, then `error`. It is silent at packet
    `silent_at` until `go_on` is set.
    """

    def __init__(
        self, count: int, error: Exception | None = None, silent_at: int | None = None
    ) -> None:
        self._count, self._error, self._silent_at = count, error, silent_at
        self.silent, self.go_on, self.read_out = (
            threading.Event(),
            threading.Event(),
            threading.Event(),
        )

    def __iter__(self) -> Iterator[av.Packet]:
        for number in range(self._count):
            if number == self._silent_at:
                self.silent.set()
                if not self.go_on.wait(5):
                    raise TimeoutError
            yield av.Packet(b"%d" % number)
        self.read_out.set()
        if self._error is not None:
            raise self._error


def even(fps: float, count: int) -> list[float]:
    return [500.0 + i / fps for i in range(count)]


@pytest.mark.parametrize("fps", [30, 60])
@pytest.mark.parametrize(("scatter_s", "off_s"), [(0.0, 0.0005), (0.01, 0.003)])
def test_times_are_right_from_the_first_picture_on_though_it_is_looked_at_for_long(
    video: Video, monkeypatch: pytest.MonkeyPatch, fps: int, scatter_s: float, off_s: float
) -> None:
    pictures = packets_of(video("pictures.avi", [33 * i for i in range(20)]))
    count = 3 * fps
    came_s = np.array(even(fps, count)) + np.random.default_rng(7).uniform(0, scatter_s, count)
    # One second is held back. While its first picture is processed, the reader must continue for
    # 0.4 s more.
    pace = Pace([float(s) for s in came_s], watched=round(1.5 * fps))
    monkeypatch.setattr("referee.vision.sources.video.Arrivals", partial(Arrivals, clock=pace))
    times = []
    with (
        sent(multipart([pictures[i % 20] for i in range(count)]), MULTIPART) as address,
        open_source(address) as source,
    ):
        for frame in source:
            assert pace.gone_on.wait(5), "nothing is read while a picture is looked at"
            times.append(frame.t_s)
        assert source.shortfall is None
        assert source.notes == ()
    assert times == pytest.approx([i / fps for i in range(count)], abs=off_s)


def test_pictures_that_lay_ready_before_the_first_was_waited_for_are_put_before_it() -> None:
    came_s = [500.0] * 20 + [500.0 + i / 30 for i in range(1, 100)]
    stamped = [float(p.pts * ARRIVAL_TICKS) for p in Arrivals(iter(Stream(119)), Pace(came_s))]
    assert np.diff(stamped) == pytest.approx(np.full(118, 1 / 30), abs=1e-4)
    assert stamped[-1] == pytest.approx(came_s[-1], abs=0.001)


def test_a_pause_in_the_first_second_does_not_count_as_the_streams_rate() -> None:
    came_s = [*even(30, 12), *(502.0 + i / 30 for i in range(60))]
    stamped = [float(p.pts * ARRIVAL_TICKS) for p in Arrivals(iter(Stream(72)), Pace(came_s))]
    assert stamped[12:] == pytest.approx(came_s[12:], abs=0.001)
    assert all(a < b for a, b in pairwise(stamped))


def test_a_slow_stream_is_not_held_back_for_ever() -> None:
    stream = Stream(10, silent_at=6)
    given = iter(Arrivals(iter(stream), Pace(even(1.5, 10))))
    assert bytes(next(given)) == b"0"
    stream.go_on.set()
    assert [int(bytes(p)) for p in given] == list(range(1, 10))


def test_no_more_packets_wait_than_a_few_seconds_of_them_and_none_is_lost() -> None:
    stream = Stream(1000)
    arriving = Arrivals(iter(stream), Pace(even(30, 1000)))
    assert not stream.read_out.wait(0.1)
    assert [int(bytes(p)) for p in arriving] == list(range(1000))


def test_what_breaks_in_reading_is_told_after_what_came_before() -> None:
    given = []
    with pytest.raises(OSError, match="gone"):
        for packet in Arrivals(iter(Stream(5, OSError("gone"))), Pace(even(30, 5))):
            given.append(bytes(packet))
    assert given == [b"0", b"1", b"2", b"3", b"4"]


@pytest.mark.parametrize("count", [1, 1000])
def test_stopping_ends_the_thread(count: int) -> None:
    arriving = Arrivals(iter(Stream(count)), Pace(even(30, count)))
    next(iter(arriving))
    assert arriving.stop()
    assert "arrivals" not in {t.name for t in threading.enumerate()}


def test_a_stream_that_is_silent_is_not_waited_for_and_ends_the_thread_when_it_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("referee.vision.sources.arrivals._FAREWELL_S", 0.01)
    stream = Stream(1000, silent_at=3)
    arriving = Arrivals(iter(stream), Pace(even(30, 1000)))
    assert stream.silent.wait(5)
    assert not arriving.stop()
    stream.go_on.set()
    monkeypatch.setattr("referee.vision.sources.arrivals._FAREWELL_S", 5.0)
    assert arriving.stop()
    assert not stream.read_out.is_set()


def test_a_stream_that_is_silent_is_let_go_of_at_once(
    video: Video, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.vision.sources.arrivals._FAREWELL_S", 0.01)
    monkeypatch.setattr(
        "referee.vision.sources.video.Arrivals", partial(Arrivals, clock=Pace(even(30, 40)))
    )
    pictures, hang_up = (
        packets_of(video("pictures.avi", [33 * i for i in range(40)])),
        threading.Event(),
    )
    with sent(multipart(pictures), MULTIPART, hang_up=hang_up) as address:
        with pytest.raises(KeyboardInterrupt), open_source(address) as source:
            assert len(list(itertools.islice(source, 40))) == 40
            raise KeyboardInterrupt
        (reader,) = (t for t in threading.enumerate() if t.name == "arrivals")
        hang_up.set()
        reader.join(5)
        assert not reader.is_alive()


def test_a_file_is_read_where_it_is_decoded(video: Video, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("referee.vision.sources.video.Arrivals")
    path = video("pictures.mjpeg", [33 * i for i in range(10)])
    with open_source(str(path)) as source:
        assert [f.t_s for f in source] == pytest.approx([i / 25 for i in range(10)])
