"""Compares two explanations of how a coin came from one place to another out of sight: a hand moved
it, or it slid unseen.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from referee.domain.geometry import distance
from referee.domain.slide import speed_over_mm, standing_after_s, way_mm
from referee.tracking.trajectory.hypotheses.fit import misfit_of
from referee.tracking.trajectory.hypotheses.held_span import HeldSpan, too_fast_cost
from referee.tracking.trajectory.hypotheses.prices import (
    FLICK_PRICE,
    HIDDEN_SLIDE_PRICE,
    STRAY_PRICE,
    UNCOVERED_PRICE,
)
from referee.tracking.trajectory.hypotheses.runs import Floats, Seen
from referee.tracking.trajectory.hypotheses.scene import REACH_MM, Scene, at_rest
from referee.tracking.trajectory.proposals.first_hypothesis import SIGMAS_TRIED

# Tuned on our own clips, except where a comment gives another source for a number.

# A hand stays over a coin at least this long before it takes the coin away. A hand that only passes
# over two places goes from one to the other in less time.
TAKING_S: Final = 0.25


def slide_extra_cost(
    scene: Scene, coin: str, span: HeldSpan, slowing: tuple[float, float]
) -> float:
    """Return the cost, chi-square, of the hypothesis that a coin slid unseen in the stretch of time
    `span`, minus the cost of the hypothesis that a hand moved it. `slowing` is the deceleration
    with the standard uncertainty of its logarithm.

    A hand that moves a coin is seen over its old place and then over its new place, and needs time
    for it. If the coin slid instead, the hand must have moved along with it by chance, to hide it:
    one more event. But if the two places are less than half a coin apart, a hand over one of them
    also covers the other. A slide then needs no further event, and a hand that moved the coin so
    little is the extra event. Sightings between the two places also help to decide, by their times.
    """
    track, nudged = scene.tracks[coin], _nudged(scene, coin, span)
    extra = _on_the_way(scene, coin, span, slowing) - too_fast_cost(track, span)
    extra += -HIDDEN_SLIDE_PRICE if nudged else HIDDEN_SLIDE_PRICE
    if span.reached is not track.after:
        return extra
    if not nudged and _taken_along(scene, coin, span):
        return extra + FLICK_PRICE
    return extra - (UNCOVERED_PRICE if track.hand_let_go is False else 0.0)


def _nudged(scene: Scene, coin: str, span: HeldSpan) -> bool:
    """Return whether the old and the new place of a coin are less than half its width apart."""
    if span.left is None or span.reached is None:
        return False
    return distance(span.left.at_mm, span.reached.at_mm) < scene.sizes.width_mm(coin) / 2


def _taken_along(scene: Scene, coin: str, span: HeldSpan) -> bool:
    """Return whether a hand was seen over the coin's old place long enough to take it, then over
    its new place, and not over both places at once.

    A coin without an old place was brought to the table. A coin without a new place was taken away,
    unless the hand is still there: then the coin may be under it.
    """
    track, times = scene.tracks[coin], scene.hand_s[coin]
    put_down_s = np.inf if track.after is None else track.put_down_since_s
    if put_down_s is None or span.left is None:
        return put_down_s is not None
    alone = (times >= span.begin_s) & (times < put_down_s)
    for begin_s, end_s in track.hand_after_s or ():
        alone &= (times < begin_s) | (times >= end_s)
    still_there = track.after is None and bool((times >= scene.span_s[1]).any())
    return bool(alone.sum() * scene.frame_s >= TAKING_S) and not still_there


def _on_the_way(scene: Scene, coin: str, span: HeldSpan, slowing: tuple[float, float]) -> float:
    """Return how much more the sightings between the two places cost under a slide than under a
    hand.

    The hypothesis of a slide explains a sighting that the slide passes at the right time. The
    hypothesis of a hand explains sightings beside a hand. All sightings together count at most as
    much as one event, because they may be a finger that was taken for the coin.
    """
    if span.left is None or span.reached is None:
        return 0.0
    left, way = np.asarray(span.left.at_mm), np.subtract(span.reached.at_mm, span.left.at_mm)
    length = float(np.hypot(*way))
    seen = scene.seen[coin]
    gone, aside = seen.along(left, way)
    between = (gone > 0.0) & (gone < length) & (aside < REACH_MM)
    between &= (seen.t_s >= span.begin_s) & (seen.t_s <= span.end_s)
    between &= ~at_rest(seen, span.left) & ~at_rest(seen, span.reached)
    if not between.any():
        return 0.0
    own = seen.part(between)
    by_hand = float(np.where(own.in_hand, 0.0, STRAY_PRICE).sum())
    slid = min(
        _slide_misfit(own, left, way, slowing[0] * math.exp(slowing[1] * k), scene.frame_s) + k**2
        for k in map(float, SIGMAS_TRIED)
    )
    return min(FLICK_PRICE, slid - by_hand)


def _slide_misfit(own: Seen, left: Floats, way: Floats, slowing: float, frame_s: float) -> float:
    """Return the cost of the sightings under a straight slide with this deceleration that begins at
    the best instant. A sighting that the slide does not explain costs the price of a stray.
    """
    length = float(np.hypot(*way))
    speed = speed_over_mm(length, slowing)
    lasts_s = standing_after_s(speed, slowing)
    begins = np.arange(own.t_s[0] - lasts_s, own.t_s[-1], 0.25 * frame_s)
    since = np.clip(own.t_s[None, :] - begins[:, None], 0.0, lasts_s)
    places = left + (way_mm(speed, slowing, since) / length)[..., None] * way
    off = misfit_of((own.xy_mm - places) / own.sigma_mm[:, None]).sum(axis=2)
    return float(np.minimum(off, own.stray_prices).sum(axis=1).min())
