"""Times of pictures that come without timestamps."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from referee.vision.sources.arrival_clock import ArrivalClock


def placed(arrivals: list[float]) -> list[float]:
    clock = ArrivalClock()
    return [clock.place(a) for a in arrivals]


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_scattered_arrivals_come_to_a_steady_rate(fps: float) -> None:
    scatter = np.random.default_rng(5).exponential(0.015, 600)
    times = np.array(placed([7.0 + i / fps + s for i, s in enumerate(scatter)]))
    steps = np.diff(times[200:])
    assert steps == pytest.approx(np.full(399, 1 / fps), abs=0.2 / fps)
    assert np.std(steps) < 0.05 / fps
    assert (times[-1] - times[200]) == pytest.approx(399 / fps, rel=0.005)
    # The earliest pictures come when they are taken.
    assert times[300:] == pytest.approx(7.0 + np.arange(300, 600) / fps, abs=0.004)


@pytest.mark.parametrize("held_up_at", [10, 40, 200])
def test_pictures_that_a_network_held_up_do_not_move_the_others(held_up_at: int) -> None:
    # For 0.3 s nothing comes. Then a picture comes every 12 ms until all have come, and none waits
    # for the reader.
    arrivals = [7.0 + i / 30 for i in range(300)]
    for i in range(held_up_at, held_up_at + 14):
        arrivals[i] = max(
            arrivals[i],
            arrivals[held_up_at] + (0.3 if i == held_up_at else 0.012 * (i - held_up_at)),
        )
    clock, listened = ArrivalClock(), [(a, False) for a in arrivals]
    assert clock.learn(listened[:60])
    assert [clock.place(a) for a in arrivals] == pytest.approx(
        [7.0 + i / 30 for i in range(300)], abs=0.002
    )


def test_what_was_learnt_holds_from_the_first_picture_on_and_too_little_teaches_nothing() -> None:
    clock = ArrivalClock()
    arrivals = [7.0 + i / 30 for i in range(40)]
    assert not clock.learn([(a, False) for a in arrivals[:20]])
    assert not clock.learn([(a, True) for a in arrivals])
    assert clock.learn([(a, False) for a in arrivals])
    assert [clock.place(a) for a in arrivals] == pytest.approx(arrivals, abs=1e-6)


def test_steps_stay_even_while_a_reader_catches_up() -> None:
    clock = ArrivalClock()
    # The reader sleeps for a second at the sixtieth picture. Then it reads what has come meanwhile,
    # a picture every 5 ms.
    read_s, times = 0.0, []
    for i in range(400):
        due_s = i / 30
        read_s = max(due_s, read_s + 0.005) + (1.0 if i == 60 else 0.0)
        times.append(clock.place(read_s, lay_ready=due_s < read_s))
    assert np.diff(times)[40:] == pytest.approx(np.full(359, 1 / 30), rel=0.25)
    assert times[-1] == pytest.approx(399 / 30, abs=0.06)


def test_a_reader_that_never_waits_still_goes_on_with_time() -> None:
    clock = ArrivalClock()
    times = [clock.place(i / 20, lay_ready=i > 0) for i in range(900)]
    assert times[899] - times[500] == pytest.approx(399 / 20, rel=0.02)
    assert times[899] == pytest.approx(899 / 20, abs=1.0)


def test_a_source_that_stood_still_is_not_smeared_over_what_follows() -> None:
    times = placed([i / 30 for i in range(200)] + [100 + i / 30 for i in range(200)])
    assert times[200] == pytest.approx(100.0, abs=1e-6)
    assert times[399] == pytest.approx(100 + 199 / 30, abs=0.1)


def test_times_always_go_on() -> None:
    arrivals = np.sort(np.random.default_rng(6).uniform(0, 3, 300))
    assert all(b > a for a, b in pairwise(placed([0.0, 0.0, *arrivals])))


def test_a_backlog_after_a_long_stall_is_placed_where_it_was_taken() -> None:
    """For two seconds nothing comes, then all sixty pictures at once, then one every thirtieth of a
    second as before. The clock listens to one picture of the backlog, and moves by a fifth of a
    step.
    """
    clock, taken = ArrivalClock(), [7.0 + i / 30 for i in range(300)]
    arrived = [max(t, 12.0) if 10.0 <= t < 12.0 else t for t in taken]
    assert clock.learn([(a, False) for a in arrived[:60]])
    times = []
    for i, a in enumerate(arrived):
        ready = i > 0 and arrived[i - 1] == a
        within_s = clock.backlog_after_s(a, lay_ready=ready)
        assert (within_s is not None) == (i == 90)
        backlog = within_s is not None and arrived[i + 1] - a < within_s
        times.append(clock.place(a, lay_ready=ready, backlog=backlog))
    assert times == pytest.approx(taken, abs=0.2 / 30 + 1e-6)
