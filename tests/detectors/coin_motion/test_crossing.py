"""Crossed lines: in both directions, several times, with paths that end before the line or pass
beside it, and with which probability.
"""

import math
from dataclasses import replace
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.detectors.coin_motion.crossing import line_crossings
from referee.domain.path import Held
from tests.detectors.scenes import episode, path, run, sure
from tests.tracking.slides import SLOWING, course_at

LINE_X = course_at().lines["wicket-4"].left_mm[0]
HALF_WIDTH = 50.0  # the template's wickets are two tiles of 50 mm wide


def speed_for(way_mm: float) -> float:
    """Return the speed of a coin that friction stops after this way: v^2 = 2 a s."""
    return math.sqrt(2 * SLOWING * way_mm)


def crossings(*runs, **of_path):
    coin = path("moons", *runs, **of_path)
    return line_crossings(episode(coin), (coin,))


def test_a_coin_through_the_middle_crosses_outward_once():
    (found,) = crossings(run(0.1, (LINE_X - 60.0, 5.0), (speed_for(100.0), 0.0)))
    assert (found.coin, found.line, found.direction) == ("moons", "wicket-4", "outward")
    assert sure(found)
    assert found.margin_mm == pytest.approx(
        40.0, abs=0.01
    )  # stops 40 mm beyond the line, 45 mm from its nearer end
    left = speed_for(100.0) - speed_for(40.0)  # the speed lost on the way to the line
    assert found.t_s == pytest.approx(0.1 + left / SLOWING, abs=1e-6)


def test_the_nearer_end_is_the_margin_when_it_is_nearer():
    (found,) = crossings(run(0.1, (LINE_X - 60.0, 42.0), (speed_for(150.0), 0.0)))
    assert found.margin_mm == pytest.approx(8.0, abs=0.01)


def test_a_coin_that_comes_back_crosses_both_ways():
    out = run(0.1, (LINE_X - 60.0, 0.0), (800.0, 0.0), end_s=0.2)
    back = run(0.2, out.position(0.2), (-500.0, 0.0), met=("suns",))
    first, second = crossings(out, back)
    assert (first.direction, second.direction) == ("outward", "homeward")
    assert first.margin_mm == pytest.approx(out.position(0.2)[0] - LINE_X, abs=0.01)


def test_several_lines_in_one_flick():
    found = crossings(
        run(0.1, (LINE_X - 300.0, 0.0), (speed_for(600.0), 0.0))
    )  # wickets 2, 4, 6 are at -250, 0 and 225 mm, wicket 7 at 350
    assert [c.line for c in found] == ["wicket-2", "wicket-4", "wicket-6"]
    assert all(c.direction == "outward" for c in found)


@pytest.mark.parametrize("short_mm", [5.0, 3.0])
def test_a_coin_that_stops_short_crosses_nothing(short_mm):
    assert crossings(run(0.1, (LINE_X - 60.0, 0.0), (speed_for(60.0 - short_mm), 0.0))) == []


def test_a_coin_that_passes_beside_the_wicket_crosses_nothing():
    assert crossings(run(0.1, (LINE_X - 60.0, HALF_WIDTH + 8.0), (speed_for(120.0), 0.0))) == []


@pytest.mark.parametrize(
    ("past_mm", "least", "most"),
    [(0.0, 0.4, 0.6), (0.3, 0.6, 0.95), (-0.3, 0.05, 0.4), (1.5, 0.96, 1.0)],
)
def test_a_coin_that_stops_about_on_the_line_crosses_it_with_the_probability_of_its_sigma(
    past_mm, least, most
):
    (found,) = crossings(run(0.1, (LINE_X - 60.0, 0.0), (speed_for(60.0 + past_mm), 0.0)))
    assert least <= (1.0 if found.probability is None else found.probability) <= most
    assert found.margin_mm == pytest.approx(past_mm, abs=0.02)


@pytest.mark.parametrize(("sigma_mm", "least", "most"), [(0.3, 0.99, 1.0), (2.0, 0.9, 0.985)])
def test_a_line_is_half_as_sure_in_its_middle_as_the_unsure_one_of_its_tiles(sigma_mm, least, most):
    course = course_at()
    glaring = course.with_tile(
        "wicket-4-left", replace(course.tiles["wicket-4-left"], sigma_mm=sigma_mm)
    )
    coin = path(
        "moons", run(0.1, (LINE_X - 60.0, 0.0), (speed_for(61.9), 0.0))
    )  # 1.9 mm beyond the line: the probability that a normal error is less
    (found,) = line_crossings(replace(episode(coin), course_before=glaring), (coin,))
    assert least <= (1.0 if found.probability is None else found.probability) <= most
    assert found.sigma_mm >= 0.5 * sigma_mm


