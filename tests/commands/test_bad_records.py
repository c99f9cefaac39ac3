"""Records that cannot be read: one plain line with file, line and field, status 2, nothing printed
and nothing changed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.reports.rule_book import GAMES
from tests.commands.records import Run, runner
from tests.record.matches import line, setup, text_of

SETUP = setup(2)
FLICK = line("flick moons")
RULING = {"entry": "ruling", "verdict": "added", "after": "setup"}


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


def rows(*entries: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


ANOTHER_CODE = (
    json.dumps(
        {**SETUP, "players": [{"name": "Zoe", "coin": "moons"}, {"name": "Ben", "coin": "suns"}]}
    )
    .encode()
    .replace(b"Zoe", b"Zo\xeb")
)
BYTES = [
    (b"", "line 1: entry: the record is empty"),
    (b"\n \n", "line 1: entry: the record is empty"),
    (
        b"\xef\xbb\xbf" + rows(SETUP),
        "line 1: json: begins with a byte order mark: it must be UTF-8 without one",
    ),
    (
        json.dumps(SETUP).encode("utf-16"),
        "line 1: json: begins with a byte order mark: it must be UTF-8 without one",
    ),
    (
        ANOTHER_CODE + b"\n",
        f"line 1: json: is not UTF-8 text (byte {ANOTHER_CODE.index(0xEB)} of the line)",
    ),
    (
        rows(SETUP)
        + b'{"entry":"incident","kind":"unseen","x":'
        + b"[" * 100_000
        + b"]" * 100_000
        + b"}\n",
        "line 2: json: is nested too deeply",
    ),
    (rows(SETUP, FLICK)[:-9], "line 2: json: the record is cut off in the middle of its last line"),
    (rows(SETUP) + b"null\n", "line 2: entry: must be an object in braces, but is null"),
    (rows(FLICK), "line 1: entry: is 'incident', but a record must start with its setup"),
]
FIELDS = [
    (
        {**SETUP, "game": "chess"},
        None,
        f"line 1: game: is 'chess', but must be {' or '.join(GAMES)}",
    ),
    ({**SETUP, "players": {}}, None, "line 1: players: must be a list, but is an object in braces"),
    ({**SETUP, "tile_mm": 0}, None, "line 1: tile_mm: must be more than 0"),
    ({**SETUP, "layout": {}}, None, "line 1: layout.tiles: is missing"),
    (
        {**SETUP, "layout": {"tiles": {"left-endpost": {"rotation_deg": 0}}}},
        None,
        "line 1: layout.tiles.left-endpost.centre_mm: is missing",
    ),
    (
        {**SETUP, "layout": {"tiles": {"left-endpost": 3}}},
        None,
        "line 1: layout.tiles.left-endpost: must be an object in braces, but is a whole number",
    ),
    (SETUP, {**FLICK, "coin": 3}, "line 2: coin: must be text, but is a whole number"),
    (SETUP, {**FLICK, "t_s": "1"}, "line 2: t_s: must be a number or null, but is text"),
    (SETUP, {**FLICK, "touching": "suns"}, "line 2: touching: must be a list, but is text"),
    (SETUP, {**FLICK, "probability": 1.5}, "line 2: probability: must be at most 1"),
    (SETUP, {**FLICK, "sigma_mm": -1}, "line 2: sigma_mm: must be at least 0"),
    (SETUP, {**FLICK, "id": "setup"}, "line 2: id: 'setup' is already the id of an earlier entry"),
    (SETUP, line("place moons 1"), "line 2: at_mm: must be a list of 2 values"),
    (SETUP, line("after_hit 5 suns"), "line 2: option: is 5, but must be 1 or 2 or 3 or 4"),
    (SETUP, line("overturned i9"), "line 2: on: there is no entry 'i9' before this one"),
    (
        SETUP,
        {**RULING, "verdict": "cancelled"},
        (
            "line 2: verdict: is 'cancelled', but must be upheld or overturned or replaced or added"
            " or before"
        ),
    ),
    (
        SETUP,
        {**RULING, "replacement": {**FLICK, "coin": 7}},
        "line 2: replacement.coin: must be text, but is a whole number",
    ),
]


@pytest.mark.parametrize(
    ("content", "said"),
    [*BYTES, *((rows(*filter(None, pair)), said) for *pair, said in FIELDS)],
    ids=lambda value: str(value)[:60],
)
def test_what_cannot_be_read_is_one_line(
    run: Run, tmp_path: Path, content: bytes, said: str
) -> None:
    record = tmp_path / "r.jsonl"
    record.write_bytes(content)
    assert run("adjudicate", record, status=2) == f"{record}: {said}\n"


@pytest.mark.parametrize(
    "words",
    [
        ("adjudicate", "--json"),
        ("adjudicate", "--explain", "i1"),
        ("rule", "i1", "--overturn", "--by", "A", "--reason", "b"),
        ("what-if", "--option", "poison=true"),
        ("check",),
        ("export", "--to", "ppn"),
        ("export", "--to", "csv"),
        ("export", "--to", "json"),
    ],
    ids=" ".join,
)
def test_every_command_refuses_alike_and_changes_nothing(
    run: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:
    record = tmp_path / "r.jsonl"
    record.write_bytes(text_of(SETUP, "flick moons", "flick gold"))
    before = record.read_bytes()
    assert (
        run(words[0], record, *words[1:], status=2)
        == f"{record}: line 3: coin: 'gold' is not a coin of tabletop-croquet\n"
    )
    assert record.read_bytes() == before
    assert list(tmp_path.iterdir()) == [record]


def test_windows_line_ends_and_a_last_line_without_one_are_read(run: Run, tmp_path: Path) -> None:
    record, other = tmp_path / "r.jsonl", tmp_path / "other.jsonl"
    record.write_bytes(text_of(SETUP, "flick moons", "rest").replace(b"\n", b"\r\n"))
    other.write_bytes(text_of(SETUP, "flick moons", "rest").rstrip(b"\n"))
    assert run("adjudicate", record, "--json") == run("adjudicate", other, "--json")
    run("rule", other, "i1", "--uphold", "--by", "A", "--reason", "b")
    assert other.read_bytes().count(b"\n") == 4


def test_a_folder_is_no_record(run: Run, tmp_path: Path) -> None:
    assert run("adjudicate", tmp_path, status=2) == f"{tmp_path}: cannot be read: Is a directory\n"
