"""A face is correlated with every window of a picture, in the turn that fits best."""

import cv2
import numpy as np

from calibration.rough_survey.turned_face import best_turns

TURNS_DEG = np.array([-12.0, 0.0, 12.0])
SIDE = 21


def blurred_noise(height, width, seed):
    noise = np.random.default_rng(seed).uniform(0, 255, (height, width, 3)).astype(np.float32)
    return cv2.GaussianBlur(noise, (0, 0), 2)


def turned(face, degrees):
    middle = ((SIDE - 1) / 2, (SIDE - 1) / 2)
    matrix = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    return cv2.warpAffine(face, matrix, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)


def test_the_correlation_is_that_of_opencv_in_pictures_of_every_size():
    face = blurred_noise(SIDE, SIDE, 1)
    for height, width in ((SIDE, SIDE), (60, 128), (129, 150), (230, 340)):
        picture = blurred_noise(height, width, 2)
        each = [
            cv2.matchTemplate(picture, turned(face, degrees), cv2.TM_CCOEFF_NORMED)
            for degrees in TURNS_DEG
        ]
        best, turn = best_turns(picture, face, TURNS_DEG)
        assert np.allclose(best, np.max(each, axis=0), atol=1e-3)
        assert np.allclose(np.take_along_axis(np.array(each), turn[None], 0)[0], best, atol=1e-3)


def test_a_face_that_lies_there_turned_is_found_with_its_turn():
    picture, face = blurred_noise(200, 300, 3), blurred_noise(SIDE, SIDE, 4)
    picture[140 : 140 + SIDE, 210 : 210 + SIDE] = 0.5 * turned(face, 12.0) + 20.0
    best, turn = best_turns(picture, face, TURNS_DEG)
    assert np.unravel_index(best.argmax(), best.shape) == (140, 210)
    assert np.isclose(best[140, 210], 1.0, atol=1e-4)
    assert TURNS_DEG[turn[140, 210]] == 12.0


def test_what_has_no_contrast_is_like_nothing():
    face = blurred_noise(SIDE, SIDE, 5)
    plain = np.full((60, 70, 3), 77.0, dtype=np.float32)
    assert not best_turns(plain, face, TURNS_DEG)[0].any()
    assert not best_turns(blurred_noise(60, 70, 6), plain[:SIDE, :SIDE], TURNS_DEG)[0].any()
