"""One camera and many tiles, adjusted together until every measured rim lies on the edge of a square of the known size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.camera import TableView
from calibration.rims import Rim, top_height_mm
from referee.layout import Tile
from referee.pieces import PieceSizes

Array = NDArray[np.float64]

_NORMALS = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
_FLOOR_PX = 0.06  # what a perfect fit would still be off by: grain of the wood, compression
_ARM_MM = 25.0  # turns are counted as millimetres at a tile's corner, so that all unknowns are of one size
_GAUGE = 1e-3
_ROBUST = 2.5


@dataclass(frozen=True)
class Adjusted:
    """The adjusted view and tiles, the residual at the rims (mm, root mean square) and each tile's own, and the error of each tile's centre."""

    view: TableView
    tiles: Mapping[str, Tile]
    residual_mm: float
    sigma_mm: Mapping[str, float]


@dataclass(frozen=True)
class _Problem:
    view: TableView
    names: Sequence[str]
    tiles: Sequence[Tile]
    sizes: PieceSizes
    owner: NDArray[np.int64]
    side: NDArray[np.int64]
    seen_px: Array
    px_per_mm: Array
    sigma_px: Array
    free_focal: bool

    def view_at(self, p: Array) -> TableView:
        turn, _ = cv2.Rodrigues(p[:3] / 1000.0)
        camera = self.view.camera
        if self.free_focal:
            grow = float(np.exp(p[6]))
            k1 = camera.distortion[0] + float(p[7])
            camera = replace(camera, fx_px=camera.fx_px * grow, fy_px=camera.fy_px * grow, distortion=(k1, *camera.distortion[1:]))
        return TableView(camera, turn @ self.view.R_camera_table, self.view.t_camera_table_mm + p[3:6])

    def poses_at(self, p: Array) -> tuple[Array, Array]:
        moves = p[8:].reshape(-1, 3)
        centres = np.array([t.centre_mm for t in self.tiles]) + moves[:, :2]
        return centres, np.radians([t.rotation_deg for t in self.tiles]) + moves[:, 2] / _ARM_MM

    def residuals(self, p: Array) -> Array:
        """In sigmas: each measured rim point against its tile's edge, and weak ties that fix what the picture does not."""
        view = self.view_at(p)
        centres, turns = self.poses_at(p)
        heights = np.array([top_height_mm(t, self.sizes) for t in self.tiles])[self.owner]
        cos, sin = np.cos(turns)[self.owner], np.sin(turns)[self.owner]
        local = _NORMALS[self.side]
        normal = np.column_stack((cos * local[:, 0] - sin * local[:, 1], sin * local[:, 0] + cos * local[:, 1]))
        seen = _to_heights(view, self.seen_px, heights)
        beyond = ((seen - centres[self.owner]) * normal).sum(axis=1) - self.sizes.tile_mm / 2
        return np.concatenate((beyond * self.px_per_mm / self.sigma_px, self._ties(p)))

    def _ties(self, p: Array) -> Array:
        moves = p[8:].reshape(-1, 3)
        lens = np.array([p[6] / 0.3, p[7] / 0.1]) if self.free_focal else p[6:8] * 1e3
        return np.concatenate((moves.mean(axis=0) * 100 * _GAUGE, lens, _GAUGE * p[:6], _GAUGE * p[8:]))


def _to_heights(view: TableView, points_px: Array, heights_mm: Array) -> Array:
    flat = view.camera.undistort(points_px)
    rays = np.column_stack((flat, np.ones(len(flat)))) @ view.R_camera_table
    eye = view.position_mm
    reach = (heights_mm - eye[2]) / rays[:, 2]
    return np.asarray(eye[:2] + rays[:, :2] * reach[:, None], dtype=np.float64)


def adjust(view: TableView, tiles: Mapping[str, Tile], rims: Mapping[str, Sequence[Rim]], sizes: PieceSizes, *, free_focal: bool = False) -> Adjusted:
    """The camera's pose and the tiles' poses from measured rims.

    `free_focal` lets the focal length and k1 go too. The table frame stays where the tiles had it on average. Tiles with rims on fewer than two different edges
    keep to their starting place as far as their rims let them.
    """
    names = [n for n in tiles if rims.get(n)]
    listed = [(k, rim) for k, n in enumerate(names) for rim in rims[n]]
    points = np.array([[*rim.point_mm, rim.profile.height_mm] for _, rim in listed])
    scale = np.array([rim.profile.px_per_mm for _, rim in listed])
    problem = _Problem(
        view, names, [tiles[n] for n in names], sizes,
        np.array([k for k, _ in listed], dtype=np.int64), np.array([rim.profile.side for _, rim in listed], dtype=np.int64),
        view.to_image(points), scale, np.hypot([rim.sigma_mm for _, rim in listed] * scale, _FLOOR_PX), free_focal,
    )  # fmt: skip
    found = least_squares(problem.residuals, np.zeros(8 + 3 * len(names)), loss="soft_l1", f_scale=_ROBUST, max_nfev=30)
    return _adjusted(problem, tiles, found.x, np.asarray(found.jac, dtype=np.float64))


def _adjusted(problem: _Problem, tiles: Mapping[str, Tile], p: Array, jacobian: Array) -> Adjusted:
    centres, turns = problem.poses_at(p)
    moved = dict(tiles)
    for k, name in enumerate(problem.names):
        turn = float((np.degrees(turns[k]) + 45.0) % 90.0 - 45.0)
        moved[name] = replace(problem.tiles[k], centre_mm=(float(centres[k, 0]), float(centres[k, 1])), rotation_deg=turn)
    off_mm = problem.residuals(p)[: len(problem.owner)] * problem.sigma_px / problem.px_per_mm
    kept = np.abs(off_mm) < 4 * max(1.4826 * float(np.median(np.abs(off_mm))), 0.02)
    residual = float(np.sqrt(np.mean(off_mm[kept] ** 2)))
    return Adjusted(problem.view_at(p), moved, residual, _errors(problem, jacobian, p))


def _errors(problem: _Problem, jacobian: Array, p: Array) -> dict[str, float]:
    """The error of each tile's centre, mm, as the adjustment's normal equations and its residuals tell it."""
    count = len(problem.owner)
    left = problem.residuals(p)[:count]
    inflate = max(1.0, 1.4826 * float(np.median(np.abs(left))))
    spread = np.linalg.pinv(jacobian.T @ jacobian)
    sigma = {}
    for k, name in enumerate(problem.names):
        i = 8 + 3 * k
        sigma[name] = inflate * float(np.sqrt((spread[i, i] + spread[i + 1, i + 1]) / 2))
    return sigma
