"""A record continues from the file it was made from: nothing is refereed twice, and nothing is left
out.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from referee.domain.errors import InputError
from referee.record.record_file import RecordFile
from referee.session import begin_record, match_watch
from referee.session.match_watch import MatchWatch
from referee.session.recording.resuming import Part
from referee.session.watching import watch
from referee.vision.sources.frame import VideoFrame
from tests.clips.bundled import truth_of
from tests.session.recording.begun import CLIP, UNTIL_S, asked_demo
from tests.session.test_watching import NAMES, asked, entries


def told(folder: Path) -> list[tuple[Any, ...]]:
    """Return the incidents of a record, except where coins lie: kind, coin, with what, and when, to
    a hundredth of a second.
    """
    found = [e for e in entries(folder) if e.get("kind", "at_rest") != "at_rest"]
    return [
        (e["kind"], e.get("coin"), e.get("with"), e.get("line"), round(e["t_s"], 2)) for e in found
    ]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run with one flick to the end of its file."""
    folder = tmp_path_factory.mktemp("ended")
    assert watch(asked(folder)) == 0
    return folder / "out"


@pytest.fixture
def recorded(ended: Path, tmp_path: Path) -> Path:
    """Return a folder whose `out` holds a copy of that run's record."""
    shutil.copytree(ended, tmp_path / "out")
    return tmp_path


