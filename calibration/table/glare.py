"""Finds tiles that are missing because the picture is too bright at their places."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MAJORITY
from calibration.course.course_places import LAID_TILES, places_of
from calibration.course.template_form import rows_of
from calibration.lens.camera import TableView
from referee.domain.geometry import Point, distance
from referee.domain.layout import Course, Tile
from referee.domain.sighting import SEEN_SIGMAS

Picture = NDArray[np.uint8]

# A pixel is white if each of its colours is above this. Measured: 246 to 253 in the glare of a
# window, in compressed pictures.
WHITE: Final = 240


def without_glare(
    stills: Sequence[Picture],
    view: TableView,
    tiles: Mapping[str, Tile],
    clear: Collection[str],
    template: Course,
) -> dict[str, Tile]:
    """Return the tiles without those that are not `clear` and lie away from their places in the
    course, where all `stills` are white. Such a tile is hidden by the glare, and what was taken for
    it is an edge of the glare, or of a shadow in it.
    """
    seen = {name: tile for name, tile in tiles.items() if name in clear}
    white = white_tiles(stills, view, seen, template) & tiles.keys() if seen else frozenset()
    if not white:
        return dict(tiles)
    centres_mm, laid_mm = places_of(seen, template).centre_mm, LAID_TILES * template.tile_mm
    away = {n for n in white if distance(tiles[n].centre_mm, centres_mm[n]) > SEEN_SIGMAS * laid_mm}
    return {name: tile for name, tile in tiles.items() if name not in away}


def white_tiles(
    stills: Sequence[Picture], view: TableView, seen: Mapping[str, Tile], template: Course
) -> frozenset[str]:
    """Return the names of the missing tiles at whose places all `stills`, (h, w, 3) BGR, are white.
    `seen` are the tiles that were found. For a course of rows the set is empty: if a whole row is
    missing, the other rows do not show where it lies.
    """
    missing = [name for name in template.tiles if name not in seen and not rows_of(template)]
    centres_mm = places_of(seen, template).centre_mm if missing else {}
    return frozenset(
        name
        for name in missing
        if all(_is_white(still, view, centres_mm[name], template.tile_mm) for still in stills)
    )


def _is_white(still: Picture, view: TableView, at_mm: Point, tile_mm: float) -> bool:
    """Return whether most pixels around a place are white."""
    x, y = at_mm
    corners = [
        (x + east, y + north, 0.0) for east in (-tile_mm, tile_mm) for north in (-tile_mm, tile_mm)
    ]
    px = view.to_image(np.array(corners))
    left, top = np.maximum(np.floor(px.min(axis=0)), 0).astype(int)
    right, bottom = np.maximum(np.ceil(px.max(axis=0)), 0).astype(int) + 1
    part = still[top:bottom, left:right]
    return part.size > 0 and float((part.min(axis=2) > WHITE).mean()) > MAJORITY
