"""Estimates the scale of a survey from the distances that the rules fix: the wickets' openings, or
the rows of tiles that touch.

Tiles are small: if all rims look a tenth of a millimetre too far out, the whole table becomes 0.4 %
too large. Blur, bevels and glare have such effects. The rules ask for wickets about two tile widths
wide, and players lay them with tiles; the walls of Carroms are tightly packed. Where such distances
agree with each other and are close to what the rules say, their mean is about as accurate as the
rims. But a course may have been laid with other openings. So both cases are weighted by the
likelihood of the measured distances.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from itertools import product
from types import MappingProxyType
from typing import Final

from calibration.course.template_form import FEWEST_OPENINGS, known_distances
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import distance, scale
from referee.domain.layout import template_course
from referee.domain.table_edge import EdgeSide

# Tuned on our own clips, except where a comment gives another source for a number.

# The error of a carefully laid course's mean opening, as a share of it, in addition to the error
# that follows from the openings' spread. Measured: over 88 courses of known places the mean opening
# is 0.34 % rms off; with 0.002 its normalised error squared is 0.88, with 0.003 it is 0.60.
LAYING_SIGMA: Final = 0.002
# How often players lay a course with other openings, and how far these openings then are from those
# of the rules, as a share. Chosen: none of the 114 courses seen so far was laid so, and the rules
# allow a quarter.
OTHERWISE_SHARE: Final = 0.02
OTHERWISE_SIGMA: Final = 0.1
# How often another edge is taken for the rims, although the rims seem sharp. Measured: on 1 of 41
# clips (its scale was 2.9 % off, with a stated error of 0.35 %), and on 3 of 26 tables that were
# not used for tuning (1.2 to 2.6 % off).
MISTAKEN_SHARE: Final = 0.1
# The standard error of the scale in such a case, as a share. It is larger than measured, because
# few cases were seen.
MISTAKEN_SIGMA: Final = 0.04


def scaled_by_openings(table: SurveyedTable, rims_sigma: float) -> SurveyedTable:
    """Return the table at its most likely scale, given its rims (with a standard error of
    `rims_sigma`, as a share) and the distances that the rules fix.
    """
    tiles, template = table.course.tiles, template_course(table.game, table.sizes.tile_mm)
    shares = [
        distance(tiles[a].centre_mm, tiles[b].centre_mm) / (times * table.sizes.tile_mm)
        for a, b, times in known_distances(template)
        if a in tiles and b in tiles
    ]
    if len(shares) < FEWEST_OPENINGS:
        return replace(table, scale_sigma=rims_sigma)
    mean = statistics.fmean(shares)
    laying = math.hypot(LAYING_SIGMA, statistics.stdev(shares) / mean / math.sqrt(len(shares)))
    off = -math.log(mean)
    larger, sigma = _combined(rims_sigma, off, laying)
    return replace(scaled(table, math.exp(larger)), scale_sigma=sigma)


def _combined(rims_sigma: float, off: float, laying: float) -> tuple[float, float]:
    """Return the mean and the standard deviation of the logarithm of the scale.

    The rims say N(0, `rims_sigma`), or N(0, `MISTAKEN_SIGMA`) where they are mistaken. The openings
    say N(`off`, `laying`) for a course laid by the rules, or N(`off`, `OTHERWISE_SIGMA`) for one
    laid with other openings. Each of the four cases has a normal posterior; their weights are the
    likelihoods of `off`. So neither source outvotes the other where they contradict each other.
    """
    cases = []
    rims = ((1 - MISTAKEN_SHARE, rims_sigma), (MISTAKEN_SHARE, max(rims_sigma, MISTAKEN_SIGMA)))
    laid = ((1 - OTHERWISE_SHARE, laying), (OTHERWISE_SHARE, OTHERWISE_SIGMA))
    for (share, rim), (other, sigma) in product(rims, laid):
        both = rim**2 + sigma**2
        weight = share * other * math.exp(-(off**2) / (2 * both)) / math.sqrt(both)
        cases.append((weight, off * rim**2 / both, rim**2 * sigma**2 / both))
    whole = sum(weight for weight, _, _ in cases)
    mean = sum(weight * at for weight, at, _ in cases) / whole
    variance = sum(weight * (own + (at - mean) ** 2) for weight, at, own in cases) / whole
    return mean, math.sqrt(variance)


def scaled(table: SurveyedTable, factor: float) -> SurveyedTable:
    """Return the table with all places, and the camera, `factor` times as far from the table's
    origin. The table looks the same in the picture.
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
        field_error=table.field_error.scaled(factor),
    )


def _side(side: EdgeSide, factor: float) -> EdgeSide:
    return replace(side, begin_mm=scale(side.begin_mm, factor), end_mm=scale(side.end_mm, factor))
