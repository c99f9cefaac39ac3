"""`referee adjudicate`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.commands.adjudicate import adjudicate
from tests.record.matches import setup, text_of

LINES = ("flick moons", "cross moons 1 out", "rest", "flick moons", "rest")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record.jsonl"
    path.write_bytes(text_of(setup(2), *LINES))
    return path


def test_json_has_the_fields_of_the_format(record: Path) -> None:
    shown = json.loads(CliRunner().invoke(adjudicate, [str(record), "--json"]).stdout)
    assert {
        "game",
        "status",
        "turn",
        "winner",
        "standings",
        "calls",
        "questions",
        "irregularities",
    } <= set(shown)
    assert shown["game"] == "tabletop-croquet"
    assert shown["status"] == "in_progress"
    assert {"player": "Ben", "coin": "suns", "flicks_left": 1}.items() <= shown["turn"].items()
    assert shown["standings"][0] == {
        "player": "Ann",
        "coin": "moons",
        "progress": 1,
        "next": "wicket-2",
        "state": "playing",
        "dead_on": [],
    }
    scored = next(call for call in shown["calls"] if call["call"] == "wicket_scored")
    assert scored == {
        "on": "i2",
        "call": "wicket_scored",
        "player": "Ann",
        "coin": "moons",
        "place": "wicket-1",
        "flicks": 1,
        "rule": "Player turns",
        "text": "Ann passes wicket 1 and earns a flick.",
    }


def test_at_shows_the_state_right_after_an_entry(record: Path) -> None:
    shown = json.loads(CliRunner().invoke(adjudicate, [str(record), "--json", "--at", "i2"]).stdout)
    assert (shown["turn"]["coin"], shown["turn"]["flicks_left"]) == ("moons", 1)
    shown = json.loads(
        CliRunner().invoke(adjudicate, [str(record), "--json", "--at", "setup"]).stdout
    )
    assert shown["standings"][0]["progress"] == 0


def test_at_has_all_rulings_applied(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes(text_of(setup(2), *LINES[:3], "overturned i2"))
    shown = json.loads(CliRunner().invoke(adjudicate, [str(path), "--json", "--at", "i2"]).stdout)
    assert (shown["turn"]["flicks_left"], shown["standings"][0]["progress"]) == (0, 0)


def test_readable_by_default(record: Path) -> None:
    shown = CliRunner().invoke(adjudicate, [str(record)]).stdout
    assert "Ben's turn" in shown
    assert "Ann passes wicket 1 and earns a flick." in shown
    assert "Player turns" in shown


@pytest.mark.parametrize("arguments", [["--at", "i99"], []])
def test_bad_input_ends_with_status_2_and_one_line(tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes(
        text_of(setup(2), *LINES) + (b"" if arguments else b'{"entry":"incident","kind":"flown"}\n')
    )
    result = CliRunner().invoke(adjudicate, [str(path), *arguments])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


def test_starts_at_once_without_the_vision_libraries(record: Path) -> None:
    heavy = ("cv2", "numpy", "scipy", "av", "flask")
    code = (
        f"import sys; sys.argv = ['referee', {str(record)!r}, '--json']; from"
        " referee.commands.adjudicate import adjudicate\n"
    )
    code += (
        f"try: adjudicate()\nfinally: print([name for name in {heavy!r} if name in sys.modules],"
        " file=sys.stderr)"
    )
    begun = time.perf_counter()
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    assert result.stderr.strip() == "[]"
    assert time.perf_counter() - begun < 5.0
