"""Proposes how a coin's slide ended, and what it did where it was hardly seen: something stopped
it, it slid unseen, or a hand had it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from referee.domain.slide import FASTEST_FLICK_MM_S, speed_after_mm, standing_after_mm, time_over_s
from referee.tracking.trajectory.chain import Chain
from referee.tracking.trajectory.contacts import as_seen, causes, sightings_of
from referee.tracking.trajectory.fit import MOMENTUM_SIGMA_MM_S
from referee.tracking.trajectory.hypothesis import Hypothesis
from referee.tracking.trajectory.scene import REACH_MM, Scene, at_rest, displaced


def stops(scene: Scene, hypothesis: Hypothesis, c: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which something stopped the coin at the end of a chain, and the one
    in which a hand took it from there.
    """
    chain, last = hypothesis.chains[c], len(hypothesis.chains[c].begins_s) - 1
    goal = chain.goal
    if goal is None:
        return
    own = sightings_of(chain, last)
    if len(own) > 1:
        chain, _ = as_seen(chain, last, own, slowing)
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


def unseen_slides(
    scene: Scene, hypothesis: Hypothesis, coin: str, slowing: float
) -> Iterator[Hypothesis]:
    """Yield the hypothesis in which a coin that was seen moving only once or twice slid from where
    it lay to where it lies now, or off the table.
    """
    track, seen = scene.tracks[coin], scene.seen[coin]
    if track.before is None or hypothesis.of(coin) or not displaced(track) or track.hand_let_go:
        return
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
    heading = way / max(length, 1e-9)
    gone = seen.xy_mm - start
    beside = np.abs(gone @ np.array([-heading[1], heading[0]])) < REACH_MM
    if not beside[k] or not 0 < float(gone[k] @ heading) <= length:
        return
    left_s = max(scene.lay_until_s(coin, t_s), t_s - 3 * scene.frame_s)
    if track.after is not None:
        speed = speed_after_mm(-length, 0.0, slowing)
        began_s = t_s - time_over_s(float(gone[k] @ heading), speed, slowing)
    else:
        began_s = 0.5 * (left_s + t_s)
        speed = length / (t_s - began_s)
    if speed > FASTEST_FLICK_MM_S or began_s < scene.lay_until_s(coin, t_s) - 2 * scene.frame_s:
        return
    own = (np.arange(len(seen.t_s)) >= k) | (off & beside & (gone @ heading > 0))
    yield hypothesis.plus(
        Chain(
            coin,
            seen.part(own),
            (began_s,),
            (heading * speed)[None, :],
            start,
            ((left_s, t_s),),
            track.before,
            track.after,
            ((),),
        )
    )


def in_hand(hypothesis: Hypothesis, c: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which a hand had the coin during a chain, or during its first run."""
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
