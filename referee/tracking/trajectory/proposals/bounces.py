"""Proposes bounces off tiles where a coin's sightings show a turn, or where it began to move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.tracking.trajectory.hypotheses.chain import Chain, velocity_after, velocity_over
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis, break_price
from referee.tracking.trajectory.hypotheses.prices import SURE_GAIN
from referee.tracking.trajectory.hypotheses.runs import Floats, fit_slide
from referee.tracking.trajectory.hypotheses.scene import REACH_MM, Scene
from referee.tracking.trajectory.proposals.beginnings import leads
from referee.tracking.trajectory.proposals.contacts import run_misfit, sightings_of

# Chosen: the most places of a bounce that are tried, the places where two slides fit best first.
MOST_BOUNCES: Final = 3


def bounces(
    scene: Scene, hypothesis: Hypothesis, c: int, r: int, slowing: float
) -> Iterator[Hypothesis]:
    """Yield hypotheses with a bounce off a tile in run `r` of chain `c`, between two consecutive
    sightings beside that tile. Two slides must fit the sightings so much better than the one run
    that this may outweigh the price of a bounce, or nearly so. The best hypotheses come first.
    """
    chain = hypothesis.chains[c]
    own = sightings_of(chain, r)
    least = run_misfit(chain, own, slowing) - break_price(scene, chain, r + 1) + SURE_GAIN
    found: list[tuple[float, Hypothesis]] = []
    for k in range(1, len(own)) if least > 0 else ():
        pair = chain.seen.xy_mm[own[k - 1 : k + 1]]
        reach = REACH_MM + float(np.hypot(*(pair[1] - pair[0])))
        gaps = (scene.tile_gaps(chain.coin, at).items() for at in pair)
        gap, name = min(((g, n) for own in gaps for n, g in own), default=(np.inf, ""))
        onwards = _onwards(chain, r, own[k:], slowing) if gap < reach else None
        if onwards is None:
            continue
        velocity, misfit = onwards
        came = chain
        if k > 1:
            came, before = as_seen(chain, r, own[:k], slowing)
            misfit += before
        window = (float(chain.seen.t_s[own[k - 1]]), float(chain.seen.t_s[own[k]]))
        if misfit < least:
            turned = came.with_run(r + 1, 0.5 * sum(window), velocity, window, name)
            found.append((misfit, hypothesis.put(c, turned)))
    for _, bounced in sorted(found, key=lambda f: f[0])[:MOST_BOUNCES]:
        yield bounced


def back_at_once(
    scene: Scene, hypothesis: Hypothesis, c: int, slowing: float
) -> Iterator[Hypothesis]:
    """Yield hypotheses in which a chain that seemed to begin where the coin lay gets one more run
    at its beginning: a coin that is struck beside a tile bounces back so soon that both runs look
    like one.
    """
    chain = hypothesis.chains[c]
    if chain.anchor is not None:
        yield from leads(scene, hypothesis.put(c, replace(chain, anchor=None)), c, slowing)


def as_seen(chain: Chain, r: int, own: NDArray[np.intp], slowing: float) -> tuple[Chain, float]:
    """Return the chain with the velocity of run `r` fitted to the sightings `own` alone, two or
    more, and the misfit of these sightings.
    """
    slide = fit_slide(chain.seen.part(own), slowing)
    velocities = chain.velocities.copy()
    velocities[r] = velocity_after(slide.velocity_mm_s, chain.begins_s[r] - slide.t_s, slowing)
    return replace(chain, velocities=velocities), slide.misfit


def _onwards(
    chain: Chain, r: int, own: NDArray[np.intp], slowing: float
) -> tuple[Floats, float] | None:
    """Return the velocity of a coin after a bounce, from its sightings `own`, and their misfit. If
    there is a single sighting, the velocity is the one that leads from it to the end of run `r`.
    """
    if len(own) > 1:
        slide = fit_slide(chain.seen.part(own), slowing)
        return slide.velocity_mm_s, slide.misfit
    at = chain.seen.xy_mm[own[0]]
    if r + 1 < len(chain.begins_s):
        left_s = chain.begins_s[r + 1] - float(chain.seen.t_s[own[0]])
        if left_s <= 0.0:
            return None
        return (chain.starts(slowing)[r + 1] - at) / left_s, 0.0
    if chain.goal is None:
        return None
    return velocity_over(np.asarray(chain.goal.at_mm) - at, slowing), 0.0
