"""camera.yaml and table.yaml: written for people to read and to correct by hand, read back strictly."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import cv2
import numpy as np
import yaml

from calibration.camera import Camera, TableView
from calibration.table import SurveyedTable
from referee.edge import EdgeSide
from referee.errors import InputError
from referee.geometry import Point
from referee.layout import Course, Tile
from referee.pieces import PieceSizes

_CAMERA_KEYS = ("width", "height", "fx_px", "fy_px", "cx_px", "cy_px", "distortion", "exposure_s")
_SIZE_KEYS = ("tile_mm", "tile_thickness_mm", "coin_mm", "coin_thickness_mm")
_TABLE_KEYS = ("game", "left_endpost", "mirrored", "residual_mm", "camera", "pose", "sizes", "edge", "tiles", "warnings")
_EDGE_KEYS = ("begin_mm", "end_mm", "sigma_mm", "from_share", "to_share")

T = TypeVar("T")


class _Fields:
    """A mapping read from a file, its place in the file known, so that every complaint names it."""

    def __init__(self, file: str, where: str, value: Any, allowed: Sequence[str]) -> None:
        self.file, self.where = file, where
        if not isinstance(value, dict):
            raise InputError(f"{file}: {where or 'the file'}: a mapping is wanted, not {_kind(value)}")
        for key in value:
            if key not in allowed:
                raise InputError(f"{file}: {self.name(str(key))}: unknown key (known: {', '.join(allowed)})")
        self.value: dict[str, Any] = value

    def name(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def fail(self, key: str, what: str) -> InputError:
        return InputError(f"{self.file}: {self.name(key)}: {what}")

    def want(self, key: str) -> Any:
        if key not in self.value:
            raise self.fail(key, "missing")
        return self.value[key]

    def number(self, key: str, *, above: float | None = None) -> float:
        value = self.want(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self.fail(key, f"a number is wanted, not {_kind(value)}")
        if above is not None and value <= above:
            raise self.fail(key, f"must be greater than {above:g}, is {value:g}")
        return float(value)

    def whole(self, key: str) -> int:
        value = self.want(key)
        if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
            raise self.fail(key, f"a whole number above 0 is wanted, not {_kind(value)}")
        return value

    def text(self, key: str) -> str:
        value = self.want(key)
        if not isinstance(value, str):
            raise self.fail(key, f"text is wanted, not {_kind(value)}")
        return value

    def flag(self, key: str) -> bool:
        value = self.want(key)
        if not isinstance(value, bool):
            raise self.fail(key, f"true or false is wanted, not {_kind(value)}")
        return value

    def numbers(self, key: str, count: int) -> tuple[float, ...]:
        value = self.want(key)
        good = isinstance(value, list) and len(value) == count
        if not good or any(isinstance(v, bool) or not isinstance(v, int | float) or not math.isfinite(v) for v in value):
            raise self.fail(key, f"a list of {count} numbers is wanted, not {_kind(value)}")
        return tuple(float(v) for v in value)

    def point(self, key: str) -> Point:
        x, y = self.numbers(key, 2)
        return (x, y)

    def listed(self, key: str, read: Callable[[str, Any], T]) -> tuple[T, ...]:
        value = self.want(key)
        if not isinstance(value, list):
            raise self.fail(key, f"a list is wanted, not {_kind(value)}")
        return tuple(read(f"{self.name(key)}[{k}]", v) for k, v in enumerate(value))


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"{value!r}"[:60]


def _load(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as err:
        raise InputError(f"{path}: cannot be read: {err.strerror}") from err
    except UnicodeDecodeError as err:
        raise InputError(f"{path}: is not UTF-8 text") from err
    except yaml.YAMLError as err:
        mark = getattr(err, "problem_mark", None)
        line = f"line {mark.line + 1}: " if mark is not None else ""
        raise InputError(f"{path}: {line}not YAML: {getattr(err, 'problem', None) or 'malformed'}") from err


def _camera(file: str, where: str, value: Any) -> Camera:
    fields = _Fields(file, where, value, _CAMERA_KEYS)
    k1, k2, p1, p2, k3 = fields.numbers("distortion", 5) if "distortion" in fields.value else (0.0,) * 5
    exposure = fields.number("exposure_s", above=0.0) if fields.value.get("exposure_s") is not None else None
    return Camera(
        fields.whole("width"), fields.whole("height"), fields.number("fx_px", above=0.0), fields.number("fy_px", above=0.0),
        fields.number("cx_px"), fields.number("cy_px"), (k1, k2, p1, p2, k3), exposure,
    )  # fmt: skip


def read_camera(path: Path) -> Camera:
    """A camera from a camera.yaml. Raises InputError (`FILE: key: what is wrong`)."""
    return _camera(str(path), "", _load(path))


def camera_as_yaml(camera: Camera) -> dict[str, Any]:
    """A camera as the plain values a camera.yaml holds."""
    plain: dict[str, Any] = {
        "width": camera.width, "height": camera.height,
        **{key: round(float(getattr(camera, key)), 4) for key in ("fx_px", "fy_px", "cx_px", "cy_px")},
        "distortion": [round(float(d), 7) for d in camera.distortion],
    }  # fmt: skip
    if camera.exposure_s is not None:
        plain["exposure_s"] = camera.exposure_s
    return plain


def _dump(path: Path, head: str, plain: Mapping[str, Any]) -> None:
    body = yaml.safe_dump(dict(plain), sort_keys=False, default_flow_style=None, width=150, allow_unicode=True)
    text = "".join(f"# {line}\n" for line in head.splitlines()) + body
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as err:
        raise InputError(f"{path}: cannot be written: {err.strerror}") from err


def write_camera(path: Path, camera: Camera) -> None:
    """Writes a camera.yaml. Raises InputError where the file cannot be written."""
    _dump(path, "A camera: focal lengths and centre in pixels, distortion k1 k2 p1 p2 k3 (OpenCV's).", camera_as_yaml(camera))


def sizes_from_yaml(file: str, where: str, value: Any) -> PieceSizes:
    """Sizes of a set from the plain values of a YAML file; a size left out is the usual piecepack's. Raises InputError."""
    fields = _Fields(file, where, value, _SIZE_KEYS)
    given = {key: fields.number(key, above=0.0) for key in _SIZE_KEYS if key in fields.value}
    return PieceSizes(**given)


