"""A stretch of time in which a hand may have moved a coin, and whether it had the time for that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from referee.domain.episode import CoinTrack, Rest

# Tuned on our own clips, except where a comment gives another source for a number.

PLACING_S: Final = 0.35  # a hand needs about this long to take a coin and release it
PLACING_SIGMA_S: Final = 0.1  # the standard deviation of `PLACING_S`
HAND_MM_S: Final = 2000.0  # the speed of a hand between the two places


@dataclass(frozen=True, slots=True)
class HeldSpan:
    """A stretch of time in which a coin came from one place to another and no chain explains how. A
    place is None if it is not known.
    """

    begin_s: float
    end_s: float
    left: Rest | None
    reached: Rest | None


def too_fast_cost(track: CoinTrack, span: HeldSpan) -> float:
    """Return the cost, chi-square, of the assumption that a hand moved the coin in less time than a
    hand needs.
    """
    way = 0.0
    if span.left is not None and span.reached is not None:
        way = float(np.hypot(*np.subtract(span.reached.at_mm, span.left.at_mm)))
    end_s = span.end_s
    if track.settled_s is not None and track.settled_s > (track.lay_until_s or -np.inf):
        end_s = min(end_s, track.settled_s)
    lacking_s = PLACING_S + way / HAND_MM_S - (end_s - span.begin_s)
    return max(0.0, lacking_s / PLACING_SIGMA_S) ** 2
