"""Maps how much each place looks like the table, by the colours around the tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView, in_front
from referee.domain.geometry import Point

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

STEP_MM: Final = 5.0  # from one place at which the picture is examined to the next
BEYOND_MM: Final = 700.0  # how far beyond the tiles the table's edge is searched for
# the weight of the colours outside the tiles; it is small because most of them are still the
# table's
_DOUBT: Final = 0.15
_BINS: Final = 24  # along each of the three axes of colour
# Chosen: how often the floor's colours are estimated: first from everything around the tiles, then
# from what does not look like the table. Measured: on 117 tables with the true view, 403 sides are
# found with one estimate, 415 with two and 416 with four.
_ESTIMATES: Final = 2
# Chosen: the axes along which frequencies of colours are smoothed, one after the other: four times
# along the lightness. Measured: with one smoothing along the lightness, a board lighter than all
# others counted as the floor, and the edge was 87 mm off. On 22 other traced tables, one smoothing
# found three sides fewer, and none more exactly.
_SMOOTHED_AXES: Final = (0, 0, 0, 0, 1, 2)


@dataclass(frozen=True)
class SimilarityMap:
    """A grid of the table as seen from above; rows follow y. `similarity` says how much each place
    looks like the table, `visible` whether it is in the picture, and `begin_mm` is the place of
    cell (0, 0). `hull` (n, 2) are the corners of an outline around the tiles, mm.
    """

    similarity: NDArray[np.float32]
    visible: NDArray[np.float32]
    begin_mm: Point
    hull: Array


def similarity_map(picture: Picture, view: TableView, hull: Array) -> SimilarityMap:
    """Compare the colours of the table and its surroundings with those within `hull` (n, 2) mm, the
    corners of an outline around the tiles. `picture` is (h, w, 3) BGR.
    """
    low, high = hull.min(axis=0) - BEYOND_MM, hull.max(axis=0) + BEYOND_MM
    x, y = np.meshgrid(np.arange(low[0], high[0], STEP_MM), np.arange(low[1], high[1], STEP_MM))
    points = np.column_stack((x.ravel(), y.ravel()))
    pixels = in_front(view, points).astype(np.float32).reshape(*x.shape, 2)
    soft = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 2.0), cv2.COLOR_BGR2LAB)
    seen = cv2.remap(soft, pixels[:, :, 0], pixels[:, :, 1], cv2.INTER_LINEAR)
    visible = (
        (pixels > 2).all(axis=2)
        & (pixels[:, :, 0] < picture.shape[1] - 3)
        & (pixels[:, :, 1] < picture.shape[0] - 3)
    )
    grid = np.column_stack(((hull - low) / STEP_MM,)).astype(np.float32)
    inside = np.zeros(x.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, cv2.convexHull(np.rint(grid).astype(np.int32)), 1)
    light, a, b = np.moveaxis(seen.astype(int) * _BINS // 256, -1, 0)
    bins = (light * _BINS + a) * _BINS + b
    mine = _histogram(bins[(inside > 0) & visible]).ravel()[bins]
    around = (inside == 0) & visible
    similarity = np.zeros(x.shape)
    for _ in range(_ESTIMATES):
        other = _histogram(bins[around], 1.0 - similarity[around]).ravel()[bins]
        similarity = mine / (mine + _DOUBT * other + 1e-6)
    return SimilarityMap(
        similarity.astype(np.float32),
        visible.astype(np.float32),
        (float(low[0]), float(low[1])),
        hull,
    )


def _histogram(bins: NDArray[np.intp], weight: Array | None = None) -> Array:
    """Return the smoothed frequencies of colours (L, a, b in coarse bins); their sum is 1. `bins`
    (n,) are the flat indices of the colours' bins, and `weight` (n,) says how much each counts. The
    frequencies are smoothed most along the lightness, because the board beside the tiles may be a
    little lighter than those around them.
    """
    if len(bins) == 0:
        return np.zeros((_BINS,) * 3)
    counts = np.bincount(bins, weight, minlength=_BINS**3).reshape((_BINS,) * 3).astype(np.float64)
    for axis in _SMOOTHED_AXES:
        counts = 0.5 * counts + (np.roll(counts, 1, axis) + np.roll(counts, -1, axis)) / 4
    return np.asarray(counts / counts.sum(), dtype=np.float64)
