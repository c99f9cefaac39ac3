"""Fits paths to the sightings of an episode: every coin's slides and what they hit, all together.

Each coin's sightings are cut into stretches without collisions (`runs`). These are drafted as
slides between places of rest (`smooth_draft`) and fitted with continuous joints. Slides are linked
where coins or tiles touched (`smooth_links`), and all coins are fitted once more together
(`smooth_fit`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.geometry import square_corners
from referee.domain.path import Held, Path, Run
from referee.domain.sighting import Sighting
from referee.domain.slide import USUAL_SLOWING_MM_S2, standing_after_s
from referee.tracking.trajectory.prices import BREAK_PRICE, CROWD_PRICE, UNEXPLAINED_PRICE
from referee.tracking.trajectory.runs import Seen, Stretch, Sums, cut
from referee.tracking.trajectory.sighting_bias import without_offset
from referee.tracking.trajectory.smooth_chain import Chain
from referee.tracking.trajectory.smooth_doubt import lack_of_fit, with_bounces
from referee.tracking.trajectory.smooth_draft import Draft, draft_coin
from referee.tracking.trajectory.smooth_fit import (
    STEP_MM,
    STEP_S,
    STEP_SHARE,
    Fit,
    Problem,
    fit,
    motion,
)
from referee.tracking.trajectory.smooth_links import Linked, link, run_starts
from referee.tracking.trajectory.smooth_rebound import led_off

# Tuned on our own clips, except where a comment gives another source for a number.

# Standard uncertainty of the logarithm of the deceleration: two of them cover 500 to 6000 mm/s2,
# from waxed to rough.
SLOWING_SHARE: Final = 0.5
# The limits of the search for the deceleration. No table is smoother or rougher.
LEAST_SLOWING_MM_S2: Final = 400.0
MOST_SLOWING_MM_S2: Final = 7000.0
# So many decelerations are tried when cutting, over two standard uncertainties to either side.
SLOWING_TRIES: Final = 11
# While breaks are tested, the deceleration is almost fixed: a wrong one would hide a break.
KNOWN_SHARE: Final = 0.05
# a fit cannot be better: limits are the scale, heights and flatness of the table
LEAST_SIGMA_MM: Final = 0.06
# Sightings share errors of the calibration. So their mean is never better than this share of one
# sighting's error.
LEAST_SHARE: Final = 0.15
LEAST_SIGMA_MM_S: Final = 1.5  # the same for velocities
SIMULTANEOUS_FRAMES: Final = 0.25  # drafts that are so close to simultaneous may be right
MOST_CROWDED: Final = 3  # at most so many hits on two coins at once are examined in one flick
IDLE_MM: Final = 1.5  # a shorter first run is noise of a coin at rest
# a stretch in a hand ends where the slide begins, if that follows within this time
JOIN_S: Final = 0.05
RESTING_FRAMES: Final = 2  # enough to tell when a coin started or came to rest
REST_SIGMA_MM: Final = 0.3  # of a place about which nothing is known


def smooth_episode(
    episode: Episode, *, slowing_prior: tuple[float, float] | None = None
) -> tuple[Path, ...]:
    """Return the paths of all the episode's coins, in the order of its tracks.

    `slowing_prior` is what earlier episodes showed about the deceleration on this table: its mean
    in mm/s2 and the standard uncertainty of its logarithm (see `learnt_slowing`). A coin that never
    moved has a path without runs.
    """
    prior = slowing_prior or (USUAL_SLOWING_MM_S2, SLOWING_SHARE)
    as_seen, episode = (
        episode.tracks,
        replace(
            episode,
            tracks=tuple(with_rests(without_offset(t), episode.frames) for t in episode.tracks),
        ),
    )
    drafts, slowing = _drafts(episode, prior)
    chains = tuple(c for d in drafts for c in d.chains)
    if not chains:
        return tuple(_path(t, d.held, ()) for t, d in zip(as_seen, drafts, strict=True))
    frame_s = _frame_s(episode)
    tentative, known = (slowing, min(prior[1], 0.2)), (slowing, KNOWN_SHARE)
    chains = tuple(_pruned(episode, c, known, BREAK_PRICE) for c in chains)
    chains = tuple(c for c in (_without_idle(c, slowing) for c in chains) if c is not None)
    first = _fitted(episode, Linked(chains, (), ()), tentative)
    fitted = tuple(
        c
        for c in (_without_idle(c, first.slowing_mm_s2) for c in _updated(chains, first))
        if c is not None
    )
    broken = _bounced(episode, fitted, prior, first.slowing_mm_s2)
    if any(b is not chain for b, chain in zip(broken, fitted, strict=True)):
        first = _fitted(
            episode, Linked(broken, (), ()), prior, first.slowing_mm_s2
        )  # an unknown bounce looked like friction
        fitted = _updated(broken, first)
    linked = link(
        episode,
        led_off(episode, fitted, first.slowing_mm_s2, frame_s),
        first.slowing_mm_s2,
        frame_s,
    )
    linked = _explained(episode, linked, (first.slowing_mm_s2, KNOWN_SHARE))
    linked, last = _uncrowded(episode, linked, prior, first.slowing_mm_s2, frame_s)
    final = _updated(linked.chains, last)
    return tuple(
        _path(t, _still_held(t, d, final), _runs(t.coin, final, linked.chains, last))
        for t, d in zip(as_seen, drafts, strict=True)
    )


def learnt_slowing(
    paths: Sequence[Path], prior: tuple[float, float] | None = None
) -> tuple[float, float] | None:
    """Estimate the deceleration from the paths and from what was known before. Return its mean in
    mm/s2 and the uncertainty of its logarithm.

    None when no coin slid well enough and nothing was known before.
    """
    lengths = [
        r.speed_mm_s * (min(r.end_s, r.stop_s) - r.begin_s)
        for p in paths
        for r in p.runs
        if r.sightings >= 5
    ]
    if not lengths or max(lengths) < 50.0:
        return prior
    slowing = next(r.slowing_mm_s2 for p in paths for r in p.runs)
    share = 0.15
    if prior is None:
        return slowing, share
    weight, known = share**-2, min(prior[1] ** -2, 0.05**-2)
    mean = float(np.exp((np.log(slowing) * weight + np.log(prior[0]) * known) / (weight + known)))
    return mean, float((weight + known) ** -0.5)


def with_rests(track: CoinTrack, frames: Sequence[Frame]) -> CoinTrack:
    """Return the track with sightings added for the times when the coin lay still before and after
    it moved.

    Sightings are recorded only while a coin may move. So the coin is at rest in the frames before
    it was first seen moving or hidden, and in those after it last was, unless a hand is at it. Two
    such frames at either end show when the coin started and when it came to rest.
    """
    if not track.sightings:
        return track
    first, last = track.sightings[0].frame, track.sightings[-1].frame
    first, last = min(first, *track.hidden_frames, first), max(last, *track.hidden_frames, last)
    lying = [f for f in frames if f.number not in track.hand_frames]
    earlier = [
        _lying(track.coin, f, track.before)
        for f in lying
        if f.number < first and track.before is not None
    ]
    later = [
        _lying(track.coin, f, track.after)
        for f in lying
        if f.number > last and track.after is not None
    ]
    return replace(
        track, sightings=(*earlier[-RESTING_FRAMES:], *track.sightings, *later[:RESTING_FRAMES])
    )


def _lying(coin: str, frame: Frame, rest: Rest | None) -> Sighting:
    assert rest is not None
    return Sighting(coin, frame.number, frame.t_s, rest.at_mm, max(rest.sigma_mm, REST_SIGMA_MM))


def _frame_s(episode: Episode) -> float:
    """Return the usual time between frames; a thirtieth of a second where there are too few
    frames.
    """
    times = np.array([f.t_s for f in episode.frames])
    return float(np.median(np.diff(times))) if len(times) > 1 else 1 / 30


def _seen(track: CoinTrack) -> Seen:
    s = track.sightings
    return Seen(
        np.array([x.t_s for x in s]),
        np.array([x.at_mm for x in s], dtype=np.float64).reshape(-1, 2),
        np.array([x.sigma_mm for x in s]),
    )


def _drafts(episode: Episode, prior: tuple[float, float]) -> tuple[list[Draft], float]:
    """Return every coin's draft, and the deceleration at which cutting the sightings of all coins
    costs least.
    """
    seen = {t.coin: _seen(t) for t in episode.tracks if t.sightings}
    sums = {coin: Sums(s) for coin, s in seen.items()}
    tries = np.clip(
        prior[0] * np.exp(prior[1] * np.linspace(-2.0, 2.0, SLOWING_TRIES)),
        LEAST_SLOWING_MM_S2,
        MOST_SLOWING_MM_S2,
    )
    best: tuple[float, float, dict[str, tuple[Stretch, ...]]] | None = None
    for slowing in tries:
        cuts = {
            t.coin: cut(seen[t.coin], sums[t.coin], t.before, t.after, slowing)
            for t in episode.tracks
            if t.coin in seen
        }
        cost = sum(c for c, _ in cuts.values()) + float(np.log(slowing / prior[0]) / prior[1]) ** 2
        if best is None or cost < best[0]:
            best = (cost, float(slowing), {coin: s for coin, (_, s) in cuts.items()})
    assert best is not None
    span = (episode.frames[0].t_s, episode.frames[-1].t_s) if episode.frames else (0.0, 0.0)
    drafts = [
        draft_coin(
            t, seen.get(t.coin, _seen(t)), best[2].get(t.coin, ()), best[1], span, _frame_s(episode)
        )
        for t in episode.tracks
    ]
    return drafts, best[1]


def _pruned(episode: Episode, chain: Chain, prior: tuple[float, float], price: float) -> Chain:
    """Return the chain without the breaks that lower the chi-square by less than their price. What
    the coin hit is not considered here.
    """
    if len(chain.begins_s) < 2:
        return chain
    cost = _fitted(episode, Linked((chain,), (), ()), prior).misfit
    for r in range(len(chain.begins_s) - 1, 0, -1):
        if chain.met[r]:
            continue
        without = chain.without_run(r)
        least = _fitted(episode, Linked((without,), (), ()), prior).misfit
        if least < cost + price:
            chain, cost = without, least
    return chain


def _without_idle(chain: Chain, slowing: float) -> Chain | None:
    """Return the chain without the first runs in which the coin did not move away; None where it
    never did.
    """
    while chain.anchor is not None and len(chain.begins_s) > 1:
        turned = run_starts(chain, slowing)[1]
        if float(np.hypot(*(turned - chain.start_mm))) > IDLE_MM:
            return chain
        chain = replace(chain.without_run(0), start_mm=chain.start_mm)
    way = float((chain.velocities**2).sum()) / (2 * slowing)
    return chain if way > IDLE_MM or chain.goal is None else None


def _bounced(
    episode: Episode, chains: tuple[Chain, ...], prior: tuple[float, float], slowing: float
) -> tuple[Chain, ...]:
    """Return the chains with a bounce off a tile added to each run that contradicts its sightings,
    where the bounce explains them much better.
    """
    tile_mm = episode.course_before.tile_mm
    squares = [
        np.array(square_corners(t.centre_mm, tile_mm, t.rotation_deg))
        for t in episode.course_before.tiles.values()
    ]

    def misfit(chain: Chain) -> float:
        return _fitted(episode, Linked((chain,), (), ()), prior, slowing).misfit

    return tuple(
        with_bounces(chain, squares, episode.sizes.coin_mm, slowing, misfit, BREAK_PRICE)
        for chain in chains
    )


def _explained(episode: Episode, linked: Linked, prior: tuple[float, float]) -> Linked:
    """Return the linked chains without the breaks that neither a contact nor the sightings alone
    require.
    """
    for c, chain in enumerate(linked.chains):
        if all(m or r == 0 for r, m in enumerate(chain.met)):
            continue
        pruned = _pruned(episode, chain, prior, UNEXPLAINED_PRICE)
        gone = [r for r, b in enumerate(chain.begins_s) if b not in pruned.begins_s]
        for r in sorted(gone, reverse=True):
            linked = linked.without_run(c, r)
    return linked


def _uncrowded(
    episode: Episode, linked: Linked, prior: tuple[float, float], slowing: float, frame_s: float
) -> tuple[Linked, Fit]:
    """Return the fit of the linked chains. Where one run hit two coins at once, the coins are hit
    one after the other if that fits about as well.
    """
    fitted = _fitted(episode, linked, prior, slowing)
    for _ in range(MOST_CROWDED):
        apart = linked.with_hits_split(SIMULTANEOUS_FRAMES * frame_s)
        if apart is None:
            break
        refitted = _fitted(episode, apart, prior, slowing)
        if refitted.misfit > fitted.misfit + CROWD_PRICE:
            break
        linked, fitted = apart, refitted
    return linked, fitted


def _fitted(
    episode: Episode, linked: Linked, prior: tuple[float, float], slowing: float | None = None
) -> Fit:
    return fit(
        Problem(
            linked.chains,
            linked.touches,
            linked.bumps,
            episode.sizes.coin_mm,
            episode.exposure_s,
            prior,
            slowing or prior[0],
        )
    )


def _updated(chains: Sequence[Chain], fitted: Fit) -> tuple[Chain, ...]:
    """Return the chains with the fitted values in place of the draft's."""
    new = []
    for chain, slot in zip(chains, fitted.slots, strict=True):
        begins = tuple(
            float(fitted.theta[s]) if s >= 0 else chain.begins_s[r]
            for r, s in enumerate(slot.instants)
        )
        velocities = fitted.theta[slot.velocity : slot.velocity + chain.velocities.size].reshape(
            -1, 2
        )
        new.append(
            replace(
                chain,
                begins_s=begins,
                velocities=velocities,
                start_mm=fitted.theta[slot.start : slot.start + 2],
            )
        )
    return tuple(new)


