"""The scale from the wickets' openings, computed by hand."""

import math
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from calibration.table.openings import scaled, scaled_by_openings
from calibration.table.surveyed_table import SurveyedTable
from calibration.tiles.bundle import UNSURE_SIGMA
from referee.domain.layout import template_course
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import EdgeSide


def table(opening_share: float = 1.0, jitter_mm: float = 0.0) -> SurveyedTable:
    """Return the reference course with every wicket's tiles `opening_share` times as far apart,
    alternately a little more and less.
    """
    course = template_course("tabletop-croquet", 50.8)
    tiles = dict(course.tiles)
    for k in range(1, 10):
        left, right = tiles[f"wicket-{k}-left"], tiles[f"wicket-{k}-right"]
        middle = (left.centre_mm[1] + right.centre_mm[1]) / 2
        half = (left.centre_mm[1] - right.centre_mm[1]) / 2 * opening_share + (
            jitter_mm if k % 2 else -jitter_mm
        )
        tiles[f"wicket-{k}-left"] = replace(left, centre_mm=(left.centre_mm[0], middle + half))
        tiles[f"wicket-{k}-right"] = replace(right, centre_mm=(right.centre_mm[0], middle - half))
    camera = Camera(1280, 720, 900.0, 900.0, 640.0, 360.0)
    view = TableView(camera, np.diag([1.0, -1.0, -1.0]), np.array([-600.0, 0.0, 900.0]))
    edge = (EdgeSide((0.0, -300.0), (1200.0, -300.0), 0.5, 0.0, 1.0),)
    return SurveyedTable(
        "tabletop-croquet",
        view,
        replace(course, tiles=MappingProxyType(tiles)),
        PieceSizes(),
        edge,
        0.1,
    )


def length(t: SurveyedTable) -> float:
    return (
        t.course.tiles["right-endpost"].centre_mm[0] - t.course.tiles["left-endpost"].centre_mm[0]
    )


def test_openings_as_the_rules_have_them_change_nothing():
    assert length(scaled_by_openings(table(), 0.003)) == pytest.approx(23 * 50.8, rel=1e-9)


def test_rims_and_openings_of_equal_trust_meet_half_way():
    # All nine openings are 0.4 % wide. Their error is at least that of the rims (0.2 % each), so
    # the scale changes by half of the difference, 0.001996. That the course was laid otherwise
    # (it then changes by 0.000002) has 0.9 * 0.02 / 0.1 = 0.18 parts of the weight, that the rims
    # are mistaken (by 0.00398) 0.1 * 0.98 / 0.04 = 2.43, and neither 0.9 * 0.98 * 0.37 / 0.0028
    # = 115 parts: 0.002034 on average, which is a factor of 1 - 0.002032.
    assert length(scaled_by_openings(table(1.004), 0.002)) == pytest.approx(
        23 * 50.8 * (1 - 0.002032), rel=1e-5
    )


def test_openings_that_differ_among_themselves_say_less():
    careful, careless = (
        length(scaled_by_openings(table(1.004), 0.003)),
        length(scaled_by_openings(table(1.004, jitter_mm=2.0), 0.003)),
    )
    assert careful < careless < 23 * 50.8


def test_where_no_rims_were_compared_the_openings_tell_the_scale():
    # Openings 10 % narrow (0.1054 in the logarithm) are 1.5 sigma from a scale known to 7 %. The
    # share of a course laid otherwise is 0.02 * 0.689 / 0.122 of 0.98 * 0.322 / 0.070, that is
    # 2.4 %, and the scale then changes by 0.0346 only: by 0.1037 on average.
    told = scaled_by_openings(table(0.9), UNSURE_SIGMA)
    assert length(told) == pytest.approx(23 * 50.8 * math.exp(0.1037), rel=3e-4)
    assert told.scale_sigma < 0.016


