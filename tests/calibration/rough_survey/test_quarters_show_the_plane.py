"""Where tiles are as light as the table, quarters of a few of them show the plane, and two whole
tiles show how large the others are.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.rough_survey.arranged_squares import fit_still
from referee.domain.layout import Tile, template_course

TILE_MM = 50.0
COURSE = template_course("tabletop-croquet", TILE_MM)
LEAN = np.radians(40.0)  # from straight down
#: The camera looks at the table's middle from 1.2 m away, 50 degrees above the table.
VIEW = TableView(
    Camera(1280, 720, 1000.0, 1000.0, 640.0, 360.0),
    np.array(
        [[1.0, 0.0, 0.0], [0.0, -np.cos(LEAN), -np.sin(LEAN)], [0.0, np.sin(LEAN), -np.cos(LEAN)]]
    ),
    np.array([-600.0, 0.0, 1200.0]),
)
WHOLE = ("wicket-3-left", "wicket-6-left")  # all of their quarters are seen
IN_PART = ("wicket-1-left", "wicket-2-right", "wicket-5-left", "wicket-7-right")


def quarters(tile: Tile) -> list[NDArray[np.float64]]:
    """Return the corners (4, 2) px of a tile's printed quarters, clockwise as seen. A line 1.7 mm
    wide runs 1 mm inside the rim and between the quarters.
    """
    low, high = 0.85, TILE_MM / 2 - 2.7
    square = [(low, high), (high, high), (high, low), (low, low)]
    turn = np.exp(1j * np.radians(tile.rotation_deg))
    found = []
    for k in range(4):
        at = turn * 1j**k * np.array([x + 1j * y for x, y in square]) + complex(*tile.centre_mm)
        found.append(VIEW.to_image(np.column_stack((at.real, at.imag, np.zeros(4)))))
    return found


def drawn() -> NDArray[np.uint8]:
    """Draw the lines of all tiles on a table of their own colour: plain ones between the quarters,
    and faint ones along the rims, so that no quarter is enclosed.
    """
    picture = np.full((720, 1280, 3), (190, 195, 198), dtype=np.uint8)
    for tile in COURSE.tiles.values():
        for quarter in quarters(tile):
            first, second, third, fourth = np.round(16 * quarter).astype(np.int32)
            for along, grey in (((first, second, third), 184), ((third, fourth, first), 95)):
                cv2.polylines(
                    picture, [np.array(along)], False, (grey,) * 3, 2, cv2.LINE_AA, shift=4
                )
    return picture


def test_two_whole_tiles_and_some_quarters_show_all_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """No colour separates a tile from the table."""
    monkeypatch.setattr(
        "calibration.rough_survey.first_matches.find_quads_by_colour", lambda _still: []
    )
    seen = [quarter for name in WHOLE for quarter in quarters(COURSE.tiles[name])]
    seen += [quarters(COURSE.tiles[name])[0] for name in IN_PART]
    found = fit_still(drawn(), seen, VIEW.camera, COURSE)
    assert found is not None and found.fit is not None
    assert len(found.fit.squares) == len(COURSE.tiles)
    squares = found.centres_mm[list(found.fit.squares.values())]
    pixels = found.view.to_image(np.column_stack((squares, np.zeros(len(squares)))))
    for tile in COURSE.tiles.values():
        at = VIEW.to_image(np.array([[*tile.centre_mm, 0.0]]))
        assert np.hypot(*(pixels - at).T).min() < 3.0
