"""Squares of one size are grouped by their colours."""

import cv2
import numpy as np

from calibration.rough_survey.colours_of_squares import alike_in_colour, colours_of

SIDE_PX = 40


def test_tiles_among_the_equally_large_squares_of_a_cloth_are_a_group_of_their_own() -> None:
    # A cloth of 8 by 12 red squares in a pink ground; five squares are pale tiles with a cross, and
    # two are blue, too few to tell of a plane. On the right the light is a tenth weaker.
    rng = np.random.default_rng(2)
    tiles, blue = {(0, 3), (2, 9), (4, 1), (5, 6), (7, 10)}, {(1, 1), (6, 8)}
    picture = np.full((8 * 60, 12 * 60, 3), (190, 160, 230), dtype=np.float64)
    squares, pale = [], []
    for row in range(8):
        for column in range(12):
            x, y = 60 * column + 10, 60 * row + 10
            square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * SIDE_PX + (x, y) + 0.3
            colour = (60, 80, 170)
            if (row, column) in tiles:
                colour = (205, 220, 225)
                pale.append(square)
            elif (row, column) in blue:
                colour = (180, 60, 40)
            picture[y : y + SIDE_PX, x : x + SIDE_PX] = colour
            if (row, column) in tiles:
                picture[y + 19 : y + 21, x : x + SIDE_PX] *= 0.6
            squares.append(square)
    picture *= np.linspace(1.0, 0.9, picture.shape[1])[None, :, None]
    picture += rng.normal(0.0, 4.0, picture.shape)
    still = cv2.GaussianBlur(picture.clip(0, 255).astype(np.uint8), (0, 0), 1.0)

    groups = [[squares[k] for k in group] for group in alike_in_colour(colours_of(still, squares))]

    assert [len(group) for group in groups] == [5, 89]
    assert np.array_equal(groups[0], pale)


def test_without_squares_there_is_no_group() -> None:
    assert alike_in_colour(colours_of(np.zeros((10, 10, 3), dtype=np.uint8), [])) == []
