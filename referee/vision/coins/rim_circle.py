"""Finds a coin's rim: a circle of about a coin's size at which brightness falls along the rays from
a place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.coins.circle_fit import (
    CIRCLE,
    RAY,
    RAYS,
    RIM_SCATTER_MM,
    SETTLED_MM,
    WAYS,
    fit_circle,
)
from referee.vision.coins.local_contrast import FACE
from referee.vision.image.disc import ProjectedDisc
from referee.vision.image.picture import Floats, Rect

# Tuned on our own clips, except where a comment gives another source for a number.

STEP_MM: Final = 0.25
# In coin radii: how far from a coin's middle its rim is searched for.
OUTER_RADII: Final = 1.5
# The blur of the brightness along rays: in mm along each ray, and in rays across them.
SOFT: Final = 0.6
# How far from the expected radius the rim is searched for, in each round.
SEARCH_MM: Final = (3.0, 3.0, 2.0, 2.0)

Array = NDArray[np.float64]
_RIM_PRIOR: Final = np.array([1e-6, 1e-6, 3.0])


@dataclass(frozen=True, slots=True)
class RimCircle:
    """A circle through a rim. `profile` are the values along each ray (rays, n), at the distances
    `reach` (n,), mm, from `seen_from`, where the rays begin. `seen_from` is given in mm from the
    spot.

    For each ray (rays,): `rim` is the distance of the rim on it, mm; `miss` is how far that is off
    the circle, mm; `trust` is the ray's weight; `agree` is the same weight, but 0 for a ray that
    does not agree with the circle. `support` is the share of rays that agree, and `swell` is by how
    much the circle's radius is larger than a coin's, mm.
    """

    profile: Floats
    reach: Array
    rim: Array
    trust: Array
    miss: Array
    agree: Array
    support: float
    seen_from: Array
    swell: float


def find_circle(
    values: Floats, rect: Rect, spot: ProjectedDisc, radius_mm: float, least_usual: float
) -> RimCircle | None:
    """Find the circle around a spot at which the `values` of `rect`'s pixels (rows, columns) fall
    steeply on most rays; None if there is no such circle.

    Steep means steep compared with the median of the rays' steepest falls, which is taken to be at
    least `least_usual`.
    """
    reach = np.arange(FACE[0] * radius_mm, OUTER_RADII * radius_mm, STEP_MM)
    x_px, y_px = (
        way[:, None] * reach + at - first
        for way, at, first in zip(
            spot.px_per_mm @ WAYS.T, spot.at_px, (rect.left, rect.top), strict=True
        )
    )
    seen_from, centre, swell = np.zeros(2), np.zeros(2), 0.0
    for search_mm in SEARCH_MM:
        right, down = spot.px_per_mm @ centre
        x, y = (x_px + right).astype(np.float32), (y_px + down).astype(np.float32)
        profile = np.asarray(cv2.remap(values, x, y, cv2.INTER_LINEAR), dtype=np.float32)
        rim, trust = _rim_on_rays(profile, reach, radius_mm + swell, search_mm, least_usual)
        (*shift, wider), miss = fit_circle(
            rim - radius_mm, trust, CIRCLE, np.array([0.0, 0.0, swell]), np.zeros(3), _RIM_PRIOR
        )
        agree = trust * (np.abs(miss) < 2 * RIM_SCATTER_MM) * (trust > 0.25)
        support = float(np.count_nonzero(agree) / RAYS)
        settled = max(abs(shift[0]), abs(shift[1]), abs(wider - swell)) < SETTLED_MM
        seen_from, centre, swell = centre, centre + shift, wider
        if settled:
            break
    if np.hypot(*centre) > 1.2 * SEARCH_MM[0]:
        return None
    return RimCircle(profile, reach, rim, trust, miss, agree, support, seen_from, swell)


def softened(profile: Floats, border: int) -> Floats:
    """Return values along rays (rays, n), `STEP_MM` apart, blurred by `SOFT` both along the rays
    and across them. `border` is OpenCV's way of continuing the values beyond the ends.
    """
    blurred = cv2.GaussianBlur(
        profile, (0, 0), sigmaX=SOFT / STEP_MM, sigmaY=SOFT, borderType=border
    )
    return np.asarray(blurred, dtype=np.float32)


def _rim_on_rays(
    profile: Floats, reach: Array, radius_mm: float, search_mm: float, least_usual: float
) -> tuple[Array, Array]:
    """Return two arrays (rays,): the distance in mm of each ray's steepest fall, and how steep that
    fall is compared with the usual one (0 to 1.5). The usual steepness is at least `least_usual`.
    """
    smooth = softened(profile, cv2.BORDER_REPLICATE)
    first, *_, last = np.flatnonzero(np.abs(reach[1:-1] - radius_mm) <= search_mm).tolist()
    window = 0.5 * (smooth[:, first : last + 1] - smooth[:, first + 2 : last + 3]).astype(float)
    top = window.argmax(axis=1)
    steep = np.maximum(window[RAY, top], 0.0)
    peak = np.minimum(np.maximum(top, 1), last - first - 1)
    before, here, after = window[RAY, peak - 1], window[RAY, peak], window[RAY, peak + 1]
    bend = np.minimum(before - 2 * here + after, -1e-9)
    shift = 0.5 * (before - after) / bend
    steep *= np.abs(shift) <= 1
    usual = max(float(np.partition(steep, RAYS // 2)[RAYS // 2]), least_usual, 1e-6)
    shift = np.minimum(np.maximum(shift, -1.0), 1.0)
    return reach[first + 1 + peak] + shift * STEP_MM, np.minimum(steep / usual, 1.5)
