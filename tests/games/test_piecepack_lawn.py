"""The lawn of Croquet for piecepack, as the rules text describes it."""

from __future__ import annotations

from importlib import resources

import yaml

from referee.games.piecepack_croquet.lawn import EDGE, HEIGHT, HOOPS, PEG, STARTS, WIDTH

LAYOUT = yaml.safe_load(
    resources.files("referee")
    .joinpath("layouts", "piecepack-croquet.yaml")
    .read_text(encoding="utf-8")
)


def test_the_lawn_has_nine_by_thirteen_intersections() -> None:
    """Four by six tiles, each two squares wide."""
    assert (WIDTH + 1, HEIGHT + 1) == (9, 13)
    assert len(EDGE) == len(set(EDGE)) == 2 * (8 + 12)


def test_hoops_stand_where_the_interior_tiles_end() -> None:
    """The four coins are on the corners of the inner 2 by 4 tiles, clockwise black, red, blue,
    green. The dice are on the three intersections in the middle.
    """
    assert [at for at, _ in HOOPS] == [(2, 2), (2, 10), (6, 10), (6, 2), (4, 4), (4, 8)]
    assert [way for _, way in HOOPS] == [1, 1, -1, -1, 1, 1]
    assert PEG == (4, 6)


def test_balls_enter_two_squares_below_hoop_1_or_beside() -> None:
    assert STARTS == ((1, 0), (2, 0), (3, 0))


def test_the_tiles_cover_the_lawn() -> None:
    tiles = {tuple(at) for at in LAYOUT["tiles"]}
    assert tiles == {(x, y) for x in range(1, WIDTH, 2) for y in range(1, HEIGHT, 2)}
