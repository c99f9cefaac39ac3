"""Runs `referee paths` over videos beside their marks, and asks the judge beside them.

Usage: python -m benchmarks.free_play FOLDER [--write FILE]

FOLDER holds videos, each with NAME.truth.json, and a `judge_flicks.py`. The exit status is 1 when a
video falls short.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchmarks.clips import machine


def judged(video: Path, truth: Path, judge: Path) -> tuple[str, bool]:
    """Run the command over a video. Return the judge's last line and whether it is satisfied."""
    with tempfile.TemporaryDirectory(prefix="free-play-") as folder:
        command = ["-m", "referee", "paths", str(video), "--lines", "pairs", "--out", folder]
        begin = time.perf_counter()
        ran = subprocess.run(
            [sys.executable, *command], check=False, capture_output=True, text=True
        )
        if ran.returncode:
            return f"{video.name}: {ran.stderr.strip()}", False
        took_s = time.perf_counter() - begin
        told = subprocess.run(
            [sys.executable, str(judge), str(truth), folder],
            check=False,
            capture_output=True,
            text=True,
        )
        return f"{told.stdout.strip().splitlines()[-1]} ({took_s:.0f} s)", told.returncode == 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", type=Path, help="write the table to this file, too")
    given = parser.parse_args(arguments)
    lines, good = [f"{date.today()} on {machine()}", ""], True
    for truth in sorted(given.folder.glob("*.truth.json")):
        video = truth.with_name(truth.name.replace(".truth.json", ".mp4"))
        line, satisfied = judged(video, truth, given.folder / "judge_flicks.py")
        lines, good = [*lines, line], good and satisfied
        print(line, flush=True)
    if given.write is not None:
        given.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
