"""`referee rule` and `referee what-if`: what they write, and the difference that they print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.games.words import words_of
from referee.record.reading import read_record
from tests.commands.records import Run, as_json, runner, written
from tests.record.matches import setup

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
BY = ("--by", "Ann", "--reason", "clip shows 2 mm short")
LINES = ("flick moons", "cross moons 1 out", "rest", "flick moons", "rest", "flick suns", "rest")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Ann passes wicket 1 and flicks again; then Ben flicks."""
    return written(tmp_path / "record.jsonl", setup(2), *LINES)


def test_a_ruling_is_appended_as_it_was_given(run: Run, record: Path) -> None:
    before = record.read_bytes()
    run("rule", record, "i2", "--overturn", *BY)
    assert record.read_bytes().startswith(before)
    added = json.loads(record.read_bytes()[len(before) :])
    assert added == {
        "entry": "ruling",
        "id": "r9",
        "on": "i2",
        "verdict": "overturned",
        "by": "Ann",
        "reason": "clip shows 2 mm short",
    }
    assert len(read_record(record)) == 9


def test_a_dry_run_writes_nothing_and_prints_the_same_difference(run: Run, record: Path) -> None:
    before = record.read_bytes()
    tried = as_json(run("rule", record, "i2", "--overturn", *BY, "--dry-run", "--json"))
    assert record.read_bytes() == before
    done = as_json(run("rule", record, "i2", "--overturn", *BY, "--json"))
    assert (tried.pop("written"), done.pop("written")) == (False, True)
    assert tried == done


def test_the_difference_has_score_turn_and_the_flick_nobody_had_a_right_to(
    run: Run, record: Path
) -> None:
    """Without the wicket Ann earns nothing. Her second flick (i4) is then one too many, and the
    referee asks about it.
    """
    found = as_json(run("rule", record, "i2", "--overturn", *BY, "--dry-run", "--json"))
    changes = {
        (change["of"], change["player"], change["field"]): (change["before"], change["after"])
        for change in found["changes"]
    }
    assert changes["standing", "Ann", "progress"] == (1, 0)
    assert changes["standing", "Ann", "next"] == ("wicket-2", "wicket-1")
    assert [call["call"] for call in found["calls_gone"] if call["on"] == "i2"] == ["wicket_scored"]
    assert [(question["on"], question["what"]) for question in found["questions_new"]] == [
        ("i4", "wrong_flick")
    ]
    shown = run("rule", record, "i2", "--overturn", *BY, "--dry-run")
    assert "Ann passes wicket 1 and earns a flick." in shown
    assert "not written" in shown


def test_replacing_adding_and_ordering(run: Run, tmp_path: Path) -> None:
    record = written(
        tmp_path / "r.jsonl",
        setup(2),
        "flick moons",
        "hit moons suns frames=[3,4]",
        "cross moons 1 out frames=[3,4]",
        "rest",
    )
    other = tmp_path / "other.json"
    other.write_text(
        '{"entry": "incident", "kind": "line_crossed", "coin": "moons", "line": "wicket-2",'
        ' "direction": "outward"}\n'
    )
    run("rule", record, "i3", "--replace", other, *BY)
    run("rule", record, "i2", "--add", other, *BY)
    run("rule", record, "i2", "--before", "i3", *BY)
    rows = [json.loads(line) for line in record.read_text().splitlines()[-3:]]
    assert [
        (row["verdict"], row.get("on"), row.get("after"), row.get("other")) for row in rows
    ] == [("replaced", "i3", None, None), ("added", None, "i2", None), ("before", "i2", None, "i3")]
    assert rows[0]["replacement"]["line"] == "wicket-2"


def test_the_setup_is_replaced_by_its_name(run: Run, record: Path, tmp_path: Path) -> None:
    other = tmp_path / "setup.json"
    other.write_text(
        json.dumps(
            {
                **setup(2),
                "players": [
                    {"name": "Amy", "coin": "moons", "progress": 0},
                    {"name": "Ben", "coin": "suns", "progress": 0},
                ],
            }
        )
    )
    found = as_json(
        run("rule", record, "setup", "--replace", other, *BY, "--then", "keep", "--json")
    )
    assert {change["after"] for change in found["changes"] if change["field"] == "player"} == {
        "Amy"
    }
    assert json.loads(record.read_text().splitlines()[-1])["then"] == "keep"


