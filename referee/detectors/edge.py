"""`left_table`: a coin's centre crossed the table's outline.

A coin whose centre is past the edge falls and is gone, so two things must agree: the slide leads over the edge, and the coin is
not seen on the table again. A stretch of the edge that is out of the picture, or was only guessed, gives no certain fall.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.detectors.chance import as_written, frame_time_s, frames_about, normal_share, worth_saying
from referee.detectors.crossing import free_stretches, time_at
from referee.edge import EdgeSide
from referee.episode import CoinTrack, Episode
from referee.geometry import Point, add, distance, dot, scale, subtract, unit
from referee.incident import LeftTable
from referee.path import Path, Run

GONE_DOUBT = 0.1  # of the doubt about the edge, what remains when the coin is gone with no hand near: where else should it be
EARLY_FRAMES = 3.0  # a coin lost from sight more than so many frames before it reached the edge may have been lost for another reason
EARLY_CHANCE = 0.7  # and then this much is left
HAND_CHANCE = 0.85  # a hand over the coin as it got lost: it may have been stopped or taken
BLIND_CHANCE = 0.9  # the most that can be said of a stretch of the edge that the camera cannot referee
CORNER_MM = 1.0  # how far beyond a side's ends a crossing still belongs to it


@dataclass(frozen=True, slots=True)
class Exit:
    """Where and when a run led over a side of the table, how far past it the coin would have come, and the standard uncertainty of that."""

    side: EdgeSide
    t_s: float
    at_mm: Point
    past_mm: float
    sigma_mm: float


def falls(episode: Episode, paths: tuple[Path, ...]) -> list[LeftTable]:
    """The coins that left the table, also those that only may have, in no particular order."""
    tracks = {t.coin: t for t in episode.tracks}
    found = []
    for path in paths:
        for stretch in free_stretches(path):
            run = stretch[-1]
            lost = path.rest_after_mm is None or any(h.begin_s >= run.begin_s for h in path.held)
            leave = exit_of(episode.edge, run)
            if lost and leave is not None and (fall := _fall(episode, path, tracks.get(path.coin), run, leave)) is not None:
                found.append(fall)
    return found


def exit_of(edge: tuple[EdgeSide, ...], run: Run) -> Exit | None:
    """Where the run, carried on until friction stops the coin, first leads over the edge; None when it stops before it, by more than sigmas tell."""
    middle = centre(edge)
    exits = []
    for side in edge:
        inward = inward_normal(side, middle)
        ahead, climb = dot(subtract(run.from_mm, side.begin_mm), inward), -dot(run.heading, inward)
        if climb <= 0.0:
            continue
        reach = _stopping_way(run) * climb - ahead
        sigma = math.hypot(side.sigma_mm, run.sigma_at(run.stop_s if math.isfinite(run.stop_s) else run.end_s))
        way = min(max(ahead / climb, 0.0), _stopping_way(run))
        at = add(run.from_mm, scale(run.heading, way))
        along = dot(subtract(at, side.begin_mm), unit(subtract(side.end_mm, side.begin_mm)))
        if reach > -4.0 * sigma and -CORNER_MM <= along <= distance(side.begin_mm, side.end_mm) + CORNER_MM:
            t_s = time_at(run, way)
            exits.append(Exit(side, run.stop_s if t_s is None else t_s, at, reach, sigma))
    return min(exits, key=lambda e: e.t_s, default=None)


def _stopping_way(run: Run) -> float:
    return run.speed_mm_s**2 / (2 * run.slowing_mm_s2) if run.slowing_mm_s2 > 0 else 1e6


def centre(edge: tuple[EdgeSide, ...]) -> Point:
    """A point inside the table: the mean of the sides' ends."""
    ends = [p for side in edge for p in (side.begin_mm, side.end_mm)]
    return (sum(p[0] for p in ends) / len(ends), sum(p[1] for p in ends) / len(ends))


def inward_normal(side: EdgeSide, middle: Point) -> Point:
    """The unit normal of the side that points to the table's inside."""
    along = unit(subtract(side.end_mm, side.begin_mm))
    normal = (-along[1], along[0])
    return normal if dot(subtract(middle, side.begin_mm), normal) > 0 else (-normal[0], -normal[1])


def refereed(side: EdgeSide, at: Point) -> bool:
    """Whether the camera can referee the side at the point."""
    share = dot(subtract(at, side.begin_mm), subtract(side.end_mm, side.begin_mm)) / max(distance(side.begin_mm, side.end_mm) ** 2, 1e-9)
    return side.from_share <= share <= side.to_share


def _fall(episode: Episode, path: Path, track: CoinTrack | None, run: Run, leave: Exit) -> LeftTable | None:
    chance = normal_share(leave.past_mm / leave.sigma_mm)
    if not refereed(leave.side, leave.at_mm):
        chance *= BLIND_CHANCE
    elif track is not None and _hand_near(episode, track, run.end_s, leave.t_s):
        chance *= HAND_CHANCE
    else:
        chance = 1.0 - (1.0 - chance) * GONE_DOUBT
        if leave.t_s - run.end_s > EARLY_FRAMES * frame_time_s(episode) and run.end_s < run.stop_s - 1e-9:
            chance *= EARLY_CHANCE
    if not worth_saying(chance):
        return None
    return LeftTable(
        coin=path.coin, at_mm=(round(leave.at_mm[0], 2), round(leave.at_mm[1], 2)), t_s=leave.t_s, margin_mm=round(leave.past_mm, 2),
        sigma_mm=round(leave.sigma_mm, 3), probability=as_written(chance), frames=frames_about(episode, leave.t_s),
    )  # fmt: skip


def _hand_near(episode: Episode, track: CoinTrack, from_s: float, to_s: float) -> bool:
    """Whether a hand lay over the coin between its last sight and its going over the edge."""
    pad = frame_time_s(episode)
    return any(f.number in track.hand_frames and min(from_s, to_s) - pad <= f.t_s <= max(from_s, to_s) + pad for f in episode.frames)
