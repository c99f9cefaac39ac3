"""Searches for tiles that the first search missed, where the course says that they should be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tile_places.moved_tiles import overlaps_another
from calibration.tile_places.tile_colours import TileColours
from calibration.tiles.lost_tiles import (
    SEARCHED_MM,
    EdgeStrength,
    always,
    best_outline,
    edge_strength,
    search_tile,
)
from calibration.tiles.rims import Light
from calibration.tiles.template_match import (
    CLEARLY,
    FARTHEST_SHARE,
    LEAST_SIMILARITY,
    Patch,
    common_face,
    find_alike,
)
from referee.domain.geometry import distance
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes

Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

#: How far from its expected place a lost tile is searched for, in tile widths.
LOST_REACH_TILES: Final = 0.8
# Chosen: a best similarity below this is chance. Measured: 0.32 for a stack on a printed cloth.
_FAINT: Final = 0.25


def lost_tiles(
    picture: Picture,
    lights: Sequence[Light],
    view: TableView,
    tiles: Mapping[str, Tile],
    template: Course,
    sizes: PieceSizes,
    shown: Collection[str],
) -> dict[str, Tile]:
    """Search for lost tiles where the template says that they should be, and return those that are
    found. The tiles in `shown`, which show their faces, are not searched for. `picture` (h, w, 3)
    is the BGR picture from which the first of the `lights` was computed.
    """
    backs = {name: tile for name, tile in tiles.items() if name not in shown}
    names = [n for n in template.tiles if n not in backs and n not in shown]
    if not names:
        return {}
    strength = edge_strength(lights[0], view, list(backs.values()), sizes)
    face = common_face(lights[0], view, backs, sizes)
    colours = TileColours.of(picture, view, backs.values(), sizes)
    found: dict[str, Tile] = {}
    for name in names:
        near, others = expected_place(name, backs, template), {**tiles, **found}
        coloured = colours.place_near(near, LOST_REACH_TILES * sizes.tile_mm, others.values())
        seen = sought(lights, view, near, sizes, face, strength, colours, coloured)
        if seen is not None and not overlaps_another(seen, others, sizes):
            found[name] = seen
    return found


def sought(
    lights: Sequence[Light],
    view: TableView,
    near: Tile,
    sizes: PieceSizes,
    face: Patch | None,
    strength: EdgeStrength,
    colours: TileColours,
    coloured: Tile | None,
) -> Tile | None:
    """Search all pictures for a lost tile, by its similarity to the other tiles and by its edges,
    which also finds a half hidden tile. If it looks clearly like the others at a place, this place
    counts. Otherwise, the place of the greatest similarity counts or, if this similarity is small,
    that of the outline. But if the two places are more than a quarter of a tile apart, one of them
    is print, or half a face. Then the one counts at which outline and similarity together are
    greater. A similarity that is hardly above chance is ignored.

    `colours` are those of tiles in the first picture. In that picture, a place with these colours
    is preferred to one without. `coloured` is the place where most of the tile has them, if there
    is one: the first picture is then searched only around it, and it is the result if nothing else
    shows the tile.
    """
    reach, outlined = LOST_REACH_TILES * sizes.tile_mm, None

    def has_colours(tile: Tile) -> bool:
        return not colours.are_odd(tile)

    around = (near, reach) if coloured is None else (coloured, FARTHEST_SHARE * sizes.tile_mm)
    starts = [(lights[0], *around), *((light, near, reach) for light in lights[1:])]
    for number, (light, start, farthest) in enumerate(starts):
        is_likely = always if number else has_colours
        outlined = outlined or search_tile(light, view, start, sizes, farthest, strength, is_likely)
    outlined = outlined or coloured
    if face is None:
        return outlined
    found = [find_alike(light, view, start, sizes, far, face) for light, start, far in starts]
    similarity, alike = max(found, key=itemgetter(0))
    similar = similarity > LEAST_SIMILARITY
    if outlined is None or similarity > CLEARLY:
        return alike if similar else None
    if (
        alike is found[0][1]
        and has_colours(outlined) != has_colours(alike)
        and (similar or has_colours(outlined))
    ):
        return outlined if has_colours(outlined) else alike
    near_mm = FARTHEST_SHARE * sizes.tile_mm
    if similarity < _FAINT or distance(alike.centre_mm, outlined.centre_mm) < near_mm:
        return alike if similar else outlined

    def looks_like_it(tile: Tile) -> float:
        """Return the share of a tile's outline that is seen, plus the similarity, up to 2."""
        own = [best_outline(light, view, tile, sizes, SEARCHED_MM, strength) for light in lights]
        faces = [find_alike(light, view, tile, sizes, SEARCHED_MM, face) for light in lights]
        return max(score for score, _ in own) / 4 + max(score for score, _ in faces)

    return max((alike, outlined), key=looks_like_it)


def expected_place(name: str, tiles: Mapping[str, Tile], template: Course) -> Tile:
    """Return a tile at its expected place: its place in the template, stretched to fit the tiles
    found. Tiles near it count most.
    """
    here = np.array(template.tiles[name].centre_mm)
    names = list(tiles)
    p = np.array([template.tiles[n].centre_mm for n in names])
    q = np.array([tiles[n].centre_mm for n in names])
    weight = np.sqrt(1.0 / (1.0 + ((p - here) ** 2).sum(axis=1) / (4 * template.tile_mm) ** 2))[
        :, None
    ]
    terms = np.column_stack((p - here, np.ones(len(p))))
    solved, *_ = np.linalg.lstsq(terms * weight, q * weight, rcond=None)
    return replace(template.tiles[name], centre_mm=(float(solved[2, 0]), float(solved[2, 1])))
