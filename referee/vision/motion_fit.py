"""The centre of a coin that may be moving, by explaining the pixels.

What is seen is taken for the empty table (under a light that may have changed a little) with a flat disc over it, swept
along the coin's way during the exposure: `I = b E (1 - a) + F a`, with the table `E` known, the share `a` of each pixel
that the disc fills, and four unknowns: light `b`, the coin's brightness `F`, and the shift of the centre. Only pixels at
the disc's border pull the centre, so the symbol on the face does not. The centre of the streak is the place at mid-exposure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import TableView
from referee.geometry import Point
from referee.pieces import PieceSizes
from referee.vision.disc import PixelGrid, Spot
from referee.vision.picture import Floats, Rect

ROUNDS = 4
SETTLED_PX = 0.2  # the steps shrink so fast that the next would be a small share of this
SECTORS = 12
LEAST_FALL = 0.5  # a stretch of rim supports the disc when the disc explains at least half of what the bare table leaves there
FLOOR_SIGMA_MM = 0.35  # side walls and shadows: what no averaging removes
SWEEP_SIGMA = 0.05  # of the sweep: what a wrong guess of it shifts the middle by
UNSUPPORTED_SIGMAS = 1.0  # so much larger is sigma where no rim is seen at all
UNEXPLAINED_SIGMAS = 1.0  # and where nothing is explained
LEAST_CONTRAST = 4.0  # grey levels between coin and table, below which nothing can be said
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


def coarse_place(more: Floats, rect: Rect, spot: Spot, radius_mm: float, sweep_mm: Point) -> Point:
    """The shift in px from `spot` at which a bright disc fits `more` best, to a pixel, by a matched filter on every second pixel.

    `more` is by how much the pixels of `rect` are lighter than the still scene.
    """
    reach = spot.reach_px(1.35 * radius_mm + 0.5 * float(np.hypot(*sweep_mm)))
    half = (2 * (int(reach[0]) // 2) + 2, 2 * (int(reach[1]) // 2) + 2)
    anchor = (int(spot.at_px[0]), int(spot.at_px[1]))
    kernel_rect = Rect(anchor[0] - half[0], anchor[1] - half[1], anchor[0] + half[0] + 1, anchor[1] + half[1] + 1)
    grid = PixelGrid.of(spot, kernel_rect, sweep_mm).coarser()
    kernel = grid.filled(radius_mm)
    around = grid.filled(radius_mm * 1.35) - kernel
    kernel = kernel / kernel.sum() - around / max(float(around.sum()), 1e-6)
    fewer = cv2.blur(more, (2, 2), anchor=(0, 0))[::2, ::2]
    score = np.asarray(cv2.filter2D(fewer, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.float32)
    row, column = np.unravel_index(int(np.argmax(score)), score.shape)
    x, y = column + _top_of(score[row, :], int(column)), row + _top_of(score[:, column], int(row))
    return (rect.left + 2 * x + 0.5 - anchor[0], rect.top + 2 * y + 0.5 - anchor[1])


def _top_of(scores: Floats, best: int) -> float:
    """Where between its neighbours the best of a row of scores has its top, in steps from it: that of a parabola."""
    if best in (0, len(scores) - 1):
        return 0.0
    before, here, after = (float(v) for v in scores[best - 1 : best + 2])
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else 0.5 * (before - after) / bend


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

    @staticmethod
    def of(grid: PixelGrid, spot: Spot, radius_mm: float, swell_mm: float, shift_px: Array) -> _Shares:
        """The shares of a coin moved by `shift_px`; the wall shows below its face as far as the face does not hide it."""
        x, y = float(shift_px[0]), float(shift_px[1])
        face = grid.filled(radius_mm + swell_mm, (x, y))
        below = grid.filled(radius_mm + max(swell_mm, 0.0), (x + spot.wall_px[0], y + spot.wall_px[1]))
        below -= face
        return _Shares(face, np.maximum(below, 0, out=below))

    def picture(self, bare: Floats, model: _Model) -> Floats:
        """What the model says is seen, `bare` being the table under its light."""
        return np.asarray(bare + (model.face - bare) * self.face + (model.wall - bare) * self.wall, dtype=np.float32)


def fit_disc(
    seen: Floats, table: Floats, rect: Rect, view: TableView, spot: Spot, sizes: PieceSizes, shift_px: Point,
    sweep_mm: Point = (0.0, 0.0), swell_mm: float = 0.0,
) -> DiscFit | None:
    """The disc near `spot` shifted by `shift_px`; `seen` and `table` are the tinted pixels of `rect`. None where no disc can be.

    `swell_mm` is by how much faces look wider on this table than they are (as measured on coins at rest).
    """
    radius, grid = sizes.coin_mm / 2, PixelGrid.of(spot, rect, sweep_mm)
    model = _Model(np.array(shift_px, dtype=np.float64), 1.0, 0.0, 0.0)
    shares = _Shares.of(grid, spot, radius, swell_mm, model.shift)
    inside = shares.face > 0.9 * float(shares.face.max())  # a streak longer than the coin is wide fills no pixel all the time
    if np.count_nonzero(inside) < 8:
        return None
    faces = (seen[inside] - table[inside]) / shares.face[inside] + table[inside]
    model.face = float(np.partition(faces, len(faces) // 2)[len(faces) // 2])
    model.wall = 0.7 * float(table.mean())
    for turn in range(ROUNDS):
        normal, move = _refine(seen, table, shares, model, robust=turn > 0)
        model.shift = model.shift + np.clip(move, -0.6 * radius, 0.6 * radius)
        if np.abs(move).max() < SETTLED_PX:
            break
        shares = _Shares.of(grid, spot, radius, swell_mm, model.shift)
    judged = _judge(seen, table, grid, shares, model)
    return None if judged is None else _measured(view, spot, sizes, model, judged, normal, sweep_mm)


def _refine(seen: Floats, table: Floats, shares: _Shares, model: _Model, *, robust: bool) -> tuple[Array, Array]:
    """One Gauss-Newton step, `robust` with weights against what the model does not know.

    Changes the brightnesses; returns the normal matrix (5, 5) and the shift (2,), px.
    """
    bare = table * model.light
    face_step, wall_step = model.face - bare, model.wall - bare
    target = seen - bare
    target -= face_step * shares.face
    target -= wall_step * shares.wall
    design = np.empty((5, *seen.shape), dtype=np.float32)
    np.subtract(1.0, shares.face, out=design[0])
    design[0] -= shares.wall
    design[0] *= table
    design[1], design[2] = shares.face, shares.wall
    for row, kernel in ((3, _SLOPE), (4, _SLOPE.T)):
        np.multiply(face_step, cv2.filter2D(shares.face, -1, kernel), out=design[row])
        design[row] += wall_step * cv2.filter2D(shares.wall, -1, kernel)
    flat, aim = design.reshape(5, -1), target.reshape(-1)
    weighted = flat
    if robust:
        spread = 1.5 * cv2.norm(aim, cv2.NORM_L1) / aim.size + 2.0
        aim_spread = aim * (0.5 / spread)
        aim_spread *= aim_spread
        aim_spread += 1.0
        weighted = flat / aim_spread
    normal = (weighted @ flat.T).astype(np.float64) + _HELD
    _, change = cv2.solve(normal, (weighted @ aim).astype(np.float64).reshape(5, 1), flags=cv2.DECOMP_CHOLESKY)
    light, face, wall, right, down = change[:, 0].tolist()
    model.light = min(max(model.light + light, LIGHT[0]), LIGHT[1])
    model.face, model.wall = model.face + face, min(max(model.wall + wall, 0.0), 255.0)
    return normal, np.array((-right, -down))


@dataclass(frozen=True, slots=True)
class _Judged:
    """How good a settled disc is; `noise` is the variance of what it leaves along the rim, grey levels squared."""

    support: float
    contrast: float
    unexplained: float
    noise: float


def _judge(seen: Floats, table: Floats, grid: PixelGrid, shares: _Shares, model: _Model) -> _Judged | None:
    """How good the settled disc is: contrast, share of the rim seen, what it leaves unexplained; None without contrast."""
    bare = table * model.light
    mostly = shares.face > 0.5 * float(shares.face.max())
    contrast = model.face - float(bare[mostly].mean()) if np.any(mostly) else 0.0
    if contrast < LEAST_CONTRAST:
        return None
    left, before = np.square(seen - shares.picture(bare, model)), np.square(seen - bare)
    slope_x, slope_y = cv2.filter2D(shares.face, -1, _SLOPE), cv2.filter2D(shares.face, -1, _SLOPE.T)
    rim = slope_x * slope_x + slope_y * slope_y
    sector = np.minimum(grid.turn((float(model.shift[0]), float(model.shift[1]))) * (SECTORS / (2 * math.pi)), SECTORS - 1).astype(np.intp).ravel()
    was, now = (np.bincount(sector, (rim * of).ravel(), SECTORS) for of in (before, left))
    expected = np.bincount(sector, (rim * np.square((model.face - bare) * shares.face)).ravel(), SECTORS)
    seen_rim = (now < LEAST_FALL * was) & (was > 0.3 * expected)
    support = float(expected[seen_rim].sum()) / max(float(expected.sum()), 1e-6)
    return _Judged(support, contrast, float(now.sum()) / max(float(was.sum()), 1e-6), float(left[rim > 0.02 * float(rim.max())].mean()))


def _measured(view: TableView, spot: Spot, sizes: PieceSizes, model: _Model, judged: _Judged, normal: Array, sweep_mm: Point) -> DiscFit:
    """The settled disc's place with its sigma, which grows with what was not seen or not explained."""
    cover = np.linalg.inv(normal)[3:, 3:] * judged.noise
    per_px = spot.mm_per_px
    spread_mm = math.sqrt(float(np.trace(per_px @ cover @ per_px.T)) / 2)
    at = place_of(view, spot, (float(model.shift[0]), float(model.shift[1])), sizes.coin_thickness_mm)
    doubt = 1 + UNSUPPORTED_SIGMAS * (1 - judged.support) + UNEXPLAINED_SIGMAS * judged.unexplained
    sigma = doubt * math.sqrt(FLOOR_SIGMA_MM**2 + (2 * spread_mm) ** 2 + (SWEEP_SIGMA * math.hypot(*sweep_mm)) ** 2)
    return DiscFit(at, sigma, judged.support, judged.contrast, judged.unexplained)


def place_of(view: TableView, spot: Spot, shift_px: Point, height_mm: float) -> Point:
    """The place on the plane `height_mm` above the table that is seen `shift_px` from a spot: a linear step, set right by one more."""
    aim = np.array(spot.at_px) + shift_px
    at = np.array(spot.at_mm) + spot.mm_per_px @ shift_px
    seen = view.to_image(np.array([[at[0], at[1], height_mm]]))[0]
    at += spot.mm_per_px @ (aim - seen)
    return (float(at[0]), float(at[1]))
