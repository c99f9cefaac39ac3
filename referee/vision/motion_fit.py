"""The centre of a coin that may be moving, by explaining the pixels.

What is seen is taken for the empty table (under a light that may have changed a little) with a flat disc over it, swept
along the coin's way during the exposure: `I = b E (1 - a) + F a`, with the table `E` known, the share `a` of each pixel
that the disc fills, and four unknowns: light `b`, the coin's brightness `F`, and the shift of the centre. Only pixels at
the disc's border pull the centre, so the symbol on the face does not. The centre of the streak is the place at mid-exposure.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import TableView
from referee.geometry import Point
from referee.pieces import PieceSizes
from referee.vision.disc import Spot, filled_share
from referee.vision.picture import Floats, Rect

ROUNDS = 4
SETTLED_PX = 0.05
SECTORS = 12
LEAST_FALL = 0.5  # a stretch of rim supports the disc when the disc explains at least half of what the bare table leaves there
FLOOR_SIGMA_MM = 0.35  # side walls and shadows: what no averaging removes
SWEEP_SIGMA = 0.05  # of the sweep: what a wrong guess of it shifts the middle by
UNSUPPORTED_SIGMAS = 1.0  # so much larger is sigma where no rim is seen at all
UNEXPLAINED_SIGMAS = 1.0  # and where nothing is explained
LEAST_CONTRAST = 4.0  # grey levels between coin and table, below which nothing can be said
STEP_PER_RADIUS = 0.5  # places averaged along a streak lie at most so many radii apart
MOST_STEPS = 9
LIGHT = (0.7, 1.3)  # how much darker or lighter the table may have become where the coin is
_HELD = np.diag([1e2, 1e-3, 1.0, 1e-3, 1e-3])  # keeps what the pixels say nothing of where it is
_SLOPE = np.array([[-0.5, 0.0, 0.5]], dtype=np.float32)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DiscFit:
    """A disc that explains the pixels: centre at mid-exposure with sigma along each axis, and how well it does.

    `support` is the share (0 to 1) of its rim, by how much of it should show, that is seen to be rim; `contrast` the step from table to coin, grey levels;
    `unexplained` the share of the disturbance along the rim that it leaves (the symbol on the face is nobody's fault).
    """

    at_mm: Point
    sigma_mm: float
    support: float
    contrast: float
    unexplained: float

    @property
    def goodness(self) -> float:
        """One number to choose between fits of the same pixels: support less what is unexplained."""
        return self.support - self.unexplained


def steps_for(sweep_mm: Point, radius_mm: float) -> int:
    """How many places along the sweep stand for it."""
    return int(min(MOST_STEPS, 1 + np.ceil(np.hypot(*sweep_mm) / (STEP_PER_RADIUS * radius_mm))))


def coarse_place(seen: Floats, table: Floats, rect: Rect, spot: Spot, radius_mm: float, sweep_mm: Point) -> Point:
    """The shift in px from `spot` at which a bright disc fits the difference best, to a pixel, by a matched filter."""
    reach = spot.reach_px(radius_mm + 0.5 * float(np.hypot(*sweep_mm)))
    half = (int(reach[0]) + 2, int(reach[1]) + 2)
    kernel_rect = Rect(int(spot.at_px[0]) - half[0], int(spot.at_px[1]) - half[1], int(spot.at_px[0]) + half[0] + 1, int(spot.at_px[1]) + half[1] + 1)
    kernel = filled_share(spot, kernel_rect, radius_mm, sweep_mm=sweep_mm, steps=steps_for(sweep_mm, radius_mm))
    around = filled_share(spot, kernel_rect, radius_mm * 1.35, sweep_mm=sweep_mm, steps=steps_for(sweep_mm, radius_mm)) - kernel
    kernel = kernel / kernel.sum() - around / max(float(around.sum()), 1e-6)
    score = cv2.filter2D(seen - table, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE)
    row, column = np.unravel_index(int(np.argmax(score)), score.shape)
    anchor = (int(spot.at_px[0]) - spot.at_px[0], int(spot.at_px[1]) - spot.at_px[1])
    return (rect.left + float(column) - spot.at_px[0] - anchor[0], rect.top + float(row) - spot.at_px[1] - anchor[1])


@dataclass
class _Model:
    """The unknowns of the explanation, as they are refined."""

    shift: Array
    light: float
    face: float
    wall: float


@dataclass(frozen=True)
class _Shares:
    """The shares of each pixel that face and wall fill."""

    face: Floats
    wall: Floats

    def picture(self, table: Floats, model: _Model) -> Floats:
        """What the model says is seen."""
        bare = np.float32(model.light) * table
        return np.asarray(bare + (np.float32(model.face) - bare) * self.face + (np.float32(model.wall) - bare) * self.wall, dtype=np.float32)


def _shares(spot: Spot, rect: Rect, radius_mm: float, swell_mm: float, shift: Array, sweep_mm: Point, wall_px: Point) -> _Shares:
    steps = steps_for(sweep_mm, radius_mm)
    face = filled_share(spot, rect, radius_mm + swell_mm, (float(shift[0]), float(shift[1])), sweep_mm, steps)
    below = filled_share(spot, rect, radius_mm + max(swell_mm, 0.0), (float(shift[0]) + wall_px[0], float(shift[1]) + wall_px[1]), sweep_mm, steps)
    return _Shares(face, np.maximum(below - face, 0))


def wall_step_px(view: TableView, spot: Spot, sizes: PieceSizes) -> Point:
    """From the middle of a coin's top face to the middle of its foot in the picture, px."""
    foot = view.to_image(np.array([[spot.at_mm[0], spot.at_mm[1], 0.0]]))[0]
    return (float(foot[0]) - spot.at_px[0], float(foot[1]) - spot.at_px[1])


def fit_disc(
    seen: Floats, table: Floats, rect: Rect, view: TableView, spot: Spot, sizes: PieceSizes, shift_px: Point,
    sweep_mm: Point = (0.0, 0.0), swell_mm: float = 0.0,
) -> DiscFit | None:
    """The disc near `spot` shifted by `shift_px`; `seen` and `table` are the tinted pixels of `rect`. None where no disc can be.

    `swell_mm` is by how much faces look wider on this table than they are (as measured on coins at rest).
    """
    radius, wall_px = sizes.coin_mm / 2, wall_step_px(view, spot, sizes)
    model = _Model(np.array(shift_px, dtype=np.float64), 1.0, 0.0, 0.0)
    normal = np.eye(5)
    for turn in range(ROUNDS):
        shares = _shares(spot, rect, radius, swell_mm, model.shift, sweep_mm, wall_px)
        if turn == 0:
            inside = shares.face > 0.9 * float(shares.face.max())  # a streak longer than the coin is wide fills no pixel all the time
            if np.count_nonzero(inside) < 8:
                return None
            model.face = float(np.median((seen - table)[inside] / shares.face[inside] + table[inside]))
            model.wall = float(np.median(table)) * 0.7
        normal, move = _refine(seen, table, shares, model, robust=turn > 0)
        model.shift = model.shift + np.clip(move, -0.6 * radius, 0.6 * radius)
        if np.abs(move).max() < SETTLED_PX:
            break
    return _judge(seen, table, rect, view, spot, sizes, model, sweep_mm, wall_px, swell_mm, normal)


def _refine(seen: Floats, table: Floats, shares: _Shares, model: _Model, *, robust: bool) -> tuple[Array, Array]:
    """One Gauss-Newton step, `robust` with weights against what the model does not know.

    Changes the brightnesses; returns the normal matrix (5, 5) and the shift (2,), px.
    """
    bare = np.float32(model.light) * table
    face_x, face_y = _slopes(shares.face)
    wall_x, wall_y = _slopes(shares.wall)
    face_step, wall_step = np.float32(model.face) - bare, np.float32(model.wall) - bare
    design = np.empty((5, seen.size), dtype=np.float32)
    design[0] = (table * (1 - shares.face - shares.wall)).ravel()
    design[1], design[2] = shares.face.ravel(), shares.wall.ravel()
    design[3], design[4] = -(face_step * face_x + wall_step * wall_x).ravel(), -(face_step * face_y + wall_step * wall_y).ravel()
    target = (seen - shares.picture(table, model)).ravel()
    spread = 1.5 * float(np.mean(np.abs(target))) + 2.0
    weighted = design / (1 + np.square(target * np.float32(0.5 / spread))) if robust else design
    normal = (weighted @ design.T).astype(np.float64) + _HELD
    change = np.linalg.solve(normal, (weighted @ target).astype(np.float64))
    model.light = float(np.clip(model.light + change[0], *LIGHT))
    model.face, model.wall = model.face + float(change[1]), float(np.clip(model.wall + change[2], 0, 255))
    return normal, change[3:]


def _slopes(share: Floats) -> tuple[Floats, Floats]:
    """The change of the share along columns and rows, per px."""
    return np.asarray(cv2.filter2D(share, -1, _SLOPE), dtype=np.float32), np.asarray(cv2.filter2D(share, -1, _SLOPE.T), dtype=np.float32)


def _judge(
    seen: Floats, table: Floats, rect: Rect, view: TableView, spot: Spot, sizes: PieceSizes, model: _Model, sweep_mm: Point, wall_px: Point,
    swell_mm: float, normal: Array,
) -> DiscFit | None:
    """How good the settled disc is: contrast, share of the rim seen, what it leaves unexplained, and its sigma."""
    shares = _shares(spot, rect, sizes.coin_mm / 2, swell_mm, model.shift, sweep_mm, wall_px)
    bare = np.float32(model.light) * table
    mostly = shares.face > 0.5 * float(shares.face.max())
    contrast = float(model.face - bare[mostly].mean()) if np.any(mostly) else 0.0
    if contrast < LEAST_CONTRAST:
        return None
    left, before = np.square(seen - shares.picture(table, model)), np.square(seen - bare)
    slope_x, slope_y = _slopes(shares.face)
    rim = slope_x * slope_x + slope_y * slope_y
    x = np.arange(rect.left, rect.right) - spot.at_px[0] - model.shift[0]
    y = np.arange(rect.top, rect.bottom) - spot.at_px[1] - model.shift[1]
    sector = ((np.arctan2(y[:, None], x[None, :]) + np.pi) * (SECTORS / (2 * np.pi))).astype(np.intp) % SECTORS
    was = np.bincount(sector.ravel(), (rim * before).ravel(), SECTORS)
    now = np.bincount(sector.ravel(), (rim * left).ravel(), SECTORS)
    expected = np.bincount(sector.ravel(), (rim * np.square((np.float32(model.face) - bare) * shares.face)).ravel(), SECTORS)
    seen_rim = (now < LEAST_FALL * was) & (was > 0.3 * expected)
    support = float(expected[seen_rim].sum() / max(float(expected.sum()), 1e-6))
    noise = float(left[rim > 0.02 * float(rim.max())].mean())
    cover = np.linalg.inv(normal)[3:, 3:] * noise
    per_px = spot.mm_per_px
    spread_mm = float(np.sqrt(np.trace(per_px @ cover @ per_px.T) / 2))
    at = place_of(view, spot, (float(model.shift[0]), float(model.shift[1])), sizes.coin_thickness_mm)
    unexplained = float((rim * left).sum() / max(float((rim * before).sum()), 1e-6))
    doubt = 1 + UNSUPPORTED_SIGMAS * (1 - support) + UNEXPLAINED_SIGMAS * unexplained
    sigma = doubt * float(np.sqrt(FLOOR_SIGMA_MM**2 + (2 * spread_mm) ** 2 + (SWEEP_SIGMA * np.hypot(*sweep_mm)) ** 2))
    return DiscFit(at, sigma, support, contrast, unexplained)


def place_of(view: TableView, spot: Spot, shift_px: Point, height_mm: float) -> Point:
    """The place on the plane `height_mm` above the table that is seen `shift_px` from a spot: a linear step, set right by one more."""
    aim = np.array(spot.at_px) + shift_px
    at = np.array(spot.at_mm) + spot.mm_per_px @ shift_px
    seen = view.to_image(np.array([[at[0], at[1], height_mm]]))[0]
    at += spot.mm_per_px @ (aim - seen)
    return (float(at[0]), float(at[1]))
