"""`flicked`: a coin began to slide because of a hand at it, and not because another coin hit it.

A flicked coin leaves the hand and then slows down freely in a straight line. A coin that stays with
the hand is carried, and is reported as `placed` instead (see `placement`).
"""

from __future__ import annotations

import math
from itertools import takewhile
from typing import Final

import msgspec

from referee.detectors.chance import (
    EITHER,
    LIKELIER,
    SURE,
    TICK_S,
    as_written,
    frame_time_s,
    frames_about,
)
from referee.detectors.coins_in_touch import in_touch, struck_in_touch, touching
from referee.detectors.contact import TOUCHED_MM, hand_at, rim_gap, shown_by_struck, struck_by
from referee.detectors.heap import knocked_through
from referee.detectors.hidden_move import (
    carried_there,
    hidden_neighbour,
    passing,
    pushed_by_tile,
    slid_away_chance,
    slid_to_run,
    slide_chance,
    stood_there,
)
from referee.detectors.tile_bounce import slid_off_tile
from referee.domain.episode import HAND_S, CoinTrack, Episode
from referee.domain.geometry import distance, dot, subtract
from referee.domain.incident import Flicked
from referee.domain.path import Held, Path, Run
from referee.domain.sighting import SEEN_SIGMAS, TELLING_SIGHTINGS
from referee.domain.slide import FASTEST_FLICK_MM_S, standing_after_mm

# Tuned on our own clips, except where a comment gives another source for a number.

# A hand that carries a coin over the table is seldom faster. Source: Flash and Hogan, The
# coordination of arm movements (1985): at its fastest a hand goes at 15/8 of its average speed.
# Chosen: 300 mm in a second. A finger that drew a coin along at 503 mm/s was measured.
CARRIED_MM_S: Final = 560.0


def flicks(episode: Episode, paths: tuple[Path, ...]) -> list[Flicked]:
    """Find the flicks of the episode, in order of time.

    If no hand is at a coin when it begins to slide, and another coin began before it or is hidden
    by a hand, an unseen coin more likely struck it. Then its flick is only a question.
    """
    found = []
    for track, path in zip(episode.tracks, paths, strict=True):
        for run in path.runs:
            if (
                struck_by(path, run, paths) is None
                and _lay_still(episode, path, run)
                and not knocked_through(episode, path, run, paths)
                and not pushed_by_tile(episode, path, run)
                and (_way(path, run) >= TOUCHED_MM or _struck_another(path, paths))
            ):
                flick = _flick(episode, path, run, paths)
                found.append(
                    msgspec.structs.replace(flick, probability=EITHER)
                    if _way(path, run) < TOUCHED_MM
                    or _stayed_with_hand(episode, track, path, run)
                    or _carried_on(path, run)
                    or _hardly_seen(path, run, paths)
                    or _stopped_unseen(episode, path, run)
                    or _mostly_unseen(episode, path, run)
                    or _may_have_slid_on(episode, path, run)
                    or _taken_elsewhere(episode, path, run)
                    or _may_be_another(episode, path, run, paths)
                    or _from_nowhere(path, run)
                    or passing(episode, paths, path, run.begin_s)
                    or struck_in_touch(episode, paths, path, run)
                    else flick
                )
        slid = slide_chance(episode, paths, path) + slid_away_chance(episode, paths, path)
        chance = slid if _struck_only_tile(episode, paths, path) else LIKELIER * slid
        if chance >= 1.0 - SURE:
            t_s = path.held[0].begin_s
            found.append(
                Flicked(
                    coin=path.coin,
                    touching=(),
                    t_s=t_s,
                    sigma_mm=None,
                    probability=as_written(chance),
                    frames=frames_about(episode, t_s),
                )
            )
    found.sort(key=lambda f: f.t_s or 0.0)
    return [
        (
            f
            if _is_sure(episode, paths, f, found[:k])
            and not any(_struck_instead(episode, paths, f, later) for later in found[k + 1 :])
            else msgspec.structs.replace(f, probability=EITHER)
        )
        for k, f in enumerate(found)
    ]


def _struck_only_tile(episode: Episode, paths: tuple[Path, ...], path: Path) -> bool:
    """Return whether a coin that slid unseen surely was flicked: it came off a tile, so that no
    hand just pushed it there, and no other coin can have struck it: none has moved, lay against it
    or may have been flicked at it.
    """
    if path.runs or len(path.held) != 1:
        return False
    others, held = [p for p in paths if p is not path], path.held[0]
    return (
        slid_off_tile(episode, path)
        and not any(p.runs or p.held or in_touch(episode, path, p) for p in others)
        and hidden_neighbour(episode, paths, path, held.begin_s) is None
    )


