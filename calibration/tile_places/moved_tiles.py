"""Moves tiles to where they look like the other tiles of their set, by their faces or colours."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from operator import itemgetter
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import TILES_APART
from calibration.lens.camera import TableView
from calibration.tile_places.tile_colours import TileColours
from calibration.tiles.lost_tiles import SEARCHED_MM, best_outline, edge_strength, search_tile
from calibration.tiles.rims import NORMALS, Light, tile_turn
from calibration.tiles.template_match import (
    CLEARLY,
    FARTHEST_SHARE,
    LEAST_SIMILARITY,
    Patch,
    common_face,
    face_patch,
    find_alike,
    lay_over,
)
from referee.domain.geometry import distance
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Picture = NDArray[np.uint8]


def where_their_colours_are(
    still: Picture,
    light: Light,
    view: TableView,
    tiles: Mapping[str, Tile],
    sizes: PieceSizes,
    shown: Collection[str],
) -> dict[str, Tile]:
    """Return the tiles. If a quarter of a tile plainly has another colour than the other tiles, the
    tile is moved to a place about half a tile aside where a tile is seen better, by its outline,
    its colours and its face: on a printed table, half of a face beside half of a print looks like a
    face. No tile is moved onto another. The tiles in `shown` show another face, and stay. `still`
    (h, w, 3) is the BGR picture from which `light` was computed.
    """
    backs = {name: tile for name, tile in tiles.items() if name not in shown}
    if not backs:
        return dict(tiles)
    colours = TileColours.of(still, view, backs.values(), sizes)
    moved, odd = dict(tiles), [name for name, tile in backs.items() if colours.are_odd(tile)]
    face = common_face(light, view, backs, sizes) if odd else None
    if face is None:
        return moved
    strength = edge_strength(light, view, [*backs.values()], sizes)
    reach_mm = FARTHEST_SHARE * sizes.tile_mm

    def seen(tile: Tile) -> float:
        """Return the shares of a tile's outline and of its colours that are seen, plus its
        similarity, up to 3.
        """
        outline, _ = best_outline(light, view, tile, sizes, SEARCHED_MM, strength)
        similarity, _ = find_alike(light, view, tile, sizes, SEARCHED_MM, face)
        return outline / 4 + colours.share(tile) + similarity

    for name in odd:
        others = {other: moved[other] for other in moved if other != name}
        beside = (
            search_tile(light, view, start, sizes, reach_mm, strength)
            for start in _half_beside(backs[name], others, sizes)
        )
        free = (t for t in beside if t is not None and not overlaps_another(t, others, sizes))
        laid = min(free, key=colours.off, default=backs[name])
        moved[name] = max(backs[name], laid, key=seen)
    return moved


def moved_where_alike(
    light: Light,
    view: TableView,
    tiles: Mapping[str, Tile],
    sizes: PieceSizes,
    shown: Collection[str],
) -> dict[str, Tile]:
    """Return the tiles. A tile that does not look like the others where it lies, but clearly looks
    like them nearby, is moved there: its wall had been taken for its edge. The tiles in `shown`
    show another face, and stay.
    """
    backs = {name: tile for name, tile in tiles.items() if name not in shown}
    face = common_face(light, view, backs, sizes)
    moved = dict(tiles)
    if face is None:
        return moved
    for name, tile in backs.items():
        if _likeness(light, view, tile, sizes, face) >= LEAST_SIMILARITY:
            continue
        others = {other: tiles[other] for other in tiles if other != name}
        there = _elsewhere(light, view, tile, sizes, face, others)
        laid, likeness = max(there, key=itemgetter(1), default=(tile, 0.0))
        if likeness > CLEARLY:
            moved[name] = laid
    return moved


def _likeness(light: Light, view: TableView, tile: Tile, sizes: PieceSizes, face: Patch) -> float:
    """Return how similar a tile is to a given face where it lies (from -1 to 1); 1 if the picture
    does not show all of it.
    """
    patch = face_patch(light, view, tile, sizes)
    return (
        1.0 if patch is None else float(cv2.matchTemplate(patch, face, cv2.TM_CCOEFF_NORMED)[0, 0])
    )


def laid_most_alike(
    light: Light,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    face: Patch,
    others: Mapping[str, Tile] = MappingProxyType({}),
) -> tuple[Tile, float] | None:
    """Return a tile moved to the place nearby where the picture looks most like a face, and how
    similar it is there; None if no place nearby looks like the face.

    If the first place is wrong because the tile's wall was taken for its edge, the tile's lines are
    matched with the wrong lines. So if the tile does not look clearly like the face there, the most
    similar place around is tried, too. The tile's cross may also have been taken for an edge. So
    the four places half a tile aside are tried, unless one of the `others` lies there; at these
    places the tile must look clearly like the face.
    """
    here = lay_over(light, view, tile, sizes, face)
    if here is not None and here[1] > CLEARLY:
        return here
    laid = [here, *_elsewhere(light, view, tile, sizes, face, others)]
    return max((each for each in laid if each is not None), key=itemgetter(1), default=None)


def _elsewhere(
    light: Light,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    face: Patch,
    others: Mapping[str, Tile],
) -> list[tuple[Tile, float]]:
    """Return the places nearby where a tile may lie instead, and how similar it is there: the most
    similar place around, and those places half a tile aside at which it looks clearly like the
    face and no other tile lies.
    """
    _, alike = find_alike(light, view, tile, sizes, FARTHEST_SHARE * sizes.tile_mm, face)
    starts = _half_beside(tile, others, sizes)
    beside = [_laid_twice(light, view, start, sizes, face) for start in starts]
    clear = [each for each in beside if each is not None and each[1] > CLEARLY]
    around = lay_over(light, view, alike, sizes, face)
    return clear if around is None else [around, *clear]


def _half_beside(tile: Tile, others: Mapping[str, Tile], sizes: PieceSizes) -> list[Tile]:
    """Return a tile at the four places half a tile aside, without those where one of the `others`
    lies.
    """
    middles = np.array(NORMALS) @ tile_turn(tile).T * sizes.tile_mm / 2 + tile.centre_mm
    aside = [replace(tile, centre_mm=(float(x), float(y))) for x, y in middles]
    return [each for each in aside if not overlaps_another(each, others, sizes)]


def _laid_twice(
    light: Light, view: TableView, tile: Tile, sizes: PieceSizes, face: Patch
) -> tuple[Tile, float] | None:
    """Match a tile with the face twice. The second match starts from the result of the first,
    because a match that starts some mm away uses the picture of the wrong place.
    """
    laid = lay_over(light, view, tile, sizes, face)
    return None if laid is None else lay_over(light, view, laid[0], sizes, face)


def overlaps_another(tile: Tile, others: Mapping[str, Tile], sizes: PieceSizes) -> bool:
    """Return whether a tile would overlap another tile. In a row of touching tiles, the adjoining
    halves of two neighbours together look like a tile.
    """
    return any(
        distance(tile.centre_mm, other.centre_mm) < TILES_APART * sizes.tile_mm
        for other in others.values()
    )
