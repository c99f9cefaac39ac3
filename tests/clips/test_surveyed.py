"""Whether the program notices that a bundled clip shows another table than the surveyed one, or
that the camera was moved since.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lens.camera_change import reported_motion_px
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.errors import InputError
from referee.domain.geometry import distance, square_corners
from referee.session.seeing.survey_check import (
    has_moved,
    straightened,
    survey_again,
    tiles_as_they_lie,
    unlike_survey,
)
from referee.session.watching import watch
from referee.vision.image.picture import Picture
from referee.vision.sources.video import open_source
from referee.vision.tiles.view_registration import change_since
from tests.clips.bundled import CLIPS, options, true_table

CLIP = "two-wickets"
TILE = "wicket-4-left"


@pytest.fixture(scope="module")
def still() -> Picture:
    with open_source(str(CLIPS / CLIP / "clip.mp4")) as source:
        return Picture(next(iter(source)).luma.copy())


def bumped(table: SurveyedTable, right_px: float, down_px: float) -> SurveyedTable:
    """Return the table as a survey would have found it before the camera turned. Everything is then
    seen shifted by so many pixels.
    """
    camera = table.view.camera
    return replace(
        table,
        view=replace(
            table.view,
            camera=replace(camera, cx_px=camera.cx_px - right_px, cy_px=camera.cy_px - down_px),
        ),
    )


def bleached(still: Picture, table: SurveyedTable) -> Picture:
    """Return the picture with all tiles, their sides and a little round them overexposed: white,
    but for what compression leaves.
    """
    luma, sizes = still.luma.copy(), table.sizes
    noise = cv2.GaussianBlur(np.random.default_rng(1).normal(0.0, 8.0, luma.shape), (0, 0), 1.5)
    white = np.clip(250.0 + noise, 0, 255).astype(np.uint8)
    for tile in table.course.tiles.values():
        corners = square_corners(tile.centre_mm, sizes.tile_mm + 1.0, tile.rotation_deg)
        heights_mm = (0.0, tile.stack * sizes.tile_thickness_mm)
        seen = table.view.to_image(np.array([[*c, z] for c in corners for z in heights_mm]))
        face = np.zeros_like(luma)
        cv2.fillConvexPoly(face, cv2.convexHull(np.round(seen).astype(np.int32)), 255)
        luma[face > 0] = white[face > 0]
    return Picture(luma)


def words(still: Picture, table: SurveyedTable) -> str | None:
    return unlike_survey(
        still,
        table.course,
        table.view,
        table.sizes,
        tiles_as_they_lie(still, table.course, table.view, table.sizes),
    )


@pytest.mark.parametrize("by_px", [(0.0, 0.0), (1.2, -0.8)])
def test_the_table_that_was_surveyed_is_known_again(
    still: Picture, by_px: tuple[float, float]
) -> None:
    assert words(still, bumped(true_table(CLIP), *by_px)) is None


@pytest.mark.parametrize("by_px", [(3.0, 0.0), (-4.0, 2.0), (12.0, 5.0), (-60.0, 30.0)])
def test_a_camera_that_was_moved_is_noticed(still: Picture, by_px: tuple[float, float]) -> None:
    assert words(still, bumped(true_table(CLIP), *by_px)) is not None


def test_tiles_whose_faces_are_bleached_are_known_by_their_outlines(still: Picture) -> None:
    table = true_table(CLIP)
    white = bleached(still, table)
    assert words(white, table) is None
    for by_px in [(12.0, 5.0), (-60.0, 30.0)]:
        assert words(white, bumped(table, *by_px)) is not None


def test_so_is_another_table(still: Picture) -> None:
    assert "tiles" in (words(still, true_table("turned-course")) or "")


def test_a_match_is_not_begun_on_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"table\.yaml: .*tiles.*survey it again"):
        watch(options(CLIP, bumped(true_table(CLIP), -60.0, 30.0), tmp_path))


def test_a_good_survey_is_contradicted_by_what_was_moved_and_a_bad_one_by_itself() -> None:
    table = true_table(CLIP)
    assert survey_again(table).startswith("either the camera or the table was moved after")
    badly = replace(table.course.tiles[TILE], sigma_mm=4.0)
    unsure = survey_again(replace(table, course=table.course.with_tile(TILE, badly)))
    assert unsure.startswith("the survey itself says") and "to 4.0 mm only" in unsure
    assert "moved after" not in unsure


def test_a_camera_that_was_moved_by_some_pixels_is_found_from_the_tiles(still: Picture) -> None:
    table = true_table(CLIP)
    turn = change_since(still.luma, bumped(table, 8.0, 0.0).view, table.course, table.sizes)
    assert turn is not None
    # the picture's middle moved by 8 px, which a turn also stretches a little at the sides
    assert reported_motion_px(table.view.camera, turn) == pytest.approx(8.0, abs=0.5)


@pytest.mark.parametrize("moved_mm", [(3.0, 0.0), (0.0, 10.0), (-10.0, 10.0)])
def test_one_tile_that_was_moved_since_is_found_where_it_lies_and_nothing_else_said(
    still: Picture, moved_mm: tuple[float, float]
) -> None:
    table = true_table(CLIP)
    true = table.course.tiles[TILE]
    elsewhere = replace(
        true, centre_mm=(true.centre_mm[0] + moved_mm[0], true.centre_mm[1] + moved_mm[1])
    )
    as_surveyed = table.course.with_tile(TILE, elsewhere)
    measured = tiles_as_they_lie(still, as_surveyed, table.view, table.sizes)
    assert unlike_survey(still, as_surveyed, table.view, table.sizes, measured) is None
    now = straightened(as_surveyed, measured)
    assert distance(now.tiles[TILE].centre_mm, true.centre_mm) < 0.5
    assert [
        name for name, tile in now.tiles.items() if has_moved(as_surveyed.tiles[name], tile)
    ] == [TILE]
