"""`line_crossed`: a sliding coin's centre crossed the line of a wicket, a gate or a door between
its ends.

The centre's distance from the line is positive on the outward side. The path is split into legs in
which this distance only grows or only shrinks. Each leg that ends on the other side is a crossing,
so one flick may cross a line several times and in both directions. A hand that carries a coin over
a line makes no crossing. The lines are those of the course when the flick began.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from referee.detectors.coin_motion.normal_distribution import normal_share
from referee.domain.episode import Episode, frames_about, is_vague
from referee.domain.geometry import Point, distance, dot, subtract, unit
from referee.domain.incident import LineCrossed, as_written, worth_saying
from referee.domain.layout import POCKETS, Line, direction_across
from referee.domain.path import Path, Run
from referee.domain.sighting import SEEN_SIGMAS

# Tuned on our own clips, except where a comment gives another source for a number.

# A shorter leg is a rounding error at a joint between runs.
LEAST_LEG_MM: Final = 0.02


@dataclass(frozen=True, slots=True)
class Node:
    """An instant at which a coin's distance from the line may begin to grow or shrink. `ahead_mm`
    is that distance, positive on the outward side.
    """

    t_s: float
    ahead_mm: float
    sigma_mm: float


@dataclass(frozen=True, slots=True)
class Leg:
    """A part of a path in which the distance from the line only grows or only shrinks, and the runs
    in it.
    """

    begin: Node
    end: Node
    runs: tuple[Run, ...]


def line_crossings(episode: Episode, paths: tuple[Path, ...]) -> list[LineCrossed]:
    """Find all crossings of the course's lines in the episode, in no particular order. Crossings
    that are only probable are included. Mouths of pockets do not count as lines here.
    """
    lines = {n: line for n, line in episode.course_before.lines.items() if n not in POCKETS}
    return [
        crossing
        for path in paths
        for name, line in lines.items()
        for crossing in crossings_of(episode, path, name, line)
    ]


def crossings_of(episode: Episode, path: Path, name: str, line: Line) -> list[LineCrossed]:
    """Return one path's crossings of one line, in order of time. Crossings that are only probable
    are included.
    """
    return [
        crossing
        for stretch in free_stretches(path)
        for leg in legs(stretch, path, line)
        if (crossing := _crossing(episode, path, name, line, leg)) is not None
    ]


def free_stretches(path: Path) -> Iterator[tuple[Run, ...]]:
    """Split the path's runs into groups. Within a group, no hand holds the coin between two
    runs.
    """
    group: list[Run] = []
    for run in path.runs:
        if group and any(
            group[-1].end_s <= 0.5 * (h.begin_s + h.end_s) <= run.begin_s for h in path.held
        ):
            yield tuple(group)
            group = []
        group.append(run)
    if group:
        yield tuple(group)


def legs(runs: tuple[Run, ...], path: Path, line: Line) -> list[Leg]:
    """Split a stretch of runs into its legs towards and away from a line, in order of time."""
    outward = line.outward
    found: list[Leg] = []
    for run in runs:
        times = (run.begin_s, min(run.end_s, run.stop_s))
        begin, end = (
            Node(t, dot(subtract(at, line.right_mm), outward), sigma_mm)
            for t in times
            for at, sigma_mm in [place_at(path, run, t)]
        )
        way = end.ahead_mm - begin.ahead_mm
        if found and (
            abs(way) < LEAST_LEG_MM or (found[-1].end.ahead_mm - found[-1].begin.ahead_mm) * way > 0
        ):
            found[-1] = Leg(found[-1].begin, end, (*found[-1].runs, run))
        else:
            found.append(Leg(begin, end, (run,)))
    return found


def place_at(path: Path, run: Run, t_s: float) -> tuple[Point, float]:
    """Return where the coin was when a run began or ended, and the standard uncertainty of that
    place. If the coin lay still there, its measured place of rest is used, because it is more
    accurate than the end of the slide.
    """
    at, sigma_mm = run.position(t_s), run.sigma_at(t_s)
    rests = (
        (path.runs[0], run.begin_s, path.rest_before_mm, path.rest_before_sigma_mm),
        (path.runs[-1], run.stop_s, path.rest_after_mm, path.rest_after_sigma_mm),
    )
    for beside, lay_s, rest_mm, rest_sigma_mm in rests:
        if run is beside and t_s == lay_s and rest_mm is not None:
            apart_mm = distance(at, rest_mm)
            if apart_mm < SEEN_SIGMAS * math.hypot(sigma_mm, rest_sigma_mm):
                return rest_mm, rest_sigma_mm
    return at, sigma_mm


def _crossing(episode: Episode, path: Path, name: str, line: Line, leg: Leg) -> LineCrossed | None:
    outward = leg.end.ahead_mm > leg.begin.ahead_mm
    sign = 1.0 if outward else -1.0
    behind, past = -sign * leg.begin.ahead_mm, sign * leg.end.ahead_mm
    t_s, run = _instant(line, leg)
    place, inside = _along(line, run, t_s)
    tile = line.sigma_at(place)
    sigma = math.hypot(tile, run.sigma_at(t_s))
    if is_vague(episode, sigma):
        return None
    sides = normal_share(past / math.hypot(tile, leg.end.sigma_mm)) * normal_share(
        behind / math.hypot(tile, leg.begin.sigma_mm)
    )
    chance = sides * normal_share(inside / sigma)
    if not worth_saying(chance):
        return None
    return LineCrossed(
        coin=path.coin,
        line=name,
        direction=direction_across(name, outward=outward),
        t_s=t_s,
        margin_mm=round(min(inside, past), 2),
        sigma_mm=round(sigma, 3),
        probability=as_written(chance),
        frames=frames_about(episode, t_s),
    )


def _instant(line: Line, leg: Leg) -> tuple[float, Run]:
    """Return when the centre was on the line, and in which run. If the leg ends before the line,
    return when the centre was closest to the line.
    """
    outward = line.outward
    for run in leg.runs:
        ahead, climb = dot(subtract(run.from_mm, line.right_mm), outward), dot(run.heading, outward)
        way = -ahead / climb if climb else -1.0
        t_s = run.time_at(way)
        if t_s is not None and t_s <= run.end_s + 1e-9:
            return t_s, run
    nearest = leg.begin if abs(leg.begin.ahead_mm) < abs(leg.end.ahead_mm) else leg.end
    return nearest.t_s, leg.runs[0] if nearest is leg.begin else leg.runs[-1]


def _along(line: Line, run: Run, t_s: float) -> tuple[float, float]:
    """Return where along the line the centre crossed it, from 0 at the right end to 1 at the left
    end, and how far that point is from the nearer end, mm; negative beyond an end.
    """
    along = unit(subtract(line.left_mm, line.right_mm))
    place = dot(subtract(run.position(t_s), line.right_mm), along)
    length = distance(line.left_mm, line.right_mm)
    return place / length, min(place, length - place)
