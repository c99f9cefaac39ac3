"""Estimates the scale of a survey from the widths of the wickets' openings.

Tiles are small: a rim that looks a tenth of a millimetre too far out makes the whole table 0.4 %
too large. Blur, bevels and glare have such effects. The rules ask for wickets about two tile widths
wide, and players lay them with tiles. Where the openings agree with each other and are close to two
widths, their mean is about as accurate as the rims. Then both are averaged, weighted by their
uncertainties. Where a course was clearly laid otherwise, only the rims count.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import distance, scale
from referee.domain.table_edge import EdgeSide

# Tuned on our own clips, except where a comment gives another source for a number.

# From tile centre to tile centre. Rule: a wicket is two tile widths wide, and each tile adds a
# half.
OPENING_TILES: Final = 3.0
LAYING_SIGMA: Final = 0.003  # the smallest error of the mean opening of a carefully laid course
FEWEST_OPENINGS: Final = 5
OPENING_SIGMAS: Final = 3.0  # a course farther from the rules' opening was laid so on purpose,
# if the error of the rims is at most this. Otherwise one of the two is wrong, and nobody knows
# which.
SURE_RIMS: Final = 0.005
UNSURE: Final = 0.006  # from this error on there is a warning


def scaled_by_openings(table: SurveyedTable, rims_sigma: float) -> SurveyedTable:
    """Return the table at its most likely scale, given its rims (with a standard error of
    `rims_sigma`, as a share) and its wickets' openings.
    """
    openings = [
        distance(line.left_mm, line.right_mm) + table.sizes.tile_mm
        for line in table.course.lines.values()
    ]
    table = replace(table, scale_sigma=rims_sigma)
    if len(openings) < FEWEST_OPENINGS:
        return table
    mean = statistics.fmean(openings)
    laying = math.hypot(LAYING_SIGMA, statistics.stdev(openings) / mean / math.sqrt(len(openings)))
    off = math.log(OPENING_TILES * table.sizes.tile_mm / mean)
    if abs(off) > OPENING_SIGMAS * math.hypot(rims_sigma, laying):
        return table if rims_sigma <= SURE_RIMS else replace(table, scale_sigma=abs(off))
    both = scaled(table, math.exp(off * rims_sigma**2 / (rims_sigma**2 + laying**2)))
    return replace(both, scale_sigma=rims_sigma * laying / math.hypot(rims_sigma, laying))


def with_scale_warning(table: SurveyedTable) -> SurveyedTable:
    """Return the table, with a warning where its scale has a large error."""
    if table.scale_sigma < UNSURE:
        return table
    length_mm = max(
        distance(a.centre_mm, b.centre_mm)
        for a in table.course.tiles.values()
        for b in table.course.tiles.values()
    )
    words = (
        f"the scale is known to {table.scale_sigma:.1%} only (tiles out of focus or in glare),"
        f" {table.scale_sigma * length_mm:.0f} mm from one end of the course to the other: calls"
        " are less sure; correct focus or light, or give the distance of the endposts by tape"
        " (--endposts-mm)"
    )
    return replace(table, warnings=(*table.warnings, words))


def scaled(table: SurveyedTable, factor: float) -> SurveyedTable:
    """Return the table with all places `factor` times as far from its origin, and the camera as
    many times as far away. The picture stays the same.
    """
    tiles = {
        name: replace(tile, centre_mm=scale(tile.centre_mm, factor))
        for name, tile in table.course.tiles.items()
    }
    return replace(
        table,
        view=replace(table.view, t_camera_table_mm=table.view.t_camera_table_mm * factor),
        course=replace(table.course, tiles=MappingProxyType(tiles)),
        edge=tuple(_side(side, factor) for side in table.edge),
    )


def _side(side: EdgeSide, factor: float) -> EdgeSide:
    return replace(side, begin_mm=scale(side.begin_mm, factor), end_mm=scale(side.end_mm, factor))
