"""The stated error of the discs that frame analysis finds, compared with their true errors."""

from __future__ import annotations

import numpy as np

from referee.domain.geometry import distance
from referee.vision.frame_analysis import FrameAnalysis
from tests.vision.drawn import COIN, LIGHT, RADIUS_MM, SIZES, WOOD, Scenery, looking, table

EXPOSURE_S = 0.008


def test_the_sigma_of_discs_is_no_smaller_than_their_errors():
    squares, rng = [], np.random.default_rng(3)
    for k in range(12):
        at = (float(rng.uniform(-80, 80)), float(rng.uniform(-50, 50)))
        still = Scenery(looking(20.0), noise=3.0, seed=50 + k)
        analysis = FrameAnalysis.opened(table(still.view), still.picture(), LIGHT)
        observation = analysis.observe(
            still.but(discs=((at, COIN),), seed=k).picture(), 1, 1 / 60, (), EXPOSURE_S
        )
        (disc,) = observation.discs
        squares.append(distance(disc.at_mm, at) ** 2 / (2 * disc.sigma_mm**2))
    assert sum(squares) / len(squares) < 1.5
    assert SIZES.coin_mm == 2 * RADIUS_MM and WOOD < COIN
