"""`referee follow`: a record while any program adds to it."""

from __future__ import annotations

import json
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.desk.messages import QuestionAnswer
from referee.desk.record_tail import MISSING_LOOKS
from referee.domain.errors import InputError
from referee.record.reading import read_record
from tests.commands.processes import IN_TERMINAL, ROOT, running
from tests.commands.records import Run, runner, written
from tests.record.matches import setup, text_of

LINES = ("flick moons", "cross moons 1 out", "rest", "flick moons", "rest moons 100 0 suns 200 50")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


def lines(*said: str) -> list[bytes]:
    return text_of(setup(2), *said).splitlines(keepends=True)


def test_every_whole_line_is_shown_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path, feed = tmp_path / "r.jsonl", Feed()
    path.write_bytes(b"")
    following = FollowedRecord(path, feed)
    assert not following.look()
    progress = []
    for line in lines(*LINES):
        with path.open("ab") as out:
            out.write(line[:10])
            out.flush()
            assert not following.look()
            out.write(line[10:])
        assert following.look()
        progress.append(feed.snapshot()["standing"]["standings"][0]["progress"])
    assert progress == [0, 0, 1, 1, 1, 1]
    shown = feed.snapshot()
    assert shown["standing"]["turn"]["player"] == "Ben"
    assert shown["coins"]["coins"]["suns"] == {"at_mm": [200.0, 50.0], "state": "rest"}
    assert shown["match"]["players"][0] == {"name": "Ann", "coin": "moons"}
    assert "wicket-1" in shown["table"]["lines"]
    assert shown["evidence"]["i2"]["line"] == "wicket-1"


def test_a_record_written_anew_is_read_anew(tmp_path: Path) -> None:
    path, feed = written(tmp_path / "r.jsonl", setup(2), *LINES), Feed()
    following = FollowedRecord(path, feed)
    following.look()
    path.write_bytes(b"".join(lines(*LINES[:1])))
    assert following.look()
    assert feed.snapshot()["standing"]["standings"][0]["progress"] == 0
    other = written(tmp_path / "other.jsonl", setup(3), *LINES, *LINES)
    other.replace(path)
    assert following.look()
    assert len(feed.snapshot()["standing"]["standings"]) == 3


def test_a_record_changed_within_and_made_longer_in_one_go_is_read_anew(tmp_path: Path) -> None:
    path, feed = written(tmp_path / "r.jsonl", setup(2), *LINES), Feed()
    following = FollowedRecord(path, feed)
    following.look()
    assert feed.snapshot()["standing"]["standings"][0]["progress"] == 1
    changed = path.read_bytes().replace(
        b"wicket-1", b"wicket-5"
    )  # as an editor may write it into the same file
    path.write_bytes(changed + b'{"entry":"incident","kind":"flicked","coin":"suns"}\n')
    assert following.look()
    shown = feed.snapshot()["standing"]
    assert shown["standings"][0]["progress"] == 0
    assert [asked["on"] for asked in shown["questions"]] == [
        "i4"
    ]  # without wicket 1 Ann had no second flick
    assert following.record.fold is not None and len(following.record.fold.entries) == 6


def test_a_record_that_an_editor_replaces_may_be_gone_for_a_moment_but_not_for_good(
    tmp_path: Path,
) -> None:
    path = written(tmp_path / "r.jsonl", setup(2), *LINES)
    following = FollowedRecord(path, Feed())
    following.look()
    content = path.read_bytes()
    path.unlink()
    assert not following.look()
    path.write_bytes(content + b'{"entry":"incident","kind":"flicked","coin":"suns"}\n')
    assert following.look()
    path.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        for _ in range(MISSING_LOOKS):
            following.look()


def a_close_call(folder: Path) -> Path:
    """Write a record that asks whether the coin passed wicket 1."""
    crossing = "cross moons 1 out probability=0.5"
    return written(folder / "r.jsonl", setup(2), "flick moons", crossing, "rest")


def test_an_answer_on_the_page_becomes_a_ruling_in_the_record(tmp_path: Path) -> None:
    path, feed = a_close_call(tmp_path), Feed()
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    following = FollowedRecord(path, feed)
    following.look()
    assert feed.snapshot()["standing"]["status"] == "question"
    assert feed.answer("standing", QuestionAnswer(on="i2", verdict="upheld"))
    assert following.listen(0.0)
    assert following.look()
    assert feed.snapshot()["standing"]["status"] == "in_progress"
    assert json.loads(path.read_text().splitlines()[-1]) == {
        "entry": "ruling",
        "verdict": "upheld",
        "id": "r5",
        "on": "i2",
        "reason": "answered on the dashboard",
    }
    assert len(read_record(path)) == 5


