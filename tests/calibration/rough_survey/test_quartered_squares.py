"""A tile is found by the quarters that are printed on its back."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.rough_survey.quartered_squares import divided_squares

MIDDLES = [(-1.1, -1.1), (1.1, -1.1), (1.1, 1.1), (-1.1, 1.1)]  # half sides of a quarter


def _quarters(turn_deg: float, first_corner: int) -> list[np.ndarray]:
    """Return the four quarters of a square seen as 20 px wide each, 2 px apart, about (100, 80)."""
    turn = np.exp(1j * np.radians(turn_deg))
    square = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j])
    found = []
    for x, y in MIDDLES:
        at = 10 * turn * (square + x + 1j * y) + 100 + 80j
        found.append(np.roll(np.column_stack((at.real, at.imag)), first_corner, axis=0))
    return found


@pytest.mark.parametrize("missing", [None, 0, 3])
@pytest.mark.parametrize("turn_deg", [0.0, 30.0, 80.0])
def test_three_of_four_quarters_are_a_square(turn_deg: float, missing: int | None) -> None:
    quads = _quarters(turn_deg, 1)
    if missing is not None:
        del quads[missing]
    squares = divided_squares(quads)
    assert squares
    for square in squares:
        assert square.mean(axis=0) == pytest.approx((100.0, 80.0), abs=1.5)
        sides = np.hypot(*(np.roll(square, -1, axis=0) - square).T)
        # 42 px over two quarters; the border around them is 0.105 of a quarter wide
        assert sides == pytest.approx(np.full(4, 46.2), abs=2.5)


def test_two_quarters_are_no_square() -> None:
    quads = _quarters(10.0, 0)
    assert divided_squares([quads[0], quads[2]]) == []
    assert divided_squares(quads[:2]) == []


def test_squares_of_other_sizes_are_no_quarters_of_one() -> None:
    quads = _quarters(0.0, 0)
    grown = [quads[0], *((q - q.mean(axis=0)) * 1.6 + q.mean(axis=0) for q in quads[1:3])]
    assert divided_squares(grown) == []
