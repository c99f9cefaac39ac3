"""Turns a survey by quarter turns. This renames the parts of a course that looks the same after a
quarter turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.rough_survey.rough_view import RoughView
from calibration.tiles.bundle import Adjusted
from referee.domain.geometry import Point
from referee.domain.layout import Course, Tile

Array = NDArray[np.float64]
_T = TypeVar("_T")


def turned_names(template: Course, quarters: int) -> dict[str, str]:
    """Return the new name of each tile if the course is turned by `quarters` quarter turns
    counter-clockwise: the name of the tile in whose place it then lies.
    """
    names = list(template.tiles)
    at = np.array([tile.centre_mm for tile in template.tiles.values()])
    turned = at @ _turn(quarters).T
    gaps = np.hypot(*(turned[:, None] - at[None]).transpose(2, 0, 1))
    return {name: names[int(k)] for name, k in zip(names, gaps.argmin(axis=1), strict=True)}


def by_quarters(rough: RoughView, adjusted: Adjusted, quarters: int) -> tuple[RoughView, Adjusted]:
    """Return a survey with the table frame turned so that every tile lies `quarters` quarter turns
    farther counter-clockwise, and has the name of the tile that belongs there.
    """
    names = turned_names(rough.template, quarters)
    field = adjusted.field
    for _ in range(quarters % 4):
        field = field.quarter_turned()
    return (
        replace(
            rough,
            view=seen_from(rough.view, quarters),
            tiles=moved_tiles(rough.tiles, names, quarters),
        ),
        replace(
            adjusted,
            view=seen_from(adjusted.view, quarters),
            tiles=moved_tiles(adjusted.tiles, names, quarters),
            off_mm=_renamed(adjusted.off_mm, names),
            field=field,
        ),
    )


def _renamed(values: Mapping[str, _T], names: Mapping[str, str]) -> dict[str, _T]:
    return {names[name]: value for name, value in values.items()}


def moved_tiles(
    tiles: Mapping[str, Tile], names: Mapping[str, str], quarters: int
) -> dict[str, Tile]:
    """Return the tiles at their places after `quarters` quarter turns, each by its new name."""
    return {
        names[name]: replace(tile, centre_mm=moved_point(tile.centre_mm, quarters))
        for name, tile in tiles.items()
    }


def moved_point(at_mm: Point, quarters: int) -> Point:
    """Return a point of a table after `quarters` quarter turns counter-clockwise."""
    x, y = _turn(quarters) @ at_mm
    return float(x), float(y)


def seen_from(view: TableView, quarters: int) -> TableView:
    """Return the view in which the table is turned by `quarters` quarter turns."""
    turn = np.eye(3)
    turn[:2, :2] = _turn(quarters)
    return replace(view, R_camera_table=view.R_camera_table @ turn.T)


def _turn(quarters: int) -> Array:
    """Return the rotation (2, 2) by `quarters` quarter turns counter-clockwise."""
    return np.asarray(np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), quarters % 4))
