"""Whether a coin that started slowly may have been carried all the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.detectors.hands.flick import flicks
from referee.domain.sighting import Sighting
from tests.detectors.scenes import FPS, episode, path, run, sure


@pytest.mark.parametrize(
    ("speed_mm_s", "hand_until_s", "probability"),
    # 300 mm in a second is 562 mm/s at the fastest
    [(240.0, 0.5, 0.5), (240.0, 0.2, None), (550.0, 0.5, 0.5), (900.0, 0.5, None)],
)
def test_a_slow_coin_never_seen_clear_of_the_hand_may_have_been_carried(
    speed_mm_s, hand_until_s, probability
):
    slow = run(0.1, (0.0, 0.0), (speed_mm_s, 0.0))
    seen = tuple(
        Sighting("suns", k, k / 60, slow.position(k / 60), 1.5) for k in range(7, 19)
    )  # up to 0.3 s
    coin = replace(path("suns", slow), sightings=seen)
    (found,) = flicks(episode(coin, hands={"suns": (0.0, hand_until_s)}), (coin,))
    assert found.probability == probability


@pytest.mark.parametrize(("left_s", "certain"), [(0.55, False), (0.35, True)])
def test_a_slow_coin_seen_in_motion_only_beside_a_hand_may_have_been_carried(left_s, certain):
    """It slides from 0.3 to 0.5 s. Sightings at rest after the hand has left say nothing."""
    slid = run(0.3, (0.0, 0.0), (400.0, 0.0), end_s=0.5)
    seen = tuple(
        Sighting("moons", k, k / FPS, slid.position(min(k / FPS, 0.5)), 0.3) for k in range(19, 42)
    )
    coin = replace(path("moons", slid), sightings=seen)
    (flick,) = flicks(episode(coin, hands={"moons": (0.2, left_s)}), (coin,))
    assert sure(flick) == certain


@pytest.mark.parametrize(("tile", "certain"), [("wicket-1-left", True), ("suns", False)])
def test_a_slow_coin_that_comes_off_a_tile_clear_of_the_hand_was_not_carried(tile, certain):
    """It leaves the hand at 0.35 s, having met the tile at 0.3 s. From a coin it may have bounced
    off without having slid there.
    """
    to = run(0.2, (0.0, 0.0), (400.0, 0.0), end_s=0.3)
    back = replace(run(0.3, (30.0, 0.0), (-300.0, 0.0)), met=(tile,))
    seen = tuple(
        Sighting("moons", k, k / FPS, (to if k / FPS < 0.3 else back).position(k / FPS), 0.3)
        for k in range(13, 26)
    )
    coin = replace(path("moons", to, back), sightings=seen)
    (flick,) = flicks(episode(coin, hands={"moons": (0.1, 0.35)}), (coin,))
    assert sure(flick) == certain
