"""camera.yaml and table.yaml: what is written is read back, and every mistake is reported with its
file and key.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
import yaml

from calibration.lens.camera import Camera, TableView
from calibration.store.store import read_camera, read_table, write_camera, write_table
from calibration.table.surveyed_table import SurveyedTable
from calibration.tiles.field_error import FieldError
from referee.domain.errors import InputError
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import EdgeSide

CAMERA = Camera(1280, 720, 914.0, 913.5, 642.7, 357.1, (-0.1, 0.03, 0.0006, -0.0004, 0.0), 0.008)
TURN = np.array([[1.0, 0.0, 0.0], [0.0, -0.8, -0.6], [0.0, 0.6, -0.8]])
TABLE = SurveyedTable(
    "tabletop-croquet",
    TableView(CAMERA, TURN, np.array([1.0, 2.0, 900.0])),
    Course(
        MappingProxyType(
            {"left-endpost": Tile((25.4, 0.0), 0.5, 3), "wicket-1-left": Tile((200.0, 76.2), -2.0)}
        ),
        50.8,
    ),
    PieceSizes(50.8, 5.0, 22.0, 4.0),
    (
        EdgeSide((0.0, -300.0), (1200.0, -300.0), 0.4, 0.1, 0.9),
        EdgeSide((1200.0, -300.0), (1200.0, 300.0), 100.0, 0.0, 0.0),
        EdgeSide((1200.0, 300.0), (0.0, -300.0), 0.5, 0.0, 1.0),
    ),
    0.15,
    True,
    "right",
    ("wicket-2-left was not seen",),
)


def test_a_camera_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_camera(tmp_path / "camera.yaml", CAMERA)
    assert read_camera(tmp_path / "camera.yaml") == CAMERA


def test_a_camera_written_by_hand_needs_neither_distortion_nor_exposure(tmp_path: Path) -> None:
    file = tmp_path / "camera.yaml"
    file.write_text("{width: 640, height: 480, fx_px: 500, fy_px: 500, cx_px: 320, cy_px: 240}")
    assert read_camera(file) == Camera(640, 480, 500.0, 500.0, 320.0, 240.0)


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_table(tmp_path / "table.yaml", TABLE)
    read = read_table(tmp_path / "table.yaml")
    assert np.allclose(read.view.R_camera_table, TURN, atol=1e-7)
    assert np.allclose(read.view.t_camera_table_mm, TABLE.view.t_camera_table_mm)
    assert replace(read, view=TABLE.view, course=TABLE.course) == TABLE
    assert dict(read.course.tiles) == dict(TABLE.course.tiles)


def test_a_tile_is_read_as_sure_as_it_was_written_and_as_usual_where_nothing_is_said(
    tmp_path: Path,
) -> None:
    course = TABLE.course.with_tile(
        "wicket-1-left", replace(TABLE.course.tiles["wicket-1-left"], sigma_mm=0.91)
    )
    file = tmp_path / "table.yaml"
    write_table(file, replace(TABLE, course=course))
    assert read_table(file).course.tiles["wicket-1-left"].sigma_mm == 0.91
    file.write_text(re.sub(r"\n +(own_)?sigma_mm: 0.91", "", file.read_text()))
    assert read_table(file).course.tiles["wicket-1-left"].sigma_mm == 0.3


def test_the_error_of_the_shape_is_read_as_it_was_written_and_is_part_of_each_tiles_error(
    tmp_path: Path,
) -> None:
    # A stretch of 4 mm at (300, 400) mm from the middle, 500 mm away, is 8 mm at twice the distance
    # and 8 / sqrt(2) = 5.657 mm along one axis. With 0.3 mm of its own the tile has 5.665 mm.
    rows = ((16.0, 0.0, 0.0, 0.0), *((0.0,) * 4,) * 3)
    tile = TABLE.course.tiles["wicket-1-left"]
    middle = (tile.centre_mm[0] - 600.0, tile.centre_mm[1] + 800.0)
    error = FieldError(middle, (300.0, 400.0), rows)
    file = tmp_path / "table.yaml"
    write_table(file, replace(TABLE, field_error=error, scale_sigma=0.0))
    assert read_table(file).field_error == error
    assert yaml.safe_load(file.read_text())["tiles"]["wicket-1-left"]["sigma_mm"] == 5.665
    assert read_table(file).course.tiles["wicket-1-left"].sigma_mm == 0.3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"focal": 3}, "focal: unknown key"),
        ({"fx_px": None}, "fx_px: must be a number, not nothing"),
        ({"fx_px": -3}, "fx_px: must be greater than 0"),
        ({"fx_px": float("nan")}, "fx_px: must be a number"),
        ({"width": 12.5}, "width: must be a whole number"),
        ({"width": True}, "width: must be a whole number"),
        ({"fx_px": "500"}, "fx_px: must be a number, not '500' (text: write it without quotes"),
        ({"fx_px": float("inf")}, "fx_px: must be a number, not inf"),
        ({"fx_px": 10**400}, "fx_px: must be a number, not 1000"),
        ({"fy_px": 50}, "fy_px: 50 differs too much from fx_px, 500"),
        ({"cx_px": 640}, "cx_px: must be from 0 to 639, is 640"),
        ({"height": 10**9}, "height: must be at most 100000"),
        ({"exposure_s": 8}, "exposure_s: must be at most 1, is 8"),
        ({"exposure_s": 0}, "exposure_s: must be greater than 0"),
        ({"distortion": 0.1}, "distortion: must be a list of 5 numbers, not 0.1"),
        ({"distortion": [0, 0, 0, 0, float("nan")]}, "distortion: must be a list of 5 numbers"),
        ({"distortion": [0, 1e300, 0, 0, 0]}, "distortion: 1e+300 is too large"),
        ({"distortion": [0, 0]}, "distortion: must be a list of 5 numbers"),
        ({"distortion": [0, 0, 0, 0, "x"]}, "distortion: must be a list of 5 numbers"),
    ],
)
def test_what_is_wrong_in_a_camera_is_named(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    file = tmp_path / "camera.yaml"
    file.write_text(
        yaml.safe_dump(
            {"width": 640, "height": 480, "fx_px": 500, "fy_px": 500, "cx_px": 320, "cy_px": 240}
            | change
        )
    )
    with pytest.raises(InputError) as error:
        read_camera(file)
    assert str(error.value).startswith(f"{file}: {words}")


@pytest.mark.parametrize(
    "key",
    ["game", "camera", "pose", "sizes", "edge", "tiles", "left_endpost", "mirrored", "residual_mm"],
)
def test_nothing_may_be_missing_in_a_table(tmp_path: Path, key: str) -> None:
    file = tmp_path / "table.yaml"
    write_table(file, TABLE)
    plain = yaml.safe_load(file.read_text())
    del plain[key]
    file.write_text(yaml.safe_dump(plain))
    with pytest.raises(InputError, match=f"{key}: missing"):
        read_table(file)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (
            ("tiles", "wicket-1-left", "centre_mm"),
            [1],
            "tiles.wicket-1-left.centre_mm: must be a list of 2 numbers",
        ),
        (("tiles", "wicket-1-left", "colour"), "red", "tiles.wicket-1-left.colour: unknown key"),
        (("edge", 0, "sigma_mm"), 0, r"edge\[0\].sigma_mm: must be greater than 0"),
        (("left_endpost",), "middle", "left_endpost: must be left, right, top or bottom"),
        (("mirrored",), "yes", "mirrored: must be true or false"),
        (("sizes", "tile_mm"), "big", "sizes.tile_mm: must be a number"),
        (("pose",), [1, 2], "pose: must hold values with the keys"),
        (("tiles",), {}, "tiles: must give a place for the name of each tile"),
        (("tiles",), [1], "tiles: must give a place for the name of each tile"),
        (("tiles", "wicket-1-left"), "here", "tiles.wicket-1-left: must hold values with the keys"),
        (
            ("tiles", "wicket-1-left", "centre_mm"),
            [27.0, 1.0],
            r"tiles.wicket-1-left.centre_mm: \[27.0, 1.0\] lies on top of left-endpost,"
            r" at \[25.4, 0.0\]",
        ),
        (
            ("tiles", "wicket-1-left", "rotation_deg"),
            float("inf"),
            "tiles.wicket-1-left.rotation_deg: must be a number",
        ),
        (
            ("tiles", "left-endpost", "stack"),
            0,
            "tiles.left-endpost.stack: must be a whole number above 0",
        ),
        (("game",), 5, "game: must be text, not 5"),
        (("edge",), 5, "edge: must be a list"),
        (("edge", 1), 5, r"edge\[1\]: must hold values with the keys"),
        (
            ("edge", 1, "end_mm"),
            [1200.0, -300.0],
            r"edge\[1\].end_mm: a side from .* has no length",
        ),
        (
            ("edge", 1, "begin_mm"),
            [1100.0, -300.0],
            (
                r"edge\[1\].begin_mm: \[1100.0, -300.0\] is not where the side before it ends,"
                r" \[1200.0, -300.0\]"
            ),
        ),
        (("edge", 0, "from_share"), 1.5, r"edge\[0\].from_share: must be from 0 to 1, is 1.5"),
        (("edge", 0, "to_share"), 0.05, r"edge\[0\].to_share: 0.05 is less than from_share, 0.1"),
        (("sizes", "coin_mm"), 60, "sizes: coin_mm: a coin of 60 mm is not smaller than a tile"),
        (("camera", "fx_px"), -3, "camera.fx_px: must be greater than 0"),
        (("pose", "rotation_vector"), [1, 2], "pose.rotation_vector: must be a list of 3 numbers"),
        (
            ("pose", "rotation_vector"),
            [[1, 0], [0, 1]],
            "pose.rotation_vector: must be a list of 3 numbers",
        ),
        (
            ("pose", "rotation_vector"),
            [0, 0, 0],
            "pose: the camera would be 900 mm below the table",
        ),
        (("pose", "translation_mm"), [0, 0, -900], "pose: the camera would be"),
        (("residual_mm",), -1, "residual_mm: must be"),
        (("warnings",), "none", "warnings: must be a list"),
        (("warnings",), [1], r"warnings\[0\]: must be text"),
    ],
)
def test_what_is_wrong_in_a_table_is_named(
    tmp_path: Path, path: tuple[object, ...], value: object, words: str
) -> None:
    file = tmp_path / "table.yaml"
    write_table(file, TABLE)
    plain = yaml.safe_load(file.read_text())
    inner = plain
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    file.write_text(yaml.safe_dump(plain))
    with pytest.raises(InputError, match=words):
        read_table(file)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"a: [1", "line 1: not YAML"),
        (b"[" * 5000, "nested too deeply"),
        (b"\xff\xfe\x00", "not UTF-8|not YAML"),
        (b"- 1\n", "must hold values with the keys"),
        (b"", "must hold values with the keys"),
    ],
)
def test_a_file_that_is_no_such_file_is_said_in_one_line(
    tmp_path: Path, text: bytes, words: str
) -> None:
    file = tmp_path / "table.yaml"
    file.write_bytes(text)
    with pytest.raises(InputError, match=words) as error:
        read_table(file)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_table(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="cannot be read"):
        read_table(tmp_path)


def test_an_outline_has_three_sides_or_none(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    write_table(file, replace(TABLE, edge=TABLE.edge[:2]))
    with pytest.raises(
        InputError,
        match="edge: must have at least 3 sides, or none if the edge is not known; it has 2",
    ):
        read_table(file)
    write_table(file, replace(TABLE, edge=()))
    assert read_table(file).edge == ()


@pytest.mark.parametrize(("read", "kind"), [(read_camera, "camera"), (read_table, "table")])
def test_a_key_given_twice_is_refused_with_its_line(
    tmp_path: Path, read: Callable[[Path], object], kind: str
) -> None:
    file = tmp_path / f"{kind}.yaml"
    file.write_text("# by hand\nwidth: 640\nheight: 480\nwidth: 1280\n")
    with pytest.raises(InputError, match="line 4: 'width' is given twice"):
        read(file)
