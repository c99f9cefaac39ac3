"""Squares that were found smaller than the tiles are: the rules' openings tell by how much."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.course.course_fit import CourseFit
from calibration.rough_survey.arranged import Arranged, is_enough
from calibration.rough_survey.arranged_squares import sized_by_rules
from referee.domain.layout import template_course
from tests.vision.drawn import looking

TILE_MM = 50.0


@pytest.mark.parametrize("course", ["tabletop-croquet", "carroms"])
@pytest.mark.parametrize("share", [0.8, 1.0, 1.1])
def test_squares_get_the_size_that_the_rules_ask_for(course: str, share: float) -> None:
    """A square that is a share of a tile is taken for a whole one. So all distances, and that of
    the camera, seem larger by the inverse of that share.
    """
    template = template_course(course, TILE_MM)
    names = [*template.tiles]
    true_mm = np.array([template.tiles[name].centre_mm for name in names])
    fit = CourseFit(0.0, (1.0, 1.0), (0.0, 0.0), {name: k for k, name in enumerate(names)}, 20.0)
    found = Arranged(looking(), true_mm / share, np.zeros(len(names)), fit)
    sized = sized_by_rules(found, template)
    assert sized.larger == pytest.approx(1 / share)
    assert sized.centres_mm == pytest.approx(true_mm)
    assert sized.view.position_mm == pytest.approx(found.view.position_mm * share)
    # the picture shows the squares where it showed them before
    flat = np.zeros((len(names), 1))
    assert sized.view.to_image(np.hstack((sized.centres_mm, flat))) == pytest.approx(
        found.view.to_image(np.hstack((found.centres_mm, flat)))
    )


@pytest.mark.parametrize(
    ("share", "enough"), [(0.7, False), (0.85, True), (1.0, True), (1.2, True), (1.35, False)]
)
def test_squares_much_smaller_or_larger_than_tiles_are_not_enough(
    share: float, enough: bool
) -> None:
    """Checks of a cloth may lie like a course, too. Enlarging them does not make them tiles."""
    template = template_course("tabletop-croquet", TILE_MM)
    names = [*template.tiles]
    at_mm = np.array([template.tiles[name].centre_mm for name in names]) / share
    fit = CourseFit(0.0, (1.0, 1.0), (0.0, 0.0), {name: k for k, name in enumerate(names)}, 20.0)
    found = Arranged(looking(), at_mm, np.zeros(len(names)), fit)
    assert is_enough(found, template) == enough
    assert is_enough(sized_by_rules(found, template), template) == enough


def test_a_few_openings_say_nothing_about_the_size() -> None:
    template = template_course("tabletop-croquet", TILE_MM)
    names = [f"wicket-{k}-{side}" for k in range(1, 5) for side in ("left", "right")]
    at_mm = np.array([template.tiles[name].centre_mm for name in names]) / 0.8
    fit = CourseFit(0.0, (1.0, 1.0), (0.0, 0.0), {name: k for k, name in enumerate(names)}, 8.0)
    found = Arranged(looking(), at_mm, np.zeros(len(names)), fit)
    assert sized_by_rules(found, template) is found
