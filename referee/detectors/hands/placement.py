"""`placed`: a hand moved a coin on the table, put it on the table, or took it off the table for
good.

The coin was in the hand, or under it, until it lay still. Each move by a hand gives one incident,
at the instant at which the coin was put down.
"""

from __future__ import annotations

import math
from typing import Final

from referee.detectors.coin_motion.normal_distribution import normal_share
from referee.detectors.coin_motion.pocket import off_board
from referee.detectors.hands.hidden_move import (
    carried_there,
    hand_chance,
    place_before,
    slid_to_run,
    slide_chance,
    stood_there,
    taken_chance,
)
from referee.domain.episode import LIES_MM, CoinTrack, Episode, frames_about
from referee.domain.geometry import Point, distance
from referee.domain.incident import EITHER, SURE, LeftTable, Placed, as_written, worth_saying
from referee.domain.path import Held, Path
from referee.domain.sighting import SEEN_SIGMAS

# Tuned on our own clips, except where a comment gives another source for a number.

# Fingers release the coin, stay a moment and withdraw. A coin is seen again this long after it was
# put down (0.25 to 0.35 s).
WITHDRAWAL_S: Final = 0.28


def placements(episode: Episode, paths: tuple[Path, ...], fallen: list[LeftTable]) -> list[Placed]:
    """Find the coins that hands moved on the table, put on it or took off it, in no particular
    order. `fallen` are the coins known to have left the table.
    """
    found: list[Placed] = []
    for track, path in zip(episode.tracks, paths, strict=True):
        if (carried := _moved_over_towers(episode, paths, track, path)) is not None:
            found.append(carried)
            continue
        gone = any(f.coin == path.coin for f in fallen)
        if not gone and _taken_from_off_board(episode, track, path):
            t_s = taken_at(episode, track, path.runs[0].begin_s)
            found.append(placed(episode, path.coin, None, t_s, 1.0, path))
        for held in path.held:
            put_down = _put_down(episode, paths, track, path, held, gone=gone)
            if put_down is not None:
                found.append(put_down)
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
                placed(
                    episode, path.coin, path.rest_after_mm, t_s, _brought_chance(paths, track), path
                )
            )
    return found


def _moved_over_towers(
    episode: Episode, paths: tuple[Path, ...], track: CoinTrack, path: Path
) -> Placed | None:
    """Return that a coin was put on a tower or taken down from it, which only a hand does. None for
    any other coin, and for a coin whose present place is not known.
    """
    before, after = path.rest_before_mm, path.rest_after_mm
    tower_at = episode.course_before.tower_at
    left, reached = (None if at is None else tower_at(at) for at in (before, after))
    if after is None or left == reached:
        return None
    t_s = put_down_at(episode, track, after, path.rest_after_sigma_mm)
    chance = _brought_chance(paths, track) if before is None else 1.0
    return placed(episode, path.coin, after, t_s, chance, path)


def _taken_from_off_board(episode: Episode, track: CoinTrack, path: Path) -> bool:
    """Return whether a hand took away a coin that lay off the board. Nobody flicks a coin from
    there, so what seemed to slide was the coin in the hand, or a finger.
    """
    before, course = path.rest_before_mm, episode.course_before
    lay_off = before is not None and off_board(course, before)
    gone = path.rest_after_mm is None and track.cut_off_s is None
    return lay_off and gone and bool(path.runs and track.hand_frames) and not path.held


