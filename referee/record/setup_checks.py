"""Checks that a setup can be read: its options, its players and its course."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from referee.domain.entry import Setup, course_of
from referee.domain.geometry import Point
from referee.games.players import FieldError, check_players
from referee.games.words import BOARD_GAMES, words_of
from referee.record.decode_errors import misfit

#: Chosen: the most characters of a player's name; a longer name does not fit on the page.
MOST_LETTERS: Final = 80


def check_setup(setup: Setup) -> None:
    """Check that a setup has only known options, a valid course, and players who may play with
    these options. Raises FieldError.
    """
    for number, player in enumerate(setup.players):
        if len(player.name) > MOST_LETTERS:
            raise FieldError(f"players[{number}].name", f"is longer than {MOST_LETTERS} characters")
    known = words_of(setup.game).options
    for name, value in setup.options.items():
        if name not in known:
            raise FieldError(
                f"options.{name}",
                f"is not an option of {setup.game}; its options are {', '.join(known)}",
            )
        if not known[name].fits(value):
            raise FieldError(f"options.{name}", f"is {value!r}, but must be {known[name].allowed}")
    check_players(setup)
    check_edge(setup.table_edge_mm)
    check_layout(setup)


def check_edge(edge_mm: Sequence[Point] | None) -> None:
    """Check that the table's outline has enough corners. Raises FieldError."""
    if edge_mm is not None and len(edge_mm) < 3:
        raise FieldError("table_edge_mm", "must have at least three corners")


def check_layout(setup: Setup) -> None:
    """Check that a layout describes a course. Raises FieldError."""
    if setup.layout is None:
        return
    try:
        if setup.game in BOARD_GAMES:
            from referee.games.wickets.board import (
                board_from,
            )  # imported only when needed, because reading a record should start fast

            board_from(setup.layout)
            return
        _check_tiles(setup.layout)
        course_of(setup)
    except KeyError as error:
        raise FieldError(f"layout.{error.args[0]}", "is missing") from error
    except (TypeError, ValueError, AttributeError, OverflowError, IndexError) as error:
        raise FieldError("layout", f"is not a layout of {setup.game}: {error}") from error


def _check_tiles(layout: dict[str, Any]) -> None:
    if not isinstance(layout["tiles"], dict):
        raise FieldError(
            "layout.tiles", "must be an object that gives a place for the name of each tile"
        )
    for name, tile in layout["tiles"].items():
        try:
            msgspec.convert(tile, _TileLaid)
        except msgspec.ValidationError as error:
            wrong = misfit(str(error), _TileLaid)
            raise FieldError(
                f"layout.tiles.{name}{'' if wrong.field == 'entry' else f'.{wrong.field}'}",
                wrong.what,
            ) from error


class _TileLaid(msgspec.Struct):
    centre_mm: Point
    rotation_deg: float
    stack: int = 1
