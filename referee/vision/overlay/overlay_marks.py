"""Turns coins, tiles and paths, in mm on the table, into marks to draw over the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import CIRCLE_POINTS
from calibration.constants.palette import BLACK, GREEN, GREY, SKY, WHITE, YELLOW, Colour
from calibration.lens.camera import TableView
from referee.domain.geometry import Point, square_corners
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.vision.overlay.video_overlay import Label, PointPx, Stroke

# Chosen: limits, sizes and colours that nothing was measured for.

#: The length of a dash of a dashed rim, in sides of the polygon that is drawn for the rim.
_SIDES_OF_A_DASH: Final = 2
#: The lens bends straight lines on the table. So a line is drawn through points at most this far
#: apart.
_BEND_EVERY_MM: Final = 15.0
#: Nothing closer than this to the camera's own plane, mm, is drawn. A line would run to infinity
#: there.
_LEAST_DEPTH_MM: Final = 50.0


def course_strokes(
    view: TableView, course: Course, sizes: PieceSizes, edge_mm: Sequence[Point] = ()
) -> tuple[Stroke, ...]:
    """Return the wickets' lines, the tiles' upper rims and the table's outline as strokes. These
    strokes do not change as long as the course does not.
    """
    strokes = [
        stroke(view, (line.left_mm, line.right_mm), GREEN, thickness_px=2)
        for line in course.lines.values()
    ]
    for tile in course.tiles.values():
        corners = square_corners(tile.centre_mm, course.tile_mm, tile.rotation_deg)
        strokes.append(
            stroke(view, corners, SKY, closed=True, height_mm=tile.stack * sizes.tile_thickness_mm)
        )
    if edge_mm:
        strokes.append(stroke(view, edge_mm, WHITE, closed=True))
    return tuple(strokes)


def coin_marks(
    view: TableView, sizes: PieceSizes, coins: Mapping[str, tuple[Point, float | None]]
) -> tuple[tuple[Stroke, ...], tuple[Label, ...]]:
    """Return the coins' upper rims as strokes, and beside each the coin's name and the error of its
    place.

    `coins` maps names to (centre_mm, sigma_mm). If `sigma_mm` is None, the coin cannot be seen now,
    and its rim is dashed.
    """
    strokes, labels = [], []
    for name, (centre, sigma_mm) in coins.items():
        rim = circle(centre, sizes.coin_mm / 2)
        whole = stroke(view, rim, YELLOW, closed=True, height_mm=sizes.coin_thickness_mm)
        strokes += [whole] if sigma_mm is not None else _dashed(whole)
        beside = project(
            view, [(centre[0] + 0.7 * sizes.coin_mm, centre[1])], sizes.coin_thickness_mm
        )
        said, colour = (
            (f"{name} +/-{sigma_mm:.2f} mm", YELLOW)
            if sigma_mm is not None
            else (f"{name} hidden", GREY)
        )
        labels += [Label(said, at, colour) for at in beside]
    return tuple(strokes), tuple(labels)


def _dashed(rim: Stroke) -> list[Stroke]:
    """Return a closed stroke in grey dashes with dark ones in between, visible on a hand and on
    wood.
    """
    corners = (*rim.points_px, *rim.points_px[:1])
    dashes = [
        corners[i : i + _SIDES_OF_A_DASH + 1] for i in range(0, len(corners) - 1, _SIDES_OF_A_DASH)
    ]
    return [Stroke(dash, BLACK if i % 2 else GREY, thickness_px=2) for i, dash in enumerate(dashes)]


def path_strokes(view: TableView, paths: Iterable[Sequence[Point]]) -> tuple[Stroke, ...]:
    """Return the paths of a flick as strokes. Each path is a sequence of centres in mm."""
    return tuple(stroke(view, path, YELLOW, thickness_px=2) for path in paths)


def stroke(
    view: TableView,
    points_mm: Sequence[Point],
    colour: Colour,
    *,
    closed: bool = False,
    thickness_px: int = 1,
    height_mm: float = 0.0,
) -> Stroke:
    """Return a line `height_mm` above the table as the camera sees it: bent by the lens. Parts that
    are not in front of the camera are left out.
    """
    along = _close_together(points_mm, closed) if any(view.camera.distortion) else points_mm
    return Stroke(tuple(project(view, along, height_mm)), colour, closed, thickness_px)


def _close_together(points_mm: Sequence[Point], closed: bool) -> list[Point]:
    """Return the same line with points at most `_BEND_EVERY_MM` apart. A closed line ends at its
    first point.
    """
    if len(points_mm) < 2:
        return list(points_mm)
    ends = [*points_mm, points_mm[0]] if closed else list(points_mm)
    points = [ends[0]]
    for (ax, ay), (bx, by) in pairwise(ends):
        count = max(1, math.ceil(math.hypot(bx - ax, by - ay) / _BEND_EVERY_MM))
        points += [
            (ax + (bx - ax) * i / count, ay + (by - ay) * i / count) for i in range(1, count + 1)
        ]
    return points[:-1] if closed else points


def project(view: TableView, points_mm: Sequence[Point], height_mm: float = 0.0) -> list[PointPx]:
    """Return the pixels of points `height_mm` above the table.

    Points that are not in front of the camera are left out. So are points far outside the picture,
    where the lens formula was never measured and folds back into the picture.
    """
    if not points_mm:
        return []
    projections = np.column_stack(
        (np.asarray(points_mm, dtype=np.float64), np.full(len(points_mm), height_mm))
    )
    at_camera = projections @ view.R_camera_table.T + view.t_camera_table_mm
    projections, at_camera = (
        projections[at_camera[:, 2] > _LEAST_DEPTH_MM],
        at_camera[at_camera[:, 2] > _LEAST_DEPTH_MM],
    )
    front = projections[_unfolded(view, (at_camera[:, :2] ** 2).sum(axis=1) / at_camera[:, 2] ** 2)]
    return [(float(x), float(y)) for x, y in view.to_image(front)] if len(front) else []


def _unfolded(view: TableView, r2: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return at which squared distances `r2` (n,) from the middle of the undistorted picture the
    lens formula has not folded back yet.

    Where the formula has not folded back, and everywhere closer to the middle, the slope of `r (1 +
    k1 r^2 + k2 r^4 + k3 r^6)` is above 0.
    """
    k1, k2, _, _, k3 = view.camera.distortion
    turns = [
        z.real for z in np.roots([7 * k3, 5 * k2, 3 * k1, 1.0]) if abs(z.imag) < 1e-9 and z.real > 0
    ]
    return np.asarray(r2 < min(turns, default=math.inf), dtype=np.bool_)


def circle(centre: Point, radius_mm: float) -> list[Point]:
    """Return a circle as a polygon of 32 corners, mm."""
    angles = (2 * math.pi * i / CIRCLE_POINTS for i in range(CIRCLE_POINTS))
    return [
        (centre[0] + radius_mm * math.cos(angle), centre[1] + radius_mm * math.sin(angle))
        for angle in angles
    ]
