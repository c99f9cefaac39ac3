"""Coins that leave the board of Carroms. `pocketed`: a sliding coin's centre went past the mouth of
a pocket, and the coin stayed there. `left_table`: it went over the outer side of a wall.

A coin may bounce between the ends of the walls and come back. So the last crossing into the pocket
counts, if no crossing out of it followed. A coin off the board is no longer in play: if it is taken
away, or falls off the table, that is reported only if it is certain, and nobody is asked about it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.detectors.coin_motion.crossing import crossings_of
from referee.domain.episode import Episode
from referee.domain.geometry import Point, dot, subtract
from referee.domain.incident import (
    SURE,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Placed,
    Pocketed,
    Unseen,
    as_written,
    worth_saying,
)
from referee.domain.layout import POCKETS, Course
from referee.domain.path import Path
from referee.domain.table_edge import beyond_a_wall, outer_sides


def off_board(course: Course, at_mm: Point) -> bool:
    """Return whether a place lies past the mouth of a pocket or beyond a wall. A place on a wall is
    still on the board.
    """
    return in_pocket(course, at_mm) or beyond_a_wall(course, at_mm)


def in_pocket(course: Course, at_mm: Point) -> bool:
    """Return whether a place lies past the mouth of a pocket."""
    return any(
        dot(subtract(at_mm, line.right_mm), line.outward) > 0.0
        for name, line in course.lines.items()
        if name in POCKETS
    )


def pocketed_coins(episode: Episode, paths: tuple[Path, ...]) -> list[Pocketed]:
    """Find the coins that went into a pocket and stayed there, in no particular order. Coins that
    only probably did so are included.
    """
    lines = {n: line for n, line in episode.course_before.lines.items() if n in POCKETS}
    found = []
    for path in paths:
        for name, line in lines.items():
            stayed = _stayed(crossings_of(episode, path, name, line))
            if stayed is not None:
                found.append(_as_pocketed(stayed))
    return found


def _as_pocketed(crossing: LineCrossed) -> Pocketed:
    return Pocketed(
        coin=crossing.coin,
        pocket=crossing.line,
        t_s=crossing.t_s,
        margin_mm=crossing.margin_mm,
        sigma_mm=crossing.sigma_mm,
        probability=crossing.probability,
        frames=crossing.frames,
    )


def over_walls(episode: Episode, paths: tuple[Path, ...]) -> list[LeftTable]:
    """Find the coins that climbed a wall and went over it, in no particular order. Coins that only
    probably did so are included.
    """
    found = []
    for path in paths:
        for name, line in outer_sides(episode.course_before).items():
            stayed = _stayed(crossings_of(episode, path, name, line))
            at = None if stayed is None else path.position_at(stayed.t_s or 0.0)
            if stayed is not None and at is not None:
                found.append(
                    LeftTable(
                        coin=stayed.coin,
                        at_mm=(round(at[0], 2), round(at[1], 2)),
                        t_s=stayed.t_s,
                        margin_mm=stayed.margin_mm,
                        sigma_mm=stayed.sigma_mm,
                        probability=stayed.probability,
                        frames=stayed.frames,
                    )
                )
    return found


def _stayed(crossings: Sequence[LineCrossed]) -> LineCrossed | None:
    """Return the coin's final crossing off the board, with the probability that the coin crossed
    the line and did not come back.
    """
    out = 1.0
    for crossing in sorted(crossings, key=lambda c: c.t_s or 0.0, reverse=True):
        chance = 1.0 if crossing.probability is None else crossing.probability
        if crossing.direction == "homeward":
            out *= 1.0 - chance
            continue
        if not worth_saying(chance * out):
            return None
        return replace(crossing, probability=as_written(chance * out))
    return None


def lying_off_board(episode: Episode) -> frozenset[str]:
    """Return the coins that lay off the board when the episode began."""
    return frozenset(
        track.coin
        for track in episode.tracks
        if track.before is not None and off_board(episode.course_before, track.before.at_mm)
    )


def of_coins_in_play(episode: Episode, incidents: Sequence[Incident]) -> list[Incident]:
    """Return the incidents without those of coins that lay off the board and did not come back. For
    these coins, only certain incidents by which a coin left its place off the board are kept.
    Nobody flicks a coin from there.
    """
    lay = lying_off_board(episode)
    return [i for i in incidents if not _off_board(episode, i, lay)] if lay else list(incidents)


def _off_board(episode: Episode, incident: Incident, lay: frozenset[str]) -> bool:
    unsure = (incident.probability or 1.0) <= SURE
    match incident:
        case Placed(at_mm=None) | LeftTable():
            return incident.coin in lay and unsure
        case Placed(at_mm=at_mm):
            off = at_mm is None or off_board(episode.course_after, at_mm)
            return incident.coin in lay and off
        case Pocketed() | Flicked():
            return incident.coin in lay
        case Unseen():
            return lay.issuperset(incident.pieces)
        case _:
            return False
