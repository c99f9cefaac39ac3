"""Flicks: which coin a hand set in motion, and which coins it touched just before."""

from dataclasses import replace

import pytest

from referee.detectors.hands.flick import flicks
from referee.detectors.hands.placement import placements
from referee.domain.path import Held
from referee.domain.sighting import Sighting
from tests.detectors.scenes import FPS, episode, gone, lying, path, run, sure
from tests.tracking.slides import COIN_MM

CARRIED = 12.0  # by so much a slide costs more: the coin was hidden (4) and went with the hand (8)


def test_the_coin_that_slid_off_with_a_hand_at_it_was_flicked():
    coin = path("moons", run(0.3, (0.0, 0.0), (800.0, 0.0)))
    (flick,) = flicks(episode(coin, hands={"moons": (0.1, 0.31)}), (coin,))
    assert (flick.coin, flick.t_s, flick.touching, flick.probability) == ("moons", 0.3, (), None)


def test_a_coin_set_going_by_another_was_not_flicked():
    striker = path(
        "moons",
        run(0.2, (-100.0, 0.0), (800.0, 0.0), end_s=0.32),
        run(0.32, (-18.4, 0.0), (40.0, 0.0), met=("suns",)),
    )
    struck = path("suns", run(0.32, (1.6, 0.0), (520.0, 0.0), met=("moons",)))
    assert [
        f.coin
        for f in flicks(episode(striker, struck, hands={"moons": (0.1, 0.21)}), (striker, struck))
    ] == ["moons"]


def test_a_coin_that_sets_off_while_a_hand_has_another_one_may_have_been_struck_by_that_one():
    """The striker is out of sight for 80 ms and 150 mm, and comes off the coin that sets off."""
    striker = path(
        "moons",
        run(0.3, (-18.0, 8.0), (0.0, 900.0)),
        rest=(-150.0, 0.0),
        held=(Held(0.22, 0.3, seen_with_hand=True),),
    )
    struck = path("suns", run(0.29, (0.0, 0.0), (1200.0, 0.0)))
    found = flicks(episode(striker, struck, hands={"moons": (0.1, 0.3)}), (striker, struck))
    assert not any(sure(flick) for flick in found)


@pytest.mark.parametrize("velocity", [(300.0, -500.0), (-200.0, -550.0)])
def test_of_two_touching_coins_the_one_that_does_not_leave_along_the_line_of_centres_was_flicked(
    velocity,
):
    flicked = path("arms", run(0.3, (0.0, 0.0), velocity, met=("2",)))
    pushed = path("2", run(0.3, (COIN_MM, 0.0), (600.0, 0.0), met=("arms",)))
    for paths in ((flicked, pushed), (pushed, flicked)):
        (flick,) = flicks(episode(*paths), paths)
        assert (flick.coin, flick.touching) == ("arms", ("2",))


def test_touching_is_judged_to_three_sigmas_of_places_and_sizes():
    coin = path("moons", run(0.3, (0.0, 0.0), (0.0, 800.0)))
    beside, apart = lying("suns", (COIN_MM + 0.6, 0.0)), lying("arms", (-COIN_MM - 1.2, 0.0))
    (flick,) = flicks(episode(coin, beside, apart), (coin, beside, apart))
    assert flick.touching == ("suns",)


def test_without_any_hand_a_flick_is_not_certain():
    coin = path("moons", run(0.3, (0.0, 0.0), (800.0, 0.0)))
    (flick,) = flicks(episode(coin), (coin,))
    assert not sure(flick)


def test_a_second_coin_that_sets_off_without_a_hand_is_asked_about():
    first, second = (
        path("moons", run(0.2, (0.0, 0.0), (800.0, 0.0))),
        path("suns", run(0.4, (0.0, 200.0), (300.0, 0.0))),
    )
    for paths in ((first, second), (second, first)):
        found = flicks(episode(*paths, hands={"moons": (0.1, 0.21)}), paths)
        assert [(f.coin, sure(f)) for f in found] == [("moons", True), ("suns", False)]


def test_a_coin_only_touched_was_not_flicked():
    nudged = path("moons", run(0.3, (0.0, 0.0), (80.0, 0.0)))  # 80 mm/s carry it 1.6 mm
    assert flicks(episode(nudged, hands={"moons": (0.1, 0.4)}), (nudged,)) == []