def test_interrupted_between_flicks_a_match_goes_on_from_its_file_as_if_it_had_not_been(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = MatchWatch.take

    def interrupted(run: MatchWatch, frame: VideoFrame) -> None:
        take(run, frame)
        if run.recorded:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(MatchWatch, "take", interrupted)
        watch(asked_demo(tmp_path))
    first = told(tmp_path / "out")
    assert 0 < len(first) < len(told(whole))
    assert watch(asked_demo(tmp_path, resume=True)) == 0
    assert told(tmp_path / "out") == told(whole)
    assert sum(kind == "flicked" for kind, *_ in told(whole)) == sum(
        i["kind"] == "flicked" and i["t_s"] < UNTIL_S for i in truth_of(CLIP)["incidents"]
    )


def test_a_file_that_is_recorded_to_its_end_adds_nothing_that_happened(
    ended: Path, recorded: Path
) -> None:
    assert watch(asked(recorded, resume=True)) == 0
    assert told(recorded / "out") == told(ended)


def test_a_name_given_for_a_coin_the_record_does_not_know_there_is_heeded(recorded: Path) -> None:
    known = [
        line
        for line in (recorded / "out" / "record.jsonl").read_text(encoding="utf-8").splitlines()
        if '"at_rest"' not in line
    ]
    (recorded / "out" / "record.jsonl").write_text("\n".join(known) + "\n", encoding="utf-8")
    twice = {coin: NAMES["moons"] for coin in ("moons", "ace")}
    with pytest.raises(InputError, match="that coin was already named moons"):
        watch(asked(recorded, resume=True, names_mm=twice))


def lines_of(folder: Path) -> list[bytes]:
    return (folder / "record.jsonl").read_bytes().splitlines(keepends=True)


def left_with(whole: Path, folder: Path, content: bytes) -> Path:
    """Return a folder that holds the beginning of a record, as a kill leaves it."""
    shutil.copytree(whole, folder / "out")
    (folder / "out" / "record.jsonl").write_bytes(content)
    return folder / "out"


NOTES = (None, b"", b'{"file": "cl', b'{"file":"other.mp4"}')


def with_note(out: Path, note: bytes | str | None) -> None:
    """Leave the note of the source as it is ("kept"), without (None), or with other content."""
    if note is None:
        (out / "source.json").unlink()
    elif isinstance(note, bytes):
        (out / "source.json").write_bytes(note)


@pytest.mark.parametrize(
    ("kept", "note"), [*((kept, "kept") for kept in (2, 5, 14, 16)), (6, None)]
)
def test_killed_at_any_entry_the_match_becomes_what_it_would_have_been(
    tmp_path: Path, whole: Path, kept: int, note: bytes | str | None
) -> None:
    out = left_with(whole, tmp_path, b"".join(lines_of(whole)[:kept]))
    with_note(out, note)
    assert watch(asked_demo(tmp_path, resume=True)) == 0
    assert lines_of(out) == lines_of(whole)
    assert (out / "paths.csv").read_bytes() == (whole / "paths.csv").read_bytes()


@pytest.mark.parametrize("note", NOTES)
def test_killed_after_the_setup_the_match_becomes_what_it_would_have_been(
    tmp_path: Path, ended: Path, note: bytes | None
) -> None:
    out = left_with(ended, tmp_path, lines_of(ended)[0])
    with_note(out, note)
    assert watch(asked(tmp_path, resume=True)) == 0
    assert lines_of(out) == lines_of(ended)
    assert (out / "paths.csv").read_bytes() == (ended / "paths.csv").read_bytes()


@pytest.mark.parametrize("left", [b"", b'{"entry":"setu'])
def test_a_record_that_was_killed_before_its_setup_was_whole_begins(
    tmp_path: Path, ended: Path, left: bytes
) -> None:
    out = left_with(ended, tmp_path, left)
    assert watch(asked(tmp_path, resume=True)) == 0
    assert lines_of(out) == lines_of(ended)


def test_what_people_decided_meanwhile_stays_where_it_stood(tmp_path: Path, whole: Path) -> None:
    ruling = b'{"entry":"ruling","id":"r8","on":"i5","verdict":"upheld","by":"Ann"}\n'
    out = left_with(whole, tmp_path, b"".join([*lines_of(whole)[:7], ruling]))
    assert watch(asked_demo(tmp_path, resume=True)) == 0
    assert lines_of(out)[:8] == [*lines_of(whole)[:7], ruling]
    assert told(out) == told(whole)


def test_paths_and_clips_that_were_killed_on_the_way_are_made_again(
    tmp_path: Path, whole: Path
) -> None:
    out = left_with(whole, tmp_path, b"".join(lines_of(whole)[:11]))
    text = (whole / "paths.csv").read_text(encoding="utf-8")
    (out / "paths.csv").write_text(text[: text.index("\n2,") + 30], encoding="utf-8")
    (out / "clips" / "flick-0002.mp4").unlink()
    assert watch(asked_demo(tmp_path, resume=True)) == 0
    assert (out / "paths.csv").read_text(encoding="utf-8") == text
    clips = {clip.name: clip.stat().st_size for clip in (whole / "clips").iterdir()}
    assert {clip.name: clip.stat().st_size for clip in (out / "clips").iterdir()} == clips


def test_what_part_of_the_match_it_is_stands_on_the_disk_before_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(RecordFile, "create", killed)
        watch(asked(tmp_path))
    assert (tmp_path / "out" / "source.json").exists()
    assert watch(asked(tmp_path, resume=True)) == 0
    assert [e.get("kind") for e in entries(tmp_path / "out")].count("at_rest") == 2


def test_a_note_that_cannot_be_read_is_refused_by_name_where_nothing_else_tells_the_source(
    recorded: Path,
) -> None:
    note = recorded / "out" / "source.json"
    assert json.loads(note.read_text(encoding="utf-8"))["file"] == "clip.mp4"
    note.write_text("{", encoding="utf-8")
    record = recorded / "out" / "record.jsonl"
    kept = [line for line in record.read_text(encoding="utf-8").splitlines() if "_rest" not in line]
    record.write_text("\n".join(kept) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"source\.json"):
        watch(asked(recorded, resume=True))


def test_a_camera_goes_on_where_it_was_left_and_the_gap_is_unseen(
    recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (recorded / "out" / "record.jsonl").read_bytes()
    last_s = entries(recorded / "out")[-1]["t_s"]
    os.utime(recorded / "out" / "record.jsonl", (time.time() - 60, time.time() - 60))
    # as from a camera or a stream
    monkeypatch.setattr(match_watch, "last_part", lambda *_: None)
    monkeypatch.setattr(begin_record, "part_of", lambda _, before, s: Part("", None, before, s))
    assert watch(asked(recorded, resume=True)) == 0
    after = (recorded / "out" / "record.jsonl").read_bytes()
    assert after.startswith(before)
    gap, rest = entries(recorded / "out")[len(before.splitlines()) :][:2]
    assert gap["kind"] == "unseen" and rest["kind"] == "at_rest"
    assert gap["from_s"] == last_s and 60 <= gap["to_s"] - last_s < 90
    assert set(gap["pieces"]) == {c for c in rest["coins"]}
