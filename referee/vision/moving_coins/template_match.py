"""Finds a moving coin by its own picture: the place at which the background with the coin's picture
over it, blurred along its way for the exposure, explains the pixels best.

The hypothesis "the coin is here" is compared with "there is only the background". Twice the noise
variance times the log likelihood ratio is the fall of the sum of squared residuals, which
correlations give for every place. Side wall and shadow belong to the picture, so a coin of the
table's own colour is found by them. A coin that was flicked may
spin, and how fast it slid is seldom known: an evenly smeared print and shorter ways are tried, too.

The light differs from place to place, and so may the table's pattern. Where it is the light, the
coin changes the background everywhere by as much as where its picture was taken. Where it is the
pattern, the coin hides it and looks the same everywhere. What explains more counts.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from calibration.lens.camera import TableView
from referee.domain.geometry import Point, scale
from referee.domain.pieces import PieceSizes
from referee.vision.coins.coin_template import RADII, CoinTemplate
from referee.vision.coins.motion_fit import SWEEP_SIGMA, DiscFit, place_of, top_of
from referee.vision.image.disc import ProjectedDisc
from referee.vision.image.picture import Floats, Rect, rect_around

# Chosen: a sweep is drawn as pictures so far apart. Half as far apart moves a coin by 0.01 mm.
STEP_PX: Final = 2.0
# Chosen: shares of a coin's usual contrast. A light that changes more changes the background, too.
LEAST_SHOWN: Final = 0.5
MOST_SHOWN: Final = 1.6  # Chosen: likewise
# Of how much the coin's face in full view would explain. What explains less is an edge of something
# else: beside a pale coin's dark print and wall, the bare table looks like a light disc.
# Tuned on our own clips.
LEAST_OF_POWER: Final = 0.3
SHORTER_SWEEPS: Final = (0.4, 0.7)  # Chosen: the shares of a sweep that are tried, too
# Measured: over 33 sightings on three rendered tables with the true survey. The place at which the
# coin lay when its picture was taken is off by as much, and the print and the light turn.
PICTURE_SIGMA_MM: Final = 1.2
# So many neighbouring pixels share their residual: print and texture. Tuned on our own clips.
CORRELATED_PX: Final = 4.0


def or_by_its_picture(
    fit: DiscFit | None,
    bare: Floats,
    more: Floats,
    table: Floats,
    rect: Rect,
    view: TableView,
    spot: ProjectedDisc,
    sizes: PieceSizes,
    template: CoinTemplate,
    sweep_mm: Point,
) -> DiscFit | None:
    """Return a known coin's fit as a plain disc, or by its own picture where that explains more.
    `bare` are the values of the table there. The other parameters are those of `match_template`.
    """
    power = template.power_over(bare, math.hypot(*sweep_mm) / sizes.coin_mm)
    if fit is not None and fit.fall < LEAST_OF_POWER * power:
        fit = None
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
    """Return the match that explains most, over ways of the coin's print to lie, and then over
    shorter sweeps: how fast a coin was flicked is seldom known. The parameters are those of
    `match_template`.
    """
    there = (more, table, rect, view, spot, sizes)
    found = [
        (turned, match_template(*there, turned, sweep_mm)) for turned in (template, template.evened)
    ]
    turned, best = max(found, key=lambda one: -math.inf if one[1] is None else one[1].fall)
    if sweep_mm == (0.0, 0.0):
        return best
    shorter = (match_template(*there, turned, scale(sweep_mm, share)) for share in SHORTER_SWEEPS)
    return max((f for f in (best, *shorter) if f is not None), key=lambda f: f.fall, default=None)


def match_template(
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
    from the background (`more`, in the template's channel mix, as `table`, the background itself).
    None where it explains nothing.

    The picture is drawn as seen near `spot`. The fit's contrast is a share of the usual one.
    """
    (shown,) = _drawn((template.shown,), template, spot, sweep_mm)
    rows, columns = shown.shape
    if rows > more.shape[0] or columns > more.shape[1]:
        return None
    fall, overlap = _by_change(more, shown)
    if _is_patterned(table, shown):
        coin, cover = _drawn(_over(template), template, spot, sweep_mm)
        falls = ((fall, overlap), _by_cover(more, table, coin, cover))
        fall, overlap = max(falls, key=lambda one: float(one[0].max()))
    _, most, _, (x, y) = cv2.minMaxLoc(fall)
    own = 2 * float(overlap[y, x]) - most
    gain = float(overlap[y, x]) / max(own, 1e-6)
    at_border = x in (0, fall.shape[1] - 1) or y in (0, fall.shape[0] - 1)
    if most <= 0 or at_border or not LEAST_SHOWN < gain < MOST_SHOWN:
        return None
    seen = more[y : y + rows, x : x + columns]
    before = float((seen * seen).sum())
    left = 1.0 - most / max(before, 1e-6)
    shift = (
        rect.left + x + top_of(fall[y, :], x) + (columns - 1) / 2 - round(spot.at_px[0]),
        rect.top + y + top_of(fall[:, x], y) + (rows - 1) / 2 - round(spot.at_px[1]),
    )
    slope = float((cv2.Sobel(shown, cv2.CV_32F, 1, 0, scale=1 / 8) ** 2).sum())
    noise = CORRELATED_PX * before * left / shown.size
    spread_mm = math.sqrt(noise / max(slope, 1e-6)) * math.sqrt(abs(np.linalg.det(spot.mm_per_px)))
    sigma = math.hypot(PICTURE_SIGMA_MM, spread_mm, SWEEP_SIGMA * math.hypot(*sweep_mm))
    at_mm = place_of(view, spot, shift, sizes.coin_thickness_mm)
    return DiscFit(at_mm, sigma * (1 + left), 1.0 - left, gain, left, most)


