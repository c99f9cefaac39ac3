"""The end of an episode, and what could not be seen in it."""

import pytest

from referee.detectors.rest import rest_after
from referee.detectors.unseen import unseen_stretches
from referee.incident import LeftTable
from referee.path import Held, Path
from tests.detectors.scenes import episode, gone, lying, path, run


def test_at_rest_comes_after_the_last_motion_with_every_coin_on_the_table():
    coin, still = path("moons", run(0.1, (0.0, 0.0), (800.0, 0.0))), lying("suns", (10.0, 90.0))
    rest = rest_after(episode(coin, still), (coin, still), [])
    assert rest is not None and rest.t_s is not None
    assert 0.5 < rest.t_s < 0.53  # 800 mm/s at 2000 mm/s2 last 0.4 s
    assert rest.coins == {"moons": pytest.approx((160.0, 0.0)), "suns": (10.0, 90.0)}


def test_nothing_happened_nothing_said():
    still = lying("suns", (10.0, 90.0))
    assert rest_after(episode(still), (still,), []) is None


def test_a_coin_off_the_table_is_not_at_rest_on_it():
    coin = gone(path("moons", run(0.1, (0.0, 300.0), (0.0, 900.0), end_s=0.16)))
    rest = rest_after(episode(coin), (coin,), [])
    assert rest is not None and rest.coins == {}


def test_a_coin_gone_without_a_reason_is_unseen():
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, None, 0.3)
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert unseen.pieces == ("moons",)
    assert unseen_stretches(episode(coin), (coin,), [LeftTable(coin="moons", at_mm=(0.0, 0.0))]) == []


def test_a_coin_elsewhere_without_hand_or_slide_is_unseen():
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, (30.0, 0.0), 0.1, (Held(0.2, 0.6, False),))
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert (unseen.from_s, unseen.to_s) == (0.2, 0.6)


def test_a_hand_over_a_coin_that_is_then_where_it_was_is_nothing_to_report():
    coin = lying("moons", (0.0, 0.0))
    assert unseen_stretches(episode(coin, hands={"moons": (0.1, 0.8)}, hidden={"moons": (0.1, 0.8)}), (coin,), []) == []


def test_a_slide_that_rests_on_next_to_nothing_is_unseen():
    coin = path("moons", run(0.1, (0.0, 0.0), (800.0, 0.0), sigma_mm=60.0))
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert unseen.from_s == pytest.approx(0.1)
