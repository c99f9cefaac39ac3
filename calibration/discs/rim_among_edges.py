"""Finds the rim of a disc on a table that has edges of its own, such as a chequered cloth.

Each ray from the middle crosses several edges, and the outermost or the steepest of them may belong
to the table. But only a disc has, on nearly all rays, an edge near one and the same ellipse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MAJORITY
from calibration.discs.found_disc import (
    FEWEST_POINTS,
    FLATTEST,
    RIM_PX,
    Ellipse,
    FoundDisc,
    ellipse_through,
    softened,
)
from calibration.discs.rim_rays import RAY_STEP_PX, RAY_WAYS, steps_outward
from referee.domain.geometry import Point

# Measured: over fifty drawn pictures with 221 discs, things that are not discs have an edge near
# one ellipse on at most 0.79 of the rays (a chequered cloth), and 196 discs on more.
LEAST_ON_RAYS: Final = 0.8
# Chosen: a disc also has edges on a share of rays that is larger by this than near other ellipses,
# because rough cloth has edges everywhere.
LEAST_OVER_CHANCE: Final = 0.4

# Chosen: the least step of an edge, as a share of the largest step on a usual ray, and then as a
# multiple of the usual step, which is noise.
_EDGE: Final = 0.25
_OVER_NOISE: Final = 4.0  # Chosen: likewise
# Chosen: how far from the ellipse edges count in each successive fit, in rough widths.
NEAR: Final = (0.1, 0.07, 0.05, 0.03, 0.03)
# Chosen: the number of circles that are tried, the outermost of those with most edges
_CIRCLES: Final = 6
# Chosen: how far an ellipse's middle may be from the rough middle, in rough widths
_MOST_OFF: Final = 0.35
_AS_MANY: Final = 0.1  # Chosen: shares of rays that differ by less than this count as equal

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Edges:
    """The edges on rays from a middle. `middle_px` (2,) is the middle, `radii_px` (radii,) are
    distances from it, and `there` (rays, radii) says for each ray at which distances it crosses an
    edge.
    """

    middle_px: Array
    radii_px: Array
    there: NDArray[np.bool_]

    def share(self, radius_px: float, near_px: float) -> float:
        """Return the share of the rays that have an edge near a circle."""
        near = np.abs(self.radii_px - radius_px) < near_px
        return float(self.there[:, near].any(axis=1).mean())

    def nearest(self, radii_px: Array) -> tuple[Array, Array]:
        """Return, for each ray, the place (rays, 2) of the edge that is nearest to a given radius,
        and how far it is from that radius.
        """
        off = np.where(self.there, np.abs(self.radii_px - radii_px[:, None]), np.inf)
        best = off.argmin(axis=1)
        places = self.middle_px + RAY_WAYS * self.radii_px[best][:, None]
        return places, off[np.arange(len(RAY_WAYS)), best]


def rim_among_edges(
    bgr: NDArray[np.uint8], middle_px: Point, width_px: float, log_odds: float
) -> FoundDisc | None:
    """Fit an ellipse to the rim around a rough middle, for a disc of roughly the width `width_px`;
    None if no ellipse has edges all round. Of several such ellipses with nearly the same share of
    edges, take the widest.
    """
    smooth = softened(bgr, width_px)
    first = _edges(smooth, np.asarray(middle_px), width_px)
    fits = [
        fit
        for radius_px in _circles(first, width_px)
        if (fit := _fitted(smooth, first, radius_px, width_px)) is not None
    ]
    most = max((share for share, _ in fits), default=0.0)
    good = [fit for fit in fits if fit[0] >= max(LEAST_ON_RAYS, most - _AS_MANY)]
    if not good:
        return None
    support, (middle, widths, turn_deg) = max(good, key=lambda fit: sum(fit[1][1]))
    return FoundDisc.of(middle, widths, turn_deg, log_odds, support)


def _edges(smooth: NDArray[np.float32], middle_px: Array, width_px: float) -> _Edges:
    radii, steps = steps_outward(smooth, middle_px, width_px)
    least = max(_EDGE * float(np.median(steps.max(axis=1))), _OVER_NOISE * float(np.median(steps)))
    there = np.zeros(steps.shape, np.bool_)
    inner = steps[:, 1:-1]
    there[:, 1:-1] = (inner >= steps[:, :-2]) & (inner > steps[:, 2:]) & (inner > least)
    return _Edges(middle_px, radii, there)


def _circles(edges: _Edges, width_px: float) -> Iterator[float]:
    """Yield the radii of the circles that have edges on more rays than slightly smaller and larger
    circles have.
    """
    radii = edges.radii_px[:: round(1 / RAY_STEP_PX)]
    shares = np.array([edges.share(float(r), 0.06 * width_px) for r in radii])
    best = [
        k
        for k, share in enumerate(shares)
        if share >= MAJORITY and share == shares[max(0, k - 3) : k + 4].max()
    ]
    yield from (float(radii[k]) for k in best[-_CIRCLES:])


def _fitted(
    smooth: NDArray[np.float32], edges: _Edges, radius_px: float, width_px: float
) -> tuple[float, Ellipse] | None:
    """Fit an ellipse, beginning with a circle. Return the share of rays that have an edge near the
    ellipse, and the ellipse. Return None if the fit moves too far away, or if the share is hardly
    larger than by chance.
    """
    x, y = (float(v) for v in edges.middle_px)
    ellipse: Ellipse = ((x, y), (2 * radius_px, 2 * radius_px), 0.0)
    first_px, share = edges.middle_px, 0.0
    for near in NEAR:
        places, off = edges.nearest(_radii(ellipse, edges.middle_px))
        close = off < max(RIM_PX, near * width_px)
        if int(close.sum()) < FEWEST_POINTS:
            return None
        ellipse, share = ellipse_through(places[close]), float(close.mean())
        (x, y), (wide, high), _ = ellipse
        if (
            not 0.5 * width_px < (wide + high) / 2 < 2 * width_px
            or min(wide, high) < FLATTEST * max(wide, high)
            or math.dist((x, y), first_px) > _MOST_OFF * width_px
        ):
            return None
        if math.dist((x, y), edges.middle_px) > 1.0:
            edges = _edges(smooth, np.array([x, y]), width_px)
    near_px = max(RIM_PX, NEAR[-1] * width_px)
    chance = float(np.median([edges.share(float(r), near_px) for r in edges.radii_px[::8]]))
    return (share, ellipse) if share - chance >= LEAST_OVER_CHANCE else None


def _radii(ellipse: Ellipse, from_px: Array) -> Array:
    """Return the distances (rays,), px, at which the rays from a place inside an ellipse cross the
    ellipse.
    """
    middle, widths, turn_deg = ellipse
    turn = math.radians(turn_deg)
    axes = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    half = np.asarray(widths) / 2
    start, ways = axes @ (from_px - np.asarray(middle)) / half, RAY_WAYS @ axes.T / half
    square, along = (ways**2).sum(axis=1), ways @ start
    root = np.sqrt(np.maximum(along**2 - square * (start @ start - 1), 0.0))
    return np.asarray((root - along) / square, dtype=np.float64)
