"""Coins that hands moved, put down and took off."""

from dataclasses import replace

import pytest

from referee.detectors.placement import placements
from referee.incident import LeftTable
from referee.path import Held, Path
from referee.sighting import Sighting
from tests.detectors.scenes import episode, gone, lying, path, run, sure

HELD = (Held(0.2, 0.7, True),)


def carried(*seen: Sighting) -> Path:
    return Path("moons", (), seen, (0.0, 0.0), 0.1, (80.0, 10.0), 0.1, HELD)


def test_a_carried_coin_is_placed_where_it_lies():
    coin = carried()
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert placed.at_mm == pytest.approx((80.0, 10.0))
    assert sure(placed)
    assert placed.t_s == pytest.approx(0.7 - 0.28, abs=0.03)  # the hand is gone 0.25 to 0.35 s after it put the coin down


def test_it_was_put_down_when_it_was_first_seen_lying_there():
    seen = [Sighting("moons", k, k / 60, (80.0, 10.0), 0.3) for k in range(33, 50)]
    moving = [Sighting("moons", k, k / 60, (80.0 - (33 - k) * 4.0, 10.0), 0.5) for k in range(20, 33)]
    coin = carried(*moving, *seen)
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert placed.t_s == pytest.approx(33 / 60)


@pytest.mark.parametrize(("moved_mm", "given"), [(0.5, False), (1.5, True), (6.0, True)])
def test_a_coin_that_a_hand_hardly_stirred_was_not_placed(moved_mm, given):
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, (moved_mm, 0.0), 0.1, HELD)
    found = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert bool(found) == given
    assert all(sure(p) == (moved_mm > 2.0) for p in found)


@pytest.mark.parametrize(("covered_s", "certain"), [(None, True), (0.4, True), (0.03, False)])
def test_a_coin_that_lies_where_no_hand_came_may_have_been_flicked_unseen(covered_s, certain):
    coin = carried()
    scene = episode(coin, hands={"moons": (0.2, 0.7)})
    seen = replace(scene, tracks=tuple(replace(t, covered_s=covered_s) for t in scene.tracks))
    (placed,) = placements(seen, (coin,), [])
    assert sure(placed) == certain


def test_a_coin_newly_on_the_table_was_placed():
    coin = Path("moons", (), (), None, 0.3, (80.0, 10.0), 0.1)
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.5)}), (coin,), [])
    assert placed.at_mm == pytest.approx((80.0, 10.0))


def test_a_coin_taken_off_for_good_has_no_place():
    coin = gone(Path("moons", (), (), (0.0, 0.0), 0.1, None, 0.3, HELD))
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert placed.at_mm is None and sure(placed)


def test_a_coin_gone_from_the_very_edge_may_have_been_flicked_off_unseen():
    coin = Path("moons", (), (), (590.0, 0.0), 0.1, None, 0.3, HELD)
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert not sure(placed)


def test_a_fallen_coin_put_back_in_the_same_episode_was_placed_wherever_it_lies():
    coin = path("moons", run(0.1, (0.0, 340.0), (0.0, 500.0), end_s=0.12), after=(0.0, 341.0), held=(Held(0.3, 0.9, True),))
    fall = LeftTable(coin="moons", at_mm=(0.0, 350.0), t_s=0.12)
    (placed,) = placements(episode(coin, hands={"moons": (0.4, 0.8)}), (coin,), [fall])
    assert placed.at_mm == pytest.approx((0.0, 341.0)) and sure(placed)


def test_a_flicked_coin_and_one_that_lies_still_were_not_placed():
    flicked = path("moons", run(0.4, (50.0, 0.0), (800.0, 0.0)), rest=(0.0, 0.0), held=(Held(0.1, 0.4, True),))
    still = lying("suns", (0.0, 100.0))
    assert placements(episode(flicked, still, hands={"moons": (0.1, 0.4), "suns": (0.1, 0.4)}), (flicked, still), []) == []


@pytest.mark.parametrize(("from_edge_mm", "certain"), [(30.0, False), (150.0, True)])
def test_a_coin_taken_away_may_only_have_been_flicked_off_unseen_right_at_the_edge(from_edge_mm, certain):
    """At 60 frames a second and 2.5 m/s a flicked coin comes some 60 mm far between two sights of it; the far edge lies at y = 350 mm."""
    coin = gone(Path("moons", (), (), (0.0, 350.0 - from_edge_mm), 0.1, None, 0.3, HELD))
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert placed.at_mm is None and sure(placed) == certain
