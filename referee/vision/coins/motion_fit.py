"""Measures the centre of a coin that may be moving, by fitting a model of the pixels.

What is seen is taken for the empty table (under a light that may have changed a little) with a flat
disc over it, swept along the coin's way during the exposure: `I = b E (1 - a) + F a`, with the
table `E` known, the share `a` of each pixel that the disc fills, and four unknowns: light `b`, the
coin's brightness `F`, and the shift of the centre. Only pixels at the disc's border pull the
centre, so the symbol on the face does not. The centre of the streak is the place at mid-exposure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.vision.coins.rim_appearance import UNKNOWN_RIMS, RimAppearance
from referee.vision.coins.rim_fit import FLOOR_SIGMA_MM
from referee.vision.image.disc import PixelGrid, ProjectedDisc
from referee.vision.image.picture import Floats, Rect

# Tuned on our own clips, except where a comment says what stands behind a number.

ROUNDS: Final = 4
SETTLED_PX: Final = 0.2  # the steps shrink so fast that the next would be a small share of this
SECTORS: Final = 12
# a stretch of rim supports the disc when the disc explains at least half of what the bare table
# leaves there
LEAST_FALL: Final = 0.5
SWEEP_SIGMA: Final = 0.05  # of the sweep: what a wrong guess of it shifts the middle by
MOST_OF_RADIUS: Final = 0.6  # px a mm: no step goes further
UNSUPPORTED_SIGMAS: Final = 1.0  # so much larger is sigma where no rim is seen at all
UNEXPLAINED_SIGMAS: Final = 1.0  # and where nothing is explained
# Bevels darken by and by: the face ends not so far in as the rim is steepest. Measured: over coins
# of known place, of two renderers.
FACE_OF_BEVEL: Final = 0.6
WALL_ROUNDS: Final = 2
WALL_PIXELS: Final = 100.0  # so many the usual wall counts for
LEAST_CONTRAST: Final = 4.0  # grey levels between coin and table, below which nothing can be said
LIGHT: Final = (0.7, 1.3)  # how much darker or lighter the table may have become where the coin is
# By definition: where the wall stands among the unknowns light, face, wall, right, down.
_WALL: Final = 2
# keeps what the pixels say nothing of where it is
_HELD: Final = np.diag([1e2, 1e-3, 1.0, 1e-3, 1e-3])
#: A pixel's neighbours and itself in a stack of images, across and down; at the border of an image
#: nothing is known of its slope.
_ALL: Final = slice(None)
_BEFORE: Final = slice(None, -2)
_HERE: Final = slice(1, -1)
_AFTER: Final = slice(2, None)
_ACROSS: Final = ((_ALL, _ALL, _BEFORE), (_ALL, _ALL, _HERE), (_ALL, _ALL, _AFTER))
_DOWN: Final = ((_ALL, _BEFORE), (_ALL, _HERE), (_ALL, _AFTER))

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DiscFit:
    """A disc that explains the pixels: centre at mid-exposure with sigma along each axis, and how
    well it does.

    `support` is the share (0 to 1) of its rim, by how much of it should show, that is seen to be
    rim; `contrast` the step from table to coin, grey levels; `unexplained` the share of the
    disturbance along the rim that it leaves (the symbol on the face is nobody's fault).
    """

    at_mm: Point
    sigma_mm: float
    support: float
    contrast: float
    unexplained: float

    @property
    def goodness(self) -> float:
        """Return one number to choose between fits of the same pixels: support less what is
        unexplained.
        """
        return self.support - self.unexplained


def coarse_place(
    more: Floats, rect: Rect, spot: ProjectedDisc, radius_mm: float, sweep_mm: Point
) -> Point:
    """Return the shift in px from `spot` at which a bright disc fits `more` best, to a pixel, by a
    matched filter on every second pixel.

    `more` is by how much the pixels of `rect` are lighter than the still scene.
    """
    reach = spot.reach_px(1.35 * radius_mm + 0.5 * math.hypot(*sweep_mm))
    half = (2 * (int(reach[0]) // 2) + 2, 2 * (int(reach[1]) // 2) + 2)
    anchor = (int(spot.at_px[0]), int(spot.at_px[1]))
    kernel_rect = Rect(
        anchor[0] - half[0], anchor[1] - half[1], anchor[0] + half[0] + 1, anchor[1] + half[1] + 1
    )
    grid = PixelGrid.of(spot, kernel_rect, sweep_mm).coarser()
    kernel, around = grid.filled((radius_mm, (0.0, 0.0)), (radius_mm * 1.35, (0.0, 0.0)))
    around -= kernel
    kernel *= 1 / float(kernel.sum())
    kernel -= around * (1 / max(float(around.sum()), 1e-6))
    fewer = cv2.blur(more, (2, 2), anchor=(0, 0))[::2, ::2]
    score = np.asarray(
        cv2.filter2D(fewer, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.float32
    )
    _, _, _, (column, row) = cv2.minMaxLoc(score)
    x, y = column + _top_of(score[row, :], column), row + _top_of(score[:, column], row)
    return (rect.left + 2 * x + 0.5 - anchor[0], rect.top + 2 * y + 0.5 - anchor[1])


def _top_of(scores: Floats, best: int) -> float:
    """Return where the best of a row of scores has its top, in steps from it, by a parabola through
    it and its neighbours.
    """
    if best in (0, len(scores) - 1):
        return 0.0
    before, here, after = (float(v) for v in scores[best - 1 : best + 2])
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else 0.5 * (before - after) / bend


@dataclass(slots=True)
class _Model:
    """The unknowns of the fit as they are refined: the shift in px, and the brightness of the
    table's light, of the face and of the wall.
    """

    shift: Point
    light: float
    face: float
    wall: float

    def move(self, by_px: Point, most_px: float) -> None:
        """Move the disc by a step, but no further than a linear step is valid."""
        self.shift = (
            self.shift[0] + min(max(by_px[0], -most_px), most_px),
            self.shift[1] + min(max(by_px[1], -most_px), most_px),
        )


def _shares(
    grid: PixelGrid, spot: ProjectedDisc, radius_mm: float, swell_mm: float, shift_px: Point
) -> Floats:
    """Return the shares of each pixel that face and wall fill (2, rows, columns), of a coin moved
    by `shift_px`.

    The wall shows below the face, as far as the face does not hide it.
    """
    x, y = shift_px
    shares = grid.filled(
        (radius_mm + swell_mm, (x, y)),
        (radius_mm + max(swell_mm, 0.0), (x + spot.wall_px[0], y + spot.wall_px[1])),
    )
    shares[1] -= shares[0]
    np.maximum(shares[1], 0, out=shares[1])
    return shares


def fit_disc(
    seen: Floats,
    table: Floats,
    rect: Rect,
    view: TableView,
    spot: ProjectedDisc,
    sizes: PieceSizes,
    shift_px: Point,
    sweep_mm: Point = (0.0, 0.0),
    look: RimAppearance = UNKNOWN_RIMS,
) -> DiscFit | None:
    """Fit the disc near `spot` shifted by `shift_px`; `seen` and `table` are the pixels of `rect`
    in the channel mix. None where no disc can be.

    `look` is how coins' rims look on this table (as measured on coins at rest).
    """
    radius, grid = sizes.coin_mm / 2, PixelGrid.of(spot, rect, sweep_mm)
    shares = _shares(grid, spot, radius, look.swell_mm, shift_px)
    model = _first_model(seen, table, shares[0], shift_px)
    if model is None:
        return None
    normal, shares = _found_by_its_face(
        seen, table, grid, spot, radius, model, shares, look.swell_mm
    )
    judged = _judge(seen, table, grid, shares, model)
    if judged is None:
        return None
    if look.wall_share is not None:
        normal = _placed_by_its_wall(
            seen, table, grid, spot, radius, model, look.bevel_mm, look.wall_share
        )
    return _measured(view, spot, sizes, model, judged, normal, sweep_mm)


def _found_by_its_face(
    seen: Floats,
    table: Floats,
    grid: PixelGrid,
    spot: ProjectedDisc,
    radius_mm: float,
    model: _Model,
    shares: Floats,
    swell_mm: float,
) -> tuple[Array, Floats]:
    """Find the place at which face and wall, whatever they look like, explain most: this decides
    whether there is a coin.

    Changes the model; returns the normal matrix (5, 5) and the shares as last filled, which are
    `shares` at first.
    """
    for turn in range(ROUNDS):
        normal, shift = _refine(seen, table, shares, model, None, robust=turn > 0)
        model.move(shift, MOST_OF_RADIUS * radius_mm)
        if max(abs(shift[0]), abs(shift[1])) < SETTLED_PX:
            break
        shares = _shares(grid, spot, radius_mm, swell_mm, model.shift)
    return normal, shares


def _placed_by_its_wall(
    seen: Floats,
    table: Floats,
    grid: PixelGrid,
    spot: ProjectedDisc,
    radius_mm: float,
    model: _Model,
    bevel_mm: float,
    wall_share: float,
) -> Array:
    """Refine the place where the usual brightness of walls on this table is known: this decides
    where the coin is.

    Changes the model; returns the normal matrix (5, 5).
    """
    bare = float(table.mean())
    model.wall = max(bare + wall_share * (model.face - bare), 0.0)
    for _ in range(WALL_ROUNDS):
        shares = _shares(grid, spot, radius_mm, FACE_OF_BEVEL * bevel_mm, model.shift)
        normal, shift = _refine(seen, table, shares, model, wall_share, robust=True)
        model.move(shift, MOST_OF_RADIUS * radius_mm)
    return normal


def _first_model(seen: Floats, table: Floats, face: Floats, shift_px: Point) -> _Model | None:
    """Return a first model from the brightness of the pixels that the face fills; None where they
    are too few.
    """
    inside = face > 0.9 * float(
        face.max()
    )  # a streak longer than the coin is wide fills no pixel all the time
    under = table[inside]
    if len(under) < 8:
        return None
    faces = (seen[inside] - under) / face[inside] + under
    return _Model(
        shift_px,
        1.0,
        float(np.partition(faces, len(faces) // 2)[len(faces) // 2]),
        0.7 * float(table.mean()),
    )


def _refine(
    seen: Floats,
    table: Floats,
    shares: Floats,
    model: _Model,
    wall_share: float | None,
    *,
    robust: bool,
) -> tuple[Array, Point]:
    """Take one Gauss-Newton step, `robust` with weights against what the model does not explain.

    Where it is known how light walls usually are, that counts as many pixels would: of a moving
    coin's wall itself little is seen, and a wall taken for darker than it is draws the coin towards
    the camera. Changes the brightnesses; returns the normal matrix (5, 5) and the shift, px.
    """
    aim, flat = _linearised(seen, table, shares, model)
    weighted = flat
    if robust:
        spread = 1.5 * cv2.norm(aim, cv2.NORM_L1) / aim.size + 2.0
        trust = aim * (0.5 / spread)
        trust *= trust
        trust += 1.0
        weighted = flat / trust
    normal, pull = (
        (weighted @ flat.T).astype(np.float64) + _HELD,
        (weighted @ aim).astype(np.float64),
    )
    if wall_share is not None:
        bare = float(table.mean())
        normal[_WALL, _WALL] += WALL_PIXELS
        pull[_WALL] += WALL_PIXELS * (bare + wall_share * (model.face - bare) - model.wall)
    _, change = cv2.solve(normal, pull.reshape(5, 1), flags=cv2.DECOMP_CHOLESKY)
    light, face, wall, right, down = change[:, 0].tolist()
    model.light = min(max(model.light + light, LIGHT[0]), LIGHT[1])
    model.face, model.wall = model.face + face, min(max(model.wall + wall, 0.0), 255.0)
    return normal, (-right, -down)


def _linearised(
    seen: Floats, table: Floats, shares: Floats, model: _Model
) -> tuple[Floats, Floats]:
    """Return what the model leaves of each pixel (n,), and how that falls with light, face, wall
    and the two steps of the shift (5, n).
    """
    bare = table * model.light
    steps = np.empty(shares.shape, dtype=np.float32)
    np.subtract(model.face, bare, out=steps[0])
    np.subtract(model.wall, bare, out=steps[1])
    explained = shares * steps
    aim = seen - bare
    aim -= explained[0]
    aim -= explained[1]
    design = np.zeros((5, *seen.shape), dtype=np.float32)
    np.add(shares[0], shares[1], out=design[0])
    np.subtract(1.0, design[0], out=design[0])
    design[0] *= table
    design[1:3] = shares
    steps *= 0.5
    for row, (before, here, after) in ((3, _ACROSS), (4, _DOWN)):
        slope = shares[after] - shares[before]
        slope *= steps[here]
        np.add(slope[0], slope[1], out=design[row][here[1:]])
    return aim.reshape(-1), design.reshape(5, -1)


@dataclass(frozen=True, slots=True)
class _Judged:
    """How good a converged disc is; `noise` is the variance of what it leaves along the rim, grey
    levels squared.
    """

    support: float
    contrast: float
    unexplained: float
    noise: float


def _judge(
    seen: Floats, table: Floats, grid: PixelGrid, shares: Floats, model: _Model
) -> _Judged | None:
    """Judge the converged disc: contrast, share of the rim seen, what it leaves unexplained; None
    without contrast.
    """
    face, bare = shares[0], table * model.light
    mostly = bare[face > 0.5 * float(face.max())]
    contrast = model.face - float(mostly.mean()) if mostly.size else 0.0
    if contrast < LEAST_CONTRAST:
        return None
    squares = np.empty((3, *seen.shape), dtype=np.float32)  # before, left, expected
    np.subtract(seen, bare, out=squares[0])
    np.multiply(model.face - bare, face, out=squares[2])
    np.subtract(squares[0], squares[2], out=squares[1])
    squares[1] -= (model.wall - bare) * shares[1]
    squares *= squares
    rim = _rim_of(face)
    noise = float(squares[1][rim > 0.02 * float(rim.max())].mean())
    squares *= rim
    was, now, expected = _by_sector(squares, grid.turn(model.shift))
    seen_rim = (now < LEAST_FALL * was) & (was > 0.3 * expected)
    support = float(expected[seen_rim].sum()) / max(float(expected.sum()), 1e-6)
    return _Judged(support, contrast, float(now.sum()) / max(float(was.sum()), 1e-6), noise)


def _rim_of(face: Floats) -> Floats:
    """The square of how steeply the face's share falls at each pixel."""
    rim = np.zeros(face.shape, dtype=np.float32)
    across, down = face[:, 2:] - face[:, :-2], face[2:] - face[:-2]
    across *= across
    down *= down
    rim[:, 1:-1] = across
    rim[1:-1] += down
    return rim


def _by_sector(values: Floats, turn: Floats) -> Array:
    """Sum some images (n, rows, columns) over each sector of the directions `turn`: (n,
    sectors).
    """
    sector = (turn * (SECTORS / (2 * math.pi))).astype(np.intp)
    np.minimum(sector, SECTORS - 1, out=sector)
    every = sector[None] + SECTORS * np.arange(len(values))[:, None, None]
    return np.asarray(
        np.bincount(every.ravel(), values.ravel(), SECTORS * len(values)), dtype=np.float64
    ).reshape(-1, SECTORS)


def _measured(
    view: TableView,
    spot: ProjectedDisc,
    sizes: PieceSizes,
    model: _Model,
    judged: _Judged,
    normal: Array,
    sweep_mm: Point,
) -> DiscFit:
    """Return the converged disc's place with its sigma, which grows with what was not seen or not
    explained.
    """
    _, cover = cv2.invert(normal, flags=cv2.DECOMP_CHOLESKY)
    per_px = spot.mm_per_px
    spread_mm = math.sqrt(judged.noise * float(((per_px @ cover[3:, 3:]) * per_px).sum()) / 2)
    at = place_of(view, spot, model.shift, sizes.coin_thickness_mm)
    doubt = 1 + UNSUPPORTED_SIGMAS * (1 - judged.support) + UNEXPLAINED_SIGMAS * judged.unexplained
    sigma = doubt * math.sqrt(
        FLOOR_SIGMA_MM**2 + (2 * spread_mm) ** 2 + (SWEEP_SIGMA * math.hypot(*sweep_mm)) ** 2
    )
    return DiscFit(at, sigma, judged.support, judged.contrast, judged.unexplained)


def place_of(view: TableView, spot: ProjectedDisc, shift_px: Point, height_mm: float) -> Point:
    """Return the place on the plane `height_mm` above the table that is seen `shift_px` from a
    spot, by a linear step and one correction.
    """
    (a, b), (c, d) = spot.mm_per_px.tolist()
    x, y = (
        spot.at_mm[0] + a * shift_px[0] + b * shift_px[1],
        spot.at_mm[1] + c * shift_px[0] + d * shift_px[1],
    )
    seen = view.pixel_of(x, y, height_mm)
    right, down = spot.at_px[0] + shift_px[0] - seen[0], spot.at_px[1] + shift_px[1] - seen[1]
    return (x + a * right + b * down, y + c * right + d * down)
