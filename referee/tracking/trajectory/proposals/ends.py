"""Proposes how a coin's slide ended, and what a hardly seen coin did: something stopped it, it slid
unseen, or a hand had it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.domain.episode import CoinTrack
from referee.domain.slide import (
    FASTEST_FLICK_MM_S,
    USUAL_SLOWING_MM_S2,
    speed_over_mm,
    standing_after_mm,
    standing_after_s,
    time_over_s,
)
from referee.tracking.trajectory.hypotheses.chain import Chain, carried_on, velocity_over
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis, heap_hits_s
from referee.tracking.trajectory.hypotheses.impacts import MOMENTUM_SIGMA_MM_S, outward
from referee.tracking.trajectory.hypotheses.runs import Floats, fit_slide
from referee.tracking.trajectory.hypotheses.scene import REACH_MM, Scene, at_rest, displaced
from referee.tracking.trajectory.proposals.beginnings import STEP_S, side_reached
from referee.tracking.trajectory.proposals.bounces import as_seen
from referee.tracking.trajectory.proposals.contacts import causes, sightings_of, slid_from_rest
from referee.tracking.trajectory.proposals.first_hypothesis import start_at


def stops(scene: Scene, hypothesis: Hypothesis, c: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield hypotheses in which something stopped the coin at the end of a chain, and the
    hypothesis in which a hand took the coin from there.
    """
    chain, last = hypothesis.chains[c], len(hypothesis.chains[c].begins_s) - 1
    goal = chain.goal
    if goal is None:
        return
    own = sightings_of(chain, last)
    if len(own) > 1:
        chain, _ = as_seen(_begun_as_seen(chain, own, slowing), last, own, slowing)
    lies = at_rest(chain.seen, goal)
    begin, at, velocity = chain.begins_s[-1], chain.starts(slowing)[-1], chain.velocities[-1]
    speed = float(np.hypot(*velocity))
    heading = velocity / max(speed, 1e-9)
    way = float((np.asarray(goal.at_mm) - at) @ heading)
    if 0.0 < way < standing_after_mm(speed, slowing):
        from_s = float(chain.seen.t_s[~lies][-1]) if not lies.all() else begin
        window = (from_s, float(chain.seen.t_s[lies][0]) if lies.any() else from_s + scene.frame_s)
        stop_s = begin + time_over_s(way, speed, slowing)
        stop_s = float(np.clip(stop_s, *window)) if window[0] < window[1] else stop_s
        # The fit cannot start with a coin at rest.
        stopped = chain.with_run(last + 1, stop_s, heading * MOMENTUM_SIGMA_MM_S, window)
        yield hypothesis.put(c, stopped)
        yield from causes(scene, hypothesis.put(c, stopped), c, last + 1, slowing)
    if len(scene.hand_s[chain.coin]) and (~lies).sum() > 1:
        yield hypothesis.put(c, replace(chain, goal=None, seen=chain.seen.part(~lies)))


