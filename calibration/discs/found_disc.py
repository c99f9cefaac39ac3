"""A disc as it is seen in a picture, before anything is known of the camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.domain.geometry import Point

FLATTEST: Final = 0.5  # Chosen: a flatter ellipse is no disc seen from above (60 degrees)

Ellipse = tuple[Point, tuple[float, float], float]  # as OpenCV has it: middle, both widths, turn


@dataclass(frozen=True, slots=True)
class FoundDisc:
    """A disc as it is seen: the ellipse of its rim (middle, longer and shorter width, px, and the
    direction of the longer one, degrees clockwise from the right), the network's log odds, and the
    share of rays on which the rim was found.
    """

    middle_px: Point
    width_px: tuple[float, float]
    turn_deg: float
    log_odds: float
    support: float

    @staticmethod
    def of(
        middle_px: Point,
        widths_px: tuple[float, float],
        turn_deg: float,
        log_odds: float,
        support: float,
    ) -> FoundDisc:
        """Return the disc of an ellipse, with its widths in any order. `turn_deg` is the direction
        of the first.
        """
        shorter, longer = sorted(widths_px)
        turned = turn_deg + (90.0 if widths_px[1] > widths_px[0] else 0.0)
        return FoundDisc(middle_px, (longer, shorter), turned % 180.0, log_odds, support)
