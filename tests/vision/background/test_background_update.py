"""What a hand left behind in the background differs from a present hand in which of the two
pictures has its outline.
"""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.background.background_update import left_behind
from referee.vision.background.foreground import Foreground, sort_foreground
from referee.vision.image.picture import Bytes, Rect

HEIGHT, WIDTH = 90, 160
WATCHED = np.full((HEIGHT, WIDTH), 255, np.uint8)
STEP = 4.0


def wood(seed: int = 1) -> Bytes:
    """Return a grained table: bands 6 rows high that differ by 8 grey levels, and a little
    noise.
    """
    bands = 110 + 8 * ((np.arange(HEIGHT) // 6) % 2)
    return np.clip(
        bands[:, None] + np.random.default_rng(seed).normal(0, 1, (HEIGHT, WIDTH)), 0, 255
    ).astype(np.uint8)


def with_hand(table: Bytes, left: int, brightness: int = 170) -> Bytes:
    """Return a table with a hand and its arm, 30 columns wide, from the lower border."""
    seen = table.copy()
    seen[40:, left : left + 30] = brightness
    return seen


def foreground_of(now: Bytes, was: Bytes) -> Foreground:
    differs = np.where(np.abs(now.astype(int) - was) > 1.4 * STEP, 255, 0).astype(np.uint8)
    dark = np.zeros((HEIGHT, WIDTH), np.uint8)
    return sort_foreground(differs, Rect(0, 0, WIDTH, HEIGHT), WATCHED, 16.0, 4, lambda: dark)


def test_a_hand_that_has_gone_left_its_place_behind():
    now, was = wood(), with_hand(wood(2), 50)
    behind = left_behind(foreground_of(now, was), now, was, WATCHED, STEP)
    assert behind is not None
    assert (behind[42:, 50:80] == 255).all()
    assert not behind[:30].any() and not behind[:, :40].any() and not behind[:, 90:].any()


@pytest.mark.parametrize("brightness", [60, 170])
def test_a_hand_that_is_there_left_nothing_behind(brightness):
    now, was = with_hand(wood(), 50, brightness), wood(2)
    assert left_behind(foreground_of(now, was), now, was, WATCHED, STEP) is None


def test_of_two_only_the_one_that_has_gone_is_left_behind():
    now, was = with_hand(wood(), 20), with_hand(wood(2), 100)
    behind = left_behind(foreground_of(now, was), now, was, WATCHED, STEP)
    assert behind is not None
    assert (behind[42:, 100:130] == 255).all() and not behind[:, :90].any()


def test_a_shadow_over_everything_has_no_outline_and_is_not_judged():
    now, was = (0.7 * wood()).astype(np.uint8), wood(2)
    assert left_behind(foreground_of(now, was), now, was, WATCHED, STEP) is None


def test_where_no_hand_is_nothing_is_left_behind():
    assert left_behind(foreground_of(wood(), wood(2)), wood(), wood(2), WATCHED, STEP) is None
