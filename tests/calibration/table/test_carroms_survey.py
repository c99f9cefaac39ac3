"""Boards of Carroms that our own renderer drew, surveyed and compared with what it drew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.store.store import read_table, write_table
from calibration.table.row_places import put_in_rows
from calibration.table.survey import survey_table
from calibration.table.survey_checks import checked
from calibration.table.surveyed_table import SurveyedTable
from calibration.tile_places.lost_tile_search import lost_tiles
from calibration.tiles.rims import even_light
from referee.domain.errors import InputError
from referee.domain.geometry import distance
from referee.domain.layout import template_course
from referee.synthetic.pictures.film import Studio
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene import Scene
from referee.synthetic.scenario.scene_file import scene_of


def board(**changed: Any) -> Scene:
    """Return a board whose walls lie inside the picture, from a camera that looks north."""
    camera = {"height_mm": 900, "tilt_deg": 20, "aim_mm": [0, -15], "fx_px": 950}
    return scene_of(
        {
            "seed": 5,
            "camera": camera | changed.pop("camera", {}),
            "table": {"wood": "walnut", "size_mm": [1100, 900]},
            "course": {"game": "carroms", "jitter_mm": 3, "jitter_deg": 1} | changed,
        }
    )


def drawn(scene: Scene) -> np.ndarray:
    return np.asarray(Studio(scene, play_scene(scene)).frame(0).picture)


def surveyed(scene: Scene, picture: np.ndarray | None = None) -> SurveyedTable:
    picture = drawn(scene) if picture is None else picture
    return checked(survey_table([picture], scene.camera, "carroms", scene.sizes))


def off_mm(table: SurveyedTable, scene: Scene, turned_deg: float = 0.0) -> np.ndarray:
    """Return how far each tile is from where it was drawn, after one rigid fit. The fit may turn
    the board by no more than a few degrees from `turned_deg`: names belong to sides.
    """
    names = list(scene.course.tiles)
    found = np.array([table.course.tiles[n].centre_mm for n in names])
    true = np.array([scene.course.tiles[n].centre_mm for n in names])
    p, q = found - found.mean(axis=0), true - true.mean(axis=0)
    turn = np.arctan2((p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]).sum(), (p * q).sum())
    assert abs(np.degrees(turn) - turned_deg) < 5.0
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(np.hypot(*(p @ rotation.T - q).T))


@pytest.fixture(scope="module")
def scene() -> Scene:
    return board()


@pytest.fixture(scope="module")
def table(scene: Scene) -> SurveyedTable:
    return surveyed(scene)


def test_every_tile_is_where_it_is(table: SurveyedTable, scene: Scene) -> None:
    off = off_mm(table, scene)
    assert len(off) == 24 and off.mean() < 1.0 and off.max() < 2.0


def test_a_board_as_the_rules_want_it_needs_no_word(table: SurveyedTable) -> None:
    assert [w for w in table.warnings if "wall" in w or "pocket" in w] == []


def test_the_pockets_are_as_wide_as_drawn(table: SurveyedTable, scene: Scene) -> None:
    for name, line in scene.course.lines.items():
        found = table.course.lines[name]
        drawn_mm = distance(line.left_mm, line.right_mm)
        assert distance(found.left_mm, found.right_mm) == pytest.approx(drawn_mm, abs=2.0)
        # seen from the middle, into the pocket
        assert np.dot(found.outward, np.add(found.left_mm, found.right_mm)) > 0


def test_it_is_kept_in_its_file_without_a_word_of_endposts(
    table: SurveyedTable, tmp_path: Path
) -> None:
    write_table(tmp_path / "table.yaml", table)
    written = (tmp_path / "table.yaml").read_text(encoding="utf-8")
    assert "endpost" not in written and "mirrored" not in written
    assert read_table(tmp_path / "table.yaml").course.tiles.keys() == table.course.tiles.keys()


def test_north_is_away_from_the_camera() -> None:
    """A camera that looks east has the east wall in the north: the names turn with it."""
    scene = board(camera={"heading_deg": 90.0, "aim_mm": [0, 0], "height_mm": 950})
    table = surveyed(scene)
    x, y, _ = table.view.position_mm
    assert y < 0 and abs(x) < abs(y) / 5
    assert table.course.tiles["wall-n-1"].centre_mm[0] < table.course.tiles["wall-n-6"].centre_mm[0]


def test_a_camera_that_looks_along_a_diagonal_is_as_good() -> None:
    scene = board(camera={"heading_deg": 45.0, "aim_mm": [0, 0], "height_mm": 1000})
    table = surveyed(scene)
    names, true = list(scene.course.tiles), scene.course.tiles
    gaps = [
        [distance(tiles[a].centre_mm, tiles[b].centre_mm) for a in names for b in names]
        for tiles in (table.course.tiles, true)
    ]
    # two of the four ways round are as good, so the shapes are compared: of a square board all
    # ways round have nearly the same distances
    assert np.abs(np.sort(gaps[0]) - np.sort(gaps[1])).max() < 6.0


def test_wide_pockets_are_told_and_no_reason_to_refuse() -> None:
    table = surveyed(board(pocket_tiles=3.6, camera={"height_mm": 1050}))
    wide = [w for w in table.warnings if "pocket" in w]
    assert len(wide) == 4 and all("too wide (2 to 3 are usual)" in w for w in wide)


def test_a_hidden_tile_follows_from_its_row(scene: Scene) -> None:
    picture = drawn(scene)
    x, y = scene.view.to_image(np.array([[*scene.course.tiles["wall-w-3"].centre_mm, 5.0]]))[0]
    picture[int(y) - 32 : int(y) + 32, int(x) - 32 : int(x) + 32] = (120, 150, 190)
    table = surveyed(scene, picture)
    assert [w for w in table.warnings if "tile 3 of the west wall was not seen" in w]
    assert off_mm(table, scene).max() < 3.0


@pytest.mark.parametrize(("aside", "tiles"), [(0.5, "23"), (-0.5, "1234"), (0.5, "123456")])
def test_what_was_found_half_a_tile_aside_is_put_where_its_row_looks_like_tiles(
    aside: float, tiles: str, scene: Scene
) -> None:
    """The middle lines of two tiles that touch make a square, too. Hands lay within 3 mm."""
    true, found = scene.course.tiles, dict(scene.course.tiles)
    for name in (f"wall-s-{number}" for number in tiles):
        x, y = true[name].centre_mm
        found[name] = replace(true[name], centre_mm=(x + aside * scene.sizes.tile_mm, y))
    template = template_course("carroms", scene.sizes.tile_mm)
    light = even_light(drawn(scene))
    put = put_in_rows(light, scene.view, found, template, scene.sizes)
    assert put.keys() == true.keys()
    off_mm = {name: distance(put[name].centre_mm, tile.centre_mm) for name, tile in true.items()}
    assert max(off_mm.values()) < 6.0  # twice the hand's error: a place follows from its row


def test_a_row_that_leaves_the_picture_is_not_put_half_a_tile_farther_into_it(scene: Scene) -> None:
    """The picture ends in the second tile of six. Half a tile aside, two would be in it."""
    true = scene.course.tiles
    x, y = true["wall-s-2"].centre_mm
    at = np.array([[x + 0.3 * scene.sizes.tile_mm, y, scene.sizes.tile_thickness_mm]])
    end = int(scene.view.to_image(at)[0][0])
    template = template_course("carroms", scene.sizes.tile_mm)
    light = even_light(np.ascontiguousarray(drawn(scene)[:, :end]))
    put = put_in_rows(light, scene.view, true, template, scene.sizes)
    assert all(put[name].centre_mm == tile.centre_mm for name, tile in true.items())


@pytest.mark.parametrize("lost", [("wall-e-3", "wall-e-4"), ("wall-n-1", "wall-n-2")])
def test_neighbours_that_are_lost_together_are_found_at_their_places(
    lost: tuple[str, str], scene: Scene
) -> None:
    """Their colours show where both are, but not where one ends."""
    picture, tiles = drawn(scene), scene.course.tiles
    known = {name: tile for name, tile in tiles.items() if name not in lost}
    template = template_course("carroms", scene.sizes.tile_mm)
    light = even_light(picture)
    found = lost_tiles(picture, [light], scene.view, known, template, scene.sizes, ())
    assert found.keys() == set(lost)
    assert max(distance(found[name].centre_mm, tiles[name].centre_mm) for name in lost) < 3.0


def test_an_empty_table_is_no_board(scene: Scene) -> None:
    picture = np.full((720, 1280, 3), 90, dtype=np.uint8)
    with pytest.raises(InputError, match=r"no tiles found|no course of carroms"):
        survey_table([picture], scene.camera, "carroms", scene.sizes)
