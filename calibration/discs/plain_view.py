"""Estimates a camera over a table without tiles from the discs that it sees, for free play.

Neither the lens nor the pose is known. The lens is taken to be a usual one without distortion. The
camera's tilt is estimated from the discs: it turns all of them into ellipses with one direction,
and makes discs that are farther away smaller, the more so the shorter the focal length is.
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

from calibration.constants.fitting import CIRCLE_POINTS
from calibration.discs.found_disc import FoundDisc
from calibration.lens.camera import FOCAL_SIGMA, USUAL_TILT_RAD, Camera, TableView, plain_camera
from calibration.pieces.piece_rims import measure_width
from referee.domain.pieces import DiscSizes
from referee.domain.sighting import SEEN_SIGMAS

#: The assumed width of a disc if the user gave none. The table frame's unit is then not the
#: millimetre. Chosen: the width of a usual coin, because limits in mm are made for such coins.
UNKNOWN_SIZE_MM: Final = 20.0
THICKNESS_OF_WIDTH: Final = 0.08  # Chosen: most coins' thickness is 7 to 10 % of their width
# Chosen: the height of a disc's side wall as a share of its width, and its standard deviation.
WALL_OF_WIDTH: Final = (0.1, 0.03)
# Measured: over eleven discs seen from straight above, lit from one side, the ellipse of a rim and
# its shadow is this much longer than wide.
SHADOW_SHARE: Final = 0.05
RIM_SHARE: Final = 0.02  # Chosen: the error of an ellipse's widths, as a share of the width
# Measured: over drawn discs, the width of a single disc is up to 5 % off. Discs whose widths differ
# by less than this from the next one count as equally wide.
ALIKE_SHARE: Final = 0.06
_WIDTH_ROUNDS: Final = 3  # Chosen: the rounds of measuring the width and making a view with it
_NO_TILT_RAD: Final = 1e-3  # Chosen: a smaller tilt is treated as 0

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlainView:
    """An estimated view of a table without tiles. `tilt_deg` is the angle of the camera's axis from
    straight down, with its standard error. `widths_mm` are the widths of the discs, in the order of
    the discs, each accurate to about 3 %. Discs that are about equally wide get the same width.
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
    """Make the view in which the discs of a picture, uint8 (h, w, 3), are round and `disc_mm` wide.
    If the discs have several sizes, the middle one is `disc_mm` wide. There must be at least one
    disc.
    """
    width_mm = UNKNOWN_SIZE_MM if disc_mm is None else disc_mm
    height, width = bgr.shape[:2]
    camera = plain_camera(width, height)
    seen = np.array([disc.middle_px for disc in discs])
    rough_px = float(np.median([sum(d.width_px) / 2 for d in discs]))
    shapes, guess, sigma_rad = _looks(camera, discs, rough_px)
    sizes = DiscSizes(coin_mm=width_mm, coin_thickness_mm=THICKNESS_OF_WIDTH * width_mm)
    view = _view(shapes.lens(guess), guess[:2], rough_px * math.exp(guess[2]) / width_mm)
    widths: tuple[float, ...] = ()
    for _ in range(_WIDTH_ROUNDS):
        places = view.to_table(seen, sizes.coin_thickness_mm)
        widths = _widths(bgr, view, places, discs, sizes)
        scale = width_mm / float(np.median(widths))
        # such a scale shows that a circle other than the rim was measured
        if shapes.one_size and abs(scale - 1.0) > ALIKE_SHARE:
            widths = (width_mm,) * len(discs)
            break
        # move the camera nearer or farther until the discs have their size
        view = replace(view, t_camera_table_mm=view.t_camera_table_mm * scale)
        widths = tuple(scale * width for width in widths)
    tilt_deg = math.degrees(float(np.hypot(*guess[:2])))
    return PlainView(view, sizes, widths, tilt_deg, math.degrees(sigma_rad))


def _widths(
    bgr: NDArray[np.uint8],
    view: TableView,
    places: Array,
    discs: Sequence[FoundDisc],
    sizes: DiscSizes,
) -> tuple[float, ...]:
    """Return the width of each disc, mm. Discs that are about equally wide get their common
    width.
    """

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
    """Return the indices of the widths in groups. Within a group, each width differs little from
    the next larger one.
    """
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


