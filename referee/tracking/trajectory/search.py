"""Finds the hypothesis about a flick with the lowest cost. It starts from the slides that each
coin's sightings show, and adds or drops one event at a time as long as that lowers the cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from referee.tracking.trajectory.hypotheses.evaluation import Evaluator, Scored
from referee.tracking.trajectory.hypotheses.fit import MOST_STEPS
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis, break_price
from referee.tracking.trajectory.hypotheses.prices import LEAST_GAIN
from referee.tracking.trajectory.hypotheses.scene import Scene, displaced
from referee.tracking.trajectory.proposals.beginnings import leads, strikers
from referee.tracking.trajectory.proposals.bounces import bounces
from referee.tracking.trajectory.proposals.contacts import (
    causes,
    dropped,
    one_after_the_other,
    pushed_aside,
)
from referee.tracking.trajectory.proposals.ends import (
    came_off,
    in_hand,
    in_hand_throughout,
    slid_on,
    stops,
    unseen_slides,
)
from referee.tracking.trajectory.proposals.unseen_hits import unseen_hits

# By definition: a hypothesis that costs less by this has odds of 19 to 1, which counts as certain.
SURE_GAIN: Final = 2.0 * math.log(19.0)


def search(scene: Scene, first: Hypothesis, prior: tuple[float, float]) -> Scored:
    """Return the cheapest hypothesis that can be reached from `first` by adding or dropping one
    event at a time, each of which lowers the cost. `prior` is the mean of the deceleration and the
    uncertainty of its logarithm.
    """
    evaluator = Evaluator(scene, prior)
    best = evaluator.scored(first)
    assert best is not None
    if max((len(chain.begins_s) for chain in first.chains), default=0) > MOST_STEPS:
        return best
    tried: set[tuple[object, ...]] = set()
    for _ in range(MOST_STEPS):
        better = _step(scene, evaluator, best, tried)
        if better is None:
            break
        best = better
    return best


def _step(
    scene: Scene, evaluator: Evaluator, best: Scored, tried: set[tuple[object, ...]]
) -> Scored | None:
    """Go through the groups of alternatives up to the first group that has a cheaper hypothesis
    than the best one. Return the cheapest of that group; None if no group has one.

    A hit that nobody saw is tried last, and used only if it is certain. If a hand may have moved
    both coins instead, players must be asked, and a cheap hit would hide that.
    """
    for alternatives in proposals(scene, best):
        found = _cheapest(evaluator, best, alternatives, LEAST_GAIN, tried)
        if found is not best:
            return found
    for c in range(len(best.hypothesis.chains)):
        hits = unseen_hits(scene, best.hypothesis, c, best.slowing)
        found = _cheapest(evaluator, best, hits, SURE_GAIN, tried)
        if found is not best:
            return found
    return None


def _cheapest(
    evaluator: Evaluator,
    best: Scored,
    alternatives: Iterable[Hypothesis],
    least_gain: float,
    tried: set[tuple[object, ...]],
) -> Scored:
    """Return the cheapest of the alternatives that were not tried yet, if it costs less than the
    best hypothesis by at least `least_gain`; otherwise the best hypothesis.
    """
    found = best
    for proposal in alternatives:
        key = tuple(chain.key for chain in proposal.chains)
        if key in tried:
            continue
        tried.add(key)
        least = min(best.cost - least_gain, found.cost - LEAST_GAIN)
        scored = evaluator.scored(proposal, least)
        if scored is not None and scored.cost < least:
            found = scored
    return found


def proposals(scene: Scene, best: Scored) -> Iterator[Iterable[Hypothesis]]:
    """Yield groups of hypotheses that differ from the best one by one event. The kinds of events
    that explain most come first. The hypotheses of a group are alternatives for the same event.
    """
    hypothesis, slowing = best.hypothesis, best.slowing
    chains = hypothesis.chains
    for c in range(len(chains)):
        yield leads(scene, hypothesis, c, slowing)
    for c, r in _uncaused(hypothesis):
        yield causes(scene, hypothesis, c, r, slowing)
    for c in range(len(chains)):
        yield strikers(scene, hypothesis, c, slowing)
    for coin, track in scene.tracks.items():
        if displaced(track):
            yield pushed_aside(scene, hypothesis, coin, slowing)
            yield unseen_slides(scene, hypothesis, coin, slowing)
    yield one_after_the_other(hypothesis, slowing)
    for c in range(len(chains)):
        yield from _of_one_coin(scene, best, c)
    for c in range(len(chains)):
        yield in_hand_throughout(hypothesis, c)


def _of_one_coin(scene: Scene, best: Scored, c: int) -> Iterator[Iterable[Hypothesis]]:
    """Yield groups of hypotheses in which the coin of one chain has one event more or less, without
    any change for other coins.

    One more event can at most lower the cost by the present misfit. So if the misfit is less than
    the price of a break, no further event is proposed.
    """
    hypothesis, slowing = best.hypothesis, best.slowing
    runs = range(len(hypothesis.chains[c].begins_s))
    for r in reversed(runs[1:]):
        yield dropped(hypothesis, c, r, slowing)
    if best.misfits[c] > break_price(scene, hypothesis.chains[c], len(runs)):
        yield came_off(scene, hypothesis, c, slowing)
        for r in runs:
            yield bounces(scene, hypothesis, c, r, slowing)
        yield stops(scene, hypothesis, c, slowing)
    yield in_hand(hypothesis, c, slowing)
    yield slid_on(scene, hypothesis, c, slowing)
    if hypothesis.chains[c].anchor is None and hypothesis.chains[c].coin in scene.heaps:
        yield (hypothesis.without_chain(c),)  # perhaps these sightings were another coin


def _uncaused(hypothesis: Hypothesis) -> list[tuple[int, int]]:
    """Return the runs without a known cause, in order of time: first the runs that begin chains, so
    that coins set in motion find their striker first, then breaks within chains.
    """
    runs = [
        (r > 0, begin, c, r)
        for c, chain in enumerate(hypothesis.chains)
        for r, begin in enumerate(chain.begins_s)
        if not chain.met[r]
    ]
    return [(c, r) for _, _, c, r in sorted(runs)]
