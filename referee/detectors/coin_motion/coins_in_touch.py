"""Finds the coins that lie against a coin, and those of them that may have set it in motion."""

from __future__ import annotations

import math

from referee.detectors.coin_motion.contact import SIZE_SIGMA_MM
from referee.detectors.coin_motion.hand_near import hand_at
from referee.domain.episode import Episode
from referee.domain.geometry import distance, scale, subtract
from referee.domain.path import Path, Run
from referee.domain.sighting import SEEN_SIGMAS


def in_touch(episode: Episode, path: Path, other: Path) -> bool:
    """Return whether two coins lay against each other, as far as the errors of their places show;
    False if one of them was not on the table.
    """
    places = (path.rest_before_mm, other.rest_before_mm)
    if places[0] is None or places[1] is None:
        return False
    sigma = math.hypot(path.rest_before_sigma_mm, other.rest_before_sigma_mm, SIZE_SIGMA_MM)
    gap_mm = distance(places[0], places[1]) - episode.sizes.reach_mm(path.coin, other.coin)
    return gap_mm < SEEN_SIGMAS * sigma


def struck_in_touch(
    episode: Episode, paths: tuple[Path, ...], path: Path, run: Run
) -> tuple[Path, ...]:
    """Return the coins that lay against this coin, had a hand at them, and lay exactly behind it as
    it left. The hand may have flicked such a coin instead. That coin then set this one in motion
    and stayed where it was: no finger fits between the two.
    """
    speed_mm_s = max(run.speed_mm_s, 1.0)

    def may_strike(other: Path) -> bool:
        lay = other.rest_before_mm
        if other is path or lay is None or not hand_at(episode, other.coin, run.begin_s):
            return False
        if not in_touch(episode, path, other):
            return False
        apart_mm = episode.sizes.reach_mm(path.coin, other.coin)
        behind = subtract(run.from_mm, scale(run.heading, apart_mm))
        places = (path.rest_before_sigma_mm, other.rest_before_sigma_mm, SIZE_SIGMA_MM)
        aside_mm = apart_mm * run.sigma_mm_s / speed_mm_s
        return distance(behind, lay) < SEEN_SIGMAS * math.hypot(*places, aside_mm)

    return tuple(other for other in paths if may_strike(other))


def touching(episode: Episode, path: Path, run: Run, paths: tuple[Path, ...]) -> tuple[str, ...]:
    """Return the coins that touched the coin just before it was flicked, judged by the places where
    they lay.
    """
    names = []
    for other in paths:
        there = other.position_at(run.begin_s - 1e-6) if other is not path else None
        if there is None or episode.course_before.tower_at(there) is not None:
            continue
        sigma = math.hypot(path.rest_before_sigma_mm, other.rest_before_sigma_mm, SIZE_SIGMA_MM)
        gap_mm = distance(there, run.from_mm) - episode.sizes.reach_mm(path.coin, other.coin)
        if gap_mm < SEEN_SIGMAS * sigma:
            names.append(other.coin)
    return tuple(names)
