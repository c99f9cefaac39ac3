"""Finds the hypothesis about a flick with the lowest cost. The search starts from the slides that
each coin's sightings show, and adds or drops one event at a time as long as that lowers the cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from referee.domain.path import PossibleHit
from referee.tracking.trajectory.hypotheses.evaluation import Evaluator, Scored
from referee.tracking.trajectory.hypotheses.fit import MOST_STEPS
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis, break_price
from referee.tracking.trajectory.hypotheses.prices import BREAK_PRICE, LEAST_GAIN, SURE_GAIN
from referee.tracking.trajectory.hypotheses.scene import Scene, displaced
from referee.tracking.trajectory.proposals.beginnings import leads, strikers
from referee.tracking.trajectory.proposals.bounces import back_at_once, bounces
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

# Two events may explain together what each alone does not: a coin struck another one, and that one
# bounced off a post. Chosen: the first of two events may raise the cost of a hypothesis by the
# price of a break.
DETOUR_COST: Final = BREAK_PRICE
# Chosen: this many such hypotheses are tried, the cheapest first.
MOST_DETOURS: Final = 3


@dataclass(frozen=True, slots=True)
class Found:
    """The `best` hypothesis that a search found. `possible_hits` are, by coin, the hits that `best`
    lacks, but that are in another tried hypothesis, whose cost is at most `SURE_GAIN` higher.
    """

    best: Scored
    possible_hits: Mapping[str, tuple[PossibleHit, ...]]


def search(scene: Scene, first: Hypothesis, prior: tuple[float, float]) -> Found:
    """Return the cheapest hypothesis that can be reached from `first` by adding or dropping one or
    two events at a time, each time lowering the cost. `prior` is the mean of the deceleration and
    the uncertainty of its logarithm.
    """
    searched = _Search(scene, Evaluator(scene, prior))
    best = searched.evaluator.scored(first)
    assert best is not None
    searched.note_hits(best)
    if max((len(chain.begins_s) for chain in first.chains), default=0) > MOST_STEPS:
        return Found(best, {})
    for _ in range(MOST_STEPS):
        better = searched.step(best)
        if better is None:
            break
        best = better
    return Found(best, searched.hits_besides(best))


@dataclass(slots=True)
class _Search:
    """The state of a search: what was `tried` (keys of hypotheses), the hypotheses that cost
    `nearly` as little as the best one, and, for each coin and what it may have hit, the cheapest
    hypothesis with that hit: its cost, and the time of the hit (`hits`).
    """

    scene: Scene
    evaluator: Evaluator
    tried: set[tuple[object, ...]] = field(default_factory=set)
    nearly: list[Scored] = field(default_factory=list)
    hits: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)

    def step(self, best: Scored) -> Scored | None:
        """Return a hypothesis that is cheaper than the best one and differs from it by one event,
        or by two events, the first of which alone raises the cost a little; None if there is none.
        """
        self.nearly = []
        better = self._cheaper(best, best.cost)
        if better is not None:
            return better
        for detour in sorted(self.nearly, key=lambda scored: scored.cost)[:MOST_DETOURS]:
            better = self._cheaper(detour, best.cost)
            if better is not None:
                return better
        return None

    def _cheaper(self, begin: Scored, cost: float) -> Scored | None:
        """Go through the groups of alternatives to `begin` up to the first group in which one costs
        less than `cost`. Return the cheapest of that group; None if no group has one.

        A hit that nobody saw is tried last, and used only if it is certain, so it is never the
        first of two events. If a hand may have moved both coins instead, players must be asked, and
        a cheap hit would hide that question.
        """
        for alternatives in proposals(self.scene, begin):
            found = self._cheapest(alternatives, cost - LEAST_GAIN, DETOUR_COST)
            if found is not None:
                return found
        for c in range(len(begin.hypothesis.chains)):
            hits = unseen_hits(self.scene, begin.hypothesis, c, begin.slowing)
            found = self._cheapest(hits, cost - SURE_GAIN)
            if found is not None:
                return found
        return None

    def _cheapest(
        self, alternatives: Iterable[Hypothesis], bar: float, detour_cost: float = 0.0
    ) -> Scored | None:
        """Return the cheapest of the alternatives that were not tried yet, if it costs less than
        `bar`; otherwise None. Alternatives that cost up to `detour_cost` more are kept in `nearly`.
        """
        found: Scored | None = None
        for proposal in alternatives:
            key = tuple(chain.key for chain in proposal.chains)
            if key in self.tried:
                continue
            self.tried.add(key)
            scored = self.evaluator.scored(proposal, bar + detour_cost)
            if scored is None:
                continue
            self.note_hits(scored)
            if scored.cost < (bar if found is None else found.cost - LEAST_GAIN):
                found = scored
            elif scored.cost < bar + detour_cost:
                self.nearly.append(scored)
        return found

    def note_hits(self, scored: Scored) -> None:
        """Note the hits of a hypothesis, each with the lowest cost at which it was found."""
        for coin, name, t_s in _hits_of(scored.hypothesis):
            known = self.hits.get((coin, name))
            if known is None or scored.cost < known[0]:
                self.hits[coin, name] = scored.cost, t_s

    def hits_besides(self, best: Scored) -> dict[str, tuple[PossibleHit, ...]]:
        """Return, by coin, the hits that the best hypothesis does not contain, but another one
        does, whose cost is up to `SURE_GAIN` higher.
        """
        own = {(coin, name) for coin, name, _ in _hits_of(best.hypothesis)}
        besides: dict[str, tuple[PossibleHit, ...]] = {}
        for (coin, name), (cost, t_s) in self.hits.items():
            if (coin, name) not in own and cost <= best.cost + SURE_GAIN:
                hit = PossibleHit(name, t_s, max(cost - best.cost, 0.0))
                besides[coin] = (*besides.get(coin, ()), hit)
        return besides


def _hits_of(hypothesis: Hypothesis) -> Iterator[tuple[str, str, float]]:
    """Yield what each coin hit, with the time, s."""
    for chain in hypothesis.chains:
        for begin_s, names in zip(chain.begins_s, chain.met, strict=True):
            yield from ((chain.coin, name, begin_s) for name in names)


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
        if _may_pay(scene, best, c):
            yield back_at_once(scene, hypothesis, c, slowing)
    for c in range(len(chains)):
        yield in_hand_throughout(hypothesis, c)


def _of_one_coin(scene: Scene, best: Scored, c: int) -> Iterator[Iterable[Hypothesis]]:
    """Yield groups of hypotheses in which the coin of one chain has one event more or less, without
    any change for other coins.
    """
    hypothesis, slowing = best.hypothesis, best.slowing
    runs = range(len(hypothesis.chains[c].begins_s))
    for r in reversed(runs[1:]):
        yield dropped(hypothesis, c, r, slowing)
    if _may_pay(scene, best, c):
        yield came_off(scene, hypothesis, c, slowing)
        for r in runs:
            yield bounces(scene, hypothesis, c, r, slowing)
        yield stops(scene, hypothesis, c, slowing)
    yield in_hand(hypothesis, c, slowing)
    yield slid_on(scene, hypothesis, c, slowing)
    if hypothesis.chains[c].anchor is None and hypothesis.chains[c].coin in scene.heaps:
        yield (hypothesis.without_chain(c),)  # perhaps these sightings were another coin


def _may_pay(scene: Scene, best: Scored, c: int) -> bool:
    """Return whether one more event of a coin may lower the cost. An event can lower the cost at
    most by the present misfit. So no further event is proposed if the misfit is at most the price
    of a break minus `SURE_GAIN`.
    """
    chain = best.hypothesis.chains[c]
    return best.misfits[c] > break_price(scene, chain, len(chain.begins_s)) - SURE_GAIN


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
