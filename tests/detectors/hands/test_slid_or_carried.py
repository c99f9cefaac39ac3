"""Whether a hand carried a coin that went elsewhere under it, or the coin slid."""

import math
from dataclasses import replace

import pytest

from referee.detectors.hands.flick import flicks
from referee.detectors.hands.placement import placements
from referee.detectors.unseen.stretches import unseen_stretches
from referee.domain.path import Held
from tests.detectors.hands.test_placement import carried
from tests.detectors.scenes import episode, path, run, sure


@pytest.mark.parametrize(
    ("dearer", "chance"),
    [(12.0, 1 / (1 + math.exp(-6.0))), (4.0, 1 / (1 + math.exp(-2.0))), (0.0, 0.5)],
)
def test_the_probability_that_a_hand_moved_a_coin_follows_from_what_a_slide_costs_more(
    dearer, chance
):
    coin = replace(carried(), held=(Held(0.2, 0.7, True, dearer),))
    scene = episode(coin, hands={"moons": (0.2, 0.7)})
    (placed,) = placements(scene, (coin,), [])
    assert placed.probability == pytest.approx(chance, abs=1e-4)


@pytest.mark.parametrize("dearer", [4.0, 0.0, -2.0, -5.0])
def test_where_neither_is_sure_both_the_hand_and_the_flick_are_asked_about(dearer):
    """Where the flick is given as a question, a ruling can uphold it; where it is left out, nobody
    is told that the coin may have been flicked. 0.8: it may have been struck instead.
    """
    coin = replace(carried(), held=(Held(0.2, 0.7, True, dearer),))
    scene = episode(coin, hands={"moons": (0.2, 0.7)})
    (placed,), (flick,) = placements(scene, (coin,), []), flicks(scene, (coin,))
    by_hand = 1 / (1 + math.exp(-dearer / 2))
    assert placed.probability == pytest.approx(by_hand, abs=1e-4)
    assert flick.probability == pytest.approx(0.8 * (1.0 - by_hand), abs=1e-4)


def test_where_a_hand_surely_carried_the_coin_no_flick_is_asked_about():
    scene = episode(carried(), hands={"moons": (0.2, 0.7)})
    assert sure(*placements(scene, (carried(),), []))
    assert flicks(scene, (carried(),)) == []


@pytest.mark.parametrize("dearer", [-2.0, -20.0])
def test_where_a_slide_costs_less_the_coin_was_perhaps_flicked_and_never_certainly(dearer):
    coin = replace(carried(), held=(Held(0.2, 0.7, True, dearer),))
    scene = episode(coin, hands={"moons": (0.2, 0.7)})
    (flick,) = flicks(scene, (coin,))
    assert flick.probability == pytest.approx(0.8 / (1 + math.exp(dearer / 2)), abs=1e-4)
    assert flick.t_s == pytest.approx(0.2)
    assert len(placements(scene, (coin,), [])) == (1 if dearer == -2.0 else 0)


@pytest.mark.parametrize(("dearer", "slid"), [(-4.0, False), (-20.0, True)])
def test_a_coin_that_surely_slid_to_where_it_is_seen_again_was_flicked_and_may_have_met_something(
    dearer: float, slid: bool
) -> None:
    """It lay 60 mm away, is seen 70 ms later and slides on to the side, as off a tile. P(slide) is
    0.88 where it costs 4 less than a hand, and above 0.99 where it costs 20 less. Nobody saw the
    way to there.
    """
    coin = path(
        "moons",
        run(0.30, (60.0, 0.0), (-100.0, 200.0)),
        rest=(0.0, 0.0),
        held=(Held(0.23, 0.30, True, dearer),),
    )
    scene = episode(coin, hands={"moons": (0.1, 0.30)})
    (flick,), placed = flicks(scene, (coin,)), placements(scene, (coin,), [])
    assert sure(flick) == slid and len(placed) == (0 if slid else 1)
    (unseen,) = unseen_stretches(scene, (coin,), [flick, *placed])
    assert (unseen.pieces, unseen.from_s, unseen.to_s) == (("moons",), 0.23, 0.3)


@pytest.mark.parametrize(
    ("lay_x", "since_s", "dearer", "own", "told"),
    [
        pytest.param(25.0, 0.3, -8.0, 12.0, 4.0, id="hit, and it slid"),
        pytest.param(25.0, 0.3, 8.0, 12.0, 12.0, id="a hand moved it"),
        pytest.param(70.0, 0.3, -8.0, 12.0, 12.0, id="too far from the way"),
        pytest.param(25.0, 0.8, -8.0, 12.0, 12.0, id="later"),
        pytest.param(25.0, 0.05, -8.0, 12.0, 12.0, id="earlier"),
        pytest.param(25.0, 0.3, -2.0, -2.0, -2.0, id="both slid alike: neither explains the other"),
    ],
)
def test_a_coin_beside_it_that_slid_unseen_makes_a_slide_likelier(
    lay_x: float, since_s: float, dearer: float, own: float, told: float
) -> None:
    """Both lay under a hand; this coin now lies 40 mm away, the other 18 mm from where it lay. One
    flick explains both, if this coin reached the other (coins are 20 mm wide) and the other rather
    slid than was carried. 8: what such a flick explains besides.
    """
    coin = path("moons", rest=(0.0, 0.0), after=(40.0, 0.0), held=(Held(0.2, 0.7, True, own),))
    held = (Held(since_s, since_s + 0.1, True, dearer),)
    other = path("suns", rest=(lay_x, 20.0), after=(lay_x, 38.0), held=held)
    hands = {"moons": (0.2, 0.7), "suns": (since_s, since_s + 0.1)}
    scene = episode(coin, other, hands=hands)
    found = {p.coin: p for p in placements(scene, (coin, other), [])}
    assert found["moons"].probability == pytest.approx(1 / (1 + math.exp(-told / 2)), abs=1e-4)


def test_a_coin_that_another_was_seen_to_hit_explains_no_slide() -> None:
    """The coin that hit it is seen to slide there from the side, 0.1 s later."""
    coin = path("moons", rest=(0.0, 0.0), after=(40.0, 0.0), held=(Held(0.2, 0.7, True, 12.0),))
    other = path("suns", rest=(25.0, 20.0), after=(25.0, 38.0), held=(Held(0.3, 0.7, True, -8.0),))
    third = path("arms", run(0.4, (125.0, 20.0), (-600.0, 0.0)))
    hands = {"moons": (0.2, 0.7), "suns": (0.3, 0.7), "arms": (0.3, 0.4)}
    scene = episode(coin, other, third, hands=hands)
    found = {p.coin: p for p in placements(scene, (coin, other, third), [])}
    assert found["moons"].probability == pytest.approx(1 / (1 + math.exp(-6.0)), abs=1e-4)
