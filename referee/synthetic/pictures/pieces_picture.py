"""Photographs a set for learning its faces: ten coins in a row, moons to 5 from left to right, and
three tiles behind them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.domain.layout import Course, Tile
from referee.domain.pieces import COINS
from referee.synthetic.pictures.faces import tile_front
from referee.synthetic.pictures.film import Studio
from referee.synthetic.scenario.scene import Scene, camera_looking
from referee.synthetic.scenario.timeline import Lying, Timeline

_GAP_TO_COIN: Final = 2.05
_HEIGHT_MM: Final = 480.0
#: The row may fill this share of the picture's width. The camera is raised where the lens is long
#: or the coins are large.
_ROW_SHARE: Final = 0.88


def photograph_pieces(scene: Scene) -> NDArray[np.uint8]:
    """Draw the picture (h, w, 3) BGR of a set on the scene's table and in its light, with the
    scene's camera moved closer.
    """
    rng = np.random.default_rng((scene.seed, 5))
    step = scene.sizes.coin_mm * _GAP_TO_COIN
    coins = {c: ((i - 4.5) * step, float(rng.uniform(-2, 2)) - 6.0) for i, c in enumerate(COINS)}
    behind = [(-150.0, 105.0), (0.0, 110.0), (145.0, 102.0)]
    tiles = {f"tile-{i}": Tile(at, float(rng.uniform(-18, 18))) for i, at in enumerate(behind)}
    row_mm = 9 * step + 1.5 * scene.sizes.coin_mm
    height_mm = max(_HEIGHT_MM, scene.camera.fx_px * row_mm / (_ROW_SHARE * scene.camera.width))
    closer = camera_looking(scene.camera, (0.0, 30.0), height_mm, 14.0)
    near = replace(
        scene,
        view=closer,
        coins=coins,
        course=Course(tiles, scene.sizes.tile_mm),
        actions=(),
        strays=(),
        stack_offsets={},
    )
    timeline = Timeline(coins={c: [Lying(0.0, at)] for c, at in coins.items()}, first_tiles=tiles)
    studio = Studio(near, timeline)
    studio.backs["tile-1"] = tile_front("3", "suns", scene.set_colours, rng)
    return studio.frame(0).picture
