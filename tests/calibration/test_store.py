"""camera.yaml and table.yaml: what is written is read back, and every mistake is named with its file and key."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
import yaml

from calibration.camera import Camera, TableView
from calibration.store import read_camera, read_table, write_camera, write_table
from calibration.table import SurveyedTable
from referee.edge import EdgeSide
from referee.errors import InputError
from referee.layout import Course, Tile
from referee.pieces import PieceSizes

CAMERA = Camera(1280, 720, 914.0, 913.5, 642.7, 357.1, (-0.1, 0.03, 0.0006, -0.0004, 0.0), 0.008)
TURN = np.array([[1.0, 0.0, 0.0], [0.0, -0.8, -0.6], [0.0, 0.6, -0.8]])
TABLE = SurveyedTable(
    "tabletop-croquet",
    TableView(CAMERA, TURN, np.array([1.0, 2.0, 900.0])),
    Course(MappingProxyType({"left-endpost": Tile((25.4, 0.0), 0.5, 3), "wicket-1-left": Tile((200.0, 76.2), -2.0)}), 50.8),
    PieceSizes(50.8, 5.0, 22.0, 4.0),
    (EdgeSide((0.0, -300.0), (1200.0, -300.0), 0.4, 0.1, 0.9), EdgeSide((1200.0, -300.0), (1200.0, 300.0), 100.0, 0.0, 0.0)),
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


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"focal": 3}, "focal: unknown key"),
        ({"fx_px": None}, "fx_px: a number is wanted, not nothing"),
        ({"fx_px": -3}, "fx_px: must be greater than 0"),
        ({"fx_px": float("nan")}, "fx_px: a number is wanted"),
        ({"width": 12.5}, "width: a whole number"),
        ({"width": True}, "width: a whole number"),
        ({"distortion": [0, 0]}, "distortion: a list of 5 numbers"),
        ({"distortion": [0, 0, 0, 0, "x"]}, "distortion: a list of 5 numbers"),
    ],
)
def test_what_is_wrong_in_a_camera_is_named(tmp_path: Path, change: dict[str, object], words: str) -> None:
    file = tmp_path / "camera.yaml"
    file.write_text(yaml.safe_dump({"width": 640, "height": 480, "fx_px": 500, "fy_px": 500, "cx_px": 320, "cy_px": 240} | change))
    with pytest.raises(InputError) as error:
        read_camera(file)
    assert str(error.value).startswith(f"{file}: {words}")


@pytest.mark.parametrize("key", ["game", "camera", "pose", "sizes", "edge", "tiles", "left_endpost", "mirrored", "residual_mm"])
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
        (("tiles", "wicket-1-left", "centre_mm"), [1], "tiles.wicket-1-left.centre_mm: a list of 2 numbers"),
        (("tiles", "wicket-1-left", "colour"), "red", "tiles.wicket-1-left.colour: unknown key"),
        (("edge", 0, "sigma_mm"), 0, r"edge\[0\].sigma_mm: must be greater than 0"),
        (("left_endpost",), "top", "left_endpost: left or right is wanted"),
        (("mirrored",), "yes", "mirrored: true or false is wanted"),
        (("sizes", "tile_mm"), "big", "sizes.tile_mm: a number is wanted"),
        (("pose",), [1, 2], "pose: a mapping is wanted"),
        (("tiles",), {}, "tiles: a mapping of tiles by name is wanted"),
    ],
)
def test_what_is_wrong_in_a_table_is_named(tmp_path: Path, path: tuple[object, ...], value: object, words: str) -> None:
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
    ("text", "words"), [(b"a: [1", "not YAML"), (b"\xff\xfe\x00", "not UTF-8|not YAML"), (b"- 1\n", "a mapping is wanted"), (b"", "a mapping is wanted")]
)
def test_a_file_that_is_no_such_file_is_said_in_one_line(tmp_path: Path, text: bytes, words: str) -> None:
    file = tmp_path / "table.yaml"
    file.write_bytes(text)
    with pytest.raises(InputError, match=words) as error:
        read_table(file)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_table(tmp_path / "none.yaml")
