"""Contacts: which coin hit which, judged by what the struck coin did, light touches, and stacks."""

import math
from dataclasses import replace
from statistics import NormalDist

import pytest

from referee.detectors.coin_motion.contact import (
    Approach,
    closest_approach,
    contacts,
    lightest_overlap,
)
from referee.domain.path import Held, Path
from tests.detectors.scenes import episode, lying, path, run, sure
from tests.tracking.slides import COIN_MM, SLOWING, course_at


def found(*paths, **of_episode):
    return contacts(episode(*paths, **of_episode), paths)


def test_a_coin_set_going_was_hit_by_the_one_that_moved():
    striker = path(
        "moons",
        run(0.1, (-100.0, 0.0), (800.0, 0.0), end_s=0.22),
        run(0.22, (-18.4, 0.0), (40.0, 0.0), met=("suns",)),
    )
    struck = path("suns", run(0.22, (1.6, 0.0), (520.0, 0.0), met=("moons",)))
    (contact,) = found(striker, struck)
    assert (contact.coin, contact.with_, contact.t_s) == ("moons", "suns", 0.22)
    assert sure(contact)
    assert contact.margin_mm == pytest.approx(
        COIN_MM, abs=0.5
    )  # straight at the middle: extended, the paths would overlap completely


def test_of_two_moving_coins_the_faster_along_the_line_of_centres_moved_into_the_other():
    slow = path(
        "moons",
        run(0.1, (-60.0, 0.0), (300.0, 0.0), end_s=0.2),
        run(0.2, (-40.0, 0.0), (500.0, 0.0), met=("suns",)),
    )
    fast = path(
        "suns",
        run(0.1, (-160.0, 0.0), (1100.0, 0.0), end_s=0.2),
        run(0.2, (-60.0, 0.0), (200.0, 0.0), met=("moons",)),
    )
    (contact,) = found(slow, fast)
    assert (contact.coin, contact.with_) == ("suns", "moons")


def test_a_coin_that_lay_still_is_never_the_one_that_moved_even_in_a_graze():
    """It passes 19.9 mm beside the other coin, and the fit lets them touch a millimetre after they
    were closest.
    """
    striker = path(
        "moons",
        run(0.1, (-100.0, 19.9), (1000.0, 0.0), end_s=0.2),
        run(0.2, (1.0, 19.9), (950.0, 100.0), met=("suns",)),
    )
    struck = path("suns", run(0.2, (0.0, 0.0), (50.0, -200.0), met=("moons",)))
    for pair in ((striker, struck), (struck, striker)):
        (contact,) = found(*pair)
        assert (contact.coin, contact.with_) == ("moons", "suns")


def test_the_margin_of_a_glancing_hit_is_the_overlap_of_the_straight_ways():
    aside = 15.0
    at = -math.sqrt(COIN_MM**2 - aside**2)
    striker = path(
        "moons",
        run(0.1, (at - 100.0, aside), (900.0, 0.0), end_s=0.25),
        run(0.25, (at, aside), (400.0, 200.0), met=("suns",)),
    )
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


def test_a_fast_coin_passing_half_a_millimetre_from_a_still_one_asks_nothing():
    passing = path("moons", run(0.1, (-100.0, COIN_MM + 0.5), (1500.0, 0.0)))
    assert all(
        c.probability is not None and c.probability < 0.05
        for c in found(passing, lying("suns", (0.0, 0.0)))
    )


def test_a_coin_that_rolls_to_a_stop_against_another_is_too_close_to_call():
    way = 80.0
    arriving = path("moons", run(0.1, (-COIN_MM - way, 0.0), (math.sqrt(2 * SLOWING * way), 0.0)))
    standing = lying("suns", (0.0, 0.0))
    for pair in ((arriving, standing), (standing, arriving)):
        (contact,) = found(*pair)
        assert contact.probability is not None and 0.05 < contact.probability < 0.95
        assert (contact.coin, contact.with_) == ("moons", "suns")


def test_coins_that_only_part_have_no_contact():
    leaving = path("moons", run(0.1, (0.0, 0.0), (500.0, 0.0)))
    assert found(leaving, lying("suns", (-COIN_MM, 0.0))) == []


POST = course_at().tiles["right-endpost"].centre_mm
FACE_X = POST[0] - 25.0 - 0.5 * COIN_MM