def _is_sure(
    episode: Episode, paths: tuple[Path, ...], flick: Flicked, earlier: list[Flicked]
) -> bool:
    """Return whether it is certain that no other coin set this coin in motion unseen."""
    t_s = flick.t_s or 0.0
    path = next(p for p in paths if p.coin == flick.coin)
    if (
        any(t_s - (f.t_s or 0.0) < HAND_S for f in earlier)
        or hidden_neighbour(episode, paths, path, t_s) is not None
    ):
        return False
    carried = any(
        h.seen_with_hand and (not p.runs or h.begin_s <= t_s <= h.end_s)
        for p in paths
        if p is not path
        for h in p.held
    )
    return (not earlier and not carried) or hand_at(episode, flick.coin, t_s)


def _struck_instead(
    episode: Episode, paths: tuple[Path, ...], flick: Flicked, later: Flicked
) -> bool:
    """Return whether the hand may instead have flicked the coin of `later`, which then struck the
    coin of `flick`. Both must have set off between the same two frames and in reach of each other.
    A coin that left towards the other coin was not struck by it, unless it may have bounced back
    off a tile before it was seen, or lay against a third coin that passed the blow on.
    """
    frame_s, t_s = frame_time_s(episode), flick.t_s or 0.0
    if later.coin == flick.coin or (later.t_s or 0.0) - t_s >= frame_s:
        return False
    path, other = (next(p for p in paths if p.coin == f.coin) for f in (flick, later))
    run = next((r for r in path.runs if r.begin_s >= t_s - TICK_S), None)
    if run is None or path.rest_before_mm is None or other.rest_before_mm is None:
        return False
    from_other = subtract(path.rest_before_mm, other.rest_before_mm)
    if math.hypot(*from_other) >= FASTEST_FLICK_MM_S * frame_s:
        return False
    if {*flick.touching} - {later.coin}:
        return True
    course, coin_mm = episode.course_before, episode.sizes.width_mm(path.coin)
    gaps_mm = (
        rim_gap(tile, course.tile_mm, coin_mm, path.rest_before_mm)
        for tile in course.tiles.values()
    )
    there_and_back_mm = 2 * min(gaps_mm, default=math.inf)
    return dot(run.heading, from_other) > 0.0 or there_and_back_mm < run.speed_mm_s * frame_s


def _struck_another(path: Path, paths: tuple[Path, ...]) -> bool:
    """Return whether the coin set another coin in motion that was seen sliding. Then a short path
    of its own does not mean that it was not flicked.
    """
    return shown_by_struck(path, paths) >= TELLING_SIGHTINGS


def _stayed_with_hand(episode: Episode, track: CoinTrack, path: Path, run: Run) -> bool:
    """Return whether a hand may have carried the coin, or a finger may have been taken for it: it
    started slowly, and all its sightings were at a hand. If it was seen in motion, only those
    sightings count.
    """
    moving = [s for s in track.sightings if run.begin_s < s.t_s < min(run.end_s, run.stop_s)]
    seen = moving or track.sightings
    return (
        _least_speed_mm_s(episode, path, run) < CARRIED_MM_S
        and bool(seen)
        and all(s.frame in track.hand_frames for s in seen)
    )


def _least_speed_mm_s(episode: Episode, path: Path, run: Run) -> float:
    """Return a lower limit of the coin's speed at the start. The tiles that it hit next gave it no
    speed, so it started at least as fast as it left them.
    """
    tiles = episode.course_before.tiles
    later = path.runs[path.runs.index(run) + 1 :]
    off_tiles = takewhile(lambda r: bool(r.met) and all(n in tiles for n in r.met), later)
    return max(r.speed_mm_s - SEEN_SIGMAS * r.sigma_mm_s for r in (run, *off_tiles))


def _carried_on(path: Path, run: Run) -> bool:
    """Return whether a slow run ends before the coin would have stopped, because a hand has the
    coin there. The hand may then have carried it from the beginning.
    """
    taken = any(held.seen_with_hand and held.begin_s == run.end_s for held in path.held)
    return taken and run.end_s < run.stop_s and run.speed_mm_s < CARRIED_MM_S


def _hardly_seen(path: Path, run: Run, paths: tuple[Path, ...]) -> bool:
    """Return whether the slide was hardly seen: neither a sighting nor a struck coin shows it, or
    there is only one sighting and the coin did not come to rest. A hand may then have moved the
    coin, or taken it away.
    """
    seen = sum(r.sightings for r in path.runs)
    unseen = seen == 0 and shown_by_struck(path, paths) < TELLING_SIGHTINGS
    return unseen or (run is path.runs[-1] and run.sightings < 2 and path.rest_after_mm is None)