def came_off(scene: Scene, hypothesis: Hypothesis, c: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield the hypothesis in which the last run of a chain went on to the next tile on its way,
    and the coin bounced off it to where it lies now.
    """
    chain, last = hypothesis.chains[c], len(hypothesis.chains[c].begins_s) - 1
    goal, own = chain.goal, sightings_of(chain, last)
    if goal is None or len(own) < 2:
        return
    # A fit in which the coin stops where it lies overestimates the deceleration.
    slowing = min(slowing, USUAL_SLOWING_MM_S2)
    chain, _ = as_seen(_begun_as_seen(chain, own, slowing), last, own, slowing)
    begin, velocity, seen_s = (
        chain.begins_s[-1],
        chain.velocities[-1],
        float(chain.seen.t_s[own[-1]]),
    )
    times = np.arange(seen_s, begin + standing_after_s(float(np.hypot(*velocity)), slowing), STEP_S)
    ahead = carried_on(begin, chain.starts(slowing)[-1], velocity, slowing, times)
    reached = side_reached(scene, chain.coin, ahead) if len(times) else None
    if reached is None:
        return
    k, name, _ = reached
    way, t_s = np.asarray(goal.at_mm) - ahead[k], float(times[k])
    length = float(np.hypot(*way))
    if float(way @ outward(scene.squares[name], ahead[k : k + 1])[0]) <= 0.0:
        return
    off = velocity_over(way, slowing)
    seen = scene.seen[chain.coin]
    gone = seen.xy_mm - ahead[k]
    beside = np.abs(gone @ np.array([-way[1], way[0]])) < REACH_MM * length
    later = (seen.t_s > t_s) & beside & (gone @ way > 0.0) & (gone @ way < length**2)
    mask = later | np.isin(seen.t_s, chain.seen.t_s)
    turned = replace(chain, seen=seen.part(mask))
    yield hypothesis.put(
        c, turned.with_run(last + 1, t_s, off, (seen_s, t_s + scene.frame_s), name)
    )


def slid_on(scene: Scene, hypothesis: Hypothesis, c: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield the hypothesis in which a coin slid on under a hand to where it lies now, and its later
    sightings were a finger.
    """
    chain, after = hypothesis.chains[c], scene.tracks[hypothesis.chains[c].coin].after
    if after is None or chain.goal == after or not len(scene.hand_s[chain.coin]):
        return
    later = [d for d in hypothesis.of(chain.coin) if d > c]
    if not all(hypothesis.chains[d].seen.in_hand.all() for d in later):
        return
    at, velocity = chain.starts(slowing)[-1], chain.velocities[-1]
    speed = float(np.hypot(*velocity))
    heading = velocity / max(speed, 1e-9)
    way = np.asarray(after.at_mm) - at
    aside = abs(float(heading[0] * way[1] - heading[1] * way[0]))
    if aside > 2 * REACH_MM or not 0.0 < float(way @ heading) < 2 * standing_after_mm(
        speed, slowing
    ):
        return
    slid = hypothesis.put(c, replace(chain, goal=after))
    yield slid.without_chains(later)


def _begun_as_seen(chain: Chain, own: NDArray[np.intp], slowing: float) -> Chain:
    """Return a chain of one run with its beginning moved to the time when the coin left its place,
    computed from a slide through its sightings `own` (two or more). Return a chain of several runs
    unchanged.
    """
    if len(chain.begins_s) > 1:
        return chain
    slide = fit_slide(chain.seen.part(own), slowing)
    begun = start_at(chain.seen, int(own[0]), slide, chain.anchor, slowing)
    return chain if begun is None else replace(chain, begins_s=begun[:1])


def unseen_slides(
    scene: Scene, hypothesis: Hypothesis, coin: str, slowing: float
) -> Iterator[Hypothesis]:
    """Yield hypotheses in which a coin that was seen moving in at most three sightings slid from
    where it lay to where it lies now, or off the table. In some of these hypotheses, a coin that
    ran into the heap pushed this coin.
    """
    track, seen = scene.tracks[coin], scene.seen[coin]
    if track.before is None or hypothesis.of(coin) or not displaced(track) or track.hand_let_go:
        return
    yield from _pushed_slides(scene, hypothesis, coin, slowing)
    off = ~at_rest(seen, track.before)
    under_way = off & ~seen.in_hand
    if track.after is not None:
        under_way &= ~at_rest(seen, track.after)
    if not under_way.any() or under_way.sum() > 3:
        return
    k = int(np.argmax(under_way))
    start = np.asarray(track.before.at_mm)
    goal = np.asarray(track.after.at_mm) if track.after is not None else seen.xy_mm[k]
    way, t_s = goal - start, float(seen.t_s[k])
    length = float(np.hypot(*way))
    gone, aside = seen.along(start, way)
    beside = aside < REACH_MM
    if not beside[k] or not 0 < gone[k] <= length:
        return
    left_s = max(scene.lay_until_s(coin, t_s), t_s - 3 * scene.frame_s)
    if left_s >= t_s:
        return
    own = (np.arange(len(seen.t_s)) >= k) | (off & beside & (gone > 0))
    for began_s, speed in _ways_to_begin(
        scene, track, (left_s, t_s), (seen.xy_mm[k] - start, way), slowing
    ):
        slide = Chain(
            coin,
            seen.part(own),
            (began_s,),
            (way / max(length, 1e-9) * speed)[None, :],
            start,
            ((left_s, t_s),),
            track.before,
            track.after,
            ((),),
        )
        slid = hypothesis.plus(slide)
        yield slid
        yield from stops(scene, slid, len(hypothesis.chains), slowing)


def _pushed_slides(
    scene: Scene, hypothesis: Hypothesis, coin: str, slowing: float
) -> Iterator[Hypothesis]:
    """Yield hypotheses in which a coin began to slide when its heap was hit, and slid to where it
    lies now.
    """
    track = scene.tracks[coin]
    if track.before is None or track.after is None:
        return
    away = np.subtract(track.after.at_mm, track.before.at_mm)
    velocity = velocity_over(away, slowing)
    for hit_s in heap_hits_s(scene, hypothesis, coin):
        yield hypothesis.plus(slid_from_rest(scene, coin, hit_s, velocity))


def _ways_to_begin(
    scene: Scene,
    track: CoinTrack,
    window_s: tuple[float, float],
    ways: tuple[Floats, Floats],
    slowing: float,
) -> Iterator[tuple[float, float]]:
    """Yield possible times and speeds at which a coin began to slide. The first of two `ways` (2,)
    is how far it had moved when it was seen, the second how far it moved in all, before friction or
    something else stopped it. `window_s` is the earliest time at which the slide may have begun,
    and the time at which the coin was seen.
    """
    (left_s, t_s), gone, length = window_s, float(np.hypot(*ways[0])), float(np.hypot(*ways[1]))
    if track.after is not None:
        speed = speed_over_mm(length, slowing)
        began_s = t_s - time_over_s(gone, speed, slowing)
        if speed <= FASTEST_FLICK_MM_S and began_s >= left_s - 2 * scene.frame_s:
            yield began_s, speed
    began_s = 0.5 * (left_s + t_s)
    if (speed := gone / (t_s - began_s)) <= FASTEST_FLICK_MM_S:
        yield began_s, speed


def in_hand_throughout(hypothesis: Hypothesis, c: int) -> Iterator[Hypothesis]:
    """Yield the hypothesis in which a hand had the coin during all its chains, and a finger was
    taken for the coin. `c` must be the coin's first chain.
    """
    own = hypothesis.of(hypothesis.chains[c].coin)
    if c == own[0] and len(own) > 1 and all(hypothesis.chains[d].seen.in_hand.any() for d in own):
        yield hypothesis.without_chains(own)


def in_hand(hypothesis: Hypothesis, c: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield hypotheses in which a hand had the coin during a whole chain, or during the chain's
    first run.
    """
    chain = hypothesis.chains[c]
    if not chain.seen.in_hand.any() and (len(chain.seen.t_s) > 2 or chain.met[0]):
        return
    yield hypothesis.without_chain(c)
    if len(chain.begins_s) == 1 or chain.met[0] or chain.met[1]:
        return
    later = chain.seen.part(chain.seen.t_s >= chain.begins_s[1])
    if len(later.t_s) > 1:
        begin = float(later.t_s[0])
        freed = replace(
            chain.without_run(0), seen=later, start_mm=chain.place(later.t_s[:1], slowing)[0]
        )
        yield hypothesis.put(c, freed.out_of_hand(begin))
