"""Flicks: which coin a hand set going, and which coins it touched just before."""

from referee.detectors.flick import flicks
from referee.detectors.placement import placements
from referee.path import Held
from tests.detectors.scenes import episode, lying, path, run, sure
from tests.tracking.slides import COIN_MM


def test_the_coin_that_slid_off_with_a_hand_at_it_was_flicked():
    coin = path("moons", run(0.3, (0.0, 0.0), (800.0, 0.0)))
    (flick,) = flicks(episode(coin, hands={"moons": (0.1, 0.31)}), (coin,))
    assert (flick.coin, flick.t_s, flick.touching, flick.probability) == ("moons", 0.3, (), None)


def test_a_coin_set_going_by_another_was_not_flicked():
    striker = path("moons", run(0.2, (-100.0, 0.0), (800.0, 0.0), end_s=0.32), run(0.32, (-18.4, 0.0), (40.0, 0.0), met=("suns",)))
    struck = path("suns", run(0.32, (1.6, 0.0), (520.0, 0.0), met=("moons",)))
    assert [f.coin for f in flicks(episode(striker, struck, hands={"moons": (0.1, 0.21)}), (striker, struck))] == ["moons"]


def test_of_two_touching_coins_the_one_that_does_not_leave_along_the_line_of_centres_was_flicked():
    flicked = path("arms", run(0.3, (0.0, 0.0), (300.0, -500.0), met=("2",)))
    pushed = path("2", run(0.3, (COIN_MM, 0.0), (600.0, 0.0), met=("arms",)))
    (flick,) = flicks(episode(flicked, pushed), (flicked, pushed))
    assert (flick.coin, flick.touching) == ("arms", ("2",))


def test_touching_is_judged_to_two_sigma_and_half_a_millimetre():
    coin = path("moons", run(0.3, (0.0, 0.0), (0.0, 800.0)))
    beside, apart = lying("suns", (COIN_MM + 0.6, 0.0)), lying("arms", (-COIN_MM - 1.2, 0.0))
    (flick,) = flicks(episode(coin, beside, apart), (coin, beside, apart))
    assert flick.touching == ("suns",)


def test_without_any_hand_a_flick_is_not_certain():
    coin = path("moons", run(0.3, (0.0, 0.0), (800.0, 0.0)))
    (flick,) = flicks(episode(coin), (coin,))
    assert not sure(flick)


def test_a_second_coin_that_sets_off_without_a_hand_is_asked_about():
    first, second = path("moons", run(0.2, (0.0, 0.0), (800.0, 0.0))), path("suns", run(0.4, (0.0, 200.0), (300.0, 0.0)))
    found = flicks(episode(first, second, hands={"moons": (0.1, 0.21)}), (first, second))
    assert [(f.coin, sure(f)) for f in found] == [("moons", True), ("suns", False)]


def test_a_coin_only_touched_was_not_flicked():
    nudged = path("moons", run(0.3, (0.0, 0.0), (80.0, 0.0)))  # 80 mm/s carry it 1.6 mm
    assert flicks(episode(nudged, hands={"moons": (0.1, 0.4)}), (nudged,)) == []


def test_a_coin_that_came_out_from_under_the_hand_began_before_it_was_seen():
    coin = path("moons", run(0.4, (50.0, 0.0), (800.0, 0.0)), rest=(0.0, 0.0), held=(Held(0.1, 0.4, True),))
    (flick,) = flicks(episode(coin, hands={"moons": (0.05, 0.39)}), (coin,))
    assert flick.t_s is not None
    assert abs(flick.t_s - (0.4 - 50.0 / 800.0)) < 0.01


def test_a_coin_that_sets_off_at_once_after_a_flick_was_struck_rather_than_flicked():
    # 15 ms apart: no hand flicks twice so soon, though it is seen at both coins.
    first, second = path("moons", run(0.2, (0.0, 0.0), (800.0, 0.0))), path("suns", run(0.215, (30.0, 0.0), (600.0, 0.0)))
    found = flicks(episode(first, second, hands={"moons": (0.1, 0.3), "suns": (0.1, 0.3)}), (first, second))
    assert [(f.coin, sure(f)) for f in found] == [("moons", True), ("suns", False)]


def test_a_coin_that_sets_off_beside_one_the_hand_hides_may_have_been_struck_by_it():
    hidden = path("moons", rest=(0.0, 0.0), after=(30.0, 10.0), held=(Held(0.1, 0.7, True),))
    beside, apart = path("suns", run(0.4, (30.0, 0.0), (900.0, 0.0))), path("suns", run(0.4, (300.0, 0.0), (900.0, 0.0)))
    for coin, certain in ((beside, False), (apart, True)):
        found = flicks(episode(hidden, coin, hands={"moons": (0.1, 0.7), "suns": (0.1, 0.45)}), (hidden, coin))
        assert [(f.coin, sure(f)) for f in found] == [("suns", certain)]
        (placed,) = placements(episode(hidden, coin, hands={"moons": (0.1, 0.7), "suns": (0.1, 0.45)}), (hidden, coin), [])
        assert sure(placed) == certain
