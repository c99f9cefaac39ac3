"""The board of Wickets as its layout describes it: spaces, wickets, stakes, and the course."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

import yaml

Space = tuple[int, int]
#: The step to the next space in each heading. North goes up the rows.
HEADINGS: Final[Mapping[str, Space]] = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
HEADING_NAMES: Final[Mapping[str, str]] = {"n": "north", "e": "east", "s": "south", "w": "west"}


class Step(NamedTuple):
    """One step of the course: a wicket with the heading in which it is passed, or a stake
    (`heading` is None). `label` is its name on the board, if it has one.
    """

    place: str
    heading: str | None
    label: str | None


@dataclass(frozen=True, slots=True)
class Board:
    """A board: the numbers of columns and rows of spaces, the start space, the wickets and stakes
    by their space, and the course.

    Spaces are counted from 1 at the bottom left.
    """

    cols: int
    rows: int
    start: Space
    wickets: Mapping[Space, str]
    stakes: Mapping[Space, str]
    course: tuple[Step, ...]

    def has(self, space: Space) -> bool:
        """Return whether the space is on the board."""
        return 1 <= space[0] <= self.cols and 1 <= space[1] <= self.rows


def ahead(space: Space, heading: str) -> Space:
    """Return the next space in the direction `heading`, on the board or off it."""
    dx, dy = HEADINGS[heading]
    return space[0] + dx, space[1] + dy


def opposite(one: str, other: str) -> bool:
    """Return whether two headings are opposite to each other."""
    return (
        one != other
        and HEADINGS[one][0] == -HEADINGS[other][0]
        and HEADINGS[one][1] == -HEADINGS[other][1]
    )


def board_from(layout: Mapping[str, Any]) -> Board:
    """Return the board that a layout describes. The layout has the same fields as the game's own
    one.

    Raises KeyError, TypeError, ValueError, IndexError or AttributeError if the layout describes
    no board.
    """
    stakes = {_space(space): str(name) for name, space in layout["stakes"].items()}
    wickets = {_space(space): str(name) for name, space in layout["wickets"].items()}
    places = {*stakes.values(), *wickets.values()}
    labels = [str(label) for label in layout.get("labels") or ()]
    course = tuple(
        _step(row, labels[i] if i < len(labels) else None, places)
        for i, row in enumerate(layout["course"])
    )
    board = Board(
        _whole(layout["cols"]),
        _whole(layout["rows"]),
        _space(layout["start"]),
        wickets,
        stakes,
        course,
    )
    _check(board, len(layout["stakes"]) + len(layout["wickets"]))
    return board


def _space(at: Any) -> Space:
    column, row = at
    return _whole(column), _whole(row)


def _whole(number: Any) -> int:
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{number!r} is not a whole number")
    return number


def _step(row: Any, label: str | None, places: set[str]) -> Step:
    place, heading = str(row[0]), str(row[1]) if len(row) > 1 else None
    if place not in places:
        raise ValueError(f"the course names {place!r}, which has no space on the board")
    if (heading is None) == place.startswith("wicket-") or (
        heading is not None and heading not in HEADINGS
    ):
        raise ValueError(
            f"the course's step {place!r} needs a heading (n, e, s, w) exactly when it is a wicket"
        )
    return Step(place, heading, label if heading is not None else None)


def _check(board: Board, places: int) -> None:
    spaces = {*board.stakes, *board.wickets}
    if len(spaces) != places:
        raise ValueError("two places share a space")
    if not all(board.has(space) for space in (*spaces, board.start)) or board.start in spaces:
        raise ValueError(
            "every wicket, every stake and the start need a space of their own on the board"
        )
    if not board.course or board.course[-1].heading is not None:
        raise ValueError("the course must end at a stake")


@cache
def template_board(game: str) -> Board:
    """Return a game's own board. Raises FileNotFoundError for a game without one."""
    text = (
        resources.files("referee").joinpath("layouts", f"{game}.yaml").read_text(encoding="utf-8")
    )
    return board_from(yaml.safe_load(text))
