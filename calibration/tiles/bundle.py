"""Adjusts one camera and many tiles together, until the measured rims lie on the edges of squares
of the known size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import DIFFERENCE, MOST_STEPS, RIM_SIGMA_MM, WEAK_PRIOR
from calibration.lens.camera import FOCAL_SIGMA, Camera, TableView
from calibration.tiles.field_error import FieldError
from calibration.tiles.rims import NORMALS, top_height_mm
from referee.domain.geometry import MEDIAN_SIGMAS, Point
from referee.domain.layout import Tile, within_quarter_turn
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import SEEN_SIGMAS

Array = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

# the error of an edge that wood grain and compression cause even with a perfect fit
_FLOOR_PX: Final = 0.12
#: The standard error, as a share, of a scale for which no rims were compared. Measured: blurred and
#: bleached clips were 0.5 to 5.5 % off, and one clip with white walls that could not be
#: distinguished from white faces was 10 % off.
UNSURE_SIGMA: Final = 0.07
_SQUARE_RAD: Final = float(np.radians(0.1))  # the error of a right angle of a table
_NEARLY_SQUARE_RAD: Final = float(np.radians(1.3))  # sides that are off by less are made square

# The unknowns that all tiles share. By definition: turn (3), shift (3), focal length and k1.
_OWN: Final = 8
# by definition: the unknowns of the view that the shapes of the tiles determine
_VIEW_UNKNOWNS: Final = 3


@dataclass(frozen=True)
class Adjusted:
    """The view and the tiles after the adjustment. `residual_mm` is the root mean square distance
    of measured from adjusted rims, without outliers; `off_mm` is that of each tile, with outliers.
    `field` is the error of the table's shape, `scale_sigma` the relative standard error of its
    scale.
    """

    view: TableView
    tiles: Mapping[str, Tile]
    residual_mm: float
    off_mm: Mapping[str, float]
    field: FieldError
    scale_sigma: float = UNSURE_SIGMA


@dataclass(frozen=True)
class Rim:
    """A measured point on the edge `side` of a tile's top face, which is `height_mm` above the
    table, and the scale at that point of the view in which it was measured.
    """

    side: int
    point_mm: Point
    height_mm: float
    px_per_mm: float


@dataclass(frozen=True)
class SeenSide:
    """A visible stretch of the table's edge: its `side` (0 near, 1 right, 2 far, 3 left), and its
    two ends in the picture (2, 2) px, counter-clockwise.
    """

    side: int
    ends_px: Array


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
    sides: Sequence[SeenSide] = ()
    corners: Sequence[tuple[int, int]] = ()

    @cached_property
    def flat(self) -> tuple[Array, ...]:
        """Return the measured points and the ends of each side on the undistorted image plane, by
        the lens of `view`.
        """
        return self._flat_by(self.view.camera)

    def _flat_by(self, camera: Camera) -> tuple[Array, ...]:
        return tuple(map(camera.undistort, (self.seen_px, *(s.ends_px for s in self.sides))))

    @cached_property
    def _heights_mm(self) -> Array:
        """Return the height of each measured point above the table."""
        return np.array([top_height_mm(t, self.sizes) for t in self.tiles])[self.owner]

    @cached_property
    def _local(self) -> Array:
        """Return the outward normal of each point's edge in its tile's frame."""
        return np.array(NORMALS)[self.side]

    @cached_property
    def _starts(self) -> tuple[Array, Array]:
        """Return the tiles' centres (n, 2), mm, and turns (n,), rad, before the adjustment."""
        centres = np.array([t.centre_mm for t in self.tiles])
        return centres, np.radians([t.rotation_deg for t in self.tiles])

    def bearings(self, view: TableView, ends: Sequence[Array]) -> Array:
        """Return the sides' bearings on the table, rad, each minus its number of quarter turns, so
        that all sides of a rectangle have the same value. `ends` are the sides' ends (2, 2) on the
        undistorted image plane.
        """
        ways = [np.subtract(*view.flat_to_table(flat)[::-1]) for flat in ends]
        return np.array(
            [
                np.arctan2(w[1], w[0]) - s.side * np.pi / 2
                for w, s in zip(ways, self.sides, strict=True)
            ]
        )

    def out_of_square(self, view: TableView, ends: Sequence[Array]) -> Array:
        """Return by how much pairs of sides fail to be parallel or at right angles, in sigmas."""
        if not self.corners:
            return np.zeros(0)
        bearings = self.bearings(view, ends)
        return np.array(
            [_turned(bearings[j] - bearings[i]) / _SQUARE_RAD for i, j in self.corners],
            dtype=np.float64,
        )

    def view_at(self, p: Array) -> TableView:
        turn, _ = cv2.Rodrigues(p[:3] / 1000.0)
        camera = self.view.camera
        if self.free_focal:
            grow = float(np.exp(p[6]))
            k1 = camera.distortion[0] + float(p[7])
            camera = replace(
                camera,
                fx_px=camera.fx_px * grow,
                fy_px=camera.fy_px * grow,
                distortion=(k1, *camera.distortion[1:]),
            )
        return TableView(
            camera, turn @ self.view.R_camera_table, self.view.t_camera_table_mm + p[3:6]
        )

    def poses_at(self, p: Array) -> tuple[Array, Array]:
        """Return the tiles' centres (n, 2), mm, and turns (n,), rad. The unknown of a turn is how
        far it moves the middles of a tile's sides, so that all unknowns have the same unit.
        """
        moves, arm_mm = p[_OWN:].reshape(-1, 3), self.sizes.tile_mm / 2
        centres, turns = self._starts
        return centres + moves[:, :2], turns + moves[:, 2] / arm_mm

    def residuals(self, p: Array) -> Array:
        """Return the residuals in sigmas: those of each measured rim point from its tile's edge,
        and those of weak priors on what the picture does not determine.
        """
        view = self.view_at(p)
        centres, turns = self.poses_at(p)
        cos, sin = np.cos(turns)[self.owner], np.sin(turns)[self.owner]
        local = self._local
        normal = np.column_stack(
            (cos * local[:, 0] - sin * local[:, 1], sin * local[:, 0] + cos * local[:, 1])
        )
        flat, *ends = self._flat_by(view.camera) if self.free_focal else self.flat
        seen = view.flat_to_table(flat, self._heights_mm)
        beyond = ((seen - centres[self.owner]) * normal).sum(axis=1) - self.sizes.tile_mm / 2
        return np.concatenate(
            (beyond * self.px_per_mm / self.sigma_px, self._ties(p), self.out_of_square(view, ends))
        )

    def jacobian(self, p: Array) -> Array:
        """Return the Jacobian of the residuals, computed by finite differences.

        All tiles are moved at once, because no residual except the weak priors depends on two
        tiles.
        """
        count, base = len(self.owner), self.residuals(p)
        matrix = np.zeros((len(base), len(p)))
        for k in range(_OWN):
            step = np.zeros(len(p))
            step[k] = DIFFERENCE
            matrix[:, k] = (self.residuals(p + step) - base) / DIFFERENCE
        for k in range(3):
            step = np.zeros(len(p))
            step[_OWN + k :: 3] = DIFFERENCE
            matrix[np.arange(count), _OWN + 3 * self.owner + k] = (
                self.residuals(p + step)[:count] - base[:count]
            ) / DIFFERENCE
        for k in range(_OWN, len(p)):
            step = np.zeros(len(p))
            step[k] = 1.0
            ties = self._ties(p + step) - self._ties(p)
            matrix[count : count + len(ties), k] = ties
        return matrix

    def _ties(self, p: Array) -> Array:
        moves = p[_OWN:].reshape(-1, 3)
        lens = np.array([p[6] / FOCAL_SIGMA, p[7] / 0.1]) if self.free_focal else p[6:8] * 1e3
        return np.concatenate(
            (moves.mean(axis=0) * 100 * WEAK_PRIOR, lens, WEAK_PRIOR * p[:6], WEAK_PRIOR * p[_OWN:])
        )


