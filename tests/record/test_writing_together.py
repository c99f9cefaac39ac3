"""Several programs append to one record at the same time: nothing is lost or broken, and no id is
used twice.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee.commands.rule as command
from referee.domain.entry import Entry, Ruling
from referee.domain.errors import InputError
from referee.domain.incident import AtRest, Flicked
from referee.record.file_lock import held
from referee.record.reading import parse_record, read_record
from referee.record.record_file import RecordFile
from tests.commands.processes import running
from tests.record.matches import setup, text_of

WRITES = """
import sys
from referee.domain.entry import Ruling
from referee.record.record_file import RecordFile

record, entries = RecordFile.resume(sys.argv[1])
seen = [str(entry.id) for entry in entries[1:]]
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    ruling = Ruling(on="i1", verdict="upheld", by=sys.argv[3])
    seen += [entry.id for entry in record.append(ruling, letter="r")]
print(" ".join(seen))
"""
PIPES = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    record = tmp_path / "record.jsonl"
    record.write_bytes(text_of(setup(2), "flick moons", "cross moons 1 out", "rest"))
    return record


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[[], RecordFile]]:
    """Return a function that opens the record, as often as it is called."""
    with ExitStack() as stack:

        def open_again() -> RecordFile:
            record, _ = RecordFile.resume(path)
            stack.callback(record.close)
            return record

        yield open_again


def test_two_programs_at_once_lose_nothing_and_each_takes_in_what_the_other_writes(
    path: Path,
) -> None:
    with (
        running("-c", WRITES, path, 60, "Ann", **PIPES) as ann,
        running("-c", WRITES, path, 60, "Ben", **PIPES) as ben,
    ):
        for writer in (ann, ben):
            assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
        told = [writer.communicate("go\n") for writer in (ann, ben)]
    assert [error for _, error in told] == ["", ""]
    written = [str(getattr(entry, "id", None)) for entry in read_record(path)[1:]]
    assert len(set(written)) == len(written) == 3 + 2 * 60
    by = [entry.by for entry in read_record(path) if isinstance(entry, Ruling)]
    assert (by.count("Ann"), by.count("Ben")) == (60, 60)
    for seen, _ in told:
        assert (
            seen.split() == written[: len(seen.split())]
        )  # everything before its own last one, in the record's order


def test_a_ruling_by_the_command_goes_into_a_record_that_is_being_written(
    path: Path, opened: Callable[[], RecordFile]
) -> None:
    """The match continues in this process while `referee rule` runs in another. Neither writes
    between the other's entries.
    """
    record = opened()
    words = (
        "-m",
        "referee",
        "rule",
        path,
        "i2",
        "--overturn",
        "--by",
        "Ann",
        "--reason",
        "2 mm short",
        "--json",
    )
    with running(*words, **PIPES) as ruling:
        seen = list(read_record(path))
        while ruling.poll() is None:
            seen += record.append(Flicked(coin="suns"), AtRest(coins={}), letter="i")
        assert (ruling.returncode, ruling.communicate()[1]) == (0, "")
    seen += record.append(Flicked(coin="moons"), letter="i")
    on_disk = read_record(path)
    assert on_disk == tuple(seen)
    place = next(i for i, entry in enumerate(on_disk) if isinstance(entry, Ruling))
    assert not isinstance(on_disk[place - 1], Flicked)  # a flick is written as a whole
    assert on_disk[place].id == f"r{place + 1}"  # type: ignore[union-attr]


def test_a_ruling_whose_id_another_took_in_the_same_moment_gets_the_next(
    path: Path, opened: Callable[[], RecordFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = opened()

    def read_and_then_written_by_another(record: Path) -> tuple[Entry, ...]:
        entries = read_record(record)
        other.append(Ruling(on="i2", verdict="upheld", by="Ben"), letter="r")
        return entries

    monkeypatch.setattr(command, "read_record", read_and_then_written_by_another)
    ran = CliRunner().invoke(
        command.rule, [str(path), "i2", "--overturn", "--by", "Ann", "--reason", "short"]
    )
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert [(entry.id, entry.by) for entry in read_record(path) if isinstance(entry, Ruling)] == [
        ("r5", "Ben"),
        ("r6", "Ann"),
    ]


def test_who_reads_while_a_line_is_being_written_waits_for_its_end(path: Path) -> None:
    line, begun = b'{"entry": "declaration", "kind": "pass", "id": "p"}\n', threading.Event()

    def write_in_two() -> None:
        with path.open("ab", buffering=0) as file, held(file):
            file.write(line[:20])
            begun.set()
            time.sleep(0.2)
            file.write(line[20:])

    writer = threading.Thread(target=write_in_two, daemon=True)
    writer.start()
    assert begun.wait(10)
    assert [getattr(entry, "id", None) for entry in read_record(path)][4:] == ["p"]
    writer.join(10)


def test_what_others_appended_is_taken_notice_of_once(opened: Callable[[], RecordFile]) -> None:
    mine, other = opened(), opened()
    assert mine.look() == ()
    (ruling,) = other.append(Ruling(on="i2", verdict="overturned"), letter="r")
    assert mine.look() == (ruling,)
    assert mine.look() == ()
    assert [entry.id for entry in mine.append(Flicked(coin="moons"), letter="r")] == ["r6"]


def test_the_next_free_id_is_one_that_nobody_has_taken_meanwhile(
    opened: Callable[[], RecordFile],
) -> None:
    mine, other = opened(), opened()
    other.append(Ruling(id="r6", on="i2", verdict="overturned"))
    assert [entry.id for entry in mine.append(Ruling(on="i2", verdict="upheld"), letter="r")] == [
        "r6",
        "r7",
    ]


def test_a_line_that_another_program_is_still_writing_is_left_to_it(
    path: Path, opened: Callable[[], RecordFile]
) -> None:
    mine = opened()
    line = b'{"entry": "declaration", "kind": "pass", "id": "p"}\n'
    with path.open("ab") as other:
        other.write(line[:20])
        other.flush()
        assert mine.look() == ()
        with pytest.raises(
            InputError, match="line 5: json: the record is cut off in the middle of its last line"
        ):
            mine.append(Flicked(coin="moons"))
        other.write(line[20:])
    assert [entry.id for entry in mine.append(Flicked(coin="moons"), letter="i")] == ["p", "i6"]
    assert len(parse_record(path.read_bytes())) == 6


def test_a_record_replaced_or_cut_by_somebody_is_not_written_into(
    path: Path, opened: Callable[[], RecordFile]
) -> None:
    mine = opened()
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"\n") + 1])
    with pytest.raises(InputError, match="another program has replaced or cut this record"):
        mine.append(Flicked(coin="moons"))
    path.with_name("other").write_bytes(whole)
    path.with_name("other").replace(path)
    with pytest.raises(InputError, match="another program has replaced or cut this record"):
        mine.append(Flicked(coin="moons"))
    assert path.read_bytes() == whole
