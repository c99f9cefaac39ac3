"""Referees clips whose pictures were made worse on purpose, and compares the results with the
clips' exact truth.

Usage: python -m benchmarks.conditions FOLDER ... [--only NAME ...] [--jobs N] [--keep FOLDER]
[--again] [--survey own | clean] [--judge FILE] [--write FILE]

FOLDER is a clip with a facts.yaml, or holds such clips (see benchmarks/clip_folder.py). For each
clip and condition this makes the worse video, runs `calibrate pieces`, `calibrate table` and `watch
--no-ui` over it, and asks the judge: a `judge.py` beside the clips or in a folder above, or
`--judge`. The table is surveyed from the worse video, as a user would do it. With `--survey clean`
it is surveyed once from the clip as it is, as if the camera were bumped after the survey; only half
size needs a survey of its own.

With `--keep` a run goes on where it was stopped and repeats what failed; `--again` referees anew
and keeps only the videos.
The exit status is 1 when a condition falls short of its bars, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path

import av

from benchmarks.arguments import Arguments, positive
from benchmarks.clip_folder import ReadyClip, clip_file, made_ready
from benchmarks.clips import (
    INTERRUPTED,
    CommandError,
    Runner,
    calibrate_pieces,
    survey_table,
    watch_clip,
)
from benchmarks.compare import is_demanded
from benchmarks.condition_clips import CONDITIONS, made
from benchmarks.conditions_table import Row, as_text, shortfalls, total
from benchmarks.machine import machine
from benchmarks.runs import once, run_each

COUNTS = re.compile(
    r"right (\d+) of \d+, asked (\d+), silent (\d+), certain and wrong (\d+), needless questions"
    r" (\d+)\s*$"
)


class JudgeError(Exception):
    """Raised when the judge printed no counts. Its text is the last line that the judge printed."""


@dataclass(frozen=True)
class Plan:
    """How the runs are done. Their files lie in `work`. If `clean` is True, the survey is taken
    from the clip as it is.
    """

    work: Path
    judge: Path | None
    clean: bool = False
    again: bool = False


def run(folder: Path, name: str, plan: Plan, runner: Runner) -> Row:
    """Referee one clip under one condition, or read what an earlier run found."""
    work = plan.work / (f"{name}.surveyed-clean" if plan.clean else name) / folder.name
    return once(
        work / "result.json",
        plan.again,
        Row,
        lambda: counted(folder, name, work, plan, runner),
        lambda row: not row.failed,
    )


def counted(folder: Path, name: str, work: Path, plan: Plan, runner: Runner) -> Row:
    """Referee one clip under one condition in `work`. Any error becomes a part of the row."""
    began = time.monotonic()
    wanted = demanded(folder)
    counts, failed = (0, wanted, 0, wanted, 0, 0), 1
    try:
        clip = made_ready(made(folder, name, plan.work / "videos" / name / folder.name), work)
        clean = plan.clean and CONDITIONS[name].size == 1.0  # another size has another camera
        note = refereed(clip, clip_file(folder) if clean else clip.video, work, plan.work, runner)
        right, asked, silent, wrong, needless = judged(folder, work, plan.judge)
        counts, failed = (right, wanted, asked, silent, wrong, needless + bool(note)), 0
    except (CommandError, JudgeError) as error:
        note = str(error)
    except (OSError, KeyError, ValueError, av.FFmpegError) as error:
        note = f"{type(error).__name__}: {error}"
    return Row(name, folder.name, *counts, round(time.monotonic() - began, 1), failed, note)


def demanded(folder: Path) -> int:
    """Return how many incidents of a clip are so clear that they must be found."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    return sum(is_demanded(incident) for incident in truth["incidents"])


def refereed(clip: ReadyClip, surveyed: Path, work: Path, kept: Path, runner: Runner) -> str:
    """Calibrate, with the table from the video `surveyed`, and watch. Return the things about which
    the referee had to ask, or "". Pieces are measured once for all conditions, and so is the table
    of a clip as it is; both are kept in `kept`. Raises CommandError.
    """
    kept = kept / "calibrated" / clip.name
    measured_once("pieces.yaml", kept, work, lambda: calibrate_pieces(clip, work, runner))
    if surveyed == clip.video:
        survey_table(clip, work, runner)
    else:
        whole = replace(clip, video=surveyed)
        measured_once("table.yaml", kept, work, lambda: survey_table(whole, work, runner))
    return "; ".join(watch_clip(clip, work, runner))