def test_a_ruling_can_be_overturned(run: Run, record: Path) -> None:
    before = as_json(run("adjudicate", record, "--json"))
    run("rule", record, "i2", "--overturn", *BY)
    run("rule", record, "r9", "--overturn", *BY)
    assert as_json(run("adjudicate", record, "--json"))["standings"] == before["standings"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("i2", *BY), "--overturn, --uphold, --replace, --add, --before: give exactly one of them"),
        (
            ("i2", "--overturn", "--uphold", *BY),
            "--overturn, --uphold, --replace, --add, --before: give exactly one of them",
        ),
        (("i99", "--overturn", *BY), "line 9: on: there is no entry 'i99' before this one"),
        (("setup", "--overturn", *BY), "line 9: verdict: the setup can only be replaced"),
        (("i2", "--overturn"), "Missing option '--by'"),
        (("i2", "--overturn", "--by", " ", "--reason", "x"), "--by: is empty"),
        (("i2", "--overturn", "--by", "Ann", "--reason", ""), "--reason: is empty"),
        # what a terminal in another encoding sends
        (("i2", "--overturn", "--by", "J\udcf6rg", "--reason", "x"), "--by: is not UTF-8 text"),
        (("i\udcff", "--overturn", *BY), "ID: is not UTF-8 text"),
        (("i2", "--before", "\udcff", *BY), "--before: is not UTF-8 text"),
        (
            ("i2", "--before", "i7", *BY),
            "line 9: other: 'i7' is not an incident of the same flick as 'i2'",
        ),
        (("i2", "--before", "i2", *BY), "line 9: other: must be another incident"),
        (
            ("i2", "--replace", "none.json", *BY),
            "none.json: cannot be read: No such file or directory",
        ),
    ],
)
def test_a_wrong_ruling_is_one_line_and_nothing_is_written(
    run: Run, record: Path, words: tuple[str, ...], said: str
) -> None:
    before = record.read_bytes()
    error = run("rule", record, *words, status=2)
    assert error.count("\n") == 1
    assert said in error
    assert record.read_bytes() == before


def test_a_file_that_holds_no_entry_is_named_with_its_field(
    run: Run, record: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"entry": "incident", "kind": "contact", "coin": "moons"}')
    assert (
        run("rule", record, "i2", "--add", wrong, *BY, status=2) == f"{wrong}: with: is missing\n"
    )


def test_what_if_lists_the_calls_and_results_that_change(run: Run, tmp_path: Path) -> None:
    """Ben is knocked on to the left endpost, his last step. He wins, unless knocked endposts do not
    count.
    """
    record = written(
        tmp_path / "r.jsonl",
        setup([0, 15]),
        "flick moons",
        "hit moons suns",
        "post suns left",
        "rest",
    )
    before = record.read_bytes()
    found = as_json(run("what-if", record, "--option", "knocked_endposts_count=false", "--json"))
    changes = {
        (change["of"], change["field"]): (change["before"], change["after"])
        for change in found["changes"]
        if change["of"] == "match"
    }
    assert changes == {
        ("match", "status"): ("won", "in_progress"),
        ("match", "winner"): ("Ben", None),
    }
    assert {call["call"] for call in found["calls_gone"]} >= {"endpost_scored", "game_won"}
    assert [call["call"] for call in found["calls_new"] if call["on"] == "i3"] == ["no_effect"]
    assert "Ben wins the game." in run(
        "what-if", record, "--option", "knocked_endposts_count=false"
    )
    assert record.read_bytes() == before


def test_what_if_under_several_options_at_once(run: Run, tmp_path: Path) -> None:
    """With `against-striker`, the doubtful crossing does not count. With a band that ends below its
    probability, it counts without a question.
    """
    record = written(
        tmp_path / "r.jsonl", setup(2), "flick moons", "cross moons 1 out probability=0.5", "rest"
    )
    both = ("--option", "too_close=against-striker", "--option", "too_close_band=[0.1, 0.4]")
    found = as_json(run("what-if", record, *both, "--json"))
    assert {(change["of"], change["field"]): change["after"] for change in found["changes"]}[
        "standing", "progress"
    ] == 1
    assert [question["what"] for question in found["questions_gone"]] == ["too_close"]
    alone = as_json(run("what-if", record, *both[:2], "--json"))
    assert {(change["of"], change["field"]): change["after"] for change in alone["changes"]}[
        "turn", "player"
    ] == "Ben"


