"""What the camera saw of one coin in one frame, on the table plane."""

from __future__ import annotations

from dataclasses import dataclass

from referee.domain.geometry import Point


@dataclass(frozen=True, slots=True)
class Sighting:
    """The centre of one coin in one frame.

    `t_s` is the middle of the exposure. `at_mm` is the coin's centre on the table, already
    corrected for the coin's height, and `sigma_mm` its standard uncertainty along each axis. There
    is no sighting for a frame in which the coin was hidden.
    """

    coin: str
    frame: int
    t_s: float
    at_mm: Point
    sigma_mm: float
