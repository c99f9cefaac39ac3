"""Runs the referee's real commands on whole clips, and compares the results with the clips' exact
truth.

Usage: python -m benchmarks.clips [FOLDER ...] [--jobs N] [--keep FOLDER] [--write FILE]
[--true-survey | --taped]

FOLDER is a clip or holds clips (see benchmarks/clip_folder.py). Without one it is fixtures/clips,
and the table is also written to benchmarks/clips.txt. For each clip `calibrate pieces`, `calibrate
table` and `watch --no-ui` run in a folder of their own. A command that fails becomes a line in the
table. If the referee must ask for names, that counts as a shortfall. It is then given the true
names, so that the rest can still be measured. `--true-survey` takes the table from the truth and
does not run `calibrate table`, so that errors of the survey do not count. `--taped` gives
`calibrate table` the true distance of the endposts, to a millimetre. The exit status is 1 when
anything falls short, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.alike_coins import true_numbers, with_true_numbers, without_contacts
from benchmarks.arguments import Arguments, positive
from benchmarks.clip_folder import ReadyClip, made_ready
from benchmarks.clips_table import as_text, show
from benchmarks.compare import compare
from benchmarks.machine import machine
from benchmarks.measured import Measured, failed, pooled
from benchmarks.places import (
    course_fit,
    edge_errors,
    frame_time_s,
    instants,
    moving_errors,
    read_paths,
    resting_places,
    rigid,
    rigid_of_most,
    scale_error,
    true_tracks,
)
from benchmarks.true_survey import side_of_castle, true_survey
from calibration.store.store import read_camera, read_table, write_table
from calibration.table.castle_order import with_castle_at

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures" / "clips"
WRITTEN = ROOT / "benchmarks" / "clips.txt"
COINS_IN_PICTURE = "moons,suns,arms,crowns,null,ace,2,3,4,5"
INTERRUPTED = 130  # the exit status of a command that Ctrl-C ended
NAMES_UNSURE = 3  # watch's exit status when it must ask
LEAST_COINS = 3  # enough places for a rigid fit of their own


class CommandError(Exception):
    """Raised when a command ended with another status than 0. Its text is one line."""

    def __init__(self, what: str, status: int, said: str) -> None:
        super().__init__(f"{what}: status {status}: {said}")
        self.status = status


@dataclass
class Runner:
    """Runs the referee's commands. `stop` ends commands that are still running."""

    running: set[subprocess.Popen[str]] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopped: bool = False

    def referee(self, what: str, *arguments: str | Path) -> None:
        """Run one command to its end. Raises CommandError if it fails."""
        with self.lock:
            if self.stopped:
                raise CommandError(what, INTERRUPTED, "interrupted")
            command = [sys.executable, "-m", "referee", *map(str, arguments)]
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
            self.running.add(process)
        said, _ = process.communicate()
        with self.lock:
            self.running.discard(process)
        if process.returncode:
            raise CommandError(
                what,
                process.returncode,
                (said.strip().splitlines() or ["said nothing"])[-1].strip(),
            )

    def stop(self) -> None:
        """Stop what still runs, and start nothing more."""
        with self.lock:
            self.stopped = True
            for process in self.running:
                process.terminate()


def run_clip(
    folder: Path, work: Path, runner: Runner, surveyed: bool = True, taped: bool = False
) -> Measured:
    """Referee one clip in `work` and measure the outcome. Any error becomes a part of the
    result.
    """
    began = time.monotonic()
    work.mkdir(parents=True, exist_ok=True)
    try:
        clip = made_ready(folder, work)
        clip = (
            replace(
                clip, options=(*clip.options, "--endposts-mm", f"{endposts_mm(clip.truth):.0f}")
            )
            if taped
            else clip
        )
        asked = referee_clip(clip, work, runner, surveyed)
        return measure(clip, work, asked, time.monotonic() - began)
    except CommandError as error:
        return failed(folder.name, str(error), time.monotonic() - began)
    except (OSError, KeyError, ValueError, TypeError) as error:
        return failed(folder.name, f"{type(error).__name__}: {error}", time.monotonic() - began)


def endposts_mm(truth: Mapping[str, Any]) -> float:
    """Return the true distance of the endposts, from middle to middle, as a tape would measure
    it.
    """
    left, right = (
        next(tile["centre_mm"] for tile in truth["tiles"] if tile["tile"] == f"{side}-endpost")
        for side in ("left", "right")
    )
    return float(np.hypot(*np.subtract(left, right)))


