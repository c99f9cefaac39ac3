"""Which stills show tiles that lie half beside their places, as an arm over them makes it look."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.course.course_fit import CourseFit
from calibration.rough_survey.arranged import Arranged, tiles_aside
from referee.domain.layout import template_course
from tests.vision.drawn import looking

TILE_MM = 50.0


@pytest.mark.parametrize(
    ("off_tiles", "found"), [(0.0, set()), (0.2, set()), (0.5, {"wicket-1-right"})]
)
def test_a_tile_taken_half_a_tile_aside_is_told_and_one_laid_by_hand_is_not(off_tiles, found):
    template = template_course("tabletop-croquet", TILE_MM)
    names = [*template.tiles]
    centres = np.array([template.tiles[name].centre_mm for name in names])
    centres[names.index("wicket-1-right")] += (0.0, off_tiles * TILE_MM)
    fit = CourseFit(0.0, (1.0, 1.0), (0.0, 0.0), {name: k for k, name in enumerate(names)}, 20.0)
    arranged = Arranged(looking(), centres, np.zeros(len(names)), fit)
    assert tiles_aside(arranged, template) == found
    assert tiles_aside(None, template) == set()
