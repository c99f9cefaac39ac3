"""Moves a row of tiles that was found half a tile off to where its tiles look like the other tiles.

The tiles of a wall touch, and lines divide each face into quarters. So the middle lines of two
neighbours make a square that looks like a tile, half a tile from both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.course.course_places import places_of
from calibration.course.template_form import ELSEWHERE, along_row, rows_of
from calibration.lens.camera import TableView
from calibration.tiles.rims import Light
from calibration.tiles.template_match import Patch, common_face, lay_over
from referee.domain.geometry import Point, distance
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]

# By definition: in tile widths, how far along its direction a row may have to be moved. The squares
# found are either tiles, or half of one tile and half of the next.
_HALVES: Final = (0.0, -0.5, 0.5)


def put_in_rows(
    light: Light, view: TableView, tiles: Mapping[str, Tile], template: Course, sizes: PieceSizes
) -> dict[str, Tile]:
    """Return the tiles, with each row moved to where the whole row looks most like tiles: either
    where most of its tiles were found, or half a tile to one side. A tile that was found away from
    its place in that row is moved to this place.

    `tiles` are known to a few millimetres, and lie nearly as in the template. If there are no rows,
    or too few faces are in the picture, all tiles stay where they are.
    """
    rows = rows_of(template)
    face = common_face(light, view, tiles, sizes) if rows else None
    if face is None:
        return dict(tiles)
    places, put = places_of(tiles, template).centre_mm, dict(tiles)
    for row in rows.values():
        known = {
            name: replace(tiles[name], centre_mm=places[name]) for name in row if name in tiles
        }
        half = np.multiply(along_row(template, row), sizes.tile_mm)
        tries = [_shifted(known, half * share) for share in _HALVES]
        alike = [_similarity(light, view, tried, sizes, face) for tried in tries]
        # Only tiles that are in the picture for all shifts count. Otherwise a row would be moved so
        # that more tiles are in the picture.
        always = [name for name in known if all(name in found for found in alike)]
        best = tries[int(np.argmax([sum(found[n] for n in always) for found in alike]))]
        for name, tile in best.items():
            if distance(tile.centre_mm, tiles[name].centre_mm) > ELSEWHERE * sizes.tile_mm:
                put[name] = tile
    return put


def _shifted(tiles: Mapping[str, Tile], by_mm: Array) -> dict[str, Tile]:
    def moved(at: Point) -> Point:
        return (at[0] + float(by_mm[0]), at[1] + float(by_mm[1]))

    return {name: replace(tile, centre_mm=moved(tile.centre_mm)) for name, tile in tiles.items()}


def _similarity(
    light: Light, view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes, face: Patch
) -> dict[str, float]:
    """Return how similar each tile, near its place, is to a face (up to 1). Tiles that the picture
    does not show are left out.
    """
    laid = {name: lay_over(light, view, tile, sizes, face) for name, tile in tiles.items()}
    return {name: found[1] for name, found in laid.items() if found is not None}