def test_a_rebound_from_a_stack_is_a_contact():
    coin = path(
        "moons",
        run(0.1, (FACE_X - 100.0, 0.0), (1000.0, 0.0), end_s=0.22),
        run(0.22, (FACE_X, 0.0), (-300.0, 0.0), met=("right-endpost",)),
    )
    (contact,) = found(coin)
    assert (contact.coin, contact.with_, contact.t_s) == ("moons", "right-endpost", 0.22)
    assert sure(contact)
    assert contact.margin_mm is not None and contact.margin_mm > 10.0


@pytest.mark.parametrize(("short_mm", "most"), [(0.0, 0.95), (5.0, 0.0)])
def test_a_coin_that_stops_before_a_stack_touches_it_at_most_when_it_is_there(short_mm, most):
    way = 100.0 - short_mm
    coin = path("moons", run(0.1, (FACE_X - 100.0, 0.0), (math.sqrt(2 * SLOWING * way), 0.0)))
    assert all(c.probability is not None and c.probability <= most for c in found(coin))
    assert bool(found(coin)) == (short_mm == 0.0)


def test_a_contact_with_a_tile_is_given_only_when_sure():
    x = course_at().tiles["wicket-4-left"].centre_mm[0] - 25.0 - 0.5 * COIN_MM
    y = course_at().tiles["wicket-4-left"].centre_mm[1]
    hard = path(
        "moons",
        run(0.1, (x - 80.0, y), (900.0, 0.0), end_s=0.2),
        run(0.2, (x, y), (-200.0, 0.0), met=("wicket-4-left",)),
    )
    (contact,) = found(hard)
    assert contact.with_ == "wicket-4-left" and sure(contact)
    soft = path(
        "moons",
        run(0.1, (x - 80.0, y), (900.0, 0.0), end_s=0.2),
        run(0.2, (x, y), (698.0, 5.0), met=("wicket-4-left",)),
    )
    assert found(soft) == []
    past = path(
        "moons",
        run(0.1, (x - 45.0, y + 25.0 + 10.0), (900.0, 0.0), end_s=0.2),
        run(0.2, (x + 35.0, y + 25.0 + 10.0), (600.0, 300.0), met=("wicket-4-left",)),
    )
    assert found(past) == []  # it would have slid along the tile's side without touching it


def test_a_coin_moved_a_little_under_a_hand_was_not_surely_hit():
    striker = path(
        "moons",
        run(0.1, (-100.0, 0.0), (800.0, 0.0), end_s=0.22),
        run(0.22, (-18.4, 0.0), (500.0, 40.0), met=("suns",)),
    )
    struck = path("suns", run(0.22, (1.6, 0.0), (70.0, 0.0), met=("moons",)))
    (clear,) = found(striker, struck)
    assert sure(clear)
    quiet = path(
        "moons",
        run(0.1, (-100.0, 0.0), (800.0, 0.0), end_s=0.22),
        run(0.22, (-18.4, 0.0), (562.0, 2.0), met=("suns",)),
    )
    (covered,) = found(quiet, struck, hands={"suns": (0.15, 0.3)})
    assert covered.probability is not None and covered.probability <= 0.9


def beside_the_post(way_on: tuple[float, float]) -> Path:
    """Return a coin that was hardly seen on its way up to the right endpost, at 45 degrees, and
    moves with `way_on` from there.
    """
    up = run(0.1, (FACE_X - 60.0, -60.0), (560.0, 560.0), end_s=0.22, sightings=2)
    return path(
        "moons",
        replace(up, sigma_mm_s=400.0),
        run(0.22, (FACE_X, 0.0), way_on, met=("right-endpost",)),
    )


def chance_of(*paths: Path) -> float:
    (contact,) = found(*paths)
    return 1.0 if contact.probability is None else contact.probability


def test_a_way_that_turns_by_a_right_angle_is_a_contact_though_the_speed_before_is_not_known():
    assert chance_of(beside_the_post((-350.0, 350.0))) > 0.95


def test_a_slanting_way_that_goes_straight_on_shows_no_contact():
    assert chance_of(beside_the_post((350.0, 350.0))) < 0.05


