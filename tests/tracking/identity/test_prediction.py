"""Where coins can be a moment later, by the formulas of sliding and of elastic collisions, computed
by hand.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.geometry import distance, dot, subtract
from referee.domain.pieces import PieceSizes
from referee.tracking.identity.prediction import (
    Candidate,
    Motion,
    after_touch,
    candidate_places,
    first_touch_s,
    slid,
)

STILL = (0.0, 0.0)


def test_a_free_coin_stops_after_v_squared_over_two_a():
    # 1000 mm/s with 2000 mm/s2: half a second, 250 mm.
    end = slid(Motion((10.0, 20.0), (600.0, 800.0)), 3.0, 2000.0)
    assert end.at_mm == pytest.approx((10 + 0.6 * 250, 20 + 0.8 * 250))
    assert end.velocity_mm_s == pytest.approx(STILL, abs=1e-9)


def test_half_way_it_goes_half_as_fast_and_has_three_quarters_of_its_way():
    middle = slid(Motion((0.0, 0.0), (1000.0, 0.0)), 0.25, 2000.0)
    assert middle.at_mm == pytest.approx((187.5, 0.0)) and middle.velocity_mm_s == pytest.approx(
        (500.0, 0.0)
    )


@given(st.floats(-3000, 3000), st.floats(-3000, 3000), st.floats(0, 1), st.floats(0, 1))
def test_sliding_in_two_steps_is_sliding_at_once(vx, vy, first, second):
    start = Motion((0.0, 0.0), (vx, vy))
    once, twice = slid(start, first + second), slid(slid(start, first), second)
    assert once.at_mm == pytest.approx(twice.at_mm, abs=1e-5)


def test_what_stands_stays_and_time_does_not_run_back():
    still, moving = Motion((1.0, 2.0), STILL), Motion((1.0, 2.0), (100.0, 0.0))
    assert slid(still, 1.0) == still
    assert slid(moving, 0.0) == moving and slid(moving, -1.0) == moving


def test_rims_touch_when_the_gap_is_run_through():
    # Centres are 100 mm apart, coins 20 mm wide: 80 mm at 400 mm/s.
    assert first_touch_s(
        Motion((0.0, 0.0), (400.0, 0.0)), Motion((100.0, 0.0), STILL), 1.0, 20.0
    ) == pytest.approx(0.2)
    assert first_touch_s(
        Motion((0.0, 0.0), (300.0, 0.0)), Motion((100.0, 0.0), (-100.0, 0.0)), 1.0, 20.0
    ) == pytest.approx(0.2)
    # 12 mm to the side, they touch where the centres are 16 mm apart along the way (12, 16, 20).
    assert first_touch_s(
        Motion((0.0, 0.0), (420.0, 0.0)), Motion((100.0, 12.0), STILL), 1.0, 20.0
    ) == pytest.approx(0.2)


def test_coins_that_part_pass_or_come_too_late_do_not_touch():
    at_rest = Motion((100.0, 0.0), STILL)
    assert first_touch_s(Motion((0.0, 0.0), (-400.0, 0.0)), at_rest, 1.0, 20.0) is None
    assert first_touch_s(Motion((0.0, 20.5), (400.0, 0.0)), at_rest, 1.0, 20.0) is None
    assert first_touch_s(Motion((0.0, 0.0), (400.0, 0.0)), at_rest, 0.19, 20.0) is None
    assert first_touch_s(at_rest, Motion((0.0, 0.0), STILL), 1.0, 20.0) is None


def test_head_on_equal_coins_exchange_their_velocities():
    a, b = after_touch(Motion((0.0, 0.0), (500.0, 0.0)), Motion((20.0, 0.0), (-100.0, 0.0)))
    assert a.velocity_mm_s == pytest.approx((-100.0, 0.0)) and b.velocity_mm_s == pytest.approx(
        (500.0, 0.0)
    )


def test_obliquely_only_the_part_along_the_line_of_centres_is_given():
    # The line of centres is (0.6, 0.8). 500 along x has 300 along it, so the struck coin gets 300
    # (0.6, 0.8) = (180, 240).
    a, b = after_touch(Motion((0.0, 0.0), (500.0, 0.0)), Motion((12.0, 16.0), STILL))
    assert b.velocity_mm_s == pytest.approx((180.0, 240.0))
    assert a.velocity_mm_s == pytest.approx((320.0, -240.0))


@given(*[st.floats(-2000, 2000)] * 4, st.floats(0, 2 * math.pi))
def test_momentum_is_kept_and_the_closing_speed_is_turned_round(ax, ay, bx, by, angle):
    line = (math.cos(angle), math.sin(angle))
    a, b = after_touch(Motion((0.0, 0.0), (ax, ay)), Motion((20 * line[0], 20 * line[1]), (bx, by)))
    assert (
        a.velocity_mm_s[0] + b.velocity_mm_s[0],
        a.velocity_mm_s[1] + b.velocity_mm_s[1],
    ) == pytest.approx((ax + bx, ay + by), abs=1e-6)
    closing = dot((ax - bx, ay - by), line)
    assert dot(subtract(a.velocity_mm_s, b.velocity_mm_s), line) == pytest.approx(
        -closing, abs=1e-6
    )


def test_a_coin_alone_is_guessed_where_it_slides_to():
    (place,) = candidate_places(
        "suns", {"suns": Motion((0.0, 0.0), (600.0, 0.0))}, 0.1, PieceSizes(coin_mm=20.0)
    )
    assert place.at_mm == pytest.approx((60 - 0.5 * 2000 * 0.01, 0.0)) and place.penalty == 0.0


def each_candidate(coins: dict[str, Motion]) -> dict[str, list[Candidate]]:
    """Return the candidate places of each coin, 20 mm wide, a tenth of a second later."""
    return {coin: candidate_places(coin, coins, 0.1, PieceSizes(coin_mm=20.0)) for coin in coins}


def test_coins_that_may_meet_are_guessed_both_ways():
    # There are 60 mm between the rims at 1000 mm/s. Then the struck coin moves for the rest of the
    # tenth of a second.
    found = each_candidate(
        {"suns": Motion((0.0, 0.0), (1000.0, 0.0)), "moons": Motion((80.0, 0.0), STILL)}
    )
    assert len(found["suns"]) == len(found["moons"]) == 2
    assert found["moons"][0].at_mm == (80.0, 0.0)
    assert found["suns"][0].at_mm == pytest.approx((90.0, 0.0))  # 100 - 10: right through the other
    for struck, striker in zip(found["moons"][1:], found["suns"][1:], strict=True):
        assert struck.at_mm[0] > 100.0 and striker.at_mm[0] < 75.0
        assert (
            struck.penalty < found["moons"][0].penalty
            and striker.penalty < found["suns"][0].penalty
        )


def test_coins_that_may_just_miss_each_other_are_guessed_to_go_on():
    # They pass 19 mm to the side and are 20 mm wide. The way is not known to a millimetre, so going
    # on costs nothing.
    found = each_candidate(
        {"suns": Motion((0.0, 0.0), (1000.0, 0.0)), "moons": Motion((80.0, 19.0), STILL)}
    )
    assert found["suns"][0].penalty == found["moons"][0].penalty == 0.0
    assert len(found["suns"]) == 2


def test_coins_far_apart_are_guessed_alone():
    found = each_candidate(
        {"suns": Motion((0.0, 0.0), (500.0, 0.0)), "moons": Motion((400.0, 0.0), STILL)}
    )
    assert [len(g) for g in found.values()] == [1, 1]
    assert distance(found["moons"][0].at_mm, (400.0, 0.0)) == 0.0


def test_coins_in_one_place_are_left_as_they_are():
    a, b = Motion((0.0, 0.0), (10.0, 0.0)), Motion((0.0, 0.0), STILL)
    assert after_touch(a, b) == (a, b)
