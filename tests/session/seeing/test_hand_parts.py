"""What was followed in place of a coin, and is not a coin once nothing moves."""

from __future__ import annotations

import pytest

from referee.domain.episode import Rest
from referee.domain.geometry import Point, distance
from referee.domain.sighting import Sighting
from referee.session.seeing.hand_parts import lose_hands
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.coins.coin_search import lay_floor, places_like_coins
from referee.vision.coins.rim_fit import RimFit
from tests.vision.drawn import COIN, SIZES, Scenery, course, looking, table

LAY, LIES = Rest((16.0, -255.0), 0.1), Rest((25.0, -406.0), 1.6)


def nothing_there(coin: str, at_mm: Point) -> RimFit | None:
    return None


@pytest.mark.parametrize(
    ("seen_at", "beside_hand", "changed", "state"),
    [
        ([LIES.at_mm, LIES.at_mm], [], True, State.HIDDEN),  # where a hand was in the background
        # a shadow's corner, within its errors at one place
        ([(24.0, -403.5), LIES.at_mm], [], True, State.HIDDEN),
        ([(23.0, -380.0), LIES.at_mm], [], True, State.REST),  # it slid there, and its rim is faint
        ([(23.0, -380.0), LIES.at_mm], [0, 1], True, State.HIDDEN),  # a part of a hand
        ([(23.0, -380.0), LIES.at_mm], [0], True, State.HIDDEN),  # half of the time at a hand
        ([(23.0, -380.0), LIES.at_mm], [], False, State.HIDDEN),  # the table is as bare as before
    ],
)
def test_without_a_rim_a_coin_lies_only_where_it_was_seen_to_slide_clear_of_a_hand(
    seen_at: list[Point], beside_hand: list[int], changed: bool, state: State
) -> None:
    sightings = [Sighting("moons", k, k / 30, at, 1.6) for k, at in enumerate(seen_at)]
    coin = TrackedCoin("moons", State.REST, LIES, LAY, sightings, beside_hand=set(beside_hand))
    lose_hands([coin], frozenset(), nothing_there, lambda at_mm: changed)
    assert coin.state is state
    assert bool(coin.sightings) == (state is State.REST)


def test_a_coin_that_was_only_seen_lying_lies_where_its_rim_is() -> None:
    sightings = [Sighting("moons", k, k / 30, LIES.at_mm, 1.6) for k in range(3)]
    coin = TrackedCoin("moons", State.REST, LIES, LAY, sightings)
    rim = RimFit((27.0, -405.0), 0.2, 0.9)
    lose_hands([coin], frozenset(), lambda name, at_mm: rim, lambda at_mm: True)
    assert coin.rest == Rest((27.0, -405.0), 0.2)


def test_only_coins_pushed_by_less_than_half_their_width_are_places_near_where_one_lay() -> None:
    """One coin was pushed by 7 mm, another one carried 30 mm away."""
    view, lies = looking(20.0), ((-60.0, 20.0), (10.0, 45.0))
    picture = Scenery(view, tuple((at, COIN) for at in lies), noise=2.0).picture()
    floor = lay_floor(view, SIZES, table(view).edge_mm, course())

    def near(at_mm: Point) -> list[Point]:
        return places_like_coins(picture, floor, at_mm, SIZES.coin_mm / 2, SIZES)

    (pushed,) = near((-65.0, 15.0))
    assert distance(pushed, lies[0]) < 2.0
    assert near((10.0, 15.0)) == []
