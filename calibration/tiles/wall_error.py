"""The error of a view whose tiles are bleached: their walls are as white as their faces, and may
have been taken for parts of the faces.

A tile then looks too long in the direction towards the camera, and the view in which it is square
shows the table too short in this direction. On two traced tables of bleached tiles, the table was
too short by half and by a third of the share that walls appear to add to a tile.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tiles.bundle import Adjusted
from calibration.tiles.field_error import FieldError
from calibration.tiles.rim_model import POWER, is_sound
from calibration.tiles.rims import even_light, tile_profiles, top_height_mm
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Picture = NDArray[np.uint8]


def with_wall_error(adjusted: Adjusted, picture: Picture, sizes: PieceSizes) -> Adjusted:
    """Return the view with a larger stated error. The added error is the change of the view if the
    walls of all tiles were taken for parts of their faces, times the share of edges at which the
    face is bleached in all colours of the picture (h, w, 3) BGR.
    """
    singles = [tile for tile in adjusted.tiles.values() if tile.stack == 1]
    share = _bleached(picture, adjusted.view, singles, sizes)
    if share == 0:
        return adjusted
    places = np.array([tile.centre_mm for tile in singles])
    camera_mm = adjusted.view.position_mm
    walls = (camera_mm[:2] - places) * top_height_mm(singles[0], sizes) / camera_mm[2]
    lengths = np.hypot(*walls.T)[:, None, None] + 1e-9
    shorter = (walls[:, :, None] * walls[:, None, :] / lengths).mean(axis=0) / sizes.tile_mm
    moved = (places - places.mean(axis=0)) @ shorter * share
    error = FieldError.of(places, moved[..., None])
    covariance = np.array(adjusted.field.covariance_mm2) + np.array(error.covariance_mm2)
    rows = tuple(tuple(float(v) for v in row) for row in covariance)
    return replace(
        adjusted,
        field=replace(adjusted.field, covariance_mm2=rows),
        scale_sigma=float(np.hypot(adjusted.scale_sigma, np.trace(shorter) / 2 * share)),
    )


def _bleached(
    picture: Picture, view: TableView, singles: Collection[Tile], sizes: PieceSizes
) -> float:
    """Return the share of the tiles' edges at which the face is bleached in all colours."""
    light = even_light(picture, POWER)
    profiles = [p for tile in singles for p in tile_profiles(light, view, tile, sizes)]
    return 1.0 - float(np.mean([is_sound(p) for p in profiles])) if profiles else 0.0