def _still_held(track: CoinTrack, draft: Draft, chains: Sequence[Chain]) -> tuple[Held, ...]:
    """Return the draft's stretches in a hand, without those that slides now explain. Each ends
    where the next slide begins.
    """
    own = [c for c in chains if c.coin == track.coin]
    if own and not draft.chains:
        return ()
    held = []
    for stretch in draft.held:
        following = next(
            (
                c
                for c in own
                if abs(c.begins_s[0] - stretch.end_s) < JOIN_S
                and (c.anchor is None or len(draft.chains) == len(own))
            ),
            None,
        )
        if following is not None and following.begins_s[0] > stretch.begin_s:
            held.append(replace(stretch, end_s=following.begins_s[0]))
        elif not any(stretch.begin_s - JOIN_S < c.begins_s[0] < stretch.end_s for c in own):
            held.append(stretch)
    return tuple(held)


def _path(track: CoinTrack, held: Sequence[Held], runs: Sequence[Run]) -> Path:
    before, after = track.before, track.after
    return Path(
        track.coin,
        tuple(runs),
        track.sightings,
        before.at_mm if before else None,
        before.sigma_mm if before else REST_SIGMA_MM,
        after.at_mm if after else None,
        after.sigma_mm if after else REST_SIGMA_MM,
        tuple(held),
    )


