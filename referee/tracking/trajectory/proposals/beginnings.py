"""Proposes how a slide began if nobody saw its beginning: the coin left the place where it lay and
passed through one sighting, bounced off a tile, or hit another coin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from referee.domain.slide import (
    BOUNCE,
    FASTEST_FLICK_MM_S,
    first_speed_mm_s,
    speed_after_mm,
    time_over_s,
)
from referee.tracking.trajectory.hypotheses.chain import (
    Chain,
    carried_on,
    velocity_after,
    velocity_over,
)
from referee.tracking.trajectory.hypotheses.fit import TIME_SIGMA_S
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis
from referee.tracking.trajectory.hypotheses.impacts import outward, square_gap
from referee.tracking.trajectory.hypotheses.runs import Floats, Seen, fit_slide
from referee.tracking.trajectory.hypotheses.scene import REACH_MM, Scene, displaced
from referee.tracking.trajectory.proposals.contacts import causes, sightings_of, slid_from_rest

# Tuned on our own clips, except where a comment gives another source for a number.

# Chosen: the time step of a search along a coin's path. At 2 m/s, the coin moves 3 mm in this time.
STEP_S: Final = 0.0015
# Chosen: two paths show where they cross if the sine of the angle between them is at least this.
LEAST_TURN: Final = 0.1


def leads(scene: Scene, hypothesis: Hypothesis, c: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield hypotheses in which a chain that was first seen away from the place where the coin lay
    gets one more run at its beginning. The new run leads from that place to the backward extension
    of the next run.
    """
    chain = hypothesis.chains[c]
    track = scene.tracks[chain.coin]
    if chain.anchor is not None or track.before is None or hypothesis.of(chain.coin)[0] != c:
        return
    start = np.asarray(track.before.at_mm)
    for lead, _ in _through_sightings(scene, chain, start, slowing):
        led = hypothesis.put(c, lead)
        yield led
        yield from causes(scene, led, c, 1, slowing)
    for lead in off_tiles(scene, chain, start, slowing):
        yield from _set_off(scene, hypothesis.put(c, lead), c, slowing)