def _turned(angle_rad: float) -> float:
    return float((angle_rad + np.pi) % (2 * np.pi) - np.pi)


def _squared(problem: _Problem) -> _Problem:
    """Return the problem with added constraints: pairs of sides that are nearly at right angles or
    parallel must be exactly so. Most tables are rectangles.
    """
    bearings = problem.bearings(problem.view, problem.flat[1:])
    pairs = [
        (i, j)
        for i in range(len(bearings))
        for j in range(i)
        if abs(_turned(bearings[j] - bearings[i])) < _NEARLY_SQUARE_RAD
    ]
    return replace(problem, corners=pairs)


def adjust(
    view: TableView,
    tiles: Mapping[str, Tile],
    rims: Mapping[str, Sequence[Rim]],
    sizes: PieceSizes,
    *,
    free_focal: bool = False,
    sides: Sequence[SeenSide] = (),
) -> Adjusted:
    """Adjust the camera's pose and the tiles' poses to the measured rims.

    With `free_focal`, the focal length and k1 are adjusted, too. The mean place and turn of the
    tiles stay the same, which fixes the table frame. A tile with rims on fewer than two different
    edges stays as near its starting place as its rims allow. `sides` of the table that are nearly
    at right angles are treated as exactly so: they are long and sharp, and determine the tilt of
    the view better than tiles do.
    """
    names = [n for n in tiles if rims.get(n)]
    listed = [(k, rim) for k, n in enumerate(names) for rim in rims[n]]
    points = np.array([[*rim.point_mm, rim.height_mm] for _, rim in listed])
    scale = np.array([rim.px_per_mm for _, rim in listed])
    problem = _Problem(
        view,
        names,
        [tiles[n] for n in names],
        sizes,
        np.array([k for k, _ in listed], dtype=np.int64),
        np.array([rim.side for _, rim in listed], dtype=np.int64),
        view.to_image(points),
        scale,
        np.hypot(RIM_SIGMA_MM * scale, _FLOOR_PX),
        free_focal,
        sides,
    )
    problem = _squared(problem)
    return _adjusted(problem, tiles, _solve(problem))


