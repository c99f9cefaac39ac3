"""The overlay is a playable file as soon as the video has ended or the program was asked to end,
and it never ends the match.
"""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import av
import pytest

import referee.session.watching as watching
from referee.desk.serving.hosting import Hosting
from referee.domain.errors import InputError
from referee.session.watching import watch
from referee.vision.overlay.video_overlay import OverlayWriter
from tests.commands.processes import IN_TERMINAL, running
from tests.session.test_watching import asked, entries


def pictures(path: Path) -> int:
    with av.open(str(path)) as video:
        return sum(1 for _ in video.decode(video=0))


def test_the_overlay_can_be_played_while_the_page_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen.mp4"
    monkeypatch.setattr(watching, "_linger", lambda _: played.append(pictures(seen)))
    played: list[int] = []
    options = asked(tmp_path, overlay=seen, ui=True, hosting=Hosting(browser=False), linger=True)
    assert watch(options) == 0
    assert played[0] > 100


def test_an_overlay_that_cannot_be_written_does_not_end_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any) -> None:
        raise InputError("seen.mp4: the overlay cannot be written (No space left on device)")

    monkeypatch.setattr(OverlayWriter, "write", fails)
    assert watch(asked(tmp_path, overlay=tmp_path / "seen.mp4")) == 0
    assert "flicked" in [e.get("kind") for e in entries(tmp_path / "out")]
    assert capsys.readouterr().err.count("the match goes on without it") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_a_whole_record_and_an_overlay_that_plays(
    tmp_path: Path, number: signal.Signals
) -> None:
    options = asked(tmp_path)
    seen, record = tmp_path / "seen.mkv", tmp_path / "out" / "record.jsonl"
    clip = Path(options.source).parent
    given = ["--match", clip / "match.yaml", "--table", tmp_path / "table.yaml", "--realtime"]
    named = [f"--name={coin}={x},{y}" for coin, (x, y) in options.names_mm.items()]
    arguments = ["watch", options.source, *given, *named, "--no-ui", "--out", tmp_path / "out"]
    with running(
        "-c", IN_TERMINAL, *arguments, "--overlay", seen, stderr=subprocess.PIPE
    ) as process:
        while not record.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        _, told = process.communicate()
    assert process.returncode == 130, told
    assert told.strip() == "Interrupted; what was recorded so far is kept."
    assert record.read_bytes().endswith(b"\n") and pictures(seen) > 0
    assert not (tmp_path / "out" / "watch.lock").exists()
