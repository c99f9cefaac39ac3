"""Measures, on coins at rest, how their rims look on a table. The result is used to fit moving
coins, which show less of the rim.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from statistics import median
from typing import Final

import numpy as np

from calibration.constants.fitting import COMPRESSION_LEVELS
from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.vision.coins.rim_fit import RimFit
from referee.vision.image.disc import PixelGrid, spot_at
from referee.vision.image.picture import ChannelMix, Picture

# Tuned on our own clips, except where a comment gives another source for a number.

# a measured wall share is limited to this range, because too little of the wall may be visible
WALL_SHARES: Final = (-1.5, 1.2)
LEAST_WALL_PX: Final = 4.0  # the least number of pixels that the wall must fill
LIKELY_ROUNDS: Final = 5
LATELY: Final = 24  # the most coins that count, the latest ones, because the light changes


@dataclass(frozen=True, slots=True)
class RimAppearance:
    """How coins' rims look. `swell_mm` is how much larger a coin's radius appears than it is, for
    face and wall together. `bevel_mm` is the same for the face alone, below 0 for dark bevels.
    `wall_share` is how light the wall is: 0 as the table, 1 as the face (None: not known).
    """

    swell_mm: float = 0.0
    bevel_mm: float = 0.0
    wall_share: float | None = None


#: How rims look, as long as no coin was measured at rest: not known.
UNKNOWN_RIMS: Final = RimAppearance()


@dataclass(slots=True)
class RimsSeen:
    """The rims of the coins recently measured at rest."""

    swells_mm: deque[float] = field(default_factory=lambda: deque(maxlen=LATELY))
    bevels_mm: deque[float] = field(default_factory=lambda: deque(maxlen=LATELY))
    wall_shares: deque[float] = field(default_factory=lambda: deque(maxlen=LATELY))

    def add(
        self,
        picture: Picture,
        view: TableView,
        fit: RimFit,
        sizes: PieceSizes,
        channel_mix: ChannelMix,
    ) -> None:
        """Add a coin at rest that was just measured."""
        self.swells_mm.append(fit.swell_mm)
        self.bevels_mm.append(fit.bevel_mm)
        share = measure_wall(picture, view, fit.at_mm, sizes, channel_mix, fit.bevel_mm)
        if share is not None:
            self.wall_shares.append(share)

    @property
    def usual(self) -> RimAppearance:
        """Return how rims look: the medians over these coins."""
        swell, bevel, wall = (
            median(seen) if seen else None
            for seen in (self.swells_mm, self.bevels_mm, self.wall_shares)
        )
        return RimAppearance(swell or 0.0, bevel or 0.0, wall)


def measure_wall(
    picture: Picture,
    view: TableView,
    at_mm: Point,
    sizes: PieceSizes,
    channel_mix: ChannelMix,
    bevel_mm: float,
) -> float | None:
    """Measure how light the side wall of the coin at a place is: 0 if it is as light as the table
    around it, 1 if as light as the coin's face, below 0 if darker than the table.

    One brightness each for table, face and wall is fitted to the pixels by robust least squares, so
    that the symbol and a shadow hardly count. None if too little of the wall is seen.
    """
    radius, spot = sizes.coin_mm / 2, spot_at(view, at_mm, sizes.coin_thickness_mm)
    rect = spot.rect(radius * 1.3 + 2.0)
    if rect.within(picture.width, picture.height) != rect:
        return None
    face, wall = PixelGrid.of(spot, rect).filled(
        (radius + bevel_mm, (0.0, 0.0)), (radius + max(bevel_mm, 0.0), spot.wall_px)
    )
    wall = np.maximum(wall - face, 0.0)
    if float(wall.sum()) < LEAST_WALL_PX:
        return None
    shares = np.stack([(1.0 - face - wall).ravel(), face.ravel(), wall.ravel()]).astype(np.float64)
    seen = picture.mixed(rect, channel_mix).ravel().astype(np.float64)
    trust = np.ones(len(seen))
    for _ in range(LIKELY_ROUNDS):
        weighted = shares * trust
        table_light, face_light, wall_light = np.linalg.solve(
            weighted @ shares.T + 1e-6 * np.eye(3), weighted @ seen
        )
        left = np.abs(seen - np.array([table_light, face_light, wall_light]) @ shares)
        trust = 1.0 / (1.0 + (left / (3.0 * left.mean() + 4.0)) ** 2)
    if face_light - table_light < COMPRESSION_LEVELS:
        return None
    return float(np.clip((wall_light - table_light) / (face_light - table_light), *WALL_SHARES))
