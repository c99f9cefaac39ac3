"""The warnings about a view that is less accurate than a good one. Expected angles and shifts are
computed from the camera's place.
"""

import math

import numpy as np

from calibration.lens.camera import Camera, TableView
from calibration.table.survey import view_warnings
from referee.domain.layout import template_course

COURSE = template_course("tabletop-croquet", 50.0)
LENS = Camera(1280, 720, 900.0, 900.0, 639.5, 359.5)


def view_from(x_mm: float, y_mm: float, z_mm: float) -> TableView:
    """Return a camera at a place, looking straight down. Its direction does not change the angle at
    which it sees a tile.
    """
    down = np.diag([1.0, -1.0, -1.0])
    return TableView(LENS, down, -down @ np.array([x_mm, y_mm, z_mm]))


def test_a_high_camera_with_its_lens_known_is_good() -> None:
    """The camera is above the middle of the course (600, 0), 575 mm from its endposts' middles.
    From 900 mm above, it sees them at 57 degrees.
    """
    assert view_warnings(view_from(600.0, 0.0, 900.0), COURSE, lens_known=True) == []


def test_a_low_camera_is_told_with_the_angle_and_what_a_millimetre_does() -> None:
    """The camera is 400 mm above the left endpost (25, 0), and the right endpost (1175, 0) is 1150
    mm away. atan(400 / 1150) is 19 degrees, and 1 / tan of it is 2.9.
    """
    assert round(math.degrees(math.atan2(400, 1150))) == 19
    (words,) = view_warnings(view_from(25.0, 0.0, 400.0), COURSE, lens_known=True)
    assert "it sees right-endpost at 19 degrees" in words
    assert "its place there is wrong by 2.9 mm" in words


def test_a_lens_worked_out_from_the_tiles_is_told_with_its_error() -> None:
    (words,) = view_warnings(view_from(600.0, 0.0, 900.0), COURSE, lens_known=False)
    assert words.startswith(
        "the lens is not known: its focal length was worked out from the tiles, 900 px (to"
        " about 3%)"
    )
    assert words.endswith("give --camera")
