"""A camera over a table: its lens, its pose, and the transforms between pixels and millimetres.

Pixels: the centre of the top-left pixel is (0, 0). Table frame: millimetres, z up. The lens model
is OpenCV's (Brown-Conrady: k1, k2, p1, p2, k3). `R_camera_table` and `t_camera_table_mm` take table
points to camera points: `p_camera = R p_table + t`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MOST_STEPS

Array = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

#: Chosen: the standard deviation of the focal length among usual lenses, as a share of it.
FOCAL_SIGMA: Final = 0.2
#: Chosen: people tilt a camera that looks at a table by 20 degrees or so.
USUAL_TILT_RAD: Final = np.radians(20.0)
_UNDISTORT_SETTLED: Final = 1e-9  # as a share of the focal length: a millionth of a pixel


@dataclass(frozen=True)
class Camera:
    """A lens and its sensor. `exposure_s` is None if it is not known."""

    width: int
    height: int
    fx_px: float
    fy_px: float
    cx_px: float
    cy_px: float
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    exposure_s: float | None = None

    @property
    def matrix(self) -> Array:
        """Return the 3 x 3 camera matrix, px."""
        return np.array(
            [[self.fx_px, 0, self.cx_px], [0, self.fy_px, self.cy_px], [0, 0, 1]], dtype=np.float64
        )

    def distort(self, flat: Array) -> Array:
        """Return the pixels (n, 2) at which the lens shows points (n, 2) of the undistorted image
        plane at distance 1. This is the inverse of `undistort`.
        """
        k1, k2, p1, p2, k3 = self.distortion
        x, y = flat[:, 0], flat[:, 1]
        xx, yy, xy = x * x, y * y, x * y
        r2 = xx + yy
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        image = np.empty_like(flat)
        image[:, 0] = self.cx_px + self.fx_px * (x * radial + 2 * p1 * xy + p2 * (r2 + 2 * xx))
        image[:, 1] = self.cy_px + self.fy_px * (y * radial + p1 * (r2 + 2 * yy) + 2 * p2 * xy)
        return image

    def distort_one(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of one point of the undistorted image plane; see `distort`."""
        k1, k2, p1, p2, k3 = self.distortion
        xx, yy, xy = x * x, y * y, x * y
        r2 = xx + yy
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        return (
            self.cx_px + self.fx_px * (x * radial + 2 * p1 * xy + p2 * (r2 + 2 * xx)),
            self.cy_px + self.fy_px * (y * radial + p1 * (r2 + 2 * yy) + 2 * p2 * xy),
        )

    def undistort(self, points_px: Array) -> Array:
        """Return the points (n, 2) of the undistorted image plane at distance 1 that pixels (n, 2)
        show.
        """
        k1, k2, p1, p2, k3 = self.distortion
        seen = (
            np.asarray(points_px, dtype=np.float64).reshape(-1, 2) - (self.cx_px, self.cy_px)
        ) / (self.fx_px, self.fy_px)
        if not any(self.distortion):
            return seen
        flat = seen.copy()
        for _ in range(MOST_STEPS):  # each step reduces the error to about a tenth
            x, y = flat[:, 0], flat[:, 1]
            r2 = x * x + y * y
            radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
            tangential = np.column_stack(
                (2 * p1 * x * y + p2 * (r2 + 2 * x * x), p1 * (r2 + 2 * y * y) + 2 * p2 * x * y)
            )
            better = (seen - tangential) / radial[:, None]
            settled = not len(flat) or float(np.abs(better - flat).max()) < _UNDISTORT_SETTLED
            flat = better
            if settled:
                break
        return flat

    def undistort_one(self, x_px: float, y_px: float) -> tuple[float, float]:
        """Return the point of the undistorted image plane that one pixel shows; see `undistort`."""
        k1, k2, p1, p2, k3 = self.distortion
        seen_x, seen_y = (x_px - self.cx_px) / self.fx_px, (y_px - self.cy_px) / self.fy_px
        x, y = seen_x, seen_y
        for _ in range(MOST_STEPS):
            before, xx, yy, xy = (x, y), x * x, y * y, x * y
            r2 = xx + yy
            radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
            x = (seen_x - 2 * p1 * xy - p2 * (r2 + 2 * xx)) / radial
            y = (seen_y - p1 * (r2 + 2 * yy) - 2 * p2 * xy) / radial
            if max(abs(x - before[0]), abs(y - before[1])) < _UNDISTORT_SETTLED:
                break
        return x, y


def plain_camera(width: int, height: int, focal_share: float = 1.0) -> Camera:
    """Return a lens without distortion. `focal_share` is the focal length as a share of the
    picture's longer side. A share of 1 lies between the usual lenses of webcams and phones.
    """
    focal_px = focal_share * max(width, height)
    return Camera(width, height, focal_px, focal_px, (width - 1) / 2, (height - 1) / 2)


