"""The place where a coin that left the table goes back: some distance inward from the edge where it
left, or, near a corner, inward from both edges.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.geometry import (
    Point,
    add,
    cross,
    distance,
    dot,
    nearest_on_outline,
    scale,
    subtract,
)
from referee.games.flicking import rounded
from referee.games.ground import Ground


class Strip(NamedTuple):
    """Where a coin that left the table goes back.

    Its centre may lie from `least_mm` to `most_mm` inward from the edge, and up to `aside_mm` to
    either side of the exit point. The place shown to people is `shown_mm` inward from the edge.
    """

    least_mm: float
    most_mm: float
    shown_mm: float
    aside_mm: float


def goes_back_at(
    ground: Ground,
    exit_mm: Point,
    at_mm: Point,
    strip: Strip,
    slack_mm: float,
    reasons: Reasons = NO_REASONS,
    coin: str = "",
) -> bool:
    """Return whether a coin that left the table at `exit_mm` may be put back at `at_mm`.

    If the outline of the table is known, the distance is measured along the inward normal of the
    nearest edge; near a corner, a coin may also lie that far inward from both edges. Without an
    outline, only the distance from the exit point counts.
    """
    least_mm, most_mm = strip.least_mm - slack_mm, strip.most_mm + slack_mm
    depths = _corner_depths(ground, exit_mm, at_mm, strip)
    in_corner = depths != () and all(least_mm <= depth <= most_mm for depth in depths)
    if reasons.succeeds("in_from_both_edges", in_corner, coin, depths):
        return True
    depth_mm, aside_mm = from_edge(ground, exit_mm, at_mm)
    fits = least_mm <= depth_mm <= most_mm
    deep_enough = reasons.holds("in_from_edge", fits, coin, depth_mm)
    beside = aside_mm <= strip.aside_mm + slack_mm
    near_exit = ground.edge_mm is None or reasons.holds("near_exit", beside, coin, aside_mm)
    return deep_enough and near_exit


def _corner_depths(ground: Ground, exit_mm: Point, at_mm: Point, strip: Strip) -> tuple[float, ...]:
    """Return how far inward `at_mm` lies from each of the two edges of a corner; empty if the coin
    did not leave near a corner.
    """
    if ground.edge_mm is None:
        return ()
    corner = _corner_at(ground, exit_mm, strip)
    return tuple(dot(subtract(at_mm, foot), inward) for foot, inward in corner)


def _corner_at(ground: Ground, exit_mm: Point, strip: Strip) -> tuple[tuple[Point, Point], ...]:
    """Return the two edges of a corner, each as a point on it and its inward normal.

    Empty where the spot straight in from the exit is far enough from every other edge.
    """
    foot, inward = _edge_at(ground, exit_mm)
    if ground.edge_mm is None or inward is None:
        return ()
    straight_in = add(foot, scale(inward, strip.shown_mm))
    other, normal = nearest_on_outline(ground.edge_mm, straight_in)
    if cross(inward, normal) == 0.0 or dot(subtract(straight_in, other), normal) >= strip.least_mm:
        return ()
    return (foot, inward), (other, normal)


def _shown_at(ground: Ground, exit_mm: Point, strip: Strip) -> Point | None:
    """Return the place shown to people for a coin that goes back. Near a corner it is equally far
    inward from both edges.
    """
    foot, inward = _edge_at(ground, exit_mm)
    if inward is None:
        return None
    spot = add(foot, scale(inward, strip.shown_mm))
    corner = _corner_at(ground, exit_mm, strip)
    if not corner:
        return spot
    other, normal = corner[1]
    along = (-inward[1], inward[0])
    missing_mm = strip.shown_mm - dot(subtract(spot, other), normal)
    return add(spot, scale(along, missing_mm / dot(along, normal)))


def from_edge(ground: Ground, exit_mm: Point, at_mm: Point) -> Point:
    """Return how far inward from the edge `at_mm` lies, and how far to the side of the exit point.
    If no edge is known, return the distance from the exit point, and 0.
    """
    foot, inward = _edge_at(ground, exit_mm)
    way = subtract(at_mm, foot)
    return (
        (distance(at_mm, exit_mm), 0.0)
        if inward is None
        else (dot(way, inward), abs(cross(inward, way)))
    )


def back_facts(ground: Ground, exit_mm: Point, strip: Strip) -> dict[str, Any]:
    """Return the fields of a call that say where a coin goes back: `exit_mm`, `inset_mm` (how far
    in from the edge), and `back_mm` (the spot shown) where the edge is known.
    """
    spot = _shown_at(ground, exit_mm, strip)
    facts: dict[str, Any] = {"exit_mm": rounded(exit_mm), "inset_mm": round(strip.shown_mm, 2)}
    return facts if spot is None else facts | {"back_mm": rounded(spot)}


def _edge_at(ground: Ground, exit_mm: Point) -> tuple[Point, Point | None]:
    edge = ground.edge_mm
    return (
        (exit_mm, None) if edge is None or len({*edge}) < 2 else nearest_on_outline(edge, exit_mm)
    )
