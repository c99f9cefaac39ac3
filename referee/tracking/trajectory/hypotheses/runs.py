"""Divides one coin's sightings into stretches without collisions. The division is the first, rough
step of smoothing.

Dynamic programming searches all ways to cut the sightings into stretches. Each stretch is a slide
(a straight line with constant deceleration), a stand (the coin stays at one place) or a single
stray sighting. A stretch costs its weighted sum of squared residuals plus a price. Running sums
give the residuals of all stretches at once. Stretches need not be continuous here; the joint fit
that follows makes them so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from referee.domain.episode import Rest
from referee.domain.sighting import TELLING_SIGHTINGS
from referee.domain.slide import way_mm
from referee.tracking.trajectory.hypotheses.prices import (
    ANCHOR_PRICE,
    IN_HAND_PRICE,
    SLIDE_PRICE,
    STAND_PRICE,
    STRAY_PRICE,
)

Floats = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

# How far the middle of a coin's streak may be from a straight slide with constant deceleration:
# real slides differ from it, and the middle of the streak is not exactly the place at mid-exposure.
MODEL_SIGMA_MM: Final = 0.35


class Kind(Enum):
    """What a coin does during one stretch of its sightings."""

    BEFORE = "before"
    AFTER = "after"
    STAND = "stand"
    SLIDE = "slide"
    STRAY = "stray"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of one coin's sightings: those with the indices from `first` up to, but not
    including, `last`. `kind` is what the coin did during the stretch.
    """

    kind: Kind
    first: int
    last: int

    @property
    def size(self) -> int:
        """Return the number of sightings."""
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class Seen:
    """One coin's n sightings as arrays: `t_s` (n,), `xy_mm` (n, 2), `sigma_mm` (n,), and
    `shared_mm` (n,), the part of `sigma_mm` that is a common error of all sightings. `in_hand` (n,)
    says whether a hand was at the coin.
    """

    t_s: Floats
    xy_mm: Floats
    sigma_mm: Floats
    shared_mm: Floats
    in_hand: NDArray[np.bool_]

    def part(self, keep: NDArray[Any] | slice) -> Seen:
        """Return the sightings that `keep` selects."""
        return Seen(
            self.t_s[keep],
            self.xy_mm[keep],
            self.sigma_mm[keep],
            self.shared_mm[keep],
            self.in_hand[keep],
        )

    def along(self, start: Floats, way: Floats) -> tuple[Floats, Floats]:
        """Return how far each sighting is from `start` along the vector `way` (2,), and how far it
        is beside that line, (n,) each.
        """
        heading = way / max(float(np.hypot(*way)), 1e-9)
        gone = self.xy_mm - start
        return gone @ heading, np.abs(gone @ np.array([-heading[1], heading[0]]))

    @property
    def usual_shared_mm(self) -> float:
        """Return the median of `shared_mm`, over the sightings that have a common error."""
        return float(np.median(self.shared_mm[self.shared_mm > 0.0]))

    @property
    def stray_prices(self) -> Floats:
        """Return the price of leaving each sighting unexplained, (n,)."""
        return np.where(self.in_hand, IN_HAND_PRICE, STRAY_PRICE)


@dataclass(frozen=True, slots=True)
class Slide:
    """A straight slide fitted to a stretch: the place and velocity at `t_s`, and the chi-square of
    the stretch's sightings.
    """

    t_s: float
    at_mm: Floats
    velocity_mm_s: Floats
    misfit: float


class Sums:
    """Running sums over one coin's sightings, from which the fit of every stretch follows.

    All sums are chi-squares of the sightings from i up to, but not including, j; they are infinite
    if j <= i. `still[i, j]` is the chi-square of a coin that stays at one place. For a slide,
    `across[i, j]` is the chi-square's part across the slide's line, and `along` = c0 + c1 a + c2
    a^2 its part along that line, for a deceleration a.
    """

    def __init__(self, seen: Seen) -> None:
        n = len(seen.t_s)
        t = seen.t_s - seen.t_s.mean()
        x, y = (seen.xy_mm - seen.xy_mm.mean(axis=0)).T
        w = 1.0 / (seen.sigma_mm**2 + MODEL_SIGMA_MM**2)
        q = way_mm(0.0, 1.0, t)
        names = {"1": np.ones(n), "t": t, "x": x, "y": y, "q": q}
        sums: dict[str, Floats] = {}
        for a, u in names.items():
            for b, v in names.items():
                if a + b in (
                    "11",
                    "1t",
                    "1x",
                    "1y",
                    "1q",
                    "tt",
                    "tx",
                    "ty",
                    "tq",
                    "xx",
                    "xy",
                    "xq",
                    "yy",
                    "yq",
                    "qq",
                ):
                    run = np.concatenate([[0.0], np.cumsum(w * u * v)])
                    sums[a + b] = run[None, :] - run[:, None]
        weight = np.where(sums["11"] > 0, sums["11"], 1.0)

        def moment(a: str, b: str) -> Floats:
            product: Floats = sums[a + b] - sums["1" + a] * sums["1" + b] / weight
            return product

        tt = moment("t", "t")
        safe = np.where(tt > 1e-9 * weight, tt, np.inf)
        tx, ty, tq = moment("t", "x"), moment("t", "y"), moment("t", "q")
        xx, yy, xy = moment("x", "x"), moment("y", "y"), moment("x", "y")
        norm = np.hypot(tx, ty)
        norm = np.where(norm > 0, norm, 1.0)
        hx, hy = tx / norm, ty / norm
        empty = np.tri(n + 1, dtype=bool)
        self.still = np.where(empty, np.inf, xx + yy)
        self.across = np.where(
            empty, np.inf, np.maximum(hy * hy * xx - 2 * hx * hy * xy + hx * hx * yy, 0.0)
        )
        ss = hx * hx * xx + 2 * hx * hy * xy + hy * hy * yy
        st = hx * tx + hy * ty
        sq = hx * moment("x", "q") + hy * moment("y", "q")
        self.along0 = ss - st * st / safe
        self.along1 = -2 * (sq - st * tq / safe)
        self.along2 = moment("q", "q") - tq * tq / safe

    def slides(self, slowing_mm_s2: float) -> Floats:
        """Return the chi-square of every stretch if it is a slide, shape (n + 1, n + 1)."""
        along = np.maximum(
            self.along0 + self.along1 * slowing_mm_s2 + self.along2 * slowing_mm_s2**2, 0.0
        )
        return np.asarray(self.across + along, dtype=np.float64)


