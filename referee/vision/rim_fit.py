"""The centre of a coin that lies still, to a fraction of a pixel, from its rim.

Brightness is read along rays from a first guess of the centre, on the plane of the coin's top face. On each ray the steepest
fall near the known radius is the rim; a circle is fitted to these points with a robust weight (Geman-McClure), so that a
shadow, a neighbour or a bit of grain on some rays does not pull it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import TableView
from referee.geometry import Point
from referee.pieces import PieceSizes
from referee.vision.disc import spot_at
from referee.vision.picture import Floats, Picture, Tint

RAYS = 64
STEP_MM = 0.25
SEARCH_MM = (3.0, 3.0, 2.0, 2.0)  # how far from the expected radius the rim is looked for, in each round
RIM_SCATTER_MM = 0.4  # beyond which a rim point counts as some other edge
FLOOR_SIGMA_MM = 0.30  # bevelled rims, side walls and shadows: what averaging over rays does not remove
LEAST_SUPPORT = 0.5  # of the rays must agree on the circle
SETTLED_MM = 0.02  # a round that changes less is the last
STEEP_OF_CONTRAST = 0.06  # a sharp rim falls by a tenth of the usual contrast a step: the grain of bare wood is not to be measured by itself

Array = NDArray[np.float64]
_RAY = np.arange(RAYS)
_RAYS = np.column_stack((np.cos(_RAY * (2 * np.pi / RAYS)), np.sin(_RAY * (2 * np.pi / RAYS))))
_DESIGN = np.column_stack((_RAYS, np.ones(RAYS)))
_HELD = np.diag([1e-6, 1e-6, 3.0])


@dataclass(frozen=True, slots=True)
class RimFit:
    """A measured centre, its standard uncertainty along each axis, and the share of the rim that supports it (0 to 1).

    `swell_mm` is by how much the rim seen is wider than the coin: below 0 where the rim is bevelled and dark, above where it glares.
    """

    at_mm: Point
    sigma_mm: float
    support: float
    swell_mm: float = 0.0


def fit_rim(picture: Picture, view: TableView, guess_mm: Point, sizes: PieceSizes, tint: Tint) -> RimFit | None:
    """The coin within about 3 mm of `guess_mm`, or None when there is no rim to be seen there."""
    radius = sizes.coin_mm / 2
    spot = spot_at(view, guess_mm, sizes.coin_thickness_mm)
    rect = spot.rect(radius * 1.5 + 4.0)
    if rect.within(picture.width, picture.height) != rect:
        return None
    values = picture.tinted(rect, tint)
    reach = np.arange(0.55 * radius, 1.5 * radius, STEP_MM)
    ways = (_RAYS[:, None, :] * reach[None, :, None]) @ spot.px_per_mm.T + (spot.at_px[0] - rect.left, spot.at_px[1] - rect.top)
    centre, swell = np.zeros(2), 0.0
    trust, miss = np.zeros(RAYS), np.zeros(RAYS)
    for search_mm in SEARCH_MM:
        px = (ways + spot.px_per_mm @ centre).astype(np.float32)
        profile = cv2.remap(values, px[..., 0], px[..., 1], cv2.INTER_LINEAR)
        rim, trust = _rim_on_rays(np.asarray(profile, dtype=np.float32), reach, radius + swell, search_mm, STEEP_OF_CONTRAST * tint.contrast)
        shift, wider, miss = _fit_circle(rim - radius, trust, swell)
        settled = max(float(np.abs(shift).max()), abs(wider - swell)) < SETTLED_MM
        centre, swell = centre + shift, wider
        if settled:
            break
    agree = trust * (np.abs(miss) < 2 * RIM_SCATTER_MM) * (trust > 0.25)
    support = float(np.count_nonzero(agree) / RAYS)
    if support < LEAST_SUPPORT or np.hypot(*centre) > 1.2 * SEARCH_MM[0]:
        return None
    scatter = float(np.sqrt((agree * miss * miss).sum() / agree.sum()))
    sigma = float(np.hypot(FLOOR_SIGMA_MM, scatter * np.sqrt(2 / (support * RAYS / 4))))  # rays four apart share their pixels
    return RimFit((guess_mm[0] + float(centre[0]), guess_mm[1] + float(centre[1])), sigma, support, swell)


def _rim_on_rays(profile: Floats, reach: Array, radius_mm: float, search_mm: float, least_usual: float) -> tuple[Array, Array]:
    """On each ray the distance of the steepest fall, mm, and how steep it is beside the usual one (0 to 1.5), or beside `least_usual` where that is more."""
    smooth = cv2.GaussianBlur(profile, (0, 0), sigmaX=0.6 / STEP_MM, sigmaY=0.6, borderType=cv2.BORDER_REPLICATE)
    near = np.flatnonzero(np.abs(reach[1:-1] - radius_mm) <= search_mm) + 1
    window = 0.5 * (smooth[:, near - 1] - smooth[:, near + 1]).astype(np.float64)
    peak = np.clip(window.argmax(axis=1), 1, len(near) - 2)
    before, top, after = window[_RAY, peak - 1], window[_RAY, peak], window[_RAY, peak + 1]
    bend = before - 2 * top + after
    shift = np.where(bend < -1e-9, 0.5 * (before - after) / np.where(bend < -1e-9, bend, 1.0), 0.0)
    steep = np.clip(window.max(axis=1), 0, None) * (np.abs(shift) <= 1)
    usual = max(float(np.median(steep)), least_usual, 1e-6)
    return reach[near[peak]] + np.clip(shift, -1, 1) * STEP_MM, np.clip(steep / usual, 0, 1.5)


def _fit_circle(excess_mm: Array, trust: Array, swell_mm: float) -> tuple[Array, float, Array]:
    """The shift of the centre (2,) and the swell of the radius that explain the rim, and what each ray misses by, mm.

    A swell is allowed because worn and bevelled rims look smaller; it is held near 0 by the weight of a few rays.
    """
    unknown = np.array([0.0, 0.0, swell_mm])
    miss = excess_mm - swell_mm
    for _ in range(6):
        weighted = _DESIGN.T * (trust / (1 + (miss / RIM_SCATTER_MM) ** 2))
        _, solved = cv2.solve(weighted @ _DESIGN + _HELD, weighted @ excess_mm[:, None], flags=cv2.DECOMP_CHOLESKY)
        unknown = solved[:, 0]
        miss = excess_mm - _DESIGN @ unknown
    return unknown[:2], float(unknown[2]), miss