def _edge_side(file: str) -> Callable[[str, Any], EdgeSide]:
    def read(where: str, value: Any) -> EdgeSide:
        fields = _Fields(file, where, value, _EDGE_KEYS)
        begin, end = fields.point("begin_mm"), fields.point("end_mm")
        return EdgeSide(begin, end, fields.number("sigma_mm", above=0.0), fields.number("from_share"), fields.number("to_share"))

    return read


def _tile(file: str, where: str, value: Any) -> Tile:
    fields = _Fields(file, where, value, ("centre_mm", "rotation_deg", "stack"))
    return Tile(fields.point("centre_mm"), fields.number("rotation_deg"), fields.whole("stack") if "stack" in fields.value else 1)


def _view(fields: _Fields, file: str) -> TableView:
    camera = _camera(file, "camera", fields.want("camera"))
    pose = _Fields(file, "pose", fields.want("pose"), ("rotation_vector", "translation_mm"))
    rotation, _ = cv2.Rodrigues(np.array(pose.numbers("rotation_vector", 3)))
    return TableView(camera, np.asarray(rotation, dtype=np.float64), np.array(pose.numbers("translation_mm", 3)))


def _text_of(file: str) -> Callable[[str, Any], str]:
    def read(where: str, value: Any) -> str:
        if not isinstance(value, str):
            raise InputError(f"{file}: {where}: text is wanted, not {_kind(value)}")
        return value

    return read


def read_table(path: Path) -> SurveyedTable:
    """A surveyed table from a table.yaml. Raises InputError (`FILE: key: what is wrong`)."""
    file = str(path)
    fields = _Fields(file, "", _load(path), _TABLE_KEYS)
    sizes = sizes_from_yaml(file, "sizes", fields.want("sizes"))
    tiles = fields.want("tiles")
    if not isinstance(tiles, dict) or not tiles:
        raise fields.fail("tiles", f"a mapping of tiles by name is wanted, not {_kind(tiles)}")
    laid = {str(name): _tile(file, f"tiles.{name}", tile) for name, tile in tiles.items()}
    left = fields.text("left_endpost")
    if left not in ("left", "right"):
        raise fields.fail("left_endpost", f"left or right is wanted, not {left!r}")
    return SurveyedTable(
        fields.text("game"), _view(fields, file), Course(MappingProxyType(laid), sizes.tile_mm), sizes, fields.listed("edge", _edge_side(file)),
        fields.number("residual_mm"), fields.flag("mirrored"), left, fields.listed("warnings", _text_of(file)) if "warnings" in fields.value else (),
    )  # fmt: skip


def write_table(path: Path, table: SurveyedTable) -> None:
    """Writes a table.yaml. Raises InputError where the file cannot be written."""
    rotation, _ = cv2.Rodrigues(table.view.R_camera_table)
    plain = {
        "game": table.game, "left_endpost": table.left_endpost, "mirrored": table.mirrored, "residual_mm": round(float(table.residual_mm), 4),
        "camera": camera_as_yaml(table.view.camera),
        "pose": {
            "rotation_vector": [round(float(v), 9) for v in rotation.ravel()],
            "translation_mm": [round(float(v), 5) for v in table.view.t_camera_table_mm],
        },
        "sizes": {key: getattr(table.sizes, key) for key in _SIZE_KEYS},
        "edge": [_plain_side(side) for side in table.edge],
        "tiles": {
            name: {"centre_mm": [round(float(c), 4) for c in tile.centre_mm], "rotation_deg": round(float(tile.rotation_deg), 4), "stack": tile.stack}
            for name, tile in table.course.tiles.items()
        },
        "warnings": list(table.warnings),
    }  # fmt: skip
    head = "A surveyed table. Millimetres in the table frame: x from the left to the right endpost, z up; mirrored: wicket 3 lies at y > 0."
    _dump(path, head, plain)


def _plain_side(side: EdgeSide) -> dict[str, Any]:
    return {
        "begin_mm": [round(float(c), 3) for c in side.begin_mm], "end_mm": [round(float(c), 3) for c in side.end_mm],
        "sigma_mm": round(float(side.sigma_mm), 3), "from_share": round(float(side.from_share), 4), "to_share": round(float(side.to_share), 4),
    }  # fmt: skip
