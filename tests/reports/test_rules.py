"""`referee rules` lists exactly what the reader knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.games.words import words_of
from referee.reports.rule_book import GAMES, rulebook_of
from tests.commands.records import Run, as_json, runner

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_course_options_and_readings(run: Run, game: str) -> None:
    book = as_json(run("rules", game, "--json"))
    assert book["course"]
    assert book["readings"]
    assert {name: option["default"] for name, option in book["options"].items()} == {
        name: list(option.default) if isinstance(option.default, tuple) else option.default
        for name, option in words_of(game).options.items()
    }
    shown = " ".join(run("rules", game).split())
    assert book["title"] in shown
    assert all(name in shown for name in book["options"])


def test_the_readings_that_scripted_turns_name_are_told() -> None:
    told = {one.name for one in rulebook_of("tabletop-croquet").readings}
    named = {
        json.loads(path.read_text(encoding="utf-8"))["reading"]
        for path in MATCHES.glob("tabletop-croquet/*.expected.json")
    }
    assert len(named) > 10
    assert named - {""} <= told


def test_what_games_share_is_told_with_each(run: Run) -> None:
    """Conceding is the same everywhere. Tiles and coin widths matter only where coins are
    flicked.
    """
    shared = {
        game: {one["id"] for one in as_json(run("rules", game, "--json"))["common"]}
        for game in GAMES
    }
    assert all({"conceding", "too-close", "challenges"} <= told for told in shared.values())
    assert {game for game, told in shared.items() if "coin-width" in told} == {
        "tabletop-croquet",
        "castle-croquetnole",
        "carroms",
    }
    assert "The last player or team left wins" in " ".join(
        run("rules", "carroms").replace("│", " ").split()
    )


def test_the_options_of_tabletop_croquet_as_people_read_them(run: Run) -> None:
    shown = " ".join(run("rules", "tabletop-croquet").split())
    assert "knocked_endposts_count" in shown
    assert (
        as_json(run("rules", "tabletop-croquet", "--json"))["options"]["wicket_credit"]["allowed"]
        == "crossing or rest"
    )


def test_an_unknown_game_is_one_line(run: Run) -> None:
    assert run("rules", "chess", status=2).count("\n") == 1
