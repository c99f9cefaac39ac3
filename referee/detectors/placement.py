"""`placed`: a hand moved a coin, put it on the table, or took it off for good.

The coin was in the hand, or under it, until it lay still. Each move gives one incident, at the
instant at which the coin was put down.
"""

from __future__ import annotations

import math
from typing import Final

from referee.detectors.chance import (
    as_written,
    frame_time_s,
    frames_about,
    normal_share,
    worth_saying,
)
from referee.detectors.displacement import pushed_near
from referee.detectors.flick import hidden_neighbour, in_no_time
from referee.domain.episode import CoinTrack, Episode
from referee.domain.geometry import Point, distance, dot, subtract
from referee.domain.incident import LeftTable, Placed
from referee.domain.path import Held, Path
from referee.domain.slide import time_over_s
from referee.domain.table_edge import inward_normal, middle_of

# Tuned on our own clips, except where a comment gives another source for a number.

# A coin that lies closer than this to where it was has not moved: a hand's shadow shifts the
# measured centre by up to 1 mm.
PLACED_MM: Final = 1.5
SETTLED_MM: Final = 1.0  # a sighting this close to the final place shows that the coin was put down
SETTLED_SIGMAS: Final = 3.0  # and so many standard uncertainties are added
# Fingers release the coin, stay a moment and withdraw. A coin is seen again so long after it was
# put down (0.25 to 0.35 s).
WITHDRAWAL_S: Final = 0.28
# A coin that was put down and then flicked was seen at least so often where it was put down.
STOOD_SIGHTINGS: Final = 3
PLACING_S: Final = 0.35  # a hand needs at least this to take a coin and release it,
HAND_MM_S: Final = 1000.0  # and this is how fast a hand moves in between
# The probability is multiplied by this for a coin that was hidden for a shorter time, and lies
# elsewhere: it may have been flicked or struck under the hand.
HASTY: Final = 0.8
# The same for a coin that went at most this far, in coin widths, or past a tile that was pushed. A
# hand that flicks hides a coin just as long.
NEAR_WIDTHS: Final = 0.5
# Of the straight way. A sighting that makes the way longer than this is a finger, or the coin after
# a bounce.
DETOUR: Final = 1.2
# Half of what the tables of our clips take from a coin (2100 to 2800). A coin that took longer for
# its way than this deceleration allows did not slide: a hand moved it.
LEAST_SLIDING_MM_S2: Final = 1000.0
# A coin seen this far from its old place and from its new one was on its way.
CLEAR_MM: Final = 6.0
SEEN_FREE: Final = 0.6  # the same when it was seen there clear of the hand
# The probability is multiplied by this for a coin that lies where no hand came, and that nobody saw
# slide there.
SLID_THERE: Final = 0.5
LIFTED: Final = 0.97  # the probability that a coin was taken that is gone after a hand was over it
# The same where it lay so close to the edge that it may have been flicked off under the hand.
LIFTED_NEAR: Final = 0.7
# A hand, or the time between exposures, hides a flicked coin for at most this long.
HIDDEN_FRAMES: Final = 1.5
# The speed of a flick: a coin may come this far in a second without being seen.
UNSEEN_FLICK_MM_S: Final = 2500.0


def placements(episode: Episode, paths: tuple[Path, ...], fallen: list[LeftTable]) -> list[Placed]:
    """Find the coins that hands moved, put on the table or took off it, in no particular order.
    `fallen` are the coins known to have left the table.
    """
    found: list[Placed] = []
    for track, path in zip(episode.tracks, paths, strict=True):
        gone = any(f.coin == path.coin for f in fallen)
        for held in path.held:
            placed = _put_down(episode, paths, track, path, held, gone=gone)
            if placed is not None:
                found.append(placed)
        if path.held:
            continue
        if (
            path.rest_before_mm is None
            and path.rest_after_mm is not None
            and not path.runs
            and track.hand_frames
        ):
            t_s = put_down_at(episode, track, path.rest_after_mm, path.rest_after_sigma_mm)
            found.append(
                _placed(
                    episode,
                    path.coin,
                    path.rest_after_mm,
                    t_s,
                    SLID_THERE if track.hand_let_go is False else 1.0,
                    path,
                )
            )
    return found


