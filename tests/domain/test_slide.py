"""The slide's equations compared with a slide computed by hand: 1000 mm/s, losing 2000 mm/s per
second.
"""

import numpy as np
import pytest

from referee.domain import slide

FAST_MM_S, SLOWING_MM_S2 = 1000.0, 2000.0


def test_it_stands_after_half_a_second_and_a_quarter_of_a_metre():
    assert slide.standing_after_s(FAST_MM_S, SLOWING_MM_S2) == 0.5
    assert slide.standing_after_mm(FAST_MM_S, SLOWING_MM_S2) == 250.0
    assert slide.speed_over_mm(250.0, SLOWING_MM_S2) == FAST_MM_S


@pytest.mark.parametrize(
    ("since_s", "way_mm", "left_mm_s"),
    [(-0.1, -110.0, 1200.0), (0.0, 0.0, 1000.0), (0.1, 90.0, 800.0), (0.3, 210.0, 400.0)],
)
def test_way_time_and_speed_agree(since_s: float, way_mm: float, left_mm_s: float):
    assert slide.way_mm(FAST_MM_S, SLOWING_MM_S2, since_s) == pytest.approx(way_mm)
    assert slide.speed_after_s(since_s, FAST_MM_S, SLOWING_MM_S2) == pytest.approx(left_mm_s)
    assert slide.speed_after_mm(way_mm, FAST_MM_S, SLOWING_MM_S2) == pytest.approx(left_mm_s)
    assert slide.time_over_s(way_mm, FAST_MM_S, SLOWING_MM_S2) == pytest.approx(since_s)
    if since_s > 0.0:
        first = slide.first_speed_mm_s(way_mm, since_s, SLOWING_MM_S2)
        assert first == pytest.approx(FAST_MM_S)


def test_the_way_is_worked_out_for_many_instants_at_once():
    way = slide.way_mm(FAST_MM_S, SLOWING_MM_S2, np.array([0.1, 0.3]))
    assert way == pytest.approx(np.array([90.0, 210.0]))


def test_it_goes_no_further_than_where_it_stands():
    assert slide.time_over_s(251.0, FAST_MM_S, SLOWING_MM_S2) == 0.5
    assert slide.speed_after_mm(251.0, FAST_MM_S, SLOWING_MM_S2) == 0.0
    assert slide.speed_after_s(0.6, FAST_MM_S, SLOWING_MM_S2) == 0.0


def test_a_body_at_rest_goes_nowhere():
    assert slide.standing_after_s(0.0, SLOWING_MM_S2) == 0.0
    assert slide.standing_after_mm(0.0, 0.0) == 0.0
    assert slide.time_over_s(10.0, 0.0, SLOWING_MM_S2) == 0.0


def test_without_friction_it_never_stands():
    assert slide.standing_after_s(FAST_MM_S, 0.0) == float("inf")
    assert slide.time_over_s(500.0, FAST_MM_S, 0.0) == 0.5


def test_what_an_equation_has_lost_beyond_the_stop_is_negative_also_for_many_instants_at_once():
    since_s = np.array([0.4, 0.5, 0.6])
    left_mm_s = slide.unstopped_mm_s(since_s, FAST_MM_S, SLOWING_MM_S2)
    assert left_mm_s == pytest.approx([200.0, 0.0, -200.0])