def test_a_coin_that_came_out_from_under_the_hand_began_before_it_was_seen():
    coin = path(
        "moons", run(0.4, (50.0, 0.0), (800.0, 0.0)), rest=(0.0, 0.0), held=(Held(0.1, 0.4, True),)
    )
    (flick,) = flicks(episode(coin, hands={"moons": (0.05, 0.39)}), (coin,))
    assert flick.t_s == pytest.approx(0.4 - 50.0 / 800.0) and sure(flick)


@pytest.mark.parametrize(("slid_on_mm_s", "certain"), [(150.0, False), (800.0, True)])
def test_a_coin_that_hardly_slides_on_as_its_hand_leaves_may_have_been_flicked_before(
    slid_on_mm_s, certain
):
    """It lay 30 mm beside where the hand uncovers it, and slides on by 6 or by 213 mm."""
    slid, held = run(0.4, (30.0, 0.0), (slid_on_mm_s, 0.0)), (Held(0.1, 0.4, True),)
    coin = path("suns", slid, rest=(0.0, 0.0), held=held)
    (flick,) = flicks(episode(coin, hands={"suns": (0.05, 0.39)}), (coin,))
    assert sure(flick) == certain


def test_a_coin_carried_elsewhere_was_put_there_and_flicked_from_there():
    # It lay at (0, 0), comes out from under the hand 100 mm farther up, and slides to the right:
    # not straight on from where it lay. Nobody saw it put down.
    slid, held = run(0.6, (0.0, 100.0), (800.0, 0.0)), (Held(0.1, 0.6, True),)
    coin = path("moons", slid, rest=(0.0, 0.0), held=held)
    scene = episode(coin, hands={"moons": (0.05, 0.6)})
    (flick,) = flicks(scene, (coin,))
    assert flick.t_s == pytest.approx(0.6) and sure(flick)
    (placed,) = placements(scene, (coin,), [])
    assert placed.at_mm == (0.0, 100.0) and placed.probability == pytest.approx(0.5)
    assert placed.t_s is not None and 0.1 < placed.t_s < 0.6


def test_a_coin_that_sets_off_at_once_after_a_flick_was_struck_rather_than_flicked():
    # They are 15 ms apart. No hand flicks twice so soon, though it is seen at both coins.
    first, second = (
        path("moons", run(0.2, (0.0, 0.0), (800.0, 0.0))),
        path("suns", run(0.215, (30.0, 0.0), (600.0, 0.0))),
    )
    found = flicks(
        episode(first, second, hands={"moons": (0.1, 0.3), "suns": (0.1, 0.3)}), (first, second)
    )
    assert [(f.coin, sure(f)) for f in found] == [("moons", True), ("suns", False)]


def test_a_coin_that_sets_off_beside_one_the_hand_hides_may_have_been_struck_by_it():
    hidden = path("moons", rest=(0.0, 0.0), after=(30.0, 10.0), held=(Held(0.1, 0.7, True, 12.0),))
    beside, apart = (
        path("suns", run(0.4, (30.0, 0.0), (900.0, 0.0))),
        path("suns", run(0.4, (300.0, 0.0), (900.0, 0.0))),
    )
    for coin, certain in ((beside, False), (apart, True)):
        found = flicks(
            episode(hidden, coin, hands={"moons": (0.1, 0.7), "suns": (0.1, 0.45)}), (hidden, coin)
        )
        assert {f.coin: sure(f) for f in found}["suns"] == certain
        (placed,) = placements(
            episode(hidden, coin, hands={"moons": (0.1, 0.7), "suns": (0.1, 0.45)}),
            (hidden, coin),
            [],
        )
        assert sure(placed) == certain


def test_nor_is_it_sure_which_of_two_was_flicked_that_both_slid_from_under_the_hand():
    first, held = path("suns", run(0.4, (30.0, 0.0), (900.0, 0.0))), (Held(0.1, 0.5, True),)
    second = path("moons", run(0.5, (0.0, 30.0), (0.0, 700.0)), rest=(0.0, 0.0), held=held)
    found = flicks(
        episode(first, second, hands={"moons": (0.1, 0.5), "suns": (0.1, 0.45)}), (first, second)
    )
    assert {f.coin: sure(f) for f in found} == {"suns": False, "moons": False}


