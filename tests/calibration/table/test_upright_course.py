"""A course that runs up or down the picture: a picture of one that runs across it, turned."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.course.orientation import Orientation
from calibration.table.survey import survey_table
from calibration.table.surveyed_table import SurveyedTable
from referee.commands.calibration.still_pictures import read_stills
from tests.calibration.table.test_survey import CLIP, SIZES, TRUTH


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    return read_stills(CLIP / "clip.mp4")[0]


def surveyed(picture: np.ndarray, side: str) -> SurveyedTable:
    return survey_table([picture], None, "tabletop-croquet", SIZES, Orientation(side, False))


@pytest.fixture(scope="module")
def across(picture: np.ndarray) -> SurveyedTable:
    return surveyed(picture, "left")


@pytest.mark.parametrize(("quarter_turns", "side"), [(1, "bottom"), (3, "top")])
def test_it_is_surveyed_by_its_upper_or_lower_end(
    picture: np.ndarray, across: SurveyedTable, quarter_turns: int, side: str
) -> None:
    """`np.rot90` turns to the left, and with the picture what was its left side."""
    assert TRUTH["left_endpost"].startswith("left") and not TRUTH["mirrored"]
    table = surveyed(np.ascontiguousarray(np.rot90(picture, quarter_turns)), side)
    assert table.left_endpost == side and not table.mirrored
    assert not any("runs up the picture" in warning for warning in table.warnings)
    # the camera stands on the same side of the course, as far from its left end
    assert np.allclose(table.view.position_mm, across.view.position_mm, atol=20.0)


def test_left_is_doubted(picture: np.ndarray) -> None:
    table = surveyed(np.ascontiguousarray(np.rot90(picture)), "left")
    assert [w for w in table.warnings if "--left-endpost top or bottom" in w]
