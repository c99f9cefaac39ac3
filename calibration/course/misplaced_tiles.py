"""Finds tiles that lie far from their places, and writes the error of one line for a course that is
refused because of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.constants.fitting import TILES_APART
from calibration.course.course_places import Places, places_of
from calibration.course.course_words import off_words, piece_of
from calibration.course.template_form import ELSEWHERE, rows_of
from calibration.lens.camera import TableView
from referee.domain.geometry import Point, distance
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import wall_in_words

Array = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

# In tile widths. A square farther than this from a missing tile's place is not that tile. A nearer
# square probably is the tile, so the tile's place is not derived from its partner.
_FARTHEST_TILES: Final = 2.5


def squares_among(
    quads: Iterable[Array], view: TableView, sizes: PieceSizes, stack: int = 1
) -> list[Point]:
    """Return the centres, mm, of those quadrilaterals (4, 2) px that are squares of a tile's size
    on top of `stack` tiles. The same square may appear twice.
    """
    on_table = (view.to_table(quad, stack * sizes.tile_thickness_mm) for quad in quads)
    return [
        (float(corners[:, 0].mean()), float(corners[:, 1].mean()))
        for corners in on_table
        if _is_tile(corners, sizes.tile_mm)
    ]


def beside_squares(tiles: Mapping[str, Tile], squares: Sequence[Point], tile_mm: float) -> set[str]:
    """Return the tiles that partly overlap a square but coincide with no square. A search that uses
    only edges can take the middle of a tile for its edge.
    """
    low, high = ELSEWHERE * tile_mm, TILES_APART * tile_mm
    nearest = {
        name: min((distance(tile.centre_mm, square) for square in squares), default=np.inf)
        for name, tile in tiles.items()
    }
    return {name for name, gap in nearest.items() if low < gap < high}


def upon_others(tiles: Mapping[str, Tile], template: Course) -> set[str]:
    """Return, for each pair of tiles that overlap, the one that lies farther from its place. The
    middle lines of two touching tiles also form a square, half a tile from each of them.
    """
    places, found = places_of(tiles, template), set[str]()
    for (a, first), (b, second) in combinations(tiles.items(), 2):
        gap_mm = distance(first.centre_mm, second.centre_mm)
        if first.stack == second.stack and gap_mm < TILES_APART * template.tile_mm:
            found.add(max((a, b), key=lambda n: np.hypot(*places.off(n, tiles[n].centre_mm))))
    return found


def upon_places(tiles: Mapping[str, Tile], template: Course) -> set[str]:
    """Return the tiles that overlap the place of another tile in a row. The places follow from
    where most tiles lie. The set is empty for a course without rows.
    """
    places = _places_in_rows(tiles, template)
    return {
        name
        for name, tile in tiles.items()
        if _overlapped(tile.centre_mm, places, template.tile_mm) - {name}
    }


def alone(squares: Sequence[Point], tiles: Mapping[str, Tile], template: Course) -> list[Point]:
    """Return the squares without those that overlap the places of two tiles of a row: the middle
    lines of two touching tiles make a square, too.
    """
    places = _places_in_rows(tiles, template)
    return [at for at in squares if len(_overlapped(at, places, template.tile_mm)) < 2]


def _places_in_rows(tiles: Mapping[str, Tile], template: Course) -> dict[str, Point]:
    rows = [name for row in rows_of(template).values() for name in row]
    centres_mm = places_of(tiles, template).centre_mm if rows else {}
    return {name: centres_mm[name] for name in rows}


def _overlapped(at_mm: Point, places: Mapping[str, Point], tile_mm: float) -> set[str]:
    """Return the names of the places that a square at a point would overlap."""
    apart_mm = (1.0 - ELSEWHERE) * tile_mm
    return {name for name, place in places.items() if distance(at_mm, place) < apart_mm}


def elsewhere(tiles: Mapping[str, Tile], squares: Sequence[Point], tile_mm: float) -> list[Point]:
    """Return the squares that are not one of the tiles, each only once."""
    known, found = [tile.centre_mm for tile in tiles.values()], list[Point]()
    for square in squares:
        if all(distance(square, other) > TILES_APART * tile_mm for other in (*known, *found)):
            found.append(square)
    return found


def _is_tile(corners: Array, tile_mm: float) -> bool:
    """Return whether corners are about those of a tile. The corners may also be those of a stack's
    wall.
    """
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    turns = (sides * np.roll(sides, 1, axis=0)).sum(axis=1) / (lengths * np.roll(lengths, 1))
    return bool(
        np.all(np.abs(lengths / tile_mm - 1.0) < ELSEWHERE) and np.abs(turns).max() < ELSEWHERE
    )


def misfit(
    tiles: Mapping[str, Tile],
    template: Course,
    strays: Sequence[Point],
    white: Set[str] = frozenset(),
) -> str | None:
    """Return why the tiles found do not make a course: which parts are missing or off, and by how
    much. None if the missing tiles can be derived.

    The place of a missing tile follows from its partner, unless a square close by shows that the
    tile lies elsewhere. `strays` are the centres of squares that are not one of the tiles. `white`
    are the missing tiles that glare hides; they count as lying where the other tiles say.
    """
    missing = [n for n in template.tiles if n not in tiles and n not in white]
    places = places_of(tiles, template)
    off = _matched(missing, strays, places, _FARTHEST_TILES * template.tile_mm)
    there = {n for n in off if np.hypot(*off[n]) < ELSEWHERE * template.tile_mm}
    words = []
    for piece in dict.fromkeys(piece_of(n) for n in missing):
        parts = [n for n in template.tiles if piece_of(n) == piece and n not in white]
        moved = {n: off[n] for n in parts if n in off and n not in there}
        lost = sum(n in missing for n in parts)
        if len(parts) > 2 and 2 * lost > len(parts) and lost < len(parts):
            seen = f"only {len(parts) - lost} of the {len(parts)} tiles"
            words.append(f"{seen} of {wall_in_words(piece)} are seen")
        elif all(n in missing for n in parts) and there.intersection(parts):
            words.append(
                f"{wall_in_words(piece)} does not look like the other tiles (glare, or another face"
                " up?)"
            )
        elif moved or all(n in missing for n in parts):
            words += _words(piece, [n for n in parts if n in missing], parts, off, places)
    return (
        f"the course does not fit: {'; '.join(words)} (a tile is looked for up to a tile width from"
        " its place)"
        if words
        else None
    )


def _words(
    piece: str,
    missing: Sequence[str],
    parts: Sequence[str],
    off: Mapping[str, Array],
    places: Places,
) -> list[str]:
    if all(n in off for n in parts):
        middle = np.mean([off[n] for n in parts], axis=0)
        return [f"{wall_in_words(piece)} is off, {off_words(places, middle)}"]
    if not any(n in off for n in missing):
        return [f"{wall_in_words(piece)} is missing"]
    return [
        f"{wall_in_words(n)} is {f'off, {off_words(places, off[n])}' if n in off else 'missing'}"
        for n in missing
    ]


def _matched(
    missing: Sequence[str], strays: Sequence[Point], places: Places, reach_mm: float
) -> dict[str, Array]:
    """Return how far each missing tile lies from its place, (2,) mm, if it is one of the `strays`.
    Tiles and strays are matched with the smallest total distance.
    """
    if not strays or not missing:
        return {}
    off = np.array([[places.off(n, spot) for spot in strays] for n in missing])
    gaps = np.hypot(off[..., 0], off[..., 1])
    rows, columns = linear_sum_assignment(np.minimum(gaps, reach_mm))
    return {
        missing[int(i)]: off[i, j]
        for i, j in zip(rows, columns, strict=True)
        if gaps[i, j] < reach_mm
    }