@pytest.mark.parametrize("sigmas", [2.0, 3.5, 5.0])
def test_a_hardly_seen_way_turned_as_surely_as_its_ends_tell_its_direction(sigmas):
    """The way is 60 sqrt(2) mm long. Its beginning is known to 0.1 mm. Its end is known as well as
    the next run's beginning. The next run's speed is known to 5 mm/s.
    """
    on = run(0.22, (FACE_X, 0.0), (350.0, 350.0))
    ends = math.hypot(0.1, on.sigma_at(0.22))
    aside = sigmas * math.hypot(on.speed_mm_s * ends / (60.0 * math.sqrt(2.0)), 5.0)
    straight = math.sqrt(on.speed_mm_s**2 - aside**2)
    along, across = (math.sqrt(0.5), math.sqrt(0.5)), (-math.sqrt(0.5), math.sqrt(0.5))
    turned = beside_the_post(
        (straight * along[0] + aside * across[0], straight * along[1] + aside * across[1])
    )
    assert chance_of(turned) == pytest.approx(NormalDist().cdf(sigmas - 3.0), abs=0.01)


def test_a_direction_is_better_known_than_its_velocity_only_in_a_first_run_between_known_places():
    """In velocity, the turn from (380, 380) to (-350, 350) mm/s is 730 mm/s. That is within two of
    the first run's sigmas of 400 mm/s.
    """
    turn = (-350.0, 350.0)
    assert chance_of(replace(beside_the_post(turn), rest_before_mm=None)) < 0.3
    twice = beside_the_post(turn)
    arrived = run(0.05, (FACE_X - 100.0, -100.0), (1140.0, 1140.0), end_s=0.1)
    assert chance_of(replace(twice, runs=(arrived, *twice.runs))) < 0.3


def test_a_turn_far_off_a_stack_is_hardly_its_doing():
    """At six standard uncertainties from the stack, the stack caused the turn with probability one
    half. At three or less, the coin counts as being at the stack.
    """
    for sigmas, expected in ((6.0, 0.5), (7.0, NormalDist().cdf(-1.0)), (2.5, 1.0)):
        away = run(0.22, (FACE_X, 0.0), (-300.0, 0.0), met=("right-endpost",))
        off_mm = sigmas * math.hypot(away.sigma_at(0.22), POST_SIGMA_MM, STACKED_MM, 0.15)
        coin = path(
            "moons",
            run(0.1, (FACE_X - 100.0, 0.0), (1000.0, 0.0), end_s=0.22),
            replace(away, from_mm=(FACE_X - off_mm, 0.0)),
        )
        assert chance_of(coin) == pytest.approx(expected, abs=0.001)


STACKED_MM = 0.6  # of a stack laid by hand, from its top tile to the one on the table
POST_SIGMA_MM = course_at().posts["right-endpost"].sigma_mm


def test_a_coin_that_stopped_near_a_stack_s_top_may_have_touched_its_foot():
    # The tile that the coin meets lies 0.6 mm beside the top one, which is seen. So a gap of 2 mm
    # is not three standard uncertainties (0.7 mm), where without the stack it would be six.
    stopped = run(0.1, (FACE_X - 102.0, 0.0), (math.sqrt(2 * SLOWING * 100.0), 0.0))
    (contact,) = found(path("moons", stopped))
    assert contact.margin_mm == pytest.approx(-2.0, abs=0.01)
    assert contact.probability is not None and 0.05 < contact.probability < 0.5


@pytest.mark.parametrize("gap_mm", [-0.3, 0.0, 0.4])
def test_a_coin_along_a_stack_has_grazed_it_in_the_share_of_the_ways_that_show_nothing(gap_mm):
    """The coin missed, or overlapped unnoticed by up to 0.3 mm; more would have been seen. At a gap
    of 0 it missed with probability 0.5, and overlapped unnoticed with the share below that.
    """
    coin = path("moons", run(0.1, (FACE_X - gap_mm, -120.0), (0.0, 1200.0)))
    (contact,) = found(coin)
    gap = NormalDist(gap_mm, contact.sigma_mm)
    touched, missed = gap.cdf(0.0) - gap.cdf(-0.3), 1.0 - gap.cdf(0.0)
    assert contact.probability == pytest.approx(touched / (touched + missed), abs=0.002)
    assert contact.margin_mm == pytest.approx(-gap_mm, abs=0.01)