def _weighted(problem: _Problem, p: Array) -> tuple[Array, float]:
    """Return the residuals' weights, and the loss. Beyond `SEEN_SIGMAS`, a residual adds to the
    loss only linearly.
    """
    left = problem.residuals(p)
    size = np.abs(left)
    size[len(problem.owner) :] = 0.0
    weights = np.sqrt(np.minimum(1.0, SEEN_SIGMAS / np.maximum(size, 1e-12)))
    linear = 2 * SEEN_SIGMAS * size - SEEN_SIGMAS**2
    loss = np.where(size > SEEN_SIGMAS, linear, left**2).sum()
    return weights, float(loss)


def _solve(problem: _Problem) -> Array:
    """Minimise by Levenberg's method on the normal equations, with new outlier weights at each
    step.

    scipy's `least_squares` with the same loss, Jacobian and stopping rule reaches the same loss
    within 1e-7. But for the six adjustments of one survey it takes 12.5 s of CPU, and this function
    takes 1.1 s.
    """
    p = np.zeros(_OWN + 3 * len(problem.names))
    damping = 1e-4
    weights, loss = _weighted(problem, p)
    for _ in range(MOST_STEPS):
        jacobian = problem.jacobian(p) * weights[:, None]
        square, slope = jacobian.T @ jacobian, jacobian.T @ (problem.residuals(p) * weights)
        while damping < 1e8:
            step = -np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-9), slope)
            new_weights, new_loss = _weighted(problem, p + step)
            if new_loss <= loss:
                break
            damping *= 10
        else:
            return p
        gain, p, weights, loss, damping = (
            loss - new_loss,
            p + step,
            new_weights,
            new_loss,
            max(damping / 10, 1e-9),
        )
        if gain < 1e-7 * (loss + 1e-9):
            break
    return p