def test_what_if_nothing_changes(run: Run, record: Path) -> None:
    assert run("what-if", record, "--option", "poison=true") == "Nothing changes.\n"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (
            "poisn=true",
            (
                "--option poisn: is not an option of tabletop-croquet; its options are"
                f" {', '.join(words_of('tabletop-croquet').options)}\n"
            ),
        ),
        ("poison=maybe", "--option poison: is 'maybe', but must be true or false\n"),
        ("poison", "--option poison: should read KEY=VALUE\n"),
        (
            "teams=true",
            "--option: players: 2 players, but a match with teams needs 4, 6, 8 or 10\n",
        ),
    ],
)
def test_an_option_that_cannot_be_is_one_line(
    run: Run, record: Path, option: str, said: str
) -> None:
    assert run("what-if", record, "--option", option, status=2) == said


@pytest.mark.parametrize("then", [(), ("--then", "keep")])
def test_flicks_that_were_only_played_because_of_the_wrong_call_are_named(
    run: Run, tmp_path: Path, then: tuple[str, ...]
) -> None:
    """The wicket of i2 gave Ann her second flick, and its wicket gave her the third. Without the
    first wicket she had a right to neither.
    """
    lines = (
        "flick moons",
        "cross moons 1 out",
        "rest",
        "flick moons",
        "cross moons 2 out",
        "rest",
        "flick moons",
        "rest",
    )
    record = written(tmp_path / "r.jsonl", setup(2), *lines)
    found = as_json(run("rule", record, "i2", "--overturn", *BY, *then, "--dry-run", "--json"))
    assert [(odd["on"], odd["what"]) for odd in found["played_on"]] == [
        ("i4", "void_entitlement"),
        ("i7", "void_entitlement"),
    ]
    assert "Flicks played without a right to them (i4, i7)" in " ".join(
        run("rule", record, "i2", "--overturn", *BY, *then, "--dry-run").split()
    )
    right = as_json(run("rule", record, "i8", "--uphold", *BY, *then, "--dry-run", "--json"))
    assert right["played_on"] == []


def test_what_is_called_otherwise_has_a_heading(run: Run, tmp_path: Path) -> None:
    """Calls that differ while the standings stay the same still get a heading."""
    record = written(
        tmp_path / "r.jsonl",
        setup(2),
        "flick moons",
        "push wicket-2-left",
        "cross moons 1 out",
        "rest",
    )
    shown = run("rule", record, "i3", "--overturn", *BY, "--dry-run").splitlines()
    heading = shown.index("Calls that no longer hold (-) and new calls (+):")
    assert shown[heading + 1].startswith("- i3: Ann passes wicket 1")


@pytest.mark.parametrize(
    ("game", "name", "on", "rows"),
    [
        (
            "carroms",
            "whole-game",
            "i4",
            [
                ("the match", "it is", "won", "waiting for an answer"),
                ("the match", "winner", "Ann", "nobody"),
                ("the turn", "expected next", "nothing", "a flick"),
                ("Ann", "coins down", "6", "0"),
                ("Ann", "black is live", "yes", "no"),
            ],
        ),
        (
            "castle-croquetnole",
            "whole-game",
            "i22",
            [
                ("Ben", "steps done", "1", "2"),
                ("Ben", "next step", "gate of crowns", "door of crowns"),
                ("Ben", "knight inside", "suns", "crowns"),
                ("Ben", "knight waits", "yes", "no"),
            ],
        ),
        (
            "castle-croquetnole",
            "between-keep-void",
            "i14",
            [("Ann", "guard inside", "wasteland", "moons"), ("Ann", "guard on duty", "no", "yes")],
        ),
        (
            "piecepack-croquet",
            "whole-game-two-players",
            "e3",
            [
                ("Ann's blue ball", "hoops run", "6", "0"),
                ("Ben's red ball", "state", "in play", "not entered"),
            ],
        ),
        (
            "wickets-six",
            "whole-game-two-players",
            "i3",
            [("Ann's blue ball", "points", "13", "0"), ("Ann's black ball", "points", "13", "0")],
        ),
    ],
)
def test_the_difference_reads_in_players_words(
    run: Run, game: str, name: str, on: str, rows: list[tuple[str, ...]]
) -> None:
    """No field of the JSON appears under its own name. For a player with two balls, the ball is
    named.
    """
    shown = run("rule", MATCHES / game / f"{name}.jsonl", on, "--overturn", *BY, "--dry-run")
    told = [
        tuple(cell.strip() for cell in line.strip("│").split("│"))
        for line in shown.splitlines()
        if line.startswith("│")
    ]
    assert [row for row in rows if row not in told] == []
    assert not [cell for row in told for cell in row if "_" in cell]