def test_a_coin_that_starts_beside_a_stack_or_is_known_only_to_centimetres_does_not_touch_it():
    assert found(path("moons", run(0.1, (FACE_X, 0.0), (-700.0, 0.0)))) == []
    assert found(path("moons", run(0.1, (FACE_X, -120.0), (0.0, 1200.0), sigma_mm=30.0))) == []


@pytest.mark.parametrize("short_mm", [-0.2, 0.0, 0.4])
def test_a_coin_that_stands_up_to_a_stack_touched_it_if_it_came_back_unseen(short_mm):
    """A stack returns half of the speed, so the coin comes back a quarter of the way that was left:
    as many ways end within a millimetre of the stack after a touch as within four without one. A
    speed of 60 mm/s is not seen; with it the coin comes back 60^2 / 2a.
    """
    coin = path(
        "moons", run(0.1, (FACE_X - 100.0, 0.0), (math.sqrt(2 * SLOWING * (100.0 - short_mm)), 0.0))
    )
    (contact,) = found(coin)
    gap = NormalDist(short_mm, contact.sigma_mm)
    touched = 4 * (gap.cdf(60.0**2 / (2 * SLOWING)) - gap.cdf(0.0))
    missed = 1.0 - gap.cdf(0.0)
    assert contact.probability == pytest.approx(touched / (touched + missed), abs=0.005)
    assert contact.margin_mm == pytest.approx(-short_mm, abs=0.01)


def test_a_coin_turned_back_by_another_before_it_came_to_a_stack_did_not_touch_it():
    out = run(0.1, (FACE_X - 80.0, 0.0), (900.0, 0.0), end_s=0.15)
    assert (
        found(path("moons", out, run(0.15, out.position(0.15), (-300.0, 0.0), met=("suns",)))) == []
    )


LIGHT = Approach(0.2, -0.1, 0.3, 800.0)
HIT_SPEED = LIGHT.closing_mm_s  # the speed that a coin gets from a full hit without loss


def unnoticed(slid_mm: float) -> float:
    """Return the overlap d that sends a coin `slid_mm` far. It gets the speed HIT_SPEED * sqrt(2 d
    / D) and slides the square of that over 2 a.
    """
    return 2 * SLOWING * slid_mm / HIT_SPEED**2 * COIN_MM / 2


SIGMA_MM = math.hypot(0.1, 0.1)  # of the difference between its places before and after
# The same, if it lay still all the time: the two places share 0.64 of their variance.
STILL_SIGMA_MM = SIGMA_MM * math.sqrt(1.0 - 0.64)


def test_how_lightly_a_coin_can_have_been_hit_follows_from_how_far_it_may_have_slid_unnoticed():
    passing = path("moons", replace(run(0.1, (-100.0, COIN_MM), (900.0, 0.0)), sigma_mm_s=100.0))
    still, moved_mm = (
        lying("suns", (0.0, 0.0)),
        replace(lying("suns", (0.0, 0.0)), rest_after_mm=(0.0, -0.5)),
    )
    later = path(
        "suns", run(0.7, (0.0, 0.0), (0.0, -900.0))
    )  # where it lies at the end does not show this
    for other, slid_mm in (
        (still, 3 * STILL_SIGMA_MM),
        (moved_mm, 0.5 + 3 * STILL_SIGMA_MM),
        (later, 3 * STILL_SIGMA_MM),
    ):
        assert lightest_overlap(episode(passing, other), passing, other, LIGHT) == pytest.approx(
            unnoticed(slid_mm)
        )


def test_what_is_not_known_at_both_ends_may_have_been_hit_as_hard_as_the_striker_shows():
    """For the moving coin, a change of 60 mm/s is not noticed: 60 = HIT_SPEED * sqrt(2 d / D)."""
    passing = path("moons", run(0.1, (-100.0, COIN_MM), (900.0, 0.0)))
    as_the_striker_shows = (60.0 / HIT_SPEED) ** 2 * COIN_MM / 2
    still = lying("suns", (0.0, 0.0))
    for other in (
        replace(still, rest_after_mm=None),
        replace(still, rest_before_mm=None),
        path("suns", rest=(0.0, 0.0), held=(Held(0.5, 0.6, True),)),
    ):
        assert lightest_overlap(episode(passing, other), passing, other, LIGHT) == pytest.approx(
            as_the_striker_shows
        )