def referee_clip(clip: ReadyClip, work: Path, runner: Runner, surveyed: bool) -> tuple[str, ...]:
    """Calibrate, then watch. Return the things about which the referee had to ask. Raises
    CommandError. If `surveyed` is False, the table comes from the truth.
    """
    calibrate_pieces(clip, work, runner)
    if surveyed:
        survey_table(clip, work, runner)
    else:
        write_table(
            work / "table.yaml", true_survey(clip.truth, read_camera(clip.camera), clip.sizes_mm)
        )
    return watch_clip(clip, work, runner)


def calibrate_pieces(clip: ReadyClip, work: Path, runner: Runner) -> None:
    """Write `work`/pieces.yaml from the picture of the pieces. Raises CommandError."""
    runner.referee(
        "calibrate pieces",
        "calibrate",
        "pieces",
        clip.pieces_picture,
        "--names",
        COINS_IN_PICTURE,
        "--out",
        work / "pieces.yaml",
        *clip.size_options,
    )


def survey_table(clip: ReadyClip, work: Path, runner: Runner) -> None:
    """Write `work`/table.yaml from the clip's video and `work`/pieces.yaml. Raises CommandError."""
    course = ("--game", clip.game, "--camera", clip.camera, *clip.options)
    runner.referee(
        "calibrate table",
        "calibrate",
        "table",
        clip.video,
        *course,
        "--pieces",
        work / "pieces.yaml",
        "--out",
        work / "table.yaml",
    )


def watch_clip(clip: ReadyClip, work: Path, runner: Runner) -> tuple[str, ...]:
    """Watch the clip with the calibration in `work`. Return the things about which the referee had
    to ask. Raises CommandError.
    """
    table = work / "table.yaml"
    asked = castle_answered(clip, table)
    given: tuple[str | Path, ...] = (
        "--match",
        clip.match,
        "--table",
        table,
        "--pieces",
        work / "pieces.yaml",
        "--out",
        work / "out",
    )
    watch = ("watch", clip.video, *given, "--overwrite", "--no-ui")
    try:
        runner.referee("watch", *watch)
    except CommandError as error:
        if error.status != NAMES_UNSURE:
            raise
        runner.referee("watch with names given", *watch, *name_options(clip.truth, table))
        return (*asked, f"names asked: {error}")
    return asked


def castle_answered(clip: ReadyClip, table: Path) -> tuple[str, ...]:
    """If the survey could not tell which castle is Moons', write the true one into the table.
    Return what had to be asked; nothing if the survey could tell.
    """
    surveyed = read_table(table)
    if surveyed.castle_assumed is None:
        return ()
    true = side_of_castle(true_survey(clip.truth, read_camera(clip.camera), clip.sizes_mm))
    write_table(table, with_castle_at(surveyed, true))
    return ("castle asked: the survey could not tell which one is Moons'",)


def name_options(truth: Mapping[str, Any], table: Path) -> list[str]:
    """Return the true names of the coins that lie on the table at first, as `--name` options in the
    run's table frame.
    """
    surveyed = read_table(table)
    bottom = {tile["tile"]: tile["centre_mm"] for tile in truth["tiles"] if tile["level"] == 0}
    names = [name for name in surveyed.course.tiles if name in bottom]
    to_table = rigid(
        np.array([bottom[n] for n in names]),
        np.array([surveyed.course.tiles[n].centre_mm for n in names]),
    )
    first = truth["frames"][0]["coins"]
    places = {
        coin: to_table(np.array(row["mm"]))[0]
        for coin, row in first.items()
        if row["state"] == "rest"
    }
    return [
        word
        for coin, at in places.items()
        for word in ("--name", f"{coin}={at[0]:.1f},{at[1]:.1f}")
    ]


