"""Runs many measurements, some of them at the same time; prints each when it is done, and continues
an interrupted series.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchmarks.clips import Runner

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Row = TypeVar("Row", bound=DataclassInstance)


def run_each(
    tasks: Sequence[Callable[[Runner], Row]], jobs: int, said: Callable[[Row], str]
) -> tuple[list[Row], bool]:
    """Run all tasks, `jobs` at a time, and print a line for each when it is done. Return the tasks'
    results, in the order of the tasks, and whether the user interrupted the run.
    """
    runner = Runner()
    done: dict[int, Row] = {}
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        waiting = {pool.submit(task, runner): number for number, task in enumerate(tasks)}
        try:
            for future in as_completed(waiting):
                row = done[waiting[future]] = future.result()
                print(f"[{len(done)}/{len(tasks)}] {said(row)}", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            for future in waiting:
                future.cancel()
            runner.stop()
    return [done[number] for number in sorted(done)], len(done) < len(tasks)


def once(
    path: Path, again: bool, kind: type[Row], run: Callable[[], Row], sound: Callable[[Row], bool]
) -> Row:
    """Return the row that an earlier run wrote to `path`. If there is none, or with `again`, call
    `run`, and write its row if the row is `sound`.
    """
    if path.exists() and not again:
        return kind(**json.loads(path.read_text(encoding="utf-8")))
    path.parent.mkdir(parents=True, exist_ok=True)
    row = run()
    if sound(row):
        path.write_text(json.dumps(asdict(row)), encoding="utf-8")
    return row


def aligned(lines: Sequence[Sequence[str]], left: Sequence[int]) -> list[str]:
    """Return lines of cells as text in columns; those in `left` are aligned left."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return [
        "  ".join(
            f"{cell:{'<' if k in left else '>'}{widths[k]}}" for k, cell in enumerate(line)
        ).rstrip()
        for line in lines
    ]
