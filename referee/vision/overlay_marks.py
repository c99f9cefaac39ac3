"""What is known on the table, in mm, as marks over the picture of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from calibration.camera import TableView
from referee.geometry import Point
from referee.layout import Course, Tile
from referee.pieces import PieceSizes
from referee.vision.overlay import CYAN, GREEN, WHITE, YELLOW, Colour, Label, PointPx, Stroke

_CORNERS_OF_A_RIM = 32
#: How much nearer than this to the camera's own plane, mm, nothing is drawn: there a line would run to infinity.
_LEAST_DEPTH_MM = 50.0


def course_strokes(view: TableView, course: Course, sizes: PieceSizes, edge_mm: Sequence[Point] = ()) -> tuple[Stroke, ...]:
    """The wickets' lines, the tiles' upper rims and the table's outline as strokes. They stay the same while the course does."""
    strokes = [stroke(view, (line.left_mm, line.right_mm), GREEN, thickness_px=2) for line in course.lines.values()]
    for tile in course.tiles.values():
        corners = _corners(tile, course.tile_mm)
        strokes.append(stroke(view, corners, CYAN, closed=True, height_mm=tile.stack * sizes.tile_thickness_mm))
    if edge_mm:
        strokes.append(stroke(view, edge_mm, WHITE, closed=True))
    return tuple(strokes)


def coin_marks(view: TableView, sizes: PieceSizes, coins: Mapping[str, tuple[Point, float]]) -> tuple[tuple[Stroke, ...], tuple[Label, ...]]:
    """The coins' upper rims as strokes, and beside each its name and `sigma_mm`. `coins` maps names to (centre_mm, sigma_mm)."""
    strokes, labels = [], []
    for name, (centre, sigma_mm) in coins.items():
        rim = [_on_circle(centre, sizes.coin_mm / 2, i) for i in range(_CORNERS_OF_A_RIM)]
        strokes.append(stroke(view, rim, YELLOW, closed=True, height_mm=sizes.coin_thickness_mm))
        beside = project(view, [(centre[0] + 0.7 * sizes.coin_mm, centre[1])], sizes.coin_thickness_mm)
        labels += [Label(f"{name} {sigma_mm:.2f}", at, YELLOW) for at in beside]
    return tuple(strokes), tuple(labels)


def path_strokes(view: TableView, paths: Iterable[Sequence[Point]]) -> tuple[Stroke, ...]:
    """The paths of a flick, each a row of centres in mm."""
    return tuple(stroke(view, path, YELLOW, thickness_px=2) for path in paths)


def stroke(view: TableView, points_mm: Sequence[Point], colour: Colour, *, closed: bool = False, thickness_px: int = 1, height_mm: float = 0.0) -> Stroke:
    """A line over the table, `height_mm` above it, as it is seen. What is not in front of the camera is left out."""
    return Stroke(tuple(project(view, points_mm, height_mm)), colour, closed, thickness_px)


def project(view: TableView, points_mm: Sequence[Point], height_mm: float = 0.0) -> list[PointPx]:
    """Where points `height_mm` above the table are seen, px; those that are not in front of the camera are left out."""
    if not points_mm:
        return []
    spots = np.column_stack((np.asarray(points_mm, dtype=np.float64), np.full(len(points_mm), height_mm)))
    depths = spots @ view.R_camera_table[2] + view.t_camera_table_mm[2]
    front = spots[depths > _LEAST_DEPTH_MM]
    return [(float(x), float(y)) for x, y in view.to_image(front)] if len(front) else []


def _on_circle(centre: Point, radius_mm: float, i: int) -> Point:
    angle = 2 * math.pi * i / _CORNERS_OF_A_RIM
    return (centre[0] + radius_mm * math.cos(angle), centre[1] + radius_mm * math.sin(angle))


def _corners(tile: Tile, tile_mm: float) -> list[Point]:
    """The four corners, counter-clockwise."""
    half_diagonal = tile_mm / math.sqrt(2)
    angles = (math.radians(tile.rotation_deg + 45 + 90 * k) for k in range(4))
    return [(tile.centre_mm[0] + half_diagonal * math.cos(a), tile.centre_mm[1] + half_diagonal * math.sin(a)) for a in angles]
