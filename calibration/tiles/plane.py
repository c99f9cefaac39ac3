"""Finds the plane on which quadrilaterals in the picture are squares of one known size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.lens.camera import Camera, TableView, plain_camera
from referee.domain.sighting import SEEN_SIGMAS

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

# Tuned on our own clips, except where a comment gives another source for a number.

_TILTS: Final = np.radians(np.arange(0.0, 71.0, 7.0))  # the tilts of the plane that are tried
_AZIMUTHS: Final = np.radians(np.arange(0.0, 360.0, 20.0))
# a quadrilateral farther than this share of its side from a square is not a square
_SKEWED: Final = 0.16
# The standard deviation, as a share, of the apparent sides of squares of one size. The top of a
# stack is a few per cent closer to the camera.
_SIZE_SIGMA: Final = 0.03
_SIZE_SHARE: Final = SEEN_SIGMAS * _SIZE_SIGMA
FEWEST_TILES: Final = 3  # by definition: this many determine a plane
# The focal lengths that are tried, as shares of the picture's longer side: from wide-angle to
# telephoto lenses of webcams and phones.
_FOCAL_SHARES: Final = (0.55, 0.65, 0.75, 0.87, 1.0, 1.2, 1.45, 1.8)


@dataclass(frozen=True)
class SquaresOnPlane:
    """A plane through the faces of squares: a view in which z = 0 is that plane, and the indices of
    the quadrilaterals that are squares on it.
    """

    view: TableView
    members: tuple[int, ...]
    spread: float
    """The root median square deviation of the members from squares of the common size, in shares of
    a side.
    """


def _basis(normal: Array) -> Array:
    """Return the rotation whose columns are three axes of the plane in the camera's frame: x (to
    the right in the picture), y (away from the camera) and z (towards the camera).
    """
    x = np.array([1.0, 0.0, 0.0]) - normal * normal[0]
    x /= np.linalg.norm(x)
    return np.column_stack((x, np.cross(normal, x), normal))


def _normal(lean: Array) -> Array:
    """Return the normal towards the camera for a lean (2,): the tangent of the tilt along the
    picture's x and y.
    """
    raw = np.array([lean[0], lean[1], -1.0])
    return raw / float(np.linalg.norm(raw))


def _on_plane(flat: Array, normal: Array) -> Complex:
    """Return corners (n, 4, 2) of the undistorted image plane, projected to a plane at distance 1,
    as complex coordinates (n, 4) on that plane.
    """
    rays = np.concatenate((flat, np.ones((*flat.shape[:2], 1))), axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        points = rays / -(rays @ normal)[..., None]
    basis = _basis(normal)
    return np.asarray(points @ basis[:, 0] + 1j * (points @ basis[:, 1]), dtype=np.complex128)


def _squareness(corners: Complex) -> tuple[Array, Complex]:
    """Return the side (n,) and the two complex skews (n, 2) of each quadrilateral. The skews,
    relative to its size, are the Fourier components of the four corners that are zero for a square.
    """
    parts = np.fft.fft(corners, axis=1, norm="forward")
    circle = np.abs(parts[:, 3])  # clockwise in the picture is clockwise on the plane
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(circle * np.sqrt(2.0)), np.asarray(
            np.stack((parts[:, 1], parts[:, 2]), axis=1) / circle[:, None]
        )


def _skew(skews: Complex) -> Array:
    """Return how far each quadrilateral is from a square, (n,), by its complex skews (n, 2)."""
    return np.asarray(np.sqrt((np.abs(skews) ** 2).sum(axis=1)))


def _largest_group(flat: Array, normal: Array) -> tuple[float, float, tuple[int, ...]] | None:
    """Return (weight, side, members) of the group of squares of one size with the largest weight,
    on a plane at distance 1; None if no three squares have one size.

    Sorted by size, squares of one size are neighbours, so the sums over each group are differences
    of running sums.
    """
    sides, skews = _squareness(_on_plane(flat, normal))
    skew = _skew(skews)
    good = np.flatnonzero(np.isfinite(skew) & (skew < _SKEWED) & (sides > 0))
    good = good[np.argsort(sides[good], kind="stable")]
    size = np.log(sides[good])
    begin = np.searchsorted(size, size - _SIZE_SHARE, "right")
    end = np.searchsorted(size, size + _SIZE_SHARE, "left")
    large = end - begin >= FEWEST_TILES
    begin, end = begin[large], end[large]
    if len(begin) == 0:
        return None
    middle = (begin + end) // 2
    side = (sides[good][(begin + end - 1) // 2] + sides[good][middle]) / 2
    skewed, sized = (np.concatenate(((0.0,), np.cumsum(each))) for each in (skew[good], size))
    off = (sized[end] - sized[middle]) - (sized[middle] - sized[begin])
    off -= (end + begin - 2 * middle) * np.log(side)
    unlike = (skewed[end] - skewed[begin]) / _SKEWED + off / _SIZE_SHARE
    trust = (end - begin) - unlike / 2
    best = int(np.argmax(trust * side**2))
    members = tuple(int(k) for k in sorted(good[begin[best] : end[best]]))
    return float(trust[best] * side[best] ** 2), float(side[best]), members


def _leans() -> list[Array]:
    return [
        np.array([np.tan(t) * np.cos(a), np.tan(t) * np.sin(a)])
        for t in _TILTS
        for a in (_AZIMUTHS if t > 0 else [0.0])
    ]


def _misfit(flat: Array, normal: Array, side: float) -> Array:
    sides, skews = _squareness(_on_plane(flat, normal))
    return np.concatenate(
        (skews.real.ravel(), skews.imag.ravel(), np.log(np.maximum(sides, 1e-9) / side))
    )


def _refine(flat: Array, lean: Array, side: float) -> tuple[Array, float, float]:
    """Return the lean, the side at distance 1, and the root median square misfit of the given
    squares.
    """

    def residuals(p: Array) -> Array:
        return _misfit(flat, _normal(p[:2]), float(np.exp(p[2])))

    start = np.array([*lean, np.log(side)])
    found = least_squares(residuals, start, loss="soft_l1", f_scale=_SIZE_SIGMA)
    left = residuals(found.x)
    return found.x[:2], float(np.exp(found.x[2])), float(np.sqrt(np.median(left**2)))


def _solve(quads: Array, camera: Camera) -> list[tuple[float, SquaresOnPlane, float]]:
    """Return candidates for one camera, highest weight first: (weight, plane at distance 1, side of
    its squares in the unit of that distance).
    """
    flat = camera.undistort(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    rough: list[tuple[float, float, tuple[int, ...], Array]] = []
    for lean in _leans():
        group = _largest_group(flat, _normal(lean))
        if group is not None:
            weight, side, members = group
            rough.append((weight * _scale_free(flat, lean, members), side, members, lean))
    rough.sort(key=lambda r: -r[0])
    apart: dict[tuple[int, ...], tuple[float, float, tuple[int, ...], Array]] = {}
    for start in rough[:3]:
        apart.setdefault(start[2], start)
    return [_finish(flat, camera, *start) for start in apart.values()]


def _scale_free(flat: Array, lean: Array, members: tuple[int, ...]) -> float:
    """Return the factor that makes weights, which are in squared plane units, comparable between
    planes: the ratio of the members' area in pixels to their area on the plane.
    """
    corners = _on_plane(flat[list(members)], _normal(lean))
    sides, _ = _squareness(corners)
    seen = flat[list(members)]
    seen_side = np.sqrt(
        np.abs(
            np.linalg.norm(seen[:, 2] - seen[:, 0], axis=1)
            * np.linalg.norm(seen[:, 3] - seen[:, 1], axis=1)
        )
        / 2
    )
    return float(np.median(seen_side) ** 2 / np.median(sides) ** 2)


def _finish(
    flat: Array, camera: Camera, weight: float, side: float, members: tuple[int, ...], lean: Array
) -> tuple[float, SquaresOnPlane, float]:
    spread = 1.0
    for _ in range(3):
        lean, side, spread = _refine(flat[list(members)], lean, side)
        sides, skews = _squareness(_on_plane(flat, _normal(lean)))
        skew = _skew(skews)
        again = np.flatnonzero(
            (skew < _SKEWED) & (np.abs(np.log(np.maximum(sides, 1e-9) / side)) < _SIZE_SHARE)
        )
        if len(again) >= FEWEST_TILES:
            members = _one_each(_on_plane(flat, _normal(lean)).mean(axis=1), skew, again, side)
    basis = _basis(_normal(lean))
    foot = -basis[:, 2]  # the point of the plane below the camera, at distance 1
    return weight, SquaresOnPlane(TableView(camera, basis, foot), members, spread), side


def _one_each(
    centres: Complex, skew: Array, squares: NDArray[np.intp], side: float
) -> tuple[int, ...]:
    """Return the squares on a plane without overlaps: of squares that overlap, only the most
    regular one.
    """
    kept: list[int] = []
    places = np.empty(len(squares), dtype=np.complex128)
    for k in squares[np.argsort(skew[squares], kind="stable")].tolist():
        if (np.abs(places[: len(kept)] - centres[k]) > side / 2).all():
            places[len(kept)] = centres[k]
            kept.append(k)
    return tuple(sorted(kept))


def find_planes(quads: Sequence[Array], camera: Camera, side_mm: float) -> list[SquaresOnPlane]:
    """Find planes on which many of the quadrilaterals are squares with the side `side_mm`, the most
    likely plane first. A quadrilateral is (4, 2) px, clockwise in the picture.

    The views are in mm, with z = 0 at the squares' faces. Empty if no three quadrilaterals agree.
    """
    if len(quads) < FEWEST_TILES:
        return []
    return [_in_mm(plane, side, side_mm) for _, plane, side in _solve(np.array(quads), camera)]


def size_groups(
    quads: Sequence[Array], view: TableView, side_mm: float
) -> list[tuple[TableView, tuple[int, ...]]]:
    """Group the quadrilaterals that are squares on a known plane by their sizes. For each size,
    return the view of the plane in which squares of this size have the side `side_mm`, and the
    indices of these squares. Neighbouring groups overlap, and so may the squares of one group.

    Tiles on a chequered cloth lie on the plane of the cloth's many squares, which determine it
    better than the tiles do.
    """
    sides, skews = _squareness(_on_table(quads, view))
    good = np.flatnonzero((_skew(skews) < _SKEWED) & (sides > 0))
    if len(good) == 0:
        return []
    sizes = np.log(sides[good])
    found = []
    for size in np.arange(sizes.min(), sizes.max() + _SIZE_SHARE, _SIZE_SHARE):
        members = good[np.abs(sizes - size) < _SIZE_SHARE]
        if len(members) >= FEWEST_TILES:
            shift_mm = view.t_camera_table_mm * (side_mm / float(np.exp(size)))
            found.append((replace(view, t_camera_table_mm=shift_mm), tuple(map(int, members))))
    return found


def without_overlaps(quads: Sequence[Array], view: TableView, side_mm: float) -> tuple[int, ...]:
    """Return the indices of the squares on the plane z = 0 of a view, without overlaps: of squares
    that overlap, only the most regular one is kept.
    """
    corners = _on_table(quads, view)
    _, skews = _squareness(corners)
    return _one_each(corners.mean(axis=1), _skew(skews), np.arange(len(quads)), side_mm)


def _on_table(quads: Sequence[Array], view: TableView) -> Complex:
    """Return the corners of n quadrilaterals on the plane z = 0 of a view, as complex numbers
    (n, 4), in mm.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # a corner may be on the horizon
        corners = view.to_table(np.array(quads).reshape(-1, 2)).reshape(-1, 4, 2)
    return np.asarray(corners[..., 0] + 1j * corners[..., 1], dtype=np.complex128)


def _in_mm(plane: SquaresOnPlane, side: float, side_mm: float) -> SquaresOnPlane:
    """Return a plane at distance 1, scaled so that the `side` of its squares becomes `side_mm`."""
    shift = plane.view.t_camera_table_mm * (side_mm / side)
    return replace(plane, view=replace(plane.view, t_camera_table_mm=shift))


def guess_camera(quads: Sequence[Array], width: int, height: int) -> Camera:
    """Estimate the lens from squares of one size: square pixels, principal point in the middle, no
    distortion.

    Of several focal lengths, it takes the one for which most quadrilaterals are squares of one
    size. If there is no such group of squares, it takes a usual focal length. The estimate is
    rough: refine it with the squares' edges.
    """
    best: tuple[float, Camera] | None = None
    for share in _FOCAL_SHARES:
        camera = plain_camera(width, height, share)
        for _, plane, _ in _solve(np.array(quads), camera)[:1]:
            score = len(plane.members) / (_SIZE_SIGMA + plane.spread)
            if best is None or score > best[0]:
                best = (score, camera)
    return plain_camera(width, height) if best is None else best[1]