def _put_down(
    episode: Episode,
    paths: tuple[Path, ...],
    track: CoinTrack,
    path: Path,
    held: Held,
    *,
    gone: bool,
) -> Placed | None:
    if not held.seen_with_hand or slide_chance(episode, paths, path) > SURE:
        return None
    following = next((r for r in path.runs if abs(r.begin_s - held.end_s) < 1e-6), None)
    if following is not None:
        stood = stood_there(path, held, following)
        if not stood:
            if not carried_there(episode, path, following):
                return None
            t_s = max(held.begin_s, held.end_s - WITHDRAWAL_S)
            chance = min(EITHER, 1.0 - slid_to_run(episode, path, following))
            put_down = placed(episode, path.coin, following.from_mm, t_s, chance, path)
            return put_down if chance > 1.0 - SURE else None
        came_from = place_before(path, held)
        chance = (
            _brought_chance(paths, track)
            if came_from is None
            else _moved_chance(episode, paths, path, held, (came_from, following.from_mm))
        )
        return placed(episode, path.coin, following.from_mm, stood[0].t_s, chance, path)
    if path.rest_after_mm is None:
        if gone or track.cut_off_s is not None:
            return None
        chance = taken_chance(episode, paths, track, path, held)
        return placed(
            episode, path.coin, None, taken_at(episode, track, held.begin_s), chance, path
        )
    came_from = place_before(path, held)
    if gone:  # only a hand brings it back, but this may be another coin that looks like it
        chance = EITHER if track.came_without_hand else 1.0
    elif came_from is None:
        chance = _brought_chance(paths, track)
    else:
        chance = _moved_chance(episode, paths, path, held, (came_from, path.rest_after_mm))
        chance = min(chance, EITHER) if track.came_unnoticed else chance
    t_s = put_down_at(episode, track, path.rest_after_mm, path.rest_after_sigma_mm)
    return (
        placed(episode, path.coin, path.rest_after_mm, t_s, chance, path)
        if worth_saying(chance)
        else None
    )


def _moved_chance(
    episode: Episode, paths: tuple[Path, ...], path: Path, held: Held, ends: tuple[Point, Point]
) -> float:
    """Return the probability that the hand that held the coin moved it.

    If no hand moved it, its two measured places differ only by error, or it slid unseen.
    """
    sigma_mm = math.hypot(path.rest_before_sigma_mm, path.rest_after_sigma_mm)
    elsewhere = normal_share((distance(*ends) - LIES_MM) / sigma_mm)
    return elsewhere * hand_chance(episode, paths, path, held, ends)


def _brought_chance(paths: tuple[Path, ...], track: CoinTrack) -> float:
    """Return the probability that a hand brought a coin that was not on the table before. It is
    only one half if no hand was seen to leave the coin's place, if the coin was `lost` before and
    may have lain there unseen, or if another coin is gone: that coin may have slid there.
    """
    gone = any(p.rest_before_mm is not None and p.rest_after_mm is None for p in paths)
    return 1.0 if track.hand_let_go and not (gone or track.lost) else EITHER


def placed(
    episode: Episode, coin: str, at: Point | None, t_s: float, chance: float, path: Path
) -> Placed:
    """Return that a hand put a coin down at a place, or took it off the table (`at` is None)."""
    return Placed(
        coin=coin,
        at_mm=None if at is None else (round(at[0], 2), round(at[1], 2)),
        t_s=t_s,
        sigma_mm=None if at is None else round(path.rest_after_sigma_mm, 3),
        probability=as_written(chance),
        frames=frames_about(episode, t_s),
    )


def put_down_at(episode: Episode, track: CoinTrack, place: Point, sigma_mm: float) -> float:
    """Return the time at which the coin was put down where it lies now.

    It is the time since which the place has looked as it does at the end. If that is not known, it
    is the time since which the coin has been seen there, or a little before the hand uncovered it.
    """
    settled_s = _settled(track)
    if settled_s is not None:
        return settled_s
    t_s = None
    for sighting in reversed(track.sightings):
        if distance(sighting.at_mm, place) > LIES_MM + SEEN_SIGMAS * math.hypot(
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


def _settled(track: CoinTrack) -> float | None:
    """Return the time since which the coin's last place has looked as it does at the end; None if
    that is not known, or if the coin still lay at its former place then.
    """
    known = track.settled_s is not None and (
        track.lay_until_s is None or track.settled_s > track.lay_until_s
    )
    return track.settled_s if known else None


def taken_at(episode: Episode, track: CoinTrack, begin_s: float) -> float:
    """Return when the hand that held a coin from `begin_s` on lifted it off the table: when the
    hand had been over the coin long enough to grasp it, but not after the hand left.
    """
    covered = [
        f.t_s
        for f in episode.frames
        if f.number in track.hand_frames and f.t_s >= begin_s - WITHDRAWAL_S
    ]
    return min(covered[0] + WITHDRAWAL_S, covered[-1]) if covered else begin_s
