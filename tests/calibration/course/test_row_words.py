"""What the survey says about the walls of Carroms."""

import re
from dataclasses import replace

from calibration.course.course_words import course_warnings
from calibration.course.misplaced_tiles import misfit
from calibration.course.missing_tiles import whole_course
from referee.domain.layout import Tile, template_course

BOARD = template_course("carroms", 50.8)


def without(*names: str) -> dict[str, Tile]:
    return {name: tile for name, tile in BOARD.tiles.items() if name not in names}


def test_walls_and_their_tiles_are_told_in_words() -> None:
    """The tiles of the south wall lie in a row from west to east, so that one pushed to the north
    lies out of it. Without its first tile, the place of that follows from the others.
    """
    x, y = BOARD.tiles["wall-s-3"].centre_mm
    pushed = BOARD.with_tile("wall-s-3", replace(BOARD.tiles["wall-s-3"], centre_mm=(x, y + 12.0)))
    (told,) = course_warnings(pushed, BOARD, [*BOARD.tiles])
    assert re.fullmatch(r"tile 3 of the south wall lies 1\d mm out of its row", told)
    _, (hidden,) = whole_course(without("wall-n-1"), BOARD)
    assert hidden.startswith("tile 1 of the north wall was not seen: its place follows from the")
    assert "from the other tiles of the north wall;" in hidden
    lost = without(*(f"wall-s-{number}" for number in range(1, 7)))
    refused = misfit(lost, BOARD, [])
    assert refused is not None and "the course does not fit: the south wall is missing" in refused
    four = misfit(without(*(f"wall-e-{number}" for number in range(1, 5))), BOARD, [])
    assert four is not None and "only 2 of the 6 tiles of the east wall are seen" in four