def measured_once(name: str, kept: Path, work: Path, measure: Callable[[], None]) -> None:
    """Copy the file `name` from the folder `kept` into `work`. If it is not there yet, measure it
    and keep it.
    """
    if (kept / name).exists():
        shutil.copyfile(kept / name, work / name)
        return
    measure()
    kept.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(work / name, work / f"{name}.copy")
    (work / f"{name}.copy").rename(kept / name)


def judged(folder: Path, work: Path, judge: Path | None) -> tuple[int, ...]:
    """Return the judge's five counts: right, asked, silent, certain and wrong, needless. Its whole
    output is kept in `work`/judge.txt. Raises JudgeError if it prints no counts.
    """
    judge = judge or judge_of(folder)
    command = [sys.executable, str(judge), str(folder), str(work / "out"), "--conditions"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    (work / "judge.txt").write_text(said.stdout + said.stderr, encoding="utf-8")
    counts = COUNTS.search(said.stdout)
    if counts is None:
        raise JudgeError((said.stdout + said.stderr).strip().splitlines()[-1])
    return tuple(map(int, counts.groups()))


def judge_of(folder: Path) -> Path:
    """Return the judge beside a clip's folder or above it. Raises FileNotFoundError."""
    for above in folder.resolve().parents:
        if (above / "judge.py").exists():
            return above / "judge.py"
    raise FileNotFoundError(f"{folder}: no folder above it has a judge.py; name one with --judge")


def said(row: Row) -> str:
    """Return one finished run in a line."""
    return (
        f"{row.condition} {row.clip}: right {row.right} of {row.wanted}, asked {row.asked}, silent"
        f" {row.silent}, wrong {row.wrong}, needless {row.needless} ({row.took_s:.0f} s)"
        f"{' ' + row.note if row.note else ''}"
    )


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Arguments("conditions", __doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a clip, or clips")
    parser.add_argument(
        "--only", nargs="+", choices=CONDITIONS, metavar="NAME", help=f"of {', '.join(CONDITIONS)}"
    )
    parser.add_argument("--jobs", type=positive, default=1, help="runs at a time (default 1)")
    parser.add_argument("--keep", type=Path, help="where to keep videos and results")
    parser.add_argument("--again", action="store_true", help="referee anew what is kept")
    parser.add_argument("--survey", choices=("own", "clean"), default="own")
    parser.add_argument("--judge", type=Path, help="the judge (default: judge.py near the clips)")
    parser.add_argument("--write", type=Path, help="also write the table into this file")
    options = parser.parse_args(arguments)
    options.folders = parser.clips(options.folders)
    return options


def bench(folders: Sequence[Path], options: argparse.Namespace, work: Path) -> int:
    """Run, print the table, and write it to a file if one was given and the table is complete.
    Return the exit status.
    """
    names = options.only or list(CONDITIONS)
    if options.again:
        shutil.rmtree(work / "calibrated", ignore_errors=True)
    plan = Plan(work, options.judge, options.survey == "clean", options.again)
    tasks = [partial(run, folder, name, plan) for name in names for folder in folders]
    rows, interrupted = run_each(tasks, options.jobs, said)
    if not rows:
        return INTERRUPTED
    shares = {name: CONDITIONS[name].share for name in names}
    surveyed = ", surveyed from the clips as they are" if plan.clean else ""
    text = as_text(rows, shares, f"{date.today().isoformat()} on {machine()}{surveyed}")
    print(text)
    if interrupted:
        return INTERRUPTED
    if options.write is not None:
        options.write.write_text(text, encoding="utf-8")
    short = [
        shortfalls(total([row for row in rows if row.condition == name]), share)
        for name, share in shares.items()
    ]
    return int(any(short))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the clips named in the arguments. Return the exit status."""
    options = parsed(arguments)
    if options.keep is not None:
        return bench(options.folders, options, options.keep)
    with tempfile.TemporaryDirectory(prefix="conditions-") as work:
        return bench(options.folders, options, Path(work))


if __name__ == "__main__":
    raise SystemExit(main())
