"""Coins set in motion through others, in a heap of touching coins: no hand flicked them."""

from dataclasses import replace

import pytest

from referee.detectors.coin_motion.heap import unfound_contacts
from referee.detectors.hands.flick import flicks
from referee.detectors.incidents import incidents_of
from referee.detectors.unseen.stretches import unseen_stretches
from referee.domain.incident import EITHER, Contact
from referee.domain.path import Held, PossibleHit
from tests.detectors.scenes import episode, lying, path, run
from tests.tracking.slides import COIN_MM


def struck_heap(gap_mm: float = 0.0):
    """Return a striker that runs into the first of three coins in a row, whose last one moves off
    while the two before it lie still. `gap_mm` is between the last two.
    """
    striker = path(
        "moons",
        run(0.2, (-100.0, 0.0), (800.0, 0.0), end_s=0.32),
        run(0.32, (-18.4, 0.0), (-60.0, 0.0), met=("suns",)),
    )
    middle = [lying(coin, (at, 0.0)) for coin, at in (("suns", 1.6), ("arms", 1.6 + COIN_MM))]
    last = path("crowns", run(0.325, (1.6 + 2 * COIN_MM + gap_mm, 0.0), (400.0, 0.0)))
    return (striker, *middle, last)


def test_a_coin_knocked_through_a_heap_was_not_flicked():
    paths = struck_heap()
    found = flicks(episode(*paths, hands={"moons": (0.1, 0.21)}), paths)
    assert [(f.coin, f.probability) for f in found] == [("moons", None)]


def test_a_coin_that_the_heap_pushes_back_was_not_flicked_again():
    paths = struck_heap()
    back = replace(
        paths[0],
        runs=(
            *paths[0].runs[:1],
            run(0.32, (-18.4, 0.0), (1e-3, 0.0), end_s=0.325),
            run(0.325, (-18.4, 0.0), (-60.0, 0.0)),
        ),
    )
    paths = (back, *paths[1:])
    found = flicks(episode(*paths, hands={"moons": (0.1, 0.21)}), paths)
    assert [(f.coin, f.probability) for f in found] == [("moons", None)]


def test_a_coin_of_a_heap_was_not_flicked_though_no_contact_of_the_striker_was_named():
    striker, *others = struck_heap()
    unnamed = replace(striker, runs=(striker.runs[0], replace(striker.runs[1], met=())))
    paths = (unnamed, *others)
    found = flicks(episode(*paths, hands={"moons": (0.1, 0.21)}), paths)
    assert [(f.coin, f.probability) for f in found] == [("moons", None)]


def test_a_coin_of_a_heap_was_not_flicked_though_the_one_that_was_hit_was_lost_from_sight():
    striker, first, *others = struck_heap()
    pushed = replace(first, rest_after_mm=(4.0, 1.0), held=(Held(0.31, 0.9, seen_with_hand=False),))
    paths = (striker, pushed, *others)
    found = flicks(episode(*paths, hands={"moons": (0.1, 0.21)}), paths)
    assert [(f.coin, f.probability) for f in found] == [("moons", None)]


def test_a_coin_that_did_not_touch_the_heap_may_have_been_flicked():
    paths = struck_heap(gap_mm=8.0)
    found = flicks(episode(*paths, hands={"moons": (0.1, 0.21)}), paths)
    assert [f.coin for f in found] == ["moons", "crowns"]


def test_a_coin_in_a_heap_with_a_hand_at_it_may_have_been_flicked():
    paths = struck_heap()
    found = flicks(episode(*paths, hands={"moons": (0.1, 0.21), "crowns": (0.1, 0.4)}), paths)
    assert [f.coin for f in found] == ["moons", "crowns"]


def test_a_contact_between_two_instants_at_which_places_are_compared_counts():
    """The striker comes at 2.7 m/s and leaves aside at once, so that it is near the first coin for
    two milliseconds. That coin leaves to the other side.
    """
    striker, _first, middle, last = struck_heap()
    fast = replace(
        striker,
        runs=(
            run(0.285, (-112.9, 0.0), (2700.0, 0.0), end_s=0.3206),
            run(0.3206, (-18.4, 0.0), (-200.0, 1800.0), end_s=0.4, met=("suns",)),
        ),
    )
    away = path("suns", run(0.3206, (1.6, 0.0), (1500.0, -1500.0), end_s=0.4))
    behind = replace(last, runs=(run(0.3237, last.runs[0].from_mm, (400.0, 0.0)),))
    paths = (fast, away, middle, behind)
    found = flicks(episode(*paths, hands={"moons": (0.1, 0.28)}), paths)
    assert [(f.coin, f.probability) for f in found] == [("moons", None)]


@pytest.mark.parametrize(("aside_mm", "asked"), [(15.0, True), (30.0, False)])
def test_a_coin_that_sets_off_as_another_one_passes_was_perhaps_hit(aside_mm: float, asked: bool):
    """Coins are 20 mm wide. The fit of the paths found no contact, and no hand was near."""
    striker = path("moons", run(0.2, (-100.0, aside_mm), (800.0, 0.0), end_s=0.6))
    # after 0.125 s, minus what it has slowed down, the striker is beside it
    struck = path("suns", run(0.325, (0.0, 0.0), (0.0, -500.0)))
    paths = (striker, struck)
    seen = episode(*paths, hands={"moons": (0.1, 0.21)})
    found = unfound_contacts(seen, paths, [])
    assert [(c.coin, c.with_, c.probability) for c in found] == (
        [("moons", "suns", EITHER)] if asked else []
    )
    named = Contact(coin="moons", with_="suns", t_s=0.33, probability=None, frames=(19, 20))
    assert unfound_contacts(seen, paths, [named]) == []


def test_a_contact_through_a_heap_is_not_asked_about():
    paths = struck_heap()
    assert unfound_contacts(episode(*paths, hands={"moons": (0.1, 0.21)}), paths, []) == []


@pytest.mark.parametrize(("velocity", "told"), [((-300.0, 250.0), True), ((300.0, 250.0), False)])
def test_a_coin_that_comes_back_from_a_blow_passed_on_to_it_met_something_unseen(velocity, told):
    """Arms lay against suns, which a coin ran into from the left. So arms left to the right, unless
    it came back off something.
    """
    striker = path("moons", run(0.2, (-60.0, 0.0), (800.0, 0.0), end_s=0.25))
    suns = path("suns", run(0.25, (0.0, 0.0), (10.0, 60.0), met=("moons",)))
    arms = path("arms", run(0.25, (COIN_MM, 0.0), velocity))
    paths = (striker, suns, arms)
    found = unseen_stretches(episode(*paths, hands={"moons": (0.1, 0.21)}), paths, ())
    assert [u.pieces for u in found] == [("arms",)] * told


def test_a_possible_hit_on_a_post_answers_no_question_about_a_coin_that_passed() -> None:
    striker = path("moons", run(0.2, (-100.0, 15.0), (800.0, 0.0), end_s=0.6))
    struck = path("suns", run(0.325, (0.0, 0.0), (0.0, -500.0)))
    post = PossibleHit("left-endpost", 0.33, 4.0)  # odds of exp(2), 7.4 to 1, against it
    paths = (striker, replace(struck, possible_hits=(post,)))
    seen = episode(*paths, hands={"moons": (0.1, 0.21)})
    assert "left-endpost" in seen.course_before.posts
    found = {i.with_: i.probability for i in incidents_of(seen, paths) if isinstance(i, Contact)}
    assert found == {"suns": EITHER, "left-endpost": pytest.approx(0.1192)}
