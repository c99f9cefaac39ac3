"""Whether what is seen has the hue of a coin, beside hands of several hues."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.background.foreground import Foreground
from referee.vision.image.picture import Picture, Rect
from referee.vision.moving_coins.coin_hue import CoinHues, Hue

COIN, LIGHT = (0.028, 0.0), 150.0  # a blueish coin, and how light everything is
HERE = Rect(20, 20, 40, 40)


def hues_beside_a_hand(seen: Hue, hand: Hue | None) -> CoinHues:
    """Return the hues of a picture of 200 x 100 pixels: `seen` at `HERE`, and on the right a hand
    in which the place itself is counted, as it is where only a shadow joins both.
    """
    planes = []
    for k in (0, 1):
        plane = np.full((100, 200), 128.0)
        plane[:, 100:] += LIGHT * (hand[k] if hand else 0.0)
        plane[20:40, 20:40] += LIGHT * seen[k]
        planes.append(plane.round().astype(np.uint8))
    picture = Picture(np.full((100, 200), int(LIGHT), np.uint8), *planes)
    mask = np.zeros((50, 100), np.uint8)
    if hand:
        mask[:, 50:] = mask[10:20, 10:20] = 255
    none = np.zeros((50, 100), np.uint8)
    foreground = Foreground(
        2,
        Rect(0, 0, 100, 50),
        mask,
        none.astype(np.uint16),
        mask,
        hand is not None,
        (),
        78.0,
        lambda: none,
        78.0,
    )
    return CoinHues(picture, foreground, [COIN, (-0.13, 0.04)])


@pytest.mark.parametrize(
    ("seen", "hand", "expected"),
    [
        ((0.027, 0.007), None, True),
        ((0.013, 0.02), None, False),
        ((0.013, 0.02), (-0.1, 0.14), True),
        ((0.013, 0.02), (-0.02, 0.04), False),
        ((-0.08, 0.12), (-0.1, 0.14), False),
    ],
    ids=["a coin", "neither", "a blurred coin", "as near to the hand", "a fingertip"],
)
def test_what_is_much_nearer_to_a_coins_hue_than_to_the_hands_is_a_coin(seen, hand, expected):
    assert hues_beside_a_hand(seen, hand).has_one(HERE) == expected


@pytest.mark.parametrize(
    ("seen", "hand", "expected"),
    [
        ((-0.08, 0.12), (-0.1, 0.14), True),
        ((0.027, 0.007), (-0.1, 0.14), False),
        ((0.013, 0.02), (-0.02, 0.04), False),
        ((-0.08, 0.12), None, False),
    ],
    ids=["a fingertip", "a coin", "nearer to the coin", "no hand"],
)
def test_what_is_nearer_to_the_hands_hue_than_to_a_coins_is_the_hand(seen, hand, expected):
    assert hues_beside_a_hand(seen, hand).has_hands(HERE, [COIN]) == expected


def test_a_coin_is_not_taken_for_a_small_hand_to_which_its_shade_joins_it() -> None:
    """Half of what counts as the hand are the coin's own pixels. The other half are the hand's."""
    hues = hues_beside_a_hand((0.013, 0.02), (-0.1, 0.14))
    hues.foreground.hand[:, 55:] = 0
    hues.foreground.hand[:40, 50:] = 0
    assert np.count_nonzero(hues.foreground.hand) == 150
    assert not hues.has_hands(HERE, [COIN])
