"""Computes where each tile of a course belongs, from the places of the other tiles.

Courses are laid by hand, and many are legal: endposts farther out, pairs closer together,
everything larger or smaller. Players see at once whether a course is even: wicket 1 is as far out
as wicket 7, and wicket 3 is opposite wicket 9. So a tile's place is its place in the even course
that is closest to most of the tiles. An even course has the symmetry of its template. It also has
the template's proportions, unless the tiles show other ones. A course of rows of touching tiles is
even if its rows are straight and without gaps, wherever each row was laid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MOST_STEPS
from calibration.course.template_form import along_row, rows_of
from referee.domain.geometry import Point
from referee.domain.layout import Course, Tile
from referee.domain.sighting import SEEN_SIGMAS

Array = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

#: Tuned on our own clips.
LAID_TILES: Final = 0.05  # in tile widths: the error with which a careful player lays a tile
# in tile widths: how far a course usually is from its template's proportions
PROPORTION_TILES: Final = 0.15
# in tile widths: how much farther out than in the template all rows may lie, for wider pockets
OPEN_TILES: Final = 0.4
# by definition: the number of unknowns that all rows share; `_OF_ROW` more for each row
_OF_COURSE: Final = 5
_OF_ROW: Final = 3


@dataclass(frozen=True)
class Places:
    """Where each tile of a template belongs (`centre_mm`, in the table frame), and the angle from
    the x axis to the course's long axis.
    """

    centre_mm: Mapping[str, Point]
    turn_rad: float

    def off(self, name: str, centre_mm: Point) -> Array:
        """Return how far a tile's centre is from its place, (2,) mm along and across the course."""
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return np.asarray(
            np.array([[cos, sin], [-sin, cos]]) @ np.subtract(centre_mm, self.centre_mm[name]),
            dtype=np.float64,
        )


def places_of(tiles: Mapping[str, Tile], template: Course) -> Places:
    """Find the places of all the template's tiles from the tiles that were seen. The course must
    lie nearly along x, as its template does.

    A tile that lies far from its place does not shift the places of the others.
    """
    names = [n for n in template.tiles if n in tiles]
    rows, tying = even_equations(template)
    wanted = np.concatenate([2 * list(template.tiles).index(n) + np.arange(2) for n in names])
    data, ties = rows[wanted], tying / (PROPORTION_TILES * template.tile_mm)
    seen = np.array([tiles[n].centre_mm for n in names]).ravel()
    solved = _solved(data, seen, ties, template.tile_mm)
    points = (rows @ solved).reshape(-1, 2)
    return Places(
        {n: (float(x), float(y)) for n, (x, y) in zip(template.tiles, points, strict=True)},
        float(np.arctan(solved[2] / solved[3])),
    )


def _solved(data: Array, seen: Array, ties: Array, tile_mm: float) -> Array:
    """Find the unknowns that fit most of the tiles.

    In the first rounds, distances are minimised instead of their squares (by reweighting). In the
    last rounds, tiles far from their places do not count at all.
    """
    laid_mm = LAID_TILES * tile_mm
    weights = np.full(len(seen), 1.0 / laid_mm)
    solved = np.zeros(data.shape[1])
    for step in range(MOST_STEPS + 1):
        solved, *_ = np.linalg.lstsq(
            np.concatenate((data * weights[:, None], ties)),
            np.concatenate((seen * weights, np.zeros(len(ties)))),
            rcond=None,
        )
        gaps = np.hypot(*(data @ solved - seen).reshape(-1, 2).T)
        if step < MOST_STEPS - 1:
            weights = np.repeat(np.sqrt(1.0 / (laid_mm * np.maximum(gaps, laid_mm))), 2)
        else:
            weights = np.repeat(np.where(gaps < SEEN_SIGMAS * laid_mm, 1.0 / laid_mm, 0.0), 2)
    return np.asarray(solved, dtype=np.float64)


def even_equations(template: Course) -> tuple[Array, Array]:
    """Return two matrices over the u unknowns of a course. Their products with the unknowns are:
    for the first, (2 n, u), x and y of each tile; for the second, (g, u), deviations from the
    template's proportions, which are 0 if the course has them.

    The unknowns are the shift (2), the turn times the scale, and the scales along and across. Each
    group of tiles that mirror each other adds two unknowns: its distances from the middle, along
    and across.
    """
    return _equations_of_rows(template) if rows_of(template) else _equations_of_groups(template)


def _equations_of_rows(template: Course) -> tuple[Array, Array]:
    """Return the equations of a course of rows. The unknowns after the shift are the turn, the
    scale, how far all rows lie outwards, and for each row its shift (2) and how far its turn moves
    its ends.
    """
    names = list(template.tiles)
    rows = rows_of(template)
    equations = np.zeros((2 * len(names), _OF_COURSE + _OF_ROW * len(rows)))
    ties = np.zeros((_OF_ROW * len(rows) + 1, equations.shape[1]))
    points = np.array([t.centre_mm for t in template.tiles.values()])
    points = points - points.mean(axis=0)
    for number, row in enumerate(rows.values()):
        own = _OF_COURSE + _OF_ROW * number
        indices = [names.index(name) for name in row]
        middle = points[indices].mean(axis=0)
        outward, along = middle / np.hypot(*middle), np.array(along_row(template, row))
        half_mm = np.abs((points[indices] - middle) @ along).max()
        for k in indices:
            x, y = points[k]
            both = equations[2 * k : 2 * k + 2]
            both[:, 0:2] = np.eye(2)
            both[:, 2], both[:, 3], both[:, 4] = (-y, x), (x, y), outward
            both[:, own : own + 2] = np.eye(2)
            share = (points[k] - middle) @ along / half_mm
            both[:, own + 2] = share * np.array([-along[1], along[0]])
        ties[_OF_ROW * number : _OF_ROW * (number + 1), own : own + _OF_ROW] = np.eye(_OF_ROW)
    ties[-1, 4] = PROPORTION_TILES / OPEN_TILES
    return equations, ties


def _equations_of_groups(template: Course) -> tuple[Array, Array]:
    """Return the equations of a course of single tiles; see `even_equations`."""
    points = np.array([t.centre_mm for t in template.tiles.values()])
    points = points - (points.max(axis=0) + points.min(axis=0)) / 2
    groups = [np.unique(np.round(np.abs(points[:, axis]), 3)) for axis in (0, 1)]
    first = (5, 5 + len(groups[0]))
    rows = np.zeros((2 * len(points), first[1] + len(groups[1])))
    for k, point in enumerate(points):
        for axis in (0, 1):
            row = rows[2 * k + axis]
            row[axis] = 1.0
            row[2] = -point[1] if axis == 0 else point[0]
            row[first[axis] + int(np.searchsorted(groups[axis], round(abs(point[axis]), 3)))] = (
                np.sign(point[axis])
            )
    ties = np.zeros((len(groups[0]) + len(groups[1]), rows.shape[1]))
    for axis in (0, 1):
        for k, away in enumerate(groups[axis]):
            ties[first[axis] - 5 + k, [3 + axis, first[axis] + k]] = (-away, 1.0)
    return rows, ties
