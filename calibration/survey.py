"""The survey of a table: from a still picture (or several) to the camera's pose, the course as it lies, and the table's edge."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.course_fit import course_warnings
from calibration.edge_finding import find_edge
from calibration.openings import held_by_openings
from calibration.refine import LOST_REACH_TILES, refine
from calibration.rims import even_light
from calibration.rough import Orientation, rough_view
from calibration.table import SurveyedTable
from referee.errors import InputError
from referee.layout import Course, Tile
from referee.pieces import PieceSizes

__all__ = ["Orientation", "survey_table"]

Picture = NDArray[np.uint8]


def survey_table(
    pictures: Sequence[Picture] | Picture, camera: Camera | None, game: str, sizes: PieceSizes, orientation: Orientation | None = None
) -> SurveyedTable:
    """Surveys a table from still pictures (h, w, 3) BGR of one fixed camera; what the first does not show is sought in the others.

    Without a camera its focal length is found from the tiles. Raises InputError where course or scale stay undetermined.
    """
    stills = [pictures] if isinstance(pictures, np.ndarray) else list(pictures)
    orientation = orientation or Orientation()
    rough, order = rough_view(stills, camera, game, sizes, orientation)
    stills = [stills[k] for k in order]
    lights = [even_light(still) for still in stills]
    adjusted = refine(lights, rough.view, rough.tiles, rough.template, sizes, stills[0], free_focal=camera is None)
    view = adjusted.view
    tiles, words = _whole_course(dict(adjusted.tiles), rough.template, sizes)
    course = Course(MappingProxyType({n: tiles[n] for n in rough.template.tiles}), sizes.tile_mm)
    edge, edge_words = find_edge(stills[0], lights[0], view, list(tiles.values()), sizes.tile_mm)
    warnings = [*words, *course_warnings(course), *edge_words]
    table = SurveyedTable(game, view, course, sizes, edge, adjusted.residual_mm, rough.mirrored, orientation.left_endpost, tuple(warnings))
    return held_by_openings(table)


def _partner(name: str) -> str | None:
    for end, other in (("-left", "-right"), ("-right", "-left")):
        if name.startswith("wicket") and name.endswith(end):
            return name.removesuffix(end) + other
    return None


def _whole_course(tiles: dict[str, Tile], template: Course, sizes: PieceSizes) -> tuple[dict[str, Tile], list[str]]:
    """The tiles with those nobody saw taken from their partners, and a word on each. Raises InputError where a partner is missing too."""
    gaps = [
        np.subtract(tiles[n].centre_mm, tiles[p].centre_mm) for n in template.tiles if n.endswith("-left") and (p := _partner(n)) and n in tiles and p in tiles
    ]
    across = np.median(gaps, axis=0) if gaps else np.array([0.0, 3.0 * sizes.tile_mm])
    words, whole = [], dict(tiles)
    for name in template.tiles:
        if name in tiles:
            continue
        partner = _partner(name)
        if partner is None or partner not in tiles:
            what = name if partner is None else name.rsplit("-", 1)[0]
            raise InputError(f"the course does not fit: {what} is missing (nothing seen within {LOST_REACH_TILES:.1f} tile widths of its place)")
        step = across if name.endswith("-left") else -across
        beside = tiles[partner]
        whole[name] = Tile((float(beside.centre_mm[0] + step[0]), float(beside.centre_mm[1] + step[1])), beside.rotation_deg, 1)
        words.append(f"{name} was not seen: taken from {partner}, as far away as the other wickets' tiles; calls at {name.rsplit('-', 1)[0]} are less sure")
    return whole, words
