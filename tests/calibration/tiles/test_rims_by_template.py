"""A tile's edges come from the first of several pictures in which it looks like the others."""

import numpy as np
import pytest

from calibration.tiles.rims import even_light
from calibration.tiles.template_match import rims_by_template
from tests.calibration.tiles.test_template_match import SIZES, TILES, VIEW, picture


def test_a_tile_that_the_first_picture_hides_is_measured_in_the_next_and_the_others_in_the_first():
    whole, hidden = even_light(picture()), picture()
    hidden[200:340, 0:350] = 130  # an arm over the fourth tile
    found = rims_by_template([even_light(hidden), whole], VIEW, TILES, SIZES)
    first = rims_by_template([even_light(hidden)], VIEW, TILES, SIZES)
    assert set(TILES) - set(first) == {"tile-3"}
    assert {name: found[name] for name in first} == first
    middle = np.mean([rim.point_mm for rim in found["tile-3"]], axis=0)
    assert middle == pytest.approx(TILES["tile-3"].centre_mm, abs=0.3)
