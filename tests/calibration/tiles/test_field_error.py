"""Errors over the table compared with displacements worked out by hand."""

import numpy as np
import pytest

from calibration.tiles.field_error import FieldError

# The middle is (600, 0); the root mean square distance from it is 300 mm along x and 400 along y.
PLACES = np.array([[300.0, -400.0], [900.0, -400.0], [300.0, 400.0], [900.0, 400.0]])
SCALE_AND_TURN = np.array([[0.01, -0.02], [0.02, 0.01]])


def test_shift_turn_and_scale_are_no_error_of_the_shape() -> None:
    moved = (PLACES - 600.0) @ SCALE_AND_TURN.T + (3.0, -2.0)
    error = FieldError.of(PLACES, moved[:, :, None])
    assert error.middle_mm == pytest.approx((600.0, 0.0))
    assert error.spread_mm == pytest.approx((300.0, 400.0))
    assert error.sigmas_mm(PLACES, 0.0) == pytest.approx(0.0, abs=1e-6)


def test_a_table_seen_too_long_and_too_narrow_is_wrong_in_proportion_to_the_distance() -> None:
    # By 0.1 % each: 0.3 mm along x and 0.4 mm along y at the places themselves, 0.5 mm in all. That
    # is 0.5 / sqrt(2) along one axis, twice as much twice as far out, and nothing in the middle.
    moved = (PLACES - (600.0, 0.0)) * (0.001, -0.001)
    error = FieldError.of(PLACES, moved[:, :, None])
    far = np.array([[1200.0, 800.0], [600.0, 0.0]])
    assert error.sigmas_mm(PLACES, 0.0) == pytest.approx(0.5 / np.sqrt(2))
    assert error.sigmas_mm(far, 0.0) == pytest.approx([1.0 / np.sqrt(2), 0.0], abs=1e-6)


def test_views_that_are_wrong_independently_add_their_squares() -> None:
    moved = (PLACES - (600.0, 0.0)) * (0.001, -0.001)
    twice = FieldError.of(PLACES, np.stack((3 * moved, 4 * moved), axis=-1))
    assert twice.sigmas_mm(PLACES, 0.0) == pytest.approx(5 * 0.5 / np.sqrt(2))


def test_an_unsure_scale_is_an_error_away_from_the_middle() -> None:
    # 0.2 % of 500 mm is 1 mm along the radius, nothing across it.
    error = FieldError.of(PLACES, np.zeros((4, 2, 1)))
    assert error.sigmas_mm(PLACES, 0.002) == pytest.approx(1.0 / np.sqrt(2))


def test_a_scaled_table_has_the_same_error_at_the_same_tiles() -> None:
    moved = (PLACES - (600.0, 0.0)) * (0.001, -0.001)
    error = FieldError.of(PLACES, moved[:, :, None])
    assert error.scaled(2.0).sigmas_mm(2 * PLACES, 0.0) == pytest.approx(
        error.sigmas_mm(PLACES, 0.0)
    )
