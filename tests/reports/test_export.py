"""`referee export`: Portable Piecepack Notation as its parser reads it, the table, and the
result.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from referee.domain.entry import Entry, Ruling, sizes_of
from referee.domain.incident import AtRest, Renamed
from referee.record.reading import read_record
from referee.replay.adjudication import adjudicate
from referee.replay.fold import fold
from referee.reports.notation import piece_spec
from tests.commands.records import Run, as_json, runner, written
from tests.record.matches import setup
from tests.reports.ppn_reader import Piece, complete, described, read

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
WHOLE = sorted(MATCHES.glob("*/whole-game*.jsonl"))
#: Coins and pawns as the notation has them: kind, side, suit (suns, moons, crowns, arms and two
#: more) and rank, both counted from 1.
SUITS = {"suns": 1, "moons": 2, "crowns": 3, "arms": 4}
PIECES = {
    **{suit: Piece("c", "back", number, 1) for suit, number in SUITS.items()},
    **{
        rank: Piece("c", "face", 1, number)
        for number, rank in enumerate(("null", "ace", "2", "3", "4", "5"), start=1)
    },
    **{
        f"{suit}-{n}": Piece("c", "back", SUITS[suit], n)
        for suit in ("suns", "arms")
        for n in range(1, 7)
    },
    **{
        pawn: Piece("p", "face", number, 1)
        for number, pawn in enumerate(
            ("red", "black", "green", "blue", "yellow", "orange"), start=1
        )
    },
    "striker": Piece("c", "face", 1, 1),
}


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


def by_spec(table: dict[Piece, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """Return a table by the coins' own names."""
    return {
        name: table[PIECES[name]] for name in ("moons", "suns", "arms") if PIECES[name] in table
    }


RESTS = (
    "rest moons 50.8 0 suns 101.6 25.4",
    "flick moons",
    "cross moons 1 out",
    "rest moons 254 -12.7 suns 101.6 25.4",
    "flick moons",
    "fall moons 600 400",
    "rest suns 101.6 25.4",
)


def test_one_move_for_each_table_at_rest(run: Run, tmp_path: Path) -> None:
    """Half a tile is 25.4 mm. The lowest tile of the template is 5.5 tile widths, 11 units, below
    the axis.
    """
    record = written(tmp_path / "r.jsonl", setup(2), *RESTS)
    game = read(run("export", record, "--to", "ppn"))
    assert game.header == {
        "Event": "Tabletop Croquet",
        "Players": {"Ann": "moons", "Ben": "suns"},
        "SetUp": "None",
    }
    tables = [by_spec(table) for table in game.tables]
    assert tables == [
        {"moons": (2, 11), "suns": (4, 12)},
        {"moons": (10, 10.5), "suns": (4, 12)},
        {"suns": (4, 12)},
    ]
    assert game.comments[1] == "Ann passes wicket 1 and earns a flick."
    assert len(game.tiles) == 2 * 3 + 9 * 2


NAMES = [
    "A} 7. {nn;",
    "...",
    "---",
    "null",
    "yes",
    "3.",
    ".",
    "a\nb",
    "- x",
    "a: b",
    "#c",
    "{a,b}",
    "a{1..3}b",
    "1. e4 2.",
    "\\t",
    "Zo\u00eb",
    "?cM-(1,2)",
    "x" * 80,
]


@pytest.mark.parametrize("name", NAMES)
def test_no_coordinate_is_negative_and_names_cannot_break_anything(
    run: Run, tmp_path: Path, name: str
) -> None:
    first = setup(2)
    first["players"][0]["name"] = name
    record = written(tmp_path / "r.jsonl", first, "rest moons -900 -1000.1 suns -5 -5", *RESTS[1:])
    text = run("export", record, "--to", "ppn")
    assert "(-" not in text and ",-" not in text
    game = read(text)
    assert len(game.tables) == 3
    assert game.header["Players"] == {name: "moons", "Ben": "suns"}


def test_a_name_that_some_take_for_a_number_is_quoted(run: Run, tmp_path: Path) -> None:
    first = setup(2)
    first["players"][0]["name"] = "."
    assert '  ".": moons\n' in run(
        "export", written(tmp_path / "r.jsonl", first, *RESTS), "--to", "ppn"
    )


SAMPLE = [*WHOLE, *sorted(set(MATCHES.glob("*/*.jsonl")) - {*WHOLE})[::9]]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_game_is_read_by_the_grammar(run: Run, path: Path) -> None:
    """The players are those of the valid setup, also where a ruling has corrected it."""
    setup_ = fold(read_record(path)).setup
    game = read(run("export", path, "--to", "ppn"))
    assert list(game.header) == ["Event", "Players", "SetUp"]
    assert list(game.header["Players"]) == [player.name for player in setup_.players]


def last_rest(entries: tuple[Entry, ...]) -> dict[str, tuple[float, float]]:
    """Return where the rest that ends the record shows the coins, in units of half a tile. Empty
    where rulings or names changed it.
    """
    last = entries[-1]
    if not isinstance(last, AtRest) or any(
        isinstance(entry, Ruling | Renamed) for entry in entries
    ):
        return {}
    unit_mm = sizes_of(entries[0]).tile_mm / 2
    return {coin: (x / unit_mm, y / unit_mm) for coin, (x, y) in last.coins.items()}