def _looks(
    camera: Camera, discs: Sequence[FoundDisc], rough_px: float
) -> tuple[_Shapes, Array, float]:
    """Return the problem that was fitted (`_Shapes`), the unknowns that explain the ellipses best,
    and the standard error of the tilt, rad.

    A tilt that is not clearly larger than its error is returned as 0. If no tilt makes the discs
    equally wide, only the shapes of their ellipses count, not their sizes.
    """
    shapes = _Shapes(camera, discs, rough_px, one_size=True)
    best = shapes.best()
    if shapes.misfit(best) > SEEN_SIGMAS:
        shapes = replace(shapes, one_size=False)
        best = shapes.best()
    slope = np.asarray(best.jac, dtype=np.float64)
    spread = np.linalg.inv(slope.T @ slope)[:2, :2] * max(1.0, shapes.misfit(best)) ** 2
    sigma_rad = math.sqrt(float(np.linalg.eigvalsh(spread)[-1]))
    guess = np.asarray(best.x, dtype=np.float64)
    if float(np.hypot(*guess[:2])) < SEEN_SIGMAS * sigma_rad:
        guess = np.asarray(replace(shapes, tilt_rad=_NO_TILT_RAD).best().x, dtype=np.float64)
        guess[:2] = 0.0
    return shapes, guess, sigma_rad


@dataclass(frozen=True, slots=True)
class _Shapes:
    """The problem of fitting a camera's view to the ellipses of discs. The discs have one size
    (`one_size`) or any sizes.

    The unknowns are the tilt (2,) in rad, the logarithms of scale and focal length, how much of the
    discs' walls is seen, and a shadow (2,). The wall makes an ellipse wider towards the camera, and
    the shadow makes it wider away from the lamp; both are given as shares of a disc's width on the
    table.
    """

    camera: Camera
    discs: Sequence[FoundDisc]
    rough_px: float
    one_size: bool
    tilt_rad: float = USUAL_TILT_RAD

    def best(self) -> OptimizeResult:
        """Return the fit that explains the ellipses best."""
        tilts = (USUAL_TILT_RAD, -USUAL_TILT_RAD)
        starts = ((0.0, 0.0), *((t, 0.0) for t in tilts), *((0.0, t) for t in tilts))
        fits = [
            least_squares(self._off, np.array([*s, 0.0, 0.0, WALL_OF_WIDTH[0], 0.01, 0.01]))
            for s in starts
        ]
        return min(fits, key=lambda fit: float(fit.cost))

    def misfit(self, fit: OptimizeResult) -> float:
        """Return the root mean square misfit of the ellipses in a fit, in units of `RIM_SHARE`
        times an ellipse's width.
        """
        return math.sqrt(2 * float(fit.cost) / (3 * len(self.discs)))

    def lens(self, guess: Array) -> Camera:
        """Return the camera with the focal length that a guess of the unknowns has."""
        focal_px = self.camera.fx_px * math.exp(guess[3])
        return replace(self.camera, fx_px=focal_px, fy_px=focal_px)

    def _off(self, guess: Array) -> Array:
        """Return the residuals of a guess, in standard errors: first those of each ellipse's
        symmetric matrix of half widths, in which large ones are damped, then those of the guessed
        values from their usual values.
        """
        seen = np.array([_shape(d.width_px, d.turn_deg) for d in self.discs])
        shape = self._outlines(guess)
        if not self.one_size:
            shape = shape * np.sqrt(_area(seen) / _area(shape))[:, None]
        off = ((shape - seen) / (RIM_SHARE * np.sqrt(_area(seen))[:, None])).ravel()
        off = np.sign(off) * np.sqrt(2 * (np.sqrt(1 + off * off) - 1))
        wall, wall_sigma = WALL_OF_WIDTH
        usual = (
            *guess[:2] / self.tilt_rad,
            guess[3] / FOCAL_SIGMA,
            (guess[4] - wall) / wall_sigma,
            *guess[5:] / SHADOW_SHARE,
        )
        return np.concatenate((off, usual))

    def _outlines(self, guess: Array) -> Array:
        """Return the outlines in the picture of discs of width 1 at the discs' places, as symmetric
        matrices (n, 3), px.
        """
        view = _view(self.lens(guess), guess[:2], self.rough_px * math.exp(guess[2]))
        places = view.to_table(np.array([d.middle_px for d in self.discs]))
        # the foot of a wall as it is seen in the plane of the face
        eye = view.position_mm
        walls = (eye[:2] - places) * (guess[4] / eye[2])
        corners = np.arange(CIRCLE_POINTS) * (2 * np.pi / CIRCLE_POINTS)
        ways = np.column_stack((np.cos(corners), np.sin(corners)))
        rims = np.repeat(ways[None] / 2, len(places), axis=0)
        for more in (walls, np.tile(guess[5:], (len(places), 1))):
            along = more / np.maximum(1e-9, np.hypot(*more.T))[:, None]
            rims += (along @ ways.T)[..., None] * more[:, None] / 2
        image = view.to_image((places[:, None] + rims).reshape(-1, 2))
        away = image.reshape(len(places), -1, 2)
        away = away - away.mean(axis=1, keepdims=True)
        # twice the second moments of a circle are its squared radius
        moments = 2 * np.einsum("dki,dkj->dij", away, away) / CIRCLE_POINTS
        return np.array([_root(m) for m in moments])


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
