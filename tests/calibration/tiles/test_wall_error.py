"""Bleached walls that may have been taken for faces make a view unsure, as geometry says."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from calibration.tiles.bundle import Adjusted
from calibration.tiles.field_error import FieldError
from calibration.tiles.wall_error import with_wall_error
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

SIZES = PieceSizes(50.0, 5.0, 20.0, 4.0)
#: Looks down at 45 degrees from 1000 mm in front of the table's middle and above it.
VIEW = TableView(
    Camera(1280, 720, 1000.0, 1000.0, 639.5, 359.5),
    np.array(
        [[1.0, 0.0, 0.0], [0.0, -np.sqrt(0.5), -np.sqrt(0.5)], [0.0, np.sqrt(0.5), -np.sqrt(0.5)]]
    ),
    np.array([0.0, 0.0, np.sqrt(2.0) * 1000.0]),
)
TILES = {f"{x} {y}": Tile((x, y), 0.0) for x in (-100.0, 100.0) for y in (-100.0, 100.0)}


def adjusted() -> Adjusted:
    field = FieldError.of(np.array([t.centre_mm for t in TILES.values()]), np.zeros((4, 2, 1)))
    return Adjusted(VIEW, TILES, 0.1, dict.fromkeys(TILES, 0.1), field, 0.0)


def test_white_walls_may_make_every_tile_a_tenth_longer() -> None:
    """At 45 degrees a wall of 5 mm appears 5 mm wide, a tenth of a tile. So a place 100 mm towards
    the camera may be 10 mm off, half of it by the scale and half by a stretch along y.
    """
    white = np.full((720, 1280, 3), 255, dtype=np.uint8)
    unsure = with_wall_error(adjusted(), white, SIZES)
    assert unsure.scale_sigma == pytest.approx(0.05, rel=0.1)
    along_y = unsure.field.sigmas_mm(np.array([[0.0, -100.0]]), 0.0)[0] * np.sqrt(2)
    assert along_y == pytest.approx(5.0, rel=0.1)


def test_faces_that_are_not_bleached_leave_the_view_as_it_is() -> None:
    grey = np.full((720, 1280, 3), 128, dtype=np.uint8)
    assert with_wall_error(adjusted(), grey, SIZES) == adjusted()
