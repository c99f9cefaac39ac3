"""Runs `referee watch` in a process of its own, and compares the match folder that it leaves with
that of an undisturbed run.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import av

from benchmarks.true_survey import true_survey
from calibration.store.store import read_camera, write_table
from referee.domain.errors import InputError
from referee.domain.pieces import COINS
from referee.record.reading import read_record
from referee.replay.adjudication import summary
from referee.replay.fold import fold

ROOT: Final = Path(__file__).resolve().parent.parent
CLIP: Final = ROOT / "fixtures" / "clips" / "demo"
#: The clip is cut here, s: behind two flicks and the placing of a second coin, so that a run lasts
#: about two seconds.
CLIP_S: Final = 10.0
LIMIT_S: Final = 120.0
_NAMED_CLIP: Final = re.compile(rb',"clip":"[^"]*"')


@dataclass(frozen=True)
class Inputs:
    """What a run is given. `folder` holds its inputs, `whole` is the folder that an undisturbed run
    left, and `run_s` is how many seconds that run took.
    """

    folder: Path
    whole: Path
    run_s: float = 0.0

    def command(self, out: Path, *more: str) -> list[str]:
        """Return the command line of a run into a folder."""
        given = ("--table", "table.yaml", "--pieces", "pieces.yaml", "--match", "match.yaml")
        named = [text if text.startswith("--") else str(self.folder / text) for text in given]
        source = str(self.folder / "clip.mp4")
        return [sys.executable, "-m", "referee", "watch", source, *named, "--out", str(out), *more]


@dataclass(frozen=True)
class Outcome:
    """How a folder differs from that of an undisturbed run: the lines of the record that are `lost`
    and those that are there `twice`, whether standings, paths and clips are the same, and the lines
    of a traceback, if one was printed.
    """

    lost: int
    twice: int
    same_record: bool
    same_standings: bool
    same_paths: bool
    same_clips: bool
    traceback: int
    status: int

    @property
    def sound(self) -> bool:
        """Whether everything is as it should be."""
        same = self.same_record and self.same_standings and self.same_paths and self.same_clips
        return same and not (self.lost or self.twice or self.traceback or self.status)


def prepared(folder: Path) -> Inputs:
    """Write the inputs into a folder, and make one undisturbed run with them."""
    folder.mkdir(parents=True, exist_ok=True)
    _cut(CLIP / "clip.mp4", folder / "clip.mp4")
    shutil.copy(CLIP / "match.yaml", folder / "match.yaml")
    truth = json.loads((CLIP / "truth.json").read_text(encoding="utf-8"))
    camera = read_camera(CLIP / "camera.yaml")
    write_table(folder / "table.yaml", true_survey(truth, camera, truth["sizes"]))
    _learn_pieces(folder / "pieces.yaml")
    inputs = Inputs(folder, folder / "whole")
    shutil.rmtree(inputs.whole, ignore_errors=True)
    begun = time.monotonic()
    done = run(inputs.command(inputs.whole, "--no-ui"))
    if done.returncode:
        raise SystemExit(done.stderr)
    return replace(inputs, run_s=time.monotonic() - begun)


def _learn_pieces(path: Path) -> None:
    given = [str(CLIP / "pieces.jpg"), "--names", ",".join(COINS), "--out", str(path)]
    camera = ["--camera", str(CLIP / "camera.yaml")]
    done = run([sys.executable, "-m", "referee", "calibrate", "pieces", *given, *camera])
    if done.returncode:
        raise SystemExit(done.stderr)


def _cut(whole: Path, part: Path) -> None:
    with av.open(str(whole)) as source, av.open(str(part), "w") as out:
        stream = source.streams.video[0]
        copy = out.add_stream_from_template(stream)
        for packet in source.demux(stream):
            if packet.pts is not None and packet.pts * packet.time_base < CLIP_S:
                packet.stream = copy
                out.mux(packet)


def start(command: Sequence[str], **how: object) -> subprocess.Popen[str]:
    """Start a command."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
        list(command), text=True, env=environment, cwd=ROOT, **{**pipes, **how}
    )


def run(command: Sequence[str], **how: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    process = start(command, **how)
    out, err = process.communicate(timeout=LIMIT_S)
    return subprocess.CompletedProcess(list(command), process.returncode, out, err)


def resumed(inputs: Inputs, out: Path, *, clips: bool = True) -> Outcome:
    """Resume a folder, and compare it with the undisturbed one."""
    done = run(inputs.command(out, "--no-ui", "--resume"))
    return compared(inputs, out, done, clips=clips)


def compared(
    inputs: Inputs, out: Path, done: subprocess.CompletedProcess[str], *, clips: bool = True
) -> Outcome:
    """Compare a folder with the undisturbed one, after its last run. If `clips` is False, it does
    not matter whether the record names clips.
    """
    lines, wanted = (_lines(folder, clips=clips) for folder in (out, inputs.whole))
    lost, twice = Counter(wanted) - Counter(lines), Counter(lines) - Counter(wanted)
    return Outcome(
        lost=sum(lost.values()),
        twice=sum(twice.values()),
        same_record=lines == wanted,
        same_standings=_standings(out) == _standings(inputs.whole),
        same_paths=_rows(out) == _rows(inputs.whole),
        same_clips=_clips(out) == _clips(inputs.whole),
        traceback=(done.stdout + done.stderr).count("Traceback"),
        status=done.returncode,
    )


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _lines(out: Path, *, clips: bool) -> list[bytes]:
    content = _content(out / "record.jsonl")
    return (content if clips else _NAMED_CLIP.sub(b"", content)).splitlines(keepends=True)


def _standings(out: Path) -> object:
    try:
        adjudication = summary(fold(read_record(out / "record.jsonl")))
    except InputError:
        return None
    return adjudication.standings, adjudication.turn


def _rows(out: Path) -> list[list[str]]:
    if not (out / "paths.csv").exists():
        return []
    with (out / "paths.csv").open(encoding="utf-8", newline="") as lines:
        return sorted(csv.reader(lines))


def _clips(out: Path) -> dict[str, int]:
    return {clip.name: clip.stat().st_size for clip in (out / "clips").glob("*")}
