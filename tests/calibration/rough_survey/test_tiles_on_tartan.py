"""Tiles on a cloth with squares of several sizes are found as squares of one size and one colour on
the cloth's plane.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.rough_survey.arranged import tiles_aside
from calibration.rough_survey.arranged_squares import fit_still
from referee.domain.layout import template_course

Corners = NDArray[np.float64]
Picture = NDArray[np.uint8]
TILE_MM = 50.0
COURSE = template_course("tabletop-croquet", TILE_MM)
LEAN = np.radians(35.0)
#: The camera looks at the middle of the course, 35 degrees from straight down.
VIEW = TableView(
    Camera(1280, 720, 1000.0, 1000.0, 640.0, 360.0),
    np.array(
        [[1.0, 0.0, 0.0], [0.0, -np.cos(LEAN), -np.sin(LEAN)], [0.0, np.sin(LEAN), -np.cos(LEAN)]]
    ),
    np.array([-550.0, 0.0, 1150.0]),
)
GROUND, PINK, GREEN, TILE = (160, 150, 150), (225, 130, 210), (120, 200, 110), (120, 110, 105)
#: The sides of the cloth's squares; some are as large as a tile.
SIDES_MM = (50.0, 50.0, 36.0)


def square(x: float, y: float, turn_deg: float, side_mm: float) -> Corners:
    """Return the pixels (4, 2) of a square on the table, clockwise."""
    turn = np.exp(1j * np.radians(turn_deg)) * side_mm / 2
    at = turn * np.array([-1 + 1j, 1 + 1j, 1 - 1j, -1 - 1j]) + complex(x, y)
    return VIEW.to_image(np.column_stack((at.real, at.imag, np.zeros(4))))


def cloth() -> Iterator[Corners]:
    """Yield the cloth's squares that no tile hides, in rows of each size."""
    tiles = [complex(*tile.centre_mm) for tile in COURSE.tiles.values()]
    for k, x in enumerate(np.arange(-40.0, 1180.0, 62.0)):
        for m, y in enumerate(np.arange(-330.0, 360.0, 62.0)):
            side = SIDES_MM[(k + 2 * m) % 3]
            if min(abs(complex(x, y) - tile) for tile in tiles) > 62.0:
                yield square(x, y, 0.0, side)


def test_tiles_among_squares_of_a_cloth_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outlines are those of the cloth; tiles show straight sides only."""
    random = np.random.default_rng(4)
    picture = np.full((720, 1280, 3), GROUND, np.uint8)
    printed = [*cloth()]
    for k, corners in enumerate(printed):
        cv2.fillPoly(picture, [np.rint(corners).astype(np.int32)], (PINK, GREEN)[k % 2])
    tiles = [square(*t.centre_mm, t.rotation_deg, TILE_MM) for t in COURSE.tiles.values()]
    for corners in tiles:
        cv2.fillPoly(picture, [np.rint(corners).astype(np.int32)], TILE)
    picture = np.clip(picture + random.normal(0.0, 3.0, picture.shape), 0, 255).astype(np.uint8)
    monkeypatch.setattr(
        "calibration.rough_survey.arranged_squares.straight_squares",
        lambda _still: np.array([*printed, *tiles[:-2]]),
    )
    monkeypatch.setattr(
        "calibration.rough_survey.first_matches.find_quads_by_colour", lambda _still: []
    )

    found = fit_still(picture, printed, VIEW.camera, COURSE)

    assert found is not None and found.fit is not None
    assert len(found.fit.squares) >= len(tiles) - 2
    assert tiles_aside(found, COURSE) == set()
