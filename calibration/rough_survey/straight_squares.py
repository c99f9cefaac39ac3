"""Finds squares by their straight sides, whatever colours and patterns are beside them.

A tile as pale as its cloth has no outline of one colour if printed flowers of the cloth reach below
it. But the tile's rim and the lines of its print are straight and meet at corners, unlike nearly
all lines of a cloth's print. Three sides that meet at two corners are enough: a shadow often hides
the fourth.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from calibration.tiles.quadrilaterals import LARGEST_SHARE, MOST_STRETCHED, SMALLEST_PX, softened

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

#: How far from a corner a side may begin: this share of the side, plus `_CORNER_PX`. Measured: on a
#: flowered cloth whose ground has the tiles' colour, half a side finds 18 tiles and a quarter of a
#: side 8; the program finds the others by their look.
_CORNER_SHARE: Final = 0.5
_CORNER_PX: Final = 3.0  # Chosen: a blurred corner is round, so its sides end before it
_CROSSING: Final = 0.5  # Chosen: the least sine of the angle between two sides that meet
_PARALLEL: Final = 0.94  # Chosen: the least cosine of the angle between two opposite sides
# Chosen: the least length of the shorter of two opposite sides, as a share of the longer. A side
# with a gap in it is found as a shorter one.
_AS_LONG: Final = 0.7
# Chosen: the number of lines of a channel that are looked at, the longest first. Measured: a
# channel of a flowered cloth has a thousand.
_MOST: Final = 3000


def straight_squares(picture: Picture) -> Array:
    """Return the quadrilaterals (n, 4, 2) px, clockwise, that have straight lines of a picture (h,
    w, 3) BGR for at least three sides. Several may be at one place: a tile's rim, its frame, its
    quarters.
    """
    lab = np.asarray(cv2.cvtColor(softened(picture), cv2.COLOR_BGR2LAB), dtype=np.uint8)
    height, width = picture.shape[:2]
    squares = np.concatenate([_squares(_lines(lab[:, :, k]), height) for k in range(lab.shape[2])])
    return _clockwise(squares[_plausible(squares, height, width)])


def _plausible(squares: Array, height_px: int, width_px: int) -> NDArray[np.bool_]:
    """Return which of some quadrilaterals (n, 4, 2) may be a tile, by their sizes and shapes."""
    sides = np.hypot(*np.moveaxis(np.roll(squares, -1, axis=1) - squares, -1, 0))
    least, most = sides.min(axis=1, initial=np.inf), sides.max(axis=1, initial=0.0)
    inside = (squares > 1).all(axis=(1, 2))
    inside &= (squares < np.array([width_px - 2, height_px - 2])).all(axis=(1, 2))
    sized = (least > SMALLEST_PX) & (most < LARGEST_SHARE * height_px)
    return np.asarray(inside & sized & (most < MOST_STRETCHED * least))


def _clockwise(squares: Array) -> Array:
    """Return the quadrilaterals (n, 4, 2) with their corners clockwise in the picture."""
    following = np.roll(squares, -1, axis=1)
    area = (squares[..., 0] * following[..., 1] - following[..., 0] * squares[..., 1]).sum(axis=1)
    return np.where((area > 0)[:, None, None], squares, squares[:, ::-1])


def _lines(channel: Picture) -> Array:
    """Return the ends (n, 2, 2) px of a channel's straight lines that are long enough to be sides,
    the longest first.
    """
    detected = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(
        np.ascontiguousarray(channel)
    )[0]
    lines = np.asarray(detected if detected is not None else [], np.float64).reshape(-1, 2, 2)
    lengths = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
    longest = np.argsort(-lengths, kind="stable")[:_MOST]
    return np.asarray(lines[longest[lengths[longest] > SMALLEST_PX]], dtype=np.float64)


def _squares(lines: Array, height_px: int) -> Array:
    """Return the quadrilaterals (m, 4, 2) px with three of the lines (n, 2, 2) for sides."""
    if len(lines) < 3:
        return np.zeros((0, 4, 2))
    ends = lines.reshape(-1, 2)
    begins, others, corners = _corners(lines, _CORNER_SHARE * LARGEST_SHARE * height_px)
    # Combine each corner at the first end of a line with each corner at its second end.
    count = np.searchsorted(begins, np.arange(len(ends) + 1))
    at_first = np.flatnonzero(begins % 2 == 0)
    seconds = begins[at_first] + 1
    many = count[seconds + 1] - count[seconds]
    one = np.repeat(at_first, many)
    offset = np.arange(len(one)) - np.repeat(np.cumsum(many) - many, many)
    other = count[begins[one] + 1] + offset
    # The two arms reach from the corners to the far ends of their lines.
    arm, arm_too = ends[others[one] ^ 1] - corners[one], ends[others[other] ^ 1] - corners[other]
    long, long_too = np.hypot(*arm.T), np.hypot(*arm_too.T)
    closed = np.hypot(*(corners[other] - corners[one]).T)
    kept = (arm * arm_too).sum(axis=1) > _PARALLEL * long * long_too
    kept &= np.minimum(long, long_too) > _AS_LONG * np.maximum(long, long_too)
    kept &= (closed > 0) & (long > 0) & (long_too > 0)
    one, other, arm, arm_too = one[kept], other[kept], arm[kept], arm_too[kept]
    mean = ((long + long_too) / 2)[kept, None]
    far = corners[one] + arm / long[kept, None] * mean
    far_too = corners[other] + arm_too / long_too[kept, None] * mean
    return np.stack((corners[one], corners[other], far_too, far), axis=1)


def _corners(lines: Array, reach_px: float) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Return the corners at which two lines (n, 2, 2) meet, ordered by the first line's end: the
    number of that end, the number of the other line's end, and the place (m, 2) px. Line k has the
    ends 2 k and 2 k + 1.
    """
    ends = lines.reshape(-1, 2)
    lengths = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
    along = (lines[:, 1] - lines[:, 0]) / lengths[:, None]
    near = cKDTree(ends).query_pairs(2 * (reach_px + _CORNER_PX), output_type="ndarray")
    one, other = np.concatenate((near, near[:, ::-1])).T
    a, b = along[one // 2], along[other // 2]
    sine = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    crossing = (np.abs(sine) > _CROSSING) & (one // 2 != other // 2)
    one, other, a, b, sine = (
        one[crossing],
        other[crossing],
        a[crossing],
        b[crossing],
        sine[crossing],
    )
    apart = ends[other] - ends[one]
    steps = (apart[:, 0] * b[:, 1] - apart[:, 1] * b[:, 0]) / sine
    places = ends[one] + steps[:, None] * a
    kept = np.ones(len(one), dtype=np.bool_)
    for end in (one, other):
        off, arm = np.hypot(*(places - ends[end]).T), np.hypot(*(places - ends[end ^ 1]).T)
        kept &= off < _CORNER_SHARE * arm + _CORNER_PX
    order = np.argsort(one[kept], kind="stable")
    return one[kept][order], other[kept][order], places[kept][order]
