"""Fits paths to the sightings of an episode: the slides of all coins together, with what they hit.

`search` compares hypotheses about the whole flick by their costs. For each hypothesis, `fit` makes
one least-squares fit of the coins that it concerns. `paths` makes the paths from the cheapest
hypothesis.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.layout import Course
from referee.domain.path import Path
from referee.domain.sighting import Sighting
from referee.domain.slide import USUAL_SLOWING_MM_S2
from referee.tracking.trajectory.hypotheses.evaluation import problem, updated
from referee.tracking.trajectory.hypotheses.fit import Fit, fit
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis, held_spans
from referee.tracking.trajectory.hypotheses.scene import Scene, at_rest, scene_of
from referee.tracking.trajectory.paths import REST_SIGMA_MM, paths_of
from referee.tracking.trajectory.proposals.first_hypothesis import first_hypothesis
from referee.tracking.trajectory.search import Found, search
from referee.tracking.trajectory.sighting_bias import without_offset

# Tuned on our own clips, except where a comment gives another source for a number.

# Standard uncertainty of the logarithm of the deceleration. Two standard uncertainties in each
# direction cover 500 to 6000 mm/s2, from waxed tables to rough ones.
SLOWING_SHARE: Final = 0.5
# The uncertainty of the deceleration's logarithm while hypotheses are compared. It is smaller than
# `SLOWING_SHARE`, because a deceleration that is free to differ much would explain a contact away.
# Measured: with 0.5, one contact of paper coins on laminate is missed, and one flick is reported
# that did not happen.
COMPARED_SHARE: Final = 0.3
#: The mean of the deceleration, mm/s2, and the uncertainty of its logarithm.
PRIOR: Final = (USUAL_SLOWING_MM_S2, SLOWING_SHARE)
#: By definition: three standard uncertainties (`SLOWING_SHARE`) below the usual deceleration.
LEAST_SLOWING_MM_S2: Final = USUAL_SLOWING_MM_S2 * math.exp(-3.0 * SLOWING_SHARE)
RESTING_FRAMES: Final = 2  # enough frames to show when a coin started or came to rest


def smooth_episode(episode: Episode) -> tuple[Path, ...]:
    """Return the paths of all the episode's coins, in the order of its tracks. A coin that never
    moved has a path without runs.
    """
    scene, found = _searched(episode)
    scored, best = found.best, found.best.hypothesis
    fitted = _fitted(scene, best, scored.slowing)
    if fitted is not None and fitted.slowing_mm_s2 < LEAST_SLOWING_MM_S2:
        best = _carried(best)
        fitted = _fitted(scene, best, scored.slowing)
    final = updated(best.chains, fitted) if fitted is not None else ()
    paths = paths_of(scene, episode.tracks, replace(best, chains=final), fitted, PRIOR)
    return tuple(
        replace(p, possible_hits=found.possible_hits.get(p.coin, ())) if p.runs else p
        for p in paths
    )


def _fitted(scene: Scene, best: Hypothesis, slowing: float) -> Fit | None:
    """Return the final fit of a hypothesis; None if no coin slid."""
    return fit(problem(scene, best, PRIOR, slowing, biased=True)) if best.chains else None


def _carried(best: Hypothesis) -> Hypothesis:
    """Return the hypothesis without the chains of coins that a hand carried: all their sightings
    are at a hand or at rest, and they hit nothing. Call this function if the coins hardly slowed
    down, which no table's friction explains.
    """
    for c in reversed(range(len(best.chains))):
        chain = best.chains[c]
        in_hand = chain.seen.in_hand.copy()
        for rest in (chain.anchor, chain.goal):
            in_hand |= at_rest(chain.seen, rest) if rest is not None else False
        if in_hand.all() and not any(chain.met):
            best = best.without_chain(c)
    return best


def cost_of(episode: Episode) -> float:
    """Return the cost of the cheapest hypothesis about an episode, in units of chi-square."""
    return _searched(episode)[1].best.cost


def is_explained(episode: Episode, coins: Collection[str]) -> bool:
    """Return whether slides and hits explain all that these `coins` do in the cheapest hypothesis
    about an episode: none turns where it hit nothing, or changes its place without a slide.
    """
    scene, found = _searched(episode)
    best = found.best.hypothesis
    turns = [names for c in best.chains if c.coin in coins for names in c.met[1:]]
    return all(turns) and not any(held_spans(scene, best, coin) for coin in coins)


def _searched(episode: Episode) -> tuple[Scene, Found]:
    """Return the scene of an episode, and what a search found in it."""
    tracks = tuple(with_rests(without_offset(t), episode.frames) for t in episode.tracks)
    low = tuple(_low(track, episode.course_before) for track in tracks)
    scene = scene_of(replace(episode, tracks=low))
    first, slowing = first_hypothesis(scene, PRIOR)
    return scene, search(scene, first, (slowing, COMPARED_SHARE))


def _low(track: CoinTrack, course: Course) -> CoinTrack:
    """Return the track without its places of rest on top of stacks of tiles, because no slide
    begins or ends there.
    """

    def low(rest: Rest | None) -> Rest | None:
        return None if rest is None or course.tower_at(rest.at_mm) is not None else rest

    return replace(track, before=low(track.before), after=low(track.after))


def with_rests(track: CoinTrack, frames: Sequence[Frame]) -> CoinTrack:
    """Return the track with added sightings of the coin at rest, before and after it moved.

    Sightings are recorded only while a coin may move. So in the frames before its first sighting,
    and in those after its last one, the coin is at rest, unless it is hidden or a hand is at it.
    Two such frames at either end show when the coin started and when it came to rest.
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
    sigma_mm = max(rest.sigma_mm, REST_SIGMA_MM)
    return Sighting(coin, frame.number, frame.t_s, rest.at_mm, sigma_mm, bias_sigma_mm=0.0)
