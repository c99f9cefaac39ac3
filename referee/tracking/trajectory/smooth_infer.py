"""Infers unseen slides from other coins: which coin struck a coin that began to move, and which
coin was struck where another lost velocity.

Two coins of a set weigh the same. So what one loses in velocity the other gains, along the line of
their centres.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from referee.domain.episode import CoinTrack, Rest
from referee.domain.slide import FASTEST_FLICK_MM_S, speed_after_mm, speed_after_s, time_over_s
from referee.tracking.trajectory.runs import Floats, Seen
from referee.tracking.trajectory.smooth_chain import Chain
from referee.tracking.trajectory.smooth_draft import carried_on, displaced
from referee.tracking.trajectory.smooth_lead import SLACK_S

# Tuned on our own clips, except where a comment gives another source for a number.

STRUCK_MM_S: Final = 60.0  # the direction of a smaller change of velocity is unknown
# How far a striker's place may be from where the struck coin's direction says it was. Rubbing turns
# that direction by up to 15 degrees.
PLACE_MM: Final = 9.0
# A striker that was never seen to slide afterwards lies at most this far from where it struck.
STOPPED_MM: Final = 25.0
# A struck coin's velocity points along the line of centres, within this cosine, to allow for
# rubbing and errors of drafts.
STRUCK_COSINE: Final = 0.75
LEAST_WAY_MM: Final = 0.5  # a striker came from farther away than this


def sightings_after(track: CoinTrack, t_s: float) -> Seen:
    """Return the coin's sightings clear of a hand from `t_s` on."""
    kept = [s for s in track.sightings if s.frame not in track.hand_frames and s.t_s >= t_s]
    times, places = (
        np.array([s.t_s for s in kept]),
        np.array([s.at_mm for s in kept], dtype=np.float64).reshape(-1, 2),
    )
    return Seen(times, places, np.array([s.sigma_mm for s in kept]))


def lost_struck(
    track: CoinTrack,
    t_s: float,
    striker: Floats,
    lost: Floats,
    coin_mm: float,
    reach_mm: float,
    frame_s: float,
) -> Chain | None:
    """Infer the slide of a struck coin that was never seen to slide.

    The coin lay where another coin lost the velocity `lost` at `t_s`. Now it lies elsewhere or is
    gone.
    """
    if track.before is None or not displaced(track):
        return None
    at = np.asarray(track.before.at_mm)
    line = at - striker
    apart, gained = float(np.hypot(*line)), float(np.hypot(*lost))
    if (
        abs(apart - coin_mm) > reach_mm
        or gained < STRUCK_MM_S
        or float(line @ lost) < STRUCK_COSINE * apart * gained
    ):
        return None
    velocity = line / apart * float(line @ lost) / apart
    window = (t_s - frame_s, t_s + frame_s)
    return Chain(
        track.coin,
        sightings_after(track, t_s),
        (t_s,),
        velocity[None, :],
        at,
        (window,),
        track.before,
        track.after,
        ((),),
    )


def lost_striker(
    track: CoinTrack,
    chain: Chain | None,
    t_s: float,
    struck: Floats,
    velocity: Floats,
    coin_mm: float,
    slowing: float,
    frame_s: float,
) -> Chain | None:
    """Infer the path of a coin that was hidden when it struck another coin at `struck` (2,). The
    other coin left with `velocity` at `t_s`.

    `chain` is the hidden coin's slide after the hit, as far as it was seen, or None. The first run
    goes from where it lay to the point a diameter away from the struck coin. None where that does
    not fit.
    """
    speed = float(np.hypot(*velocity))
    if track.before is None or speed < STRUCK_MM_S:
        return None
    heading = velocity / speed
    touch = struck - coin_mm * heading
    later = _way_after(track, chain, t_s, touch, slowing)
    if later is None:
        return None
    touch, after = later
    start = np.asarray(track.before.at_mm)
    way = touch - start
    length = float(np.hypot(*way))
    came = velocity + after
    coming = float(np.hypot(*came))
    if (
        length < LEAST_WAY_MM
        or float(way @ heading) <= 0
        or coming > FASTEST_FLICK_MM_S
        or float(way @ came) < STRUCK_COSINE * length * coming
    ):
        return None
    began_s = t_s + time_over_s(-length, coming, slowing)
    left_s = _last_at_rest(track, t_s, track.before)
    if began_s < left_s - SLACK_S - frame_s:
        return None
    first = way / length * speed_after_mm(-length, coming, slowing)
    hit, window = (t_s - frame_s, t_s + frame_s), (left_s, t_s)
    if chain is not None:
        turned = replace(
            chain,
            anchor=track.before,
            start_mm=start,
            begins_s=(t_s, *chain.begins_s[1:]),
            windows_s=(hit, *chain.windows_s[1:]),
        )
        return turned.with_run(0, began_s, first, window)
    return Chain(
        track.coin,
        sightings_after(track, t_s + 0.5 * frame_s),
        (began_s, t_s),
        np.array([first, after]),
        start,
        (window, hit),
        track.before,
        track.after,
        ((), ()),
    )


def _way_after(
    track: CoinTrack, chain: Chain | None, t_s: float, touch: Floats, slowing: float
) -> tuple[Floats, Floats] | None:
    """Return where the striker was at the hit and its velocity then, according to its sightings
    afterwards; None when it was elsewhere.
    """
    if chain is not None:
        if chain.anchor is not None or chain.begins_s[0] < t_s - SLACK_S:
            return None
        back = carried_on(
            chain.begins_s[0], chain.start_mm, chain.velocities[0], slowing, np.array([t_s])
        )[0]
        if float(np.hypot(*(back - touch))) > PLACE_MM:
            return None
        speed = float(np.hypot(*chain.velocities[0]))
        then = speed_after_s(t_s - chain.begins_s[0], speed, slowing)
        return back, chain.velocities[0] * (then / speed)
    if track.after is None or not displaced(track):
        return None
    way = np.asarray(track.after.at_mm) - touch
    length = float(np.hypot(*way))
    return (
        (touch, way / max(length, 1e-9) * speed_after_mm(-length, 0.0, slowing))
        if length < STOPPED_MM
        else None
    )


def _last_at_rest(track: CoinTrack, t_s: float, rest: Rest) -> float:
    """Return when the coin was last seen at its place of rest, before `t_s`."""
    lay = [
        s.t_s
        for s in track.sightings
        if s.t_s <= t_s
        and np.hypot(*np.subtract(s.at_mm, rest.at_mm))
        < 1.0 + 3 * np.hypot(s.sigma_mm, rest.sigma_mm)
    ]
    return lay[-1] if lay else -np.inf
