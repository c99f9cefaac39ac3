"""The board of Carroms on a real table: its centre, its walls, and the free spot nearest the
centre. All lengths are in millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from referee.domain.geometry import (
    Point,
    add,
    contains,
    cross,
    distance,
    inside_by,
    nearest_on_segment,
    scale,
    sides,
    square_corners,
    subtract,
    unit,
)
from referee.domain.layout import Course, Tile

#: Two coins that overlap by no more than this count as touching, because of rounding, mm.
TOUCHING_MM: Final = 1e-6
#: A coin that seems to overlap another by no more than this may lie beside it, mm.
OVERLAP_MM: Final = 2.0
#: A spot is near enough when it is at most this many coin widths farther from the centre than the
#: nearest free spot (CA-14).
NEAR: Final = 0.25


class Board(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The corners of each wall tile, the playing field that walls and pockets enclose, and the
    field's centre.
    """

    centre_mm: Point
    tiles: tuple[tuple[Point, ...], ...]
    field: tuple[Point, ...]


def board_of(course: Course) -> Board:
    """Return the board that a course's tiles make. The field is the convex hull of the inner
    corners of the tiles: the two corners of each tile that are nearest to the centre.
    """
    centre = course.middle_mm
    tiles = tuple(_corners(tile, course.tile_mm) for tile in course.tiles.values())
    inner = [
        corner
        for corners in tiles
        for corner in sorted(corners, key=lambda at: distance(at, centre))[:2]
    ]
    return Board(centre, tiles, hull(inner))


def _corners(tile: Tile, tile_mm: float) -> tuple[Point, ...]:
    return tuple(square_corners(tile.centre_mm, tile_mm, tile.rotation_deg))


def hull(points: Iterable[Point]) -> tuple[Point, ...]:
    """Return the convex hull of points, counter-clockwise (A. M. Andrew's monotone chain, 1979)."""
    ordered = sorted(set(points))

    def chain(line: Sequence[Point]) -> list[Point]:
        ends: list[Point] = []
        for point in line:
            while (
                len(ends) > 1
                and cross(subtract(ends[-1], ends[-2]), subtract(point, ends[-1])) <= 0
            ):
                ends.pop()
            ends.append(point)
        return ends[:-1]

    return (*chain(ordered), *chain(ordered[::-1]))


def on_board(board: Board, at: Point, slack_mm: float) -> bool:
    """Return whether a coin's centre lies on the playing field, or at most `slack_mm` outside it;
    always True if no board is known.
    """
    return (
        len(board.field) < 3 or contains(board.field, at) or inside_by(board.field, at) >= -slack_mm
    )


def wall_gap_mm(board: Board, at: Point) -> float:
    """Return how far a coin's centre is from the nearest wall; 0 if no wall is known."""
    return min(
        (
            distance(nearest_on_segment(a, b, at), at)
            for corners in board.tiles
            for a, b in sides(corners)
        ),
        default=0.0,
    )


def nearest_free(centre: Point, taken: Sequence[Point], coin_mm: float) -> Point:
    """Return the spot nearest to `centre` where a coin overlaps none of the coins at `taken`.

    Only three kinds of spot can be the nearest: the centre itself, a spot that touches one coin in
    line with the centre, and a spot that touches two coins. Of several equally near spots, the one
    farthest to the right is returned, then the one farthest up.
    """
    reach_mm = farthest_nearest_mm(len(taken), coin_mm) + coin_mm
    near = [other for other in taken if distance(other, centre) < reach_mm]
    far_of = {
        at: (round(distance(at, centre), 3), -round(at[0], 3), -round(at[1], 3))
        for at in _projections(centre, near, coin_mm)
    }
    least_mm = coin_mm - TOUCHING_MM
    for at in sorted(far_of, key=far_of.__getitem__):
        if all(distance(at, other) >= least_mm for other in near):
            return at
    return add(
        centre, (reach_mm, 0.0)
    )  # reached only if rounding removes every spot: at this distance there is always room


def _projections(centre: Point, taken: Sequence[Point], coin_mm: float) -> Iterator[Point]:
    yield centre
    if all(distance(centre, other) >= coin_mm - TOUCHING_MM for other in taken):
        return
    for i, other in enumerate(taken):
        way = subtract(centre, other)
        yield (
            add(other, scale(unit(way), coin_mm))
            if math.hypot(*way) > TOUCHING_MM
            else add(other, (coin_mm, 0.0))
        )
        for another in taken[:i]:
            yield from _touching_both(other, another, coin_mm)


def _touching_both(a: Point, b: Point, coin_mm: float) -> Iterator[Point]:
    way = subtract(b, a)
    half = math.hypot(*way) / 2
    if TOUCHING_MM < half <= coin_mm:
        aside = scale((-way[1], way[0]), math.sqrt(coin_mm**2 - half**2) / (2 * half))
        middle = add(a, scale(way, 0.5))
        yield add(middle, aside)
        yield subtract(middle, aside)


def farthest_nearest_mm(others: int, coin_mm: float) -> float:
    """Return the greatest distance the nearest free spot can have from the centre, wherever
    `others` coins lie.

    Each coin blocks a disc whose radius is one coin width. To block a whole disc of radius r, the
    coins' discs must have at least its area.
    """
    return math.sqrt(others) * coin_mm


def near_enough(
    at: Point, centre: Point, taken: Sequence[Point], coin_mm: float, slack_mm: float
) -> bool:
    """Return whether a spot is free and near enough to the centre (CA-14), with a tolerance of
    `slack_mm`.
    """
    if any(distance(at, other) < coin_mm - OVERLAP_MM - slack_mm for other in taken):
        return False
    more_mm = distance(at, centre) - NEAR * coin_mm - slack_mm
    return more_mm <= 0.0 or more_mm <= distance(nearest_free(centre, taken, coin_mm), centre)
