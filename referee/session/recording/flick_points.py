"""Computes the rows of `paths.csv`: the smoothed places of the coins that a flick moved."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from referee.domain.episode import Episode
from referee.domain.geometry import Point
from referee.domain.incident import Incident, LeftTable, Unseen
from referee.domain.path import Path
from referee.library.archive import PathPoint

# Chosen: nothing was measured for these, except where a comment says so.

LYING_S: Final = 0.05  # a path's points continue for this long after its coin has stopped
# A wrong survey shifts places that lie close to each other in almost the same way. When they are
# compared, this share of the shift is left. Measured: over 23 clips whose truth is known.
NEIGHBOURS_SHARE: Final = 0.51

#: The standard error of a survey at a place on the table, mm along one axis.
SurveySigma = Callable[[Point], float]


def no_survey_sigma(at_mm: Point) -> float:
    """Return the error of an exact survey."""
    return 0.0


def points_of_flick(
    paths: Sequence[Path],
    episode: Episode,
    flick: int,
    incidents: Sequence[Incident],
    begun_s: float = 0.0,
    survey_sigma_mm: SurveySigma = no_survey_sigma,
) -> list[PathPoint]:
    """Return the smoothed places of all coins that a flick moved (see `points_of`). `incidents`
    tell which coins left the table, and when nobody saw what a coin did.
    """
    left_s = {i.coin: i.t_s for i in incidents if isinstance(i, LeftTable)}
    unseen = [i for i in incidents if isinstance(i, Unseen)]
    return [
        point
        for path in paths
        for point in points_of(
            path,
            episode,
            flick,
            begun_s,
            survey_sigma_mm,
            left_s.get(path.coin),
            [(i.from_s, i.to_s) for i in unseen if path.coin in i.pieces],
        )
    ]


def points_of(
    path: Path,
    episode: Episode,
    flick: int,
    begun_s: float = 0.0,
    survey_sigma_mm: SurveySigma = no_survey_sigma,
    left_s: float | None = None,
    unseen_s: Sequence[tuple[float, float]] = (),
) -> list[PathPoint]:
    """Return a moved coin's smoothed places, one for every frame from just before it moved until it
    lay still. `begun_s` is added to the times.

    For a coin that left the table at `left_s`, the last frame is the first one after that. For a
    coin that was lost, the places end where it was last seen. Sigma includes a share of the
    survey's error at the place, `survey_sigma_mm`, and in the stretches `unseen_s` how far the coin
    may have gone another way.
    """
    if not path.runs:
        return []
    begin, end = path.runs[0].begin_s, _end_s(path, episode, left_s)
    seen = {s.frame for s in path.sightings}
    points = []
    for frame in episode.frames:
        at = path.position_at(frame.t_s)
        if at is not None and begin <= frame.t_s <= end:
            hidden = any(from_s <= frame.t_s <= to_s for from_s, to_s in unseen_s)
            sigma_mm = math.hypot(
                path.sigma_at(frame.t_s),
                NEIGHBOURS_SHARE * survey_sigma_mm(at),
                _astray_mm(path, frame.t_s) if hidden else 0.0,
            )
            points.append(
                PathPoint(
                    flick,
                    path.coin,
                    frame.t_s + begun_s,
                    at[0],
                    at[1],
                    sigma_mm,
                    frame.number in seen,
                )
            )
    return points


def _astray_mm(path: Path, t_s: float) -> float:
    """Return how far a coin may be from its path along each axis, mm, as a standard uncertainty,
    if nobody knows what it did between the sightings just before and just after `t_s`.

    At its fastest speed between these, the coin may be anywhere in a disc around the nearer of the
    two places. Along one axis, places spread evenly over a disc have a standard deviation of half
    of its radius.
    """
    known_s = [s.t_s for s in path.sightings]
    if path.rest_before_mm is not None:
        known_s.append(path.runs[0].begin_s)
    before_s = max((known for known in known_s if known <= t_s), default=path.runs[0].begin_s)
    after_s = min((known for known in known_s if known >= t_s), default=math.inf)
    speed_mm_s = max(
        math.hypot(*path.velocity_at(s)) for s in (before_s, t_s, after_s) if math.isfinite(s)
    )
    return 0.5 * speed_mm_s * min(t_s - before_s, after_s - t_s)


def _end_s(path: Path, episode: Episode, left_s: float | None) -> float:
    """Return the time, s, until which the place of a moved coin is known."""
    last = path.runs[-1]
    end = min(last.end_s, last.stop_s) + LYING_S
    if path.rest_after_mm is None:
        end = min(end, last.end_s)
    if left_s is None or left_s < last.begin_s:
        return end
    return min(end, next((frame.t_s for frame in episode.frames if frame.t_s >= left_s), end))
