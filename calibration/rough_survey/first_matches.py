"""Finds first groups of squares in a still picture that may be a course's tiles: by their outlines,
by their straight sides, by size and colour, colour by colour, and by the quarters on their backs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.rough_survey.arranged import Arranged, is_enough, matched, squares_at
from calibration.rough_survey.colours_of_squares import alike_in_colour, colours_of
from calibration.rough_survey.quartered_squares import divided_squares
from calibration.tiles.plane import (
    FEWEST_TILES,
    SquaresOnPlane,
    find_planes,
    size_groups,
    without_overlaps,
)
from calibration.tiles.quadrilaterals import SEAMS_PX, SMALLEST_PX, find_quads_by_colour
from referee.domain.layout import Course

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Chosen: a multiple of the number of the course's tiles; more squares of one size are a pattern.
_MOST_SQUARES: Final = 2
# Chosen: a multiple of the number of the course's tiles; a tile shows up to twenty squares with
# straight sides, and more of about one size are a pattern.
_MOST_STRAIGHT: Final = 40
# Chosen: squares whose sides differ by less than a factor of two are taken together, because a
# camera sees the farthest tiles up to half as large as the nearest. The smallest side of each group
# is this factor times that of the group before.
_SIZES_APART: Final = math.sqrt(2.0)
_SIZES: Final = 8  # Chosen: the number of these groups, which reach beyond 300 px
# Chosen: two planes that differ by a smaller angle show the same squares
_SAME_PLANE: Final = math.cos(math.radians(2.0))


def outline_matches(
    quads: Sequence[Array], planes: Sequence[SquaresOnPlane], template: Course
) -> list[Arranged]:
    """Match the quadrilaterals on each of their planes to the template."""
    found = []
    for plane in planes:
        if FEWEST_TILES <= len(plane.members) <= _MOST_SQUARES * len(template.tiles):
            found.append(matched(plane.view, [quads[k] for k in plane.members], template))
    return found


def straight_matches(squares: Array, camera: Camera, template: Course) -> list[Arranged]:
    """Match the squares (n, 4, 2) px with straight sides to the template, one group of about equal
    size at a time, because the few lines of a large box make more squares than all tiles.
    """
    whole = len(template.tiles)
    sides = np.sqrt(np.prod(np.linalg.norm(np.diff(squares[:, :3], axis=1), axis=2), axis=1))
    fits: list[Arranged] = []
    for least in SMALLEST_PX * _SIZES_APART ** np.arange(_SIZES):
        alike = [*squares[(sides >= least) & (sides < _SIZES_APART**2 * least)]]
        if FEWEST_TILES <= len(alike) <= _MOST_STRAIGHT * whole:
            fits += outline_matches(alike, find_planes(alike, camera, template.tile_mm), template)
    return fits


def group_matches(
    still: Picture, quads: Sequence[Array], planes: Sequence[SquaresOnPlane], template: Course
) -> list[Arranged]:
    """Match the squares of each size and colour on each plane to the template, until one match is
    enough. On a cloth with a pattern of squares, the tiles differ from the pattern in size or
    colour.
    """
    if not planes:
        return []
    colours, fits = colours_of(still, quads), list[Arranged]()
    for view in _different([plane.view for plane in planes]):
        for sized, members in size_groups(quads, view, template.tile_mm):
            for group in alike_in_colour(colours[list(members)]):
                fits += _without_overlaps([quads[members[k]] for k in group], sized, template)
                if fits and is_enough(fits[-1], template):
                    return fits
    return fits


def _different(views: Sequence[TableView]) -> list[TableView]:
    """Return the views, except those whose plane has nearly the direction of an earlier view's
    plane.
    """
    kept: list[TableView] = []
    for view in views:
        up = view.R_camera_table[:, 2]
        if all(float(up @ other.R_camera_table[:, 2]) < _SAME_PLANE for other in kept):
            kept.append(view)
    return kept


def _without_overlaps(
    squares: Sequence[Array], view: TableView, template: Course
) -> list[Arranged]:
    """Match squares on the view's plane to the template. Of squares that overlap, only the most
    regular one counts. Empty if there are too few or too many for a course.
    """
    apart = without_overlaps(squares, view, template.tile_mm)
    if not FEWEST_TILES <= len(apart) <= _MOST_SQUARES * len(template.tiles):
        return []
    return [matched(view, [squares[k] for k in apart], template)]


def colour_matches(
    still: Picture, quads: Sequence[Array], camera: Camera, template: Course
) -> list[Arranged]:
    """Match squares found colour by colour to the template."""
    fits: list[Arranged] = []
    for alike in [*find_quads_by_colour(still), divided_squares(quads)]:
        # a square of one colour may be found once for each width of seam
        if len(alike) <= len(SEAMS_PX) * _MOST_SQUARES * len(template.tiles):
            fits += outline_matches(alike, find_planes(alike, camera, template.tile_mm), template)
    return fits


def of_quarters(
    quads: Sequence[Array], planes: Sequence[SquaresOnPlane], template: Course
) -> list[Arranged]:
    """Return, for each plane, the tiles that have three or four quarters among the quadrilaterals.
    Two such tiles are enough to find the others, if the plane was found from quarters of more
    tiles.
    """
    tiles = divided_squares(quads)
    if not tiles:
        return []
    starts = []
    for plane in planes:
        corners = np.array([plane.view.to_table(tile) for tile in tiles])
        sides_mm = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
        larger = float(np.median(sides_mm)) / template.tile_mm
        view = replace(plane.view, t_camera_table_mm=plane.view.t_camera_table_mm / larger)
        starts.append(Arranged(view, *squares_at(view, tiles), None))
    return starts
