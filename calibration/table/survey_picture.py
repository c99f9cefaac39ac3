"""Draws the result of a survey over the still picture from which it was made, so that people can
check it before they trust it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.palette import BLACK, BLUE, GREEN, RED, WHITE, YELLOW, Colour
from calibration.lens.camera import TableView
from calibration.lens.fixed_point import SHIFT, fixed_point
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import Point, add, scale, square_corners, subtract, unit
from referee.domain.table_edge import EdgeSide

Picture = NDArray[np.uint8]

# Chosen: limits, sizes and colours that nothing was measured for.

_GRID: Final = (4, 3)  # how many errors of places are written across and down the course
# In a picture this wide, numbers have OpenCV's font scale 1, and words half of it.
_WIDTH_PX: Final = 1280
#: The drawn way of play crosses a wicket's line at this share of the line from its right end, so
#: that the two ways and the number between them do not overlap. A castle's name is written at this
#: share of the distance from its tower to the middle, so that it is always in the picture.
_ASIDE: Final = 0.22


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
    """Draw a line through points on the table, bent as the lens bends it. Parts far outside the
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
            a, b = fixed_point(pixels[k : k + 2]).tolist()
            cv2.line(picture, a, b, colour, width, cv2.LINE_AA, SHIFT)


def _word(
    picture: Picture,
    view: TableView,
    text: str,
    at_mm: Point,
    colour: Colour,
    *,
    large: bool = False,
    middle: bool = False,
) -> None:
    """Write a word with a white rim. It begins at the given place or, with `middle`, has its middle
    there.
    """
    size = max(1.0, picture.shape[1] / _WIDTH_PX) / (1.0 if large else 2.0)
    thick = max(1, round(2 * size))
    x, y = view.to_image(np.array([at_mm]))[0]
    if middle:
        (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
        x, y = x - wide / 2, y + high / 2
    rim = range(-thick, thick + 1)
    for (right, down), shade in [*(((i, j), WHITE) for i in rim for j in rim), ((0, 0), colour)]:
        # The white rim is the same word, drawn several times with small offsets. Thicker letters
        # would not line up, because they are wider in some versions of OpenCV.
        cv2.putText(
            picture,
            text,
            (int(x) + right, int(y) + down),
            cv2.FONT_HERSHEY_SIMPLEX,
            size,
            shade,
            thick,
            cv2.LINE_AA,
        )


def _way(
    picture: Picture, table: SurveyedTable, places: Sequence[str], colour: Colour, *, home: bool
) -> None:
    """Draw the way of play from place to place, with an arrowhead in the middle of each part. It
    passes each wicket through the right half, as seen by somebody who follows the way.
    """
    share = 1.0 - _ASIDE if home else _ASIDE
    course = table.course
    stops: list[Point] = []
    for place in places:
        if (line := course.lines.get(place)) is not None:
            stops.append(_along(line.right_mm, line.left_mm, share))
        elif (post := course.endposts.get(place)) is not None:
            stops.append(post.centre_mm)
    for begin, end in pairwise(stops):
        head = _arrowhead(begin, end, table.sizes.tile_mm / 2)
        for shade, width in ((WHITE, 4), (colour, 2)):
            _stroke(picture, table.view, [begin, end], 0.0, shade, width=width)
            _stroke(picture, table.view, head, 0.0, shade, width=width)


def _arrowhead(begin: Point, end: Point, long_mm: float) -> list[Point]:
    """Return the three points of an arrowhead in the middle of a way."""
    (x, y), middle = unit(subtract(end, begin)), _along(begin, end, 0.5)
    tip = add(middle, scale((x, y), long_mm / 2))
    left, right = ((-x - y / 2, -y + x / 2), (-x + y / 2, -y - x / 2))
    return [add(tip, scale(left, long_mm)), tip, add(tip, scale(right, long_mm))]


def _along(begin: Point, end: Point, share: float) -> Point:
    """Return the point at a share, 0 to 1, of the way from one point to another."""
    return add(begin, scale(subtract(end, begin), share))


def _side(picture: Picture, view: TableView, side: EdgeSide) -> None:
    _stroke(picture, view, [side.begin_mm, side.end_mm], 0.0, YELLOW)
    if side.to_share > side.from_share:
        _stroke(
            picture,
            view,
            [_along(side.begin_mm, side.end_mm, s) for s in (side.from_share, side.to_share)],
            0.0,
            GREEN,
        )


def _grid(table: SurveyedTable) -> list[Point]:
    """Return places spread over the course, at which the errors are to be written."""
    places = np.array([tile.centre_mm for tile in table.course.tiles.values()])
    columns, rows = (
        np.linspace(low, high, count)
        for low, high, count in zip(places.min(axis=0), places.max(axis=0), _GRID, strict=True)
    )
    return [(float(x), float(y)) for y in rows for x in columns]


def draw_survey(
    picture: Picture, table: SurveyedTable, ways: Mapping[str, Sequence[str]] | None = None
) -> Picture:
    """Draw the survey over the still picture (h, w, 3): tiles and their names (red); the lines of
    wickets, pockets, gates and doors with their numbers, corners or castles (blue); the edge, green
    where it was seen and yellow where it was extended or estimated; and the errors of places (mm).

    `ways` are the places of the course in the order of play, for the two ways "outward" (blue) and
    "homeward" (black).
    """
    drawn = picture.copy()
    for side in table.edge:
        _side(drawn, table.view, side)
    for tile in table.course.tiles.values():
        corners = square_corners(tile.centre_mm, table.sizes.tile_mm, tile.rotation_deg)
        _stroke(
            drawn, table.view, corners, tile.stack * table.sizes.tile_thickness_mm, RED, closed=True
        )
    for line in table.course.lines.values():
        _stroke(drawn, table.view, [line.left_mm, line.right_mm], 0.0, BLUE)
    ways = ways or {}
    for name, places in ways.items():
        colour = BLACK if name == "homeward" else BLUE
        _way(drawn, table, places, colour, home=name == "homeward")
    _words(drawn, table, ways)
    long_mm = table.sizes.tile_mm
    axes = [(0.0, long_mm), (0.0, 0.0), (long_mm, 0.0)]
    _stroke(drawn, table.view, axes, 0.0, BLACK, width=2)
    return drawn


def _below(view: TableView, at_mm: Point) -> Point:
    """Return the unit vector across the course that points down in the picture."""
    (_, up_px), (_, down_px) = view.to_image(np.array([add(at_mm, (0, 1)), add(at_mm, (0, -1))]))
    return (0.0, 1.0) if up_px > down_px else (0.0, -1.0)


def _words(drawn: Picture, table: SurveyedTable, ways: Mapping[str, Sequence[str]]) -> None:
    """Write the wickets' numbers, the names of endposts or castles, a mark where each way begins,
    and the errors.
    """
    view, course = table.view, table.course
    castles = [name for name in course.posts if name not in course.endposts]
    for name in castles:
        tower_mm, castle = course.tiles[name].centre_mm, name.removeprefix("tower-")
        door_mm = _along(tower_mm, course.middle_mm, _ASIDE)
        _word(drawn, view, castle, door_mm, BLUE, large=True, middle=True)
    for name, line in course.lines.items() if not castles else ():
        number = name.removeprefix("wicket-").removeprefix("pocket-").upper()
        middle_mm = _along(line.left_mm, line.right_mm, 0.5)
        _word(drawn, view, number, middle_mm, BLUE, large=True, middle=True)
    begins = {places[0]: name for name, places in ways.items()}
    for name, post in course.endposts.items():
        below_mm = scale(_below(view, post.centre_mm), table.sizes.tile_mm)
        _word(drawn, view, name, add(post.centre_mm, below_mm), RED, middle=True)
        if (way := begins.get(name)) is not None:
            colour = BLACK if way == "homeward" else BLUE
            at_mm = add(post.centre_mm, scale(below_mm, 2.0))
            _word(drawn, view, f"{way} from here", at_mm, colour, middle=True)
    for x_mm, y_mm in _grid(table):
        words = f"+-{np.sqrt(2) * table.sigma_mm((x_mm, y_mm)):.1f}"
        _word(drawn, view, words, (x_mm, y_mm), BLACK)
