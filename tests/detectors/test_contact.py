"""Contacts: who into whom, read from what the struck coin did, grazes, and stacks."""

import math

import pytest

from referee.detectors.contact import contacts
from tests.detectors.scenes import episode, lying, path, run, sure
from tests.tracking.slides import COIN_MM, SLOWING, course_at


def found(*paths, **of_episode):
    return contacts(episode(*paths, **of_episode), paths)


def test_a_coin_set_going_was_hit_by_the_one_that_moved():
    striker = path("moons", run(0.1, (-100.0, 0.0), (800.0, 0.0), end_s=0.22), run(0.22, (-18.4, 0.0), (40.0, 0.0), met=("suns",)))
    struck = path("suns", run(0.22, (1.6, 0.0), (520.0, 0.0), met=("moons",)))
    (contact,) = found(striker, struck)
    assert (contact.coin, contact.with_, contact.t_s) == ("moons", "suns", 0.22)
    assert sure(contact)
    assert contact.margin_mm == pytest.approx(COIN_MM, abs=0.5)  # straight at the middle: carried on, they would cover each other


def test_of_two_moving_coins_the_faster_along_the_line_of_centres_moved_into_the_other():
    slow = path("moons", run(0.1, (-60.0, 0.0), (300.0, 0.0), end_s=0.2), run(0.2, (-40.0, 0.0), (500.0, 0.0), met=("suns",)))
    fast = path("suns", run(0.1, (-160.0, 0.0), (1100.0, 0.0), end_s=0.2), run(0.2, (-60.0, 0.0), (200.0, 0.0), met=("moons",)))
    (contact,) = found(slow, fast)
    assert (contact.coin, contact.with_) == ("suns", "moons")


def test_the_margin_of_a_glancing_hit_is_the_overlap_of_the_straight_ways():
    aside = 15.0
    at = -math.sqrt(COIN_MM**2 - aside**2)
    striker = path("moons", run(0.1, (at - 100.0, aside), (900.0, 0.0), end_s=0.25), run(0.25, (at, aside), (400.0, 200.0), met=("suns",)))
    struck = path("suns", run(0.25, (0.0, 0.0), (250.0, -250.0), met=("moons",)))
    (contact,) = found(striker, struck)
    assert contact.margin_mm == pytest.approx(COIN_MM - aside, abs=0.3)


@pytest.mark.parametrize("gap_mm", [2.0, 5.0])
def test_a_coin_passed_at_a_distance_was_not_touched(gap_mm):
    passing = path("moons", run(0.1, (-100.0, COIN_MM + gap_mm), (900.0, 0.0)))
    assert found(passing, lying("suns", (0.0, 0.0))) == []


def test_a_coin_that_seems_overlapped_but_never_stirred_was_at_most_grazed():
    passing = path("moons", run(0.1, (-100.0, COIN_MM - 0.1), (900.0, 0.0)))
    (contact,) = found(passing, lying("suns", (0.0, 0.0)))
    assert contact.probability is not None and contact.probability < 0.6


def test_a_fast_coin_half_a_millimetre_off_one_that_never_stirred_is_no_contact_worth_asking_about():
    passing = path("moons", run(0.1, (-100.0, COIN_MM + 0.5), (1500.0, 0.0)))
    assert all(c.probability is not None and c.probability < 0.05 for c in found(passing, lying("suns", (0.0, 0.0))))


def test_a_coin_that_rolls_to_a_stop_against_another_is_too_close_to_call():
    way = 80.0
    arriving = path("moons", run(0.1, (-COIN_MM - way, 0.0), (math.sqrt(2 * SLOWING * way), 0.0)))
    (contact,) = found(arriving, lying("suns", (0.0, 0.0)))
    assert contact.probability is not None and 0.05 < contact.probability < 0.95


def test_coins_that_only_part_have_no_contact():
    leaving = path("moons", run(0.1, (0.0, 0.0), (500.0, 0.0)))
    assert found(leaving, lying("suns", (-COIN_MM, 0.0))) == []


POST = course_at().tiles["right-endpost"].centre_mm
FACE_X = POST[0] - 25.0 - 0.5 * COIN_MM


def test_a_rebound_from_a_stack_is_a_contact():
    coin = path("moons", run(0.1, (FACE_X - 100.0, 0.0), (1000.0, 0.0), end_s=0.22), run(0.22, (FACE_X, 0.0), (-300.0, 0.0), met=("right-endpost",)))
    (contact,) = found(coin)
    assert (contact.coin, contact.with_, contact.t_s) == ("moons", "right-endpost", 0.22)
    assert sure(contact)
    assert contact.margin_mm is not None and contact.margin_mm > 10.0


@pytest.mark.parametrize(("short_mm", "most"), [(0.0, 0.95), (3.0, 0.0)])
def test_a_coin_that_stops_before_a_stack_touches_it_at_most_when_it_is_there(short_mm, most):
    way = 100.0 - short_mm
    coin = path("moons", run(0.1, (FACE_X - 100.0, 0.0), (math.sqrt(2 * SLOWING * way), 0.0)))
    assert all(c.probability is not None and c.probability <= most for c in found(coin))
    assert bool(found(coin)) == (short_mm == 0.0)


def test_a_contact_with_a_tile_is_given_only_when_sure():
    x = course_at().tiles["wicket-4-left"].centre_mm[0] - 25.0 - 0.5 * COIN_MM
    y = course_at().tiles["wicket-4-left"].centre_mm[1]
    hard = path("moons", run(0.1, (x - 80.0, y), (900.0, 0.0), end_s=0.2), run(0.2, (x, y), (-200.0, 0.0), met=("wicket-4-left",)))
    (contact,) = found(hard)
    assert contact.with_ == "wicket-4-left" and sure(contact)
    soft = path("moons", run(0.1, (x - 80.0, y), (900.0, 0.0), end_s=0.2), run(0.2, (x, y), (698.0, 5.0), met=("wicket-4-left",)))
    assert found(soft) == []


def test_a_coin_moved_a_little_under_a_hand_was_not_surely_hit():
    striker = path("moons", run(0.1, (-100.0, 0.0), (800.0, 0.0), end_s=0.22), run(0.22, (-18.4, 0.0), (500.0, 40.0), met=("suns",)))
    struck = path("suns", run(0.22, (1.6, 0.0), (70.0, 0.0), met=("moons",)))
    (clear,) = found(striker, struck)
    assert sure(clear)
    quiet = path("moons", run(0.1, (-100.0, 0.0), (800.0, 0.0), end_s=0.22), run(0.22, (-18.4, 0.0), (562.0, 2.0), met=("suns",)))
    (covered,) = found(quiet, struck, hands={"suns": (0.15, 0.3)})
    assert covered.probability is not None and covered.probability <= 0.9
