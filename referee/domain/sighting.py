"""What the camera saw of one coin in one frame, on the table plane."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from referee.domain.geometry import Point

# This share of a coin's variance is common to all its measurements, because its shadow and its side
# wall shift all of them in the same way. It does not show as scatter, and averaging does not remove
# it. Tuned on our own clips: random close calls.
SHARED: Final = 0.64
# Chosen: how many sightings are needed to tell how a coin moves. Two of them give its velocity, and
# the third checks them.
TELLING_SIGHTINGS: Final = 3
# A difference counts as real if it is larger than this many standard uncertainties. Tuned on our
# own clips.
SEEN_SIGMAS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Sighting:
    """The centre of one coin in one frame.

    `t_s` is the middle of the exposure. `at_mm` is the coin's centre on the table, already
    corrected for the coin's height, and `sigma_mm` its standard uncertainty along each axis.
    `bias_sigma_mm` is the part of it that all sightings of the coin share; if it is None, the usual
    share `SHARED` is assumed. There is no sighting for a frame in which the coin was hidden.
    """

    coin: str
    frame: int
    t_s: float
    at_mm: Point
    sigma_mm: float
    bias_sigma_mm: float | None = None

    @property
    def shared_mm(self) -> float:
        """Return the standard uncertainty along each axis that all sightings of the coin share."""
        if self.bias_sigma_mm is not None:
            return self.bias_sigma_mm
        return math.sqrt(SHARED) * self.sigma_mm
