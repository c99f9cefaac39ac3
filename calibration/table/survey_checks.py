"""Warns about what a survey does not determine, and refuses a survey that cannot be right."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from calibration.constants.fitting import TILES_APART
from calibration.course.template_form import ELSEWHERE
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.errors import InputError
from referee.domain.geometry import distance
from referee.domain.layout import POCKETS, line_ends, template_course
from referee.domain.sighting import SEEN_SIGMAS
from referee.domain.table_edge import wall_in_words

# Chosen: limits that nothing was measured for.

WANTED_MM: Final = (
    2.0  # a stack, or a tile at a pocket, with a larger standard error gets a warning
)

_HELP: Final = {
    "scale": (
        "how large the tiles appear is not clear (out of focus, in glare, or small): focus the"
        " camera, change the light, hang the camera lower, or (Tabletop Croquet) give the"
        " distance of the endposts by tape (--endposts-mm)"
    ),
    "shape": (
        "how the camera is tilted is not clear: hang it higher, with the table's whole edge in the"
        " picture, focus it, and add light"
    ),
    "tile": "it is badly seen: change the light, and remove what lies on it or in front of it",
}


def checked(table: SurveyedTable) -> SurveyedTable:
    """Return the table, with warnings added if the places of its stacks or pockets are not known
    well enough. Raises InputError if the survey cannot be right, or is too uncertain to be of use:
    if an opening is half or twice as wide as the rules say, or nobody knows where a stack lies.
    """
    template = template_course(table.game, 1.0)
    for name, line in table.course.lines.items():
        open_tiles = distance(line.left_mm, line.right_mm) / table.sizes.tile_mm
        usual = distance(template.lines[name].left_mm, template.lines[name].right_mm)
        if not usual / 2 < open_tiles < 2 * usual:
            raise InputError(
                f"the opening of {name} would be {open_tiles:.1f} tile widths wide: something"
                " else was taken for its tiles, or the pictures are too poor to be measured"
            )
    table = _with_overlaps(table)
    variances = {name: _variances(table, name) for name in _judged(table)}
    if not variances:
        return table
    post = max(variances, key=lambda name: sum(variances[name].values()))
    sigma_mm = float(np.sqrt(sum(variances[post].values())))
    cause = max(variances[post], key=lambda part: variances[post][part])
    words = f"the place of {wall_in_words(post)} is known to {sigma_mm:.1f} mm only: {_HELP[cause]}"
    if sigma_mm > ELSEWHERE * table.sizes.tile_mm:
        raise InputError(f"{words}; with this survey the referee could not judge anything")
    if sigma_mm <= WANTED_MM:
        return table
    return replace(table, warnings=(*table.warnings, f"{words}; calls are less sure"))


def _with_overlaps(table: SurveyedTable) -> SurveyedTable:
    """Return the table, with a warning for each pair of tiles that overlap by more than their
    errors explain: real tiles do not overlap. Raises InputError if the centres of two tiles are
    less than half a tile width apart.
    """
    words = []
    for (a, first), (b, second) in combinations(table.course.tiles.items(), 2):
        gap_mm = distance(first.centre_mm, second.centre_mm)
        error_mm = SEEN_SIGMAS * float(np.hypot(first.sigma_mm, second.sigma_mm))
        if gap_mm + error_mm >= TILES_APART * table.sizes.tile_mm:
            continue
        pair = (a, b) if first.sigma_mm > second.sigma_mm else (b, a)
        worse, better = map(wall_in_words, pair)
        words.append(
            f"{worse} would lie upon {better}, {gap_mm:.0f} mm from its middle: look at the"
            " drawing; either something else there looks like a tile, or the tile is badly seen:"
            " change the light, remove what lies on these tiles or in front of them, and survey"
            " again"
        )
        if gap_mm < table.sizes.tile_mm / 2:
            raise InputError(words[-1])
    return replace(table, warnings=(*table.warnings, *words)) if words else table


def _judged(table: SurveyedTable) -> list[str]:
    """Return the tiles whose places must be known best: the stacks that coins hit, and the tiles
    beside pockets.
    """
    ends = {
        tile.centre_mm
        for pocket, ends in line_ends(table.course.tiles, table.sizes.tile_mm)
        if pocket in POCKETS
        for _, tile in ends
    }
    return [
        name
        for name, tile in table.course.tiles.items()
        if name in table.course.posts or tile.centre_mm in ends
    ]


def _variances(table: SurveyedTable, name: str) -> dict[str, float]:
    """Return the contributions to the variance of a tile's place, mm^2 along one axis: of the
    table's scale, of its shape, and of the tile itself.
    """
    tile = table.course.tiles[name]
    place = np.array([tile.centre_mm])
    shape = float(table.field_error.sigmas_mm(place, 0.0)[0]) ** 2
    whole = float(table.sigmas_mm(place)[0]) ** 2
    return {"scale": whole - shape, "shape": shape, "tile": tile.sigma_mm**2}
