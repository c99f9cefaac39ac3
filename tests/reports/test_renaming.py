"""A renamed player is one line of difference in every game: nothing else of the match changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import astuple, replace

from referee.domain.entry import Ruling, Setup
from referee.record.reading import read_record
from referee.reports.difference import difference_by_ruling

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
GAMES = ("tabletop-croquet", "castle-croquetnole", "carroms", "piecepack-croquet", "wickets-six")


@pytest.mark.parametrize("game", GAMES)
def test_a_renamed_player_is_one_line_of_difference(game: str) -> None:
    first, *entries = read_record(MATCHES / game / "whole-game.jsonl")
    assert isinstance(first, Setup) and first.players[0].name == "Ann"
    renamed = replace(first, players=(replace(first.players[0], name="Anna"), *first.players[1:]))
    ruling = Ruling(id="r", on="setup", verdict="replaced", replacement=renamed)
    made = difference_by_ruling([first, *entries], ruling)
    assert [astuple(line) for line in made.told] == [("Anna", "name", "Ann", "Anna")]
    assert not (made.calls_gone or made.calls_new or made.irregularities_new or made.questions_new)
