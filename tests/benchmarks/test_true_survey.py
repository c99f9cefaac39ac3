"""The truth as a surveyed table: coins are where the pictures show them, and the course runs from
left to right.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.clip_folder import made_ready
from benchmarks.places import course_fit, edge_errors, scale_error
from benchmarks.true_survey import true_survey
from calibration.store.store import read_camera, read_table, write_table
from calibration.table.surveyed_table import SurveyedTable

CLIPS = Path(__file__).parents[2] / "fixtures" / "clips"


def surveyed(name: str, work: Path) -> tuple[SurveyedTable, Any]:
    clip = made_ready(CLIPS / name, work)
    return true_survey(clip.truth, read_camera(clip.camera), clip.sizes_mm), clip.truth


@pytest.mark.parametrize("name", ["pass-and-hit", "turned-course"])
def test_coins_are_where_the_picture_shows_them(name: str, tmp_path: Path) -> None:
    table, truth = surveyed(name, tmp_path)
    to_table = course_fit(table, truth)[0]
    for row in truth["frames"][0]["coins"].values():
        seen_mm = table.view.to_table(np.array([row["px_top"]]), table.sizes.coin_thickness_mm)
        assert to_table(seen_mm)[0] == pytest.approx(row["mm"], abs=0.02)


@pytest.mark.parametrize("name", ["pass-and-hit", "turned-course", "wicket-missed"])
def test_the_course_runs_to_the_right_and_nothing_is_off(name: str, tmp_path: Path) -> None:
    table, truth = surveyed(name, tmp_path)
    assert (
        table.course.tiles["left-endpost"].centre_mm[0]
        < table.course.tiles["right-endpost"].centre_mm[0]
    )
    fit, off_mm = course_fit(table, truth)
    assert np.max(off_mm) < 1e-6
    assert np.max(edge_errors(table, truth, fit)) < 1e-6


def test_a_survey_too_large_shows_as_such(tmp_path: Path) -> None:
    table, truth = surveyed("pass-and-hit", tmp_path)
    larger = {
        name: replace(tile, centre_mm=(1.01 * tile.centre_mm[0], 1.01 * tile.centre_mm[1]))
        for name, tile in table.course.tiles.items()
    }
    assert scale_error(
        replace(table, course=replace(table.course, tiles=larger)), truth
    ) == pytest.approx(0.01)


def test_it_is_written_and_read_like_any_other_survey(tmp_path: Path) -> None:
    table, _ = surveyed("turned-course", tmp_path)
    write_table(tmp_path / "table.yaml", table)
    again = read_table(tmp_path / "table.yaml")
    assert again.course.tiles["left-endpost"].stack == 3
    assert again.view.position_mm == pytest.approx(table.view.position_mm, abs=1e-3)
