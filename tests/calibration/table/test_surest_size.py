"""Tiles that were found at a wrong size: their rims are compared from two sizes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.table.refine import surest_size
from calibration.tiles.bundle import Adjusted
from calibration.tiles.field_error import FieldError
from calibration.tiles.scale_estimate import resized
from tests.calibration.tiles.test_scale_estimate import SIZES, TILES, drawn, looking_down

TRUE = Adjusted(looking_down(25.0), {str(k): t for k, t in enumerate(TILES)}, 0.1, {}, FieldError())


@pytest.mark.parametrize(
    ("larger", "found_larger"),
    [
        pytest.param(1.0, 1.15, id="openings as the rules ask for"),
        pytest.param(1.15, 1 / 1.15, id="openings that players laid otherwise"),
        pytest.param(1.0, 1.0, id="found at the size that the openings ask for"),
    ],
)
def test_the_rims_decide_between_the_openings_and_the_size_at_which_tiles_were_found(
    larger: float, found_larger: float
) -> None:
    """All tiles seem `larger` by the openings; the squares that were found are that much too large
    or too small. Rims 15 % away are out of reach from there.
    """
    picture = drawn(TRUE.view, 50.8, 2.1)
    begun = resized(TRUE, larger, TRUE.scale_sigma)
    found, _ = surest_size(picture, begun, found_larger, SIZES)
    far, true = (replace(one, sigma_mm=0.0).centre_mm for one in (found.tiles["8"], TILES[8]))
    assert far[0] / true[0] == pytest.approx(1.0, abs=0.01)
    assert found.scale_sigma < 0.01
