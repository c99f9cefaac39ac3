"""A hand that is over the table from the first picture on, and the table without it. The pictures
are drawn, so where the hand is is known.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.background.opening_background import (
    SHRINK,
    hand_around,
    hand_at_start,
    without_hand,
)
from referee.vision.image.picture import Picture, Rect

WIDTH, HEIGHT = 640, 360
COIN_PX = np.pi * (20 / SHRINK) ** 2  # a coin is 40 px wide
DISC = (400, 150)


def table(light: float = 1.0) -> np.ndarray:
    rows = np.linspace(150, 190, HEIGHT)[:, None] * light
    return np.broadcast_to(rows, (HEIGHT, WIDTH)).copy()


def disc(luma: np.ndarray, at: tuple[int, int]) -> np.ndarray:
    cv2.circle(luma, at, 20, 90.0, cv2.FILLED, cv2.LINE_AA)
    return luma


def arm(luma: np.ndarray) -> np.ndarray:
    """Draw an arm from the left border to x = 300, between y = 180 and 260."""
    luma[180:260, :300] = 110.0
    return luma


def picture(luma: np.ndarray) -> Picture:
    return Picture(np.clip(np.rint(luma), 0, 255).astype(np.uint8))


@pytest.mark.parametrize("light", [1.0, 0.85])
def test_a_hand_in_the_first_picture_is_found_in_any_light(light):
    """The exposure of the first picture is another one, and a disc has moved since."""
    bare = picture(disc(table(), (500, 300)))
    hand = hand_at_start(picture(arm(disc(table(light), DISC))), bare, COIN_PX)
    assert hand is not None
    full = cv2.resize(hand, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST) > 0
    assert full[190:250, :290].all()
    assert not full[:165].any() and not full[275:].any() and not full[:, 320:].any()


def test_a_disc_that_moved_is_no_hand():
    bare = picture(disc(table(), (500, 300)))
    assert hand_at_start(picture(disc(table(), DISC)), bare, COIN_PX) is None


def test_the_table_shows_where_the_hand_was_but_for_a_disc_beside_it():
    touching = (315, 220)  # the arm covers a part of it
    bare, first = picture(table()), picture(arm(disc(table(), touching)))
    hand = hand_at_start(first, bare, COIN_PX)
    assert hand is not None
    seen = without_hand(first, bare, hand, [Rect(294, 199, 337, 242)])
    assert np.abs(seen.luma[:, :290].astype(int) - bare.luma[:, :290]).max() <= 1
    assert (seen.luma[205:235, 305:330] == first.luma[205:235, 305:330]).all()


def test_a_circle_within_the_hand_is_all_hand_and_one_beside_it_is_not():
    hand = hand_at_start(picture(arm(table())), picture(table()), COIN_PX)
    assert hand is not None
    assert hand_around(hand, (150.0, 220.0), 28.0) == 1.0
    assert hand_around(hand, (322.0, 220.0), 28.0) < 0.5  # it reaches 6 px into the arm
    assert hand_around(hand, DISC, 28.0) == 0.0
