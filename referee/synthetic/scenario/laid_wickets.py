"""Lays a course of Tabletop Croquet as hands do: each tile a little off its place."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

import numpy as np

from referee.domain.layout import Course, Tile
from referee.synthetic.scenario.scene import StackOffsets, stack_offsets

#: A legal course that leaves room for play around it on a table of 1.27 x 0.76 m: the middles of
#: wickets and posts, in tiles from the middle.
_WICKETS: Final = {
    1: (-7.1, 0.0),
    2: (-4.55, 0.0),
    3: (-2.3, -3.9),
    4: (0.0, 0.0),
    5: (2.3, -3.9),
    6: (4.55, 0.0),
    7: (7.1, 0.0),
    8: (2.3, 3.9),
    9: (-2.3, 3.9),
}
_POSTS: Final = {"left-endpost": -10.65, "right-endpost": 10.65}


def laid_wickets(
    tile_mm: float,
    mirrored: bool,
    left_endpost: str,
    jitter_mm: float,
    jitter_deg: float,
    seed: int,
) -> tuple[Course, dict[str, StackOffsets]]:
    """Return the nine wickets and the endposts around the origin, and how the tiles of each endpost
    lie upon one another. Each tile is shifted and turned by up to the jitter.
    """
    rng = np.random.default_rng((seed, 1))
    ahead, aside = (1.0 if left_endpost == "left" else -1.0), (-1.0 if mirrored else 1.0)

    def laid(x_tiles: float, y_tiles: float, stack: int = 1) -> Tile:
        dx, dy = (float(v) for v in rng.uniform(-1, 1, 2) * jitter_mm)
        return Tile(
            (ahead * x_tiles * tile_mm + dx, aside * y_tiles * tile_mm + dy),
            float(rng.uniform(-1, 1) * jitter_deg),
            stack,
        )

    tiles = {name: laid(x, 0.0, 3) for name, x in _POSTS.items()}
    for number, (x, y) in _WICKETS.items():
        nearer, further = laid(x, y - 1.5 * aside), laid(x, y + 1.5 * aside)
        tiles[f"wicket-{number}-left"], tiles[f"wicket-{number}-right"] = (
            (further, nearer) if ahead > 0 else (nearer, further)
        )
    return Course(MappingProxyType(tiles), tile_mm), stack_offsets(_POSTS, rng)
