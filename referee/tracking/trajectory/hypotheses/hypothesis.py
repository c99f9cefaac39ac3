"""A hypothesis about a flick: what happened to every coin, and the price of all that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from referee.domain.episode import COVERED_WIDTHS, HAND_S, Rest
from referee.domain.slide import USUAL_SLOWING_MM_S2
from referee.tracking.trajectory.hypotheses.chain import Chain
from referee.tracking.trajectory.hypotheses.fit import Touch
from referee.tracking.trajectory.hypotheses.held_span import HeldSpan, too_fast_cost
from referee.tracking.trajectory.hypotheses.prices import (
    BREAK_PRICE,
    END_BOUNCE_PRICE,
    FLICK_PRICE,
    HELD_PRICE,
    LOST_PRICE,
    MISSED_PRICE,
    MOST_MISSED_PRICE,
    MULTIPLE_HIT_PRICE,
    PUSHED_PRICE,
    SECOND_FLICK_PRICE,
    UNEXPLAINED_PRICE,
    UNSEEN_FLICK_PRICE,
)
from referee.tracking.trajectory.hypotheses.scene import (
    REACH_MM,
    Scene,
    at_rest,
    displaced,
    rest_misfits,
    way_between,
)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The chains of all coins that slid, in no particular order. A chain also says what its coin
    hit. While a coin is in no chain, it lies still or a hand has it.
    """

    chains: tuple[Chain, ...]

    def of(self, coin: str) -> list[int]:
        """Return the indices of a coin's chains, in order of time."""
        own = [c for c, chain in enumerate(self.chains) if chain.coin == coin]
        return sorted(own, key=lambda c: self.chains[c].begins_s[0])

    def put(self, c: int, chain: Chain) -> Hypothesis:
        """Return the hypothesis with chain `c` replaced."""
        return Hypothesis((*self.chains[:c], chain, *self.chains[c + 1 :]))

    def plus(self, chain: Chain) -> Hypothesis:
        """Return the hypothesis with `chain`, one coin's slides in a row, added to its chains."""
        return Hypothesis((*self.chains, chain))

    def with_touch(self, c: int, r: int, d: int, q: int) -> Hypothesis:
        """Return the hypothesis in which run `r` of chain `c` and run `q` of chain `d` began when
        their two coins touched.
        """
        a, b = self.chains[c], self.chains[d]
        return self.put(c, a.meeting(r, b.coin)).put(d, b.meeting(q, a.coin))

    def partner(self, c: int, r: int, name: str) -> tuple[int, int] | None:
        """Return the chain and the run of the coin `name` that began with the same contact as run
        `r` of chain `c`; None if there is none.
        """
        chain = self.chains[c]
        found = [
            (abs(begin - chain.begins_s[r]), d, q)
            for d in self.of(name)
            for q, begin in enumerate(self.chains[d].begins_s)
            if chain.coin in self.chains[d].met[q]
        ]
        return min(found)[1:] if found else None

    def without_run(self, c: int, r: int) -> Hypothesis:
        """Return the hypothesis without run `r` of chain `c`, and without the contacts at which
        that run began.
        """
        without = self._without_contacts(c, r)
        return without.put(c, without.chains[c].without_run(r))

    def without_chain(self, c: int) -> Hypothesis:
        """Return the hypothesis without chain `c`: its coin did not slide then."""
        without = self
        for r in range(len(self.chains[c].begins_s) - 1, 0, -1):
            without = without.without_run(c, r)
        without = without._without_contacts(c, 0)
        return Hypothesis((*without.chains[:c], *without.chains[c + 1 :]))

    def _without_contacts(self, c: int, r: int) -> Hypothesis:
        """Return the hypothesis in which no other coin met chain `c` as its run `r` began."""
        without, coin = self, self.chains[c].coin
        for name in self.chains[c].met[r]:
            other = self.partner(c, r, name)
            if other is not None:
                d, q = other
                without = without.put(d, without.chains[d].missing(q, coin))
        return without

    def without_chains(self, those: Iterable[int]) -> Hypothesis:
        """Return the hypothesis without several chains."""
        without = self
        for c in sorted(those, reverse=True):
            without = without.without_chain(c)
        return without

    def touches(self) -> list[Touch]:
        """Return the contacts between coins."""
        found = set()
        for c, chain in enumerate(self.chains):
            for r, names in enumerate(chain.met):
                for name in names:
                    other = self.partner(c, r, name)
                    if other is not None:
                        found.add(min((c, r, *other), (*other, c, r)))
        return [Touch(*t) for t in sorted(found)]

    def groups(self) -> list[tuple[int, ...]]:
        """Return the indices of the chains in groups: chains whose coins touch are in one group."""
        group = list(range(len(self.chains)))
        for touch in self.touches():
            a, b = group[touch.chain_a], group[touch.chain_b]
            group = [min(a, b) if g in (a, b) else g for g in group]
        return [tuple(c for c, g in enumerate(group) if g == k) for k in sorted(set(group))]


