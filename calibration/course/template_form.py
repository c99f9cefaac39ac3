"""Finds in a game's template which tiles touch in rows, and which distances the rules fix."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from referee.domain.geometry import Point, distance, subtract, unit
from referee.domain.layout import POCKETS, Course, line_ends

# By definition: two tiles touch if their centres are at most one tile width apart in the template,
# plus a thousandth for rounding.
_TOUCHING: Final = 1.001

#: Chosen: in tile widths. A tile this far from its place counts as misplaced: players notice it,
#: and it is five times the error of careful laying.
ELSEWHERE: Final = 0.25
# Chosen: a length may differ from the rules by this share without a warning.
_ABOUT: Final = 0.3
#: Chosen: the fewest known distances whose mean shows how large a course is.
FEWEST_OPENINGS: Final = 5

#: Two tiles and the distance of their centres in tile widths.
Known = tuple[str, str, float]


def is_about(tiles: float, least: float, most: float) -> bool:
    """Return whether a length is from `least` to `most`, as the rules say, or outside by no more
    than is common on courses laid by hand. All are in tile widths.
    """
    off = _ABOUT * least
    return least - off <= tiles <= most + off


def rows_of(template: Course) -> dict[str, tuple[str, ...]]:
    """Return the rows of touching tiles. The key is the name that the tiles share (`wall-n`), the
    value the tiles' names from one end of the row to the other.
    """
    rows: dict[str, list[str]] = {}
    for name, tile in template.tiles.items():
        row = name.rpartition("-")[0]
        beside = template.tiles[rows[row][-1]] if row in rows else tile
        if distance(beside.centre_mm, tile.centre_mm) < _TOUCHING * template.tile_mm:
            rows.setdefault(row, []).append(name)
    return {row: tuple(names) for row, names in rows.items() if len(names) > 1}


def along_row(template: Course, row: tuple[str, ...]) -> Point:
    """Return the unit vector from a row's first tile to its last tile."""
    first, last = (template.tiles[name].centre_mm for name in (row[0], row[-1]))
    return unit(subtract(last, first))


def known_distances(template: Course) -> list[Known]:
    """Return the pairs of tiles whose distance the rules fix: the two tiles of a wicket, a gate or
    a door, and neighbours in a row.
    """
    names = {tile.centre_mm: name for name, tile in template.tiles.items()}
    ends = [
        (names[left.centre_mm], names[right.centre_mm])
        for line, ((_, left), (_, right)) in line_ends(template.tiles, template.tile_mm)
        if line not in POCKETS
    ]
    beside = [pair for row in rows_of(template).values() for pair in pairwise(row)]
    return [
        (
            a,
            b,
            distance(template.tiles[a].centre_mm, template.tiles[b].centre_mm) / template.tile_mm,
        )
        for a, b in (*ends, *beside)
    ]
