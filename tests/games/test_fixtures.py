"""Every scripted turn in fixtures/matches: a record beside the standings that the rules give,
worked out by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.record.reading import read_record
from referee.replay.adjudication import Adjudication, adjudicate
from tests.record.matches import asked, calls, odd, progress, turn

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
CASES = sorted(MATCHES.glob("*/*.expected.json"))

FOUND: dict[str, Callable[[Adjudication], Any]] = {
    "turn": lambda result: list(turn(result)),
    "progress": progress,
    "next": lambda result: [row["next"] for row in result.standings],
    "states": lambda result: [row["state"] for row in result.standings],
    "dead": lambda result: next(
        row["dead_on"] for row in result.standings if row["coin"] == result.turn["coin"]
    ),
    "challenges": lambda result: [row.get("challenges_left") for row in result.standings],
    "calls": lambda result: [list(call) for call in calls(result)],
    "no_effect_by": lambda result: [
        [call.on, call.rule] for call in result.calls if call.call == "no_effect"
    ],
    "asked": lambda result: [list(question) for question in asked(result)],
    "odd": lambda result: [list(one) for one in odd(result)],
    "says": lambda result: [[one.on, one.text] for one in result.irregularities],
    "status": lambda result: result.status,
    "winner": lambda result: result.winner,
}


def test_there_are_cases() -> None:
    assert len(CASES) > 150


@pytest.mark.parametrize(
    "expected", CASES, ids=lambda path: path.name.removesuffix(".expected.json")
)
def test_match_comes_to_what_the_sentence_says(expected: Path) -> None:
    case = json.loads(expected.read_text(encoding="utf-8"))
    result = adjudicate(
        read_record(expected.with_name(expected.name.replace(".expected.json", ".jsonl")))
    )
    found = {
        name: FOUND[name](result) if name in FOUND else fields_of(result, name, wanted)
        for name, wanted in case["expect"].items()
    }
    assert found == case["expect"], case["sentence"]


def fields_of(result: Adjudication, name: str, wanted: Any) -> Any:
    """Return the wanted fields of every standing, or of the turn. Each game uses its own names."""
    if name == "standings":
        assert len(result.standings) == len(wanted)
        return [
            {field: row.get(field) for field in row_wanted}
            for row, row_wanted in zip(result.standings, wanted, strict=True)
        ]
    assert name == "turn_has", f"nobody knows how to look for {name!r}"
    return {field: result.turn.get(field) for field in wanted}


@pytest.mark.parametrize("path", sorted(MATCHES.glob("*/*.jsonl")), ids=lambda path: path.stem)
def test_no_record_is_without_its_expectation(path: Path) -> None:
    assert path.with_name(f"{path.stem}.expected.json").exists()


@pytest.mark.parametrize("game", ["piecepack-croquet", "wickets-six"])
def test_calls_of_grid_games_name_the_ball_in_coin_and_in_pawn(game: str) -> None:
    calls = adjudicate(read_record(MATCHES / game / "whole-game.jsonl")).as_json()["calls"]
    named = [call for call in calls if "coin" in call]
    assert named
    assert [call["pawn"] for call in named] == [call["coin"] for call in named]
