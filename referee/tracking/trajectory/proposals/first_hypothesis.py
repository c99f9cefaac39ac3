"""Makes the first hypothesis about a flick from the slides that each coin's own sightings show.
These slides are joined into chains that lead from where the coin lay to where it lies now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.domain.episode import Rest
from referee.domain.slide import time_over_s
from referee.tracking.trajectory.hypotheses.chain import Chain, Window, carried_on
from referee.tracking.trajectory.hypotheses.fit import SLACK_S
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis
from referee.tracking.trajectory.hypotheses.runs import (
    Kind,
    Seen,
    Slide,
    Stretch,
    Sums,
    cut,
    fit_slide,
)
from referee.tracking.trajectory.hypotheses.scene import REACH_MM, Scene, at_rest

# Chosen: the decelerations that are tried, in standard uncertainties from the usual deceleration.
SIGMAS_TRIED: Final = np.linspace(-2.0, 2.0, 11)

Cuts = Mapping[str, tuple[Stretch, ...]]


def first_hypothesis(scene: Scene, prior: tuple[float, float]) -> tuple[Hypothesis, float]:
    """Return the hypothesis that follows from each coin's own sightings, and the deceleration for
    which the cuts of all coins' sightings have the lowest cost.
    """
    cuts, slowing = best_cuts(scene, prior)
    chains = [
        chain_of(scene, coin, stretches, group, slowing)
        for coin, stretches in cuts.items()
        for group in slide_groups(scene.seen[coin], stretches)
    ]
    return Hypothesis(tuple(chains)), slowing


def best_cuts(scene: Scene, prior: tuple[float, float]) -> tuple[Cuts, float]:
    """Cut all coins' sightings into stretches, with each of several decelerations. Return the
    cheapest cuts and their deceleration.
    """
    seen = {coin: s for coin, s in scene.seen.items() if len(s.t_s)}
    sums = {coin: Sums(s) for coin, s in seen.items()}
    best: tuple[float, Cuts, float] | None = None
    for slowing in prior[0] * np.exp(prior[1] * SIGMAS_TRIED):
        cuts = {
            coin: cut(s, sums[coin], scene.tracks[coin].before, scene.tracks[coin].after, slowing)
            for coin, s in seen.items()
        }
        cost = sum(c for c, _ in cuts.values()) + float(np.log(slowing / prior[0]) / prior[1]) ** 2
        if best is None or cost < best[0]:
            best = (cost, {coin: stretches for coin, (_, stretches) in cuts.items()}, slowing)
    assert best is not None
    return best[1], float(best[2])


def slide_groups(seen: Seen, stretches: tuple[Stretch, ...]) -> list[list[Stretch]]:
    """Split a coin's slides into groups. Between two groups, the coin stood still or was in a
    hand.
    """
    groups: list[list[Stretch]] = [[]]
    in_hand = 0
    stood = False
    for stretch in stretches:
        if stretch.kind is Kind.SLIDE and stretch.size > 1:
            if (in_hand > 1 or stood) and groups[-1]:
                groups.append([])
            groups[-1].append(stretch)
            in_hand, stood = 0, False
        elif stretch.kind is Kind.STAND:
            stood = True
        elif stretch.kind in (Kind.STRAY, Kind.SLIDE):
            in_hand += int(seen.in_hand[stretch.first])
    return [g for g in groups if g]


def chain_of(
    scene: Scene, coin: str, stretches: tuple[Stretch, ...], group: list[Stretch], slowing: float
) -> Chain:
    """Return the chain of a group of slides. The chain begins where the coin lay before these
    slides and ends where it lay after them.
    """
    seen = scene.seen[coin]
    slides = [fit_slide(seen.part(slice(s.first, s.last)), slowing) for s in group]
    anchor, goal = (
        _lay_before(scene, coin, stretches, group[0]),
        _lay_after(scene, coin, stretches, group[-1]),
    )
    first_s = float(seen.t_s[group[0].first])
    start = start_at(seen, group[0].first, slides[0], anchor, slowing)
    begin_s, window = start or (first_s, (first_s, first_s))
    meetings = [
        _meeting(seen, a, b, sa, sb, slowing)
        for a, b, sa, sb in zip(group, group[1:], slides, slides[1:], strict=False)
    ]
    return Chain(
        coin,
        seen.part(_kept(seen, stretches, group)),
        (begin_s, *(t_s for t_s, _ in meetings)),
        np.array([s.velocity_mm_s for s in slides]),
        np.asarray(anchor.at_mm) if anchor and start else slides[0].at_mm,
        (window, *(w for _, w in meetings)),
        anchor if start else None,
        goal,
        ((),) * len(group),
    )


def start_at(
    seen: Seen, first: int, slide: Slide, rest: Rest | None, slowing: float
) -> tuple[float, Window] | None:
    """Return when a slide, first seen in the sighting with the index `first`, left the place
    `rest`, and the earliest and latest instants at which it may have left; None if the slide did
    not start there.
    """
    if rest is None:
        return None
    speed = float(np.hypot(*slide.velocity_mm_s))
    heading = slide.velocity_mm_s / speed
    gap = np.asarray(rest.at_mm) - slide.at_mm
    along, across = float(gap @ heading), float(gap @ np.array([-heading[1], heading[0]]))
    sigma = float(np.hypot(rest.sigma_mm, seen.sigma_mm[first]))
    t0, lead_s = float(seen.t_s[first]), -time_over_s(along, speed, slowing)
    earlier = seen.t_s[:first][at_rest(seen.part(slice(first)), rest)]
    window = (float(earlier[-1]) if len(earlier) else t0 - max(2 * lead_s, 0.1), t0)
    allowed = REACH_MM + 3 * sigma
    if abs(across) > allowed or along > allowed or t0 - lead_s < window[0] - SLACK_S:
        return None
    return float(np.clip(t0 - lead_s, *window)), window


def _meeting(
    seen: Seen, a: Stretch, b: Stretch, sa: Slide, sb: Slide, slowing: float
) -> tuple[float, Window]:
    """Return the instant at which two successive slides, extrapolated, are closest, and the window
    in which it is searched for: the times of the last sighting of the first slide and the first
    sighting of the second.
    """
    window = (float(seen.t_s[a.last - 1]), float(seen.t_s[b.first]))
    t = np.linspace(*window, 33)
    apart = carried_on(sa.t_s, sa.at_mm, sa.velocity_mm_s, slowing, t) - carried_on(
        sb.t_s, sb.at_mm, sb.velocity_mm_s, slowing, t
    )
    return float(t[int(np.argmin(np.hypot(*apart.T)))]), window


def _kept(seen: Seen, stretches: tuple[Stretch, ...], group: list[Stretch]) -> NDArray[np.bool_]:
    """Return which sightings the chain of a group of slides explains: those from its first slide up
    to the next slide after the group, except for strays.
    """
    keep = np.zeros(len(seen.t_s), dtype=bool)
    later = [s for s in stretches if s.first >= group[-1].last and _is_slide(s)]
    end = later[0].first if later else len(seen.t_s)
    for s in stretches:
        own = s in group or (not _is_slide(s) and s.kind is not Kind.STRAY)
        if group[0].first <= s.first < end and own:
            keep[s.first : s.last] = True
    return keep


def _is_slide(stretch: Stretch) -> bool:
    return stretch.kind is Kind.SLIDE and stretch.size > 1


def _lay_before(
    scene: Scene, coin: str, stretches: tuple[Stretch, ...], first: Stretch
) -> Rest | None:
    earlier = [s for s in stretches if s.first < first.first and s.kind is not Kind.STRAY]
    if earlier and earlier[-1].kind is Kind.STAND:
        return _stood(scene.seen[coin], earlier[-1])
    return scene.tracks[coin].before


def _lay_after(
    scene: Scene, coin: str, stretches: tuple[Stretch, ...], last: Stretch
) -> Rest | None:
    later = [s for s in stretches if s.first >= last.last and s.kind is not Kind.STRAY]
    moved_again = any(_is_slide(s) for s in later)
    if later and later[0].kind is Kind.STAND and moved_again:
        return _stood(scene.seen[coin], later[0])
    return None if moved_again else scene.tracks[coin].after


def _stood(seen: Seen, stretch: Stretch) -> Rest:
    part = seen.part(slice(stretch.first, stretch.last))
    at = part.xy_mm.mean(axis=0)
    return Rest((float(at[0]), float(at[1])), float(part.sigma_mm.mean()) / stretch.size**0.5)