def measure(clip: ReadyClip, work: Path, asked: tuple[str, ...], took_s: float) -> Measured:
    """Compare record, paths and table with the truth. Raises OSError, KeyError or ValueError if
    one cannot be read.
    """
    truth = clip.truth
    record = [
        json.loads(line)
        for line in (work / "out" / "record.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    names: dict[str, str] = {}
    if clip.game == "carroms":
        lay = {coin: row["mm"] for coin, row in truth["frames"][0]["coins"].items()}
        names = true_numbers(record, lay)
        record, truth = with_true_numbers(record, names), without_contacts(truth)
    frame_s, tracks = frame_time_s(truth), true_tracks(truth)
    surveyed = read_table(work / "table.yaml")
    by_tiles, course_off = course_fit(surveyed, truth)
    given, true = resting_places(record, tracks)
    to_truth = (
        rigid_of_most(given, true) if len(np.unique(true, axis=0)) >= LEAST_COINS else by_tiles
    )
    moving = moving_errors(
        read_paths(work / "out" / "paths.csv", names), tracks, to_truth, instants(truth), frame_s
    )
    return Measured(
        name=clip.name,
        frames_a_second=round(1 / frame_s),
        compared=compare(truth, record, frame_s),
        rest_mm=np.linalg.norm(to_truth(given) - true, axis=1),
        moving=moving,
        course_mm=course_off,
        edge_mm=edge_errors(surveyed, truth, by_tiles),
        scale_errors=np.array([scale_error(surveyed, truth)]),
        took_s=took_s,
        notes=asked,
    )


def run_clips(
    folders: Sequence[Path], work: Path, jobs: int, surveyed: bool, taped: bool
) -> tuple[list[Measured], bool]:
    """Run all clips, `jobs` at a time, and show the progress. Return what was measured, and whether
    the run was interrupted.
    """
    runner, done = Runner(), {}
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        waiting = {
            pool.submit(run_clip, folder, work / folder.name, runner, surveyed, taped): folder
            for folder in folders
        }
        try:
            for number, future in enumerate(as_completed(waiting), 1):
                done[waiting[future]] = row = future.result()
                print(
                    f"[{number}/{len(folders)}] {row.name}: {'; '.join(row.shortfalls()) or 'ok'}"
                    f" ({row.took_s:.0f} s)",
                    file=sys.stderr,
                    flush=True,
                )
        except KeyboardInterrupt:
            for future in waiting:
                future.cancel()
            runner.stop()
            return [done[f] for f in folders if f in done], True
    return [done[f] for f in folders], False


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Arguments("clips", __doc__)
    parser.add_argument(
        "folders",
        nargs="*",
        type=Path,
        metavar="FOLDER",
        help="a clip, or a folder of clips (default: fixtures/clips)",
    )
    parser.add_argument("--jobs", type=positive, default=1, help="clips at a time (default 1)")
    parser.add_argument(
        "--keep", type=Path, help="where to keep what the commands wrote (default: nowhere)"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--true-survey",
        action="store_true",
        help="take the table from the truth, not from calibrate table",
    )
    how.add_argument(
        "--taped",
        action="store_true",
        help="tell calibrate table how far the endposts lie apart, to a millimetre",
    )
    parser.add_argument("--write", type=Path, help="also write the table into this file")
    options = parser.parse_args(arguments)
    clips = parser.clips(options.folders or [FIXTURES])
    if (
        not options.folders
        and options.write is None
        and not options.true_survey
        and not options.taped
    ):
        options.write = WRITTEN
    options.folders = clips
    return options


def bench(folders: Sequence[Path], work: Path, options: argparse.Namespace) -> int:
    """Run the clips, print the table, and write it to a file if one was given and the table is
    complete. Return the exit status.
    """
    rows, interrupted = run_clips(
        folders, work, max(1, options.jobs), surveyed=not options.true_survey, taped=options.taped
    )
    if not rows:
        return INTERRUPTED if interrupted else 1
    heading = f"{date.today().isoformat()} on {machine()}" + (
        ", tables from the truth"
        if options.true_survey
        else ", endposts taped"
        if options.taped
        else ""
    )
    show(rows, heading)
    if options.write is not None and not interrupted:
        options.write.write_text(as_text(rows, heading), encoding="utf-8")
    if interrupted:
        print(f"interrupted after {len(rows)} of {len(folders)} clips", file=sys.stderr)
        return INTERRUPTED
    return 1 if any(row.shortfalls() for row in rows) or pooled(rows).shortfalls() else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the clips named in the arguments. Return the exit status."""
    options = parsed(arguments)
    if options.keep is not None:
        return bench(options.folders, options.keep, options)
    with tempfile.TemporaryDirectory(prefix="clips-") as work:
        return bench(options.folders, Path(work), options)


if __name__ == "__main__":
    raise SystemExit(main())
