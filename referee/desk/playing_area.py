"""The playing area as the pages draw it: a course of tiles on a table, or a board of points or
spaces.

Everything is in millimetres of the table frame (x right, y up). The point or space of a pawn is
given by its middle, so the pages draw every game in the same way. The board of Wickets has no size
of its own: its spaces are drawn half a tile wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from referee.desk import topics
from referee.desk.game_topics import Square
from referee.desk.topics import CourseStep, LinePlaced, Spot, TableTopic, TilePlaced
from referee.domain.entry import Setup, course_of, sizes_of
from referee.domain.geometry import Point, add, cross, distance, scale, square_corners, subtract
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.games.carroms.rack import rack_mm
from referee.games.piecepack_croquet import lawn
from referee.games.piecepack_croquet.state import GAME as LAWN
from referee.games.wickets.board import Board, board_from, template_board
from referee.games.words import BOARD_GAMES

#: The two lines of tiles between which each pocket of Carroms opens.
POCKETS: Final = {
    "pocket-ne": ("wall-e", "wall-n"),
    "pocket-nw": ("wall-n", "wall-w"),
    "pocket-sw": ("wall-w", "wall-s"),
    "pocket-se": ("wall-s", "wall-e"),
}
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
    lines = lines_of(course) | {
        name: LinePlaced(left_mm=left, right_mm=right)
        for name, (left, right) in (*_gates(course), *_mouths(course))
    }
    return TableTopic(
        edge_mm=list(setup.table_edge_mm or ()),
        sides=[],
        tiles=tiles_of(course),
        lines=lines,
        rack_mm=list(racked_mm(setup).values()),
        tile_mm=sizes.tile_mm,
        coin_mm=sizes.coin_mm,
    )


def tiles_of(course: Course) -> dict[str, TilePlaced]:
    """Return the tiles as the pages draw them."""
    return msgspec.convert(course.as_layout()["tiles"], dict[str, TilePlaced])


def lines_of(course: Course) -> dict[str, LinePlaced]:
    """Return the wickets' lines as the pages draw them."""
    return {
        name: LinePlaced(left_mm=line.left_mm, right_mm=line.right_mm)
        for name, line in course.lines.items()
    }


def place_mm(setup: Setup, at: Sequence[float]) -> Point:
    """Return where the middle of a point of the lawn, or of a space of the board, is on the
    drawing.
    """
    unit_mm = sizes_of(setup).tile_mm / 2
    shift = 0.0 if setup.game == LAWN else -0.5
    return ((at[0] + shift) * unit_mm, (at[1] + shift) * unit_mm)


def racked_mm(setup: Setup) -> dict[str, Point]:
    """Return where the rules put each coin before play: the rack in Carroms, nothing elsewhere."""
    if setup.game != "carroms":
        return {}
    return rack_mm(course_of(setup).middle_mm, sizes_of(setup).coin_mm)


def _gates(course: Course) -> Iterable[tuple[str, tuple[Point, Point]]]:
    """Yield the castles' gates, each between the two gateposts nearest to its tower. The ends are
    left and right for a coin that goes out of the castle.
    """
    posts = [tile for name, tile in course.tiles.items() if name.startswith("gatepost-")]
    for name, tower in course.tiles.items():
        if name.startswith("tower-") and len(posts) >= 2:
            by_distance = sorted(
                (distance(post.centre_mm, tower.centre_mm), i) for i, post in enumerate(posts)
            )
            one, other = (posts[i] for _, i in by_distance[:2])
            yield name.replace("tower-", "gate-"), _gate(tower, one, other, course.tile_mm)


def _gate(tower: Tile, one: Tile, other: Tile, tile_mm: float) -> tuple[Point, Point]:
    along = subtract(other.centre_mm, one.centre_mm)
    inset = scale(along, tile_mm / 2 / (distance(one.centre_mm, other.centre_mm) or 1.0))
    first, second = add(one.centre_mm, inset), subtract(other.centre_mm, inset)
    outwards = subtract(scale(add(first, second), 0.5), tower.centre_mm)
    return (first, second) if cross(outwards, subtract(first, second)) > 0 else (second, first)


def _mouths(course: Course) -> Iterable[tuple[str, tuple[Point, Point]]]:
    """Yield the mouths of the pockets in Carroms. A mouth goes from inside corner to inside corner
    where two lines of tiles come nearest to each other.
    """
    corners: dict[str, list[Point]] = {}
    for name, tile in course.tiles.items():
        wall = name.rpartition("-")[0]
        corners.setdefault(wall, []).extend(
            square_corners(tile.centre_mm, course.tile_mm, tile.rotation_deg)
        )
    for pocket, walls in POCKETS.items():
        if all(wall in corners for wall in walls):
            yield (
                pocket,
                min(
                    ((one, other) for one in corners[walls[0]] for other in corners[walls[1]]),
                    key=lambda ends: distance(*ends),
                ),
            )


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
