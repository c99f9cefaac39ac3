"""Describes which parts of a table's edge cannot be refereed. Sides and ends are named as the
camera sees them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from calibration.lens.camera import TableView, in_front
from calibration.table_edge.edge_line import LEAST_SEEN_MM
from referee.domain.layout import SIDES_OF_TABLE
from referee.domain.table_edge import EdgeSide

# Chosen: limits, sizes and colours that nothing was measured for.

_PLACES: Final = 101  # the number of places along a side that are examined


def edge_words(sides: Sequence[EdgeSide], view: TableView) -> list[str]:
    """Return a warning for each side that was not completely seen, or one warning if no edge was
    found. The four sides are given counter-clockwise, beginning with the lower side in the table
    frame.
    """
    if not sides:
        return ["the table's edge was not found: coins that leave the table cannot be refereed"]
    names = _names(view)
    return [
        words
        for k, side in enumerate(sides)
        if (words := _side_words(names[k], side, (names[k - 1], names[(k + 1) % 4]), view))
    ]


def _names(view: TableView) -> list[str]:
    """Return the names of the sides as the camera sees them, in the order of the sides. The names
    depend on how many quarter turns the table's x axis is away from the right of the picture. The
    table's sides are numbered counter-clockwise, but `SIDES_OF_TABLE` lists the names clockwise.
    """
    right = view.R_camera_table[0]
    turns = round(float(np.arctan2(right[1], right[0])) / (np.pi / 2))
    return [SIDES_OF_TABLE[(turns - k) % 4] for k in range(4)]


def _side_words(name: str, side: EdgeSide, ends: tuple[str, str], view: TableView) -> str | None:
    """Return a warning about one side. `ends` are the names of the sides at which it begins and
    ends.
    """
    length = float(np.hypot(side.end_mm[0] - side.begin_mm[0], side.end_mm[1] - side.begin_mm[1]))
    if side.to_share <= side.from_share:
        hidden = _in_picture(side, view) * length > LEAST_SEEN_MM
        why = (
            "may be in the picture, but was not made out (too dark there, or too like what lies"
            " beyond?)"
            if hidden
            else "is not in the picture"
        )
        return (
            f"the {name} side of the table {why}: it is estimated, and falls over it cannot be"
            " refereed"
        )
    unseen = [
        (share * length, end)
        for share, end in zip((side.from_share, 1.0 - side.to_share), ends, strict=True)
    ]
    missing = [f"{mm:.0f} mm at its {end} end" for mm, end in unseen if mm > LEAST_SEEN_MM]
    return (
        f"the {name} side of the table is seen only in part, not {' nor '.join(missing)}: falls"
        " there cannot be refereed"
        if missing
        else None
    )


def _in_picture(side: EdgeSide, view: TableView) -> float:
    """Return the share of a side that lies within the picture, whether it is hidden there or
    not.
    """
    places = np.linspace(side.begin_mm, side.end_mm, _PLACES)
    size = (view.camera.width, view.camera.height)
    return float(
        np.mean([0 <= x < size[0] and 0 <= y < size[1] for x, y in in_front(view, places)])
    )
