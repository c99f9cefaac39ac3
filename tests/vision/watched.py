"""A frame analysis of two coins at rest, and a hand from the near edge over one of them: the
beginning of many tests.
"""

from __future__ import annotations

from referee.domain.frame_observation import Expected, FrameObservation
from referee.domain.geometry import Point
from referee.vision.frame_analysis import FrameAnalysis
from tests.vision.drawn import COIN, LIGHT, Scenery, course, looking, table

SUNS, MOONS = (-60.0, 10.0), (40.0, -20.0)
STILL = Scenery(looking(20.0), ((SUNS, COIN), (MOONS, COIN)), noise=1.5)
RESTING = (Expected("suns", SUNS), Expected("moons", MOONS))
HAND = ((-110.0, -90.0, -35.0, 40.0), 140.0)  # from the near edge over suns
EXPOSURE_S = 0.008


class Watched:
    """A frame analysis that has seen the still table, and what it observes in the frames after
    that.
    """

    def __init__(
        self,
        still: Scenery = STILL,
        resting: tuple[Expected, ...] = RESTING,
        tiles: tuple[tuple[str, Point], ...] = (),
    ) -> None:
        self.analysis = FrameAnalysis.opened(
            table(still.view, course(*tiles)), still.picture(), LIGHT
        )
        for e in resting:
            self.analysis.lay(e.coin, e.at_mm)
        self.resting = resting
        self.frame = 0
        for seed in range(3):
            self.see(still.but(seed=100 + seed))

    def see(self, scenery: Scenery, *moving: Expected) -> FrameObservation:
        self.frame += 1
        names = {e.coin for e in moving}
        expected = [*(e for e in self.resting if e.coin not in names), *moving]
        return self.analysis.observe(
            scenery.but(seed=scenery.seed + self.frame).picture(),
            self.frame,
            self.frame / 60,
            expected,
            EXPOSURE_S,
        )
