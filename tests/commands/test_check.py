"""`referee check`: every problem of a record with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.records import Run, runner, written
from tests.record.matches import line, setup, text_of


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


def test_a_sound_record_is_said_to_be_sound(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), "flick moons", "rest")
    assert (
        run("check", record)
        == f"{record}: a sound record of tabletop-croquet: 2 players, 3 entries\n"
    )


def test_a_record_of_one_entry_has_one_entry(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2))
    assert run("check", record) == (
        f"{record}: a sound record of tabletop-croquet: 2 players, 1 entry\n"
    )


def test_every_problem_is_told_once_with_its_line(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    good = text_of(setup(2), "flick moons", "rest").splitlines(keepends=True)
    wrong = [
        b'{"entry":"incident","kind":"contact","coin":"moons","id":"i3"}\n',
        b"{not json\n",
        b'{"entry":"ruling","verdict":"overturned","on":"i3","id":"r1"}\n',
        b'{"entry":"ruling","verdict":"overturned","on":"i77","id":"r2"}\n',
        b'{"entry":"incident","kind":"contact","coin":"moons","with":"chair","id":"i5"}\n',
        b'{"entry":"incident","kind":"flown"}\n',
    ]
    record.write_bytes(b"".join([*good, *wrong]))
    told = run("check", record, status=2).splitlines()
    assert [line.removeprefix(f"{record}: ").split(": ")[:2] for line in told] == [
        ["line 4", "with"],
        ["line 5", "json"],
        ["line 7", "on"],
        ["line 8", "with"],
        ["line 9", "kind"],
    ]


def test_a_wrong_setup_does_not_hide_what_is_wrong_behind_it(run: Run, tmp_path: Path) -> None:
    record = written(
        tmp_path / "r.jsonl",
        {**setup(2), "options": {"poisn": True}},
        "flick moons",
        {"entry": "incident", "kind": "flown"},
    )
    told = run("check", record, status=2).splitlines()
    assert [line.removeprefix(f"{record}: ").split(": ")[:2] for line in told] == [
        ["line 1", "options.poisn"],
        ["line 3", "kind"],
    ]


def test_times_that_run_backwards_are_a_warning(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from referee import cli

    record = written(tmp_path / "r.jsonl", setup(2), "flick moons t_s=3.5", "rest t_s=2")
    assert cli.run(["check", str(record)]) == 0
    out, err = capfd.readouterr()
    assert err.startswith(f"{record}: line 3: t_s: 2 s is before the 3.5 s")
    assert err.endswith("(warning)\n")
    assert "a sound record" in out


def test_a_rulings_own_time_is_compared_and_not_that_of_what_it_adds(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from referee import cli

    added = {**line("added i1 hit moons suns"), "t_s": 9.0}
    added["replacement"]["t_s"] = 1.0
    late = "upheld i1 t_s=8"
    record = written(tmp_path / "r.jsonl", setup(2), "flick moons t_s=3", added, late)
    assert cli.run(["check", str(record)]) == 0
    told = [row.split(": ")[1:4] for row in capfd.readouterr().err.splitlines()]
    assert [row[:2] for row in told] == [["line 4", "t_s"]]


def test_an_entry_without_an_id_is_called_by_its_line_and_empty_lines_count(
    run: Run, tmp_path: Path
) -> None:
    record = tmp_path / "r.jsonl"
    head, flick, ruled = text_of(setup(2), "flick moons", "upheld #4").splitlines(keepends=True)
    flick = flick.replace(b'"id": "i1", ', b"")
    record.write_bytes(head + b"\n\n" + flick + ruled)
    assert "a sound record" in run("check", record)
    record.write_bytes(head + b"\n" + flick + ruled)
    said = f"{record}: line 4: on: there is no entry '#4' before this one\n"
    assert run("check", record, status=2) == said


@pytest.mark.parametrize("content", [b"", b"\n\n", b"[]", b"\xff\xfe", b'{"entry":"incident"}\n'])
def test_what_is_no_record_is_refused_in_lines(run: Run, tmp_path: Path, content: bytes) -> None:
    record = tmp_path / "r.jsonl"
    record.write_bytes(content)
    told = run("check", record, status=2)
    assert told.startswith(f"{record}: line ")
    assert run("adjudicate", record, status=2).count("\n") == 1


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    assert (
        run("check", tmp_path / "none.jsonl", status=2)
        == f"{tmp_path / 'none.jsonl'}: cannot be read: No such file or directory\n"
    )
