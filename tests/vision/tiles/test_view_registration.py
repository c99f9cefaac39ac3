"""Whether the tiles alone tell how a camera was turned since the survey, on a drawn course."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.lens.camera_change import (
    UNMOVED,
    CameraChange,
    changed_view,
    most_moved_px,
    rotation_of,
)
from referee.domain.geometry import square_corners
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.vision.tiles.view_registration import change_since

Bytes = NDArray[np.uint8]
SIZES = PieceSizes()
CAMERA = Camera(960, 540, 700.0, 700.0, 483.0, 266.0, (-0.1, 0.03, 0.0006, -0.0004, 0.0))
# 900 mm above the middle of the course, looking straight down
VIEW = TableView(CAMERA, np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 900.0]))
PLACES = [(x, y) for x in (-440.0, -230.0, 0.0, 190.0, 430.0) for y in (-210.0, 10.0, 230.0)]
COURSE = Course(
    {f"t{n}": Tile(at, float(3 * (n % 5) - 6), 1) for n, at in enumerate(PLACES)}, SIZES.tile_mm
)
FINE = 8  # pixels are drawn so many times finer, in each direction, in the fractions OpenCV takes


def drawn(view: TableView, course: Course = COURSE) -> Bytes:
    """Return pale tiles, quartered by two dark lines, on a grey table."""
    picture = np.full((540, 960), 105, np.uint8)
    height = SIZES.tile_thickness_mm
    for tile in course.tiles.values():
        corners = np.array(square_corners(tile.centre_mm, SIZES.tile_mm, tile.rotation_deg))
        _fill(picture, view, corners, height, 205)
        for half in (0, 1):
            middle = (corners + np.roll(corners, -1, axis=0)) / 2
            begin, end = middle[half], middle[half + 2]
            beside = 0.02 * (end - begin)[::-1] * (1.0, -1.0)
            line = np.array([begin + beside, end + beside, end - beside, begin - beside])
            _fill(picture, view, line, height, 120)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), dtype=np.uint8)


def _fill(
    picture: Bytes, view: TableView, corners: NDArray[np.float64], height_mm: float, grey: int
) -> None:
    px = view.to_image(np.column_stack((corners, np.full(len(corners), height_mm))))
    fine = np.rint(px * FINE).astype(np.int32)
    cv2.fillConvexPoly(picture, fine, grey, cv2.LINE_AA, shift=3)


@pytest.mark.parametrize(
    ("turn_rad", "growth"),
    [
        pytest.param((0.003, 0.0, 0.0), 1.0, id="two pixels"),
        pytest.param((-0.008, 0.006, 0.0), 1.0, id="seven pixels"),
        pytest.param((0.0, 0.026, 0.0), 1.0, id="eighteen pixels"),
        pytest.param((0.007, -0.007, 0.0157), 1.0, id="seven pixels and nine tenths of a degree"),
        pytest.param((0.0, 0.0, 0.0), 0.995, id="focused half a percent farther away"),
    ],
)
def test_a_turned_camera_is_found_to_a_quarter_of_a_pixel(
    turn_rad: tuple[float, float, float], growth: float
) -> None:
    true = CameraChange(rotation_of(np.array(turn_rad)), growth)
    found = change_since(drawn(changed_view(VIEW, true)), VIEW, COURSE, SIZES)
    assert found is not None
    assert most_moved_px(CAMERA, found.since(true)) < 0.25


def test_an_unmoved_camera_keeps_its_view() -> None:
    assert change_since(drawn(VIEW), VIEW, COURSE, SIZES) is UNMOVED


def test_tiles_that_were_moved_by_themselves_do_not_turn_the_camera() -> None:
    moved = COURSE
    for name in ("t0", "t7", "t13"):  # three of fifteen, 3 mm to the right
        x, y = COURSE.tiles[name].centre_mm
        moved = moved.with_tile(name, Tile((x + 3.0, y), COURSE.tiles[name].rotation_deg, 1))
    assert change_since(drawn(VIEW, moved), VIEW, COURSE, SIZES) is UNMOVED


def test_a_picture_without_the_course_tells_nothing() -> None:
    noise = np.random.default_rng(1).integers(90, 120, (540, 960)).astype(np.uint8)
    assert change_since(noise, VIEW, COURSE, SIZES) is None