def _set_off_beside(episode: Episode, paths: tuple[Path, ...], path: Path, other: Path) -> bool:
    """Return whether another coin began to move beside this one while the hand hid this one. Then
    this one may have been flicked into the other.
    """
    return (
        bool(other.runs) and hidden_neighbour(episode, paths, other, other.runs[0].begin_s) is path
    )


def _put_down(
    episode: Episode,
    paths: tuple[Path, ...],
    track: CoinTrack,
    path: Path,
    held: Held,
    *,
    gone: bool,
) -> Placed | None:
    if not held.seen_with_hand or in_no_time(track, path):
        return None
    following = next((r for r in path.runs if abs(r.begin_s - held.end_s) < 1e-6), None)
    if following is not None:
        within = [s for s in path.sightings if held.begin_s <= s.t_s <= held.end_s]
        stood = [
            s
            for s in within
            if distance(s.at_mm, following.from_mm) < SETTLED_MM + SETTLED_SIGMAS * s.sigma_mm
        ]
        if len(stood) < STOOD_SIGHTINGS:
            return None
        return _placed(episode, path.coin, following.from_mm, stood[0].t_s, 1.0, path)
    if path.rest_after_mm is None:
        return (
            None
            if gone or track.cut_off_s is not None
            else _placed(
                episode,
                path.coin,
                None,
                _taken_at(episode, track, held),
                _lifted_chance(episode, track, path),
                path,
            )
        )
    came_from = None if gone else _place_before(path, held)
    chance = (
        1.0
        if came_from is None
        else _moved_chance(episode, paths, track, path, held, (came_from, path.rest_after_mm))
    )
    chance *= SLID_THERE if track.hand_let_go is False else 1.0
    t_s = put_down_at(episode, track, path.rest_after_mm, path.rest_after_sigma_mm)
    return (
        _placed(episode, path.coin, path.rest_after_mm, t_s, chance, path)
        if worth_saying(chance)
        else None
    )


def _moved_chance(
    episode: Episode,
    paths: tuple[Path, ...],
    track: CoinTrack,
    path: Path,
    held: Held,
    ends: tuple[Point, Point],
) -> float:
    """Return the probability that the hand that held the coin moved it.

    Otherwise the coin only seems to lie elsewhere, or it was flicked or struck.
    """
    way_mm = distance(*ends)
    chance = normal_share(
        (way_mm - PLACED_MM) / math.hypot(path.rest_before_sigma_mm, path.rest_after_sigma_mm)
    )
    hasty = _moved_within(track, held) < PLACING_S + way_mm / HAND_MM_S
    near = way_mm < NEAR_WIDTHS * episode.sizes.coin_mm or any(
        pushed_near(episode, at) for at in ends
    )
    chance *= HASTY if hasty or (near and not _was_moved_slowly(path, held, ends)) else 1.0
    chance *= SEEN_FREE if _was_free(track, path, held, ends) else 1.0
    return chance * (
        HASTY if any(_set_off_beside(episode, paths, path, other) for other in paths) else 1.0
    )


def _place_before(path: Path, held: Held) -> Point | None:
    earlier = [r for r in path.runs if r.begin_s <= held.begin_s]
    return earlier[-1].position(earlier[-1].end_s) if earlier else path.rest_before_mm


def _placed(
    episode: Episode, coin: str, at: Point | None, t_s: float, chance: float, path: Path
) -> Placed:
    return Placed(
        coin=coin,
        at_mm=None if at is None else (round(at[0], 2), round(at[1], 2)),
        t_s=t_s,
        sigma_mm=None if at is None else round(path.rest_after_sigma_mm, 3),
        probability=as_written(chance),
        frames=frames_about(episode, t_s),
    )