def _runs(coin: str, final: Sequence[Chain], drafts: Sequence[Chain], fitted: Fit) -> list[Run]:
    runs = []
    for c, chain in enumerate(final):
        if chain.coin != coin:
            continue
        starts = run_starts(chain, fitted.slowing_mm_s2)
        for r, (begin, start, velocity) in enumerate(
            zip(chain.begins_s, starts, chain.velocities, strict=True)
        ):
            speed = float(np.hypot(*velocity))
            heading = velocity / speed if speed > 0 else np.array([1.0, 0.0])
            last = r + 1 == len(chain.begins_s)
            end = _end(chain, begin, speed, fitted.slowing_mm_s2) if last else chain.begins_s[r + 1]
            count = int(((chain.seen.t_s >= begin) & (chain.seen.t_s <= end)).sum())
            run = Run(
                begin,
                end,
                (float(start[0]), float(start[1])),
                (float(heading[0]), float(heading[1])),
                speed,
                fitted.slowing_mm_s2,
                0.0,
                0.0,
                count,
                chain.met[r],
            )
            sigma, sigma_speed = _uncertainties(drafts[c], c, r, run, fitted)
            lack = lack_of_fit(run, chain.seen)
            runs.append(replace(run, sigma_mm=float(np.hypot(sigma, lack)), sigma_mm_s=sigma_speed))
    return runs


