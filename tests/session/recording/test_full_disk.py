"""On a full disk the flick comes first: clips and paths are given up, the record goes on, and what
cannot be written waits for room.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import referee.library.archive as archive
import referee.library.clips as clips
import referee.record.record_file as record_file
from referee.domain.errors import InputError
from referee.session.recording.disk_room import RESERVE, Troubles
from referee.session.watching import watch
from tests.session.recording.begun import asked_demo
from tests.session.recording.test_resuming import lines_of
from tests.session.test_watching import asked, entries

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def full(after_writes: int, until_write: int | None = None) -> Iterator[None]:
    """Let the record's file take only so many writes, until a later one. The write that fails still
    writes half of its lines.
    """
    write, done = os.write, 0

    def limited(descriptor: int, content: bytes) -> int:
        nonlocal done
        done += 1
        if done > after_writes and (until_write is None or done < until_write):
            if done % 2:
                return write(descriptor, content[: len(content) // 2])
            raise FULL
        return write(descriptor, content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record_file.os, "write", limited)
        yield


def test_a_clip_that_cannot_be_saved_costs_the_clip_and_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any) -> None:
        raise FULL

    monkeypatch.setattr(clips, "_mux", fails)
    monkeypatch.setattr(
        clips, "format_of_stream", lambda *_: clips.ClipFormat("h264", clips.Fraction(1), b"")
    )
    monkeypatch.setattr("referee.vision.sources.video.format_of_stream", clips.format_of_stream)
    assert watch(asked_demo(tmp_path)) == 0
    flicks = [e for e in entries(tmp_path / "out") if e.get("kind") == "flicked"]
    assert len(flicks) == 3 and not any("clip" in flick for flick in flicks)
    said = capsys.readouterr().out
    assert said.count("Clips cannot be saved") == 1
    assert not list((tmp_path / "out" / "clips").iterdir())


def test_paths_that_cannot_be_saved_cost_the_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = archive.write_whole

    def fails(path: Path, content: bytes) -> None:
        if path.name == "paths.csv" and b"\n1," in content:
            raise FULL
        whole(path, content)

    monkeypatch.setattr(archive, "write_whole", fails)
    assert watch(asked(tmp_path)) == 0
    assert "flicked" in [e.get("kind") for e in entries(tmp_path / "out")]
    assert capsys.readouterr().out.count("The paths cannot be saved") == 1


def test_a_record_that_cannot_be_written_waits_for_room_and_nothing_is_lost(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    with full(4, 12):
        assert watch(asked_demo(tmp_path)) == 0
    kinds = [(e.get("kind"), e.get("t_s")) for e in entries(tmp_path / "out")]
    assert kinds == [(e.get("kind"), e.get("t_s")) for e in entries(whole)]
    said = capsys.readouterr().out
    assert said.count("No space left on device") == 1 and "is written again" in said
    assert not (tmp_path / "out" / RESERVE).exists()


def test_without_room_at_the_end_one_line_tells_it_and_resuming_loses_nothing(
    whole: Path, tmp_path: Path
) -> None:
    with full(4), pytest.raises(InputError, match=r"record\.jsonl: cannot be written: No space"):
        watch(asked_demo(tmp_path))
    left = lines_of(tmp_path / "out")
    assert lines_of(whole)[: len(left)] == left
    assert watch(asked_demo(tmp_path, resume=True)) == 0
    assert lines_of(tmp_path / "out") == lines_of(whole)


def test_little_room_is_told_before_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage:
        free = 100 << 20

    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage)
    troubles = Troubles()
    troubles.check_room(tmp_path)
    troubles.check_room(tmp_path)
    (line,) = troubles.take_unsaid()
    assert line.startswith("The disk is almost full: 105 MB are left")
    Usage.free = 1 << 30
    troubles.check_room(tmp_path)
    assert not troubles.lasting and not troubles.take_unsaid()
