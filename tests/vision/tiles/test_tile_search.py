"""Whether a tile lies as it lay, from its printed face alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.domain.layout import Tile
from referee.vision.image.picture import Picture
from referee.vision.tiles.tile_search import lies_as_it_lay, search_far, search_tile
from tests.vision.drawn import HEIGHT, SIZES, WIDTH, grey, looking, places_of

VIEW = looking(20.0)
TILE = Tile((10.0, -5.0), 12.0, 1)
FINER = 4


def seen(
    tile: Tile, light: float = 1.0, covered_from_mm: float = math.inf, seed: int = 1
) -> Picture:
    """Draw a table with one tile: light wood, two dark lines across each other and a dot, and a
    dark area over everything to the right of `covered_from_mm`.

    The tile is drawn on the plane of the coins' faces, although its own face lies higher by half.
    That is the same for all pictures of a test.
    """
    x = (np.arange(WIDTH * FINER) + 0.5) / FINER - 0.5
    y = (np.arange(HEIGHT * FINER) + 0.5) / FINER - 0.5
    at = places_of(VIEW, x, y, SIZES.coin_thickness_mm) - np.array(tile.centre_mm)
    turn = math.radians(tile.rotation_deg)
    along, across = (
        math.cos(turn) * at[..., 0] + math.sin(turn) * at[..., 1],
        math.cos(turn) * at[..., 1] - math.sin(turn) * at[..., 0],
    )
    value = np.where(np.maximum(np.abs(along), np.abs(across)) <= SIZES.tile_mm / 2, 180.0, 90.0)
    printed = (np.minimum(np.abs(along), np.abs(across)) < 2.0) | (
        np.hypot(along - 12, across - 12) < 4.0
    )
    value = np.where(printed & (value > 100), 70.0, value) * light
    value = np.where(at[..., 0] + tile.centre_mm[0] > covered_from_mm, 40.0, value)
    small = value.reshape(HEIGHT, FINER, WIDTH, FINER).mean(axis=(1, 3))
    return Picture(grey(small + np.random.default_rng(seed).normal(0, 1.5, small.shape)))


def pushed(right: float, up: float, turn: float) -> Tile:
    return Tile((TILE.centre_mm[0] + right, TILE.centre_mm[1] + up), TILE.rotation_deg + turn, 1)


@pytest.mark.parametrize("light", [1.0, 0.8, 1.15])
def test_a_tile_nobody_moved_lies_as_it_lay_whatever_the_light(light):
    assert lies_as_it_lay(seen(TILE, light, seed=2), seen(TILE), VIEW, TILE, SIZES)


def test_a_shadow_that_falls_across_it_moves_nothing():
    shaded = Picture(grey(seen(TILE, seed=2).luma * np.linspace(1.0, 0.6, WIDTH)[None, :]))
    assert lies_as_it_lay(shaded, seen(TILE), VIEW, TILE, SIZES)


@pytest.mark.parametrize(
    "push",
    [
        (0.7, 0.0, 0.0),
        (0.0, -0.7, 0.0),
        (0.0, 0.0, 1.0),
        (3.0, 0.0, 0.0),
        (0.0, 2.0, 10.0),
        (25.0, 0.0, 0.0),
    ],
)
def test_a_tile_pushed_as_far_as_counts_does_not(push):
    assert not lies_as_it_lay(seen(pushed(*push), seed=2), seen(TILE), VIEW, TILE, SIZES)


@pytest.mark.parametrize("edge", [5.0, 20.0])
def test_of_a_tile_half_covered_nothing_is_said(edge):
    assert not lies_as_it_lay(
        seen(TILE, covered_from_mm=edge, seed=2), seen(TILE), VIEW, TILE, SIZES
    )


@pytest.mark.parametrize("push", [(12.0, 0.0, 0.0), (0.0, -18.0, 20.0), (6.0, 6.0, -30.0)])
def test_a_pushed_tile_is_found_roughly(push):
    found = search_tile(seen(pushed(*push), seed=2), seen(TILE), VIEW, TILE, SIZES)
    assert found is not None
    assert (
        np.hypot(
            found.centre_mm[0] - TILE.centre_mm[0] - push[0],
            found.centre_mm[1] - TILE.centre_mm[1] - push[1],
        )
        < 2.1
    )
    assert abs(found.rotation_deg - TILE.rotation_deg - push[2]) <= 2.6


@pytest.mark.parametrize("push", [(23.0, 0.0, -1.0), (-30.0, 30.0, 15.0), (0.0, 55.0, -7.0)])
def test_a_tile_pushed_far_is_found_when_it_is_looked_for_far_off(push):
    after = seen(pushed(*push), seed=2)
    assert search_tile(after, seen(TILE), VIEW, TILE, SIZES) is None
    found = search_far(after, seen(TILE), VIEW, TILE, SIZES)
    assert found is not None
    assert (
        np.hypot(
            found.centre_mm[0] - TILE.centre_mm[0] - push[0],
            found.centre_mm[1] - TILE.centre_mm[1] - push[1],
        )
        < 2.1
    )
    assert abs(found.rotation_deg - TILE.rotation_deg - push[2]) <= 2.6


def test_a_tile_pushed_far_and_half_covered_is_not_found():
    after = seen(pushed(30.0, 0.0, 0.0), covered_from_mm=42.0, seed=2)
    assert search_far(after, seen(TILE), VIEW, TILE, SIZES) is None
