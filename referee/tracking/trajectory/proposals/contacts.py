"""Proposes contacts: what a coin hit when its motion changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.domain.sighting import SEEN_SIGMAS
from referee.domain.slide import first_speed_mm_s
from referee.tracking.trajectory.hypotheses.chain import (
    Chain,
    Window,
    velocity_after,
    velocity_over,
)
from referee.tracking.trajectory.hypotheses.fit import TIME_SIGMA_S, misfit_of
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis, multiple_hits
from referee.tracking.trajectory.hypotheses.prices import UNEXPLAINED_PRICE
from referee.tracking.trajectory.hypotheses.runs import MODEL_SIGMA_MM, Floats, fit_slide
from referee.tracking.trajectory.hypotheses.scene import REACH_MM, Scene, at_rest, displaced


@dataclass(frozen=True, slots=True)
class Near:
    """A coin close to the coin of a chain: its name, the instant, the earliest and latest instants
    at which the two may have touched, the gap between the two rims, and the unit vector (2,) from
    the chain's coin towards this coin.
    """

    coin: str
    t_s: float
    window_s: Window
    gap_mm: float
    towards: Floats


def place_of(
    scene: Scene, hypothesis: Hypothesis, coin: str, t: Floats, slowing: float
) -> Floats | None:
    """Return the places of the coin at the instants `t` (n,), shape (n, 2); None if they are not
    known.
    """
    own, track = hypothesis.of(coin), scene.tracks[coin]
    lying = track.before if track.before is not None or own else track.after
    if lying is None and not own:
        return None
    at = np.asarray(lying.at_mm) if lying is not None else hypothesis.chains[own[0]].start_mm
    places = np.broadcast_to(np.asarray(at, dtype=np.float64), (len(t), 2))
    for c in own:
        chain = hypothesis.chains[c]
        begun = (t >= chain.begins_s[0])[:, None]
        places = np.where(begun, chain.place(t, slowing), places)
    return places


def near_coins(scene: Scene, hypothesis: Hypothesis, c: int, r: int, slowing: float) -> list[Near]:
    """Return the coins that nearly touch the coin of chain `c` when its run `r` begins, smallest
    gap first.
    """
    chain, found = hypothesis.chains[c], []
    at, t_s = chain.starts(slowing)[r], chain.begins_s[r]
    t = np.linspace(*scene.near_frames(t_s), 21)
    for coin in scene.tracks:
        there = place_of(scene, hypothesis, coin, t, slowing) if coin != chain.coin else None
        if there is None:
            continue
        apart = np.hypot(*(there - at).T)
        reach_mm = scene.sizes.reach_mm(chain.coin, coin)
        k = int(np.argmin(np.abs(apart - reach_mm) + 0.02 * np.abs(np.arange(21) - 10)))
        gap = float(apart[k]) - reach_mm
        if abs(gap) < 2 * REACH_MM:
            towards = (there[k] - at) / max(float(apart[k]), 1e-9)
            found.append(Near(coin, float(t[k]), scene.near_frames(float(t[k])), gap, towards))
    return sorted(found, key=lambda n: abs(n.gap_mm))


def causes(
    scene: Scene, hypothesis: Hypothesis, c: int, r: int, slowing: float
) -> Iterator[Hypothesis]:
    """Yield hypotheses in which a contact with one coin or one tile made run `r` of chain `c`
    begin.
    """
    chain = hypothesis.chains[c]
    if r == 0 and chain.anchor is None:
        return
    gained = chain.velocities[r] - chain.incoming(r, slowing)
    for near in near_coins(scene, hypothesis, c, r, slowing):
        if float(-near.towards @ gained) > 0.5 * float(np.hypot(*gained)):
            yield from _touched(scene, hypothesis, c, r, near, gained, slowing)
    if r > 0 and (name := scene.tile_near(chain.coin, chain.starts(slowing)[r])) is not None:
        yield hypothesis.put(c, chain.meeting(r, name))


def _touched(
    scene: Scene, hypothesis: Hypothesis, c: int, r: int, near: Near, gained: Floats, slowing: float
) -> Iterator[Hypothesis]:
    """Yield hypotheses in which the coin `near` touched the coin of chain `c` when run `r` began.
    The near coin then began a run that it has already, a new run in its slide, or a slide from
    rest. If the near coin lay in a heap, it passes momentum on, and its own motion is not known.
    """
    in_heap = near.coin in scene.heaps
    if r > 0 and in_heap:
        yield hypothesis.put(c, hypothesis.chains[c].meeting(r, near.coin))
    latest = near.t_s + scene.frame_s
    begun = [d for d in hypothesis.of(near.coin) if hypothesis.chains[d].begins_s[0] <= latest]
    if not begun:
        if (
            r > 0
            and not in_heap
            and (struck := struck_unseen(scene, hypothesis, c, r, near.coin, slowing))
        ):
            yield struck
        return
    d = begun[-1]
    other = hypothesis.chains[d]
    close = [
        (abs(begin - near.t_s), q)
        for q, begin in enumerate(other.begins_s)
        if abs(begin - near.t_s) < scene.frame_s
        and (
            q > 0
            or (other.anchor is not None and (r > 0 or _both_set_off(scene, hypothesis, d, c)))
        )
    ]
    if close:
        yield hypothesis.with_touch(c, r, d, min(close)[1])
    if other.begins_s[0] < near.t_s:
        q = sum(begin < near.t_s for begin in other.begins_s)
        velocity = _velocity_from(other, q, near.t_s, gained, slowing)
        turned = other.with_run(q, near.t_s, velocity, near.window_s)
        yield hypothesis.put(d, turned).with_touch(c, r, d, q)


def _both_set_off(scene: Scene, hypothesis: Hypothesis, d: int, c: int) -> bool:
    """Return whether the coin of chain `d` may have set that of chain `c` in motion as it began to
    move itself: the two lay in touch, and something else set the coin of chain `d` in motion.
    """
    lay = (hypothesis.chains[c].anchor, hypothesis.chains[d].anchor)
    if lay[0] is None or lay[1] is None:
        return False
    apart = float(np.hypot(*np.subtract(lay[0].at_mm, lay[1].at_mm)))
    reach_mm = scene.sizes.reach_mm(hypothesis.chains[c].coin, hypothesis.chains[d].coin)
    sigma_mm = float(np.linalg.norm((lay[0].sigma_mm, lay[1].sigma_mm, MODEL_SIGMA_MM)))
    return apart - reach_mm < SEEN_SIGMAS * sigma_mm and _driven(scene, hypothesis, d, c)


def _driven(scene: Scene, hypothesis: Hypothesis, d: int, c: int) -> bool:
    """Return whether a hand, or a coin other than that of chain `c`, set the coin of chain `d` in
    motion.
    """
    chain, names = hypothesis.chains[d], hypothesis.chains[d].met[0]
    begin = chain.begins_s[0]
    return any(n != hypothesis.chains[c].coin for n in names) or scene.hand_at(
        chain.coin, begin, begin
    )


def _velocity_from(chain: Chain, q: int, t_s: float, lost: Floats, slowing: float) -> Floats:
    """Return the velocity of a coin after a contact at `t_s`, before run `q` of its chain. If there
    is a run `q`, return the velocity that leads to the beginning of that run; otherwise `lost` is
    subtracted from the velocity before the contact.
    """
    if q < len(chain.begins_s) and chain.begins_s[q] > t_s:
        at = chain.place(np.array([t_s]), slowing)[0]
        way, took_s = chain.starts(slowing)[q] - at, chain.begins_s[q] - t_s
        length = float(np.hypot(*way))
        return np.asarray(
            way / max(length, 1e-9) * first_speed_mm_s(length, took_s, slowing), dtype=np.float64
        )
    since_s = t_s - chain.begins_s[q - 1]
    return velocity_after(chain.velocities[q - 1], since_s, slowing) - lost


def struck_unseen(
    scene: Scene, hypothesis: Hypothesis, c: int, r: int, coin: str, slowing: float
) -> Hypothesis | None:
    """Return the hypothesis in which the coin of chain `c` hit `coin`, which has left its place,
    when run `r` began; None if `coin` did not lie there.
    """
    track, chain = scene.tracks[coin], hypothesis.chains[c]
    if track.before is None or not displaced(track):
        return None
    line = np.asarray(track.before.at_mm) - chain.starts(slowing)[r]
    apart = float(np.hypot(*line))
    lost = chain.incoming(r, slowing) - chain.velocities[r]
    velocity = line * float(line @ lost) / apart**2
    gap_mm = apart - scene.sizes.reach_mm(chain.coin, coin)
    if abs(gap_mm) > 2 * REACH_MM or float(line @ lost) <= 0:
        return None
    struck = slid_from_rest(scene, coin, chain.begins_s[r], velocity)
    return hypothesis.plus(struck).with_touch(c, r, len(hypothesis.chains), 0)


def slid_from_rest(
    scene: Scene, coin: str, t_s: float, velocity: Floats, window_s: Window | None = None
) -> Chain:
    """Return the chain of a coin that was hardly seen moving, assuming that it began to slide at
    about `t_s` from where it lay to where it lies now. The slide began within `window_s` (by
    default within a frame of `t_s`), but not while the coin was seen lying there.
    """
    track, seen = scene.tracks[coin], scene.seen[coin]
    assert track.before is not None
    window_s = window_s or scene.near_frames(t_s)
    if (lay_s := track.lay_until_s) is not None:
        window_s = (max(window_s[0], lay_s), max(window_s[1], lay_s))
    return Chain(
        coin,
        seen.part((seen.t_s >= window_s[0]) & ~seen.in_hand),
        (t_s,),
        velocity[None, :],
        np.asarray(track.before.at_mm),
        (window_s,),
        track.before,
        track.after,
        ((),),
    )


def pushed_aside(
    scene: Scene, hypothesis: Hypothesis, coin: str, slowing: float
) -> Iterator[Hypothesis]:
    """Yield hypotheses in which a sliding coin hit `coin`, which was never seen to slide but has
    left its place, after it was last seen there.
    """
    track = scene.tracks[coin]
    if track.before is None or track.after is None or hypothesis.of(coin):
        return
    at = np.asarray(track.before.at_mm)
    away = np.asarray(track.after.at_mm) - at
    way = float(np.hypot(*away))
    velocity = velocity_over(away, slowing)
    for chain in hypothesis.chains:
        lay_s = -np.inf if track.lay_until_s is None else track.lay_until_s
        if lay_s > chain.last_s:
            continue
        times = np.linspace(max(chain.begins_s[0], lay_s), chain.last_s, 200)
        there = chain.place(times, slowing)
        apart = np.hypot(*(there - at).T)
        gaps_mm = apart - scene.sizes.reach_mm(chain.coin, coin)
        k = int(np.argmin(apart))
        pushed = float((at - there[k]) @ away) / (float(apart[k]) * way + 1e-9)
        if gaps_mm[k] > REACH_MM or pushed < 0.5:
            continue
        # After the contact the chain's path is wrong: the rims may have touched much earlier.
        first = int(np.argmax(gaps_mm <= REACH_MM))
        window = (scene.near_frames(float(times[first]))[0], scene.near_frames(float(times[k]))[1])
        for touch in dict.fromkeys((k, first)):
            t_s = float(times[touch])
            slid = hypothesis.plus(slid_from_rest(scene, coin, t_s, velocity, window))
            near = Near(chain.coin, t_s, window, 0.0, (there[k] - at) / float(apart[k]))
            yield from _touched(scene, slid, len(hypothesis.chains), 0, near, velocity, slowing)


def sightings_of(chain: Chain, r: int) -> NDArray[np.intp]:
    """Return the indices of the chain's sightings during run `r` in which the coin moves."""
    seen = chain.seen
    end_s = chain.begins_s[r + 1] if r + 1 < len(chain.begins_s) else np.inf
    own = (seen.t_s > chain.begins_s[r]) & (seen.t_s <= end_s)
    if chain.goal is not None and end_s == np.inf:
        own &= ~at_rest(seen, chain.goal)
    return np.flatnonzero(own)