def put_down_at(episode: Episode, track: CoinTrack, place: Point, sigma_mm: float) -> float:
    """Return when the coin was put down where it lies now.

    That is the time since which the place has its final look, or since which the coin was seen
    there, or a little before the hand uncovered it.
    """
    settled_s = _settled(track)
    if settled_s is not None:
        return settled_s
    t_s = None
    for sighting in reversed(track.sightings):
        if distance(sighting.at_mm, place) > SETTLED_MM + SETTLED_SIGMAS * math.hypot(
            sighting.sigma_mm, sigma_mm
        ):
            break
        t_s = sighting.t_s
    seen = {s.frame for s in track.sightings}
    covered = [
        f.t_s
        for f in episode.frames
        if f.number in (track.hand_frames | track.hidden_frames) - seen
    ]
    if t_s is None:
        return covered[-1] - WITHDRAWAL_S if covered else episode.frames[-1].t_s
    hidden_s = max((c for c in covered if c < t_s), default=-math.inf)
    seen_s = max((s.t_s for s in track.sightings if s.t_s < t_s), default=-math.inf)
    reappeared = hidden_s > seen_s and t_s - hidden_s < WITHDRAWAL_S
    return max(t_s - WITHDRAWAL_S, seen_s) if reappeared else t_s


def _was_free(track: CoinTrack, path: Path, held: Held, ends: tuple[Point, Point]) -> bool:
    """Return whether the coin was seen clear of any hand on its path between both ends. A hand
    moves only what it touches.
    """
    clear = [
        s.at_mm
        for s in path.sightings
        if held.begin_s < s.t_s < held.end_s and s.frame not in track.hand_frames
    ]
    return any(all(distance(at, end) > CLEAR_MM for end in ends) for at in clear)


def _was_moved_slowly(path: Path, held: Held, ends: tuple[Point, Point]) -> bool:
    """Return whether the coin was seen between both ends, near the straight line, for longer than a
    sliding coin takes for that way.
    """
    within = [s for s in path.sightings if held.begin_s < s.t_s < held.end_s]
    clear = [(s.t_s, [distance(s.at_mm, end) for end in ends]) for s in within]
    between_s = [
        t_s
        for t_s, gaps in clear
        if min(gaps) > SETTLED_MM and sum(gaps) < DETOUR * distance(*ends) + 2 * SETTLED_MM
    ]
    return bool(between_s) and between_s[-1] - between_s[0] > -time_over_s(
        -distance(*ends), 0.0, LEAST_SLIDING_MM_S2
    )


def _settled(track: CoinTrack) -> float | None:
    """Return since when the coin's last place has had its final look; None where that is not known,
    or where the coin still lay elsewhere then.
    """
    known = track.settled_s is not None and (
        track.lay_until_s is None or track.settled_s > track.lay_until_s
    )
    return track.settled_s if known else None


def _moved_within(track: CoinTrack, held: Held) -> float:
    """Return for how long, s, a hand may have held the coin before the coin lay where it lies
    now.
    """
    settled_s = _settled(track)
    return (held.end_s if settled_s is None else min(held.end_s, settled_s)) - held.begin_s


def _lifted_chance(episode: Episode, track: CoinTrack, path: Path) -> float:
    """Return the probability that a missing coin was taken, and not flicked over the edge while a
    hand hid it.
    """
    covered = sum(f.number in track.hand_frames for f in episode.frames) * frame_time_s(episode)
    if path.rest_before_mm is None or not episode.edge:
        return LIFTED
    middle = middle_of(episode.edge)
    nearest = min(
        dot(subtract(path.rest_before_mm, side.begin_mm), inward_normal(side, middle))
        for side in episode.edge
    )
    return (
        LIFTED_NEAR
        if nearest < UNSEEN_FLICK_MM_S * min(covered, HIDDEN_FRAMES * frame_time_s(episode))
        else LIFTED
    )


def _taken_at(episode: Episode, track: CoinTrack, held: Held) -> float:
    """Return when a coin was lifted off the table: after a hand came over it and had time to grasp
    it, but not later than the hand left.
    """
    covered = [
        f.t_s
        for f in episode.frames
        if f.number in track.hand_frames and f.t_s >= held.begin_s - WITHDRAWAL_S
    ]
    return min(covered[0] + WITHDRAWAL_S, covered[-1]) if covered else held.begin_s
