"""The grey levels of coins and of the table around them, by which coins are told from shadows."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.coins.coin_template import CoinTemplate
from referee.vision.coins.face_levels import face_levels, levels_at
from referee.vision.image.picture import FULL, Floats, Rect
from referee.vision.image.projection_cache import ProjectionCache
from tests.vision.drawn import SIZES, looking

NONE: Floats = np.zeros((2, 2), dtype=np.float32)


def template(level: float, table_level: float, lifted: bool) -> CoinTemplate:
    return CoinTemplate(
        Rect(0, 0, 2, 2),
        NONE > 1,
        NONE > 1,
        NONE,
        NONE,
        lifted=lifted,
        level=level,
        table_level=table_level,
    )


def test_the_faintest_coin_is_one_that_may_move():
    """Of three coins one lies still: it differs from the table by 2. The others, by 9 and 30."""
    coins = [template(152, 150, False), template(131, 140, True), template(170, 140, True)]
    levels = face_levels(coins)
    assert (levels.darkest, levels.lightest, levels.faintest) == (131.0, 170.0, 9.0)
    assert face_levels(coins[:1]).faintest == FULL


def test_a_coin_is_as_much_lighter_than_the_table_in_brighter_light():
    """Coins of 184 on wood of 160, 1.15 times as light: on wood of 184, as near a window, they are
    lighter by 27.6. On a dark square of 60 a coin differs by its own level.
    """
    levels = face_levels([template(184, 160, True)])
    table = np.array([60, 160, 184], dtype=np.float32)
    assert levels.lighter_than(table, 12.0).tolist() == [True, True, True]
    assert levels.lighter_than(table, 28.0).tolist() == [True, False, False]
    assert levels.darker_than(table, 12.0).tolist() == [False, False, False]
    pale = np.array([210], dtype=np.float32)  # a white square: the coin is darker there
    assert levels.darker_than(pale, 12.0).tolist() == [True]


def test_a_coin_that_may_move_is_hardly_seen_where_the_table_is_as_light_as_it():
    """Of a coin of 152 that stands out from a dark square. The other coin lies still."""
    levels = face_levels([template(152, 60, True), template(100, 60, False)])
    table = np.array([60, 100, 148, 155, 170], dtype=np.float32)
    assert levels.faintest == 92.0
    assert levels.hardly_from(table, 8.0).tolist() == [False, False, True, True, False]
    assert not face_levels([]).hardly_from(table, 8.0).any()


def test_the_level_of_the_table_is_that_around_the_coin_and_not_of_its_shadow():
    view = looking(0.0)
    width, height = view.camera.width // 2, view.camera.height // 2
    seen = ProjectionCache(view, SIZES.coin_thickness_mm, 2, width, height)
    small = np.full((height, width), 140, np.uint8)
    radius_mm = SIZES.coin_mm / 2
    seen.small_rect((0.0, 0.0), 1.15 * radius_mm).of(small)[...] = 110
    seen.small_rect((0.0, 0.0), radius_mm).of(small)[...] = 146
    assert levels_at(small, seen, (0.0, 0.0), radius_mm) == pytest.approx((146.0, 140.0))
