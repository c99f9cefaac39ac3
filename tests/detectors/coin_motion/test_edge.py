"""Falls: over the edge and gone, stopping before it, and over a stretch that nobody can see."""

import math
from dataclasses import replace
from statistics import NormalDist

import pytest

from referee.detectors.coin_motion.edge import falls
from referee.domain.path import Held
from referee.domain.table_edge import exit_of, refereed
from tests.detectors.scenes import FPS, episode, gone, path, run, sure
from tests.tracking.slides import SLOWING, table_edge


def speed_for(way_mm: float) -> float:
    return math.sqrt(2 * SLOWING * way_mm)


AT_EDGE_S = 0.1 + (speed_for(160.0) - speed_for(60.0)) / SLOWING


def going_up(past_mm: float, seen_until_s: float = 0.25):
    """Return a coin that starts 100 mm from the far edge (y = 350) and would come `past_mm` beyond
    it.
    """
    return gone(
        path("suns", run(0.1, (30.0, 250.0), (0.0, speed_for(100.0 + past_mm)), end_s=seen_until_s))
    )


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
    (fall,) = falls(
        episode(coin, edge=table_edge(from_share=from_share, to_share=to_share)), (coin,)
    )
    assert fall.probability is not None and 0.05 < fall.probability <= 0.95


def test_a_coin_lost_under_a_hand_on_its_way_is_not_surely_off():
    coin = going_up(60.0, seen_until_s=0.12)
    (fall,) = falls(episode(coin, hands={"suns": (0.12, 0.5)}), (coin,))
    assert not sure(fall)


@pytest.mark.parametrize("sigmas", [-1.0, 0.0, 1.0])
def test_that_it_is_gone_leaves_a_tenth_of_the_doubt_about_the_edge(sigmas):
    """The coin comes so many standard uncertainties beyond the edge, and is seen to the end. The
    normal share gives the doubt, and 0.1 of it is left because the coin is gone.
    """
    upward = run(0.1, (30.0, 250.0), (0.0, speed_for(100.0)))
    past_mm = sigmas * math.hypot(
        upward.sigma_at(upward.stop_s), 0.5
    )  # the edge is known to 0.5 mm
    coin = gone(path("suns", run(0.1, (30.0, 250.0 + past_mm), (0.0, speed_for(100.0)))))
    (fall,) = falls(episode(coin), (coin,))
    assert fall.probability == pytest.approx(1.0 - 0.1 * NormalDist().cdf(-sigmas), abs=0.001)


@pytest.mark.parametrize("unseen", [False, True])
def test_where_nobody_searched_for_it_that_it_is_gone_leaves_all_the_doubt(unseen):
    """It would stop right at the edge: half of the doubt is about which side of it."""
    coin = gone(path("suns", run(0.1, (30.0, 250.0), (0.0, speed_for(100.0)))))
    seen = episode(coin)
    tracks = tuple(replace(track, may_lie_unseen=unseen) for track in seen.tracks)
    (fall,) = falls(replace(seen, tracks=tracks), (coin,))
    assert fall.probability == pytest.approx(0.5 if unseen else 0.95, abs=0.01)


def test_a_coin_that_went_over_and_was_put_back_has_left_the_table():
    over = run(0.1, (30.0, 250.0), (0.0, speed_for(160.0)), end_s=AT_EDGE_S)
    back = path("suns", over, after=(30.0, 340.0), held=(Held(AT_EDGE_S, 0.9, True),))
    (fall,) = falls(episode(back, hands={"suns": (0.6, 0.9)}), (back,))
    assert sure(fall)


@pytest.mark.parametrize(("hand_s", "certain"), [(((0.5, 0.9),), True), ((), False)])
def test_a_coin_on_the_table_again_that_no_hand_put_there_is_not_surely_off(hand_s, certain):
    """Another coin may have been taken for it as it was struck off the table."""
    over = run(0.1, (30.0, 250.0), (0.0, speed_for(160.0)), end_s=AT_EDGE_S)
    back = path("suns", over, after=(30.0, 320.0), held=(Held(AT_EDGE_S, 0.9, True),))
    scene = episode(back, hands={"suns": (0.6, 0.9)})
    tracks = tuple(replace(t, settled_s=0.8, hand_after_s=hand_s) for t in scene.tracks)
    (fall,) = falls(replace(scene, tracks=tracks), (back,))
    assert sure(fall) == certain


def test_a_coin_put_down_and_flicked_up_to_the_very_edge_lies_on_the_table():
    coin = path(
        "suns",
        run(0.1, (30.0, 250.0), (0.0, speed_for(100.2))),
        rest=(0.0, 0.0),
        held=(Held(0.0, 0.1, True),),
    )
    assert falls(episode(coin, hands={"suns": (0.0, 0.11)}), (coin,)) == []


@pytest.mark.parametrize(
    ("frames_before", "certain"), [(5.0, False), (3.5, False), (2.5, True), (0.0, True)]
)
def test_a_coin_lost_more_than_three_frames_before_the_edge_may_have_been_lost_for_another_reason(
    frames_before, certain
):
    coin = going_up(60.0, seen_until_s=AT_EDGE_S - frames_before / FPS)
    (fall,) = falls(episode(coin), (coin,))
    assert sure(fall) == certain


def test_a_hand_cannot_stop_a_coin_seen_two_frames_before_it_goes_over():
    coin = going_up(60.0, seen_until_s=AT_EDGE_S - 1.5 / FPS)
    (fall,) = falls(episode(coin, hands={"suns": (0.0, 0.9)}), (coin,))
    assert sure(fall)


def test_the_nearest_side_ahead_is_the_one_it_leaves_by():
    leave = exit_of(table_edge(), run(0.0, (550.0, 300.0), (1000.0, 400.0)))
    assert leave is not None
    assert leave.at_mm == pytest.approx((600.0, 320.0))
    assert refereed(leave.side, leave.at_mm)
    assert exit_of(table_edge(), run(0.0, (0.0, 0.0), (100.0, 0.0))) is None
