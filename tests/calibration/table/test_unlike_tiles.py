"""A tile whose face does not look like the others' lies where its outline is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks.survey import true_view
from calibration.course.orientation import Orientation
from calibration.store.store import read_camera
from calibration.table.survey import survey_table
from calibration.table.tower_places import UNLIKE_MM
from calibration.tiles.rims import tile_turn, top_height_mm
from referee.commands.calibration.still_pictures import read_stills
from referee.domain.geometry import distance
from tests.calibration.table.test_survey import CLIP, SIZES, TRUTH, true_course

INSIDE = 0.92  # in tile widths: the face without its rim


def without_print(picture: np.ndarray, name: str) -> np.ndarray:
    """Return the picture with a tile's face painted in its own mean colour."""
    tile = true_course().tiles[name]
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * INSIDE / 2 * SIZES.tile_mm
    flat = corners @ tile_turn(tile).T + tile.centre_mm
    tops = np.column_stack((flat, np.full(4, top_height_mm(tile, SIZES))))
    mask = np.zeros(picture.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(mask, true_view(TRUTH).to_image(tops).round().astype(np.int32), 255)
    painted = picture.copy()
    painted[mask > 0] = np.median(picture[mask > 0], axis=0)
    return painted


@pytest.mark.parametrize(
    ("name", "beside"), [("left-endpost", "wicket-1-left"), ("wicket-4-left", "wicket-4-right")]
)
def test_a_tile_without_print_lies_where_its_outline_is(name: str, beside: str) -> None:
    """Its place is then known better than that of a tile of which only edges were found."""
    pictures = [without_print(still, name) for still in read_stills(CLIP / "clip.mp4")]
    orientation = Orientation(TRUTH["left_endpost"].split()[0], False)
    camera = read_camera(CLIP / "camera.yaml")
    table = survey_table(pictures, camera, "tabletop-croquet", SIZES, orientation)
    apart_mm = [
        distance(tiles[name].centre_mm, tiles[beside].centre_mm)
        for tiles in (table.course.tiles, true_course().tiles)
    ]
    assert apart_mm[0] == pytest.approx(apart_mm[1], abs=1.0)
    assert table.course.tiles[name].sigma_mm < UNLIKE_MM / 2
