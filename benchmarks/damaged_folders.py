"""Resumes match folders with the damage that kills, full disks and older versions of the program
leave; starts two programs on one folder; and fills the disk: `python -m benchmarks.damaged_folders
[--each N] [--pairs N] [--full N] [--seed S] [--write FILE]`.

Each match must in the end be the same as in an undisturbed run.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import track

from benchmarks.arguments import Arguments
from benchmarks.match_runs import Inputs, Outcome, compared, prepared, resumed, run, start

#: The least bytes that a record may have on the disk that is full; its setup is longer.
LEAST_BYTES: Final = 1_800
Damage = Callable[[Path, random.Random], None]


def _cut(path: Path, chance: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: chance.randrange(len(content))])


def _lines(out: Path, chance: random.Random) -> None:
    record = out / "record.jsonl"
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[: chance.randrange(1, len(lines) + 1)]))


def _without(name: str) -> Damage:
    def damage(out: Path, chance: random.Random) -> None:
        _lines(out, chance)
        (out / name).unlink()

    return damage


def _empty(name: str) -> Damage:
    def damage(out: Path, chance: random.Random) -> None:
        _lines(out, chance)
        (out / name).write_bytes(b"")

    return damage


def _older_note(out: Path, chance: random.Random) -> None:
    _lines(out, chance)
    note = json.loads((out / "source.json").read_bytes())
    older = {**note, "entries_before": 1, "to_s": chance.uniform(0.0, 10.0)}
    (out / "source.json").write_text(json.dumps(older), encoding="utf-8")


def _no_clips(out: Path, chance: random.Random) -> None:
    _lines(out, chance)
    shutil.rmtree(out / "clips")


def _cut_clip(out: Path, chance: random.Random) -> None:
    _lines(out, chance)
    for clip in (out / "clips").iterdir():
        _cut(clip, chance)


def _left_over(out: Path, chance: random.Random) -> None:
    _lines(out, chance)
    for name in ("record.jsonl.unfinished", "source.unfinished.json", "paths.unfinished.csv"):
        (out / name).write_bytes(b"half")
    (out / "watch.lock").write_text("process 1", encoding="utf-8")
    (out / "record.reserve").write_bytes(bytes(1000))


DAMAGES: Final[dict[str, Damage]] = {
    "the record ends anywhere": lambda out, chance: _cut(out / "record.jsonl", chance),
    "the record ends with a line": _lines,
    "the record is empty": _empty("record.jsonl"),
    "no source.json": _without("source.json"),
    "source.json is empty": _empty("source.json"),
    "source.json is cut off": lambda out, chance: _cut(out / "source.json", chance),
    "source.json of an older version": _older_note,
    "no paths.csv": _without("paths.csv"),
    "paths.csv ends anywhere": lambda out, chance: _cut(out / "paths.csv", chance),
    "no clips": _no_clips,
    "clips end anywhere": _cut_clip,
    "unfinished files are left": _left_over,
}


def damaged(inputs: Inputs, out: Path, chance: random.Random, damage: Damage) -> Outcome:
    """Damage a copy of the whole match, and resume it."""
    shutil.copytree(inputs.whole, out)
    damage(out, chance)
    return resumed(inputs, out)


def two_writers(inputs: Inputs, out: Path, chance: random.Random) -> Outcome:
    """Start a second program on a folder while the first one runs. One of the two must be refused
    with a message of one line.
    """
    first = start(inputs.command(out, "--no-ui"))
    time.sleep(chance.uniform(0.0, 2.0))
    second = run(inputs.command(out, "--no-ui", "--resume"))
    printed = first.communicate()
    done = [
        subprocess.CompletedProcess("", first.returncode, *printed),
        subprocess.CompletedProcess("", second.returncode, second.stdout, second.stderr),
    ]
    refused = [one for one in done if one.returncode == 2]
    named = all("referees this match already" in one.stderr for one in refused)
    if len(refused) > 1 or not named:
        print(refused, file=sys.stderr)
        return compared(inputs, out, refused[0])
    return compared(inputs, out, next(one for one in done if one.returncode != 2))


def full_disk(inputs: Inputs, out: Path, chance: random.Random) -> Outcome:
    """Run on a disk on which no file can grow beyond a random size, then resume with room. A flick
    may then be without its clip.
    """
    size = chance.randrange(LEAST_BYTES, (inputs.whole / "record.jsonl").stat().st_size)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    done = run(inputs.command(out, "--no-ui"), preexec_fn=limited)
    after = resumed(inputs, out, clips=False)
    if "Traceback" in done.stdout + done.stderr or done.returncode not in (0, 2):
        return compared(inputs, out, done, clips=False)
    return after


def row(name: str, outcomes: Sequence[Outcome]) -> str:
    """Return one row of the table."""
    return (
        f"{name:32}  {len(outcomes):4}  {sum(o.lost for o in outcomes):4}"
        f"  {sum(o.twice for o in outcomes):5}  {sum(not o.same_record for o in outcomes):6}"
        f"  {sum(not o.same_standings for o in outcomes):9}"
        f"  {sum(not o.same_paths for o in outcomes):5}"
        f"  {sum(not o.same_clips for o in outcomes):5}"
        f"  {sum(o.traceback for o in outcomes):10}  {sum(o.status != 0 for o in outcomes):7}"
    )


def main() -> int:
    """Run everything. Return 1 if a match differs from the undisturbed one."""
    parser = Arguments("damaged_folders", __doc__)
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--full", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    lines = [
        f"{'what':32}  runs  lost  twice  record  standings  paths  clips  tracebacks  refused"
    ]
    sound = True
    with tempfile.TemporaryDirectory() as work:
        inputs = prepared(Path(work) / "inputs")

        def runs(name: str, count: int, one: Callable[[Path], Outcome]) -> None:
            nonlocal sound
            outcomes = []
            for _ in track(range(count), name, console=Console(stderr=True), transient=True):
                outcomes.append(one(Path(work) / "out"))
                shutil.rmtree(Path(work) / "out", ignore_errors=True)
            sound = sound and all(outcome.sound for outcome in outcomes)
            lines.append(row(name, outcomes))
            print(lines[-1], flush=True)

        print(lines[0], flush=True)
        runs("two programs on one folder", given.pairs, lambda o: two_writers(inputs, o, chance))
        runs("a full disk, then room", given.full, lambda o: full_disk(inputs, o, chance))
        for name, damage in DAMAGES.items():
            runs(name, given.each, lambda o, d=damage: damaged(inputs, o, chance, d))
    lines += ["", "Lost and twice count lines of the record; the others count matches that differ."]
    if given.write:
        given.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(not sound)


if __name__ == "__main__":
    sys.exit(main())