def _set_off(scene: Scene, hypothesis: Hypothesis, c: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield `hypothesis`, in which chain `c` got a new beginning, and those in which another coin
    set its coin in motion, or its coin set in motion one whose first run has no known cause.
    """
    yield hypothesis
    yield from causes(scene, hypothesis, c, 0, slowing)
    yield from strikers(scene, hypothesis, c, slowing)
    for d, other in enumerate(hypothesis.chains):
        if d != c and not other.met[0]:
            yield from causes(scene, hypothesis, d, 0, slowing)


def _through_sightings(
    scene: Scene, chain: Chain, start: Floats, slowing: float, set_off_s: float | None = None
) -> Iterator[tuple[Chain, Floats]]:
    """Yield the chain with a new first run through one of the last sightings before the chain, or
    through the chain's own first sighting. Also yield the place (2,) at which the coin then turned.
    The coin left `start` (2,) at `set_off_s`, if that is known.
    """
    track, seen = scene.tracks[chain.coin], scene.seen[chain.coin]
    assert track.before is not None
    own = np.isin(seen.t_s, chain.seen.t_s)
    first = int(np.argmax(own)) if own.any() else 0
    for k in range(max(0, first - 2), min(first + 1, len(own))):
        rest = chain.seen.part(chain.seen.t_s > seen.t_s[k])
        length, seen_s = float(np.hypot(*(seen.xy_mm[k] - start))), float(seen.t_s[k])
        if not len(rest.t_s) or length < REACH_MM:
            continue
        heading, t0 = (seen.xy_mm[k] - start) / length, float(rest.t_s[0])
        left_s = scene.lay_until_s(chain.coin, seen_s)
        for (at, velocity), along, full_hit in _turns(scene, chain, start, heading, t0, slowing):
            speed = float(np.hypot(*velocity))
            behind = float((at - start - heading * along) @ velocity) / speed
            turned_s = t0 + time_over_s(-max(behind, 0.0), speed, slowing)
            if full_hit:  # if the run after the hit is slow, it hardly shows the time of the hit
                latest_s = seen_s + (seen_s - left_s) * (along - length) / length
                soonest_s = seen_s + 2.0 * (along - length) / FASTEST_FLICK_MM_S
                turned_s = max(min(turned_s, latest_s), soonest_s)
            turned_there = abs(along - length) < REACH_MM
            if turned_there:  # the sighting is at the turn, and does not show the speed
                turned_s = max(turned_s, seen_s + TIME_SIGMA_S)
            if along < length - REACH_MM or behind < -REACH_MM or turned_s <= seen_s:
                continue
            came = first_speed_mm_s(along - length, turned_s - seen_s, slowing)
            if turned_there:
                came = max(came, length / max(seen_s - left_s, TIME_SIGMA_S))
            if not 0.5 * speed < came < FASTEST_FLICK_MM_S:
                continue
            began_s = seen_s - length / came if set_off_s is None else set_off_s
            if began_s < left_s - scene.frame_s or began_s >= seen_s:
                continue
            came = came if set_off_s is None else length / (seen_s - began_s)
            mask = own | (np.arange(len(own)) == k)
            led = replace(
                chain, seen=seen.part(mask), velocities=np.vstack([velocity, chain.velocities[1:]])
            ).with_first_run(
                max(began_s, left_s), heading * came, (left_s, seen_s), turned_s, track.before
            )
            led = replace(led, windows_s=(led.windows_s[0], (seen_s, t0), *led.windows_s[2:]))
            yield led, start + heading * along


def _onwards(chain: Chain, from_s: float, slowing: float) -> Iterator[tuple[Floats, Floats]]:
    """Yield the place and the velocity (both (2,)) of a chain's first run at `from_s`, the time of
    a sighting: from all its sightings, and from those since `from_s`, if there are enough.
    """
    velocity = chain.velocities[0]
    at = carried_on(chain.begins_s[0], chain.start_mm, velocity, slowing, np.array([from_s]))
    yield at[0], velocity
    own = sightings_of(chain, 0)
    later = own[chain.seen.t_s[own] >= from_s]
    if 1 < len(later) < len(own):
        slide = fit_slide(chain.seen.part(later), slowing)
        yield slide.at_mm, slide.velocity_mm_s


def _turns(
    scene: Scene, chain: Chain, start: Floats, heading: Floats, from_s: float, slowing: float
) -> Iterator[tuple[tuple[Floats, Floats], float, bool]]:
    """Yield where the coin may have begun the first run of the chain: the place and the velocity of
    that run at `from_s`, how far from `start` along `heading` (both (2,)) it began, and whether by
    a full hit. The coin turned where the two paths cross, or, in a full hit, where it touched a
    coin that was moved. A full hit hardly changes the direction, so the paths themselves do not
    show the place.
    """
    for at, velocity in _onwards(chain, from_s, slowing):
        gap = at - start
        turn = float(heading[0] * velocity[1] - heading[1] * velocity[0])
        if abs(turn) >= LEAST_TURN * float(np.hypot(*velocity)):
            along = float(gap[0] * velocity[1] - gap[1] * velocity[0]) / turn
            yield (at, velocity), along, False
        for coin, track in scene.tracks.items():
            if coin == chain.coin or track.before is None or not displaced(track):
                continue
            away = np.asarray(track.before.at_mm) - start
            aside = float(heading[0] * away[1] - heading[1] * away[0])
            reach_mm = scene.sizes.reach_mm(chain.coin, coin)
            if abs(aside) < reach_mm:
                along = float(away @ heading) - (reach_mm**2 - aside**2) ** 0.5
                yield (at, velocity), along, True


def off_tiles(
    scene: Scene, chain: Chain, start: Floats, slowing: float, set_off_s: float | None = None
) -> Iterator[Chain]:
    """Yield the chain with a new first run from `start` (2,) to a tile from which the next run
    bounced: one that leads through a sighting, or to the side that the next run came from. The coin
    left `start` at `set_off_s`, if that is known.
    """
    for lead, turn in _through_sightings(scene, chain, start, slowing, set_off_s):
        if (name := scene.tile_near(chain.coin, turn)) is not None:
            yield lead.meeting(1, name)
    yield from _off_side(scene, chain, start, slowing, set_off_s)


def _off_side(
    scene: Scene, chain: Chain, start: Floats, slowing: float, set_off_s: float | None
) -> Iterator[Chain]:
    """Yield the chain with a new first run to the side of a tile from which the next run bounced.

    A disc that bounces off a flat side keeps nearly all of its velocity along the side, and a part
    of its velocity across the side.
    """
    turn = _last_side(scene, chain, slowing)
    track = scene.tracks[chain.coin]
    assert track.before is not None
    if turn is None:
        return
    t_s, at, name, leaving = turn
    normal, way = outward(scene.squares[name], at[None, :])[0], at - start
    length = float(np.hypot(*way))
    if length < 1.0 or float(leaving @ normal) <= 0 or not _clear(scene, chain.coin, start, at):
        return
    heading = way / length
    side = np.array([-normal[1], normal[0]])
    across, along = -float(heading @ normal), float(heading @ side)
    if across < 0.1:
        return
    kept = float(leaving @ side) / along if abs(along) > BOUNCE else 0.0
    speed = kept if kept else float(leaving @ normal) / (BOUNCE * across)
    if set_off_s is not None:
        speed = length / max(t_s - set_off_s, TIME_SIGMA_S)
    if not BOUNCE * float(np.hypot(*leaving)) < speed < FASTEST_FLICK_MM_S:
        return
    took_s = length / speed
    if t_s - took_s < scene.lay_until_s(chain.coin, t_s) - 2 * scene.frame_s:
        return
    window = (t_s - (1 + BOUNCE) * took_s, t_s - (1 - BOUNCE) * took_s)
    first_s = float(chain.seen.t_s[0]) if len(chain.seen.t_s) else t_s
    led = replace(chain, seen=_with_earlier(scene, chain, start, at, min(t_s, first_s)))
    velocity = heading * first_speed_mm_s(length, took_s, slowing)
    led = led.with_first_run(t_s - took_s, velocity, window, t_s, track.before)
    yield led.meeting(1, name)


def _last_side(
    scene: Scene, chain: Chain, slowing: float
) -> tuple[float, Floats, str, Floats] | None:
    """Extrapolate the chain's first run backward to the time when the coin still lay at its place.
    Return the last time and place at which this path reached a tile, the tile's name, and the
    velocity then; None if it reached no tile.
    """
    t0, velocity = chain.begins_s[0], chain.velocities[0]
    first_s = max(scene.lay_until_s(chain.coin, t0), scene.span_s[0])
    times = np.arange(t0, first_s, -STEP_S)
    back = carried_on(t0, np.asarray(chain.start_mm), velocity, slowing, times)
    reached = side_reached(scene, chain.coin, back)
    if reached is None:
        return None
    k, name, gap_mm = reached
    if k == 0 and gap_mm <= -REACH_MM:
        return None
    leaving = velocity_after(velocity, float(times[k]) - t0, slowing)
    return float(times[k]), back[k], name, leaving


def side_reached(scene: Scene, coin: str, places: Floats) -> tuple[int, str, float] | None:
    """Return the index of the first of the `places` (n, 2) at which a coin reaches a tile, that
    tile, and the gap to it there, at most 0; None if it reaches none.
    """
    gaps = {
        name: square_gap(corners, places) - 0.5 * scene.sizes.width_mm(coin)
        for name, corners in scene.squares.items()
    }
    touching = np.min(list(gaps.values()), axis=0) <= 0.0 if gaps else np.zeros(1, dtype=bool)
    if not touching.any():
        return None
    k = int(np.argmax(touching))
    name = min(gaps, key=lambda n: gaps[n][k])
    return k, name, float(gaps[name][k])


def _clear(scene: Scene, coin: str, start: Floats, end: Floats) -> bool:
    """Return whether the coin can slide from one place of its centre to another without hitting a
    tile.
    """
    way = start + (end - start) * np.linspace(0.0, 1.0, 30)[:, None]
    least = 0.5 * scene.sizes.width_mm(coin) - REACH_MM
    return all(float(square_gap(c, way).min()) > least for c in scene.squares.values())


def _with_earlier(scene: Scene, chain: Chain, start: Floats, end: Floats, until_s: float) -> Seen:
    """Return the chain's sightings and all sightings before `until_s` that lie between two
    places.
    """
    seen = scene.seen[chain.coin]
    gone, aside = seen.along(start, end - start)
    on = (gone > REACH_MM) & (gone < float(np.hypot(*(end - start)))) & (aside < REACH_MM)
    return seen.part((on & (seen.t_s < until_s)) | np.isin(seen.t_s, chain.seen.t_s))


def strikers(scene: Scene, hypothesis: Hypothesis, c: int, slowing: float) -> Iterator[Hypothesis]:
    """Yield hypotheses in which the coin of chain `c` was set in motion by another coin, which was
    hidden at that time.
    """
    chain = hypothesis.chains[c]
    speed = float(np.hypot(*chain.velocities[0]))
    if chain.anchor is None or chain.met[0] or speed < 1.0:
        return
    for coin in scene.tracks:
        if coin != chain.coin:
            yield from _struck_by(scene, hypothesis, c, coin, slowing)


def _struck_by(
    scene: Scene, hypothesis: Hypothesis, c: int, coin: str, slowing: float
) -> Iterator[Hypothesis]:
    """Yield hypotheses in which `coin` slid from its place to a contact with the coin of chain `c`.
    Its velocity before the contact was the sum of both coins' velocities after it. If `coin` lay
    beside that coin from the beginning, the same hand may instead have set both in motion.
    """
    chain, track = hypothesis.chains[c], scene.tracks[coin]
    t_s, velocity = chain.begins_s[0], chain.velocities[0]
    reach_mm = scene.sizes.reach_mm(chain.coin, coin)
    touch = np.asarray(chain.start_mm) - reach_mm * velocity / float(np.hypot(*velocity))
    later = _after_hit(scene, hypothesis, coin, t_s, touch, slowing)
    if track.before is None or later is None:
        return
    touch, after = later
    own, start = hypothesis.of(coin), np.asarray(track.before.at_mm)
    beside = float(np.hypot(*(start - chain.start_mm))) - reach_mm
    if not own and abs(beside) < REACH_MM:
        both = hypothesis.plus(slid_from_rest(scene, coin, t_s, after))
        yield both.with_touch(len(hypothesis.chains), 0, c, 0)
    way, came = touch - start, velocity + after
    length, coming = float(np.hypot(*way)), float(np.hypot(*came))
    if length < 0.5 or coming > FASTEST_FLICK_MM_S or float(way @ came) < 0.5 * length * coming:
        return
    began_s = t_s + time_over_s(-length, coming, slowing)
    left_s = scene.lay_until_s(coin, t_s)
    if began_s < left_s - 2 * scene.frame_s:
        return
    hit, window = scene.near_frames(t_s), (left_s, t_s)
    slid = (
        hypothesis.chains[own[0]]
        if own
        else slid_from_rest(scene, coin, t_s + scene.frame_s, after)
    )
    slid = replace(slid, seen=_with_earlier(scene, slid, start, touch, t_s))
    first = way / length * speed_after_mm(-length, coming, slowing)
    led = slid.with_first_run(began_s, first, window, t_s, track.before)
    led = replace(led, windows_s=(window, hit, *led.windows_s[2:]))
    d = own[0] if own else len(hypothesis.chains)
    struck = hypothesis.put(d, led) if own else hypothesis.plus(led)
    yield struck.with_touch(d, 1, c, 0)


def _after_hit(
    scene: Scene, hypothesis: Hypothesis, coin: str, t_s: float, touch: Floats, slowing: float
) -> tuple[Floats, Floats] | None:
    """Return the place of a hidden striker at the hit, near `touch` (2,), and its velocity after
    the hit, as far as its later sightings or its final place show them; None if these show that it
    was somewhere else.
    """
    own, track = hypothesis.of(coin), scene.tracks[coin]
    if not own:
        if track.after is None or not displaced(track):
            return None
        left = np.asarray(track.after.at_mm) - touch
        near = float(np.hypot(*left)) < 2 * scene.sizes.width_mm(coin)
        return (touch, velocity_over(left, slowing)) if near else None
    other = hypothesis.chains[own[0]]
    begin, velocity = other.begins_s[0], other.velocities[0]
    if other.anchor is not None or begin < t_s - scene.frame_s:
        return None
    back = carried_on(begin, other.start_mm, velocity, slowing, np.array([t_s]))[0]
    reached = float(np.hypot(*(back - touch))) < 2 * REACH_MM
    return (back, velocity_after(velocity, t_s - begin, slowing)) if reached else None
