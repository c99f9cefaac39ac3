"""Seconds from timestamps, when the timestamps are unusual."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.sources.stream_clock import StreamClock

MS = Fraction(1, 1000)


def read_all(stamps: list[int | None], fps: float = 50.0) -> tuple[list[float | None], StreamClock]:
    clock = StreamClock(MS, fps)
    return [clock.read(pts) for pts in stamps], clock


def test_times_are_what_the_stream_says() -> None:
    times, clock = read_all([700, 720, 733, 1700])
    assert times == pytest.approx([0.0, 0.02, 0.033, 1.0])
    assert clock.notes == ()


def test_frames_without_a_time_come_one_frame_after_the_one_before() -> None:
    times, clock = read_all([None, None, None])
    assert times == pytest.approx([0.0, 0.02, 0.04])
    assert clock.notes == (
        "frames without a time, each assumed to come 20.0 ms after the one before: 3",
    )


def test_a_missing_time_in_the_middle() -> None:
    times, _ = read_all([100, None, 160])
    assert times == pytest.approx([0.0, 0.02, 0.06])


def test_times_that_begin_after_frames_without_one_go_on_from_there() -> None:
    times, _ = read_all([None, 1000, 1020])
    assert times == pytest.approx([0.0, 0.02, 0.04])


@pytest.mark.parametrize("again", [140, 120])
def test_a_frame_that_is_not_later_is_left_out_and_that_is_said(again: int) -> None:
    times, clock = read_all([100, 140, again, 160])
    assert times == [0.0, pytest.approx(0.04), None, pytest.approx(0.06)]
    assert clock.notes == ("frames left out, because they came no later than the one before: 1",)


def test_a_clock_that_is_set_back_goes_on_one_frame_later() -> None:
    times, clock = read_all([90_000, 90_020, 0, 20, 40])
    assert times == pytest.approx([0.0, 0.02, 0.04, 0.06, 0.08])
    assert clock.notes == ("jumps back of the stream's clock, each made one frame forward: 1",)


@given(st.lists(st.one_of(st.none(), st.integers(0, 10**7)), min_size=1, max_size=60))
def test_time_always_goes_forward(stamps: list[int | None]) -> None:
    times, _ = read_all(stamps)
    kept = [t for t in times if t is not None]
    assert kept[0] == 0.0
    assert all(a < b for a, b in pairwise(kept))
