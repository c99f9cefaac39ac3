"""Reads and writes camera.yaml and table.yaml, which people may read and correct by hand. Reading
is strict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from calibration.course.orientation import SIDES
from calibration.lens.camera import Camera, TableView
from calibration.store.error_fields import field_error_as_yaml, read_field_error
from calibration.store.piece_store import check_sizes
from calibration.store.yaml_fields import LARGEST, Fields, shown
from calibration.store.yaml_input import read_yaml
from calibration.table.surveyed_table import SurveyedTable
from calibration.tiles.field_error import FieldError
from referee.domain.errors import InputError
from referee.domain.geometry import distance
from referee.domain.layout import SIDES_OF_TABLE, TILE_SIGMA_DEG, TILE_SIGMA_MM, Course, Tile
from referee.domain.pieces import SIZE_NAMES, PieceSizes
from referee.domain.table_edge import EdgeSide

Array = NDArray[np.float64]

# Chosen: limits, sizes and colours that nothing was measured for.

_CAMERA_KEYS: Final = (
    "width",
    "height",
    "fx_px",
    "fy_px",
    "cx_px",
    "cy_px",
    "distortion",
    "exposure_s",
)
_TABLE_KEYS: Final = (
    "game",
    "left_endpost",
    "mirrored",
    "moons_side_assumed",
    "residual_mm",
    "scale_sigma",
    "field_error",
    "camera",
    "pose",
    "sizes",
    "edge",
    "tiles",
    "warnings",
)
_TILE_KEYS: Final = (
    "centre_mm",
    "rotation_deg",
    "stack",
    "sigma_mm",
    "own_sigma_mm",
    "rotation_sigma_deg",
)
_EDGE_KEYS: Final = ("begin_mm", "end_mm", "sigma_mm", "from_share", "to_share")

_LONGEST_S: Final = 1.0  # a larger number was probably meant in milliseconds
_HIGHEST_STACK: Final = 20
_FEWEST_SIDES: Final = 3
_ONE_POINT_MM: Final = 1.0  # two points of the table's outline that are closer count as the same


def _camera(file: str, where: str, value: Any) -> Camera:
    fields = Fields(file, where, value, _CAMERA_KEYS)
    width, height = (fields.whole("width", most=LARGEST), fields.whole("height", most=LARGEST))
    k1, k2, p1, p2, k3 = (
        fields.numbers("distortion", 5, most=LARGEST)
        if "distortion" in fields.value
        else (0.0,) * 5
    )
    exposure = (
        fields.number("exposure_s", above=0.0, most=_LONGEST_S)
        if fields.value.get("exposure_s") is not None
        else None
    )
    focal = [fields.number(key, above=0.0, most=LARGEST) for key in ("fx_px", "fy_px")]
    if not 0.5 < focal[0] / focal[1] < 2.0:
        raise fields.fail("fy_px", f"{focal[1]:g} differs too much from fx_px, {focal[0]:g}")
    cx, cy = (
        fields.number(key, least=0.0, most=size - 1.0)
        for key, size in (("cx_px", width), ("cy_px", height))
    )
    return Camera(width, height, focal[0], focal[1], cx, cy, (k1, k2, p1, p2, k3), exposure)


def read_camera(path: Path) -> Camera:
    """Read a camera from a camera.yaml. Raises InputError (`FILE: key: what is wrong`)."""
    return _camera(str(path), "", read_yaml(path))


def camera_as_yaml(camera: Camera) -> dict[str, Any]:
    """Return a camera as the plain values that a camera.yaml holds."""
    plain: dict[str, Any] = {
        "width": camera.width,
        "height": camera.height,
        **{
            key: round(float(getattr(camera, key)), 4)
            for key in ("fx_px", "fy_px", "cx_px", "cy_px")
        },
        "distortion": [round(float(d), 7) for d in camera.distortion],
    }
    if camera.exposure_s is not None:
        plain["exposure_s"] = camera.exposure_s
    return plain


def _dump(path: Path, head: str, plain: Mapping[str, Any]) -> None:
    body = yaml.safe_dump(
        dict(plain), sort_keys=False, default_flow_style=None, width=150, allow_unicode=True
    )
    text = "".join(f"# {line}\n" for line in head.splitlines()) + body
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as err:
        raise InputError(f"{path}: cannot be written: {err.strerror}") from err


def write_camera(path: Path, camera: Camera) -> None:
    """Write a camera.yaml. Raises InputError if the file cannot be written."""
    _dump(
        path,
        "A camera: focal lengths and centre in pixels, distortion k1 k2 p1 p2 k3 (OpenCV's).",
        camera_as_yaml(camera),
    )


def _sizes(file: str, value: Any) -> PieceSizes:
    """Return a set's sizes. A size that is missing is that of the usual piecepack."""
    fields = Fields(file, "sizes", value, SIZE_NAMES)
    sizes = PieceSizes(**{key: fields.number(key) for key in SIZE_NAMES if key in fields.value})
    check_sizes(f"{file}: sizes", sizes)
    return sizes


