"""Where a tile lies that shows its face: nobody else looks like it, so it is compared with how it
looked before. The drawn face is a crescent, which is not its own mirror image.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.domain.geometry import distance
from referee.domain.layout import Tile, turned
from referee.vision.image.picture import Picture
from referee.vision.tiles.tile_measuring import measure_tile, own_face
from tests.vision.drawn import HEIGHT, SIZES, WIDTH, grey, looking, places_of

VIEW = looking(20.0)
TOWER = Tile((4.0, -3.0), 8.0, 2)
FINER = 4


def tower(tile: Tile | None, seed: int = 1) -> Picture:
    """Draw a white tile with a dark crescent and a small dark spot in a corner, on a grey table."""
    x = (np.arange(WIDTH * FINER) + 0.5) / FINER - 0.5
    y = (np.arange(HEIGHT * FINER) + 0.5) / FINER - 0.5
    value = np.full((HEIGHT * FINER, WIDTH * FINER), 95.0)
    if tile is not None:
        at = places_of(VIEW, x, y, tile.stack * SIZES.tile_thickness_mm) - np.array(tile.centre_mm)
        turn = math.radians(tile.rotation_deg)
        along = math.cos(turn) * at[..., 0] + math.sin(turn) * at[..., 1]
        across = math.cos(turn) * at[..., 1] - math.sin(turn) * at[..., 0]
        value[np.maximum(np.abs(along), np.abs(across)) <= SIZES.tile_mm / 2] = 220.0
        moon = (np.hypot(along, across) < 13.0) & (np.hypot(along - 6.0, across) > 11.0)
        value[moon | (np.hypot(along + 18.0, across + 18.0) < 3.0)] = 40.0
    small = value.reshape(HEIGHT, FINER, WIDTH, FINER).mean(axis=(1, 3))
    return Picture(grey(small + np.random.default_rng(seed).normal(0, 1.5, small.shape)))


@pytest.mark.parametrize("push", [(0.0, 0.0, 0.0), (3.0, -2.0, 4.0), (-5.0, 4.0, -9.0)])
def test_a_tower_is_measured_by_how_it_looked_before(push: tuple[float, float, float]) -> None:
    east, north, turn = push
    true = Tile((TOWER.centre_mm[0] + east, TOWER.centre_mm[1] + north), 8.0 + turn, 2)
    face = own_face(tower(TOWER), VIEW, TOWER, SIZES)
    assert face is not None
    found = measure_tile(tower(true, seed=2), VIEW, TOWER, SIZES, face)
    assert found is not None
    assert distance(found[0].centre_mm, true.centre_mm) < 0.3
    assert abs(turned(true, found[0])) < 0.7


def test_without_its_own_face_a_tower_is_not_measured() -> None:
    assert measure_tile(tower(TOWER), VIEW, TOWER, SIZES) is None


def test_where_no_tower_stands_there_is_no_face_to_remember() -> None:
    assert own_face(tower(None), VIEW, TOWER, SIZES) is None
    assert own_face(tower(Tile((14.0, -3.0), 8.0, 2)), VIEW, TOWER, SIZES) is None
