"""Lays courses as hands do: each tile lies a little off its exact place."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Final

import numpy as np

from referee.domain.layout import SIDES_OF_TABLE, Course, Tile, template_course
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
# Chosen: how far apart tiles are that hands push together, and how far each is turned in its row.
_GAP_MM: Final = 0.2
_TURN_DEG: Final = 0.3


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


def laid_castles(
    tile_mm: float, moons_side: str, jitter_mm: float, jitter_deg: float, seed: int
) -> tuple[Course, dict[str, StackOffsets]]:
    """Return the four castles around the origin, with Moons' at a side of the table, and how the
    tiles of each tower lie upon one another. Each tile is shifted and turned by up to the jitter.
    """
    rng = np.random.default_rng((seed, 3))
    template = template_course("castle-croquetnole", tile_mm)
    # the turn is counter-clockwise, the names of the sides are in clockwise order
    quarters = -SIDES_OF_TABLE.index(moons_side) % len(SIDES_OF_TABLE)
    turn = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), quarters)
    tiles: dict[str, Tile] = {}
    for name, tile in template.tiles.items():
        east, north = turn @ tile.centre_mm + rng.uniform(-1, 1, 2) * jitter_mm
        turned_deg = float(rng.uniform(-1, 1) * jitter_deg)
        tiles[name] = Tile((float(east), float(north)), turned_deg, tile.stack)
    towers = [name for name, tile in tiles.items() if tile.stack > 1]
    return Course(MappingProxyType(tiles), tile_mm), stack_offsets(towers, rng)


def laid_walls(
    tile_mm: float, pocket_tiles: float, jitter_mm: float, jitter_deg: float, seed: int
) -> Course:
    """Return the four walls around the origin, with pockets that are `pocket_tiles` tile widths
    wide. Each wall is shifted and turned by up to the jitter.
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