def price(scene: Scene, hypothesis: Hypothesis) -> float:
    """Return the price of all events of a hypothesis, of all sightings that it leaves unexplained,
    and of all tiles that moved although no coin hit them.
    """
    total = sum(_events(scene, hypothesis, c) for c in range(len(hypothesis.chains)))
    total += MULTIPLE_HIT_PRICE * len(multiple_hits(hypothesis))
    total += SECOND_FLICK_PRICE * second_flicks(scene, hypothesis)
    met = {name for chain in hypothesis.chains for names in chain.met for name in names}
    total += PUSHED_PRICE * len(scene.pushed - met)
    return total + sum(_unexplained(scene, hypothesis, coin) for coin in scene.tracks)


def second_flicks(scene: Scene, hypothesis: Hypothesis) -> int:
    """Return how many coins a hand flicked just after it had flicked another coin."""
    begins = sorted(
        chain.begins_s[0]
        for c, chain in enumerate(hypothesis.chains)
        if chain.anchor is not None
        and not _struck(hypothesis, c)
        and not _pushed_through(scene, hypothesis, c)
    )
    return sum(b - a < HAND_S for a, b in pairwise(begins))


def multiple_hits(hypothesis: Hypothesis) -> list[tuple[int, int]]:
    """Return the chain and the run for each run at whose beginning the coin hit several coins at
    once.
    """
    coins = {chain.coin for chain in hypothesis.chains}
    return [
        (c, r)
        for c, chain in enumerate(hypothesis.chains)
        for r, names in enumerate(chain.met)
        if sum(name in coins for name in names) > 1
    ]


def _events(scene: Scene, hypothesis: Hypothesis, c: int) -> float:
    """Return the price of a chain's events."""
    chain = hypothesis.chains[c]
    total = sum(
        break_price(scene, chain, r) if chain.met[r] else UNEXPLAINED_PRICE
        for r in range(1, len(chain.met))
    )
    total += min(MISSED_PRICE * _missed_frames(scene, chain), MOST_MISSED_PRICE)
    if chain.anchor is None:
        return total
    total += UNEXPLAINED_PRICE * _left_too_early(scene, chain)
    if _struck(hypothesis, c):
        return total
    if _pushed_through(scene, hypothesis, c):
        return total + BREAK_PRICE
    flicked = scene.hand_at(chain.coin, chain.begins_s[0], chain.begins_s[0])
    return total + (FLICK_PRICE if flicked else UNSEEN_FLICK_PRICE)


def _left_too_early(scene: Scene, chain: Chain) -> bool:
    """Return whether a chain's coin has slid more than half its width by the time up to which it
    was clearly seen at its old place.
    """
    track = scene.tracks[chain.coin]
    if track.before is None or track.lay_until_s is None or chain.anchor != track.before:
        return False
    if chain.begins_s[0] >= track.lay_until_s:
        return False
    (there,) = chain.place(np.array([track.lay_until_s]), USUAL_SLOWING_MM_S2)
    way_mm = float(np.hypot(*(there - np.asarray(track.before.at_mm))))
    return way_mm > scene.sizes.width_mm(chain.coin) / 2


def break_price(scene: Scene, chain: Chain, r: int) -> float:
    """Return the price of a hit at which run `r` of a chain begins, or may begin if the chain has
    no such run yet.
    """
    after = scene.tracks[chain.coin].after
    last = r >= len(chain.begins_s) - 1 and after is not None and chain.goal == after
    beside = scene.beside[chain.coin] if last else frozenset()
    names = chain.met[r] if r < len(chain.met) else beside
    return END_BOUNCE_PRICE if beside and beside.issuperset(names) else BREAK_PRICE


def _missed_frames(scene: Scene, chain: Chain) -> int:
    """Return the number of frames, between a chain's beginning and its last sighting, in which the
    coin was not seen although no hand hid it. No hand hid the coin if it was farther than
    `COVERED_WIDTHS` from where it lay, or if no hand was over that place.
    """
    times, coin, lay = scene.frames_s, chain.coin, scene.tracks[chain.coin].before
    if not len(chain.seen.t_s):
        return 0
    sliding = times[(times > chain.begins_s[0]) & (times < chain.seen.t_s[-1])]
    missed = sliding[~np.isin(sliding, scene.seen[coin].t_s)]
    if lay is None or not len(missed):
        return len(missed)
    way = np.hypot(*(chain.place(missed, USUAL_SLOWING_MM_S2) - np.asarray(lay.at_mm)).T)
    covered = np.isin(missed, scene.hand_s[coin]) & (
        way < COVERED_WIDTHS * scene.sizes.width_mm(coin)
    )
    return int(np.count_nonzero(~covered))


def _struck(hypothesis: Hypothesis, c: int) -> bool:
    """Return whether a coin that was already moving set the coin of chain `c` in motion. If two
    coins lay touching and began together, the one whose chain comes first in the hypothesis counts
    as moved by a hand, and the other as struck.
    """
    partners = [hypothesis.partner(c, 0, name) for name in hypothesis.chains[c].met[0]]
    return any(p is not None and (p[1] > 0 or p[0] < c) for p in partners)


