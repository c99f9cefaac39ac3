"""Tests the search for what looks like tiles already found, on a drawn table seen from above."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.rough_survey.alike_squares import FACES_TILES, squares_alike

TILE_MM = 50.0
TABLE, FACE, INK = (90, 140, 170), (120, 190, 220), (40, 60, 70)
PLACES = [(0.0, 0.0), (120.0, 10.0), (-150.0, 60.0), (40.0, 130.0), (-90.0, -120.0), (170.0, -90.0)]
#: Half a pixel a millimetre, straight from above; the picture's middle is the origin.
VIEW = TableView(
    Camera(480, 360, 500.0, 500.0, 240.0, 180.0),
    np.diag([1.0, -1.0, -1.0]),
    np.array([0.0, 0.0, 1000.0]),
)


def drawn() -> NDArray[np.uint8]:
    """Draw tiles with a cross on a table."""
    large = np.full((1440, 1920, 3), TABLE, dtype=np.uint8)
    for x_mm, y_mm in PLACES:
        x, y, half = 960 + 2 * x_mm, 720 - 2 * y_mm, TILE_MM
        left, top, right, bottom = (round(v) for v in (x - half, y - half, x + half, y + half))
        cv2.rectangle(large, (left, top), (right, bottom), FACE, -1)
        cv2.line(large, (round(x), top), (round(x), bottom), INK, 4)
        cv2.line(large, (left, round(y)), (right, round(y)), INK, 4)
    return np.asarray(cv2.resize(large, (480, 360), interpolation=cv2.INTER_AREA), dtype=np.uint8)


@pytest.mark.parametrize("width", FACES_TILES)
def test_two_tiles_show_where_the_others_are(width: float) -> None:
    known = np.array(PLACES[:2])
    centres, turns = squares_alike(drawn(), VIEW, known, np.zeros(2), TILE_MM, len(PLACES), width)
    gaps = np.linalg.norm(centres[:, None] - np.array(PLACES), axis=2)
    assert sorted(gaps.argmin(axis=1)) == list(range(len(PLACES)))
    assert gaps.min(axis=1).max() < 2.5  # a pixel of the search
    assert np.abs(turns).max() < np.radians(3.1)