def _is_patterned(table: Floats, shown: Floats) -> bool:
    """Return whether the table's levels differ so much that a coin on it differs from the table
    elsewhere by another amount.
    """
    return float(cv2.meanStdDev(table)[1][0, 0]) ** 2 > LEAST_OF_POWER * float((shown**2).mean())


def _by_change(more: Floats, shown: Floats) -> tuple[Floats, Floats]:
    """Return for every place how much less is left unexplained where the coin changes the
    background by `shown`, and the sum of the products of that change with what is seen.
    """
    overlap = _correlated(more, shown)
    return 2 * overlap - np.float32((shown * shown).sum()), overlap


def _by_cover(more: Floats, table: Floats, coin: Floats, cover: Floats) -> tuple[Floats, Floats]:
    """Return the same where the coin hides a share `cover` of each pixel of the table, and adds
    `coin`.
    """
    level = np.float32(table.mean())  # the sums of squares stay small, and so do rounding errors
    table, coin = table - level, coin - level * cover
    overlap = _correlated(more, coin) - _correlated(more * table, cover)
    own = np.float32((coin * coin).sum()) - 2 * _correlated(table, coin * cover)
    own += _correlated(table * table, cover * cover)
    return 2 * overlap - own, overlap


def _correlated(values: Floats, drawn: Floats) -> Floats:
    return np.asarray(cv2.matchTemplate(values, drawn, cv2.TM_CCORR), dtype=np.float32)


def _over(template: CoinTemplate) -> tuple[Floats, Floats]:
    """Return what a coin adds to a pixel of which it hides a share, and that share."""
    cover = template.cover
    return cover * template.coin + (1 - cover) * template.shown, cover


def _drawn(
    parts: tuple[Floats, ...], template: CoinTemplate, spot: ProjectedDisc, sweep_mm: Point
) -> tuple[Floats, ...]:
    """Draw parts of a coin's template around a spot, averaged over its way, each in a rectangle
    whose middle pixel shows the coin's centre.
    """
    reach = spot.reach_px(RADII * template.radius_mm + 0.5 * math.hypot(*sweep_mm))
    middle = (round(spot.at_px[0]), round(spot.at_px[1]))
    rect = rect_around(*middle, *reach)
    rect = Rect(
        2 * middle[0] - rect.right + 1, 2 * middle[1] - rect.bottom + 1, rect.right, rect.bottom
    )
    own = template.spot
    size = (rect.right - rect.left, rect.bottom - rect.top)
    to_own = own.px_per_mm @ spot.mm_per_px
    way = spot.px_per_mm @ np.array(sweep_mm)
    steps = max(1, math.ceil(float(np.hypot(*way)) / STEP_PX))
    totals = tuple(np.zeros((size[1], size[0]), dtype=np.float32) for _ in parts)
    middles = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]) + np.outer(
        (np.arange(steps) + 0.5) / steps - 0.5, way
    )
    homes = np.array(own.at_px) - (template.rect.left, template.rect.top) - middles @ to_own.T
    affine = np.column_stack((to_own, homes[0]))
    linear = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for home in homes:
        affine[:, 2] = home
        for part, total in zip(parts, totals, strict=True):
            cv2.accumulate(cv2.warpAffine(part, affine, size, flags=linear), total)
    return tuple(np.asarray(total / steps, dtype=np.float32) for total in totals)