def test_a_coin_that_had_slid_away_before_and_is_held_elsewhere_struck_nothing_where_it_lay():
    slid = path(
        "moons", run(0.1, (0.0, 0.0), (1200.0, 0.0)), rest=(0.0, 0.0), held=(Held(0.35, 0.7, True),)
    )
    coin = path("suns", run(0.4, (30.0, 0.0), (0.0, 900.0)))
    found = flicks(
        episode(slid, coin, hands={"moons": (0.0, 0.7), "suns": (0.3, 0.45)}), (slid, coin)
    )
    assert {f.coin: sure(f) for f in found}["suns"]


@pytest.mark.parametrize(
    "held", [Held(0.6, 0.9, True, CARRIED), Held(0.1, 0.3, True, CARRIED), Held(0.1, 0.7, False)]
)
def test_a_neighbour_that_no_hand_hid_just_then_did_not_strike_it(held):
    neighbour, coin = (
        path("moons", rest=(0.0, 0.0), after=(30.0, 10.0), held=(held,)),
        path("suns", run(0.4, (30.0, 0.0), (900.0, 0.0))),
    )
    (flick,) = flicks(episode(neighbour, coin, hands={"suns": (0.1, 0.45)}), (neighbour, coin))
    assert sure(flick)


def test_a_coin_that_came_from_a_hand_that_had_brought_it_began_with_the_hand():
    coin = replace(
        path("moons", run(0.4, (50.0, 0.0), (800.0, 0.0)), held=(Held(0.3, 0.4, True),)),
        rest_before_mm=None,
    )
    (flick,) = flicks(episode(coin, hands={"moons": (0.3, 0.39)}), (coin,))
    assert flick.t_s == pytest.approx(0.3)


def test_a_coin_newly_brought_by_a_hand_lay_nowhere_before_from_which_it_was_flicked_into_another():
    brought = replace(
        path("moons", rest=(0.0, 0.0), held=(Held(0.1, 0.7, True),)), rest_before_mm=None
    )
    coin = path("suns", run(0.4, (30.0, 0.0), (900.0, 0.0)))
    (flick,) = flicks(episode(brought, coin, hands={"suns": (0.1, 0.45)}), (brought, coin))
    assert sure(flick)


@pytest.mark.parametrize(("hand_s", "certain"), [((0.3, 0.45), True), ((0.65, 0.68), False)])
def test_while_another_coin_is_carried_a_coin_was_flicked_only_by_a_hand_seen_at_it(
    hand_s, certain
):
    """The other coin is far away. A hand over this one 0.25 s later is not the hand that set it in
    motion.
    """
    carried = path(
        "moons", rest=(0.0, 300.0), after=(30.0, 310.0), held=(Held(0.1, 0.3, True, CARRIED),)
    )
    coin = path("suns", run(0.4, (30.0, 0.0), (900.0, 0.0)))
    (flick,) = flicks(
        episode(carried, coin, hands={"moons": (0.1, 0.3), "suns": hand_s}), (carried, coin)
    )
    assert sure(flick) == certain


@pytest.mark.parametrize("until_s", [0.3, 0.5])
def test_a_coin_still_in_a_hand_just_before_the_flick_did_not_touch(until_s):
    coin = path("moons", run(0.3, (0.0, 0.0), (0.0, 800.0)))
    brought = path(
        "suns", rest=(200.0, 0.0), after=(COIN_MM, 0.0), held=(Held(0.1, until_s, True, CARRIED),)
    )
    (flick,) = flicks(episode(coin, brought, hands={"moons": (0.2, 0.31)}), (coin, brought))
    assert flick.touching == ()


@pytest.mark.parametrize(
    ("hand_s", "chance"), [((0.2, 0.35), 1.0), ((0.43, 0.6), 1.0), ((0.5, 0.7), 0.8)]
)
def test_a_hand_at_the_coin_within_fifteen_hundredths_of_a_second_flicked_it(hand_s, chance):
    coin = path("moons", run(0.3, (0.0, 0.0), (800.0, 0.0)))
    (flick,) = flicks(episode(coin, hands={"moons": hand_s}), (coin,))
    assert (1.0 if flick.probability is None else flick.probability) == chance


def test_a_hand_somewhere_over_the_table_flicked_it():
    coin, other = path("moons", run(0.3, (0.0, 0.0), (800.0, 0.0))), lying("suns", (0.0, 300.0))
    (flick,) = flicks(episode(coin, other, hands={"suns": (0.2, 0.35)}), (coin, other))
    assert sure(flick)


