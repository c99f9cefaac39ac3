"""Runs `referee paths` over videos, and compares the results with the truth that lies beside the
videos.

Usage: python -m benchmarks.free_play FOLDER [--keep OUT] [--jobs N] [--write FILE] [--title TEXT]

FOLDER holds videos, each with NAME.truth.json. Drawn ones (`benchmarks.free_play_scenes`) are
compared with their truth. Real ones are judged by the `judge_flicks.py` beside them. `--write` adds
the table to a file, under a title. The exit status is 1 when a video falls short.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from typing import Any, Final

from benchmarks.arguments import Arguments, positive
from benchmarks.free_play_score import Score, score
from benchmarks.machine import machine
from benchmarks.runs import aligned

HEADS: Final = (
    "video", "table", "discs", "tilt", "fps", "found", "right", "unsure", "wrong", "marks",
    "p95 px", "width", "way", "speed", "s",
)  # fmt: skip


def told(video: Path, folder: Path, size_mm: float | None) -> tuple[str, float]:
    """Run the command over a video. Return two things: the words with which it refused the video
    ("" if it did not), and how many seconds it took.
    """
    command = ["-m", "referee", "paths", str(video), "--lines", "pairs", "--out", str(folder)]
    command += [] if size_mm is None else ["--coin-mm", f"{size_mm:g}"]
    begin = time.perf_counter()
    ran = subprocess.run([sys.executable, *command], check=False, capture_output=True, text=True)
    refused = ran.stderr.strip().splitlines()[-1] if ran.returncode else ""
    return refused, time.perf_counter() - begin


def judged(video: Path, truth: Path, judge: Path, folder: Path) -> tuple[str, bool]:
    """Run the command over a real video. Return the judge's last line and whether it is
    satisfied.
    """
    refused, took_s = told(video, folder, None)
    if refused:
        return f"{video.name}: {refused}", False
    ran = subprocess.run(
        [sys.executable, str(judge), str(truth), str(folder)],
        check=False,
        capture_output=True,
        text=True,
    )
    return f"{ran.stdout.strip().splitlines()[-1]} ({took_s:.0f} s)", ran.returncode == 0


def drawn_row(video: Path, truth: Path, folder: Path) -> tuple[list[str], Score | None, list[str]]:
    """Run the command over a drawn video. Return its line of the table, its score (None if the
    video was refused), and what was wrong in words.
    """
    known: dict[str, Any] = json.loads(truth.read_text(encoding="utf-8"))
    widths = [d["width_mm"] for d in known["discs"].values()]
    kinds = "+".join(sorted({d["material"] for d in known["discs"].values()}))
    sizes = (
        f"{min(widths):.0f}"
        if min(widths) == max(widths)
        else (f"{min(widths):.0f}-{max(widths):.0f}")
    )
    row = [video.stem, known["table"], f"{len(widths)} {kinds} {sizes}", f"{known['tilt_deg']:.0f}",
           str(known["fps"])]  # fmt: skip
    refused, took_s = told(video, folder, known["usual_mm"])
    if refused:
        return [*row, *["-"] * 9, f"{took_s:.0f}"], None, [f"{video.stem}: refused: {refused}"]
    found = score(known, folder)
    shares = (found.width_off, found.length_off, found.speed_off)
    figures = ["" if share is None else f"{share:.0%}" for share in shares]
    row += [f"{found.discs[0]} of {found.discs[1]}", f"{found.right} of {found.events}",
            str(found.unsure), str(found.wrong), f"{found.marks[0]} of {found.marks[1]}",
            f"{found.p95_px:.1f}", *figures, f"{took_s:.0f}"]  # fmt: skip
    return row, found, [f"{video.stem}: {word}" for word in found.words]


def table_of(rows: Sequence[tuple[list[str], Score | None, list[str]]]) -> list[str]:
    """Return the lines of the table of drawn videos."""
    scores = [found for _, found, _ in rows if found is not None]
    whole = sum(s.events for s in scores)
    seen, marks = (sum(s.marks[k] for s in scores) for k in (0, 1))
    right, unsure = sum(s.right for s in scores), sum(s.unsure for s in scores)
    return [
        *aligned([list(HEADS), *(row for row, _, _ in rows)], (0, 1, 2)),
        "",
        f"{sum(s.good for s in scores)} of {len(rows)} videos wholly right,"
        f" {len(rows) - len(scores)} refused; of {whole} events in the others {right} certain and"
        f" right, {unsure} unsure; {sum(s.wrong for s in scores)} certain and wrong;"
        f" {seen} of {marks} marks seen",
        *(word for *_, words in rows for word in words),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Arguments("free_play", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keep", type=Path, help="keep what the command wrote in this folder")
    parser.add_argument("--jobs", type=positive, default=1, help="runs at a time")
    parser.add_argument("--write", type=Path, help="add the table to this file, too")
    parser.add_argument("--title", default="", help="of the table in that file")
    given = parser.parse_args(arguments)
    lines = [f"{date.today()} on {machine()}", *([given.title] if given.title else []), ""]
    good, rows, judge = True, [], given.folder / "judge_flicks.py"
    keep = nullcontext(given.keep) if given.keep else tempfile.TemporaryDirectory(prefix="free-")
    with keep as out, ThreadPoolExecutor(max(1, given.jobs)) as pool:
        truths = sorted(given.folder.glob("*.truth.json"))
        videos = [t.with_name(t.name.replace(".truth.json", ".mp4")) for t in truths]
        folders = [Path(out) / video.stem for video in videos]
        if judge.exists():
            for video, truth, folder in zip(videos, truths, folders, strict=True):
                line, satisfied = judged(video, truth, judge, folder)
                lines, good = [*lines, line], good and satisfied
        else:
            for row in pool.map(drawn_row, videos, truths, folders):
                print("  ".join(row[0]), *row[2], sep="\n", file=sys.stderr, flush=True)
                rows.append(row)
                good = good and row[1] is not None and row[1].good
            lines += table_of(rows)
    print("\n".join(lines))
    if given.write is not None:
        with given.write.open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