def test_a_coin_that_was_meant_is_named_by_the_answer(tmp_path: Path) -> None:
    path, feed = (
        written(tmp_path / "r.jsonl", setup(3), "flick suns"),
        Feed(),
    )  # it is Ann's turn, whose coin is moons
    following = FollowedRecord(path, feed)
    following.look()
    assert feed.snapshot()["standing"]["questions"][0]["what"] == "wrong_flick"
    assert feed.answer(
        "standing", QuestionAnswer(on="i1", verdict="replaced", coin="moons", by="Cyd")
    )
    assert following.listen(0.0)
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["verdict"], last["on"], last["by"], last["replacement"]["coin"]) == (
        "replaced",
        "i1",
        "Cyd",
        "moons",
    )
    following.look()
    assert feed.snapshot()["standing"]["questions"] == []


def test_whether_a_coin_is_a_rover_is_declared_by_the_answer(tmp_path: Path) -> None:
    path, feed = tmp_path / "r.jsonl", Feed()
    path.write_bytes(
        (ROOT / "fixtures" / "matches" / "tabletop-croquet" / "rover-asked.jsonl").read_bytes()
    )
    following = FollowedRecord(path, feed)
    following.look()
    (asked,) = feed.snapshot()["standing"]["questions"]
    assert feed.answer("standing", QuestionAnswer(on=asked["on"], verdict="leave"))
    assert following.listen(0.0)
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["entry"], last["kind"], last["coin"], last["player"]) == (
        "declaration",
        "leave",
        "moons",
        "Ann",
    )
    following.look()
    assert feed.snapshot()["standing"]["questions"] == []


def test_an_answer_waits_while_somebody_writes_a_line(tmp_path: Path) -> None:
    path, feed = a_close_call(tmp_path), Feed()
    following = FollowedRecord(path, feed)
    with path.open("ab", buffering=0) as out:
        out.write(b'{"entry":"declaration","kind":"concede",')
        following.look()
        assert feed.answer("standing", QuestionAnswer(on="i2", verdict="upheld"))
        before = path.read_bytes()
        assert not following.listen(0.0)
        assert path.read_bytes() == before
        out.write(b'"player":"Ben"}\n')
    following.look()
    assert following.listen(0.0)
    assert [
        entry.get("kind", entry.get("verdict"))
        for entry in map(json.loads, path.read_text().splitlines()[-2:])
    ] == ["concede", "upheld"]


def test_a_last_line_that_stays_half_is_told_with_its_number(tmp_path: Path) -> None:
    path, feed = written(tmp_path / "r.jsonl", setup(2), "flick moons"), Feed()
    with path.open("ab") as out:
        out.write(b'{"entry":"inci')
    following = FollowedRecord(path, feed)
    following.look()
    assert feed.snapshot()["doing"]["text"] == ""  # it may be complete in a moment
    following.look()
    assert (
        feed.snapshot()["doing"]["text"]
        == "The record's last line (3) is not complete, so it does not count yet."
    )


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", setup(2), "flick moons")
    following = FollowedRecord(path, Feed())
    following.look()
    with path.open("ab") as out:
        out.write(b'{"entry":"incident","kind":"flown"}\n')
    with pytest.raises(InputError, match="line 3: kind: 'flown' is not a kind of incident at all"):
        following.look()


def test_what_cannot_be_read_is_refused_before_a_page_opens(run: Run, tmp_path: Path) -> None:
    assert (
        run("follow", tmp_path / "none.jsonl", status=2)
        == f"{tmp_path / 'none.jsonl'}: cannot be read: No such file or directory\n"
    )


def test_the_command_serves_the_page_without_the_vision_libraries_and_ends_with_ctrl_c(
    tmp_path: Path,
) -> None:
    path = written(tmp_path / "r.jsonl", setup(2), *LINES)
    code = "import atexit, sys; atexit.register(lambda: print('cv2' in sys.modules)); "
    words = ("-u", "-c", code + IN_TERMINAL, "follow", path, "--no-browser")
    with running(*words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        assert f"{address}enter/" in process.stdout.readline()
        assert process.stdout.readline() == "End it with Ctrl-C.\n"
        with urllib.request.urlopen(f"{address}events", timeout=10) as events:
            heard = [next(events).decode() for _ in range(4)]
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait() == 0
    (snapshot,) = [json.loads(line[6:]) for line in heard if line.startswith("data: ")]
    assert snapshot["standing"]["turn"]["player"] == "Ben"
    assert rest.split() == ["Ended.", "False"]
