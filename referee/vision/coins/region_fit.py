"""Measures the centre of a coin at rest from whole regions: table, face and side wall.

If a coin's face looks like the table, hardly more than its side wall is visible, and a circle
through the foot of the wall lies up to 4 mm too close to the camera. So here each of the three
regions has a colour of its own: the table's colour changes evenly across the picture, those of the
face and of the wall are constant. For a given centre, linear least squares give these colours, in
all channels at once. The coin's centre is the one with the smallest residuals. Pixels that no
region explains, as in a shadow, get little weight. The middle of the face, where the print is, and
other coins nearby get none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.vision.coins.local_contrast import local_contrast
from referee.vision.coins.motion_fit import OFF_OVER_MEAN, place_of
from referee.vision.coins.rim_circle import OUTER_RADII
from referee.vision.coins.rim_fit import (
    FARTHEST_MM,
    LEAST_SUPPORT,
    LUMINANCE,
    PLAIN_SUPPORT,
    RimFit,
    find_rim,
    fit_rim,
)
from referee.vision.image.disc import PixelGrid, ProjectedDisc, spot_at
from referee.vision.image.picture import Picture

Array = NDArray[np.float64]

INNER: Final = 0.72  # Chosen: in coin radii; the ring that counts goes from here to `OUTER_RADII`
# The least share of that ring that other coins leave free. With less, as in a heap, the table's
# colour cannot be measured. Measured: in drawn heaps, places are up to 0.4 mm off with this limit.
LEAST_FREE: Final = 0.7
OTHER_WIDTH: Final = 0.1  # Chosen: to the network, a disc this much wider or narrower is a coin
# Measured: where nothing lies, a coin's width fits the pixels about as well as other widths do. On
# 105 rendered tables the network took 37 bare places without a rim for coins. Nowhere is the misfit
# of a coin's width below this share of the better other width's; at 7 it is smaller.
COIN_FITS: Final = 0.95
REGION_ROUNDS: Final = 6  # Chosen: the most rounds
SAME_CENTRE_PX: Final = 0.03  # Chosen: the fit ends when a round moves the centre by less
# Tuned on our own clips: the place that starts from the foot of the wall is used only if its misfit
# is less than this share of the other place's misfit.
CLEARLY_BETTER: Final = 0.8
ASIDE_PX: Final = 0.3  # Chosen: the step of the numerical derivatives
MOST_SHIFT_PX: Final = 1.5  # Chosen: the longest step of a round
LEAST_SPREAD: Final = 1.0  # Chosen: grey levels; rounding and compression cause as much
# Measured: the error along each axis, with the true survey: 0.47 mm over 188 coins on 34
# path-traced tables, and 0.5 mm over 75 coins whose rim is hardly seen.
REGION_SIGMA_MM: Final = 0.5
# Measured: how the error along each axis grows with the distance between the two centres; over the
# 188 coins it is 0.29 mm up to 0.5 mm apart, 0.43 at 1 to 2 mm.
DISAGREED: Final = 0.27


def measure_coin(
    picture: Picture,
    view: TableView,
    guess_mm: Point,
    sizes: PieceSizes,
    lying_mm: Sequence[Point] = (),
) -> RimFit | None:
    """Measure the coin at rest within a few mm of a guess; None if neither its rim nor its regions
    are seen. `lying_mm` are the places of known coins, perhaps this one, too.
    """
    rim = fit_rim(picture, view, guess_mm, sizes) or find_rim(picture, view, guess_mm, sizes)
    if rim is not None:
        return placed_by_regions(rim, picture, view, sizes, lying_mm, guess_mm)
    return fit_regions(picture, view, guess_mm, sizes, lying_mm)


def fit_regions(
    picture: Picture,
    view: TableView,
    guess_mm: Point,
    sizes: PieceSizes,
    lying_mm: Sequence[Point] = (),
) -> RimFit | None:
    """Measure a coin whose rim is not seen, such as a pale coin on marble, by its regions alone;
    None if these cannot be distinguished, are too far from the guess, or do not fit a coin's width.
    """
    found = _regions_near(picture, view, guess_mm, sizes, lying_mm)
    if found is None:
        return None
    regions, shift = found
    at_mm = regions.place(view, shift, sizes)
    if distance(at_mm, guess_mm) > FARTHEST_MM or not regions.as_wide_as_a_coin(shift):
        return None
    sigma_mm = math.hypot(REGION_SIGMA_MM, DISAGREED * distance(at_mm, guess_mm))
    mix = local_contrast(picture, view, at_mm, sizes) or LUMINANCE
    return RimFit(at_mm, sigma_mm, LEAST_SUPPORT, channel_mix=mix, by_regions=True)


def placed_by_regions(
    fit: RimFit,
    picture: Picture,
    view: TableView,
    sizes: PieceSizes,
    lying_mm: Sequence[Point] = (),
    guess_mm: Point | None = None,
) -> RimFit:
    """Use the regions to improve the place that a rim gives; return a fit `by_regions` unchanged.

    The new place is the mean of both centres, weighted by their errors. (Regions are sought from
    the rim and from `guess_mm`; those closer to the guess count.) If the two are too far apart, a
    plain rim counts, otherwise the one closer to `guess_mm`, or the rim without a guess. Their
    distance adds to the sigma. `lying_mm` are the places of known coins.
    """
    if fit.by_regions:
        return fit
    near_mm = guess_mm or fit.at_mm
    places = (region_place(picture, view, a, sizes, lying_mm) for a in {fit.at_mm, near_mm})
    at_mm = min(filter(None, places), key=partial(distance, near_mm), default=None)
    if at_mm is None:
        return fit
    apart_mm = distance(at_mm, fit.at_mm)
    if apart_mm > FARTHEST_MM:
        if fit.support > PLAIN_SUPPORT and not fit.by_face:
            return fit
        centres = ((fit.at_mm, fit.sigma_mm), (at_mm, REGION_SIGMA_MM))
        right_mm, own_mm = min(centres, key=lambda centre: distance(centre[0], near_mm))
        return replace(fit, at_mm=right_mm, sigma_mm=math.hypot(own_mm, DISAGREED * apart_mm))
    share = fit.sigma_mm**2 / (fit.sigma_mm**2 + REGION_SIGMA_MM**2)
    x, y = (rim + share * (own - rim) for rim, own in zip(fit.at_mm, at_mm, strict=True))
    own_mm = math.sqrt(share) * REGION_SIGMA_MM
    return replace(fit, at_mm=(x, y), sigma_mm=math.hypot(own_mm, DISAGREED * apart_mm))


def region_place(
    picture: Picture,
    view: TableView,
    start_mm: Point,
    sizes: PieceSizes,
    lying_mm: Sequence[Point] = (),
) -> Point | None:
    """Return the centre, mm, of the coin near `start_mm`. Return None if the coin is partly outside
    the picture, if other coins at `lying_mm` lie all around it, or if the regions cannot be
    distinguished.
    """
    found = _regions_near(picture, view, start_mm, sizes, lying_mm)
    return None if found is None else found[0].place(view, found[1], sizes)


def _regions_near(
    picture: Picture, view: TableView, start_mm: Point, sizes: PieceSizes, lying_mm: Sequence[Point]
) -> tuple[_Regions, Array] | None:
    """Return a place's pixels and the coin's shift from it (2,), px; None as for `region_place`."""
    others_mm = [at for at in lying_mm if distance(at, start_mm) > sizes.coin_mm / 2]
    spot = spot_at(view, start_mm, sizes.coin_thickness_mm)
    rect = spot.rect(OUTER_RADII * sizes.coin_mm / 2 + 2.0)
    if rect.within(picture.width, picture.height) != rect:
        return None
    values = picture.channels(rect).astype(np.float64)
    pixels = values.reshape(-1, values.shape[2]).T
    grid = PixelGrid.of(spot, rect)
    free = _free_of(others_mm, grid, spot, view, sizes)
    regions = _Regions(spot, grid, pixels, sizes.coin_mm / 2, free)
    if regions.free_share < LEAST_FREE:
        return None
    # The rim found may be the foot of the wall. If so, the face is `wall_px` farther away.
    begins = (np.zeros(2), np.negative(spot.wall_px))
    near, behind = (regions.centre(begin) for begin in begins)
    best = near
    if behind is not None and (
        near is None or regions.misfit(behind) < CLEARLY_BETTER * regions.misfit(near)
    ):
        best = behind
    return None if best is None else (regions, best)


def _free_of(
    others_mm: Sequence[Point],
    grid: PixelGrid,
    spot: ProjectedDisc,
    view: TableView,
    sizes: PieceSizes,
) -> NDArray[np.bool_]:
    """Return which pixels of a grid (rows, columns) show no part of the other coins."""
    radius_mm, height_mm = sizes.coin_mm / 2, sizes.coin_thickness_mm
    free = np.ones(grid.places.shape[1:], dtype=np.bool_)
    for at_mm in others_mm:
        if distance(at_mm, spot.at_mm) > (1 + OUTER_RADII) * radius_mm + FARTHEST_MM:
            continue
        x, y = view.to_image(np.array([[*at_mm, height_mm]]))[0] - spot.at_px
        right, down = spot.wall_px
        face, wall = grid.filled((radius_mm, (x, y)), (radius_mm, (x + right, y + down)))
        free &= (face + wall) == 0.0
    return free


@dataclass(frozen=True)
class _Regions:
    """The pixels around a coin: `values` (channels, n), the grid of their places, and which of them
    are `free` of other coins (rows, columns).

    The unknown is the centre's shift from the spot (2,), px along and down.
    """

    spot: ProjectedDisc
    grid: PixelGrid
    values: Array
    radius_mm: float
    free: NDArray[np.bool_]

    @property
    def free_share(self) -> float:
        """Return how much of the ring around the spot is free of other coins."""
        ring = self._in_ring(np.zeros(2))
        return float(self.free[ring].mean())

    def centre(self, begin: Array) -> Array | None:
        """Return the best shift near `begin`; None if the pixels do not determine it."""
        shift = begin
        for turn in range(REGION_ROUNDS):
            step = self._step(shift, robust=turn > 0)
            if step is None:
                return None
            shift = shift + np.clip(step, -MOST_SHIFT_PX, MOST_SHIFT_PX)
            if np.abs(step).max() < SAME_CENTRE_PX:
                break
        return shift

    def place(self, view: TableView, shift: Array, sizes: PieceSizes) -> Point:
        """Return the place, mm, of a coin that is shifted from the spot."""
        x, y = shift
        return place_of(view, self.spot, (float(x), float(y)), sizes.coin_thickness_mm)

    def as_wide_as_a_coin(self, shift: Array) -> bool:
        """Return whether a coin's width plainly fits better than a wider or a narrower one."""
        ring = self._ring(shift)
        every = np.ones(ring.values.shape[1])
        widths = (1.0, 1.0 - OTHER_WIDTH, 1.0 + OTHER_WIDTH)
        rings = [replace(ring, radius_mm=share * self.radius_mm) for share in widths]
        coin, *others = (float(np.abs(r.left([shift], every)).sum()) for r in rings)
        return coin < COIN_FITS * min(others)

    def misfit(self, shift: Array) -> float:
        """Return the sum of the absolute residuals of the pixels that count, grey levels."""
        ring = self._ring(shift)
        return float(np.abs(ring.left([shift], np.ones(ring.values.shape[1]))).sum())

    def _step(self, shift: Array, *, robust: bool) -> Array | None:
        """Return the Gauss-Newton step of the shift; None if the pixels do not determine it."""
        ring = self._ring(shift)
        spread, trust = ring.weights(shift, robust=robust)
        aside = ASIDE_PX * np.eye(2)
        places = [shift, shift + aside[0], shift - aside[0], shift + aside[1], shift - aside[1]]
        left = ring.left(places, trust) * (np.sqrt(trust) / spread[:, None])
        left = left.reshape(len(places), -1)
        design = (left[1::2] - left[2::2]) / (2 * ASIDE_PX)
        square = design @ design.T
        (xx, xy), (_, yy) = square.tolist()
        apart = math.hypot(xx - yy, 2 * xy)  # the eigenvalues' difference; xx + yy is their sum
        if xx + yy - apart <= np.finfo(float).eps * (xx + yy + apart):
            return None
        return np.asarray(-np.linalg.solve(square, design @ left[0]), dtype=np.float64)

    def _ring(self, shift: Array) -> _Ring:
        """Return the pixels that count: those that are free of other coins, not in the middle of
        the face, and not far outside it.
        """
        counts = np.flatnonzero(self._in_ring(shift) & self.free)
        flat = self.grid.places.reshape(2, 1, -1)
        return _Ring(
            self.spot,
            replace(self.grid, places=np.take(flat, counts, axis=2)),
            np.take(self._across.reshape(2, -1), counts, axis=1),
            np.take(self.values, counts, axis=1),
            self.radius_mm,
        )

    def _in_ring(self, shift: Array) -> NDArray[np.bool_]:
        """Return which pixels (rows, columns) are neither in the middle of the face nor far outside
        it.
        """
        at_px = (float(shift[0]), float(shift[1]))
        inner, outer = self.grid.filled(
            *((share * self.radius_mm, at_px) for share in (INNER, OUTER_RADII))
        )
        return np.asarray((inner < 0.5) & (outer > 0.5))

    @cached_property
    def _across(self) -> Array:
        """Return each pixel's row and column (2, rows, columns), scaled so that the longer side
        runs from -0.5 to 0.5.
        """
        shape = self.grid.places.shape[1:]
        return np.asarray(np.indices(shape) / max(shape) - 0.5, dtype=np.float64)