@pytest.mark.parametrize(("sightings", "certain"), [(1, False), (2, True)])
def test_one_sighting_of_a_coin_that_is_gone_may_show_it_in_a_hand(sightings, certain):
    """It slides at 2500 mm/s when it is last seen."""
    slid = run(0.3, (0.0, 0.0), (2500.0, 0.0), end_s=0.35, sightings=sightings)
    coin = gone(path("moons", slid))
    (flick,) = flicks(episode(coin, hands={"moons": (0.1, 0.4)}), (coin,))
    assert sure(flick) == certain


@pytest.mark.parametrize(("sightings", "certain"), [(2, False), (3, True)])
def test_a_coin_seen_twice_that_should_lie_where_it_stopped_but_does_not_may_be_a_finger(
    sightings, certain
):
    stopped = run(0.3, (0.0, 0.0), (560.0, 0.0), sightings=sightings)
    for coin, is_sure in ((gone(path("moons", stopped)), certain), (path("moons", stopped), True)):
        (flick,) = flicks(episode(coin, hands={"moons": (0.1, 0.4)}), (coin,))
        assert sure(flick) == is_sure


@pytest.mark.parametrize(
    ("begins_mm", "sure"),
    [((60.0, 5.0), True), ((60.0, -80.0), False), ((15.0, -10.0), True)],
    ids=["straight out of the hand", "carried aside first", "not farther than its width"],
)
def test_what_slides_out_of_a_hand_that_took_the_coin_away_may_be_a_finger(begins_mm, sure):
    """It slides along x and is not seen at rest."""
    coin = path(
        "moons",
        run(0.4, begins_mm, (800.0, 0.0)),
        rest=(0.0, 0.0),
        after=None,
        held=(Held(0.1, 0.4, True),),
    )
    (flick,) = flicks(episode(coin, hands={"moons": (0.1, 0.4)}), (coin,))
    assert (flick.probability in (None, 1.0)) == sure


@pytest.mark.parametrize(("came_to_rest", "certain"), [(False, False), (True, True)])
def test_a_coin_that_came_unseen_to_where_another_one_was_lost_may_be_that_one(
    came_to_rest, certain
):
    """The arms bounces off something at (200, 0) and is not seen any more; the suns, lost in the
    heap, seems to stand near there in a hand, and to slide away.
    """
    arms = path("arms", run(0.2, (0.0, 0.0), (1000.0, 0.0), end_s=0.4))
    arms = arms if came_to_rest else gone(arms)
    suns = path(
        "suns",
        run(0.41, (165.0, -5.0), (-400.0, -300.0)),
        rest=(0.0, 60.0),
        held=(Held(0.2, 0.41, seen_with_hand=True),),
    )
    stood = (Sighting("suns", k, k / FPS, (165.0, -5.0), 0.5) for k in (20, 21, 22))
    suns = replace(suns, sightings=tuple(stood))
    hands = {"arms": (0.1, 0.21), "suns": (0.38, 0.42)}
    found = flicks(episode(arms, suns, hands=hands), (arms, suns))
    assert [sure(f) for f in found if f.coin == "suns"] == [certain]


@pytest.mark.parametrize(
    ("past_mm", "begins_s", "certain"), [(34.0, 0.2, False), (140.0, 0.2, True), (34.0, 0.56, True)]
)
def test_a_coin_that_sets_off_as_another_slides_past_it_may_have_been_struck(
    past_mm: float, begins_s: float, certain: bool
) -> None:
    """At 0.52 s a knight is beside the guard, rims 12 mm (of 22) apart, at some 10 mm a frame; or
    far away; or it sets off only after the guard did. What is taken for a hand is at the guard.
    """
    way_mm = run(0.2, (0.0, 0.0), (900.0, 0.0)).position(0.52)[0]
    knight = path("crowns", run(begins_s, (-way_mm, past_mm), (900.0, 0.0)))
    guard = path("ace", run(0.52, (0.0, 0.0), (500.0, -400.0)))
    both, hands = (knight, guard), {"ace": (0.4, 0.6), "crowns": (begins_s - 0.1, begins_s)}
    found = [f for f in flicks(episode(*both, hands=hands), both) if f.coin == "ace"]
    assert [sure(flick) for flick in found] == [certain]
