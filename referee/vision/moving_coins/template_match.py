"""Finds a moving coin by its own picture. The coin's picture is blurred along its path during the
exposure and laid over the background; the coin is at the place where this explains the pixels best.

The hypothesis "the coin is here" is compared with "there is only the background". The log
likelihood ratio, multiplied by twice the noise variance, is the amount by which the sum of squared
residuals falls; correlations give it for every place. The coin's picture includes its side wall and
its shadow, so even a coin of the table's own colour is found. A flicked coin may spin, and its
speed is seldom known, so an evenly smeared print and shorter paths are tried, too.

The table's brightness differs from place to place, because of the light or because of a pattern. If
the light is the cause, the coin changes the background everywhere by as much as where its picture
was taken. If a pattern is the cause, the coin hides it and looks the same everywhere. Both causes
are tried, and the one that explains more counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point, scale
from referee.domain.pieces import PieceSizes
from referee.vision.coins.coin_template import RADII, CoinTemplate
from referee.vision.coins.motion_fit import SWEEP_SIGMA, DiscFit, place_of, top_of
from referee.vision.image.disc import ProjectedDisc
from referee.vision.image.picture import Floats, Rect, rect_around

# Chosen: a motion during the exposure is drawn as pictures of the coin this far apart. With half
# this distance, the measured places differ by 0.01 mm.
STEP_PX: Final = 2.0
# Chosen: the least share of its usual contrast that a coin may have. A light that changes more also
# changes the background.
LEAST_SHOWN: Final = 0.5
MOST_SHOWN: Final = 1.6  # Chosen: the largest share of its usual contrast that a coin may have
# A match must explain at least this share of what the coin's face in full view would explain. A
# match that explains less is an edge of something else: beside a pale coin's dark print and wall,
# the bare table looks like a light disc. Tuned on our own clips.
LEAST_OF_POWER: Final = 0.3
SHORTER_SWEEPS: Final = (0.4, 0.7)  # Chosen: the shares of a sweep that are tried, too
# The error of a place found by a coin's picture. Measured: over 33 sightings on three rendered
# tables with the true survey. The causes of this error: the place at which the coin lay when its
# template was made is not exact, and the print and the light on the coin turn.
PICTURE_SIGMA_MM: Final = 1.2
# Chosen: sums of squares are rounded, by less than this factor.
ROUNDED: Final = 1.01
# Tuned on our own clips: this many neighbouring pixels share their residual, because of print and
# texture.
CORRELATED_PX: Final = 4.0

#: For every place: by how much a coin there lowers the sum of squared residuals, and the sum of the
#: products of the coin's picture with the pixels.
_Falls = tuple[Floats, Floats]


def least_fall(template: CoinTemplate, bare: Floats, sizes: PieceSizes, sweep_mm: Point) -> float:
    """Return how much a fit must explain (see `DiscFit.fall`) to count as this coin, on a table
    with the values `bare`.
    """
    return LEAST_OF_POWER * template.power_over(bare, math.hypot(*sweep_mm) / sizes.coin_mm)


def or_by_its_picture(
    fit: DiscFit | None,
    more: Floats,
    table: Floats,
    rect: Rect,
    view: TableView,
    spot: ProjectedDisc,
    sizes: PieceSizes,
    template: CoinTemplate,
    sweep_mm: Point,
) -> DiscFit | None:
    """Return the better of two fits of a known coin: `fit`, which takes it for a plain disc, and
    the fit by its own picture. The other parameters are those of `best_match`.
    """
    if fit is not None and fit.is_sharp:
        return fit
    own = best_match(more, table, rect, view, spot, sizes, template, sweep_mm)
    return own if own is not None and (fit is None or own.fall > fit.fall) else fit


def best_match(
    more: Floats,
    table: Floats,
    rect: Rect,
    view: TableView,
    spot: ProjectedDisc,
    sizes: PieceSizes,
    template: CoinTemplate,
    sweep_mm: Point,
) -> DiscFit | None:
    """Find the place in `rect` at which a coin's own picture explains best how the pixels differ
    from the background. `more` is that difference and `table` the background, both in the
    template's channel mix. Return None if the picture explains nothing.

    The picture is drawn as seen near `spot`, with the print as it lay and with the print smeared by
    a spin. The better of the two is then tried with shorter sweeps, because the speed of a flick is
    seldom known. The fit's contrast is a share of the coin's usual contrast.
    """
    there = _Searched(more, table, rect, view, spot, sizes)
    turned = (template, template.evened)
    found = there.peaks(turned, sweep_mm)
    best = found[0] if _fall(found[0]) >= _fall(found[1]) else found[1]
    if sweep_mm != (0.0, 0.0):
        its = turned[0] if best is found[0] else turned[1]
        shorter = (there.peaks((its,), scale(sweep_mm, share))[0] for share in SHORTER_SWEEPS)
        best = max((best, *shorter), key=_fall)
    return None if best is None else there.measured(best)


@dataclass(frozen=True, slots=True)
class _Peak:
    """The place where a coin's picture, drawn for a sweep (`shown`), explains most. `x` and `y` are
    the column and row of the picture's corner in the searched pixels. `fall` is, for every place,
    by how much the sum of squared residuals falls, and `gain` is the coin's contrast as a share of
    its usual contrast.
    """

    shown: Floats
    sweep_mm: Point
    fall: Floats
    x: int
    y: int
    gain: float

    @property
    def most(self) -> float:
        """Return by how much the sum of squared residuals falls at the peak."""
        return float(self.fall[self.y, self.x])


def _fall(peak: _Peak | None) -> float:
    return -math.inf if peak is None else peak.most


@dataclass(frozen=True)
class _Searched:
    """The pixels of `rect` in which a coin's picture is searched for (see `best_match`). Values
    that do not depend on how the coin's print lies are computed once.
    """

    more: Floats
    table: Floats
    rect: Rect
    view: TableView
    spot: ProjectedDisc
    sizes: PieceSizes

    def peaks(self, turned: Sequence[CoinTemplate], sweep_mm: Point) -> list[_Peak | None]:
        """Return where the picture explains most, for each template in `turned`, which are one
        coin's template with its print lying in different ways; None for a template that explains
        nothing anywhere.
        """
        drawn = _drawn([of.shown for of in turned], turned[0], self.spot, sweep_mm)
        rows, columns = drawn[0].shape
        if rows > self.more.shape[0] or columns > self.more.shape[1]:
            return [None] * len(turned)
        maps = [self._by_change(shown) for shown in drawn]
        hiding = [k for k, shown in enumerate(drawn) if self._is_patterned(shown)]
        if hiding:
            parts = [*(turned[k].over for k in hiding), turned[0].cover]
            *coins, cover = _drawn(parts, turned[0], self.spot, sweep_mm)
            for k, by_cover in zip(hiding, self._by_cover(coins, cover), strict=True):
                maps[k] = max(maps[k], by_cover, key=_most)
        return [
            None if falls is None else _peak(shown, sweep_mm, *falls)
            for shown, falls in zip(drawn, maps, strict=True)
        ]

    def measured(self, found: _Peak) -> DiscFit:
        """Return the fit at a peak."""
        shown, spot, sweep_mm, x, y = found.shown, self.spot, found.sweep_mm, found.x, found.y
        rows, columns = shown.shape
        seen = self.more[y : y + rows, x : x + columns]
        before = float((seen * seen).sum())
        left = 1.0 - found.most / max(before, 1e-6)
        shift = (
            self.rect.left
            + x
            + top_of(found.fall[y, :], x)
            + (columns - 1) / 2
            - round(spot.at_px[0]),
            self.rect.top + y + top_of(found.fall[:, x], y) + (rows - 1) / 2 - round(spot.at_px[1]),
        )
        slope = float((cv2.Sobel(shown, cv2.CV_32F, 1, 0, scale=1 / 8) ** 2).sum())
        noise = CORRELATED_PX * before * left / shown.size
        spread_mm = math.sqrt(noise / max(slope, 1e-6) * spot.pixel_mm2)
        sigma = math.hypot(PICTURE_SIGMA_MM, spread_mm, SWEEP_SIGMA * math.hypot(*sweep_mm))
        at_mm = place_of(self.view, spot, shift, self.sizes.coin_thickness_mm)
        explained = (1.0 - left, found.gain, left, found.most)
        return DiscFit(at_mm, sigma * (1 + left), *explained, sweep_mm=sweep_mm)

    @cached_property
    def _variance(self) -> float:
        return float(cv2.meanStdDev(self.table)[1][0, 0]) ** 2

    def _is_patterned(self, shown: Floats) -> bool:
        """Return whether the table's grey levels vary so much that the coin would differ from other
        parts of the table by a clearly different amount.
        """
        return self._variance > LEAST_OF_POWER * float((shown * shown).mean())

    @cached_property
    def _powers(self) -> tuple[float, float]:
        return _powers(self.more)

    def _by_change(self, shown: Floats) -> _Falls | None:
        """Return two images over all places, for a coin that changes the background by `shown`: by
        how much the sum of squared residuals falls, and the sum of the products of `shown` with
        what is seen. Return None if what is seen is so faint that, by Cauchy's inequality, the
        second image nowhere reaches half of the sum of the squares of `shown`: then the coin
        explains nothing anywhere.
        """
        powers = _powers(shown)
        most = sum(math.sqrt(p * q) for p, q in zip(powers, self._powers, strict=True))
        if 2 * ROUNDED * most < sum(powers):
            return None
        overlap = _correlated(self.more, shown)
        return 2 * overlap - np.float32((shown * shown).sum()), overlap

    def _by_cover(self, coins: Sequence[Floats], cover: Floats) -> Iterator[_Falls | None]:
        """Yield what `_by_change` returns, for coins that hide the share `cover` of each pixel of
        the table and add the images `coins`.
        """
        level = np.float32(self.table.mean())  # sums of squares stay small, and so do their errors
        table = self.table - level
        of_table = _correlated(table * table, cover * cover)
        hidden = None
        for adds in coins:
            coin = adds - level * cover
            own = np.float32((coin * coin).sum()) - 2 * _correlated(table, coin * cover)
            own += of_table
            if 4 * ROUNDED * sum(self._powers) < float(own.min()):
                yield None
                continue
            hidden = _correlated(self.more * table, cover) if hidden is None else hidden
            overlap = _correlated(self.more, coin) - hidden
            yield 2 * overlap - own, overlap


def _most(falls: _Falls | None) -> float:
    return -math.inf if falls is None else float(falls[0].max())


def _powers(values: Floats) -> tuple[float, float]:
    """Return two sums of squares: of the values above 0 and of the values below 0."""
    lighter = np.maximum(values, 0.0)
    darker = values - lighter
    return float((lighter * lighter).sum()), float((darker * darker).sum())


def _peak(shown: Floats, sweep_mm: Point, fall: Floats, overlap: Floats) -> _Peak | None:
    """Return the place at which most is explained; None if nothing is explained there, if it is at
    the border of the searched pixels, or if the contrast there is not that of the coin.
    """
    _, most, _, (x, y) = cv2.minMaxLoc(fall)
    own = 2 * float(overlap[y, x]) - most
    gain = float(overlap[y, x]) / max(own, 1e-6)
    at_border = x in (0, fall.shape[1] - 1) or y in (0, fall.shape[0] - 1)
    if most <= 0 or at_border or not LEAST_SHOWN < gain < MOST_SHOWN:
        return None
    return _Peak(shown, sweep_mm, fall, x, y, gain)


def _correlated(values: Floats, drawn: Floats) -> Floats:
    return np.asarray(cv2.matchTemplate(values, drawn, cv2.TM_CCORR), dtype=np.float32)


def _drawn(
    parts: Sequence[Floats], template: CoinTemplate, spot: ProjectedDisc, sweep_mm: Point
) -> list[Floats]:
    """Draw parts of a coin's template as seen around a spot, averaged over the coin's motion. Each
    is an image whose middle pixel shows the coin's centre.
    """
    reach = spot.reach_px(RADII * template.radius_mm + 0.5 * math.hypot(*sweep_mm))
    middle = (round(spot.at_px[0]), round(spot.at_px[1]))
    rect = rect_around(*middle, *reach)
    size = (2 * (rect.right - middle[0]) - 1, 2 * (rect.bottom - middle[1]) - 1)
    own = template.spot
    to_own = own.px_per_mm @ spot.mm_per_px
    way = spot.px_per_mm @ np.array(sweep_mm)
    steps = max(1, math.ceil(math.hypot(*way) / STEP_PX))
    corner = np.array(own.at_px) - (template.rect.left, template.rect.top)
    middles = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]) + np.outer(
        (np.arange(steps) + 0.5) / steps - 0.5, way
    )
    homes = corner - middles @ to_own.T
    affine = np.column_stack((to_own, homes[0]))
    if steps == 1:
        return [_warped(part, affine, size) for part in parts]
    totals = [np.zeros((size[1], size[0]), dtype=np.float32) for _ in parts]
    for home in homes:
        affine[:, 2] = home
        for part, total in zip(parts, totals, strict=True):
            cv2.accumulate(_warped(part, affine, size), total)
    return [np.asarray(total / steps, dtype=np.float32) for total in totals]


def _warped(part: Floats, affine: NDArray[np.float64], size: tuple[int, int]) -> Floats:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(part, affine, size, flags=flags), dtype=np.float32)
