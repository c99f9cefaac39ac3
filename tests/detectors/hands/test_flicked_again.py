"""A coin that moves, and moves again in the same flick: whether a hand flicked it twice."""

from dataclasses import replace

import pytest

from referee.detectors.hands.flick import flicks
from referee.domain.path import Held
from referee.domain.sighting import Sighting
from tests.detectors.scenes import FPS, episode, path, run, sure


def test_a_coin_that_came_to_rest_and_is_flicked_again_was_flicked_twice():
    """400 mm/s last 0.2 s. The slow motion of 10 mm/s in between comes from the fit."""
    first, again = run(0.1, (0.0, 0.0), (400.0, 0.0)), run(0.6, (40.0, 0.0), (0.0, 500.0))
    creeping = run(0.4, (40.0, 0.0), (10.0, 0.0))
    for runs in ((first, again), (first, creeping, again)):
        coin = path("moons", *runs)
        found = flicks(episode(coin, hands={"moons": (0.0, 0.9)}), (coin,))
        assert [f.t_s for f in found] == [0.1, 0.6] and all(sure(f) for f in found)


def test_a_sliding_coin_that_turns_was_not_flicked_again_unless_a_hand_took_it_meanwhile():
    out = run(0.1, (0.0, 0.0), (800.0, 0.0), end_s=0.2)
    aside = run(0.2, out.position(0.2), (0.0, 400.0))
    coin = path("moons", out, aside)
    assert [f.t_s for f in flicks(episode(coin, hands={"moons": (0.0, 0.9)}), (coin,))] == [0.1]
    caught = path("moons", out, run(0.4, (70.0, 10.0), (0.0, 400.0)), held=(Held(0.2, 0.4, True),))
    assert len(flicks(episode(caught, hands={"moons": (0.0, 0.9)}), (caught,))) == 2


@pytest.mark.parametrize(("speed", "certain"), [(400.0, False), (800.0, True)])
def test_a_slow_coin_that_a_hand_has_while_it_still_slides_was_perhaps_carried_all_the_way(
    speed, certain
):
    """Hands carry coins over the table at less than 500 mm/s. One sighting was clear of it."""
    coin = path(
        "moons", run(0.1, (0.0, 0.0), (speed, 0.0), end_s=0.2), held=(Held(0.2, 0.6, True),)
    )
    (flick,) = flicks(episode(coin, hands={"moons": (0.0, 0.15)}), (coin,))
    assert sure(flick) == certain


def test_a_coin_that_came_farther_than_friction_lets_one_that_stops_was_not_flicked_again():
    """It came 90 mm in 0.1 s, in which friction of 2 m/s2 stops only what came 10 mm. How fast it
    still was is not known.
    """
    out = replace(run(0.1, (0.0, 0.0), (1000.0, 0.0), end_s=0.2), sigma_mm_s=400.0)
    coin = path("moons", out, run(0.2, out.position(0.2), (300.0, 60.0)))
    found = flicks(episode(coin, hands={"moons": (0.0, 0.25)}), (coin,))
    assert [f.t_s for f in found] == [0.1]


@pytest.mark.parametrize(("met", "times"), [(("wicket-4-left",), [0.1]), ((), [0.1, 0.116])])
def test_a_coin_that_met_a_tile_had_not_stopped_however_badly_its_speed_is_known(met, times):
    """It came 19 mm within one frame, at 1200 mm/s give or take 1400, and slid off another way."""
    out = run(0.1, (0.0, 0.0), (1200.0, 0.0), end_s=0.116, sightings=1)
    vague = replace(out, sigma_mm=7.0, sigma_mm_s=1400.0)
    coin = path("moons", vague, run(0.116, out.position(0.116), (300.0, -700.0), met=met))
    found = flicks(episode(coin, hands={"moons": (0.0, 0.9)}), (coin,))
    assert [f.t_s for f in found] == times


@pytest.mark.parametrize(("seen_standing", "certain"), [(2, False), (3, True)])
def test_a_coin_that_turned_off_out_of_sight_was_perhaps_not_carried_and_flicked_from_there(
    seen_standing, certain
):
    """It is seen again 120 mm from where it lay, and slides back 98 mm: off a tile that it reached
    unseen, or flicked there by the hand that put it down, where it was seen standing.
    """
    coin = path(
        "moons",
        run(0.4, (120.0, 0.0), (-600.0, 180.0)),
        rest=(0.0, 0.0),
        held=(Held(0.3, 0.4, seen_with_hand=True),),
    )
    stood = (
        Sighting("moons", 23 - k, (23 - k) / FPS, (120.0, 0.0), 0.5) for k in range(seen_standing)
    )
    coin = replace(coin, sightings=tuple(stood))
    (flick,) = flicks(episode(coin, hands={"moons": (0.1, 0.45)}), (coin,))
    assert sure(flick) == certain


@pytest.mark.parametrize(("slide_extra_cost", "certain"), [(0.0, False), (12.0, True)])
def test_a_coin_that_slid_under_a_hand_and_out_again_was_perhaps_never_stopped(
    slide_extra_cost, certain
):
    """Costs that differ by 12 have odds of exp(6), which is 400 to 1."""
    out = run(0.1, (0.0, 0.0), (800.0, 0.0), end_s=0.4)  # it would slide until 0.5 s
    held = Held(0.4, 0.55, seen_with_hand=True, slide_extra_cost=slide_extra_cost)
    on = run(0.55, (170.0, 6.0), (700.0, 90.0))
    coin = path("moons", out, on, rest=(0.0, 0.0), held=(held,))
    first, again = flicks(episode(coin, hands={"moons": (0.0, 0.6)}), (coin,))
    assert sure(first) and sure(again) == certain