SEEN = [path for path in sorted(MATCHES.glob("*/*.jsonl")) if last_rest(read_record(path))]


@pytest.mark.parametrize("path", SEEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_coin_lies_where_the_record_last_saw_it(run: Run, path: Path) -> None:
    """Read by the notation's rules, each piece is the intended one and lies where it was last seen.
    All are shifted by whole units.
    """
    entries = read_record(path)
    game, seen = read(run("export", path, "--to", "ppn")), last_rest(entries)
    if (
        adjudicate(entries).status == "question"
    ):  # the replay, and the notation with it, ends before
        return
    assert set(game.tables[-1]) == {PIECES[piece] for piece in seen}
    shifts = {
        tuple(
            round(there - here, 2)
            for there, here in zip(game.tables[-1][PIECES[piece]], at, strict=True)
        )
        for piece, at in seen.items()
    }
    assert len(shifts) == 1 and all(part == int(part) >= 0 for part in shifts.pop())


def test_the_games_on_a_table_are_among_those_looked_at() -> None:
    assert {path.parent.name for path in SEEN} == {
        "tabletop-croquet",
        "castle-croquetnole",
        "carroms",
    }
    assert len(SEEN) > 20


def test_the_lawn_of_croquet_for_piecepack_is_laid(run: Run) -> None:
    game = read(run("export", MATCHES / "piecepack-croquet" / "whole-game.jsonl", "--to", "ppn"))
    assert sorted(game.tiles) == [(x, y) for x in (1, 3, 5, 7) for y in (1, 3, 5, 7, 9, 11)]


def test_a_rest_without_places_moves_nothing(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), "rest moons 50.8 0", "flick moons", "rest")
    assert [by_spec(table) for table in read(run("export", record, "--to", "ppn")).tables] == [
        {"moons": (2, 11)},
        {"moons": (2, 11)},
    ]


def test_a_record_without_any_rest_is_a_header(run: Run, tmp_path: Path) -> None:
    text = run("export", written(tmp_path / "r.jsonl", setup(2)), "--to", "ppn")
    assert text.startswith("---\n")
    assert text.endswith("\n...\n")


def test_every_piece_has_a_spec_of_its_own() -> None:
    coins = ["moons", "suns", "crowns", "arms", "null", "ace", "2", "3", "4", "5"]
    assert [piece_spec(coin) for coin in coins] == [
        "cM",
        "cS",
        "cC",
        "cA",
        "cfn",
        "cfa",
        "cf2",
        "cf3",
        "cf4",
        "cf5",
    ]
    carroms = [f"{suit}-{n}" for suit in ("suns", "arms") for n in range(1, 7)]
    assert len({piece_spec(coin) for coin in [*carroms, "moons", "striker"]}) == 14
    assert (
        len({piece_spec(pawn) for pawn in ("black", "red", "blue", "green", "yellow", "orange")})
        == 6
    )
    assert {name: complete(described(piece_spec(name))) for name in PIECES} == PIECES


def test_the_table_has_a_row_for_each_call_and_standing(run: Run, tmp_path: Path) -> None:
    record = written(
        tmp_path / "r.jsonl", setup(2), "flick moons", "cross moons 1 out", "hit moons suns", "rest"
    )
    rows = list(csv.DictReader(io.StringIO(run("export", record, "--to", "csv"))))
    result = as_json(run("export", record, "--to", "json"))
    assert [row["call"] for row in rows if row["table"] == "call"] == [
        call["call"] for call in result["calls"]
    ]
    standings = [row for row in rows if row["table"] == "standing"]
    assert [(row["player"], row["progress"], row["dead_on"]) for row in standings] == [
        ("Ann", "1", "suns"),
        ("Ben", "0", ""),
    ]


def test_json_is_what_adjudicating_prints(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), "flick moons", "rest")
    assert run("export", record, "--to", "json") == run("adjudicate", record, "--json")


def test_out_writes_a_file(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), *RESTS)
    assert run("export", record, "--to", "ppn", "--out", tmp_path / "m.ppn") == ""
    assert (tmp_path / "m.ppn").read_text(encoding="utf-8") == run("export", record, "--to", "ppn")
    said = run("export", record, "--to", "ppn", "--out", tmp_path / "no" / "m.ppn", status=2)
    assert said == f"{tmp_path / 'no' / 'm.ppn'}: cannot be written: No such file or directory\n"


def test_the_record_itself_is_never_written_over(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), *RESTS)
    before = record.read_bytes()
    said = run("export", record, "--to", "csv", "--out", tmp_path / "." / "r.jsonl", status=2)
    assert said == f"{record}: is the record itself, which this command never replaces\n"
    assert record.read_bytes() == before


def test_an_unknown_form_is_one_line(run: Run, tmp_path: Path) -> None:
    assert run("export", tmp_path / "r.jsonl", "--to", "pgn", status=2).count("\n") == 1
