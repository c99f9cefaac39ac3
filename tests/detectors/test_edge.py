"""Falls: over the edge and gone; short of it; over a stretch nobody can see."""

import math

import pytest

from referee.detectors.edge import falls
from referee.edge import exit_of, refereed
from tests.detectors.scenes import episode, gone, path, run, sure
from tests.tracking.slides import SLOWING, table_edge


def speed_for(way_mm: float) -> float:
    return math.sqrt(2 * SLOWING * way_mm)


def going_up(past_mm: float, seen_until_s: float = 0.25):
    """A coin that starts 100 mm from the far edge (y = 350) and would come `past_mm` past it."""
    return gone(path("suns", run(0.1, (30.0, 250.0), (0.0, speed_for(100.0 + past_mm)), end_s=seen_until_s)))


def test_a_coin_that_slides_over_the_edge_and_is_gone_has_left_the_table():
    coin = going_up(60.0)
    (fall,) = falls(episode(coin), (coin,))
    assert sure(fall)
    assert fall.at_mm == pytest.approx((30.0, 350.0), abs=0.01)
    assert fall.margin_mm == pytest.approx(60.0, abs=0.1)
    assert fall.t_s == pytest.approx(0.1 + (speed_for(160.0) - speed_for(60.0)) / SLOWING, abs=1e-4)


def test_a_coin_that_lies_on_the_table_has_not_left_it():
    coin = path("suns", run(0.1, (30.0, 250.0), (0.0, speed_for(99.0))))
    assert falls(episode(coin), (coin,)) == []


def test_a_coin_that_vanished_long_before_the_edge_is_not_surely_off():
    coin = going_up(-0.5, seen_until_s=0.15)
    found = falls(episode(coin), (coin,))
    assert all(not sure(f) for f in found)


def test_a_coin_that_is_gone_far_from_any_edge_did_not_fall():
    coin = gone(path("suns", run(0.1, (0.0, 0.0), (500.0, 0.0), end_s=0.2)))
    assert falls(episode(coin), (coin,)) == []


@pytest.mark.parametrize(("from_share", "to_share"), [(0.0, 0.0), (0.6, 1.0)])
def test_an_edge_that_cannot_be_refereed_gives_no_certain_fall(from_share, to_share):
    coin = going_up(60.0)
    (fall,) = falls(episode(coin, edge=table_edge(from_share=from_share, to_share=to_share)), (coin,))
    assert fall.probability is not None and 0.05 < fall.probability <= 0.95


def test_a_coin_lost_under_a_hand_on_its_way_is_not_surely_off():
    coin = going_up(60.0, seen_until_s=0.12)
    (fall,) = falls(episode(coin, hands={"suns": (0.12, 0.5)}), (coin,))
    assert not sure(fall)


def test_the_nearest_side_ahead_is_the_one_it_leaves_by():
    leave = exit_of(table_edge(), run(0.0, (550.0, 300.0), (1000.0, 400.0)))
    assert leave is not None
    assert leave.at_mm == pytest.approx((600.0, 320.0))
    assert refereed(leave.side, leave.at_mm)
    assert exit_of(table_edge(), run(0.0, (0.0, 0.0), (100.0, 0.0))) is None
