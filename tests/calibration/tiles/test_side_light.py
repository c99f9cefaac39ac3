"""What single tiles show of the table beside them, also where they show nothing of it."""

from __future__ import annotations

import numpy as np

from calibration.lens.camera import Camera, TableView
from calibration.tiles.rim_model import Common
from calibration.tiles.side_light import SideLight
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

SIZES = PieceSizes(50.0, 5.0, 20.0, 4.0)
#: Looks straight down from 1000 mm at 1 px a mm.
VIEW = TableView(
    Camera(800, 800, 1000.0, 1000.0, 399.5, 399.5),
    np.diag([1.0, -1.0, -1.0]),
    np.array([0.0, 0.0, 1000.0]),
)
TILES = [Tile((x, y), 0.0) for x in (-100.0, 100.0) for y in (-100.0, 100.0)]
LIGHT = np.full((800, 800, 3), 0.5, dtype=np.float32)


def test_a_grey_table_is_as_light_beside_grey_tiles_as_they_are() -> None:
    beside = SideLight.of(LIGHT, VIEW, TILES, SIZES, Common(0.0, 0.9, 1.8, 0.9))
    assert beside is not None
    np.testing.assert_allclose(beside.table, 1.0, atol=1e-6)


def test_a_picture_too_blurred_to_show_the_table_beside_its_tiles_gives_numbers_all_the_same() -> (
    None
):
    beside = SideLight.of(LIGHT, VIEW, TILES, SIZES, Common(0.0, 9.0, 1.8, 0.9))
    assert beside is not None
    assert np.isfinite(beside.table).all() and np.isfinite(beside.mean).all()
