"""Draws what a survey found over the still it was found in, so that people can check it before they
trust it.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import Point, square_corners
from referee.domain.table_edge import EdgeSide

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

# Chosen: limits, sizes and colours that nothing was measured for.

_TILE: Final[Colour] = (0, 0, 230)
_LINE: Final[Colour] = (230, 120, 0)
_SEEN: Final[Colour] = (0, 200, 0)
_GUESSED: Final[Colour] = (0, 160, 255)
_ERROR: Final[Colour] = (110, 0, 110)
_GRID: Final = (5, 3)  # how many errors are written across and down
_ARROW_MM: Final = 60.0  # the length of the axes drawn at the origin
_SHIFT: Final = 4


def _stroke(
    picture: Picture,
    view: TableView,
    points_mm: list[Point],
    height_mm: float,
    colour: Colour,
    *,
    closed: bool = False,
    width: int = 1,
) -> None:
    """Draw a line over the table through points, bent as the lens bends it. Parts far outside the
    picture are left out.
    """
    dense: list[Point] = []
    pairs = zip(points_mm, points_mm[1:] + points_mm[:1] if closed else points_mm[1:], strict=False)
    for a, b in pairs:
        steps = max(2, int(np.hypot(b[0] - a[0], b[1] - a[1]) / 10))
        dense += [
            (a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps)
            for k in range(steps + 1)
        ]
    pixels = view.to_image(np.column_stack((np.array(dense), np.full(len(dense), height_mm))))
    near = np.all(
        np.abs(pixels - np.array(picture.shape[1::-1]) / 2) < 2 * np.array(picture.shape[1::-1]),
        axis=1,
    )
    for k in range(len(pixels) - 1):
        if near[k] and near[k + 1]:
            a, b = (np.rint(p * 2**_SHIFT).astype(int).tolist() for p in (pixels[k], pixels[k + 1]))
            cv2.line(picture, a, b, colour, width, cv2.LINE_AA, _SHIFT)


def _word(picture: Picture, view: TableView, text: str, at_mm: Point, colour: Colour) -> None:
    x, y = view.to_image(np.array([at_mm]))[0]
    for (right, down), shade in [
        *(((i, j), (255, 255, 255)) for i in (-1, 0, 1) for j in (-1, 0, 1)),
        ((0, 0), colour),
    ]:
        # The rim is the same letters moved by a pixel. Thicker letters are wider in some versions
        # of OpenCV, so they would not line up.
        cv2.putText(
            picture,
            text,
            (int(x) + right, int(y) + down),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.42,
            shade,
            1,
            cv2.LINE_AA,
        )


def _side(picture: Picture, view: TableView, side: EdgeSide) -> None:
    def at(share: float) -> Point:
        (ax, ay), (bx, by) = side.begin_mm, side.end_mm
        return (ax + (bx - ax) * share, ay + (by - ay) * share)

    _stroke(picture, view, [side.begin_mm, side.end_mm], 0.0, _GUESSED)
    if side.to_share > side.from_share:
        _stroke(picture, view, [at(side.from_share), at(side.to_share)], 0.0, _SEEN)


def _grid(table: SurveyedTable) -> list[Point]:
    """Return places all over the course, to write their errors there."""
    places = np.array([tile.centre_mm for tile in table.course.tiles.values()])
    columns, rows = (
        np.linspace(low, high, count)
        for low, high, count in zip(places.min(axis=0), places.max(axis=0), _GRID, strict=True)
    )
    return [(float(x), float(y)) for y in rows for x in columns]


def draw_survey(picture: Picture, table: SurveyedTable) -> Picture:
    """Draw the survey over the still (h, w, 3): tiles (red) and their names, wickets' lines (blue),
    the edge, green where seen, orange where extended or estimated, and the error of places (mm).
    """
    drawn = picture.copy()
    for side in table.edge:
        _side(drawn, table.view, side)
    for tile in table.course.tiles.values():
        corners = square_corners(tile.centre_mm, table.sizes.tile_mm, tile.rotation_deg)
        _stroke(
            drawn,
            table.view,
            corners,
            tile.stack * table.sizes.tile_thickness_mm,
            _TILE,
            closed=True,
        )
    for name, line in table.course.lines.items():
        _stroke(drawn, table.view, [line.left_mm, line.right_mm], 0.0, _LINE)
        (lx, ly), (rx, ry) = line.left_mm, line.right_mm
        _word(
            drawn,
            table.view,
            name.removeprefix("wicket-"),
            ((lx + rx) / 2 + 4, (ly + ry) / 2),
            _LINE,
        )
    for name, post in table.course.posts.items():
        _word(drawn, table.view, name, (post.centre_mm[0] - 30, post.centre_mm[1] - 45), _TILE)
    for x_mm, y_mm in _grid(table):
        words = f"+-{np.sqrt(2) * table.sigma_mm((x_mm, y_mm)):.1f}"
        _word(drawn, table.view, words, (x_mm, y_mm), _ERROR)
    origin, right, up = (0.0, 0.0), (_ARROW_MM, 0.0), (0.0, _ARROW_MM)
    _stroke(drawn, table.view, [up, origin, right], 0.0, (160, 0, 160), width=2)
    return drawn
