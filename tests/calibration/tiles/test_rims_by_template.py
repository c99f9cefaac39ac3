"""A tile's edges come from the first of several pictures in which it looks like the others."""

import numpy as np
import pytest

from calibration.tiles import template_match
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


def test_how_all_tiles_must_be_turned_is_measured_where_more_than_half_of_them_are_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An arm hides three of the six tiles in the first picture."""
    measured = []
    whole, hidden, askew_deg = even_light(picture()), picture(), template_match._askew_deg

    def noted(light: object, view: object, tiles: dict[str, object], sizes: object) -> float:
        measured.append(len(tiles))
        return askew_deg(light, view, tiles, sizes)

    monkeypatch.setattr(template_match, "_askew_deg", noted)
    hidden[160:360] = 130
    assert set(rims_by_template([even_light(hidden), whole, whole], VIEW, TILES, SIZES)) == {*TILES}
    assert measured[0] <= 3 and measured[1:] == [6]
