"""Makes up a camera over a plain table from the discs that it sees, for free play.

Neither lens nor pose is known. The lens is taken for a usual one without distortion. How the
camera is tilted is estimated from the discs: a tilt makes them ellipses, all in one direction, and
those that are farther away smaller.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.discs.disc_search import FoundDisc
from calibration.lens.camera import Camera, TableView
from calibration.pieces.piece_rims import measure_width
from referee.domain.pieces import PieceSizes

#: The width of a disc whose size nobody gave, in the table frame's unit, which is then no
#: millimetre. Chosen: a usual coin's, because limits in mm are made for these.
UNKNOWN_SIZE_MM: Final = 20.0
# Chosen: a usual webcam's or phone's, between 50 and 75 degrees across the picture. A tilt says
# how fast discs get smaller only together with it.
FOCAL_OF_WIDTH: Final = 1.0
THICKNESS_OF_WIDTH: Final = 0.08  # Chosen: most coins' thickness is 7 to 10 % of their width
# Measured: over eleven discs seen from straight above, lit from one side, the ellipse of a rim and
# its shadow is this much longer than wide.
ROUND_SHARE: Final = 0.05
# Chosen: a tilt that is known to fewer standard errors is none.
TILT_SIGMAS: Final = 3.0
OUTLIER_SHARE: Final = 0.1  # Chosen: of a disc's width; a rim that is off by more is another edge's
_WIDTH_ROUNDS: Final = 3  # Chosen: of measuring the width and making the view with it
_CORNERS: Final = 24  # Chosen: of the polygon that stands for a rim

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlainView:
    """A made-up view of a plain table. `tilt_deg` is how far the camera looks from straight down,
    with its standard error. `widths_mm` are the widths of the discs' rims, shadows and all, each to
    about a tenth: enough to tell a larger disc from a smaller one.
    """

    view: TableView
    sizes: PieceSizes
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
    `disc_mm`. There must be at least one disc.
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
    tilt_rad = float(np.hypot(*tilt))
    if tilt_rad < TILT_SIGMAS * sigma_rad:
        tilt = np.zeros(2)
    sizes = PieceSizes(coin_mm=width_mm, coin_thickness_mm=THICKNESS_OF_WIDTH * width_mm)
    view = _view(camera, tilt, rough_px / width_mm)
    for _ in range(_WIDTH_ROUNDS):
        places = view.to_table(seen, sizes.coin_thickness_mm)
        measured = measure_width(bgr, view, places, sizes)
        # nearer or farther until the discs have their size
        view = replace(view, t_camera_table_mm=view.t_camera_table_mm * (width_mm / measured))
    widths = tuple(
        sum(disc.width_px) / 2 / view.px_per_mm(view.place_of(*disc.middle_px, 0.0))
        for disc in discs
    )
    tilt_deg = math.degrees(float(np.hypot(*tilt)))
    return PlainView(view, sizes, widths, tilt_deg, math.degrees(sigma_rad))


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
    """Return the tilt that explains the discs' ellipses best, rad (2,), and its standard error.

    A shadow makes an ellipse longer, too, by about `ROUND_SHARE`; that is one error that all discs
    share.
    """
    seen = np.array([_shape(d.width_px, d.turn_deg) for d in discs])
    sigma_px = OUTLIER_SHARE / 2 * float(np.median([d.width_px[0] for d in discs]))
    corners = np.arange(_CORNERS) * (2 * np.pi / _CORNERS)
    rim = np.column_stack((np.cos(corners), np.sin(corners))) / 2  # of width 1
    middles = np.array([d.middle_px for d in discs])

    def off(guess: Array) -> Array:
        view = _view(camera, guess[:2], rough_px * math.exp(guess[2]))
        places = view.to_table(middles)
        image = view.to_image((places[:, None] + rim).reshape(-1, 2)).reshape(len(discs), -1, 2)
        away = image - image.mean(axis=1, keepdims=True)
        # twice the second moments of a circle are its squared radius
        moments = 2 * np.einsum("dki,dkj->dij", away, away) / _CORNERS
        shape = np.array([_root(m) for m in moments])
        return np.asarray((shape - seen).ravel() / sigma_px, dtype=np.float64)

    best = min(
        (
            least_squares(off, np.array([*start, 0.0]), loss="soft_l1")
            for start in ((0.0, 0.0), (0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5))
        ),
        key=lambda fit: float(fit.cost),
    )
    tilt = best.x[:2]
    size = float(np.hypot(*tilt))
    scatter = float(np.sqrt(2 * best.cost / max(1, 3 * len(discs) - 3)))
    slope = np.asarray(best.jac, dtype=np.float64)
    normal = slope.T @ slope + 1e-9 * np.eye(3)
    spread = scatter * math.sqrt(float(np.trace(np.linalg.inv(normal)[:2, :2])))
    # cos(tilt) is the share of the width that is left; a shadow takes or adds ROUND_SHARE of it
    shadow = ROUND_SHARE / max(math.sin(size), math.sqrt(2 * ROUND_SHARE))
    return tilt, math.hypot(spread, shadow)


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