def run_misfit(chain: Chain, own: NDArray[np.intp], slowing: float) -> float:
    """Return the misfit of the sightings `own` of a chain, computed as in the fit."""
    off = chain.place(chain.seen.t_s[own], slowing) - chain.seen.xy_mm[own]
    return float(misfit_of(off / chain.seen.sigma_mm[own, None]).sum())


def dropped(hypothesis: Hypothesis, c: int, r: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield hypotheses without the break at which run `r` of chain `c` begins, if one slide may fit
    the sightings of both runs. In these hypotheses, the contact did not happen, or the break right
    before or after is the same contact.
    """
    chain = hypothesis.chains[c]
    before, after = sightings_of(chain, r - 1), sightings_of(chain, r)
    both = np.concatenate((before, after))
    most = 2 * UNEXPLAINED_PRICE + run_misfit(chain, both, slowing)
    if len(both) < 3 or fit_slide(chain.seen.part(both), slowing).misfit < most:
        without = hypothesis.without_run(c, r)
        yield without
        left = without.chains[c].begins_s
        same = [
            q
            for q in range(max(r - 1, 1), min(r + 1, len(left)))
            if abs(left[q] - chain.begins_s[r]) < TIME_SIGMA_S
        ]
        others = (hypothesis.partner(c, r, name) for name in chain.met[r])
        for d, p in (other for other in others if other is not None):
            yield from (without.with_touch(c, q, d, p) for q in same)


def one_after_the_other(hypothesis: Hypothesis, slowing: float) -> Iterator[Hypothesis]:
    """Yield hypotheses in which a coin that hit two coins at one instant hits them one after the
    other instead, in both orders.
    """
    coins = {chain.coin for chain in hypothesis.chains}
    for c, r in multiple_hits(hypothesis):
        chain = hypothesis.chains[c]
        names = [n for n in chain.met[r] if n in coins]
        if r == 0:
            continue
        for name in names:
            partner = hypothesis.partner(c, r, name)
            if partner is None:
                continue
            d, q = partner
            other = hypothesis.chains[d]
            gained = other.velocities[q] - other.incoming(q, slowing)
            between = chain.incoming(r, slowing) - gained
            earlier_s = chain.begins_s[r] - TIME_SIGMA_S
            later = chain.missing(r, name)
            split = later.with_run(r, earlier_s, between, chain.windows_s[r], name)
            yield hypothesis.put(c, split)
