"""Where a bleached tile lies: its face shows nothing, and its outline tells."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.domain.geometry import distance
from referee.domain.layout import Tile, turned
from referee.vision.image.disc import SHADOW_MM
from referee.vision.image.picture import Picture
from referee.vision.tiles.tile_measuring import lies_by_outline, moved_since
from tests.vision.drawn import HEIGHT, SIZES, WIDTH, grey, looking, places_of

VIEW = looking(20.0)
TILE = Tile((10.0, -5.0), 12.0, 1)
FINER = 4


def bleached(*tiles: Tile, covered_from_mm: float = math.inf, seed: int = 1) -> Picture:
    """Draw white tiles on a grey table, and a dark hand over all to the right of
    `covered_from_mm`.
    """
    x = (np.arange(WIDTH * FINER) + 0.5) / FINER - 0.5
    y = (np.arange(HEIGHT * FINER) + 0.5) / FINER - 0.5
    places = places_of(VIEW, x, y, SIZES.tile_thickness_mm)
    white = np.zeros(places.shape[:2], dtype=np.bool_)
    for tile in tiles:
        at, turn = places - np.array(tile.centre_mm), math.radians(tile.rotation_deg)
        along = math.cos(turn) * at[..., 0] + math.sin(turn) * at[..., 1]
        across = math.cos(turn) * at[..., 1] - math.sin(turn) * at[..., 0]
        white |= np.maximum(np.abs(along), np.abs(across)) <= SIZES.tile_mm / 2
    value = np.where(places[..., 0] > covered_from_mm, 40.0, 95.0 + 160.0 * white)
    small = value.reshape(HEIGHT, FINER, WIDTH, FINER).mean(axis=(1, 3))
    return Picture(grey(small + np.random.default_rng(seed).normal(0, 1.5, small.shape)))


def pushed(right: float, up: float, turn: float) -> Tile:
    return Tile((TILE.centre_mm[0] + right, TILE.centre_mm[1] + up), TILE.rotation_deg + turn, 1)


@pytest.mark.parametrize(
    "push",
    [
        (0.0, 0.0, 0.0),
        (0.9, 0.0, 3.0),
        (0.0, 2.0, 0.0),
        (6.0, 0.0, 0.0),
        (-4.0, 3.0, 6.0),
        (2.0, -5.0, -24.0),
    ],
)
def test_a_bleached_tile_is_measured_by_its_outline(push: tuple[float, float, float]) -> None:
    true = pushed(*push)
    found = moved_since(bleached(true, seed=2), bleached(TILE), VIEW, TILE, SIZES)
    assert found is not None
    assert distance(found[0].centre_mm, true.centre_mm) < 0.2
    assert abs(turned(true, found[0])) < 0.3
    assert 0.05 < found[1] < 0.3


@pytest.mark.parametrize("push", [(0.0, 2.0, -3.0), (0.0, -1.5, 2.0)])
def test_a_tile_of_a_row_is_measured_though_its_neighbours_stay(
    push: tuple[float, float, float],
) -> None:
    """Half a millimetre is between them, so that only the two sides along the row show it."""
    turn = math.radians(TILE.rotation_deg)
    step = (SIZES.tile_mm + 0.5) * math.cos(turn), (SIZES.tile_mm + 0.5) * math.sin(turn)
    beside = [pushed(side * step[0], side * step[1], 0.0) for side in (-1, 1)]
    across = push[1]
    true = pushed(-across * math.sin(turn), across * math.cos(turn), push[2])
    now, before = bleached(true, *beside, seed=2), bleached(TILE, *beside)
    found = moved_since(now, before, VIEW, TILE, SIZES, beside)
    assert found is not None
    across_mm = (found[0].centre_mm[1] - true.centre_mm[1]) * math.cos(turn) - (
        found[0].centre_mm[0] - true.centre_mm[0]
    ) * math.sin(turn)
    assert abs(across_mm) < 0.2 and abs(turned(true, found[0])) < 0.5


def test_what_lies_around_a_coin_that_came_to_rest_does_not_count() -> None:
    """A coin pushed the tile and stopped at it. The picture of how the table lay already shows the
    coin, with all that is in reach of it, and with the tile's edge as it lies now.
    """
    true = pushed(0.4, -1.3, -4.2)
    turn = math.radians(true.rotation_deg - 90.0)
    beside_mm = SIZES.tile_mm / 2 + SIZES.coin_mm / 2 + 1.0
    coin_mm = (
        true.centre_mm[0] - beside_mm * math.cos(turn) - 16.0 * math.sin(turn),
        true.centre_mm[1] - beside_mm * math.sin(turn) + 16.0 * math.cos(turn),
    )
    places = places_of(VIEW, np.arange(WIDTH), np.arange(HEIGHT), 0.0) - np.array(coin_mm)
    away_mm = np.hypot(places[..., 0], places[..., 1]) - SIZES.coin_mm / 2
    now, before = bleached(true, seed=2).luma.copy(), bleached(TILE).luma.copy()
    now[away_mm < 0.0] = 30
    before[away_mm < SHADOW_MM] = now[away_mm < SHADOW_MM]
    found = moved_since(Picture(now), Picture(before), VIEW, TILE, SIZES, (), [coin_mm])
    assert found is not None
    assert distance(found[0].centre_mm, true.centre_mm) < 0.2
    assert abs(turned(true, found[0])) < 0.3


def test_a_bleached_tile_on_which_something_was_put_lies_as_it_lay() -> None:
    """Something dark lies on it, over a third of its face, so that the two pictures disagree."""
    now = bleached(TILE, seed=2).luma.copy()
    x, y = VIEW.to_image(np.array([[*TILE.centre_mm, SIZES.tile_thickness_mm]]))[0].astype(int)
    now[y - 24 : y + 20, x - 20 : x + 24] = 40
    found = moved_since(Picture(now), bleached(TILE), VIEW, TILE, SIZES)
    assert found is not None and found[0] == TILE


def test_an_even_face_without_an_outline_tells_nothing() -> None:
    """The table is as white as the tile."""
    white = Picture(np.full((HEIGHT, WIDTH), 240, np.uint8))
    assert moved_since(white, white, VIEW, TILE, SIZES) is None


@pytest.mark.parametrize(("off", "seen"), [((0.0, 0.0, 0.0), True), ((4.0, 0.0, 0.0), False)])
def test_a_bleached_tile_lies_where_its_outline_is_seen(
    off: tuple[float, float, float], seen: bool
) -> None:
    assert lies_by_outline(bleached(pushed(*off)), VIEW, TILE, SIZES) == seen


def test_a_hand_over_an_edge_leaves_no_whole_outline() -> None:
    now = bleached(pushed(6.0, 0.0, 0.0), covered_from_mm=25.0, seed=2)
    assert moved_since(now, bleached(TILE), VIEW, TILE, SIZES) is None
