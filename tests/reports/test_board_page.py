"""The printable board of Wickets: every space, wicket and stake and the start, where the rules have
them.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.games.wickets.board import template_board
from referee.reports.board_page import HIGHEST_MM, WIDEST_MM, middle_mm, space_mm
from tests.commands.records import Run, runner

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


@pytest.mark.parametrize(
    ("game", "wickets", "passed"),
    [("wickets-six", 6, ["1A ▲", "2B ▼"]), ("wickets-nine", 9, ["1. ▲", "15. ▼"])],
)
def test_the_board_is_written(
    run: Run, tmp_path: Path, game: str, wickets: int, passed: list[str]
) -> None:
    run("rules", game, "--board", tmp_path / "board.svg")
    page = ElementTree.parse(tmp_path / "board.svg").getroot()
    board = template_board(game)
    squares = [(rect.get("x"), rect.get("y"), rect.get("fill")) for rect in page.iter(f"{SVG}rect")]
    assert len({square[:2] for square in squares}) == board.cols * board.rows
    assert len([square for square in squares if square[2] == "#ffd84d"]) == wickets
    words = [text.text for text in page.iter(f"{SVG}text")]
    assert "★" in words
    assert {"wicket 1", *passed} <= set(words)


@pytest.mark.parametrize("game", ["wickets-six", "wickets-nine"])
def test_it_fits_a_page_and_rows_go_upwards(game: str) -> None:
    board = template_board(game)
    side = space_mm(board)
    assert board.cols * side <= WIDEST_MM
    assert board.rows * side <= HIGHEST_MM
    (x, y), (right, above) = middle_mm(board, (1, 1), side), middle_mm(board, (2, 2), side)
    assert (right - x, y - above) == pytest.approx((side, side))


def test_the_board_takes_the_place_of_no_other_kind_of_file(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    record.write_text("{}\n")
    error = run("rules", "wickets-six", "--board", record, status=2)
    assert f"--board: {record} is not the name of an SVG file; try record.svg" in error
    assert error.count("\n") == 1
    assert record.read_text() == "{}\n"


def test_a_game_on_tiles_has_no_board(run: Run, tmp_path: Path) -> None:
    run("rules", "carroms", "--board", tmp_path / "board.svg", status=2)
    assert not (tmp_path / "board.svg").exists()
