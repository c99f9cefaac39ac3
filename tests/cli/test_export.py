"""`referee export`: Portable Piecepack Notation as its parser takes it apart, the table, and the result."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
import yaml

from referee.notation import piece_spec
from tests.cli.records import Run, as_json, runner, written
from tests.record.matches import setup

#: How the notation's parser finds a move's number, a comment, and what kind a move is.
NUMBER = re.compile(r"(?<!\S)[\w.]*\.+(?!\S)(?![^{]*\})")
COMMENT = re.compile(r"(?<!\S)\{[^}]*\}(?!\S)")
PUT = re.compile(r"([^@?*-]+)@\((\d+(?:\.\d+)?),(\d+(?:\.\d+)?)\)")
MOVE = re.compile(r"\?([^@*-]+)-\((\d+(?:\.\d+)?),(\d+(?:\.\d+)?)\)")
GONE = re.compile(r"\*\?([^@-]+)")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


def parsed(text: str) -> tuple[dict[str, object], list[dict[str, tuple[float, float]]], list[str]]:
    """The header, the pieces' places after each move (tiles left out), and the comments; anything else in it fails."""
    lines = text.splitlines()
    assert lines[0] == "---"
    end = lines.index("...")
    movetext = " ".join(lines[end + 1 :])
    numbers = [match.group() for match in NUMBER.finditer(movetext)]
    assert numbers == [f"{n}." for n in range(1, len(numbers) + 1)]
    places: dict[str, tuple[float, float]] = {}
    tables, comments = [], []
    for part in NUMBER.split(movetext)[1:]:
        comments.append(" ".join(COMMENT.findall(part)))
        for token in COMMENT.sub("", part).split():
            _play(token, places)
        tables.append(dict(places))
    return yaml.safe_load("\n".join(lines[1:end])), tables, comments


def _play(token: str, places: dict[str, tuple[float, float]]) -> None:
    if (put := PUT.fullmatch(token)) is not None:
        if put[1].split(",")[0] != "t":
            assert put[1] not in places
            places[put[1]] = (float(put[2]), float(put[3]))
    elif (move := MOVE.fullmatch(token)) is not None:
        assert move[1] in places
        places[move[1]] = (float(move[2]), float(move[3]))
    else:
        gone = GONE.fullmatch(token)
        assert gone is not None, token
        del places[gone[1]]


RESTS = (
    "rest moons 50.8 0 suns 101.6 25.4", "flick moons", "cross moons 1 out", "rest moons 254 -12.7 suns 101.6 25.4",
    "flick moons", "fall moons 600 400", "rest suns 101.6 25.4",
)  # fmt: skip


def test_one_move_for_each_table_at_rest(run: Run, tmp_path: Path) -> None:
    """Half a tile is 25.4 mm; the lowest tile of the template lies 5.5 tile widths, 11 units, below the axis."""
    record = written(tmp_path / "r.jsonl", setup(2), *RESTS)
    header, tables, comments = parsed(run("export", record, "--to", "ppn"))
    assert header["SetUp"] == "None"
    assert tables == [{"cM": (2, 11), "cS": (4, 12)}, {"cM": (10, 10.5), "cS": (4, 12)}, {"cS": (4, 12)}]
    assert comments[1] == "{ Ann passes wicket 1 and earns a flick. }"


def test_no_coordinate_is_negative_and_names_cannot_break_a_comment(run: Run, tmp_path: Path) -> None:
    first = setup(2)
    first["players"][0]["name"] = "A} 7. {nn;"
    record = written(tmp_path / "r.jsonl", first, "rest moons -900 -1000.1 suns -5 -5", *RESTS[1:])
    text = run("export", record, "--to", "ppn")
    assert "(-" not in text and ",-" not in text
    assert len(parsed(text)[1]) == 3


def test_a_rest_without_places_moves_nothing(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), "rest moons 50.8 0", "flick moons", "rest")
    assert parsed(run("export", record, "--to", "ppn"))[1] == [{"cM": (2, 11)}, {"cM": (2, 11)}]


def test_a_record_without_any_rest_is_a_header(run: Run, tmp_path: Path) -> None:
    text = run("export", written(tmp_path / "r.jsonl", setup(2)), "--to", "ppn")
    assert text.startswith("---\n")
    assert text.endswith("\n...\n")


def test_every_piece_has_a_spec_of_its_own() -> None:
    coins = ["moons", "suns", "crowns", "arms", "null", "ace", "2", "3", "4", "5"]
    assert [piece_spec(coin) for coin in coins] == ["cM", "cS", "cC", "cA", "cfn", "cfa", "cf2", "cf3", "cf4", "cf5"]
    carroms = [f"{suit}-{n}" for suit in ("suns", "arms") for n in range(1, 7)]
    assert len({piece_spec(coin) for coin in [*carroms, "moons", "striker"]}) == 14
    assert len({piece_spec(pawn) for pawn in ("black", "red", "blue", "green", "yellow", "orange")}) == 6


def test_the_table_has_a_row_for_each_call_and_standing(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), "flick moons", "cross moons 1 out", "hit moons suns", "rest")
    rows = list(csv.DictReader(io.StringIO(run("export", record, "--to", "csv"))))
    result = as_json(run("export", record, "--to", "json"))
    assert [row["call"] for row in rows if row["table"] == "call"] == [call["call"] for call in result["calls"]]
    standings = [row for row in rows if row["table"] == "standing"]
    assert [(row["player"], row["progress"], row["dead_on"]) for row in standings] == [("Ann", "1", "suns"), ("Ben", "0", "")]


def test_json_is_what_adjudicating_prints(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), "flick moons", "rest")
    assert run("export", record, "--to", "json") == run("adjudicate", record, "--json")


def test_out_writes_a_file(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), *RESTS)
    assert run("export", record, "--to", "ppn", "--out", tmp_path / "m.ppn") == ""
    assert (tmp_path / "m.ppn").read_text(encoding="utf-8") == run("export", record, "--to", "ppn")
    said = run("export", record, "--to", "ppn", "--out", tmp_path / "no" / "m.ppn", status=2)
    assert said == f"{tmp_path / 'no' / 'm.ppn'}: cannot be written: No such file or directory\n"


def test_an_unknown_form_is_one_line(run: Run, tmp_path: Path) -> None:
    assert run("export", tmp_path / "r.jsonl", "--to", "pgn", status=2).count("\n") == 1
