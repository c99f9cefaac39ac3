"""Proposes that a coin was flicked into another coin before either of them was seen moving: between
the same two frames, or while a hand lay over them. Either of them may also have bounced off a tile
in that time.

The coin that was hit leaves along the line of centres. So its path shows where the flicked coin was
at the hit. The flicked coin came with the sum of the velocities that both coins have after the hit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from referee.domain.slide import FASTEST_FLICK_MM_S, speed_after_mm, time_over_s
from referee.tracking.trajectory.hypotheses.chain import (
    Chain,
    carried_on,
    velocity_after,
    velocity_over,
)
from referee.tracking.trajectory.hypotheses.fit import TIME_SIGMA_S
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis
from referee.tracking.trajectory.hypotheses.runs import Floats
from referee.tracking.trajectory.hypotheses.scene import REACH_MM, Scene, at_rest, displaced
from referee.tracking.trajectory.proposals.beginnings import off_tiles
from referee.tracking.trajectory.proposals.contacts import slid_from_rest


def unseen_hits(
    scene: Scene, hypothesis: Hypothesis, c: int, slowing: float
) -> Iterator[Hypothesis]:
    """Yield hypotheses in which the coin of chain `c` was hit by a coin that was flicked at it,
    before either of them was seen moving.
    """
    coin = hypothesis.chains[c].coin
    if scene.tracks[coin].before is None or hypothesis.of(coin)[0] != c:
        return
    for struck in _set_off(scene, hypothesis.chains[c], slowing):
        hit_s, velocity = struck.begins_s[0], struck.velocities[0]
        away = velocity / max(float(np.hypot(*velocity)), 1e-9)
        for striker in scene.tracks:
            lay = scene.tracks[striker].before
            if striker == coin or lay is None or not scene.hand_at(striker, hit_s, hit_s):
                continue
            touch = struck.start_mm - scene.sizes.reach_mm(coin, striker) * away
            since_s = hit_s - scene.lay_until_s(striker, hit_s) + 2 * scene.frame_s
            reach_mm = FASTEST_FLICK_MM_S * since_s
            if not 0.5 < float(np.hypot(*(touch - lay.at_mm))) < reach_mm:
                continue
            for left in _left(scene, hypothesis, striker, touch, hit_s, slowing):
                for came in _came(scene, left, velocity, slowing):
                    own, rest = hypothesis.of(striker), hypothesis.put(c, struck)
                    d = own[0] if own else len(hypothesis.chains)
                    both = rest.put(d, came) if own else rest.plus(came)
                    yield both.with_touch(d, len(came.begins_s) - len(left.begins_s), c, 0)


def _set_off(scene: Scene, chain: Chain, slowing: float) -> Iterator[Chain]:
    """Yield the chain with a beginning at the place where the coin lay: straight from there, and
    after a bounce off a tile.
    """
    lay = scene.tracks[chain.coin].before
    assert lay is not None
    if chain.anchor is not None and not chain.met[0]:
        yield chain
    seen = _from_first_sighting(chain, slowing)
    if seen is not None:
        yield from off_tiles(scene, seen, np.asarray(lay.at_mm), slowing)


def _left(
    scene: Scene, hypothesis: Hypothesis, coin: str, touch: Floats, hit_s: float, slowing: float
) -> Iterator[Chain]:
    """Yield chains in which a flicked coin goes on from `touch` (2,), where it hit another coin: to
    the place where it was first seen moving, perhaps after a bounce off a tile, or else to where it
    lies now.
    """
    own, track = hypothesis.of(coin), scene.tracks[coin]
    hit = scene.near_frames(hit_s)
    seen = _from_first_sighting(hypothesis.chains[own[0]], slowing) if own else None
    if seen is None:
        if track.after is None or track.before is None or not displaced(track):
            return
        way = np.asarray(track.after.at_mm) - touch
        if float(np.hypot(*way)) < 2 * scene.sizes.width_mm(coin):
            slid = slid_from_rest(scene, coin, hit_s, velocity_over(way, slowing), hit)
            later = slid.seen.t_s > hit_s
            yield replace(slid, anchor=None, start_mm=touch, seen=slid.seen.part(later))
        return
    if seen.begins_s[0] <= hit_s:
        return
    back = carried_on(
        seen.begins_s[0], seen.start_mm, seen.velocities[0], slowing, np.array([hit_s])
    )
    if float(np.hypot(*(back[0] - touch))) < 0.5 * scene.sizes.width_mm(coin) + REACH_MM:
        velocity = velocity_after(seen.velocities[0], hit_s - seen.begins_s[0], slowing)
        yield replace(
            seen,
            begins_s=(hit_s, *seen.begins_s[1:]),
            velocities=np.vstack([velocity, seen.velocities[1:]]),
            start_mm=touch,
            windows_s=(hit, *seen.windows_s[1:]),
        )
    for off in off_tiles(scene, seen, touch, slowing, hit_s):
        yield replace(
            off,
            anchor=None,
            begins_s=(min(hit_s, off.begins_s[1] - TIME_SIGMA_S), *off.begins_s[1:]),
            start_mm=touch,
            windows_s=(hit, *off.windows_s[1:]),
        )


def _came(scene: Scene, left: Chain, struck: Floats, slowing: float) -> Iterator[Chain]:
    """Yield chains in which a coin slid from where it lay to a hit, straight or after a bounce off
    a tile. After the hit it has the chain `left`, and the coin that it hit has the velocity
    `struck` (2,).
    """
    coin, hit_s, came = left.coin, left.begins_s[0], struck + left.velocities[0]
    lay = scene.tracks[coin].before
    assert lay is not None
    start, coming = np.asarray(lay.at_mm), float(np.hypot(*came))
    way = left.start_mm - start
    length = float(np.hypot(*way))
    if not 1.0 < coming < FASTEST_FLICK_MM_S:
        return
    began_s = hit_s + time_over_s(-length, coming, slowing)
    until_s = scene.lay_until_s(coin, hit_s)
    window = (until_s, hit_s)
    straight = float(way @ came) > 0.5 * length * coming or length < 2 * REACH_MM
    if straight and began_s > until_s - 2 * scene.frame_s:
        first = way / length * speed_after_mm(-length, coming, slowing)
        led = left.with_first_run(began_s, first, window, hit_s, lay)
        yield replace(led, windows_s=(window, *left.windows_s))
    before = left.with_run(0, hit_s - TIME_SIGMA_S, came, left.windows_s[0])
    yield from off_tiles(scene, before, start, slowing)


def _from_first_sighting(chain: Chain, slowing: float) -> Chain | None:
    """Return the chain from the first sighting in which the coin moves; None if there is none."""
    moving = chain.seen.t_s > chain.begins_s[0]
    for rest in (chain.anchor, chain.goal):
        moving &= ~at_rest(chain.seen, rest) if rest is not None else True
    if chain.anchor is None:
        moving = chain.seen.t_s >= chain.begins_s[0]
    if not moving.any():
        return None
    first_s = float(chain.seen.t_s[moving][0])
    r = sum(begin_s <= first_s for begin_s in chain.begins_s) - 1
    if r < 0:
        return None
    velocity = velocity_after(chain.velocities[r], first_s - chain.begins_s[r], slowing)
    if not velocity.any():
        return None
    return replace(
        chain,
        seen=chain.seen.part(chain.seen.t_s >= first_s),
        begins_s=(first_s, *chain.begins_s[r + 1 :]),
        velocities=np.vstack([velocity, chain.velocities[r + 1 :]]),
        start_mm=chain.place(np.array([first_s]), slowing)[0],
        windows_s=((first_s, first_s), *chain.windows_s[r + 1 :]),
        anchor=None,
        met=((), *chain.met[r + 1 :]),
    )
