"""Why a flick is only a question: a hand may have carried the coin, or something else may have been
seen.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from referee.detectors.coin_motion.coins_in_touch import struck_in_touch
from referee.detectors.coin_motion.contact import TOUCHED_MM, shown_by_struck
from referee.detectors.hands.hidden_move import carried_there, slid_to_run, stood_there
from referee.detectors.hands.unseen_strikes import passing
from referee.domain.episode import CoinTrack, Episode, frame_time_s
from referee.domain.geometry import distance
from referee.domain.incident import SURE
from referee.domain.path import Path, Run
from referee.domain.sighting import SEEN_SIGMAS, TELLING_SIGHTINGS
from referee.domain.slide import FASTEST_FLICK_MM_S

# A hand that carries a coin over the table is seldom faster. Source: Flash and Hogan, The
# coordination of arm movements (1985): at its fastest a hand goes at 15/8 of its average speed.
# Chosen: 300 mm in a second. A finger that drew a coin along at 503 mm/s was measured.
CARRIED_MM_S: Final = 560.0


def is_unsure(
    episode: Episode, track: CoinTrack, path: Path, run: Run, paths: tuple[Path, ...]
) -> bool:
    """Return whether it is not sure that a hand flicked the coin as this run began. `track` and
    `path` are the coin's, `paths` those of all coins.
    """
    return bool(
        way_mm(path, run) < TOUCHED_MM
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
    )


def way_mm(path: Path, run: Run) -> float:
    """Return how far the coin slid in this run and the runs after it, mm."""
    return sum(
        distance(r.from_mm, r.position(min(r.end_s, r.stop_s)))
        for r in path.runs
        if r.begin_s >= run.begin_s
    )


def _stayed_with_hand(episode: Episode, track: CoinTrack, path: Path, run: Run) -> bool:
    """Return whether a hand may have carried the coin, or a finger may have been taken for it: it
    started slowly, and all its sightings were at a hand. If it was seen in motion, also after it
    bounced off a tile, only those sightings count.
    """
    runs = _with_bounces(episode, path, run)
    moving = [
        s for s in track.sightings if any(r.begin_s < s.t_s < min(r.end_s, r.stop_s) for r in runs)
    ]
    seen = moving or track.sightings
    return (
        _least_speed_mm_s(runs) < CARRIED_MM_S
        and bool(seen)
        and all(s.frame in track.hand_frames for s in seen)
    )


def _with_bounces(episode: Episode, path: Path, run: Run) -> tuple[Run, ...]:
    """Return a run, and the runs after it in which the coin bounced off tiles, and was not held."""
    tiles, begins_s = episode.course_before.tiles, run.begin_s
    later = path.runs[path.runs.index(run) + 1 :]

    def bounced(then: Run) -> bool:
        held = any(begins_s < h.end_s and h.begin_s <= then.begin_s for h in path.held)
        return bool(then.met) and all(n in tiles for n in then.met) and not held

    return (run, *takewhile(bounced, later))


def _least_speed_mm_s(runs: tuple[Run, ...]) -> float:
    """Return a lower limit of the coin's speed at the start of the first of these runs. The tiles
    that it hit next gave it no speed, so it started at least as fast as it left them.
    """
    return max(r.speed_mm_s - SEEN_SIGMAS * r.sigma_mm_s for r in runs)


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
    """Return whether a coin came unseen to the beginning of its first run, and this unseen way is
    longer than the way from there on. The flick may then have been at any time since the coin was
    hidden. Return False if the coin was seen to stand where a hand had carried it, or if it surely
    slid there.
    """
    put_down = any(stood_there(path, held, run) for held in path.held)
    return (
        run is path.runs[0]
        and path.rest_before_mm is not None
        and distance(path.rest_before_mm, run.from_mm) > max(way_mm(path, run), TOUCHED_MM)
        and not (put_down and carried_there(episode, path, run))
        and slid_to_run(episode, path, run) <= SURE
    )


def _may_have_slid_on(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether a coin that slid until a hand hid it may just have slid on until it was seen
    again: it was not seen to stand in between.
    """
    held = path.held_until(run.begin_s)
    return (
        held is not None
        and any(r.begin_s < held.begin_s < r.stop_s for r in path.runs)
        and not stood_there(path, held, run)
        and slid_to_run(episode, path, run) > 1.0 - SURE
    )


def _taken_elsewhere(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether a hand first carried the coin to another place, and the coin was not seen to
    come to rest afterwards: what slid may be a finger of that hand. Return False if the coin left
    the hand in a straight line from where it lay, because then it was flicked.
    """
    out_of_hand = path.held_until(run.begin_s) is not None
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
    held = path.held_until(run.begin_s)
    with_hand = held is not None and held.seen_with_hand
    return run is path.runs[0] and path.rest_before_mm is None and not with_hand