@dataclass(frozen=True)
class _Ring:
    """The pixels around a coin that count: the `grid` of their places, their scaled rows and
    columns `across` (2, n; see `_Regions._across`), and their `values` (channels, n).
    """

    spot: ProjectedDisc
    grid: PixelGrid
    across: Array
    values: Array
    radius_mm: float

    def weights(self, shift: Array, *, robust: bool) -> tuple[Array, Array]:
        """Return the spread of the residuals in each channel (channels,), and each pixel's weight
        (n,): 1, or with `robust` less for a pixel that the regions do not explain.
        """
        every = np.ones(self.values.shape[1])
        left = self.left([shift], every)[0]
        spread = (
            OFF_OVER_MEAN * np.abs(left).sum(axis=1) / max(self.values.shape[1], 1) + LEAST_SPREAD
        )
        if robust:
            off = ((left / spread[:, None]) ** 2).mean(axis=0)
            every /= (1.0 + off / 4.0) ** 2
        return spread, every

    def left(self, shifts: Sequence[Array], weights: Array) -> Array:
        """Return the pixels' residuals after fitting the colours of the regions, for each of
        several shifts of the centre (shifts, channels, n). The pixels' `weights` (n,) are the same
        in all channels, and so are the normal equations.
        """
        at_px = [(float(x), float(y)) for x, y in shifts]
        right, down = self.spot.wall_px
        centres = [*at_px, *((x + right, y + down) for x, y in at_px)]
        face, wall = self.grid.filled(*((self.radius_mm, centre) for centre in centres)).reshape(
            2, len(shifts), -1
        )
        shares = np.empty((len(shifts), 5, self.values.shape[1]))
        shares[:, 3] = face
        np.maximum(wall - face, 0.0, out=shares[:, 4])
        table = np.subtract(1.0 - face, shares[:, 4], out=shares[:, 0])
        np.multiply(table[:, None], self.across, out=shares[:, 1:3])
        weighed = shares * weights
        held = 1e-6 * max(float(weights.max(initial=0.0)), 1e-9)
        square = weighed @ shares.swapaxes(1, 2) + held * np.eye(5)
        aim = (weighed[:, None] @ self.values[:, :, None])[..., 0]
        colours = np.linalg.solve(square, aim.swapaxes(1, 2)).swapaxes(1, 2)
        return np.asarray(self.values - colours @ shares)
