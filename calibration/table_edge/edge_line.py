"""A straight line along which the table ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from calibration.tiles.rims import NORMALS
from referee.domain.geometry import Point

# Tuned on our own clips.

LEAST_SEEN_MM: Final = 90.0  # a side counts as found only if at least this length of it is seen
LONG_MM: Final = 250.0  # a stretch must be this long to show a direction


@dataclass(frozen=True)
class EdgeLine:
    """A straight line on the table. `point` lies on it, and `outward` is its unit normal away from
    the table. `sigma_mm` is its error across its direction, and `seen_mm` the stretch of it that
    was seen: two distances along the line from `point`.
    """

    point: Point
    outward: Point
    sigma_mm: float
    seen_mm: tuple[float, float]

    @property
    def along(self) -> Point:
        """Return the line's unit direction, counter-clockwise around the table."""
        return (-self.outward[1], self.outward[0])


def outward_of(k: int) -> Point:
    """Return the outward direction of the lower (0), right (1), upper (2) or left (3) side, as if
    the table lay straight in its frame.
    """
    return NORMALS[k - 1]
