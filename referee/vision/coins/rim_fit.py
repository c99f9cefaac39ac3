"""Measures the centre of a coin at rest to a fraction of a pixel, from its rim.

Brightness is read along rays from a first estimate of the centre, on the plane of the coin's top
face. On each ray, the rim is where brightness falls most steeply near the known radius. A circle is
fitted to these points with robust weights (Geman-McClure), so that a shadow, a neighbour or wood
grain on some rays does not shift it.

That circle encloses the coin as it is seen, face and side wall. Towards the camera the wall shows
below the face. The steepest fall may be at the foot of the wall, or anywhere between where the two
blur together. The last fit finds how far down it is, together with the face's own place. Without
this, every coin would be measured 0.4 to 0.8 mm too close to the camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.vision.image.disc import spot_at
from referee.vision.image.picture import ChannelMix, Floats, Picture

# Tuned on our own clips, except where a comment gives another source for a number.

RAYS: Final = 64
STEP_MM: Final = 0.25
# How far from the expected radius the rim is searched for, in each round.
SEARCH_MM: Final = (3.0, 3.0, 2.0, 2.0)
RIM_SCATTER_MM: Final = 0.4  # a rim point farther away than this counts as another edge
# Bevelled rims, side walls and shadows leave this error, even after averaging over the rays.
FLOOR_SIGMA_MM: Final = 0.30
LEAST_SUPPORT: Final = 0.5  # of the rays must agree on the circle
SETTLED_MM: Final = 0.02  # a round that changes less is the last
# A sharp rim falls by a tenth of the usual contrast in one step. Below this share, the grain of
# bare wood would be measured as a rim.
STEEP_OF_CONTRAST: Final = 0.06

Array = NDArray[np.float64]
_RAY: Final = np.arange(RAYS)
_RAYS: Final = np.column_stack(
    (np.cos(_RAY * (2 * np.pi / RAYS)), np.sin(_RAY * (2 * np.pi / RAYS)))
)
_DESIGN: Final = np.column_stack((_RAYS, np.ones(RAYS)))
_RIM_PRIOR: Final = np.array([1e-6, 1e-6, 3.0])
# In wall heights, below the face: where the steepest fall usually is. Measured: over coins of known
# place, of two renderers.
_USUAL_DOWN: Final = 0.6
_DOWN_SIGMA: Final = 0.25
_BEVEL_HELD: Final = 1.0  # the bevel is held near 0 with the weight of so many rays
_TOGETHER: Final = 4.0  # rays so close to each other share their pixels


@dataclass(frozen=True, slots=True)
class RimFit:
    """A measured centre, its standard uncertainty along each axis, and the share of the rim that
    supports it (0 to 1).

    `swell_mm` is how much wider the visible rim is than the coin: below 0 where the rim is bevelled
    and dark, above 0 where it reflects light. `bevel_mm` is the same for the face alone, without
    the wall.
    """

    at_mm: Point
    sigma_mm: float
    support: float
    swell_mm: float = 0.0
    bevel_mm: float = 0.0


def fit_rim(
    picture: Picture, view: TableView, guess_mm: Point, sizes: PieceSizes, channel_mix: ChannelMix
) -> RimFit | None:
    """Find the coin within about 3 mm of `guess_mm`; None when no rim is visible there."""
    radius = sizes.coin_mm / 2
    spot = spot_at(view, guess_mm, sizes.coin_thickness_mm)
    rect = spot.rect(radius * 1.5 + 4.0)
    if rect.within(picture.width, picture.height) != rect:
        return None
    values = picture.mixed(rect, channel_mix)
    reach = np.arange(0.55 * radius, 1.5 * radius, STEP_MM)
    ways = (_RAYS[:, None, :] * reach[None, :, None]) @ spot.px_per_mm.T + (
        spot.at_px[0] - rect.left,
        spot.at_px[1] - rect.top,
    )
    seen_from, centre, swell = np.zeros(2), np.zeros(2), 0.0
    rim, trust, miss = np.zeros(RAYS), np.zeros(RAYS), np.zeros(RAYS)
    for search_mm in SEARCH_MM:
        px = (ways + spot.px_per_mm @ centre).astype(np.float32)
        profile = cv2.remap(values, px[..., 0], px[..., 1], cv2.INTER_LINEAR)
        rim, trust = _rim_on_rays(
            np.asarray(profile, dtype=np.float32),
            reach,
            radius + swell,
            search_mm,
            STEEP_OF_CONTRAST * channel_mix.contrast,
        )
        (*shift, wider), miss = _fit_circle(
            rim - radius, trust, _DESIGN, np.array([0.0, 0.0, swell]), np.zeros(3), _RIM_PRIOR
        )
        settled = max(abs(shift[0]), abs(shift[1]), abs(wider - swell)) < SETTLED_MM
        seen_from, centre, swell = centre, centre + shift, wider
        if settled:
            break
    agree = trust * (np.abs(miss) < 2 * RIM_SCATTER_MM) * (trust > 0.25)
    support = float(np.count_nonzero(agree) / RAYS)
    if support < LEAST_SUPPORT or np.hypot(*centre) > 1.2 * SEARCH_MM[0]:
        return None
    scatter = float(np.sqrt((agree * miss * miss).sum() / agree.sum()))
    design = np.column_stack((_DESIGN, _wall_on_rays(view, guess_mm, sizes)))
    usual = np.array([0.0, 0.0, 0.0, _USUAL_DOWN])
    held = np.array([1e-6, 1e-6, _BEVEL_HELD, _TOGETHER * (scatter / _DOWN_SIGMA) ** 2])
    (*shift, bevel, _), _ = _fit_circle(rim - radius, trust, design, usual, usual, held)
    centre = seen_from + shift
    sigma = float(np.hypot(FLOOR_SIGMA_MM, scatter * np.sqrt(2 * _TOGETHER / (support * RAYS))))
    return RimFit(
        (guess_mm[0] + float(centre[0]), guess_mm[1] + float(centre[1])),
        sigma,
        support,
        swell,
        bevel,
    )


def _rim_on_rays(
    profile: Floats, reach: Array, radius_mm: float, search_mm: float, least_usual: float
) -> tuple[Array, Array]:
    """Return for each ray the distance of the steepest fall, mm, and how steep it is compared with
    the usual one (0 to 1.5). The usual one is at least `least_usual`.
    """
    smooth = cv2.GaussianBlur(
        profile, (0, 0), sigmaX=0.6 / STEP_MM, sigmaY=0.6, borderType=cv2.BORDER_REPLICATE
    )
    near = np.flatnonzero(np.abs(reach[1:-1] - radius_mm) <= search_mm) + 1
    window = 0.5 * (smooth[:, near - 1] - smooth[:, near + 1]).astype(np.float64)
    peak = np.clip(window.argmax(axis=1), 1, len(near) - 2)
    before, top, after = window[_RAY, peak - 1], window[_RAY, peak], window[_RAY, peak + 1]
    bend = before - 2 * top + after
    shift = np.where(bend < -1e-9, 0.5 * (before - after) / np.where(bend < -1e-9, bend, 1.0), 0.0)
    steep = np.clip(window.max(axis=1), 0, None) * (np.abs(shift) <= 1)
    usual = max(float(np.median(steep)), least_usual, 1e-6)
    return reach[near[peak]] + np.clip(shift, -1, 1) * STEP_MM, np.clip(steep / usual, 0, 1.5)


def _wall_on_rays(view: TableView, at_mm: Point, sizes: PieceSizes) -> Array:
    """Return for each ray how far beyond the top face's rim the side wall is seen, mm on the plane
    of that face; 0 where the wall faces away from the camera.

    The camera sees the coin's foot closer to itself, like every point of the table, in proportion
    to the coin's thickness over the camera's height.
    """
    camera_mm, radius = view.position_mm, sizes.coin_mm / 2
    nearer = sizes.coin_thickness_mm / float(camera_mm[2])
    x, y = (float(camera_mm[0]) - at_mm[0]) * nearer, (float(camera_mm[1]) - at_mm[1]) * nearer
    aside = _RAYS[:, 0] * y - _RAYS[:, 1] * x
    foot = (
        _RAYS[:, 0] * x
        + _RAYS[:, 1] * y
        + np.sqrt(np.maximum((radius * (1 - nearer)) ** 2 - aside**2, 0.0))
    )
    return np.asarray(np.maximum(foot - radius, 0.0), dtype=np.float64)


def _fit_circle(
    excess_mm: Array, trust: Array, design: Array, begin: Array, usual: Array, held: Array
) -> tuple[list[float], Array]:
    """Fit the unknowns of a design (rays, n) to the rim: the shift of the centre, the swell of the
    radius, and the share of the wall if the design has one. Also return each ray's residual.

    The swell is needed because worn and bevelled rims look smaller. `held` says with the weight of
    how many rays each unknown is held near its `usual` value.
    """
    unknown, hold = begin, np.diag(held)
    miss = excess_mm - design @ unknown
    for _ in range(6):
        weighted = design.T * (trust / (1 + (miss / RIM_SCATTER_MM) ** 2))
        _, solved = cv2.solve(
            weighted @ design + hold,
            (weighted @ excess_mm + hold @ usual)[:, None],
            flags=cv2.DECOMP_CHOLESKY,
        )
        unknown = np.asarray(solved[:, 0], dtype=np.float64)
        miss = excess_mm - design @ unknown
    return unknown.tolist(), miss
