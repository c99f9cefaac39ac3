"""The comparison of frozen answers, with answers written by hand, and a freeze of one fixture."""

from __future__ import annotations

import gzip
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from benchmarks.answers import Row, differences, is_within, main, names_in

EXPLAIN = "adjudicate --json --explain i1"
CALL = {"on": "i1", "call": "step_made", "flicks": 1, "rule": "Wickets", "text": "One step."}
CLAUSES = [
    {"text": "It happened.", "met": True, "about": "call"},
    {"text": "It is the next wicket.", "met": False, "about": "step", "next": "wicket-1"},
]
ANSWERS: dict[str, Any] = {
    "adjudicate --json": {"status": 0, "out": {"status": "won", "turn": {}, "calls": [CALL]}},
    "export --to csv": {"status": 0, "out": "on,call,text\ni1,step_made,One step.\n"},
    "export --to ppn": {"status": 0, "out": "...\n1. cM@(1,2) { One step. }\n2. ?cM-(3,4)\n"},
    "what-if --json --option poison=true": {"status": 2, "out": "poison is not for teams\n"},
    EXPLAIN: {"status": 0, "out": {"state": "it counts", "clauses": CLAUSES, "turn": {}}},
}
FIXTURES = Path(__file__).parents[2] / "fixtures" / "matches"


def row(answers: dict[str, Any] = ANSWERS, digest: str = "1") -> Row:
    return Row("fixtures/a/b", digest, answers)


def changed(question: str, *path: str | int, to: Any) -> Row:
    """Return the answers with one value in one of them changed."""
    answers = deepcopy(ANSWERS)
    inner = answers[question]
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return row(answers)


def kinds(new: Row) -> set[str]:
    return {kind for kind, _ in differences(row(), new)}


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        (changed("adjudicate --json", "out", "status", to="question"), "adjudicate --json: status"),
        (
            changed("adjudicate --json", "out", "calls", 0, "flicks", to=2),
            "adjudicate --json: calls",
        ),
        (
            changed("adjudicate --json", "out", "calls", 0, "rule", to="Winning"),
            "adjudicate --json: calls",
        ),
        (changed("export --to csv", "out", to="on,call,text\ni1,out,\n"), "export --to csv: rows"),
        (changed("export --to ppn", "out", to="...\n1. cM@(1,2)\n"), "export --to ppn: moves"),
        (changed(EXPLAIN, "out", "turn", to={"flicks_left": 1}), "explain: turn"),
        (changed(EXPLAIN, "out", "clauses", to=CLAUSES[:1]), "clauses: fewer"),
        (changed(EXPLAIN, "out", "clauses", 1, "met", to=None), "clauses: met otherwise"),
        (changed(EXPLAIN, "out", "clauses", to=[*CLAUSES, CLAUSES[0]]), "clauses: more"),
        (changed(EXPLAIN, "out", "clauses", 1, "next", to="wicket-2"), "clauses: other facts"),
        (changed(EXPLAIN, "status", to="traceback"), "exit status 0 to traceback"),
        (
            row({key: value for key, value in ANSWERS.items() if key != EXPLAIN}),
            "asked of one only",
        ),
    ],
)
def test_each_change_is_of_its_kind(new: Row, kind: str) -> None:
    assert kinds(new) == {kind}


@pytest.mark.parametrize(
    "new",
    [
        changed("adjudicate --json", "out", "calls", 0, "text", to="Another word."),
        changed("export --to csv", "out", to="on,call,text\ni1,step_made,Another word.\n"),
        changed(
            "export --to ppn", "out", to="...\n1. cM@(1,2) { Other. }\n2. ?cM-(3,4) { New. }\n"
        ),
        changed("what-if --json --option poison=true", "out", to="teams play without poison\n"),
        changed(EXPLAIN, "out", "clauses", 0, "text", to="It was seen."),
        changed(EXPLAIN, "out", "state", to="it counts as recorded"),
    ],
)
def test_other_words_are_wording_alone(new: Row) -> None:
    assert kinds(new) == {"wording alone"}


def test_the_same_answers_do_not_differ() -> None:
    assert kinds(row()) == set()


def test_more_clauses_hold_the_old_verdicts_in_their_order() -> None:
    assert is_within([True, False], [True, None, False])
    assert not is_within([True, False], [False, True, True])


def compared(folder: Path, new: Row) -> tuple[int, str]:
    """Return what the command prints about the answers and `new`: its exit status and output."""
    for name, one in (("old", row()), ("new", new)):
        (folder / name).write_bytes(gzip.compress(msgspec.json.encode(one) + b"\n"))
    words = ["compare", str(folder / "old"), str(folder / "new"), "--show", "1"]
    ended = CliRunner().invoke(main, words)
    return ended.exit_code, ended.stdout


def test_the_command_fails_when_a_decision_differs_and_names_the_record(tmp_path: Path) -> None:
    status, out = compared(tmp_path, changed("adjudicate --json", "out", "status", to="question"))
    assert status == 1
    assert "adjudicate --json: status: fixtures/a/b (adjudicate --json)" in out


def test_the_command_passes_when_only_words_differ(tmp_path: Path) -> None:
    status, out = compared(tmp_path, changed(EXPLAIN, "out", "state", to="it stands"))
    assert status == 0
    assert f"wording alone: fixtures/a/b ({EXPLAIN})" in out


def test_a_record_that_was_changed_itself_is_counted_and_not_compared(tmp_path: Path) -> None:
    status, out = compared(tmp_path, row({}, digest="2"))
    assert status == 0
    assert "0 records compared; 1 records were changed themselves." in out


def test_a_freeze_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Freeze one fixture, then the same fixture and a record of the corpus."""
    scripted = (FIXTURES / "carroms" / "agreed-draw.jsonl").read_text(encoding="utf-8")
    (tmp_path / "matches" / "carroms").mkdir(parents=True)
    (tmp_path / "matches" / "carroms" / "draw.jsonl").write_text(scripted, encoding="utf-8")
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    line = msgspec.json.encode({"name": "random/carroms/0000", "text": scripted, "explained": 1})
    corpus.write_bytes(gzip.compress(line + b"\n"))
    words = ["freeze", str(corpus), str(out), "--fixtures", str(tmp_path / "matches")]
    assert CliRunner().invoke(main, [*words, "--first", "0"]).exit_code == 0
    begun = out.read_bytes()
    assert names_in(out) == ["fixtures/carroms/draw"]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert names_in(out) == ["fixtures/carroms/draw", "random/carroms/0000"]
    assert out.read_bytes().startswith(begun)
    rows = [
        msgspec.json.decode(row, type=Row) for row in gzip.decompress(out.read_bytes()).splitlines()
    ]
    asked = [[question for question in row.answers if "--explain" in question] for row in rows]
    assert [len(questions) for questions in asked] == [len(scripted.splitlines()), 1]
    assert rows[0].answers["adjudicate --json"]["out"]["status"] == "won"