@pytest.mark.parametrize("sigmas", [-1.0, 0.0, 1.0])
def test_a_coin_that_starts_on_the_line_crosses_it_with_the_probability_that_it_lay_before_it(
    sigmas,
):
    """The coin is behind the line by one standard uncertainty of its place of rest, 0.1 mm, and the
    line's place in its middle together: of two tiles with 0.3 mm each, 0.3 / sqrt(2). The normal
    share 0.84 is the probability of a crossing.
    """
    out = run(0.1, (LINE_X, 0.0), (speed_for(100.0), 0.0))
    behind_mm = sigmas * math.hypot(0.1, 0.3 / math.sqrt(2.0))
    (found,) = crossings(replace(out, from_mm=(LINE_X - behind_mm, 0.0)))
    assert found.probability == pytest.approx(NormalDist().cdf(sigmas), abs=0.001)


def test_a_coin_turned_aside_right_on_the_line_crosses_it_there_and_then():
    """This holds whatever rounding error the joint of its two runs has."""
    end_s = 0.1 + (speed_for(160.0) - speed_for(100.0)) / SLOWING
    to_line = run(0.1, (LINE_X - 60.0, 0.0), (speed_for(160.0), 0.0), end_s=end_s)
    (found,) = crossings(to_line, run(end_s, (LINE_X + 1e-7, 0.0), (200.0, 300.0), met=("suns",)))
    assert found.t_s == pytest.approx(end_s, abs=1e-6) and sure(found)


def test_of_a_coin_turned_aside_before_the_line_the_last_way_counts():
    """On its first course it would have passed the wicket's end. After the turn it runs towards the
    middle of the line and stops 0.3 mm before it.
    """
    slanting = run(0.1, (LINE_X - 60.0, 0.0), (600.0, 600.0), end_s=0.15)
    joint = slanting.position(0.15)
    straight = run(0.15, joint, (speed_for(LINE_X - 0.3 - joint[0]), 0.0), met=("suns",))
    (found,) = crossings(slanting, straight)
    assert found.probability is not None and 0.05 < found.probability < 0.4
    assert found.margin_mm == pytest.approx(-0.3, abs=0.01)
    assert found.t_s == pytest.approx(straight.stop_s)


def test_a_coin_flicked_up_to_a_line_carried_over_it_and_flicked_on_has_not_crossed_it():
    before = run(0.1, (LINE_X - 100.0, 0.0), (speed_for(80.0), 0.0))
    after = run(0.8, (LINE_X + 20.0, 0.0), (speed_for(100.0), 0.0))
    assert crossings(before, after, held=(Held(0.6, 0.8, True),)) == []
    (found,) = crossings(
        before, replace(after, from_mm=(LINE_X - 20.0, 0.0))
    )  # flicked on from where it stood, it has
    assert found.t_s > 0.8


@pytest.mark.parametrize("aside_mm", [HALF_WIDTH - 0.2, HALF_WIDTH + 0.2])
def test_a_coin_over_the_line_s_very_end_is_too_close_to_call(aside_mm):
    (found,) = crossings(run(0.1, (LINE_X - 60.0, aside_mm), (speed_for(120.0), 0.0)))
    assert found.probability is not None and 0.05 < found.probability < 0.95


@pytest.mark.parametrize("inside_mm", [-0.4, 0.3, 0.6])
def test_a_coin_over_the_line_s_end_crosses_it_by_the_normal_share_of_how_far_inside_it_was(
    inside_mm,
):
    (found,) = crossings(run(0.1, (LINE_X - 60.0, HALF_WIDTH - inside_mm), (speed_for(120.0), 0.0)))
    assert found.probability == pytest.approx(
        NormalDist().cdf(inside_mm / found.sigma_mm), abs=0.001
    )
    assert found.margin_mm == pytest.approx(inside_mm, abs=0.01)


def test_what_a_hand_carries_over_a_line_is_no_crossing():
    assert (
        crossings(
            rest=(LINE_X - 60.0, 0.0), after=(LINE_X + 60.0, 0.0), held=(Held(0.1, 0.6, True),)
        )
        == []
    )


def test_a_path_known_to_a_few_centimetres_gives_no_crossing():
    assert crossings(run(0.1, (LINE_X - 60.0, 0.0), (speed_for(120.0), 0.0), sigma_mm=40.0)) == []


@given(
    st.floats(-math.pi, math.pi),
    st.floats(5.0, 400.0),
    st.floats(-200.0, 200.0),
    st.floats(-200.0, 200.0),
)
def test_directions_alternate_and_margins_agree_with_the_path_s_ends(angle, way_mm, x, y):
    coin = path(
        "moons",
        run(
            0.1, (x, y), (speed_for(way_mm) * math.cos(angle), speed_for(way_mm) * math.sin(angle))
        ),
    )
    for name, line in course_at().lines.items():
        found = [c for c in line_crossings(episode(coin), (coin,)) if c.line == name and sure(c)]
        ahead = [
            (p[0] - line.right_mm[0]) * line.outward[0]
            + (p[1] - line.right_mm[1]) * line.outward[1]
            for p in ((x, y), coin.rest_after_mm or (0, 0))
        ]
        assert len(found) <= 1
        for crossing in found:
            assert (crossing.direction == "outward") == (ahead[1] > 0)
