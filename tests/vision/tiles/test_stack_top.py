"""Whether a coin lies on a tower, told by how its top looked before. The ace's mark is as large
and as round as a coin, and the coin is as light as the tile, as in many sets.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from referee.domain.geometry import Point, distance
from referee.domain.layout import Tile
from referee.vision.image.picture import Picture
from referee.vision.tiles.coin_on_stack import face_above
from referee.vision.tiles.stack_top import SeenTop, Top, misfit_on, place_on_top, seen_top, top_of
from tests.vision.drawn import HEIGHT, SIZES, WIDTH, grey, looking, places_of

VIEW = looking(20.0)
TOWER = Tile((4.0, -3.0), 8.0, 2)
TOP_MM = 2 * SIZES.tile_thickness_mm
FINER = 4


def drawn(
    coin: Point | None = None,
    *,
    turn_deg: float = 0.0,
    on_mm: float = TOP_MM,
    tower: Tile = TOWER,
    hand_from_mm: float = math.inf,
    light: float = 1.0,
    seed: int = 1,
) -> Picture:
    """Draw a tower with a dark round mark, a coin on it, or `on_mm` over the table, with a dark rim
    and a small mark, and a hand over all that lies to the right of `hand_from_mm`.
    """
    x = (np.arange(WIDTH * FINER) + 0.5) / FINER - 0.5
    y = (np.arange(HEIGHT * FINER) + 0.5) / FINER - 0.5
    value = np.full((HEIGHT * FINER, WIDTH * FINER), 95.0)
    at = places_of(VIEW, x, y, TOP_MM)
    off, turn = at - np.array(tower.centre_mm), math.radians(tower.rotation_deg)
    along = math.cos(turn) * off[..., 0] + math.sin(turn) * off[..., 1]
    across = math.cos(turn) * off[..., 1] - math.sin(turn) * off[..., 0]
    value[np.maximum(np.abs(along), np.abs(across)) <= SIZES.tile_mm / 2] = 200.0
    value[np.hypot(along, across) < 9.0] = 60.0
    if coin is not None:
        face = places_of(VIEW, x, y, on_mm + SIZES.coin_thickness_mm) - np.array(coin)
        away = np.hypot(face[..., 0], face[..., 1])
        value[away <= SIZES.coin_mm / 2] = 120.0
        value[away <= SIZES.coin_mm / 2 - 1.2] = 200.0
        east, north = (2.0 * f(math.radians(turn_deg)) for f in (math.cos, math.sin))
        value[np.hypot(face[..., 0] - east, face[..., 1] - north) < 3.0] = 60.0
    value[at[..., 0] > hand_from_mm] = 140.0
    small = light * value.reshape(HEIGHT, FINER, WIDTH, FINER).mean(axis=(1, 3))
    return Picture(grey(small + np.random.default_rng(seed).normal(0, 1.5, small.shape)))


def seen(picture: Picture, tile: Tile = TOWER) -> SeenTop:
    bare, now = (top_of(p, VIEW, TOWER, SIZES) for p in (drawn(), picture))
    assert bare is not None and now is not None
    return seen_top(now, bare, tile, SIZES)


@pytest.mark.parametrize("coin", [(4.0, -3.0), (10.0, 6.0), (-7.0, -12.0), (-4.0, 9.0)])
def test_a_coin_on_a_tower_is_found_where_it_lies(coin: Point) -> None:
    found = seen(drawn(coin, seed=2))
    assert found.top is Top.COIN and found.rest is not None
    assert distance(found.rest.at_mm, coin) < 2 * found.rest.sigma_mm


def test_a_coin_whose_face_was_seen_before_is_measured_by_it() -> None:
    """Two of three places lie on the ace's mark, of which the coin hides a part only."""
    lay = (-45.0, 20.0)
    face = face_above(drawn(lay, on_mm=0.0, seed=3), VIEW, lay, SIZES)
    bare = top_of(drawn(), VIEW, TOWER, SIZES)
    assert face is not None and bare is not None
    for coin, turn_deg in (((4.0, -3.0), 200.0), ((9.0, 3.0), 77.0), ((-7.0, -9.0), 0.0)):
        picture = drawn(coin, turn_deg=turn_deg, seed=2)
        now = top_of(picture, VIEW, TOWER, SIZES)
        assert now is not None
        misfit = misfit_on(picture, VIEW, TOWER, SIZES, face)
        rest = seen_top(now, bare, TOWER, SIZES, misfit).rest
        assert rest is not None
        assert distance(rest.at_mm, coin) < 0.5
        assert 0.2 < rest.sigma_mm < 0.6


def test_where_a_coin_lies_on_a_top_that_was_never_seen_without_it_is_told_by_its_face() -> None:
    lay = (-45.0, 20.0)
    face = face_above(drawn(lay, on_mm=0.0, seed=3), VIEW, lay, SIZES)
    assert face is not None
    bare = place_on_top(drawn(seed=2), VIEW, TOWER, SIZES, face)
    for coin, turn_deg in (((4.0, -3.0), 200.0), ((-7.0, -9.0), 40.0)):
        told = place_on_top(drawn(coin, turn_deg=turn_deg, seed=2), VIEW, TOWER, SIZES, face)
        assert told is not None and bare is not None
        assert told[0] > bare[0]
        assert distance(told[1].at_mm, coin) < 1.0


def test_an_ace_is_no_coin_and_other_light_is_none() -> None:
    assert seen(drawn(seed=2)) == SeenTop(Top.BARE)
    assert seen(drawn(light=1.04, seed=2)) == SeenTop(Top.BARE)


@pytest.mark.parametrize("by", [(0.8, 0.0), (0.0, -0.8), (0.6, 0.6)])
def test_a_tower_that_was_struck_and_moved_a_little_is_bare_all_the_same(by: Point) -> None:
    lies = replace(TOWER, centre_mm=(4.0 + by[0], -3.0 + by[1]))
    assert seen(drawn(tower=lies, seed=2)).top is Top.BARE


def test_under_a_hand_nothing_is_known() -> None:
    assert seen(drawn(hand_from_mm=-2.0, seed=2)) == SeenTop(Top.UNCLEAR)


def test_a_tower_that_is_not_in_the_picture_has_no_top() -> None:
    assert top_of(drawn(), VIEW, Tile((125.0, -3.0), 0.0, 2), SIZES) is None
