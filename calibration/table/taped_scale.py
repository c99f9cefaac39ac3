"""Scales a survey by a length that somebody measured with a tape. Over the length of a course, a
tape is more accurate than the rims of tiles that are fifty pixels wide.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from calibration.table.openings import MISTAKEN_SIGMA, scaled
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.errors import InputError
from referee.domain.geometry import distance
from referee.domain.sighting import SEEN_SIGMAS

# Tuned on our own clips, except where a comment gives another source for a number.

# the error of a length that somebody reads off a tape, from middle to middle
TAPE_SIGMA_MM: Final = 1.0


def scaled_by_tape(table: SurveyedTable, endposts_mm: float) -> SurveyedTable:
    """Return the table scaled so that its endposts are `endposts_mm` apart, from middle to middle.

    Raises InputError if there are no two endposts, or if the measured distance clearly contradicts
    the tiles.
    """
    posts = list(table.course.endposts.values())
    if len(posts) != 2:
        raise InputError(
            f"--endposts-mm {endposts_mm:g}: a course of {table.game} has no two endposts"
        )
    found_mm = distance(posts[0].centre_mm, posts[1].centre_mm)
    if abs(endposts_mm / found_mm - 1.0) > max(MISTAKEN_SIGMA, SEEN_SIGMAS * table.scale_sigma):
        raise InputError(
            f"--endposts-mm {endposts_mm:g}: by tiles of {table.sizes.tile_mm:g} mm the endposts"
            f" lie {found_mm:.0f} mm apart: one of the two lengths must be wrong (measure from"
            " middle to middle)"
        )
    return replace(scaled(table, endposts_mm / found_mm), scale_sigma=TAPE_SIGMA_MM / endposts_mm)