def test_a_coin_with_velocity_known_to_100_mm_s_may_have_been_slowed_by_300():
    rough = replace(run(0.1, (-100.0, COIN_MM), (900.0, 0.0)), sigma_mm_s=100.0)
    passing, other = path("moons", rough), replace(lying("suns", (0.0, 0.0)), rest_after_mm=None)
    assert lightest_overlap(episode(passing, other), passing, other, LIGHT) == pytest.approx(
        (300.0 / HIT_SPEED) ** 2 * COIN_MM / 2
    )


@pytest.mark.parametrize("gap_mm", [-0.4, 0.0, 0.4])
def test_a_close_pass_is_a_touch_in_the_share_of_the_ways_that_show_nothing(gap_mm):
    """The other coin's end is unknown. The passing coin moves at 640 mm/s at 100 mm, and may have
    lost 300 of that unnoticed.
    """
    rough = replace(
        run(0.1, (-100.0, COIN_MM + gap_mm), (900.0, 0.0)), sigma_mm=0.5, sigma_mm_s=100.0
    )
    speed = math.sqrt(900.0**2 - 2 * SLOWING * 100.0)
    light = (300.0 / speed) ** 2 * COIN_MM / 2
    (contact,) = found(path("moons", rough), replace(lying("suns", (0.0, 0.0)), rest_after_mm=None))
    gap = NormalDist(gap_mm, contact.sigma_mm)
    touched, missed = gap.cdf(0.0) - gap.cdf(-light), 1.0 - gap.cdf(0.0)
    assert contact.probability == pytest.approx(touched / (touched + missed), abs=0.01)


@pytest.mark.parametrize(("later_s", "contacts_told"), [(0.003, 1), (0.02, 2)])
def test_two_coins_meet_twice_only_where_half_a_frame_lies_between(later_s, contacts_told):
    """At 60 frames a second half a frame is 8 ms. Two meetings within that time are one, found at
    slightly different instants in the two paths.
    """
    striker = path(
        "moons",
        run(0.1, (-100.0, 0.0), (800.0, 0.0), end_s=0.22),
        run(0.22, (-18.4, 0.0), (300.0, 0.0), met=("suns",)),
    )
    struck = path("suns", run(0.22 + later_s, (1.6, 0.0), (520.0, 0.0), met=("moons",)))
    assert len(found(striker, struck)) == contacts_told


def test_coins_seen_to_go_through_one_another_are_asked_about():
    """Neither a miss nor a touch without effect is possible, but it must have been one of the
    two.
    """
    through = path("moons", run(0.1, (-100.0, 5.0), (900.0, 0.0)))
    assert 0.02 < chance_of(through, lying("suns", (0.0, 0.0))) < 0.5


def test_a_coin_that_lies_elsewhere_after_a_close_pass_was_touched():
    """The gap of 0.4 mm alone would leave it open. But the other coin lies 1.7 mm farther away."""
    passing = path("moons", run(0.1, (-100.0, COIN_MM + 0.4), (900.0, 0.0)))
    pushed = replace(lying("suns", (0.0, 0.0)), rest_after_mm=(0.0, -1.7))
    assert chance_of(passing, pushed) > 0.95
    assert all((c.probability or 1.0) < 0.3 for c in found(passing, lying("suns", (0.0, 0.0))))


def test_a_coin_pushed_by_one_that_lay_beside_it_was_touched():
    away = path("moons", run(0.1, (-COIN_MM - 0.2, 0.0), (-700.0, 0.0)))
    pushed = replace(lying("suns", (0.0, 0.0)), rest_after_mm=(4.0, 0.0))
    assert found(away, lying("suns", (0.0, 0.0))) == []
    assert chance_of(away, pushed) > 0.95


def test_a_coin_that_moved_out_of_reach_of_the_passing_one_was_not_touched_by_it():
    passing = path("moons", run(0.1, (-100.0, COIN_MM + 30.0), (900.0, 0.0)))
    assert found(passing, replace(lying("suns", (0.0, 0.0)), rest_after_mm=(9.0, 0.0))) == []


