"""A strip of the table that looks like a row of larger tiles hides no course."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.rough_survey.arranged_squares import fit_still
from referee.domain.layout import template_course

TILE_MM = 50.0
BOARD = template_course("carroms", TILE_MM)
#: 0.9 pixels a millimetre, straight from above; the picture's middle is the origin.
VIEW = TableView(
    Camera(720, 720, 900.0, 900.0, 360.0, 360.0),
    np.diag([1.0, -1.0, -1.0]),
    np.array([0.0, 0.0, 1000.0]),
)


def square(at_mm: tuple[float, float], side_mm: float) -> NDArray[np.float64]:
    """Return the corners (4, 2) px of a square, clockwise as seen."""
    half = side_mm / 2
    corners = [(-half, half), (half, half), (half, -half), (-half, -half)]
    return VIEW.to_image(np.array([[at_mm[0] + x, at_mm[1] + y, 0.0] for x, y in corners]))


def drawn() -> NDArray[np.uint8]:
    """Draw the walls' tiles, each with a cross, on a plain table."""
    picture = np.full((720, 720, 3), (90, 140, 170), dtype=np.uint8)
    for tile in BOARD.tiles.values():
        corners = np.round(square(tile.centre_mm, TILE_MM)).astype(np.int32)
        cv2.fillPoly(picture, [corners], (120, 190, 220))
        cv2.polylines(picture, [corners], True, (60, 90, 110), 1)
        middles = np.round((corners + np.roll(corners, -1, axis=0)) / 2).astype(np.int32)
        for a, b in ((0, 2), (1, 3)):
            cv2.line(picture, middles[a].tolist(), middles[b].tolist(), (60, 90, 110), 1)
    return picture


def test_the_course_is_found_on_the_plane_of_single_tiles() -> None:
    """Two tiles of each wall were found, and six squares of twice their area before the board."""
    found = [f"wall-{side}-{k}" for side in "nesw" for k in (1, 2)]
    quads = [square(BOARD.tiles[name].centre_mm, TILE_MM) for name in found]
    strip = [square((70.7 * k - 177.0, -330.0), 70.7) for k in range(6)]
    arranged = fit_still(drawn(), quads, VIEW.camera, BOARD, strip)
    assert arranged is not None and arranged.fit is not None
    assert len(arranged.fit.squares) == 24
