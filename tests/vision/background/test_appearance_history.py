"""Pixels that turn back and forth are no motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from referee.vision.background.appearance_history import AppearanceHistory
from referee.vision.image.picture import Bytes, different
from referee.vision.image.projection_cache import ProjectionCache
from tests.vision.drawn import SIZES, looking

HEIGHT, WIDTH, STEP = 60, 90, 4.0
ALL = np.full((HEIGHT, WIDTH), 255, np.uint8)


def table(**levels: int) -> Bytes:
    """Return a table of grey 120 with square patches of other levels: `x20=140` is 3 pixels wide,
    from column 20 on.
    """
    seen = np.full((HEIGHT, WIDTH), 120, np.uint8)
    for place, level in levels.items():
        left = int(place.removeprefix("x"))
        seen[30:33, left : left + 3] = level
    return seen


def changes(frames: Sequence[Bytes]) -> list[int]:
    """Return how many pixels of each frame but the first count as changed."""
    projections = ProjectionCache(looking(0.0), SIZES.coin_thickness_mm, 1, WIDTH, HEIGHT)
    history, counts = AppearanceHistory(projections, SIZES.coin_mm), []
    for k, frame in enumerate(frames):
        if k:
            change = different(frame, frames[k - 1], ALL, STEP)
            counts.append(int(np.count_nonzero(history.without_flicker(change, frame, STEP))))
        history.add(k / 30, frame)
    return counts


def test_pixels_that_turn_back_and_forth_change_only_once() -> None:
    dark, light = table(x20=112), table(x20=121)
    assert changes([dark, light, dark, light, dark]) == [9, 0, 0, 0]


def test_what_moves_gives_new_places_its_level() -> None:
    """A patch goes a pixel to the right in each frame. The three columns under it show the table
    for the first time then. After that, the table is seen again where it was before.
    """
    assert changes([table(**{f"x{x}": 180}) for x in range(20, 26)]) == [6, 6, 6, 3, 3]


@pytest.mark.parametrize("frames_ago", [5, 20])
def test_a_level_of_long_ago_is_new_again(frames_ago: int) -> None:
    frames = [table(x20=180), *[table()] * frames_ago, table(x20=180)]
    assert changes(frames)[-1] == (0 if frames_ago == 5 else 9)


def test_where_much_changes_it_is_motion() -> None:
    light = table()
    light[10:50, 10:80] = 160
    assert changes([table(), light, table(), light])[1:] == [2800, 2800]