@pytest.mark.parametrize("gap_mm", [-0.2, 0.0, 0.5])
def test_a_coin_that_stops_at_another_touched_it_if_that_may_have_moved_unseen(gap_mm):
    """All slides that would have led up to 3 sigma into the other coin end at its rim."""
    way = 100.0 - COIN_MM - gap_mm
    arriving = path("moons", run(0.1, (-100.0, 0.0), (math.sqrt(2 * SLOWING * way), 0.0)))
    (contact,) = found(arriving, lying("suns", (0.0, 0.0)))
    gap = NormalDist(gap_mm, contact.sigma_mm)
    touched, missed = 3 * STILL_SIGMA_MM * gap.pdf(0.0), 1.0 - gap.cdf(0.0)
    assert contact.probability == pytest.approx(touched / (touched + missed), abs=0.01)


def test_of_coins_known_to_centimetres_only_no_touch_is_told():
    vague = path(
        "moons", replace(run(0.1, (-100.0, COIN_MM), (900.0, 0.0)), sigma_mm=30.0, sigma_mm_s=500.0)
    )
    assert found(vague, lying("suns", (0.0, 0.0))) == []


@pytest.mark.parametrize(
    ("slid_mm", "expected"),
    [
        (0.3, NormalDist().cdf(0.3 / SIGMA_MM - 3.0)),
        (0.6, NormalDist().cdf(0.6 / SIGMA_MM - 3.0)),
        (2.0, 1.0),
    ],
)
def test_a_coin_that_lay_still_was_hit_as_surely_as_the_way_it_slid_is_known(slid_mm, expected):
    """A displacement counts as seen from three standard uncertainties of both places on."""
    arriving = path("moons", run(0.1, (-100.0, 0.0), (800.0, 0.0)))
    tapped = path(
        "suns", run(0.22, (1.6, 0.0), (math.sqrt(2 * SLOWING * slid_mm), 0.0), met=("moons",))
    )
    assert chance_of(arriving, tapped) == pytest.approx(expected, abs=0.001)


def test_a_coin_tapped_and_then_hit_again_is_known_between_as_well_as_its_first_run():
    """The coin slid 0.9 mm. With 0.1 mm on one side and 0.29 mm in the run itself, that would not
    be certain. But its last place is known as well as its first.
    """
    arriving = path("moons", run(0.1, (-100.0, 0.0), (800.0, 0.0)))
    tapped = run(0.22, (1.6, 0.0), (60.0, 0.0), met=("moons",))
    again = run(0.5, (2.5, 0.0), (300.0, 0.0), met=("arms",))
    expected = NormalDist().cdf(0.9 / math.hypot(0.1, tapped.sigma_at(tapped.end_s)) - 3.0)
    assert chance_of(arriving, path("suns", tapped, again)) == pytest.approx(expected, abs=0.001)


def test_the_nearest_two_coins_came_may_be_at_the_very_end_of_what_is_known():
    """At 1 m/s a coin moves a millimetre in two steps of the search."""
    lost = path(
        "moons",
        replace(run(0.1, (-COIN_MM - 103.0, 0.0), (1000.0, 0.0), end_s=0.2), slowing_mm_s2=0.0),
    )
    other = lying("suns", (0.0, 0.0))
    near = closest_approach(episode(lost, other), lost, other)
    assert near is not None and (near.t_s, near.gap_mm) == (pytest.approx(0.2), pytest.approx(3.0))
    assert near.closing_mm_s == pytest.approx(1000.0)


def test_a_coin_that_lay_in_a_hand_set_the_other_going_whichever_way_that_goes():
    """Its place in the hand is known only roughly. From there the other coin may seem to come
    towards it.
    """
    held = Path("moons", (), (), (0.0, 0.0), 0.1, (2.0, -3.0), 0.1, (Held(0.3, 0.6, True),))
    struck = path("suns", run(0.25, (COIN_MM, 0.0), (-100.0, 700.0), met=("moons",)))
    for paths in ((held, struck), (struck, held)):
        (contact,) = found(*paths)
        assert (contact.coin, contact.with_) == ("moons", "suns")


def test_a_contact_with_a_coin_whose_place_before_is_not_known_is_given():
    striker = path(
        "moons",
        run(0.1, (-100.0, 0.0), (800.0, 0.0), end_s=0.22),
        run(0.22, (-18.4, 0.0), (-300.0, 0.0), met=("suns",)),
    )
    (contact,) = found(striker, replace(lying("suns", (1.6, 0.0)), rest_before_mm=None))
    assert {contact.coin, contact.with_} == {"moons", "suns"} and sure(contact)
