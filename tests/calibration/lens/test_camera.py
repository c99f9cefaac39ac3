"""The camera over a table: where a single point is seen, and which place a pixel shows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.lens.camera import Camera, TableView

LENS = (-0.1, 0.03, 0.0006, -0.0004, 0.002)


def tilted(tilt: float, lens: tuple[float, float, float, float, float]) -> TableView:
    """Return a camera a metre from the table's origin, tilted by `tilt` from looking straight
    down.
    """
    c, s = math.cos(tilt), math.sin(tilt)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, -c, -s], [0.0, s, -c]])
    return TableView(
        Camera(1280, 720, 900.0, 910.0, 642.0, 357.0, lens), turn, np.array([0.0, 0.0, 1000.0])
    )


@given(st.floats(-500, 500), st.floats(-250, 250), st.floats(0, 30), st.floats(0, 0.9))
@settings(max_examples=60, deadline=None)
def test_one_point_is_seen_where_many_are(x, y, z, tilt):
    view = tilted(tilt, LENS)
    assert view.pixel_of(x, y, z) == pytest.approx(
        view.to_image(np.array([[x, y, z], [0.0, 0.0, 0.0]]))[0], abs=1e-9
    )


@given(st.floats(-400, 400), st.floats(-200, 200), st.floats(0, 30), st.floats(0, 0.6))
@settings(max_examples=60, deadline=None)
def test_a_pixel_shows_the_place_that_is_seen_there(x, y, z, tilt):
    view = tilted(tilt, LENS)
    assert view.place_of(*view.pixel_of(x, y, z), z) == pytest.approx((x, y), abs=1e-4)


def test_straight_below_a_pinhole_a_millimetre_is_the_focal_length_over_the_distance():
    view = tilted(0.0, (0.0, 0.0, 0.0, 0.0, 0.0))
    assert view.pixel_of(0.0, 0.0, 0.0) == pytest.approx((642.0, 357.0))
    assert view.pixel_of(100.0, -100.0, 0.0) == pytest.approx(
        (642.0 + 90.0, 357.0 + 91.0)
    )  # y goes up the table, rows go down
    assert view.pixel_of(100.0, 0.0, 100.0) == pytest.approx(
        (642.0 + 100.0, 357.0)
    )  # 100 mm closer to the camera
