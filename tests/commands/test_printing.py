"""What people read: whole lines in a pipe, names that cannot control a terminal, what is expected
next, and how to answer a question.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.records import Run, as_json, runner, written
from tests.record.matches import setup

EDGE = [[-100, -400], [1300, -400], [1300, 400], [-100, 400]]
FALL = ("flick moons", "hit moons suns", "fall suns 600 400", "rest moons 500 0")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


def headline(run: Run, record: Path, *words: str) -> str:
    return run("adjudicate", record, *words).splitlines()[0]


def test_in_a_pipe_a_question_is_one_line_that_says_how_to_answer(run: Run, tmp_path: Path) -> None:
    record = written(
        tmp_path / "r.jsonl", setup(2), "flick moons", "cross moons 1 out probability=0.5", "rest"
    )
    (line,) = (
        line for line in run("adjudicate", record).splitlines() if line.startswith("Question")
    )
    assert line.endswith("Did it happen? Answer: referee rule RECORD i2 --uphold or --overturn.")


def test_an_unknown_order_is_answered_by_saying_which_came_first(run: Run, tmp_path: Path) -> None:
    hit = (
        "flick moons",
        "hit moons suns",
        "rest",
        "flick moons",
        "cross moons 1 out frames=[10,12]",
        "hit moons suns frames=[11,13]",
        "rest",
    )
    shown = run("adjudicate", written(tmp_path / "r.jsonl", setup(2), *hit))
    assert "Answer: referee rule RECORD i5 --before i6, or i6 --before i5." in shown


def test_rover_or_leave_is_answered_by_declaring(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup([15, 0, 0, 0], teams="ABAB"))
    assert (
        headline(run, record)
        == "Ann's turn, 1 flick left. First choose rover or leaving for moons."
    )
    assert "Answer: a declaration, rover or leave." in run("adjudicate", record)


@pytest.mark.parametrize(
    ("first", "lines", "said"),
    [
        (setup(2), (), "Ann's turn, 1 flick left."),
        (
            setup([None, 0]),
            (),
            (
                "Ann's turn, 1 flick left. First put moons within 50.8 mm of the left endpost,"
                " between it and wicket 1."
            ),
        ),
        (
            setup(2),
            ("flick moons",),
            "Ann's turn, 0 flicks left. Expected next: everything at rest.",
        ),
        (
            setup(2, table_edge_mm=EDGE),
            FALL,
            (
                "Ann's turn, 2 flicks left. First put suns back at (600, 376.2). May be declared:"
                " one of the four actions for suns."
            ),
        ),
        (
            setup(2),
            FALL[:3],
            (
                "Ann's turn, 2 flicks left. Expected next: everything at rest. Then put suns back"
                " 23.8 mm in from where it left, (600, 400)."
            ),
        ),
        (
            setup(2),
            ("flick moons", "hit moons suns", "rest", "after_hit 3 suns"),
            "Ann's turn, 2 flicks left. To be flicked: suns.",
        ),
        (
            setup(2),
            ("flick moons", "hit moons suns", "rest moons 500 0 suns 540 0", "after_hit 2 suns"),
            (
                "Ann's turn, 2 flicks left. moons may be put down with its centre up to 38.1 mm"
                " from suns at (540, 0)."
            ),
        ),
        (
            setup(2),
            ("flick moons", "push wicket-2-left", "rest"),
            "Ben's turn, 1 flick left. First put the tile wicket-2-left back.",
        ),
        (
            setup(2),
            (
                "flick moons",
                "cross moons 1 out",
                "rest moons 300 0",
                "flick moons",
                "rest moons 400 0",
                "overturned i2 then=rewind",
            ),
            "Ben's turn, 1 flick left. First put these pieces back: moons at (300, 0).",
        ),
        (
            setup([15, 0, 0, 0], teams="ABAB"),
            ("rover moons", "flick moons", "rest"),
            "Ben's turn, 1 flick left. May flick a rover to force it out: moons.",
        ),
    ],
)
def test_what_is_expected_next(
    run: Run, tmp_path: Path, first: dict[str, object], lines: tuple[str, ...], said: str
) -> None:
    assert headline(run, written(tmp_path / "r.jsonl", first, *lines)) == said


def test_what_waits_for_a_question_is_counted_not_listed(run: Run, tmp_path: Path) -> None:
    lines = (
        "flick moons",
        "cross moons 1 out",
        "rest",
        "flick moons",
        "cross moons 2 out",
        "rest",
        "flick moons",
        "rest",
        "flick suns",
        "rest",
    )
    shown = run(
        "rule",
        written(tmp_path / "r.jsonl", setup(2), *lines),
        "i2",
        "--overturn",
        "--by",
        "Ann",
        "--reason",
        "short",
        "--dry-run",
    )
    assert "Calls that wait for the answer to the question: " in shown
    assert "- i5" not in shown
    assert "- i2: Ann passes wicket 1 and earns a flick. (+1) [Player turns]" in shown


NAME = "Zo\u00eb [red]:cat: \x1b[31m"


def named(tmp_path: Path) -> Path:
    first = setup(2)
    first["players"][0]["name"] = NAME
    return written(tmp_path / "r.jsonl", first, "flick moons", "cross moons 1 out", "rest")


@pytest.mark.parametrize("words", [("adjudicate",), ("adjudicate", "--explain", "i2")])
def test_a_name_is_printed_and_does_nothing(
    run: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:
    shown = run(words[0], named(tmp_path), *words[1:])
    assert "\x1b" not in shown
    assert "Zo\u00eb [red]:cat: \\x1b[31m" in " ".join(shown.split()) or "[red]:cat:" in shown


def test_where_letters_cannot_be_printed_the_command_ends_well(tmp_path: Path) -> None:
    """On an ASCII terminal, people get question marks and programs get the whole name."""
    command, record = [sys.executable, "-m", "referee", "adjudicate"], str(named(tmp_path))
    shown, told = (
        subprocess.run(
            [*command, record, *more],
            capture_output=True,
            check=True,
            timeout=60,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        ).stdout
        for more in ([], ["--json"])
    )
    assert b"Zo? [red]:cat:" in shown
    assert as_json(told.decode())["turn"]["player"] == NAME


MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "castle-croquetnole/added-contact",
            (
                "Ann's turn with the guard, 1 flick left. First put Ann's knight on Ben's tower,"
                " then put Ann's guard within a coin width of Ann's tower."
            ),
        ),
        (
            "castle-croquetnole/both-are-optional",
            "Ben's turn with the knight, 1 flick left. May pass.",
        ),
        (
            "carroms/black-early-and-striker",
            (
                "Ben's turn, 1 flick left. First put the black coin on the table, then put red coin"
                " 1 back, then put the striker anywhere on the board."
            ),
        ),
    ],
)
def test_coins_are_called_as_players_call_them(run: Run, name: str, said: str) -> None:
    assert headline(run, MATCHES / f"{name}.jsonl") == said


def test_a_knight_stands_once_in_the_standings(run: Run) -> None:
    shown = run("adjudicate", MATCHES / "castle-croquetnole" / "both-are-optional.jsonl")
    assert "knight" in shown
    assert "\u2502 coin" not in shown


def test_what_if_says_once_what_it_says_of_several_entries(run: Run, tmp_path: Path) -> None:
    """Ben's coin is knocked on to the last endpost (i3). Where that counts, Ben has already won."""
    record = written(
        tmp_path / "r.jsonl",
        setup([0, 15], options={"knocked_endposts_count": False}),
        *("flick moons", "hit moons suns", "post suns left", "rest"),
        *("flick moons", "rest", "flick moons", "rest"),
    )
    told = run("what-if", record, "--option", "knocked_endposts_count=true").splitlines()
    over = [line for line in told if "The game is over" in line]
    assert len(over) == 1
    assert over[0].startswith("New irregularity (i5, i7): The game is over")


def test_an_explanation_does_not_say_what_an_entry_leaves_out(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", setup(2), "flick moons", "rest")
    explained = run("adjudicate", path, "--explain", "i1")
    assert "coin moons" in explained and "nothing" not in explained


def test_a_clause_shows_no_empty_facts(run: Run, tmp_path: Path) -> None:
    """A hit is judged by what touched and by whom the coin is dead on: nothing and nobody here."""
    path = written(tmp_path / "r.jsonl", setup(2), "flick moons", "hit moons suns", "rest")
    why = as_json(run("adjudicate", path, "--explain", "i2", "--json"))
    assert [clause["touching"] for clause in why["clauses"] if "touching" in clause] == [[]]
    explained = run("adjudicate", path, "--explain", "i2")
    assert "Ben's coin did not touch the coin" in " ".join(explained.split())
    assert "nothing" not in explained


def test_a_challenge_of_what_was_missed_says_so(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", setup(2), "challenge player=Ann")
    assert "about something that the referee missed" in run("adjudicate", path, "--explain", "i1")
