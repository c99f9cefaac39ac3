"""Finds, from the tiles alone, how a camera has changed since its table was surveyed.

The outlines of all tiles are moved together over the picture until they lie on edges. Then every
tile is measured, and one change of the camera is fitted to all of them. A tile that was itself
moved disagrees with the others, and does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

import cv2
import numpy as np

from calibration.constants.fitting import SIDE_SHARE
from calibration.lens.camera import TableView
from calibration.lens.camera_change import (
    UNMOVED,
    Array,
    CameraChange,
    change_of,
    changed_view,
    most_moved_px,
    pixels_by_change,
    rays_of,
    rotation_of,
)
from calibration.lens.camera_motion import BUMP_PX, Floats, agreed_change
from calibration.tiles.rims import top_height_mm
from referee.domain.geometry import square_corners
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.vision.image.picture import Bytes, Picture
from referee.vision.tiles.tile_measuring import measure_tile

# Chosen: if the camera turned farther, the table must be surveyed again.
MOST_PX: Final = 20.0
MOST_ROLL_RAD: Final = np.radians(1.0)  # Chosen: see above
# Chosen: the steps of the two searches, px. The second search is around the best result of the
# first. The picture is blurred by half a step, so that no edge lies between two steps.
STEPS_PX: Final = (4.0, 1.0)
ROLL_STEP_RAD: Final = MOST_ROLL_RAD / 4  # Chosen: see above
POINTS_A_SIDE: Final = 8  # Chosen: this many points of each side are examined


def rough_turn(luma: Bytes, view: TableView, course: Course, sizes: PieceSizes) -> CameraChange:
    """Return the turn of the camera at which the tiles' outlines lie on the strongest
    edges of a picture (h, w). The search covers 20 px and one degree, and the result is accurate to
    about a pixel.
    """
    points, across = _outlines(view, course, sizes)
    rays = rays_of(view.camera, points)
    by_turn = pixels_by_change(view.camera, rays)[:, :, :3]
    per_px = np.linalg.pinv(pixels_by_change(view.camera, np.array([[0.0, 0.0, 1.0]]))[0, :, :2])
    best, reach_px, rolls = np.zeros(3), MOST_PX, np.arange(-4, 5) * ROLL_STEP_RAD
    for step_px in STEPS_PX:
        slopes = _slopes(luma, step_px)
        shifts = np.arange(-reach_px, reach_px + step_px / 2, step_px)
        turns = [
            best + np.array([*(per_px @ (right, down)), roll])
            for right, down, roll in product(shifts, shifts, rolls)
        ]
        best = max(turns, key=lambda turn: _strength(slopes, points + by_turn @ turn, across))
        reach_px, rolls = step_px, np.arange(-2, 3) * ROLL_STEP_RAD / 3
    return CameraChange(rotation_of(best))


def change_since(
    luma: Bytes, view: TableView, course: Course, sizes: PieceSizes
) -> CameraChange | None:
    """Return the change of the camera since its `view` was measured, from a picture (h, w) of the
    course; None unless most of the tiles agree on it.
    """
    picture = Picture(luma)
    for near in (True, False) if course.tiles else ():
        start = UNMOVED if near else rough_turn(luma, view, course, sizes)
        seen_from = changed_view(view, start)
        measured = {
            name: found[0]
            for name, tile in course.tiles.items()
            if (found := measure_tile(picture, seen_from, tile, sizes, found=True)) is not None
        }
        if 2 * len(measured) > len(course.tiles):
            change = _changed_by_tiles(seen_from, course, measured).after(start)
            clear = most_moved_px(view.camera, change) >= BUMP_PX
            return change if clear else UNMOVED
    return None


def _changed_by_tiles(
    view: TableView, course: Course, measured: Mapping[str, Tile]
) -> CameraChange:
    """Return the change of the camera that best explains the places of the tiles as measured with
    this view.
    """
    lay = np.array([course.tiles[name].centre_mm for name in measured])
    lies = np.array([tile.centre_mm for tile in measured.values()])
    expected = view.to_image(lay)
    by_change = pixels_by_change(view.camera, rays_of(view.camera, expected))
    return change_of(agreed_change(by_change, view.to_image(lies) - expected))


def _outlines(view: TableView, course: Course, sizes: PieceSizes) -> tuple[Array, Array]:
    """Return points (n, 2), px, on the sides of all tiles' top faces, `POINTS_A_SIDE` for each
    side, and for each point the direction (n, 2) across its side.
    """
    shares = np.linspace(0.5 - SIDE_SHARE / 2, 0.5 + SIDE_SHARE / 2, POINTS_A_SIDE)
    points, across = [], []
    for tile in course.tiles.values():
        corners = square_corners(tile.centre_mm, sizes.tile_mm, tile.rotation_deg)
        top = np.array([[*corner, top_height_mm(tile, sizes)] for corner in corners])
        for begin, end in zip(top, np.roll(top, -1, axis=0), strict=True):
            side = view.to_image(begin + shares[:, None] * (end - begin))
            along = (side[-1] - side[0]) / (np.linalg.norm(side[-1] - side[0]) + 1e-9)
            points.append(side)
            across.append(np.tile([-along[1], along[0]], (POINTS_A_SIDE, 1)))
    return np.concatenate(points), np.concatenate(across)


def _slopes(luma: Bytes, step_px: float) -> Floats:
    """Return the slopes (h, w, 2) of a picture blurred by half a step."""
    soft = cv2.GaussianBlur(luma.astype(np.float32), (0, 0), step_px / 2)
    slopes = [cv2.Sobel(soft, cv2.CV_32F, *axis, ksize=3) for axis in ((1, 0), (0, 1))]
    return np.asarray(np.stack(slopes, axis=2), dtype=np.float32)


def _strength(slopes: Floats, points: Array, across: Array) -> float:
    """Return how strong the picture's edges under the outlines are. Each side counts with the
    square root of its mean slope, so that one very strong edge does not outweigh many others.
    """
    columns, rows = np.rint(points).astype(np.intp).T
    height, width = slopes.shape[:2]
    inside = (columns >= 0) & (rows >= 0) & (columns < width) & (rows < height)
    seen = slopes[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
    steps = ((seen * across).sum(axis=1) * inside).reshape(-1, POINTS_A_SIDE)
    return float(np.sqrt(np.abs(steps.mean(axis=1))).sum())
