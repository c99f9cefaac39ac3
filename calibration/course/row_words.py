"""Describes how rows of touching tiles, such as the walls of Carroms, differ from the rules. It
does not decide whether the course can be played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from calibration.course.course_places import LAID_TILES, Places
from calibration.course.template_form import along_row, is_about, rows_of
from referee.domain.geometry import distance
from referee.domain.layout import POCKETS, Course, within_quarter_turn
from referee.domain.table_edge import wall_in_words


def row_warnings(
    course: Course, places: Places, template: Course, seen: Collection[str]
) -> Iterator[str]:
    """Yield warnings about tiles out of their rows, rows that are askew, and pockets that are wider
    or narrower than the rules say.

    A tile gets a warning if it, or one of its corners, lies farther out than a careful player would
    lay it, because a coin would hit the corner.
    """
    out_mm = LAID_TILES * template.tile_mm
    turned_deg = float(np.degrees(2 * LAID_TILES))
    for row, names in rows_of(template).items():
        for name in (n for n in names if n in seen):
            off_mm = float(np.hypot(*places.off(name, course.tiles[name].centre_mm)))
            if off_mm > out_mm:
                yield f"{wall_in_words(name)} lies {off_mm:.0f} mm out of its row"
            turn = course.tiles[name].rotation_deg - _bearing_deg(places, names)
            if abs(within_quarter_turn(turn)) > turned_deg:
                by_deg = abs(within_quarter_turn(turn))
                yield f"{wall_in_words(name)} is turned by {by_deg:.0f} degrees in its row"
        x, y = along_row(template, names)
        straight_deg = float(np.degrees(np.arctan2(y, x) + places.turn_rad))
        askew_deg = within_quarter_turn(_bearing_deg(places, names) - straight_deg)
        if abs(askew_deg) > turned_deg:
            yield f"{wall_in_words(row)} stands {abs(askew_deg):.0f} degrees askew"
    for pocket, line in course.lines.items():
        wide, usual = (
            distance(one.left_mm, one.right_mm) / course.tile_mm
            for one in (line, template.lines[pocket])
        )
        if pocket in POCKETS and not is_about(wide, usual, usual):
            kind = "wide" if wide > usual else "narrow"
            yield f"{pocket} is {wide:.1f} tile widths wide, too {kind} (2 to 3 are usual)"


def _bearing_deg(places: Places, names: tuple[str, ...]) -> float:
    """Return the bearing of a row from its first to its last tile, as it was laid."""
    (x0, y0), (x1, y1) = places.centre_mm[names[0]], places.centre_mm[names[-1]]
    return float(np.degrees(np.arctan2(y1 - y0, x1 - x0)))
