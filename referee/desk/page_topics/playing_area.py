"""The playing area as the pages draw it: a course of tiles on a table, or a board of points or
spaces.

Everything is in millimetres of the table frame (x right, y up). A pawn's point or space is given by
its middle, so the pages draw all games in the same way. The board of Wickets has no prescribed
size: its spaces are drawn half a tile wide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from referee.desk.page_topics import topics
from referee.desk.page_topics.game_topics import Square
from referee.desk.page_topics.topics import CourseStep, LinePlaced, Spot, TableTopic, TilePlaced
from referee.domain.entry import Setup, course_of, sizes_of
from referee.domain.geometry import Point, scale
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.games.piecepack_croquet import lawn
from referee.games.piecepack_croquet.state import GAME as LAWN
from referee.games.wickets.board import Board, board_from, template_board
from referee.games.words import BOARD_GAMES

#: The width of a drawn pawn, as a share of a space.
PAWN_SHARE: Final = 0.62


def ground_of(setup: Setup) -> TableTopic:
    """Return the `table` topic of a match. Raises KeyError, TypeError or ValueError for a bad
    layout.
    """
    sizes = sizes_of(setup)
    if setup.game == LAWN:
        return _board_topic(_lawn(sizes), sizes)
    if setup.game in BOARD_GAMES:
        return _board_topic(_spaces(setup), sizes)
    course = course_of(setup)
    return TableTopic(
        edge_mm=list(setup.table_edge_mm or ()),
        sides=[],
        tiles=tiles_of(course),
        lines=lines_of(course),
        rack_mm=list(racked_mm(setup).values()),
        tile_mm=sizes.tile_mm,
        coin_mm=sizes.coin_mm,
    )


def tiles_of(course: Course) -> dict[str, TilePlaced]:
    """Return the course's tiles in the form in which the pages draw them."""
    return msgspec.convert(course.as_layout()["tiles"], dict[str, TilePlaced])


def lines_of(course: Course) -> dict[str, LinePlaced]:
    """Return the course's lines in the form in which the pages draw them."""
    return {
        name: LinePlaced(left_mm=line.left_mm, right_mm=line.right_mm)
        for name, line in course.lines.items()
    }


def place_mm(setup: Setup, at: Sequence[float]) -> Point:
    """Return the middle, on the drawing, of a point of the lawn or of a space of the board."""
    unit_mm = sizes_of(setup).tile_mm / 2
    shift = 0.0 if setup.game == LAWN else -0.5
    return ((at[0] + shift) * unit_mm, (at[1] + shift) * unit_mm)


def racked_mm(setup: Setup) -> dict[str, Point]:
    """Return where the rules put each coin before play: the rack in Carroms; empty in other
    games.
    """
    if setup.game != "carroms":
        return {}
    from referee.games.carroms.rack import rack_mm  # other games start without its rules

    return rack_mm(course_of(setup).middle_mm, sizes_of(setup).coin_mm)


def _board_topic(board: topics.Board, sizes: PieceSizes) -> TableTopic:
    return TableTopic(
        edge_mm=[],
        sides=[],
        tiles={},
        lines={},
        rack_mm=[],
        tile_mm=sizes.tile_mm,
        coin_mm=PAWN_SHARE * board.unit_mm,
        board=board,
    )


def _lawn(sizes: PieceSizes) -> topics.Board:
    unit_mm = sizes.tile_mm / 2
    hoops = [
        Spot(name=f"hoop-{number}", at_mm=scale(at, unit_mm))
        for number, (at, _) in enumerate(lawn.HOOPS, start=1)
    ]
    course = [
        CourseStep(place=f"hoop-{number}", heading="n" if way > 0 else "s", label=None)
        for number, (_, way) in enumerate(lawn.HOOPS, start=1)
    ]
    return topics.Board(
        kind="points",
        unit_mm=unit_mm,
        width=lawn.WIDTH,
        height=lawn.HEIGHT,
        hoops=hoops,
        posts=[Spot(name="peg", at_mm=scale(lawn.PEG, unit_mm))],
        starts_mm=[scale(at, unit_mm) for at in lawn.STARTS],
        course=[*course, CourseStep(place="peg", heading=None, label=None)],
    )


def _spaces(setup: Setup) -> topics.Board:
    board: Board = template_board(setup.game) if setup.layout is None else board_from(setup.layout)

    def spots(places: Mapping[Square, str]) -> list[Spot]:
        return [Spot(name=name, at_mm=place_mm(setup, at)) for at, name in places.items()]

    return topics.Board(
        kind="spaces",
        unit_mm=sizes_of(setup).tile_mm / 2,
        width=board.cols,
        height=board.rows,
        hoops=spots(board.wickets),
        posts=spots(board.stakes),
        starts_mm=[place_mm(setup, board.start)],
        course=[
            CourseStep(place=step.place, heading=step.heading, label=step.label)
            for step in board.course
        ],
    )