def test_a_course_laid_much_wider_on_purpose_is_left_as_the_rims_have_it():
    # Openings 20 % wide are 4.5 sigma from the rules' even where the rims are mistaken. So the
    # course was laid otherwise, with a spread of 10 %, beside which the rims hardly move. That the
    # rims are mistaken as well has 11 % of the weight; then the scale is 0.025 too large, known to
    # 3.7 %. That they are and the course was laid by the rules (0.182 too large) has 0.2 %.
    held = scaled_by_openings(table(1.20), 0.003)
    assert length(held) == pytest.approx(23 * 50.8 * (1 - 0.00338), rel=2e-4)
    assert held.scale_sigma == pytest.approx(0.0171, rel=0.03)


def test_rims_and_openings_that_contradict_each_other_leave_the_scale_unsure():
    # Openings are 4 % wide, and the rims have an error of 1.2 %. Either the tiles look 4 % too
    # small: then the scale is 0.0392 * 1.2^2 / (1.2^2 + 0.2^2) = 0.0382 too large, known to
    # 0.20 %, or 0.0391 if the rims are mistaken. Or the course was laid so: then it is 0.0006 too
    # large, known to 1.19 %. The weights: 0.9 * 0.98 * exp(-3.22^2 / 2) / 0.01217 = 0.401,
    # 0.1 * 0.98 * exp(-0.98^2 / 2) / 0.0401 = 1.515 and 0.9 * 0.02 * exp(-0.39^2 / 2) / 0.1007 =
    # 0.166 (and 0.017 for both), together 0.0356 on average (a factor of 1 - 0.0350), spread by
    # 0.0119.
    held = scaled_by_openings(table(1.04), 0.012)
    assert length(held) == pytest.approx(23 * 50.8 * (1 - 0.0350), rel=1e-3)
    assert held.scale_sigma == pytest.approx(0.0119, rel=0.03)


def test_rims_that_seem_sure_do_not_outvote_openings_that_contradict_them():
    # Openings are 3 % wide, rims sure to 0.35 %, 7 sigma of both. Either the course was laid so,
    # or something else was taken for the rims: 0.9 * 0.02 * 0.96 / 0.1 = 0.172 against
    # 0.1 * 0.98 * 0.76 / 0.04 = 1.864 (and 0.018 for both): 0.0268 on average, which is a factor of
    # 1 - 0.0264, spread by 0.0094.
    held = scaled_by_openings(table(1.03), 0.0035)
    assert length(held) == pytest.approx(23 * 50.8 * (1 - 0.0264), rel=1e-3)
    assert held.scale_sigma == pytest.approx(0.0094, rel=0.03)


def test_a_scaled_table_shows_the_same_picture():
    before = table()
    after = scaled(before, 1.01)
    for name, tile in before.course.tiles.items():
        seen = before.view.to_image(np.array([tile.centre_mm]))
        assert after.view.to_image(np.array([after.course.tiles[name].centre_mm])) == pytest.approx(
            seen, abs=1e-6
        )
    assert after.edge[0].end_mm == pytest.approx((1212.0, -303.0))


def test_surer_rims_give_way_less():
    # Rims have an error of 0.1 %, openings of 0.2 %: the scale changes by a fifth of the
    # difference, 0.000798, in 80.1 parts of the weight, by 0.00398 in 2.43 parts in which the
    # rims are mistaken, and not in 0.18 parts in which the course was laid otherwise.
    assert length(scaled_by_openings(table(1.004), 0.001)) == pytest.approx(
        23 * 50.8 * (1 - 0.000889), rel=1e-5
    )


def test_the_scale_is_as_sure_as_rims_and_openings_together():
    # Two measurements of 0.2 % each give 0.2 % / sqrt(2) in 311.9 parts of the weight, and 0.2 % in
    # 2.6 parts in which one of them does not count; in 0.019 parts neither does, and 3.7 % is left.
    assert scaled_by_openings(table(), 0.002).scale_sigma == pytest.approx(0.001449, rel=0.002)
