"""Boxes around places on a table."""

from __future__ import annotations

from collections.abc import Iterable

from referee.domain.geometry import Point

Box = tuple[float, float, float, float]  # a box's left, lower, right and upper bounds, mm


def box_around(at_mm: Point, reach_mm: float) -> Box:
    """Return the box around a place that reaches `reach_mm` from it in both directions of both
    axes.
    """
    return (at_mm[0] - reach_mm, at_mm[1] - reach_mm, at_mm[0] + reach_mm, at_mm[1] + reach_mm)


def merged(boxes_mm: Iterable[Box]) -> list[Box]:
    """Join boxes that overlap, so that no place is searched twice."""
    apart: list[Box] = []
    for box in boxes_mm:
        whole = box
        while touching := next((other for other in apart if _overlap(whole, other)), None):
            apart.remove(touching)
            whole = (
                min(whole[0], touching[0]),
                min(whole[1], touching[1]),
                max(whole[2], touching[2]),
                max(whole[3], touching[3]),
            )
        apart.append(whole)
    return apart


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