def _pushed_through(scene: Scene, hypothesis: Hypothesis, c: int) -> bool:
    """Return whether another coin ran into the heap in which the coin of chain `c` lay, at the
    moment when that coin began to move. How momentum passes through a heap is not known.
    """
    chain = hypothesis.chains[c]
    hits_s = heap_hits_s(scene, hypothesis, chain.coin)
    return any(abs(hit_s - chain.begins_s[0]) < scene.frame_s for hit_s in hits_s)


def heap_hits_s(scene: Scene, hypothesis: Hypothesis, coin: str) -> list[float]:
    """Return the times at which coins from outside ran into the heap in which a coin lay."""
    heap = scene.heaps.get(coin, frozenset())
    return [
        begin_s
        for other in hypothesis.chains
        if other.coin not in heap
        for begin_s, names in zip(other.begins_s[1:], other.met[1:], strict=True)
        if not heap.isdisjoint(names)
    ]


def _unexplained(scene: Scene, hypothesis: Hypothesis, coin: str) -> float:
    """Return the price of what a coin's chains leave unexplained: movements between the end of one
    chain and the beginning of the next, or from or to a place of rest, and sightings that belong to
    no chain.
    """
    track, seen = scene.tracks[coin], scene.seen[coin]
    chains = [hypothesis.chains[c] for c in hypothesis.of(coin)]
    if not chains and not displaced(track):
        return 0.0
    spans = held_spans(scene, hypothesis, coin)
    total = sum(_span_price(scene, coin, span) for span in spans)
    strays = seen.stray_prices
    first = chains[0].begins_s[0] if chains else np.inf
    last = chains[-1].begins_s[-1] if chains else -np.inf
    for rest, there in ((track.before, seen.t_s <= first), (track.after, seen.t_s >= last)):
        if rest is not None:
            strays = np.where(there, np.minimum(strays, rest_misfits(seen, rest)), strays)
    for chain in chains:
        strays = np.where(np.isin(seen.t_s, chain.seen.t_s), 0.0, strays)
    return total + float(strays.sum())


def _span_price(scene: Scene, coin: str, span: HeldSpan) -> float:
    """Return the price of a stretch of time in which it is unknown how a coin came from one place
    to the next. If a coin of a heap moved by less than half its width, the other coins pushed it.
    """
    track = scene.tracks[coin]
    if scene.hand_at(coin, span.begin_s, span.end_s):
        return HELD_PRICE + too_fast_cost(track, span)
    pushed = coin in scene.heaps and (span.left, span.reached) == (track.before, track.after)
    return (
        BREAK_PRICE
        if pushed and 0.0 < way_between(track) < scene.sizes.width_mm(coin) / 2
        else LOST_PRICE
    )


def held_spans(scene: Scene, hypothesis: Hypothesis, coin: str) -> list[HeldSpan]:
    """Return the stretches of time in which a coin came from one place to another and no chain
    explains how.
    """
    track = scene.tracks[coin]
    chains = [hypothesis.chains[c] for c in hypothesis.of(coin)]
    begin_s = scene.span_s[0] if track.lay_until_s is None else track.lay_until_s
    since, at_s = (
        track.before,
        max(_seen_at(scene, coin, track.before, begin_s, first=False), begin_s),
    )
    spans = []
    for chain in chains:
        begins = chain.begins_s[0]
        if chain.anchor is None or (since is not None and _apart(chain.anchor, since)):
            spans.append(HeldSpan(min(at_s, begins), begins, since, chain.anchor))
        at_s = float(chain.seen.t_s[-1]) if len(chain.seen.t_s) else chain.begins_s[-1]
        since = chain.goal
    moved_on = displaced(track) if not chains else since is not track.after
    if moved_on:
        lies_s = max(begin_s, _seen_at(scene, coin, track.after, scene.span_s[1], first=True))
        # The way may be so short that sightings at its end look like sightings at its beginning.
        from_s = at_s if chains or at_s < lies_s else begin_s
        spans.append(HeldSpan(from_s, max(from_s, lies_s), since, track.after))
    return spans


def _apart(a: Rest, b: Rest) -> bool:
    away = float(np.hypot(*np.subtract(a.at_mm, b.at_mm)))
    return away > REACH_MM + 3 * float(np.hypot(a.sigma_mm, b.sigma_mm))


def _seen_at(
    scene: Scene, coin: str, rest: Rest | None, otherwise_s: float, *, first: bool
) -> float:
    """Return the time up to which all sightings show the coin at `rest`. With `first`, return the
    time from which on all sightings show it there. Return `otherwise_s` if there is no such time.
    """
    seen = scene.seen[coin]
    if rest is None or not len(seen.t_s):
        return otherwise_s
    there = at_rest(seen, rest)
    times = seen.t_s[::-1] if first else seen.t_s
    row = there[::-1] if first else there
    count = int(np.argmin(row)) if not row.all() else len(row)
    return float(times[count - 1]) if count else otherwise_s
