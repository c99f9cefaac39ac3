"""Measures the centre of a coin that may be moving, by fitting a model of the pixels.

The model is the empty table with a flat disc over it. The light on the table may have changed a
little. The disc moves along the coin's path during the exposure: `I = b E (1 - a) + F a`. `E` is
the known table, and `a` is the share of each pixel that the disc fills. The unknowns are the light
`b`, the coin's brightness `F`, and the two components of the centre's shift. Only pixels at the
disc's border influence the centre, so the symbol on the face does not. The centre of the streak is
the coin's place at mid-exposure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.vision.coins.rim_appearance import UNKNOWN_RIMS, RimAppearance
from referee.vision.image.disc import PixelGrid, ProjectedDisc
from referee.vision.image.picture import FULL, Floats, Rect

# Tuned on our own clips, except where a comment gives another source for a number.

ROUNDS: Final = 4
# a step smaller than this is the last, because the next one would be far smaller still
SETTLED_PX: Final = 0.2
SECTORS: Final = 12  # the parts into which a rim is divided
# A sector of the rim supports the disc if the disc explains at least this share of what the bare
# table leaves unexplained there.
LEAST_EXPLAINED: Final = 0.5
# With less support, or a smaller share explained, the assumed sweep may be wrong.
SHARP_SUPPORT: Final = 0.75
# The error in a single frame that bevelled rims, side walls and shadows cause.
FLOOR_SIGMA_MM: Final = 0.30
SWEEP_SIGMA: Final = 0.05  # a wrong sweep shifts the measured middle by this share of the sweep
MOST_OF_RADIUS: Final = 0.6  # the longest step of the fit, as a share of the radius
# In coin radii: how far around a disc the table counts in a first search
KERNEL_RADII: Final = 1.35
# A residual larger than this many mean residuals loses weight.
OFF_OVER_MEAN: Final = 1.5
# A bevel darkens gradually, so the face reaches beyond the place where the brightness falls most
# steeply. Only this share of `bevel_mm` changes the face's radius. Measured: over coins with known
# places, from two renderers.
FACE_OF_BEVEL: Final = 0.6
WALL_ROUNDS: Final = 2
WALL_PIXELS: Final = 100.0  # the usual brightness of walls counts like this many pixels
# the fewest grey levels between coin and table with which a coin can be measured
LEAST_CONTRAST: Final = 2.5
LIGHT: Final = (0.7, 1.3)  # how much darker or lighter the table may have become where the coin is
# By definition: above this, a wall is more like the face than like the table
LIKE_FACE: Final = 0.5
# By definition: the index of the wall among the unknowns light, face, wall, right, down.
_WALL: Final = 2
# A weak prior. This prior keeps an unknown where it is when the pixels do not determine it.
_HELD: Final = np.diag([1e2, 1e-3, 1.0, 1e-3, 1e-3])
#: Slices of a stack of images: the pixels with neighbours on both sides, and these neighbours,
#: across and down. At an image's border, no slope is computed.
_ALL: Final = slice(None)
_BEFORE: Final = slice(None, -2)
_HERE: Final = slice(1, -1)
_AFTER: Final = slice(2, None)
_ACROSS: Final = ((_ALL, _ALL, _BEFORE), (_ALL, _ALL, _HERE), (_ALL, _ALL, _AFTER))
_DOWN: Final = ((_ALL, _BEFORE), (_ALL, _HERE), (_ALL, _AFTER))

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DiscFit:
    """A disc that explains the pixels: its centre at mid-exposure, with sigma along each axis, and
    how well it fits.

    `support` is the share (0 to 1) of the visible rim that is found in the pixels. `contrast` is
    the step from table to coin in grey levels. `unexplained` is the share of the differences along
    the rim that the disc does not explain; the symbol on the face does not count. `fall` says how
    much this disc explains: by how much the sum of the squared differences falls when the pixels
    are compared with the background and the disc instead of the background alone (grey levels
    squared). `sweep_mm` is the coin's motion during the exposure that was assumed.
    """

    at_mm: Point
    sigma_mm: float
    support: float
    contrast: float
    unexplained: float
    fall: float = 0.0
    lacks_wall: bool = False
    sweep_mm: Point = (0.0, 0.0)

    @property
    def is_sharp(self) -> bool:
        """Whether the fit is so good that its sweep, the coin's motion during the exposure, is
        certainly right.
        """
        return self.support >= SHARP_SUPPORT and self.unexplained <= 1 - SHARP_SUPPORT

    @property
    def goodness(self) -> float:
        """Return one number for choosing between fits of the same pixels: support minus what is
        unexplained.
        """
        return self.support - self.unexplained


def coarse_place(
    more: Floats, rect: Rect, spot: ProjectedDisc, radius_mm: float, sweep_mm: Point
) -> Point:
    """Return the shift from `spot`, px, at which a bright disc fits `more` best. The shift is
    accurate to a pixel, because it is found by a matched filter on every second pixel.

    `more` is how much lighter the pixels of `rect` are than the background.
    """
    reach = spot.reach_px(KERNEL_RADII * radius_mm + 0.5 * math.hypot(*sweep_mm))
    half = (2 * (int(reach[0]) // 2) + 2, 2 * (int(reach[1]) // 2) + 2)
    anchor = (int(spot.at_px[0]), int(spot.at_px[1]))
    kernel_rect = Rect(
        anchor[0] - half[0], anchor[1] - half[1], anchor[0] + half[0] + 1, anchor[1] + half[1] + 1
    )
    grid = PixelGrid.of(spot, kernel_rect, sweep_mm, every=2)
    kernel, around = grid.filled((radius_mm, (0.0, 0.0)), (radius_mm * KERNEL_RADII, (0.0, 0.0)))
    around -= kernel
    kernel *= 1 / float(kernel.sum())
    kernel -= around * (1 / max(float(around.sum()), 1e-6))
    fewer = cv2.blur(more, (2, 2), anchor=(0, 0))[::2, ::2]
    score = np.asarray(
        cv2.filter2D(fewer, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.float32
    )
    _, _, _, (column, row) = cv2.minMaxLoc(score)
    x, y = column + top_of(score[row, :], column), row + top_of(score[:, column], row)
    return (rect.left + 2 * x + 0.5 - anchor[0], rect.top + 2 * y + 0.5 - anchor[1])


def top_of(scores: Floats, best: int) -> float:
    """Return the index at which a row of scores has its maximum, minus `best`, the index of the
    largest score. The result is a fraction of a step, from a parabola through that score and its
    two neighbours.
    """
    if best in (0, len(scores) - 1):
        return 0.0
    before, here, after = (float(v) for v in scores[best - 1 : best + 2])
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else 0.5 * (before - after) / bend


@dataclass(slots=True)
class _Model:
    """The unknowns of the fit: the disc's `shift` in px, and the brightness of the table's light,
    of the disc's face and of its side wall.
    """

    shift: Point
    light: float
    face: float
    wall: float

    def move(self, by_px: Point, most_px: float) -> None:
        """Move the disc by a step. A step longer than `most_px`, beyond which the linear model is
        not valid, is shortened.
        """
        self.shift = (
            self.shift[0] + min(max(by_px[0], -most_px), most_px),
            self.shift[1] + min(max(by_px[1], -most_px), most_px),
        )


def _shares(
    grid: PixelGrid, spot: ProjectedDisc, radius_mm: float, swell_mm: float, shift_px: Point
) -> Floats:
    """Return the shares of each pixel that the face and the wall of a coin fill (2, rows, columns).
    The coin lies `shift_px` from the spot.

    The wall shows below the face, except where the face hides it.
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
    rim_look: RimAppearance = UNKNOWN_RIMS,
    least_fall: float = -math.inf,
) -> DiscFit | None:
    """Fit the disc, starting `shift_px` from `spot`. `seen` and `table` are the pixels of `rect` in
    the channel mix, in the frame and in the background. Return None if there cannot be a disc, or
    if it explains less than `least_fall` (see `DiscFit.fall`).

    `rim_look` is how coins' rims look on this table, as measured on coins at rest.
    """
    radius, grid = sizes.coin_mm / 2, PixelGrid.of(spot, rect, sweep_mm)
    shares = _shares(grid, spot, radius, rim_look.swell_mm, shift_px)
    bare = cv2.mean(table)[0]
    model = _first_model(seen, table, shares[0], shift_px, LIGHT[0] * bare)
    if model is None:
        return None
    normal, shares = _found_by_its_face(
        seen, table, grid, spot, radius, model, shares, rim_look.swell_mm
    )
    judged = _judge(seen, table, grid, shares, model)
    if judged is None or judged.fall < least_fall:
        return None
    lacks_wall = _lacks_wall(model, bare, rim_look.wall_share)
    if rim_look.wall_share is not None:
        normal = _placed_by_its_wall(
            seen, table, grid, spot, radius, model, rim_look.bevel_mm, bare, rim_look.wall_share
        )
    fit = _measured(view, spot, sizes, model, judged, normal, sweep_mm)
    return replace(fit, lacks_wall=lacks_wall)


