"""A disc as it appears in a picture, before anything is known of the camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.domain.geometry import Point

FEWEST_POINTS: Final = 12  # Chosen: the fewest points of a rim; an ellipse has five unknowns
RIM_PX: Final = 0.8  # Chosen: the blur of the sharpest rim, and the error of its place on one ray
FLATTEST: Final = 0.5  # Chosen: a flatter ellipse is not a disc seen from above (60 degrees)

Ellipse = tuple[Point, tuple[float, float], float]  # as OpenCV has it: middle, both widths, turn


@dataclass(frozen=True, slots=True)
class FoundDisc:
    """A disc as it appears in a picture.

    Its rim is an ellipse: `middle_px`, the longer and the shorter diameter (`width_px`), and
    `turn_deg`, the direction of the longer diameter in degrees clockwise from the right. `log_odds`
    are the network's log odds of a disc. `support` is the share of rays on which the rim was found.
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
        """Return the disc whose rim is an ellipse. The widths may come in any order; `turn_deg` is
        the direction of the first.
        """
        shorter, longer = sorted(widths_px)
        turned = turn_deg + (90.0 if widths_px[1] > widths_px[0] else 0.0)
        return FoundDisc(middle_px, (longer, shorter), turned % 180.0, log_odds, support)


def ellipse_through(places_px: NDArray[np.float64]) -> Ellipse:
    """Fit an ellipse to places (n, 2), by least squares."""
    (x, y), (wide, high), turn_deg = cv2.fitEllipse(places_px.astype(np.float32))
    return (float(x), float(y)), (float(wide), float(high)), float(turn_deg)


def softened(bgr: NDArray[np.uint8], width_px: float) -> NDArray[np.float32]:
    """Return a picture (h, w, 3) that is blurred so much that the rim of a disc remains, but the
    disc's texture does not.
    """
    return cv2.GaussianBlur(bgr, (0, 0), max(RIM_PX, width_px / 40)).astype(np.float32)
