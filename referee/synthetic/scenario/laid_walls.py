"""Lays the walls of Carroms as hands do: six tiles each, tightly packed, the walls a little off."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Final

import numpy as np

from referee.domain.layout import Course, Tile, template_course

# Chosen: how far apart tiles are that hands push together, and how far each is turned in its row.
_GAP_MM: Final = 0.2
_TURN_DEG: Final = 0.3


def laid_walls(
    tile_mm: float, pocket_tiles: float, jitter_mm: float, jitter_deg: float, seed: int
) -> Course:
    """Return the four walls around the origin, with pockets so many tile widths wide. Each wall is
    shifted and turned by up to the jitter.
    """
    rng = np.random.default_rng((seed, 2))
    template = template_course("carroms", tile_mm)
    # From inside corner to inside corner: a pocket is the slanted side of a right triangle.
    out_mm = (3.0 + pocket_tiles / math.sqrt(2) + 0.5) * tile_mm
    tiles: dict[str, Tile] = {}
    for wall, (x, y) in {"e": (1, 0), "n": (0, 1), "w": (-1, 0), "s": (0, -1)}.items():
        turn = math.radians(float(rng.uniform(-1, 1)) * jitter_deg)
        shift = rng.uniform(-1, 1, 2) * jitter_mm
        along = np.array([math.cos(turn), math.sin(turn)])
        along = along if x == 0 else np.array([-along[1], along[0]])
        steps = np.cumsum(tile_mm + rng.uniform(0, _GAP_MM, 6))
        middle = np.array([x, y]) * out_mm + shift
        for number, at in enumerate(steps - steps.mean(), start=1):
            east, north = (float(v) for v in middle + at * along)
            tiles[f"wall-{wall}-{number}"] = Tile(
                (east, north), math.degrees(turn) + float(rng.uniform(-1, 1)) * _TURN_DEG
            )
    return Course(MappingProxyType({name: tiles[name] for name in template.tiles}), tile_mm)
