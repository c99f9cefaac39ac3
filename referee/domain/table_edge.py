"""The table's outline: where a centre that goes past it has left the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from referee.domain.geometry import Point, add, distance, dot, scale, subtract, unit
from referee.domain.path import Run

# Tuned on our own clips, except where a comment says what stands behind a number.

# how far beyond a side's ends a way over the edge still belongs to that side
CORNER_MM: Final = 1.0
# a slide that stops before the edge by more than this does not lead over it
LEAST_SIGMAS: Final = 4.0


@dataclass(frozen=True, slots=True)
class EdgeSide:
    """One side of the table's outline. `sigma_mm` is how well the line of the side is known (across
    it).

    `from_share` to `to_share` is the stretch (shares of the way from `begin_mm` to `end_mm`) that
    the camera can referee: it lies in the picture and was seen. Both are 0 on a side that was only
    guessed.
    """

    begin_mm: Point
    end_mm: Point
    sigma_mm: float
    from_share: float
    to_share: float


@dataclass(frozen=True, slots=True)
class Exit:
    """Where and when a run leads over a side of the table.

    `past_mm` is how far past it the coin would come (negative: how far it stops short) and
    `sigma_mm` the uncertainty of that.
    """

    side: EdgeSide
    t_s: float
    at_mm: Point
    past_mm: float
    sigma_mm: float


def exit_of(edge: tuple[EdgeSide, ...], run: Run) -> Exit | None:
    """Where the run, carried on until friction stops the coin, first leads over the edge; None when
    it surely stops before it.
    """
    middle = middle_of(edge) if edge else (0.0, 0.0)
    exits = [found for side in edge if (found := _over(side, middle, run)) is not None]
    return min(exits, key=lambda e: e.t_s, default=None)


def _over(side: EdgeSide, middle: Point, run: Run) -> Exit | None:
    inward = inward_normal(side, middle)
    ahead, climb = dot(subtract(run.from_mm, side.begin_mm), inward), -dot(run.heading, inward)
    if climb <= 0.0 or run.speed_mm_s <= 0.0:
        return None
    whole = run.speed_mm_s**2 / (2 * run.slowing_mm_s2) if run.slowing_mm_s2 > 0 else math.inf
    past = whole * climb - ahead
    sigma = math.hypot(
        side.sigma_mm, run.sigma_at(run.stop_s if math.isfinite(run.stop_s) else run.end_s)
    )
    way = min(max(ahead / climb, 0.0), whole)
    at = add(run.from_mm, scale(run.heading, way))
    along = dot(subtract(at, side.begin_mm), unit(subtract(side.end_mm, side.begin_mm)))
    if (
        past < -LEAST_SIGMAS * sigma
        or not -CORNER_MM <= along <= distance(side.begin_mm, side.end_mm) + CORNER_MM
    ):
        return None
    t_s = run.time_at(way)
    return Exit(side, run.stop_s if t_s is None else t_s, at, past, sigma)


def middle_of(edge: tuple[EdgeSide, ...]) -> Point:
    """A point inside the table: the mean of the sides' ends. Raises ZeroDivisionError for a table
    without sides.
    """
    ends = [p for side in edge for p in (side.begin_mm, side.end_mm)]
    return (sum(p[0] for p in ends) / len(ends), sum(p[1] for p in ends) / len(ends))


def inward_normal(side: EdgeSide, middle: Point) -> Point:
    """The unit normal of the side that points to the table's inside, given a point there."""
    along = unit(subtract(side.end_mm, side.begin_mm))
    normal = (-along[1], along[0])
    return normal if dot(subtract(middle, side.begin_mm), normal) > 0 else (-normal[0], -normal[1])


def refereed(side: EdgeSide, at: Point) -> bool:
    """Whether the camera can referee the side at the point."""
    share = dot(subtract(at, side.begin_mm), subtract(side.end_mm, side.begin_mm)) / max(
        distance(side.begin_mm, side.end_mm) ** 2, 1e-9
    )
    return side.from_share < side.to_share and side.from_share <= share <= side.to_share
