"""The table's outline: where a centre that goes past it has left the table."""

from __future__ import annotations

from dataclasses import dataclass

from referee.geometry import Point


@dataclass(frozen=True, slots=True)
class EdgeSide:
    """One side of the table's outline. `sigma_mm` is how well the line of the side is known (across it).

    `from_share` to `to_share` is the stretch (shares of the way from `begin_mm` to `end_mm`) that the camera can referee:
    it lies in the picture and was seen. Both are 0 on a side that was only guessed.
    """

    begin_mm: Point
    end_mm: Point
    sigma_mm: float
    from_share: float
    to_share: float