def _edge_side(file: str) -> Callable[[str, Any], EdgeSide]:
    def read(where: str, value: Any) -> EdgeSide:
        fields = Fields(file, where, value, _EDGE_KEYS)
        begin, end = (fields.point("begin_mm", most=LARGEST), fields.point("end_mm", most=LARGEST))
        if distance(begin, end) < _ONE_POINT_MM:
            raise fields.fail("end_mm", f"a side from {list(begin)} to {list(end)} has no length")
        low, high = (
            fields.number("from_share", least=0.0, most=1.0),
            fields.number("to_share", least=0.0, most=1.0),
        )
        if high < low:
            raise fields.fail("to_share", f"{high:g} is less than from_share, {low:g}")
        return EdgeSide(begin, end, fields.number("sigma_mm", above=0.0), low, high)

    return read


def _edge(fields: Fields) -> tuple[EdgeSide, ...]:
    """Return the table's outline: empty, or at least three sides, each beginning where the one
    before it ends.
    """
    sides = fields.listed("edge", _edge_side(fields.file))
    if 0 < len(sides) < _FEWEST_SIDES:
        raise fields.fail(
            "edge",
            f"must have at least {_FEWEST_SIDES} sides, or none if the edge is not known; it has"
            f" {len(sides)}",
        )
    for k, side in enumerate(sides):
        before = sides[k - 1].end_mm
        if distance(before, side.begin_mm) > _ONE_POINT_MM:
            raise fields.fail(
                f"edge[{k}].begin_mm",
                f"{list(side.begin_mm)} is not where the side before it ends, {list(before)}",
            )
    return sides


def _tile(file: str, where: str, value: Any) -> Tile:
    fields = Fields(file, where, value, _TILE_KEYS)
    stack = fields.whole("stack", most=_HIGHEST_STACK) if "stack" in fields.value else 1

    def sigma(key: str, usual: float) -> float:
        return fields.number(key, least=0.0, most=LARGEST) if key in fields.value else usual

    return Tile(
        fields.point("centre_mm", most=LARGEST),
        fields.number("rotation_deg", least=-LARGEST, most=LARGEST),
        stack,
        sigma("own_sigma_mm", sigma("sigma_mm", TILE_SIGMA_MM)),
        sigma("rotation_sigma_deg", TILE_SIGMA_DEG),
    )


def _course(fields: Fields, sizes: PieceSizes) -> Course:
    """Return the course as it lies, with whatever tiles the file names. Whether these are the tiles
    of the game is checked later, when the match is known.
    """
    plain = fields.want("tiles")
    if not isinstance(plain, dict) or not plain:
        raise fields.fail(
            "tiles", f"must give a place for the name of each tile, not {shown(plain)}"
        )
    laid = {str(name): _tile(fields.file, f"tiles.{name}", tile) for name, tile in plain.items()}
    for (first, a), (second, b) in combinations(laid.items(), 2):
        if distance(a.centre_mm, b.centre_mm) < sizes.tile_mm / 2:
            raise fields.fail(
                f"tiles.{second}.centre_mm",
                f"{list(b.centre_mm)} lies on top of {first}, at {list(a.centre_mm)}",
            )
    return Course(MappingProxyType(laid), sizes.tile_mm)


def _view(fields: Fields, course: Course) -> TableView:
    """Return the camera with its pose. Raises InputError for a pose from which the course cannot be
    seen.
    """
    camera = _camera(fields.file, "camera", fields.want("camera"))
    pose = Fields(fields.file, "pose", fields.want("pose"), ("rotation_vector", "translation_mm"))
    rotation, _ = cv2.Rodrigues(np.array(pose.numbers("rotation_vector", 3, most=4 * math.pi)))
    view = TableView(
        camera,
        np.asarray(rotation, dtype=np.float64),
        np.array(pose.numbers("translation_mm", 3, most=LARGEST)),
    )
    if view.position_mm[2] <= 0:
        raise fields.fail(
            "pose", f"the camera would be {-view.position_mm[2]:.0f} mm below the table"
        )
    middle = np.array([*np.mean([t.centre_mm for t in course.tiles.values()], axis=0), 0.0])
    if (view.R_camera_table @ middle + view.t_camera_table_mm)[2] <= 0:
        raise fields.fail("pose", "the camera would look away from the course")
    return view


