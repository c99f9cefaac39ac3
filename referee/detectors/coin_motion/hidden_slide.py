"""When a coin began to slide that nobody saw on its way."""

from __future__ import annotations

import math
from typing import Final

from referee.domain.episode import LIES_MM, Episode
from referee.domain.geometry import distance
from referee.domain.path import Path
from referee.domain.sighting import SEEN_SIGMAS
from referee.domain.slide import USUAL_SLOWING_MM_S2, speed_over_mm, standing_after_s

# Chosen: a flick's time counts as known if it is at most this many s off. With a larger error,
# the clip shows people the wrong pictures.
_DATED_S: Final = 0.2


def slid_from_s(episode: Episode, path: Path) -> float:
    """Estimate when a coin began to slide, of which only the places before and after are known.

    A hand often rests over a coin before it flicks it. So the time is counted back from when the
    coin lay at its last place: by the time in which dry friction stops a coin over the straight
    way. Parts of the coin that are seen beside the hand show when it lay there, and so does a hand
    that holds still over that place from then on. The slide does not begin before the coin was last
    seen at its first place. If nothing shows when the coin lay at its last place, return the time
    at which the hand hid it.
    """
    earliest_s, latest_s = _within_s(episode, path)
    return earliest_s if latest_s is None else max(earliest_s, latest_s)


def is_dated(episode: Episode, path: Path) -> bool:
    """Return whether it is known when a coin of which only the places before and after are known
    began to slide. If a hand hid both places for long, it is not.
    """
    earliest_s, latest_s = _within_s(episode, path)
    until_s = path.held[0].end_s if latest_s is None else latest_s
    return until_s - earliest_s < _DATED_S


def _seen_away_s(path: Path) -> float:
    """Return when a coin was first seen away from where it lay, since a hand hid it; infinite if it
    was not.
    """
    if (lay_mm := path.rest_before_mm) is None:
        return math.inf
    seen = (s for s in path.sightings if s.t_s > path.held[0].begin_s)
    away = (s.t_s for s in seen if distance(s.at_mm, lay_mm) > LIES_MM + SEEN_SIGMAS * s.sigma_mm)
    return min(away, default=math.inf)


def _within_s(episode: Episode, path: Path) -> tuple[float, float | None]:
    """Return when the coin began to slide at the earliest and at the latest (None if unknown)."""
    track, lay_mm, lies_mm = episode.track_of(path.coin), path.rest_before_mm, path.rest_after_mm
    left_s, came_s = path.held[0].begin_s, list[float]()
    away_s = _seen_away_s(path)
    if track.moved_within_s is not None and away_s < track.moved_within_s[0]:
        return left_s, away_s  # what still looked like the coin at its first place was not the coin
    if track.moved_within_s is not None:
        left_s = max(left_s, track.moved_within_s[0])
        came_s.append(track.moved_within_s[1])
    if track.settled_s is not None and track.settled_s > left_s:
        came_s.append(track.settled_s)
    if lay_mm is None or lies_mm is None or not came_s:
        return left_s, None
    speed_mm_s = speed_over_mm(distance(lay_mm, lies_mm), USUAL_SLOWING_MM_S2)
    return left_s, min(came_s) - standing_after_s(speed_mm_s, USUAL_SLOWING_MM_S2)
