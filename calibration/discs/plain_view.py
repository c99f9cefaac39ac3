"""Makes up a camera over a plain table from the discs that it sees, for free play.

Neither lens nor pose is known. The lens is taken for a usual one without distortion. How the
camera is tilted is estimated from the discs: a tilt makes them ellipses, all in one direction, and
those that are farther away smaller.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, least_squares

from calibration.discs.found_disc import FoundDisc
from calibration.lens.camera import Camera, TableView
from calibration.pieces.piece_rims import measure_width
from referee.domain.pieces import DiscSizes

#: The width of a disc whose size nobody gave, in the table frame's unit, which is then no
#: millimetre. Chosen: a usual coin's, because limits in mm are made for these.
UNKNOWN_SIZE_MM: Final = 20.0
# Chosen: a usual webcam's or phone's, between 50 and 75 degrees across the picture. A tilt says
# how fast discs get smaller only together with it.
FOCAL_OF_WIDTH: Final = 1.0
FOCAL_SHARE: Final = 0.2  # Chosen: usual lenses differ by so much from that
THICKNESS_OF_WIDTH: Final = 0.08  # Chosen: most coins' thickness is 7 to 10 % of their width
# Measured: over eleven discs seen from straight above, lit from one side, the ellipse of a rim and
# its shadow is this much longer than wide.
ROUND_SHARE: Final = 0.05
# Chosen: a tilt that is known to fewer standard errors is none.
TILT_SIGMAS: Final = 3.0
OUTLIER_SHARE: Final = 0.1  # Chosen: of a disc's width; a rim that is off by more is another edge's
# Measured: over drawn discs, one that is measured alone is up to 5 % off. Those that differ by
# less from the next one are taken for equally wide.
ALIKE_SHARE: Final = 0.06
# Chosen: of a disc's width, the usual misfit of ellipses of one size. Where it is larger, the discs
# have several sizes, and only the shapes of their ellipses tell of a tilt.
ONE_SIZE_MISFIT: Final = 0.08
FEWEST_SIZES: Final = 5  # Chosen: three determine a tilt, and two more tell how well
LEAST_SCATTER: Final = (
    0.005  # Measured: of a disc's half width, on two drawn videos 0.0035 and 0.005
)
_WIDTH_ROUNDS: Final = 3  # Chosen: of measuring the width and making the view with it
_CORNERS: Final = 24  # Chosen: of the polygon that stands for a rim

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlainView:
    """A made-up view of a plain table. `tilt_deg` is how far the camera looks from straight down,
    with its standard error. `widths_mm` are the widths of the discs, in their order, each to some
    3 %. Discs that are about equally wide have the same width.
    """

    view: TableView
    sizes: DiscSizes
    widths_mm: tuple[float, ...]
    tilt_deg: float
    tilt_sigma_deg: float

    @property
    def is_tilted(self) -> bool:
        """Whether the discs plainly show that the camera does not look straight down."""
        return self.tilt_deg > 0.0


def plain_view(
    bgr: NDArray[np.uint8], discs: Sequence[FoundDisc], disc_mm: float | None = None
) -> PlainView:
    """Make the view in which the discs of a picture, uint8 (h, w, 3), are round and as wide as
    `disc_mm`; of discs of several sizes, the middle one. There must be at least one disc.
    """
    width_mm = UNKNOWN_SIZE_MM if disc_mm is None else disc_mm
    height, width = bgr.shape[:2]
    camera = Camera(
        width,
        height,
        FOCAL_OF_WIDTH * width,
        FOCAL_OF_WIDTH * width,
        (width - 1) / 2,
        (height - 1) / 2,
    )
    seen = np.array([disc.middle_px for disc in discs])
    rough_px = float(np.median([sum(d.width_px) / 2 for d in discs]))
    tilt, sigma_rad = _tilt(camera, discs, rough_px)
    sizes = DiscSizes(coin_mm=width_mm, coin_thickness_mm=THICKNESS_OF_WIDTH * width_mm)
    view = _view(camera, tilt, rough_px / width_mm)
    widths: tuple[float, ...] = ()
    for _ in range(_WIDTH_ROUNDS):
        places = view.to_table(seen, sizes.coin_thickness_mm)
        widths = _widths(bgr, view, places, discs, sizes)
        scale = width_mm / float(np.median(widths))
        # nearer or farther until the discs have their size
        view = replace(view, t_camera_table_mm=view.t_camera_table_mm * scale)
        widths = tuple(scale * width for width in widths)
    tilt_deg = math.degrees(float(np.hypot(*tilt)))
    return PlainView(view, sizes, widths, tilt_deg, math.degrees(sigma_rad))


def _widths(
    bgr: NDArray[np.uint8],
    view: TableView,
    places: Array,
    discs: Sequence[FoundDisc],
    sizes: DiscSizes,
) -> tuple[float, ...]:
    """Return how wide each disc is, mm: of those about equally wide, their common width."""

    def measured(some: Sequence[int], rough_mm: float) -> float:
        return measure_width(bgr, view, places[some], replace(sizes, coin_mm=rough_mm))

    alone = [
        measured([k], sum(disc.width_px) / 2 / view.px_per_mm((float(x), float(y))))
        for k, (disc, (x, y)) in enumerate(zip(discs, places, strict=True))
    ]
    widths = list(alone)
    for group in _alike(alone):
        common = measured(group, float(np.median([alone[k] for k in group])))
        for k in group:
            widths[k] = common
    return tuple(widths)


def _alike(widths: Sequence[float]) -> list[list[int]]:
    """Return the indices of widths in groups: in each, every one differs little from the next."""
    order = sorted(range(len(widths)), key=lambda k: widths[k])
    groups = [order[:1]]
    for before, k in pairwise(order):
        if widths[k] < (1 + ALIKE_SHARE) * widths[before]:
            groups[-1].append(k)
        else:
            groups.append([k])
    return groups


def _view(camera: Camera, tilt: Array, px_per_mm: float) -> TableView:
    """Return the view of a camera that looks at the table's origin in the middle of its picture,
    tilted by a rotation vector about the picture's axes, rad (2,).
    """
    angle = float(np.hypot(*tilt))
    x, y = tilt / angle if angle > 0 else (1.0, 0.0)
    cos, sin = math.cos(angle), math.sin(angle)
    # Rodrigues' formula, for an axis in the picture's plane
    turn = np.array(
        [
            [cos + x * x * (1 - cos), x * y * (1 - cos), y * sin],
            [x * y * (1 - cos), cos + y * y * (1 - cos), -x * sin],
            [-y * sin, x * sin, cos],
        ]
    )
    down = np.diag([1.0, -1.0, -1.0])  # looking straight down, y of the table up in the picture
    away_mm = camera.fx_px / px_per_mm
    return TableView(camera, turn @ down, np.array([0.0, 0.0, away_mm]))


def _tilt(camera: Camera, discs: Sequence[FoundDisc], rough_px: float) -> tuple[Array, float]:
    """Return the tilt that explains the discs' ellipses best, rad (2,), and its standard error. A
    tilt that may be none is none.

    A shadow makes an ellipse longer, too, by about `ROUND_SHARE`; that is one error that all discs
    share. Where no tilt makes the discs equally wide, only the shapes of their ellipses count.
    Where one does, and the shapes do not tell a tilt, how the sizes of discs that lie far apart
    change over the picture may tell it.
    """
    shapes = _Shapes(camera, discs, rough_px, one_size=True)
    best = shapes.best()
    if shapes.scatter(best) * OUTLIER_SHARE / 2 > ONE_SIZE_MISFIT:
        shapes = replace(shapes, one_size=False)
        best = shapes.best()
    size = float(np.hypot(*best.x[:2]))
    # cos(tilt) is the share of the width that is left; a shadow takes or adds ROUND_SHARE of it
    shadow = ROUND_SHARE / max(math.sin(size), math.sqrt(2 * ROUND_SHARE))
    sigma_rad = math.hypot(shapes.spread(best), shadow)
    if shapes.one_size and size < TILT_SIGMAS * sigma_rad and len(discs) >= FEWEST_SIZES:
        by_size = replace(shapes, sizes_only=True)
        found = by_size.best()
        spread, tilt = by_size.spread(found), np.asarray(found.x[:2])
        # a longer lens shows sizes that change less; it does not make them change
        whole = math.hypot(spread, FOCAL_SHARE * float(np.hypot(*tilt)))
        if whole < sigma_rad:
            return tilt * (float(np.hypot(*tilt)) >= TILT_SIGMAS * spread), whole
    return np.asarray(best.x[:2]) * (size >= TILT_SIGMAS * sigma_rad), sigma_rad


@dataclass(frozen=True, slots=True)
class _Shapes:
    """The ellipses of discs, to be explained by a tilt: of one size or of any sizes, or of one size
    of which the shapes do not count.
    """

    camera: Camera
    discs: Sequence[FoundDisc]
    rough_px: float
    one_size: bool
    sizes_only: bool = False

    def best(self) -> OptimizeResult:
        """Return the fit of tilt (2,) and log scale that explains them best."""
        starts = ((0.0, 0.0), (0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5))
        fits = [least_squares(self._off, np.array([*s, 0.0]), loss="soft_l1") for s in starts]
        return min(fits, key=lambda fit: float(fit.cost))

    def scatter(self, fit: OptimizeResult) -> float:
        """Return the usual misfit in a fit, in half of `OUTLIER_SHARE` of a disc's width."""
        freedom = 3 * len(self.discs) - 3 if self.one_size else 2 * len(self.discs) - 2
        if self.sizes_only:
            freedom = len(self.discs) - 3
        return math.sqrt(2 * float(fit.cost) / max(1, freedom))

    def spread(self, fit: OptimizeResult) -> float:
        """Return the standard error of the tilt in a fit, rad, by how well it explains the discs:
        no better than `LEAST_SCATTER`.
        """
        slope = np.asarray(fit.jac, dtype=np.float64)
        normal = slope.T @ slope + 1e-9 * np.eye(3)
        scatter = self.scatter(fit)
        if self.sizes_only:
            scatter = max(scatter, LEAST_SCATTER / (OUTLIER_SHARE / 2))
        return scatter * math.sqrt(float(np.trace(np.linalg.inv(normal)[:2, :2])))

    def _off(self, guess: Array) -> Array:
        seen = np.array([_shape(d.width_px, d.turn_deg) for d in self.discs])
        corners = np.arange(_CORNERS) * (2 * np.pi / _CORNERS)
        rim = np.column_stack((np.cos(corners), np.sin(corners))) / 2  # of width 1
        view = _view(self.camera, guess[:2], self.rough_px * math.exp(guess[2]))
        places = view.to_table(np.array([d.middle_px for d in self.discs]))
        image = view.to_image((places[:, None] + rim).reshape(-1, 2))
        away = image.reshape(len(places), -1, 2)
        away = away - away.mean(axis=1, keepdims=True)
        # twice the second moments of a circle are its squared radius
        moments = 2 * np.einsum("dki,dkj->dij", away, away) / _CORNERS
        shape = np.array([_root(m) for m in moments])
        widths_px = np.full(len(seen), np.median([d.width_px[0] for d in self.discs]))
        if self.sizes_only:
            off_px = np.sqrt(_area(shape)) - np.sqrt(_area(seen))
            return np.asarray(off_px / (OUTLIER_SHARE / 2 * widths_px), dtype=np.float64)
        if not self.one_size:
            widths_px = np.array([d.width_px[0] for d in self.discs])
            shape = shape * np.sqrt(_area(seen) / _area(shape))[:, None]
        off = (shape - seen) / (OUTLIER_SHARE / 2 * widths_px[:, None])
        return np.asarray(off.ravel(), dtype=np.float64)


def _area(shapes: Array) -> Array:
    """Return the determinants of symmetric matrices given as xx, yy and xy, (n,)."""
    return np.asarray(shapes[:, 0] * shapes[:, 1] - shapes[:, 2] ** 2, dtype=np.float64)


def _shape(width_px: tuple[float, float], turn_deg: float) -> tuple[float, float, float]:
    """Return the two half widths of an ellipse as a symmetric matrix: xx, yy and xy, px."""
    longer, shorter = width_px[0] / 2, width_px[1] / 2
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return (
        longer * cos * cos + shorter * sin * sin,
        longer * sin * sin + shorter * cos * cos,
        (longer - shorter) * cos * sin,
    )


def _root(moments: Array) -> tuple[float, float, float]:
    """Return the square root of a symmetric matrix (2, 2): xx, yy and xy."""
    a, b, c = float(moments[0, 0]), float(moments[1, 1]), float(moments[0, 1])
    root = math.sqrt(max(a * b - c * c, 0.0))
    norm = math.sqrt(max(a + b + 2 * root, 1e-12))
    return (a + root) / norm, (b + root) / norm, c / norm
