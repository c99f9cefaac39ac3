"""The median of pictures of squares, each in four rotations."""

import numpy as np
import pytest

from calibration.tiles.square_grid import median_of_turns


@pytest.mark.parametrize("shape", [(1, 3, 3), (4, 21, 21), (5, 25, 25, 3)])
def test_the_median_is_taken_over_all_pictures_in_all_rotations(shape: tuple[int, ...]) -> None:
    squares = np.random.default_rng(shape[0]).normal(size=shape).astype(np.float32)
    turned = [np.rot90(square, k) for square in squares for k in range(4)]
    found = median_of_turns(squares)
    assert np.array_equal(found, np.median(turned, axis=0))
    assert np.array_equal(found, np.rot90(found))