def usual_error(off: Array) -> float:
    """Return the standard deviation of errors around 0, estimated from their median so that a few
    large errors hardly matter.
    """
    return MEDIAN_SIGMAS * float(np.median(np.abs(off)))


def _adjusted(problem: _Problem, tiles: Mapping[str, Tile], p: Array) -> Adjusted:
    centres, turns = problem.poses_at(p)
    moved = dict(tiles)
    for k, name in enumerate(problem.names):
        turn = within_quarter_turn(float(np.degrees(turns[k])))
        moved[name] = replace(
            problem.tiles[k],
            centre_mm=(float(centres[k, 0]), float(centres[k, 1])),
            rotation_deg=turn,
        )
    off_mm = problem.residuals(p)[: len(problem.owner)] * problem.sigma_px / problem.px_per_mm
    kept = np.abs(off_mm) <= SEEN_SIGMAS * usual_error(off_mm)
    residual = float(np.sqrt(np.mean(off_mm[kept] ** 2)))
    off = {
        name: float(np.sqrt(np.mean(off_mm[problem.owner == k] ** 2)))
        for k, name in enumerate(problem.names)
    }
    return Adjusted(problem.view_at(p), moved, residual, off, _field_error(problem, p))


def _field_error(problem: _Problem, p: Array) -> FieldError:
    """Return the error that the view causes over the table, estimated from how much the tiles
    disagree: by the infinitesimal jackknife, which leaves out one tile at a time.

    Without tile k, the solution would move by A^-1 g_k, where A is the normal matrix and g_k the
    slope of that tile's residuals (Huber's sandwich estimate). Each side of the table adds its own
    error.
    """
    weights, _ = _weighted(problem, p)
    jacobian = problem.jacobian(p) * weights[:, None]
    left = problem.residuals(p) * weights
    count, owners = len(problem.owner), len(problem.names)
    slopes = np.zeros((owners, len(p)))
    np.add.at(slopes, problem.owner, jacobian[:count] * left[:count, None])
    moves = slopes * np.sqrt(owners / max(owners - _VIEW_UNKNOWNS, 1))
    if problem.corners:
        moves = np.concatenate((moves, _by_sides(problem, jacobian, left)))
    normal = jacobian.T @ jacobian
    moved = np.linalg.solve(normal + 1e-12 * np.trace(normal) * np.eye(len(p)), moves.T).T
    return _over_places(problem, p, moved[:, :_OWN])


def _by_sides(problem: _Problem, jacobian: Array, left: Array) -> Array:
    """Return the slopes (sides, unknowns) that an error of each side of the table causes, through
    the side's corners. A side's error is the assumed error or, if that is more, its disagreement
    with the other sides.
    """
    squares = len(problem.corners)
    signs = np.zeros((len(problem.sides), squares))
    for pair, (i, j) in enumerate(problem.corners):
        signs[i, pair], signs[j, pair] = -1.0, 1.0
    others = np.maximum(np.abs(signs).sum(axis=1), 1.0)
    sigmas = np.maximum(np.abs(signs @ left[-squares:]) / others, 1.0)
    return np.asarray((signs * sigmas[:, None]) @ jacobian[-squares:], dtype=np.float64)


def _over_places(problem: _Problem, p: Array, moved: Array) -> FieldError:
    """Return the error of places on the table, given n possible errors `moved` (n, own unknowns) of
    the view's unknowns.
    """
    view = problem.view_at(p)
    places = problem.poses_at(p)[0]
    pixels = view.to_image(places)
    slopes = np.zeros((places.size, _OWN))
    for k in range(_OWN):
        step = np.zeros(len(p))
        step[k] = DIFFERENCE
        slopes[:, k] = (problem.view_at(p + step).to_table(pixels) - places).ravel() / DIFFERENCE
    return FieldError.of(places, (slopes @ moved.T).reshape(*places.shape, -1))
