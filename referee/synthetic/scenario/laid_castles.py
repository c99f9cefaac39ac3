"""Lays the four castles of Castle Croquetnole as hands do: each tile a little off its place."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

import numpy as np

from referee.domain.layout import Course, Tile, template_course
from referee.synthetic.scenario.scene import StackOffsets, stack_offsets

#: Where Moons' castle may lie, counter-clockwise from the viewer, seen from above.
MOONS_SIDES: Final = ("near", "right", "far", "left")


def laid_castles(
    tile_mm: float, moons_side: str, jitter_mm: float, jitter_deg: float, seed: int
) -> tuple[Course, dict[str, StackOffsets]]:
    """Return the four castles around the origin, with Moons' at a side of the table, and how the
    tiles of each tower lie upon one another. Each tile is shifted and turned by up to the jitter.
    """
    rng = np.random.default_rng((seed, 3))
    template = template_course("castle-croquetnole", tile_mm)
    quarters = MOONS_SIDES.index(moons_side)
    turn = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), quarters)
    tiles: dict[str, Tile] = {}
    for name, tile in template.tiles.items():
        east, north = turn @ tile.centre_mm + rng.uniform(-1, 1, 2) * jitter_mm
        turned_deg = float(rng.uniform(-1, 1) * jitter_deg)
        tiles[name] = Tile((float(east), float(north)), turned_deg, tile.stack)
    towers = [name for name, tile in tiles.items() if tile.stack > 1]
    return Course(MappingProxyType(tiles), tile_mm), stack_offsets(towers, rng)
