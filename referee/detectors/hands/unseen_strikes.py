"""Which coins may have struck which, where nobody saw it."""

from __future__ import annotations

import math

from referee.detectors.coin_motion.contact import SIZE_SIGMA_MM
from referee.detectors.coin_motion.pocket import off_board
from referee.domain.episode import LIES_MM, Episode, frame_time_s
from referee.domain.geometry import Point, distance, nearest_on_segment
from referee.domain.incident import TICK_S
from referee.domain.path import Path, Run
from referee.domain.sighting import SEEN_SIGMAS


def passing(episode: Episode, paths: tuple[Path, ...], path: Path, t_s: float) -> tuple[Path, ...]:
    """Return the coins that slid so near to this coin at an instant that they may have struck it
    between two frames. Coins that set off later do not count.
    """
    frame_s, at = frame_time_s(episode), path.position_at(t_s - TICK_S)
    if at is None:
        return ()

    def may_strike(run: Run) -> bool:
        end_s = min(run.end_s, run.stop_s)
        if not run.begin_s < t_s - TICK_S or t_s > end_s + frame_s:
            return False
        reach_mm = episode.sizes.coin_mm + run.speed_mm_s * frame_s
        return distance(run.position(min(t_s, end_s)), at) < reach_mm

    return tuple(p for p in paths if p is not path and any(map(may_strike, p.runs)))


def may_be_struck(
    episode: Episode, paths: tuple[Path, ...], path: Path, lay_mm: Point, from_s: float
) -> bool:
    """Return whether, after `from_s`, another coin slid to `lay_mm`, where this coin lay, so that
    it may have struck this coin. False for a coin that lay off the board, because it is not in
    play.
    """
    if off_board(episode.course_before, lay_mm):
        return False

    def reaches(other: Path, run: Run) -> bool:
        if run.end_s < from_s - frame_time_s(episode):
            return False
        near = nearest_on_segment(run.from_mm, run.position(min(run.end_s, run.stop_s)), lay_mm)
        sigmas = (path.rest_before_sigma_mm, run.sigma_mm, SIZE_SIGMA_MM)
        reach_mm = episode.sizes.reach_mm(path.coin, other.coin)
        return distance(near, lay_mm) < reach_mm + SEEN_SIGMAS * math.hypot(*sigmas)

    return any(reaches(p, run) for p in paths if p is not path for run in p.runs)


def may_have_pushed(episode: Episode, paths: tuple[Path, ...], path: Path, from_s: float) -> bool:
    """Return whether this coin may have slid into another coin unseen: the other coin changed its
    place after `from_s`, no hand was at it, and it was not seen moving. False for a coin that lay
    off the board, because it is not in play.
    """
    lay_mm = path.rest_before_mm
    if lay_mm is None or off_board(episode.course_before, lay_mm):
        return False
    untouched = {track.coin for track in episode.tracks if not track.hand_frames}

    def pushed(other: Path) -> bool:
        before, after = other.rest_before_mm, other.rest_after_mm
        if before is None or after is None or other.runs or other.coin not in untouched:
            return False
        since = any(held.begin_s >= from_s for held in other.held)
        return since and distance(before, after) > LIES_MM

    return any(pushed(other) for other in paths if other is not path)
