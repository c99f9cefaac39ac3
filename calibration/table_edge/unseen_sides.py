"""Estimates from the other sides of the table what the picture does not show of a side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table_edge.edge_line import LONG_MM, EdgeLine, outward_of
from calibration.table_edge.rough_side import BAND_MM
from referee.domain.geometry import add, scale

Array = NDArray[np.float64]

# Tuned on our own clips.

GUESS_SIGMA_MM: Final = 100.0  # the error of a side that was not seen
_SHORT_SIGMA_MM: Final = 1.0  # the added error of a side seen only over a short stretch


def steadied(lines: dict[int, EdgeLine]) -> dict[int, EdgeLine]:
    """Return the lines. A line that was seen only over a short stretch gets a better direction:
    parallel to the opposite side, or at a right angle to a neighbour.
    """
    long = {k: line for k, line in lines.items() if line.seen_mm[1] - line.seen_mm[0] > LONG_MM}
    steady = {}
    for k, line in lines.items():
        others = [j for j in ((k + 2) % 4, (k + 1) % 4, (k + 3) % 4) if j in long]
        if k in long or not others:
            steady[k] = line
            continue
        outward = long[others[0]].outward
        for _ in range((k - others[0]) % 4):
            outward = (-outward[1], outward[0])
        half = (line.seen_mm[1] - line.seen_mm[0]) / 2
        middle = add(line.point, scale(line.along, line.seen_mm[0] + half))
        steady[k] = EdgeLine(
            middle, outward, float(np.hypot(line.sigma_mm, _SHORT_SIGMA_MM)), (-half, half)
        )
    return steady


def guessed(k: int, lines: Mapping[int, EdgeLine], hull: Array) -> EdgeLine:
    """Estimate a side that was not seen: parallel to the opposite side, equally far from the
    course's middle, and outside all tiles.
    """
    middle = (float(hull[:, 0].mean()), float(hull[:, 1].mean()))
    other = lines.get((k + 2) % 4)
    outward = scale(other.outward, -1.0) if other is not None else outward_of(k)
    away = (
        0.0
        if other is None
        else (other.point[0] - middle[0]) * other.outward[0]
        + (other.point[1] - middle[1]) * other.outward[1]
    )
    beyond = float(((hull - np.array(middle)) @ np.array(outward)).max()) + BAND_MM
    return EdgeLine(
        add(middle, scale(outward, max(away, beyond))), outward, GUESS_SIGMA_MM, (0.0, 0.0)
    )
