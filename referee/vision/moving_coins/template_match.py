"""Finds a moving coin by its own picture: the place at which the background with the coin's picture
over it, blurred along its way for the exposure, explains the pixels best.

The hypothesis "the coin is here" is compared with "there is only the background". Twice the noise
variance times the log likelihood ratio is the fall of the sum of squared residuals, which one
correlation gives for every place. Side wall and shadow belong to the picture, so a coin of the
table's own colour is found by them. A coin that was flicked may
spin, and how fast it slid is seldom known: an evenly smeared print and shorter ways are tried, too.
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
SHARES_OF_SWEEP: Final = (0.4, 0.7, 1.0)  # Chosen: the lengths of a sweep that are tried
# Measured: over 33 sightings on three rendered tables with the true survey. The place at which the
# coin lay when its picture was taken is off by as much, and the print and the light turn.
PICTURE_SIGMA_MM: Final = 1.2
# So many neighbouring pixels share their residual: print and texture. Tuned on our own clips.
CORRELATED_PX: Final = 4.0


def or_by_its_picture(
    fit: DiscFit | None,
    bare: Floats,
    more: Floats,
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
    own = best_match(more, rect, view, spot, sizes, template, sweep_mm)
    return own if own is not None and (fit is None or own.fall > fit.fall) else fit


def best_match(
    more: Floats,
    rect: Rect,
    view: TableView,
    spot: ProjectedDisc,
    sizes: PieceSizes,
    template: CoinTemplate,
    sweep_mm: Point,
) -> DiscFit | None:
    """Return the match that explains most, over ways of the coin's print to lie and over shorter
    sweeps: how fast a coin was flicked is seldom known. The parameters are those of
    `match_template`.
    """
    shares = SHARES_OF_SWEEP if sweep_mm != (0.0, 0.0) else (1.0,)
    found = (
        match_template(more, rect, view, spot, sizes, turned, scale(sweep_mm, share))
        for turned in (template, template.evened)
        for share in shares
    )
    return max((fit for fit in found if fit is not None), key=lambda fit: fit.fall, default=None)


def match_template(
    more: Floats,
    rect: Rect,
    view: TableView,
    spot: ProjectedDisc,
    sizes: PieceSizes,
    template: CoinTemplate,
    sweep_mm: Point,
) -> DiscFit | None:
    """Find the place in `rect` at which a coin's own picture explains best how the pixels differ
    from the background (`more`, in the template's channel mix). None where it explains nothing.

    The picture is drawn as seen near `spot`. The fit's contrast is a share of the usual one.
    """
    drawn = _drawn(template, spot, sweep_mm)
    rows, columns = drawn.shape
    if rows > more.shape[0] or columns > more.shape[1]:
        return None
    own = float((drawn * drawn).sum())
    overlap = cv2.matchTemplate(more, drawn, cv2.TM_CCORR)
    fall = 2 * overlap - own
    _, most, _, (x, y) = cv2.minMaxLoc(fall)
    gain = float(overlap[y, x]) / max(own, 1e-6)
    if most <= 0 or not LEAST_SHOWN < gain < MOST_SHOWN:
        return None
    seen = more[y : y + rows, x : x + columns]
    before = float((seen * seen).sum())
    left = 1.0 - most / max(before, 1e-6)
    shift = (
        rect.left + x + top_of(fall[y, :], x) + (columns - 1) / 2 - round(spot.at_px[0]),
        rect.top + y + top_of(fall[:, x], y) + (rows - 1) / 2 - round(spot.at_px[1]),
    )
    slope = float((cv2.Sobel(drawn, cv2.CV_32F, 1, 0, scale=1 / 8) ** 2).sum())
    noise = CORRELATED_PX * before * left / drawn.size
    spread_mm = math.sqrt(noise / max(slope, 1e-6)) * math.sqrt(abs(np.linalg.det(spot.mm_per_px)))
    sigma = math.hypot(PICTURE_SIGMA_MM, spread_mm, SWEEP_SIGMA * math.hypot(*sweep_mm))
    at_mm = place_of(view, spot, shift, sizes.coin_thickness_mm)
    return DiscFit(at_mm, sigma * (1 + left), 1.0 - left, gain, left, most)


def _drawn(template: CoinTemplate, spot: ProjectedDisc, sweep_mm: Point) -> Floats:
    """Draw how a coin changes the background around a spot, in a rectangle whose middle pixel shows
    the coin's centre.
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
    total = np.zeros((size[1], size[0]), dtype=np.float32)
    middles = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]) + np.outer(
        (np.arange(steps) + 0.5) / steps - 0.5, way
    )
    homes = np.array(own.at_px) - (template.rect.left, template.rect.top) - middles @ to_own.T
    affine = np.column_stack((to_own, homes[0]))
    linear = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for home in homes:
        affine[:, 2] = home
        cv2.accumulate(cv2.warpAffine(template.shown, affine, size, flags=linear), total)
    total /= steps
    return total
