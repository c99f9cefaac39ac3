"""The ground of a flicking game: the course as it lies, the edge of the table, and the tiles that
are out of place.
"""

from __future__ import annotations

from typing import Any

import msgspec

from referee.domain.call import Irregularity
from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.entry import Setup, course_of
from referee.domain.geometry import Point
from referee.domain.incident import (
    DISPLACED_DEG,
    DISPLACED_MM,
    Incident,
    Surveyed,
    TileDisplaced,
    TileRestored,
)
from referee.domain.layout import Course, course_from_layout
from referee.games.flicking import not_done_before

#: The tiles that are out of place, each with what moved it ("coin" or "hand").
Displaced = frozenset[tuple[str, str]]


class Ground(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The course as it was last measured, and the outline of the table where that is known."""

    course: Course
    edge_mm: tuple[Point, ...] | None


def laid_ground(setup: Setup) -> Ground:
    """Return the ground on which a match begins. Raises KeyError, TypeError or ValueError for a bad
    layout.
    """
    return Ground(course_of(setup), setup.table_edge_mm)


def surveyed(ground: Ground, entry: Incident, tile_mm: float) -> Ground:
    """Return the ground after it was measured again. What was not measured again stays as it
    was.
    """
    if not isinstance(entry, Surveyed):
        return ground
    course = ground.course if entry.layout is None else course_from_layout(entry.layout, tile_mm)
    return Ground(course, ground.edge_mm if entry.table_edge_mm is None else entry.table_edge_mm)


def out_of_place(displaced: Displaced, entry: Incident, reasons: Reasons = NO_REASONS) -> Displaced:
    """Return the tiles that are out of place after an incident. A displaced tile is out of place
    until it is put back or the course is measured again.
    """
    match entry:
        case TileDisplaced() if reasons.holds("displaced", is_displaced(entry)):
            return with_displaced(displaced, entry)
        case TileRestored():
            return _without(displaced, entry.tile)
        case Surveyed() if entry.layout is not None:
            return frozenset()
        case _:
            return displaced


def with_displaced(displaced: Displaced, entry: TileDisplaced) -> Displaced:
    """Return the tiles that are out of place, with this one added. It counts as moved by whatever
    moved it last.
    """
    return _without(displaced, entry.tile) | {(entry.tile, entry.by)}


def _without(displaced: Displaced, tile: str) -> Displaced:
    return frozenset(one for one in displaced if one[0] != tile)


def is_displaced(entry: TileDisplaced) -> bool:
    """Return whether a tile was moved or turned far enough to be out of place."""
    return entry.moved_mm >= DISPLACED_MM or abs(entry.turned_deg) >= DISPLACED_DEG


def displacement_in_words(entry: TileDisplaced) -> tuple[str, dict[str, Any]]:
    """Return the condition for a tile to count as out of place, in words, and how far this tile was
    moved and turned.
    """
    text = (
        f"The tile has moved by at least {DISPLACED_MM:g} mm or turned by at least"
        f" {DISPLACED_DEG:g} degrees."
    )
    return text, {"moved_mm": entry.moved_mm, "turned_deg": entry.turned_deg}


def still_displaced(displaced: Displaced) -> Displaced:
    """Return the tiles that are still out of place after a flick. A tile that a hand moved and
    nobody put back is no longer out of place: the course is measured again.
    """
    return frozenset(tile for tile in displaced if tile[1] == "coin")


def to_restore(displaced: Displaced) -> list[dict[str, Any]]:
    """Return the tiles that must be put back before the next flick, as listed in
    `turn.before_flick`.
    """
    return [{"do": "restore", "tile": tile} for tile, _ in sorted(displaced)]


def not_restored(on: str, displaced: Displaced, rule: str) -> list[Irregularity]:
    """Return an irregularity for every tile that was out of place when this flick was made."""
    return [
        not_done_before(
            on,
            "not_restored",
            rule,
            f"The tile {tile} was not put back before this flick.",
            tile=tile,
        )
        for tile, _ in sorted(displaced)
    ]