def _end(chain: Chain, begin: float, speed: float, slowing: float) -> float:
    """Return when the chain's last run ends: where friction stops the coin, or where a lost coin
    was last seen.
    """
    stop = begin + standing_after_s(speed, slowing)
    if chain.goal is not None:
        return stop
    return min(stop, max(begin, float(chain.seen.t_s[-1]))) if len(chain.seen.t_s) else stop


def _uncertainties(chain: Chain, c: int, r: int, run: Run, fitted: Fit) -> tuple[float, float]:
    """Return a run's uncertainties: of the place in its middle along each axis (mm), and of its
    velocity (mm/s).
    """
    slot, theta = fitted.slots[c], fitted.theta
    own = sorted(
        {
            0,
            slot.start,
            slot.start + 1,
            *(s for s in slot.instants if s >= 0),
            *range(slot.velocity, slot.velocity + chain.velocities.size),
        }
    )
    steps = np.where(np.array(own) == 0, STEP_SHARE, STEP_MM)
    steps[np.isin(own, [s for s in slot.instants if s >= 0])] = STEP_S
    batch = np.tile(theta, (len(own) + 1, 1))
    batch[np.arange(1, len(own) + 1), own] += steps
    end = min(run.end_s, run.stop_s)
    times = np.array([run.begin_s, 0.5 * (run.begin_s + end), end])
    moved = motion(batch, chain, slot)
    if run.sightings == 0 and r + 1 < len(
        chain.begins_s
    ):  # the run goes between two known places: only the time is uncertain
        times = (
            moved.begins_s[:, r, None]
            + np.array([0.0, 0.5, 1.0]) * (moved.begins_s[:, r + 1] - moved.begins_s[:, r])[:, None]
        )
    places = moved.run_place(r, times)
    slope = ((places[1:] - places[0]) / steps[:, None, None]).transpose(1, 2, 0)
    spread = np.einsum("pan,nm,pam->p", slope, fitted.covariance[np.ix_(own, own)], slope) / 2
    sigmas = np.sqrt(np.maximum(spread, 0.0))
    floor = max(
        LEAST_SIGMA_MM,
        (
            LEAST_SHARE * float(np.median(chain.seen.sigma_mm))
            if len(chain.seen.sigma_mm)
            else REST_SIGMA_MM
        ),
    )
    middle = float(np.hypot(sigmas[1], floor))
    half = max(0.5 * (end - run.begin_s), 1e-3)
    growth = (
        float(np.sqrt(max(float(max(sigmas[0], sigmas[2])) ** 2 - float(sigmas[1]) ** 2, 0.0)))
        / half
    )
    return middle, float(np.hypot(growth, LEAST_SIGMA_MM_S))
