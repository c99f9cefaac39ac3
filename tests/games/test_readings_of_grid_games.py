"""What `referee rules` shows of the games without flicks is what is played: the course, the start,
the readings.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.games.piecepack_croquet.lawn import HOOPS, PEG, STARTS
from referee.games.wickets.board import template_board
from referee.reports.rule_book import rulebook_of

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
WAYS = {1: "upwards", -1: "downwards"}
HEADINGS = {"n": "to the north", "s": "to the south"}


def test_the_lawns_course_is_told() -> None:
    *hoops, peg = rulebook_of("piecepack-croquet").course
    assert len(hoops) == len(HOOPS)
    for number, (told, (at, way)) in enumerate(zip(hoops, HOOPS, strict=True), start=1):
        assert told.startswith(f"hoop {number}: ")
        assert told.endswith(f" at {at}, {WAYS[way]}")
    assert str(PEG) in peg
    assert all(str(at) in rulebook_of("piecepack-croquet").turn for at in STARTS)


@pytest.mark.parametrize("game", ["wickets-six", "wickets-nine"])
def test_the_boards_course_is_told(game: str) -> None:
    board, told = template_board(game), rulebook_of(game)
    spaces = {name: space for space, name in (*board.wickets.items(), *board.stakes.items())}
    assert len(told.course) == len(board.course)
    for text, step in zip(told.course, board.course, strict=True):
        assert f"{step.place.replace('-', ' ')} at {spaces[step.place]}" in text
        assert step.heading is None or text.endswith(HEADINGS[step.heading])
        assert step.label is None or text.startswith(f"{step.label}: ")
    assert str(board.start) in told.turn


@pytest.mark.parametrize("game", ["piecepack-croquet", "wickets-six", "wickets-nine"])
def test_the_readings_that_scripted_turns_name_are_told(game: str) -> None:
    told = {one.name for one in rulebook_of(game).readings}
    told |= {
        f"{name.split('-')[0]}-{number}"
        for name in told
        if "/" in name
        for number in name.split("-")[1].split("/")
    }
    named = {
        json.loads(path.read_text(encoding="utf-8")).get("reading", "")
        for path in (MATCHES / game).glob("*.expected.json")
    }
    assert {name for name in named if name} <= told