@dataclass(frozen=True)
class TableView:
    """A camera in its pose over the table."""

    camera: Camera
    R_camera_table: Array
    t_camera_table_mm: Array

    @property
    def position_mm(self) -> Array:
        """Return where the camera is, in the table frame (3,)."""
        return np.asarray(-self.R_camera_table.T @ self.t_camera_table_mm, dtype=np.float64)

    def to_image(self, points_mm: Array) -> Array:
        """Return the pixels (n, 2) of table points: (n, 3), or (n, 2) on the table's surface."""
        points = np.asarray(points_mm, dtype=np.float64)
        if points.shape[1] == 2:
            points = np.column_stack((points, np.zeros(len(points))))
        seen = points @ self.R_camera_table.T + self.t_camera_table_mm.reshape(3)
        return self.camera.distort(seen[:, :2] / np.where(seen[:, 2:] == 0.0, 1.0, seen[:, 2:]))

    def pixel_of(self, x_mm: float, y_mm: float, z_mm: float) -> tuple[float, float]:
        """Return the pixel of one table point, like `to_image` but in a tenth of the time."""
        (ax, ay, az), (bx, by, bz), (cx, cy, cz), (right, down, ahead) = self._pose
        deep = cx * x_mm + cy * y_mm + cz * z_mm + ahead or 1.0
        return self.camera.distort_one(
            (ax * x_mm + ay * y_mm + az * z_mm + right) / deep,
            (bx * x_mm + by * y_mm + bz * z_mm + down) / deep,
        )

    @cached_property
    def _pose(self) -> list[list[float]]:
        """Return the three rows of the rotation, followed by the shift."""
        return [*self.R_camera_table.tolist(), self.t_camera_table_mm.ravel().tolist()]

    def to_table(self, points_px: Array, height_mm: float | Array = 0.0) -> Array:
        """Return the points (n, 2) that pixels (n, 2) show on the plane `height_mm` above the
        table, or each on a plane of its own (n,).
        """
        return self.flat_to_table(self.camera.undistort(points_px), height_mm)

    def flat_to_table(self, flat: Array, height_mm: float | Array = 0.0) -> Array:
        """Return the points (n, 2) that points (n, 2) of the undistorted image plane show, like
        `to_table`. A caller with many poses of one lens thus undistorts the pixels only once.
        """
        rays = np.column_stack((flat, np.ones(len(flat)))) @ self.R_camera_table
        camera_mm = self.position_mm
        reach = (height_mm - camera_mm[2]) / rays[:, 2]
        return np.asarray(camera_mm[:2] + rays[:, :2] * reach[:, None], dtype=np.float64)

    def place_of(self, x_px: float, y_px: float, height_mm: float) -> tuple[float, float]:
        """Return the place that one pixel shows on the plane `height_mm` above the table, like
        `to_table` but in a tenth of the time.
        """
        x, y = self.camera.undistort_one(x_px, y_px)
        *rows, shift = self._pose
        east, north, up = (x * a + y * b + c for a, b, c in zip(*rows, strict=True))
        at_x, at_y, at_z = (
            -(a * shift[0] + b * shift[1] + c * shift[2]) for a, b, c in zip(*rows, strict=True)
        )
        reach = (height_mm - at_z) / up
        return at_x + east * reach, at_y + north * reach

    def px_per_mm(self, at_mm: tuple[float, float], height_mm: float = 0.0) -> float:
        """Return how many pixels a millimetre covers at a place: the geometric mean over the
        directions.
        """
        x, y = at_mm
        three = self.to_image(
            np.array([[x, y, height_mm], [x + 1.0, y, height_mm], [x, y + 1.0, height_mm]])
        )
        right, up = three[1] - three[0], three[2] - three[0]
        return float(np.sqrt(abs(right[0] * up[1] - right[1] * up[0])))


def in_front(view: TableView, points_mm: Array) -> Array:
    """Return the pixels of table points. A point behind the camera, or so far to the side that the
    lens model folds back, gets a pixel outside the picture.
    """
    spot = (
        np.column_stack((points_mm, np.zeros(len(points_mm)))) @ view.R_camera_table.T
        + view.t_camera_table_mm
    )
    ahead = spot[:, 2] > 1.0
    camera = view.camera
    reach = 1.25 * np.hypot(
        max(camera.cx_px, camera.width - camera.cx_px) / camera.fx_px,
        max(camera.cy_px, camera.height - camera.cy_px) / camera.fy_px,
    )
    near = ahead & (np.hypot(spot[:, 0], spot[:, 1]) < reach * np.maximum(spot[:, 2], 1.0))
    pixels = np.full((len(points_mm), 2), -1e4)
    if near.any():
        pixels[near] = view.to_image(points_mm[near])
    return pixels
