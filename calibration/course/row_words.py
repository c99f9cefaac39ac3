"""Describes how rows of touching tiles, such as the walls of Carroms, differ from the rules. It
does not decide whether the course can be played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

import numpy as np

from calibration.course.course_places import Places
from calibration.course.template_form import along_row, rows_of
from referee.domain.geometry import distance
from referee.domain.layout import POCKETS, Course, within_quarter_turn

# Chosen: limits that nothing was measured for.

#: In mm. A tile so far from its place in its row gets a warning: a coin would meet its corner.
_OUT_OF_ROW_MM: Final = 3.0
_TURNED_DEG: Final = 5.0  # a tile turned so far in its row, or a row in the board, gets a warning
# In tile widths: the rules say 2 to 3. A quarter of a tile more or less, when laid by hand, needs
# no warning.
_POCKET: Final = (1.75, 3.25)


def row_warnings(
    course: Course, places: Places, template: Course, seen: Collection[str]
) -> Iterator[str]:
    """Yield warnings about tiles out of their rows, rows that are askew, and pockets that are wider
    or narrower than the rules say.
    """
    for row, names in rows_of(template).items():
        for name in (n for n in names if n in seen):
            off_mm = float(np.hypot(*places.off(name, course.tiles[name].centre_mm)))
            if off_mm > _OUT_OF_ROW_MM:
                yield f"{name} lies {off_mm:.0f} mm out of its row"
            turn = course.tiles[name].rotation_deg - _bearing_deg(places, names)
            if abs(within_quarter_turn(turn)) > _TURNED_DEG:
                yield f"{name} is turned by {abs(within_quarter_turn(turn)):.0f} degrees in its row"
        x, y = along_row(template, names)
        straight_deg = float(np.degrees(np.arctan2(y, x) + places.turn_rad))
        askew_deg = within_quarter_turn(_bearing_deg(places, names) - straight_deg)
        if abs(askew_deg) > _TURNED_DEG:
            yield f"{row} stands {abs(askew_deg):.0f} degrees askew"
    for pocket, line in course.lines.items():
        wide = distance(line.left_mm, line.right_mm) / course.tile_mm
        if pocket in POCKETS and not _POCKET[0] <= wide <= _POCKET[1]:
            kind = "wide" if wide > _POCKET[1] else "narrow"
            yield f"{pocket} is {wide:.1f} tile widths wide, too {kind} (2 to 3 are usual)"


def _bearing_deg(places: Places, names: tuple[str, ...]) -> float:
    """Return the bearing of a row from its first to its last tile, as it was laid."""
    (x0, y0), (x1, y1) = places.centre_mm[names[0]], places.centre_mm[names[-1]]
    return float(np.degrees(np.arctan2(y1 - y0, x1 - x0)))