def lying_cost(seen: Seen, rest: Rest | None) -> Floats:
    """Return the chi-square of every stretch if the coin lies at `rest`, shape (n + 1, n + 1);
    infinite if `rest` is None.
    """
    n = len(seen.t_s)
    if rest is None:
        return np.full((n + 1, n + 1), np.inf)
    w = 1.0 / (seen.sigma_mm**2 + MODEL_SIGMA_MM**2 + rest.sigma_mm**2)
    away = ((seen.xy_mm - np.asarray(rest.at_mm)) ** 2).sum(axis=1)
    run = np.concatenate([[0.0], np.cumsum(w * away)])
    return np.where(np.tri(n + 1, dtype=bool), np.inf, run[None, :] - run[:, None])


def cut(
    seen: Seen, sums: Sums, before: Rest | None, after: Rest | None, slowing_mm_s2: float
) -> tuple[float, tuple[Stretch, ...]]:
    """Find the cheapest way to cut the sightings into stretches with one deceleration, and its cost
    (chi-square and prices).
    """
    n = len(seen.t_s)
    sizes = np.arange(n + 1)[None, :] - np.arange(n + 1)[:, None]
    stands = np.where(sizes >= TELLING_SIGHTINGS, sums.still + STAND_PRICE, np.inf)
    strays = np.where(sizes == 1, np.append(seen.stray_prices, np.inf)[:, None], np.inf)
    resting = (lying_cost(seen, before) + ANCHOR_PRICE, lying_cost(seen, after) + ANCHOR_PRICE)
    costs = np.stack([*resting, sums.slides(slowing_mm_s2) + SLIDE_PRICE, stands, strays])
    kinds = (Kind.BEFORE, Kind.AFTER, Kind.SLIDE, Kind.STAND, Kind.STRAY)
    cheapest = costs.argmin(axis=0)
    least = costs.min(axis=0)
    best = np.zeros(n + 1)
    source: list[tuple[int, Kind]] = [(0, Kind.STRAY)] * (n + 1)
    for j in range(1, n + 1):
        totals = best[:j] + least[:j, j]
        i = int(np.argmin(totals))
        best[j], source[j] = totals[i], (i, kinds[cheapest[i, j]])
    return float(best[n]), _walk_back(source, n)


def _walk_back(source: list[tuple[int, Kind]], n: int) -> tuple[Stretch, ...]:
    stretches = []
    j = n
    while j > 0:
        i, kind = source[j]
        stretches.append(Stretch(kind, i, j))
        j = i
    return tuple(reversed(stretches))


def fit_slide(seen: Seen, slowing_mm_s2: float) -> Slide:
    """Fit a straight slide with a given deceleration to two or more sightings. The place and
    velocity returned are those at the time of the first sighting.
    """
    w = 1.0 / (seen.sigma_mm**2 + MODEL_SIGMA_MM**2)
    t = seen.t_s - np.average(seen.t_s, weights=w)
    mean = np.average(seen.xy_mm, axis=0, weights=w)
    away = seen.xy_mm - mean
    slope = (w * t) @ away / float((w * t) @ t)
    norm = float(np.hypot(*slope))
    heading = slope / norm if norm > 0 else np.array([1.0, 0.0])
    z = away @ heading - way_mm(0.0, slowing_mm_s2, t)
    z_mean = float(np.average(z, weights=w))
    speed = float((w * t) @ (z - z_mean)) / float((w * t) @ t)
    along = z - z_mean - speed * t
    misfit = float(w @ (along**2 + (away @ np.array([-heading[1], heading[0]])) ** 2))
    t0 = float(t[0])
    at = mean + heading * (z_mean + way_mm(speed, slowing_mm_s2, t0))
    return Slide(float(seen.t_s[0]), at, heading * max(speed - slowing_mm_s2 * t0, 1.0), misfit)
