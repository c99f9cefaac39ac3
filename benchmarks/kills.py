"""Kills `referee watch` at random instants, resumes, and compares the match with an undisturbed
one: `python -m benchmarks.kills [--kills N] [--seed S] [--write FILE]`.

Every second kill is aimed: it comes as soon as a file in the match's folder was created or grew.
The others come at any time of an undisturbed run, also before the first flick.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import track

from benchmarks.arguments import Arguments, positive
from benchmarks.match_runs import Inputs, Outcome, prepared, resumed, start

KILLS: Final = 300
#: An aimed kill comes so long after a file grew, at most, s.
AFTER_S: Final = 0.003
LEAST_CHANGES: Final = 8  # a run changes its files at least so often
PAUSE_S: Final = 0.0003  # between two looks at the folder


@dataclass(frozen=True)
class Kill:
    """One kill. `aimed` says whether it was aimed, `lines` is the number of complete lines that the
    record held at that time, and `outcome` is the result of resuming.
    """

    aimed: bool
    lines: int
    outcome: Outcome

    @property
    def when(self) -> str:
        """Return how far the match had come."""
        if not self.lines:
            return "before the record"
        return "before the first flick" if self.lines < 5 else "after the first flick"


def one_kill(inputs: Inputs, out: Path, chance: random.Random, *, aimed: bool) -> Kill:
    """Kill one run, and resume it."""
    process = start(inputs.command(out, "--no-ui"))
    if aimed:
        _wait_for_growth(
            out, chance.randrange(1, 3 * LEAST_CHANGES), time.monotonic() + inputs.run_s
        )
        time.sleep(chance.uniform(0.0, AFTER_S))
    else:
        time.sleep(chance.uniform(0.0, inputs.run_s))
    process.kill()
    process.communicate()
    record = out / "record.jsonl"
    lines = record.read_bytes().count(b"\n") if record.exists() else 0
    return Kill(aimed, lines, resumed(inputs, out))


def _wait_for_growth(out: Path, changes: int, end_s: float) -> None:
    """Wait until files in a folder have been created or have grown `changes` times."""
    before = _sizes(out)
    while changes and time.monotonic() < end_s:
        time.sleep(PAUSE_S)
        if (now := _sizes(out)) != before:
            before, changes = now, changes - 1


def _sizes(out: Path) -> tuple[tuple[str, int], ...]:
    found = []
    for folder in (out, out / "clips"):
        try:
            with os.scandir(folder) as files:
                found += [(file.name, file.stat().st_size) for file in files]
        except FileNotFoundError:
            continue
    return tuple(sorted(found))


def table_of(kills: list[Kill]) -> str:
    """Return the table of all kills."""
    rows = [
        "kill    when                    kills  lost  twice  record  standings  paths  clips"
        "  tracebacks  refused"
    ]
    for aimed in (True, False):
        for when in sorted({kill.when for kill in kills if kill.aimed == aimed}):
            own = [k.outcome for k in kills if k.aimed == aimed and k.when == when]
            rows.append(
                f"{'aimed' if aimed else 'random':6}  {when:22}  {len(own):5}"
                f"  {sum(o.lost for o in own):4}  {sum(o.twice for o in own):5}"
                f"  {sum(not o.same_record for o in own):6}"
                f"  {sum(not o.same_standings for o in own):9}"
                f"  {sum(not o.same_paths for o in own):5}"
                f"  {sum(not o.same_clips for o in own):5}"
                f"  {sum(o.traceback for o in own):10}"
                f"  {sum(o.status != 0 for o in own):7}"
            )
    rows.append("")
    rows.append("Lost and twice count lines of the record; the others count matches that differ.")
    return "\n".join(rows)


def main() -> int:
    """Run the kills. Return 1 if a match differs from the undisturbed one."""
    parser = Arguments("kills", __doc__)
    parser.add_argument("--kills", type=positive, default=KILLS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as work:
        inputs = prepared(Path(work) / "inputs")
        kills = []
        for number in track(range(given.kills), "Killing", console=Console(stderr=True)):
            out = Path(work) / "out"
            kills.append(one_kill(inputs, out, chance, aimed=number % 2 == 0))
            if not kills[-1].outcome.sound:
                print(kills[-1], file=sys.stderr, flush=True)
            shutil.rmtree(out, ignore_errors=True)
    print(table_of(kills))
    if given.write:
        given.write.write_text(table_of(kills) + "\n", encoding="utf-8")
    return int(not all(kill.outcome.sound for kill in kills))


if __name__ == "__main__":
    sys.exit(main())
