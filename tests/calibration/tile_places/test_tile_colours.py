"""Where the colours of tiles are seen on a table with prints."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.tile_places.tile_colours import TileColours
from referee.domain.geometry import distance
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

SIZES = PieceSizes(tile_mm=50.0, tile_thickness_mm=0.0)
#: One pixel a millimetre, straight from above; (0, 0) is at pixel (300, 200).
VIEW = TableView(
    Camera(600, 400, 1000.0, 1000.0, 300.0, 200.0),
    np.diag((1.0, -1.0, -1.0)),
    np.array((0, 0, 1e3)),
)
PAPER, PHOTO, TILE = (225, 230, 230), (70, 62, 60), (42, 52, 62)
TILES = [Tile((x, y), turn) for x, y, turn in ((-150, 100, 4), (0, 90, -6), (160, 110, 0))]
LOST = Tile((20.0, -80.0), 8.0)


def square(picture: NDArray[np.uint8], tile: Tile, colour: tuple[int, int, int]) -> None:
    around = cv2.boxPoints((tile.centre_mm, (50.0, 50.0), tile.rotation_deg))
    px = VIEW.to_image(np.column_stack((around, np.zeros(4))))
    cv2.fillPoly(picture, [np.rint(px).astype(np.int32)], colour)


def drawn(ground: tuple[int, int, int]) -> NDArray[np.uint8]:
    """Draw dark brown tiles, and beside the lost one a photo that is as dark, but blue."""
    picture = np.full((400, 600, 3), ground, np.uint8)
    square(picture, Tile((75.0, -85.0), 8.0), PHOTO)
    for tile in (*TILES, LOST):
        square(picture, tile, TILE)
    noise = np.random.default_rng(3).normal(0.0, 2.0, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_a_tile_is_found_where_its_colours_are_and_not_on_a_print_as_dark() -> None:
    colours = TileColours.of(drawn(PAPER), VIEW, TILES, SIZES)
    near = replace(LOST, centre_mm=(45.0, -70.0), rotation_deg=0.0)
    found = colours.place_near(near, 40.0)
    assert found is not None and distance(found.centre_mm, LOST.centre_mm) < 5.0
    assert not colours.are_odd(LOST)
    assert colours.are_odd(replace(LOST, centre_mm=(75.0, -85.0)))
    assert colours.are_odd(replace(LOST, centre_mm=(46.0, -80.0)))  # half of it on the photo


@pytest.mark.parametrize(("ground", "near_mm"), [(PAPER, (-200.0, -100.0)), (TILE, LOST.centre_mm)])
def test_colours_show_no_place_where_no_tile_is_and_on_a_table_of_these_colours(
    ground: tuple[int, int, int], near_mm: tuple[float, float]
) -> None:
    colours = TileColours.of(drawn(ground), VIEW, TILES, SIZES)
    assert colours.place_near(replace(LOST, centre_mm=near_mm), 40.0) is None


def test_of_two_places_with_these_colours_neither_is_taken() -> None:
    picture = drawn(PAPER)
    square(picture, replace(LOST, centre_mm=(-40.0, -80.0)), TILE)
    colours = TileColours.of(picture, VIEW, TILES, SIZES)
    near = replace(LOST, centre_mm=(-10.0, -80.0))
    assert colours.place_near(near, 40.0) is None
    found = colours.place_near(near, 40.0, [replace(LOST, centre_mm=(-40.0, -80.0))])
    assert found is not None and distance(found.centre_mm, LOST.centre_mm) < 5.0


def test_a_grey_picture_has_no_colours() -> None:
    grey = cv2.cvtColor(drawn(PAPER), cv2.COLOR_BGR2GRAY)
    colours = TileColours.of(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), VIEW, TILES, SIZES)
    assert colours.place_near(LOST, 40.0) is None
    assert not colours.are_odd(replace(LOST, centre_mm=(75.0, -85.0)))