def _text_of(file: str) -> Callable[[str, Any], str]:
    def read(where: str, value: Any) -> str:
        if not isinstance(value, str):
            raise InputError(f"{file}: {where}: must be text, not {shown(value)}")
        return value

    return read


def read_table(path: Path) -> SurveyedTable:
    """Read a surveyed table from a table.yaml. Raises InputError (`FILE: key: what is wrong`)."""
    file = str(path)
    fields = Fields(file, "", read_yaml(path), _TABLE_KEYS)
    sizes = _sizes(file, fields.want("sizes"))
    course = _course(fields, sizes)
    return SurveyedTable(
        fields.text("game"),
        _view(fields, course),
        course,
        sizes,
        _edge(fields),
        fields.number("residual_mm", least=0.0),
        fields.flag("mirrored") if course.endposts else False,
        fields.choice("left_endpost", SIDES) if course.endposts else SIDES[0],
        fields.listed("warnings", _text_of(file)) if "warnings" in fields.value else (),
        fields.number("scale_sigma", least=0.0, most=1.0) if "scale_sigma" in fields.value else 0.0,
        read_field_error(file, fields.value["field_error"])
        if "field_error" in fields.value
        else FieldError(),
        castle_assumed=fields.choice("moons_side_assumed", SIDES_OF_TABLE)
        if "moons_side_assumed" in fields.value
        else None,
    )


def write_table(path: Path, table: SurveyedTable) -> None:
    """Write a table.yaml. Raises InputError if the file cannot be written."""
    rotation, _ = cv2.Rodrigues(table.view.R_camera_table)
    plain = {
        "game": table.game,
        **(
            {"left_endpost": table.left_endpost, "mirrored": table.mirrored}
            if table.course.endposts
            else {}
        ),
        **({"moons_side_assumed": table.castle_assumed} if table.castle_assumed else {}),
        "residual_mm": round(float(table.residual_mm), 4),
        "scale_sigma": round(float(table.scale_sigma), 5),
        "field_error": field_error_as_yaml(table.field_error),
        "camera": camera_as_yaml(table.view.camera),
        "pose": {
            "rotation_vector": [round(float(v), 9) for v in rotation.ravel()],
            "translation_mm": [round(float(v), 5) for v in table.view.t_camera_table_mm],
        },
        "sizes": {key: getattr(table.sizes, key) for key in SIZE_NAMES},
        "edge": [_plain_side(side) for side in table.edge],
        "tiles": {
            name: {
                "centre_mm": [round(float(c), 4) for c in tile.centre_mm],
                "rotation_deg": round(float(tile.rotation_deg), 4),
                "sigma_mm": round(float(np.hypot(tile.sigma_mm, sigma)), 3),
                "own_sigma_mm": round(float(tile.sigma_mm), 3),
                "rotation_sigma_deg": round(float(tile.rotation_sigma_deg), 3),
                "stack": tile.stack,
            }
            for (name, tile), sigma in zip(table.course.tiles.items(), _of_view(table), strict=True)
        },
        "warnings": list(table.warnings),
    }
    axes = (
        "x from the left to the right endpost, z up; mirrored: wicket 3 lies at y > 0"
        if table.course.endposts
        else "x to the east and y to the north from the middle of the course, z up"
    )
    head = (
        f"A surveyed table. Millimetres in the table frame: {axes}.\nsigma_mm of a tile: its error"
        " against the course as a whole; own_sigma_mm: against what lies near it."
    )
    _dump(path, head, plain)


def _of_view(table: SurveyedTable) -> Array:
    """Return the errors (n,), mm, that the error of the view causes at the tiles."""
    return table.sigmas_mm(np.array([tile.centre_mm for tile in table.course.tiles.values()]))


def _plain_side(side: EdgeSide) -> dict[str, Any]:
    return {
        "begin_mm": [round(float(c), 3) for c in side.begin_mm],
        "end_mm": [round(float(c), 3) for c in side.end_mm],
        "sigma_mm": round(float(side.sigma_mm), 3),
        "from_share": round(float(side.from_share), 4),
        "to_share": round(float(side.to_share), 4),
    }
