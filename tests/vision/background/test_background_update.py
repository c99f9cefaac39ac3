"""What a hand left behind in the background differs from a present hand in which of the two
pictures has colours that the table has elsewhere.
"""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.background.background import Background
from referee.vision.background.background_update import left_behind
from referee.vision.background.foreground import Foreground, sort_foreground
from referee.vision.image.picture import Bytes, ChannelMix, Picture, Rect
from tests.vision.drawn import grey

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


def behind_of(now: Bytes, was: Bytes) -> Bytes | None:
    background = Background(Picture(was), was, ChannelMix(), 1)
    return left_behind(foreground_of(now, was), Picture(now), background, WATCHED, now, STEP)


def test_a_hand_that_has_gone_left_its_place_behind():
    now, was = wood(), with_hand(wood(2), 50)
    behind = behind_of(now, was)
    assert behind is not None
    assert (behind[42:, 50:80] == 255).all()
    assert not behind[:30].any() and not behind[:, :40].any() and not behind[:, 90:].any()


@pytest.mark.parametrize("brightness", [60, 170])
def test_a_hand_that_is_there_left_nothing_behind(brightness):
    now, was = with_hand(wood(), 50, brightness), wood(2)
    assert behind_of(now, was) is None


def cloth(hand_left: int | None, seed: int = 1) -> Picture:
    """Return a cloth with white, pink and red cheques, on which a hand may lie. In the colour
    difference V the hand lies between the pink and the red.
    """
    noise = np.random.default_rng(seed)
    reds = (np.arange(HEIGHT) // 9 % 2)[:, None] + (np.arange(WIDTH) // 9 % 2)[None, :]
    planes = np.stack((200.0 - 60.0 * reds, 128.0 - 6.0 * reds, 128.0 + 14.0 * reds))
    if hand_left is not None:
        planes[:, 40:, hand_left : hand_left + 30] = np.reshape((120.0, 110.0, 149.0), (3, 1, 1))
    return Picture(*grey(planes + noise.normal(0, 1, planes.shape)))


def test_on_a_chequered_cloth_that_hides_as_many_edges_as_a_hand_has_colours_tell():
    mix = ChannelMix(0.0, 0.0, 1.0)
    there, gone = cloth(50), cloth(None, 2)
    background = Background(gone, gone.v, mix, 1)
    foreground = foreground_of(there.v, gone.v)
    assert left_behind(foreground, there, background, WATCHED, there.v, STEP) is None


def test_of_two_only_the_one_that_has_gone_is_left_behind():
    now, was = with_hand(wood(), 20), with_hand(wood(2), 100)
    behind = behind_of(now, was)
    assert behind is not None
    assert (behind[42:, 100:130] == 255).all() and not behind[:, :90].any()


def test_a_shadow_over_everything_leaves_no_table_and_is_not_judged():
    now, was = (0.7 * wood()).astype(np.uint8), wood(2)
    assert behind_of(now, was) is None


def test_where_no_hand_is_nothing_is_left_behind():
    assert behind_of(wood(), wood(2)) is None
