"""Finds discs whose size is not known in a picture of a plain table.

The coin network recognises only coins that are `COIN_CELLS` wide. So the picture is searched
several times, scaled for one disc size after another. An ellipse is fitted to the rim of each disc
found.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.discs.found_disc import (
    FEWEST_POINTS,
    FLATTEST,
    RIM_PX,
    Ellipse,
    FoundDisc,
    ellipse_through,
    softened,
)
from calibration.discs.rim_among_edges import NEAR, rim_among_edges
from calibration.discs.rim_rays import RAY_STEP_PX, RAY_WAYS, steps_outward
from referee.domain.geometry import Point
from referee.vision.coins.coin_network import COIN_CELLS, STRIDE, cell_log_odds, is_likeliest

SMALLEST_PX: Final = 12.0  # Chosen: smaller discs cannot be measured well enough
LARGEST_OF_HEIGHT: Final = 0.25  # Chosen: a share of the picture's height
# Chosen: the ratio of one size searched for to the previous one. Measured: the network recognises a
# disc that is up to a fifth larger or smaller than it expects.
NEXT_SIZE: Final = 1.2
# Measured: over 28 drawn pictures with 126 discs on plain tables, wood, cloth and chequered cloth
# (seeds 646, 649, 651 and 700 to 724 of free play), 114 discs are found with the right width. With
# 3.5, the limit for an earlier network that was not trained with print, 103 are found. Something
# else is taken for a disc only on the cloth of seed 723, where no disc is found. Discs without a
# mark have log odds from -0.9 to 24.
LEAST_LOG_ODDS: Final = -1.0
# Measured: with an earlier network over fifty such pictures with 221 discs, 214 are found with
# these limits of the support, two of them with a wrong width, and nothing else is taken for a disc.
LEAST_SUPPORT: Final = 0.66
# With at least these log odds, less of the rim must be seen, because it may be partly hidden or
# look like the table. Measured: over 27 of those 28 pictures, with a limit of 8, four checks of a
# cloth are taken for discs, with 14 none.
PLAIN_LOG_ODDS: Final = 14.0
# Measured: over the fifty pictures, things with more log odds that are not discs have a support of
# at most 0.56.
PLAIN_SUPPORT: Final = 0.57
# Chosen: a share of the larger disc's width. Discs with closer middles are the same disc
SAME_WIDTHS: Final = 0.6

# Chosen: the rounds of fitting an ellipse and leaving out the points that are off it
_RIM_ROUNDS: Final = 4
# Chosen: the rim is the outermost step on a ray with at least this share of the steepest
_OUTERMOST: Final = 0.6
# Chosen: a share of the width: how near the steepest step of a rim is to its outermost steep step.
_BLUR_WIDTH: Final = 0.08

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]


def find_discs(bgr: Bytes) -> list[FoundDisc]:
    """Find the discs in a picture, uint8 (h, w, 3), the widest first.

    A circle printed on a disc may look more like a disc than the disc itself. So of two discs at
    the same place, only the wider one is kept. A disc is found at several sizes; of rims that are
    about as wide, that of the middle width is kept.
    """
    found: list[FoundDisc] = []
    for log_odds, middle_px, width_px in _likely(bgr):
        disc = _with_rim(bgr, middle_px, width_px, log_odds) or rim_among_edges(
            bgr, middle_px, width_px, log_odds
        )
        if disc is not None:
            found.append(disc)
    kept: list[FoundDisc] = []
    widest_first = sorted(found, key=lambda disc: disc.width_px, reverse=True)
    for disc in widest_first:
        if any(_same_place(disc, other) for other in kept):
            continue
        alike = [
            other
            for other in widest_first
            if _same_place(other, disc) and disc.width_px[0] < NEXT_SIZE * other.width_px[0]
        ]
        kept.append(alike[len(alike) // 2])
    return _without_pattern(kept)


def _without_pattern(discs: Sequence[FoundDisc]) -> list[FoundDisc]:
    """Return the discs. If the rims of most of them are only partly seen, leave out those with such
    rims: the checks of a cloth may look like discs in many places.
    """
    sure = [disc for disc in discs if disc.support >= LEAST_SUPPORT]
    return list(discs) if len(discs) <= 2 * len(sure) + 1 else sure


def with_moved(found: Sequence[FoundDisc], moved: Sequence[FoundDisc]) -> list[FoundDisc]:
    """Join the discs of a picture that were `found` by their look with those that were found
    because they `moved`. Of two at the same place, keep the one whose rim is seen better.
    """
    kept: list[FoundDisc] = []
    for disc in sorted((*found, *moved), key=lambda disc: disc.support, reverse=True):
        if not any(_same_place(disc, o) or _same_place(o, disc) for o in kept):
            kept.append(disc)
    return kept


def _same_place(disc: FoundDisc, wider: FoundDisc) -> bool:
    """Return whether the middle of a disc lies inside a wider disc."""
    return math.dist(disc.middle_px, wider.middle_px) < SAME_WIDTHS * wider.width_px[0]


def _likely(bgr: Bytes) -> list[tuple[float, Point, float]]:
    """Return log odds, middle and rough width of everything that looks like a disc of some size."""
    seen = cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV).astype(np.float32)
    return [likely for width_px in _sizes(bgr.shape[0]) for likely in _peaks(seen, width_px)]


def _sizes(height_px: int) -> Iterator[float]:
    width_px = SMALLEST_PX
    while width_px < LARGEST_OF_HEIGHT * height_px:
        yield width_px
        width_px *= NEXT_SIZE


def _peaks(seen: Floats, width_px: float) -> Iterator[tuple[float, Point, float]]:
    """Yield log odds, middle and width of everything that looks like a disc about `width_px`
    wide.
    """
    scale = COIN_CELLS / width_px
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    odds = cell_log_odds(np.asarray(cv2.resize(seen, None, fx=scale, fy=scale, interpolation=way)))
    best = is_likeliest(odds, COIN_CELLS / STRIDE)
    for row, column in np.argwhere(best & (odds > LEAST_LOG_ODDS)).tolist():
        x, y = ((k * STRIDE + 0.5) / scale - 0.5 for k in (column, row))
        yield float(odds[row, column]), (x, y), width_px


def _with_rim(bgr: Bytes, middle_px: Point, width_px: float, log_odds: float) -> FoundDisc | None:
    """Fit an ellipse to the rim around a rough middle; None if the rim is not seen all round."""
    smooth = softened(bgr, width_px)
    middle, width = middle_px, width_px
    fitted: Ellipse | None = None
    support = 0.0
    for _ in range(_RIM_ROUNDS):
        rim = _rim_points(smooth, middle, width)
        radius = np.hypot(*(rim - middle).T)
        near = np.abs(radius - np.median(radius)) < 0.2 * float(np.median(radius))
        for _ in range(_RIM_ROUNDS):
            if int(near.sum()) < FEWEST_POINTS:
                return None
            fitted = ellipse_through(rim[near])
            near = _off(rim, fitted) < max(RIM_PX, NEAR[-1] * width)
        assert fitted is not None
        middle, width, support = fitted[0], sum(fitted[1]) / 2, float(near.mean())
        if not 0.5 * width_px < width < 2 * width_px:
            return None
    assert fitted is not None
    fitted = _steepest(smooth, fitted)
    shorter, longer = sorted(fitted[1])
    least = PLAIN_SUPPORT if log_odds > PLAIN_LOG_ODDS else LEAST_SUPPORT
    if support < least or shorter < FLATTEST * longer:
        return None
    return FoundDisc.of(*fitted, log_odds, support)


def _steepest(smooth: Floats, found: Ellipse) -> Ellipse:
    """Return the ellipse through the points near the ellipse `found` at which the picture changes
    most along each ray. The `found` ellipse lies too far out, because it was fitted to the
    outermost steep steps of a blurred picture.
    """
    middle, widths, _ = found
    radii, steps = steps_outward(smooth, middle, sum(widths) / 2)
    rims = np.asarray(middle) + RAY_WAYS[:, None] * radii[:, None]
    off = _off(rims.reshape(-1, 2), found).reshape(rims.shape[:2])
    near = np.where(off < max(RIM_PX, _BLUR_WIDTH * sum(widths) / 2), steps, 0.0)
    top = np.zeros(steps.shape, dtype=bool)
    top[:, 1:-1] = (near[:, 1:-1] >= near[:, :-2]) & (near[:, 1:-1] > near[:, 2:])
    top &= near >= _OUTERMOST * near.max(axis=1, keepdims=True)
    last = len(radii) - 1 - top[:, ::-1].argmax(axis=1)
    rays = np.flatnonzero(top.any(axis=1))
    return found if len(rays) < FEWEST_POINTS else ellipse_through(rims[rays, last[rays]])


def _rim_points(smooth: Floats, middle_px: Point, width_px: float) -> NDArray[np.float64]:
    """Return the point (rays, 2) on each ray from a middle at which its outermost steep step of
    brightness is.
    """
    radii, steps = steps_outward(smooth, middle_px, width_px)
    apart = round(1 / RAY_STEP_PX)
    steep = steps >= _OUTERMOST * steps.max(axis=1, keepdims=True)
    last = steep.shape[1] - 1 - steep[:, ::-1].argmax(axis=1)
    back = np.arange(apart)  # the way back from the outermost steep step to the steepest one
    inward = np.maximum(last[:, None] - back, 0)
    best = last - np.take_along_axis(steps, inward, axis=1).argmax(axis=1)
    radius = radii[np.maximum(best, 0)]
    return np.asarray(np.asarray(middle_px) + RAY_WAYS * radius[:, None], dtype=np.float64)


def _off(places: NDArray[np.float64], ellipse: Ellipse) -> NDArray[np.float64]:
    """Return how far places are from an ellipse, px, to first order."""
    middle, widths, turn_deg = ellipse
    turn = math.radians(turn_deg)
    away = places - middle
    along = away @ np.array([math.cos(turn), math.sin(turn)]) / (widths[0] / 2)
    across = away @ np.array([-math.sin(turn), math.cos(turn)]) / (widths[1] / 2)
    return np.asarray(np.abs(np.hypot(along, across) - 1) * sum(widths) / 4, dtype=np.float64)
