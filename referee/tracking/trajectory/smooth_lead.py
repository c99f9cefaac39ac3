"""Completes slides that were hardly seen: a first stretch before a bounce with at most one
sighting, or a whole slide with one or two.

The coin's place before and after, a place in between, and the deceleration are known.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from referee.domain.episode import CoinTrack, Rest
from referee.domain.slide import (
    FASTEST_FLICK_MM_S,
    first_speed_mm_s,
    speed_after_mm,
    speed_after_s,
    time_over_s,
)
from referee.tracking.trajectory.runs import Floats, Kind, Seen, Stretch

# Tuned on our own clips, except where a comment gives another source for a number.

# A coin slower than this before it turned would have been seen more than once.
LEAST_LEAD_MM_S: Final = 150.0
LOSS_LEAST: Final = 0.5  # a coin is hardly faster after hitting a tile or another coin than before
# A sighting this far beside the line between two places of rest does not belong to a slide between
# them,
ASIDE_MM: Final = 3.0
ASIDE_SHARE: Final = 0.05  # with this share of the way added
CLEAR_MM: Final = 5.0  # a sighting this far from where the coin lay shows it moving
# A slide may seem to begin at most this much before the last sighting at rest: two frames.
SLACK_S: Final = 0.02


def lead_through(
    anchor: Rest,
    left_s: float,
    t_s: float,
    at: Floats,
    next_s: float,
    next_at: Floats,
    next_velocity: Floats,
    slowing: float,
) -> tuple[tuple[float, Floats], tuple[float, float]] | None:
    """Find a first run from `anchor` through one sighting `at` to the line on which the next run
    extends backward.

    `left_s` is when the coin was last seen at rest. `next_s`, `next_at` and `next_velocity`
    describe how the next run was first seen. Returns the run's beginning and velocity, and the
    earliest and latest instants at which the next run began. None when no flick could do that.
    """
    start = np.asarray(anchor.at_mm)
    way = at - start
    length = float(np.hypot(*way))
    if length < CLEAR_MM:
        return None
    heading = way / length
    speed_next = float(np.hypot(*next_velocity))
    back = next_velocity / speed_next
    turn = float(heading[0] * back[1] - heading[1] * back[0])
    if abs(turn) < 0.1:
        return None
    gap = next_at - start
    along = float(gap[0] * back[1] - gap[1] * back[0]) / turn
    corner = start + heading * along
    behind = float((next_at - corner) @ back)
    turned_s = next_s + time_over_s(-max(behind, 0.0), speed_next, slowing)
    if along < length - ASIDE_MM or behind < -ASIDE_MM or turned_s <= t_s:
        return None
    speed = first_speed_mm_s(along - length, turned_s - t_s, slowing)
    if not max(LEAST_LEAD_MM_S, LOSS_LEAST * speed_next) < speed < FASTEST_FLICK_MM_S:
        return None
    began_s = t_s - length / speed
    if began_s <= left_s - SLACK_S:
        return None
    return (began_s, heading * speed_after_s(began_s - t_s, speed, slowing)), (t_s, next_s)


def lone_sighting(
    seen: Seen, stretches: tuple[Stretch, ...], first: Stretch, in_hand: Floats
) -> int | None:
    """Return the index of the sighting just before the stretch `first`, if it is the only one there
    and no hand was over the coin in it.
    """
    index = first.first - 1
    alone = any(
        s.first == index and s.size == 1 and s.kind in (Kind.SLIDE, Kind.STRAY) for s in stretches
    )
    return index if index >= 0 and alone and not in_hand[index] else None


def thin_slide(
    track: CoinTrack, seen: Seen, slowing: float, frame_s: float
) -> tuple[float, Floats, tuple[float, float], Seen] | None:
    """Infer the slide of a coin that was seen moving only once or twice: its beginning, its
    velocity, the window of its beginning and the sightings used.

    None for a coin that lies where a hand released one. The hand carried it there, and what was
    seen in between was a part of the hand.
    """
    if track.before is None or not len(seen.t_s) or track.hand_let_go:
        return None
    start = np.asarray(track.before.at_mm)
    in_hand = np.array([s.frame in track.hand_frames for s in track.sightings])
    off = np.hypot(*(seen.xy_mm - start).T) > CLEAR_MM
    if track.after is not None:
        off &= np.hypot(*(seen.xy_mm - np.asarray(track.after.at_mm)).T) > CLEAR_MM
    under_way = np.flatnonzero(off & ~in_hand)
    if not len(under_way) or len(under_way) > 3:
        return None
    k = int(under_way[0])
    at, t_s = seen.xy_mm[k], float(seen.t_s[k])
    earlier = seen.t_s[:k][~off[:k]]
    left_s = float(earlier[-1]) if len(earlier) else t_s - 3 * frame_s
    goal = np.asarray(track.after.at_mm) if track.after is not None else at
    way = goal - start
    length = float(np.hypot(*way))
    heading = way / max(length, 1e-9)
    gone = at - start
    aside = abs(float(gone[0] * heading[1] - gone[1] * heading[0]))
    if (
        length < CLEAR_MM
        or aside > ASIDE_MM + ASIDE_SHARE * length
        or float(gone @ heading) > length
    ):
        return None
    if track.after is not None:
        speed = speed_after_mm(-length, 0.0, slowing)
        began_s = t_s - time_over_s(float(gone @ heading), speed, slowing)
    else:
        began_s = 0.5 * (max(left_s, t_s - 3 * frame_s) + t_s)
        speed = length / (t_s - began_s)
    if began_s < left_s - SLACK_S or speed > FASTEST_FLICK_MM_S:
        return None
    beside = (
        np.abs((seen.xy_mm - start) @ np.array([-heading[1], heading[0]]))
        < ASIDE_MM + ASIDE_SHARE * length
    )
    under_hand = off & in_hand & beside & ((seen.xy_mm - start) @ heading > 0)
    return (
        began_s,
        heading * speed,
        (left_s, t_s),
        seen.part((np.arange(len(seen.t_s)) >= k) | under_hand),
    )
