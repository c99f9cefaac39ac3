"""OpenCV draws points in sixteenths of a pixel."""

from __future__ import annotations

import pytest

from calibration.lens.fixed_point import fixed_point


def test_points_keep_their_shape_and_are_rounded_to_a_sixteenth() -> None:
    assert fixed_point([(0.5, -0.25), (3.0, 0.04)]).tolist() == [[8, -4], [48, 1]]
    assert int(fixed_point(2.5)) == 40


@pytest.mark.parametrize("px", [1e12, float("inf")])
def test_what_lies_far_outside_a_picture_still_fits_opencvs_integers(px: float) -> None:
    assert 2**29 < int(fixed_point(px)) < 2**31
    assert int(fixed_point(-px)) == -int(fixed_point(px))
