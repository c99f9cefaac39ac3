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
TEXTURE_MM: Final = 61.0  # the usual slope is that of a square so wide, three coins across
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
    usual = [_usual(right, up, mm_per_cell) for right, up in slopes]
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


def _usual(right: Floats, up: Floats, mm_per_cell: float) -> tuple[Floats, Floats, Floats]:
    """Return the mean products of the slopes around every place: xx, xy, yy."""
    side = 2 * round(TEXTURE_MM / mm_per_cell / 2) + 1
    xx, xy, yy = (
        np.asarray(cv2.blur(a * b, (side, side)), dtype=np.float32)
        for a, b in ((right, right), (right, up), (up, up))
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
    for (right, up), (xx, xy, yy), least in zip(slopes, usual, LEAST_SLOPES, strict=False):
        cv2.addWeighted(right, c, up, s, 0.0, dst=across)
        cv2.addWeighted(xx, c * c, yy, s * s, least * least, dst=by)
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
