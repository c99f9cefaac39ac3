"""Measures how far sightings contradict a run, and finds out whether the coin bounced off a tile on
the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from referee.domain.path import Run
from referee.domain.slide import standing_after_s
from referee.tracking.trajectory.runs import Floats, Seen, fit_slide
from referee.tracking.trajectory.smooth_chain import Chain
from referee.tracking.trajectory.smooth_fit import square_gap
from referee.tracking.trajectory.smooth_links import run_starts

# Tuned on our own clips, except where a comment gives another source for a number.

LEAST_TO_DOUBT: Final = 6  # with at least so many sightings a run can be contradicted
# when a quarter of them have this many times the squared error that their variances predict. By
# chance that happens to one run in a thousand.
DOUBTED_SHARE: Final = 2.5
# How close a coin's rim must be seen to a tile, just before or after a bounce. How far the coin
# goes in one frame is added.
BOUNCED_WITHIN_MM: Final = 6.0
# With fewer sightings, but at least so many, half of them must have this many times the predicted
# squared error. By chance that happens to one run in ten thousand.
FEW: Final = 3
FEW_SHARE: Final = 8.0


def lack_of_fit(run: Run, seen: Seen) -> float:
    """Return how far the sightings of a run are from it, beyond their uncertainty, mm along each
    axis; 0 where that can be chance.

    A coin that hit something unnoticed turns where the run does not. The function uses the upper
    quartile of the squared errors, or the median of a few sightings, so that one or two outliers do
    not count. Of two-dimensional Gaussian errors, three quarters are below sqrt(2 ln 4) sigma and
    half are below sqrt(2 ln 2) sigma (Rayleigh).
    """
    own = (seen.t_s >= run.begin_s) & (seen.t_s <= run.end_s)
    count = int(own.sum())
    if count < FEW:
        return 0.0
    quantile, doubted = (0.75, DOUBTED_SHARE) if count >= LEAST_TO_DOUBT else (0.5, FEW_SHARE)
    places = np.array([run.position(float(t)) for t in seen.t_s[own]])
    off = ((places - seen.xy_mm[own]) ** 2).sum(axis=1) / (2 * seen.sigma_mm[own] ** 2)
    share = float(np.quantile(off, quantile, method="lower")) / -np.log(1.0 - quantile)
    return float(np.median(seen.sigma_mm[own]) * np.sqrt(share - 1.0)) if share > doubted else 0.0


def with_bounces(
    chain: Chain,
    squares: Sequence[Floats],
    coin_mm: float,
    slowing: float,
    misfit: Callable[[Chain], float],
    price: float,
) -> Chain:
    """Return the chain with a bounce off a tile added to each run that contradicts its sightings,
    where that lowers the chi-square by more than `price`. `squares` are the tiles' four corners
    each.
    """
    for r in range(len(chain.begins_s) - 1, -1, -1):
        if lack_of_fit(_run(chain, r, slowing), chain.seen) == 0.0:
            continue
        cost = misfit(chain)
        tried = [
            (misfit(broken), broken) for broken in _broken(chain, r, squares, coin_mm, slowing)
        ]
        least, broken = min(tried, key=lambda pair: pair[0], default=(cost, chain))
        chain = broken if least + price < cost else chain
    return chain


def _run(chain: Chain, r: int, slowing: float) -> Run:
    """Return one run of a chain with the chain's values."""
    start, velocity = run_starts(chain, slowing)[r], chain.velocities[r]
    speed = max(float(np.hypot(*velocity)), 1e-6)
    stop_s = chain.begins_s[r] + standing_after_s(speed, slowing)
    end_s = chain.begins_s[r + 1] if r + 1 < len(chain.begins_s) else stop_s
    heading = (float(velocity[0]) / speed, float(velocity[1]) / speed)
    return Run(
        chain.begins_s[r],
        end_s,
        (float(start[0]), float(start[1])),
        heading,
        speed,
        slowing,
        0.0,
        0.0,
        0,
    )


def _broken(
    chain: Chain, r: int, squares: Sequence[Floats], coin_mm: float, slowing: float
) -> Iterator[Chain]:
    """Yield the chain with run `r` broken between two consecutive sightings beside a tile, once for
    each such pair.
    """
    seen, end_s = chain.seen, chain.begins_s[r + 1] if r + 1 < len(chain.begins_s) else float("inf")
    own = np.flatnonzero((seen.t_s > chain.begins_s[r]) & (seen.t_s <= end_s))
    for before, after in pairwise(own):
        step_mm = float(np.hypot(*(seen.xy_mm[after] - seen.xy_mm[before])))
        gaps = [
            square_gap(corners, seen.xy_mm[[before, after]]).min() - coin_mm / 2
            for corners in squares
        ]
        if not gaps or min(gaps) > BOUNCED_WITHIN_MM + step_mm:
            continue
        velocity = _onwards(chain, r, int(after), int(own[-1]), slowing)
        if velocity is not None:
            window = (float(seen.t_s[before]), float(seen.t_s[after]))
            yield chain.with_run(r + 1, 0.5 * (window[0] + window[1]), velocity, window)


def _onwards(chain: Chain, r: int, first: int, last: int, slowing: float) -> Floats | None:
    """Return the velocity of a coin after a bounce, from its sightings `first` to `last`. With a
    single sighting, it comes from there and where run `r` ends.
    """
    if last > first:
        return fit_slide(chain.seen.part(slice(first, last + 1)), slowing).velocity_mm_s
    left_s = (
        chain.begins_s[r + 1] - float(chain.seen.t_s[first]) if r + 1 < len(chain.begins_s) else 0.0
    )
    if left_s <= 0.0:
        return None
    velocity: Floats = (run_starts(chain, slowing)[r + 1] - chain.seen.xy_mm[first]) / left_s
    return velocity
