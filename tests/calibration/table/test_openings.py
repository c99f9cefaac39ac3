"""The scale from the wickets' openings, computed by hand."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from calibration.table.openings import scaled, scaled_by_openings, with_scale_warning
from calibration.table.surveyed_table import SurveyedTable
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
    # All nine openings are 0.4 % wide. Their error is at least that of the rims (0.3 % each), so
    # the scale changes by half of the difference.
    assert length(scaled_by_openings(table(1.004), 0.003)) == pytest.approx(
        23 * 50.8 * (1 - 0.002), rel=1e-5
    )


def test_openings_that_differ_among_themselves_say_less():
    careful, careless = (
        length(scaled_by_openings(table(1.004), 0.003)),
        length(scaled_by_openings(table(1.004, jitter_mm=2.0), 0.003)),
    )
    assert careful < careless < 23 * 50.8


def test_a_course_laid_wider_on_purpose_is_left_as_the_rims_have_it():
    wide = table(1.05)
    held = scaled_by_openings(wide, 0.003)
    assert held.course is wide.course and held.view is wide.view and held.edge is wide.edge


def test_rims_badly_seen_that_openings_contradict_leave_the_scale_as_unsure_as_the_two_differ():
    # Openings are 5 % wide, and the rims have an error of 1.2 %: either the course was laid so, or
    # the tiles look 5 % too small. log(1.05) is 0.0488.
    wide = table(1.05)
    held = scaled_by_openings(wide, 0.012)
    assert held.course is wide.course
    assert held.scale_sigma == pytest.approx(0.0488, abs=1e-4)


def test_an_unsure_scale_is_told_with_what_it_does_over_the_course():
    # The endposts' middles are 23 tile widths of 50.8 mm apart: 1168 mm, and 1.2 % of that is 14
    # mm.
    (words,) = with_scale_warning(replace(table(), scale_sigma=0.012)).warnings
    assert words.startswith(
        "the scale is known to 1.2% only (tiles out of focus or in glare), 14 mm from one end of"
        " the course to the other"
    )
    assert "--endposts-mm" in words
    assert with_scale_warning(replace(table(), scale_sigma=0.004)).warnings == ()


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
    # Rims have an error of 0.1 %, openings of 0.3 %: the scale changes by a tenth of the
    # difference.
    assert length(scaled_by_openings(table(1.004), 0.001)) == pytest.approx(
        23 * 50.8 * (1 - 0.0004), rel=1e-5
    )


def test_the_scale_is_as_sure_as_rims_and_openings_together():
    # Two measurements of 0.3 % each give 0.3 % / sqrt(2). Openings 2 % wide were laid on purpose,
    # so the rims alone remain.
    assert scaled_by_openings(table(), 0.003).scale_sigma == pytest.approx(0.003 / 2**0.5)
    assert scaled_by_openings(table(1.02), rims_sigma=0.002).scale_sigma == pytest.approx(0.002)