def _lacks_wall(model: _Model, bare: float, usual_share: float | None) -> bool:
    """Return whether the wall of a disc looks more like its face than like the usual wall, on a
    table with the brightness `bare`. If walls usually look like faces, return False, because the
    wall then proves nothing.
    """
    if usual_share is None or usual_share >= LIKE_FACE:
        return False
    bare *= model.light
    half_way = bare + (1 + usual_share) / 2 * (model.face - bare)
    return (model.wall - half_way) * (model.face - bare) > 0.0


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
    """Find the place at which a face and a wall, each of any brightness, explain the pixels best.
    This part of the fit decides whether there is a coin.

    Changes the model. Returns the normal matrix (5, 5) and the shares (see `_shares`) at the final
    place; the argument `shares` holds those at the first place.
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
    bare: float,
    wall_share: float,
) -> Array:
    """Refine the place with the usual brightness of walls on this table, which is known. This part
    of the fit decides where the coin is.

    `bare` is the mean brightness of the table. Changes the model. Returns the normal matrix (5, 5).
    """
    usual = (bare, wall_share)
    model.wall = max(bare + wall_share * (model.face - bare), 0.0)
    for _ in range(WALL_ROUNDS):
        shares = _shares(grid, spot, radius_mm, FACE_OF_BEVEL * bevel_mm, model.shift)
        normal, shift = _refine(seen, table, shares, model, usual, robust=True)
        model.move(shift, MOST_OF_RADIUS * radius_mm)
        if max(abs(shift[0]), abs(shift[1])) < SETTLED_PX:
            break
    return normal


def _first_model(
    seen: Floats, table: Floats, face: Floats, shift_px: Point, wall: float
) -> _Model | None:
    """Make a first model from the brightness of the pixels that the face fills; None if there are
    too few of these. `wall` is the first guess at the wall's brightness.
    """
    inside = face > 0.9 * float(
        face.max()
    )  # a streak longer than the coin's width fills no pixel during the whole exposure
    under = table[inside]
    if len(under) < 8:
        return None
    faces = (seen[inside] - under) / face[inside] + under
    return _Model(shift_px, 1.0, float(np.partition(faces, len(faces) // 2)[len(faces) // 2]), wall)


def _refine(
    seen: Floats,
    table: Floats,
    shares: Floats,
    model: _Model,
    usual_wall: tuple[float, float] | None,
    *,
    robust: bool,
) -> tuple[Array, Point]:
    """Take one Gauss-Newton step. With `robust`, pixels that the model does not explain have less
    weight.

    Little of a moving coin's wall is visible, and a wall estimated too dark would shift the coin
    towards the camera. So if the usual brightness of walls is known, it counts like many pixels.
    `usual_wall` is the table's mean brightness and how light a wall is (0 as the table, 1 as the
    face). Changes the brightnesses in the model. Returns the normal matrix (5, 5) and the disc's
    step, px.
    """
    flat = _linearised(seen, table, shares, model)
    weighted, aim = flat[:-1], flat[-1]
    if robust:
        spread = OFF_OVER_MEAN * cv2.norm(aim, cv2.NORM_L1) / aim.size + 2.0
        trust = aim * (0.5 / spread)
        trust *= trust
        trust += 1.0
        weighted = weighted / trust
    equations = (weighted @ flat.T).astype(np.float64)
    normal, pull = equations[:, :-1] + _HELD, equations[:, -1]
    if usual_wall is not None:
        bare, wall_share = usual_wall
        normal[_WALL, _WALL] += WALL_PIXELS
        pull[_WALL] += WALL_PIXELS * (bare + wall_share * (model.face - bare) - model.wall)
    _, change = cv2.solve(normal, pull.reshape(5, 1), flags=cv2.DECOMP_CHOLESKY)
    light, face, wall, right, down = change[:, 0].tolist()
    model.light = min(max(model.light + light, LIGHT[0]), LIGHT[1])
    model.face, model.wall = model.face + face, min(max(model.wall + wall, 0.0), FULL)
    return normal, (-right, -down)


def _linearised(seen: Floats, table: Floats, shares: Floats, model: _Model) -> Floats:
    """Return the derivatives of the model, for each pixel, by the light, the face, the wall and the
    two components of the shift, and then each pixel's residual (6, n).
    """
    bare = table * model.light
    steps = np.empty(shares.shape, dtype=np.float32)
    np.subtract(model.face, bare, out=steps[0])
    np.subtract(model.wall, bare, out=steps[1])
    explained = shares * steps
    design = np.zeros((6, *seen.shape), dtype=np.float32)
    aim = np.subtract(seen, bare, out=design[5])
    aim -= explained[0]
    aim -= explained[1]
    np.add(shares[0], shares[1], out=design[0])
    np.subtract(1.0, design[0], out=design[0])
    design[0] *= table
    design[1:3] = shares
    steps *= 0.5
    for row, (before, here, after) in ((3, _ACROSS), (4, _DOWN)):
        slope = shares[after] - shares[before]
        slope *= steps[here]
        np.add(slope[0], slope[1], out=design[row][here[1:]])
    return design.reshape(6, -1)


@dataclass(frozen=True, slots=True)
class _Judged:
    """How good a converged disc is. `noise` is the variance of the residuals along the rim, grey
    levels squared; `fall` as in `DiscFit`.
    """

    support: float
    contrast: float
    unexplained: float
    noise: float
    fall: float


def _judge(
    seen: Floats, table: Floats, grid: PixelGrid, shares: Floats, model: _Model
) -> _Judged | None:
    """Judge the converged disc: its contrast, the share of its rim that is seen, and what it leaves
    unexplained. None if it has no contrast.
    """
    face, bare = shares[0], table * model.light
    mostly = bare[face > 0.5 * float(face.max())]
    contrast = model.face - float(mostly.mean()) if mostly.size else 0.0
    if contrast < LEAST_CONTRAST:
        return None
    squares = np.empty((3, *seen.shape), dtype=np.float32)  # before the fit, after it, expected
    np.subtract(seen, bare, out=squares[0])
    np.multiply(model.face - bare, face, out=squares[2])
    np.subtract(squares[0], squares[2], out=squares[1])
    squares[1] -= (model.wall - bare) * shares[1]
    squares *= squares
    fall = float(squares[0].sum() - squares[1].sum())
    rim = _rim_of(face)
    noise = float(squares[1][rim > 0.02 * float(rim.max())].mean())
    squares *= rim
    was, now, expected = by_sector(squares, grid.turn(model.shift))
    seen_rim = (now < (1 - LEAST_EXPLAINED) * was) & (was > 0.3 * expected)
    support = float(expected[seen_rim].sum()) / max(float(expected.sum()), 1e-6)
    unexplained = float(now.sum()) / max(float(was.sum()), 1e-6)
    return _Judged(support, contrast, unexplained, noise, fall)


def _rim_of(face: Floats) -> Floats:
    """Return, for each pixel, the square of the slope of the face's share there: large only along
    the rim.
    """
    rim = np.zeros(face.shape, dtype=np.float32)
    across, down = face[:, 2:] - face[:, :-2], face[2:] - face[:-2]
    across *= across
    down *= down
    rim[:, 1:-1] = across
    rim[1:-1] += down
    return rim


def by_sector(values: Floats, turn: Floats) -> Array:
    """Return the sums of each image (n, rows, columns) over each sector (n, sectors). `turn` is the
    direction of each pixel.
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
    """Return the converged disc's place with its sigma. Sigma is doubled if no rim is seen, and
    tripled if nothing is explained either.
    """
    _, cover = cv2.invert(normal, flags=cv2.DECOMP_CHOLESKY)
    per_px = spot.mm_per_px
    spread_mm = math.sqrt(judged.noise * float(((per_px @ cover[3:, 3:]) * per_px).sum()) / 2)
    at = place_of(view, spot, model.shift, sizes.coin_thickness_mm)
    doubt = 1 + (1 - judged.support) + judged.unexplained
    sigma = doubt * math.sqrt(
        FLOOR_SIGMA_MM**2 + (2 * spread_mm) ** 2 + (SWEEP_SIGMA * math.hypot(*sweep_mm)) ** 2
    )
    seen = (judged.support, judged.contrast, judged.unexplained, judged.fall)
    return DiscFit(at, sigma, *seen, sweep_mm=sweep_mm)


def place_of(view: TableView, spot: ProjectedDisc, shift_px: Point, height_mm: float) -> Point:
    """Return the place on the plane `height_mm` above the table that the camera sees `shift_px`
    from a spot. The place is computed by a linear step and one correction.
    """
    (a, b), (c, d) = spot.mm_per_px.tolist()
    x, y = (
        spot.at_mm[0] + a * shift_px[0] + b * shift_px[1],
        spot.at_mm[1] + c * shift_px[0] + d * shift_px[1],
    )
    seen = view.pixel_of(x, y, height_mm)
    right, down = spot.at_px[0] + shift_px[0] - seen[0], spot.at_px[1] + shift_px[1] - seen[1]
    return (x + a * right + b * down, y + c * right + d * down)