def _stopped_unseen(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether a coin that was seen only just before it stopped was not seen afterwards where
    it stopped: it may have been something else, such as a part of a hand.
    """
    stopped = run.stop_s - run.end_s < frame_time_s(episode)  # before the next frame
    few = run.sightings < TELLING_SIGHTINGS
    return few and stopped and run is path.runs[-1] and path.rest_after_mm is None


def _mostly_unseen(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether more of a coin's way went unseen than its first run then shows, and neither
    was the coin seen to stand where a hand had carried it, nor did it surely slide there. The flick
    may then have been at any time since the coin was hidden.
    """
    put_down = any(stood_there(path, held, run) for held in path.held)
    return (
        run is path.runs[0]
        and path.rest_before_mm is not None
        and distance(path.rest_before_mm, run.from_mm) > max(_way(path, run), TOUCHED_MM)
        and not (put_down and carried_there(episode, path, run))
        and slid_to_run(episode, path, run) <= SURE
    )


def _may_have_slid_on(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether a coin that slid until a hand hid it may just have slid on until it was seen
    again: it was not seen to stand in between.
    """
    held = next((h for h in path.held if abs(h.end_s - run.begin_s) < TICK_S), None)
    return (
        held is not None
        and any(r.begin_s < held.begin_s < r.stop_s for r in path.runs)
        and not stood_there(path, held, run)
        and slid_to_run(episode, path, run) > 1.0 - SURE
    )


def _taken_elsewhere(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether a hand first carried the coin to another place, and the coin was not seen to
    come to rest afterwards: what slid may be a finger of that hand. A coin that left the hand in a
    straight line from where it lay was flicked.
    """
    out_of_hand = any(abs(held.end_s - run.begin_s) <= 1e-6 for held in path.held)
    return path.rest_after_mm is None and out_of_hand and carried_there(episode, path, run)


def _may_be_another(episode: Episode, path: Path, run: Run, paths: tuple[Path, ...]) -> bool:
    """Return whether a coin that came unseen to the beginning of its slide may really be another
    coin, which slid there just before and was not seen to come to rest.
    """
    reach_mm = FASTEST_FLICK_MM_S * frame_time_s(episode)
    return carried_there(episode, path, run) and any(
        distance(last.position(run.begin_s), run.from_mm) < reach_mm
        for other in paths
        if other is not path and other.rest_after_mm is None
        for last in other.runs[-1:]
        if last.begin_s < run.begin_s
    )


def _from_nowhere(path: Path, run: Run) -> bool:
    """Return whether nobody knows where the coin lay before it slid, and no hand was seen with it:
    another coin may have struck it there.
    """
    with_hand = any(h.seen_with_hand and abs(h.end_s - run.begin_s) < 1e-6 for h in path.held)
    return run is path.runs[0] and path.rest_before_mm is None and not with_hand


def _lay_still(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether the coin lay still before a run, within the error of its velocity, or came out
    of a hand. A coin that came farther than it could slide until it stopped had not stopped. Nor
    had one that met a tile, or a coin that did not strike it, as the run began: what lies still
    meets nothing.
    """
    index = path.runs.index(run)
    if index == 0:
        return True
    before = path.runs[index - 1]
    parted = any(before.end_s - 1e-9 <= h.begin_s <= run.begin_s for h in path.held)
    slow = math.hypot(*before.velocity(run.begin_s)) < SEEN_SIGMAS * before.sigma_mm_s
    most_mm_s = before.slowing_mm_s2 * (run.begin_s - before.begin_s + frame_time_s(episode))
    most_mm = standing_after_mm(most_mm_s, before.slowing_mm_s2) + SEEN_SIGMAS * before.sigma_mm
    met = bool(run.met) and before.stop_s > run.begin_s
    still = slow and not met and distance(before.from_mm, run.from_mm) < most_mm
    return parted or (still and run.speed_mm_s > SEEN_SIGMAS * run.sigma_mm_s)


def _way(path: Path, run: Run) -> float:
    """Return how far the coin slid in this run and the runs after it, mm."""
    return sum(
        distance(r.from_mm, r.position(min(r.end_s, r.stop_s)))
        for r in path.runs
        if r.begin_s >= run.begin_s
    )


def _flick(episode: Episode, path: Path, run: Run, paths: tuple[Path, ...]) -> Flicked:
    held = next((h for h in path.held if abs(h.end_s - run.begin_s) < 1e-6), None)
    slid = slid_to_run(episode, path, run) > SURE
    carried = carried_there(episode, path, run) and not slid
    t_s = run.begin_s if held is None or carried else _left_hand(path, run, held)
    return Flicked(
        coin=path.coin,
        touching=touching(episode, path, run, paths),
        t_s=t_s,
        sigma_mm=None,
        probability=as_written(_hand_chance(episode, t_s)),
        frames=frames_about(episode, t_s),
    )


def _left_hand(path: Path, run: Run, held: Held) -> float:
    """Estimate when a coin that came out from under a hand began to move. It is assumed to have
    moved from where it lay in a straight line and at a constant speed.
    """
    if path.rest_before_mm is None or run.speed_mm_s <= 0.0:
        return held.begin_s
    return max(
        held.begin_s, run.begin_s - distance(path.rest_before_mm, run.from_mm) / run.speed_mm_s
    )


def _hand_chance(episode: Episode, t_s: float) -> float:
    """Return the probability of a flick, given the hands over the table. Without a hand, it may
    have been a stick, a knock at the table, or a hand outside the picture.
    """
    near = (f.number for f in episode.frames if abs(f.t_s - t_s) <= HAND_S)
    return 1.0 if any(n in episode.hand_frames for n in near) else LIKELIER
