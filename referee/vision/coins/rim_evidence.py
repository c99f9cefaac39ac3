"""Tells at every place of a table how much the picture speaks for a coin's rim there.

A rim is a circle of known radius along which the picture changes across the circle, in any channel
and of either sign: a coin may be lighter than the table on one side and darker on the other. Each
direction around a place votes with the log likelihood ratio of "an edge of any height" against
"what the table around shows anyway". Wood grain makes steep slopes in one direction all over the
table, so a slope counts by how it compares with the usual slope in its own direction nearby.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from referee.vision.image.picture import Floats

DIRECTIONS: Final = 32  # Chosen: neighbours on the rim of a coin are then 2 mm apart
# Tuned on pictures of eight tables, with coins repainted pale, dark, black, blue and in the grain
# of the table itself.
EDGE_BLUR_MM: Final = 1.0  # slopes are measured at this scale
RIM_BLUR_MM: Final = 0.8  # an edge may lie about this far from the rim: bevels and side walls
TEXTURE_MM: Final = 41.0  # the usual slope is that of a square so wide, two coins across
# Of the usual slope's weights. Tuned on six rendered tables: with 2 to 6, coins rank about alike
# among all places, and more rounds raise coins and cloth together.
SPREAD_ROUNDS: Final = 3
COARSE: Final = 2  # Chosen: the usual slope changes so slowly that every second cell tells it
# Grey levels for each mm in luminance and the two colour differences: sensors and compression alone
# cause as much.
LEAST_SLOPES: Final = (1.0, 0.7, 0.7)
# Slopes of a bare table follow Student's t distribution with two degrees of freedom: its logarithm
# falls by (nu + 1) / 2 times log(1 + slope^2 / nu). An edge may have any slope up to about 20 times
# the usual one.
TAIL: Final = 1.5
EDGE_PRIOR: Final = 1.5
MOST_FOR_ONE: Final = 3.0  # one direction, however steep, never says more than this


def rim_evidence(flat: Floats, radius_mm: float, mm_per_cell: float) -> Floats:
    """Return the log likelihood ratio of a rim around every place (rows, columns), natural
    logarithm.

    `flat` are the channels (rows, columns, 1 or 3) on the plane of the coins' faces.
    """
    slopes = [_slopes(flat[..., k], mm_per_cell) for k in range(flat.shape[2])]
    usual = [
        _usual(right, up, least, mm_per_cell)
        for (right, up), least in zip(slopes, LEAST_SLOPES, strict=False)
    ]
    total = np.full(flat.shape[:2], -EDGE_PRIOR * DIRECTIONS, dtype=np.float32)
    # Large arrays that are made anew in each direction take two thirds of the time.
    room = tuple(np.empty_like(total) for _ in range(3))
    for k in range(DIRECTIONS // 2):
        turn = 2 * math.pi * k / DIRECTIONS
        edge = _edge_evidence(slopes, usual, turn, mm_per_cell, room)
        x, y = (round(v(turn) * radius_mm / mm_per_cell) for v in (math.cos, math.sin))
        for right, up in ((x, y), (-x, -y)):
            _add_moved(total, edge, right, up)
    return total


def _slopes(channel: Floats, mm_per_cell: float) -> tuple[Floats, Floats]:
    """Return the slopes to the right and up, grey levels for each mm."""
    smooth = cv2.GaussianBlur(channel, (0, 0), EDGE_BLUR_MM / mm_per_cell)
    right, up = (
        cv2.Scharr(smooth, cv2.CV_32F, x, y, scale=1 / (32 * mm_per_cell))
        for x, y in ((1, 0), (0, 1))
    )
    return np.asarray(right, dtype=np.float32), np.asarray(up, dtype=np.float32)


def _usual(
    right: Floats, up: Floats, least: float, mm_per_cell: float
) -> tuple[Floats, Floats, Floats]:
    """Return the usual products of the slopes around every place: xx, xy, yy, with the squares of
    the least slope.

    They are the scale of a bivariate Student's t distribution with two degrees of freedom, by
    iteratively reweighted means (Kent, Tyler and Vardi, 1994). In plain means, the few steep slopes
    of a stripe or of a coin beside would hide a faint coin.
    """
    across, along = (np.ascontiguousarray(slope[::COARSE, ::COARSE]) for slope in (right, up))
    side = 2 * round(TEXTURE_MM / mm_per_cell / COARSE / 2) + 1
    products = (across * across, across * along, along * along)
    weights = np.ones_like(across)
    for _ in range(1 + SPREAD_ROUNDS):
        means = [cv2.blur(weights * product, (side, side)) for product in products]
        xx, xy, yy = (np.asarray(mean, dtype=np.float32) for mean in means)
        xx, yy = xx + np.float32(least**2), yy + np.float32(least**2)
        unlike = (yy * products[0] - 2 * xy * products[1] + xx * products[2]) / (xx * yy - xy * xy)
        weights = np.asarray(4.0 / (2.0 + unlike), dtype=np.float32)
    xx, xy, yy = (
        np.asarray(cv2.resize(part, right.shape[::-1]), dtype=np.float32) for part in (xx, xy, yy)
    )
    return xx, xy, yy


def _edge_evidence(
    slopes: list[tuple[Floats, Floats]],
    usual: list[tuple[Floats, Floats, Floats]],
    turn: float,
    mm_per_cell: float,
    room: tuple[Floats, ...],
) -> Floats:
    """Return the log likelihood ratio, without its constant, of an edge across a direction. It is
    computed in the three arrays of `room`, and returned in one of them.
    """
    c, s = math.cos(turn), math.sin(turn)
    ratio, across, by = room
    ratio[...] = 0.0
    # OpenCV's functions weigh and add in one pass.
    for (right, up), (xx, xy, yy) in zip(slopes, usual, strict=True):
        cv2.addWeighted(right, c, up, s, 0.0, dst=across)
        cv2.addWeighted(xx, c * c, yy, s * s, 0.0, dst=by)
        cv2.scaleAdd(xy, 2 * c * s, by, dst=by)
        cv2.divide(cv2.multiply(across, across, dst=across), by, dst=across)
        cv2.add(ratio, across, dst=ratio)
    cv2.GaussianBlur(ratio, (0, 0), RIM_BLUR_MM / mm_per_cell, dst=across)
    cv2.log(cv2.addWeighted(across, 0.5, across, 0.0, 1.0, dst=across), dst=across)
    across *= np.float32(TAIL)
    return np.minimum(across, np.float32(MOST_FOR_ONE + EDGE_PRIOR), out=across)


def _add_moved(total: Floats, edge: Floats, right: int, up: int) -> None:
    """Add to every place what `edge` says `right` columns and `up` rows farther. Beyond the border
    nothing is known.
    """
    rows, columns = total.shape
    low, high = max(0, -up), min(rows, rows - up)
    left, end = max(0, -right), min(columns, columns - right)
    if low < high and left < end:
        total[low:high, left:end] += edge[low + up : high + up, left + right : end + right]
