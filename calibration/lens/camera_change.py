"""Computes how a change of the camera moves its picture: the camera turns, and the picture grows
when the camera focuses again.

A rotation R of the camera about its centre moves a point that the lens shows at the ray r to the
ray R r. A lens that focuses nearer moves away from the sensor, and the whole picture grows about
its optical axis, its distortion included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import DIFFERENCE
from calibration.lens.camera import Camera, TableView

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CameraChange:
    """How a camera differs from what it was before: it has turned by `rotation` (3, 3), which takes
    earlier rays to present rays, and its focal lengths are `growth` times as long.
    """

    rotation: Array
    growth: float = 1.0

    def after(self, earlier: CameraChange) -> CameraChange:
        """Return both changes as one, `earlier` first."""
        return CameraChange(self.rotation @ earlier.rotation, self.growth * earlier.growth)

    def since(self, earlier: CameraChange) -> CameraChange:
        """Return the change that leads from `earlier` to this one."""
        return CameraChange(self.rotation @ earlier.rotation.T, self.growth / earlier.growth)


ANGLES: Final = 3  # By definition: the numbers of a rotation vector
#: By definition: no change.
UNMOVED: Final = CameraChange(np.eye(3))


def rotation_of(turn_rad: Array) -> Array:
    """Return the rotation matrix (3, 3) of a rotation vector (3,) (Rodrigues' formula)."""
    return np.asarray(cv2.Rodrigues(np.asarray(turn_rad, dtype=np.float64))[0], dtype=np.float64)


def change_of(step: Array) -> CameraChange:
    """Return the change that three or four numbers describe: a rotation vector, rad, and the
    logarithm of the growth.
    """
    return CameraChange(rotation_of(step[:ANGLES]), math.exp(step[ANGLES:].sum()))


def grown(camera: Camera, growth: float) -> Camera:
    """Return the camera with focal lengths `growth` times as long."""
    if growth == 1.0:
        return camera
    return replace(camera, fx_px=growth * camera.fx_px, fy_px=growth * camera.fy_px)


def rays_of(camera: Camera, points_px: Array) -> Array:
    """Return the rays (n, 3) that pixels (n, 2) show. Their component along the optical axis is
    1.
    """
    flat = camera.undistort(points_px)
    return np.column_stack((flat, np.ones(len(flat))))


def pixels_of(camera: Camera, rays: Array) -> Array:
    """Return the pixels (n, 2) at which the lens shows rays (n, 3)."""
    return camera.distort(rays[:, :2] / rays[:, 2:])


def seen_after(camera: Camera, change: CameraChange, rays: Array) -> Array:
    """Return the pixels (n, 2) at which the changed camera shows what it showed at rays (n, 3)
    before.
    """
    return pixels_of(grown(camera, change.growth), rays @ change.rotation.T)


def moved_pixels(camera: Camera, change: CameraChange, points_px: Array) -> Array:
    """Return the pixels (n, 2) at which the changed camera shows what it showed at `points_px` (n,
    2) before.
    """
    return seen_after(camera, change, rays_of(camera, points_px))


def pixels_by_change(camera: Camera, rays: Array) -> Array:
    """Return how many pixels (n, 2, 4) rays (n, 3) are moved by a turn of 1 rad about each axis,
    and by an increase of the growth's logarithm by 1.
    """
    middles = pixels_of(camera, rays)
    turned = [
        (pixels_of(camera, rays + DIFFERENCE * np.cross(axis, rays)) - middles) / DIFFERENCE
        for axis in np.eye(3)
    ]
    return np.stack([*turned, middles - (camera.cx_px, camera.cy_px)], axis=2)


def most_moved_px(camera: Camera, change: CameraChange) -> float:
    """Return how far a change moves the picture, px: the largest motion of its middle and its four
    corners.
    """
    right, bottom = camera.width - 1.0, camera.height - 1.0
    points = np.array([[right / 2, bottom / 2], [0, 0], [right, 0], [0, bottom], [right, bottom]])
    off = moved_pixels(camera, change, points) - points
    return float(np.linalg.norm(off, axis=1).max())


def reported_motion_px(camera: Camera, change: CameraChange) -> float:
    """Return one number, px, for telling people how far a change moves the picture: the motion of
    its middle, or half of the largest motion of its corners if that is more.
    """
    middle = np.array([[(camera.width - 1.0) / 2, (camera.height - 1.0) / 2]])
    moved = float(np.linalg.norm(moved_pixels(camera, change, middle) - middle))
    return max(moved, most_moved_px(camera, change) / 2)


def changed_view(view: TableView, change: CameraChange) -> TableView:
    """Return the view of a camera after a change."""
    return replace(
        view,
        camera=grown(view.camera, change.growth),
        R_camera_table=change.rotation @ view.R_camera_table,
        t_camera_table_mm=change.rotation @ view.t_camera_table_mm.reshape(3),
    )


def change_between(before: TableView, now: TableView) -> CameraChange:
    """Return the change of the camera that leads from one view of a table to another."""
    return CameraChange(
        now.R_camera_table @ before.R_camera_table.T, now.camera.fx_px / before.camera.fx_px
    )
