"""What changed is searched for coins once, and beside a hand again when the hand is gone."""

from __future__ import annotations

import numpy as np

from referee.vision.background.foreground import Foreground, sort_foreground
from referee.vision.background.unsearched import Unsearched
from referee.vision.image.picture import Bytes, Rect

SHAPE, COIN_PX = (90, 160), 16.0
BESIDE, CLEAR = Rect(62, 60, 66, 64), Rect(120, 20, 124, 24)  # two coins; a hand ends at x = 60


def frame(*, hand: bool) -> Foreground:
    """Return what differs: both coins, and a hand that reaches in from the left."""
    differs = np.zeros(SHAPE, np.uint8)
    for rect in (BESIDE, CLEAR, Rect(0, 50, 60, 75)) if hand else (BESIDE, CLEAR):
        rect.of(differs)[...] = 255
    watched, light = np.full(SHAPE, 255, np.uint8), np.full(SHAPE, 255, np.uint8)
    return sort_foreground(differs, Rect(0, 0, 160, 90), watched, COIN_PX, 4, lambda: light)


def searched(unsearched: Unsearched, seen: Foreground, *changes: Rect) -> list[bool]:
    """Let parts change and search. Return whether each coin was looked at."""
    change: Bytes = np.zeros(SHAPE, np.uint8)
    for rect in changes:
        rect.of(change)[...] = 255
    unsearched.add(change)
    due = unsearched.due(seen)
    looked = [bool(rect.of(due).any()) for rect in (BESIDE, CLEAR)]
    unsearched.searched(seen)
    return looked


def test_what_does_not_change_beside_a_hand_is_searched_again_once_the_hand_is_gone() -> None:
    unsearched = Unsearched.of(np.full(SHAPE, 255, np.uint8))
    assert searched(unsearched, frame(hand=True), BESIDE, CLEAR) == [True, True]
    assert searched(unsearched, frame(hand=True)) == [False, False]
    assert unsearched.holds(BESIDE) and not unsearched.holds(CLEAR)
    assert searched(unsearched, frame(hand=True), BESIDE) == [True, False]
    assert searched(unsearched, frame(hand=False)) == [True, False]
    assert searched(unsearched, frame(hand=False)) == [False, False]


def test_what_changed_while_nothing_was_searched_for_is_searched_beside_a_hand() -> None:
    unsearched = Unsearched.of(np.full(SHAPE, 255, np.uint8))
    change = np.zeros(SHAPE, np.uint8)
    BESIDE.of(change)[...] = 255
    unsearched.add(change)
    assert searched(unsearched, frame(hand=True)) == [True, False]
