"""Measures everything again: `make bench`, or `make bench CLIPS="FOLDER ... --jobs 2"`.

It runs one benchmark after the other. The first compares clips with their truth
(benchmarks/clips.py, which takes the same arguments). Then come the time that vision and tracking
take on these clips with the tables just surveyed, and the speed of folding records of every game.
The last two measure how long a call takes to the open dashboard, alone and on a whole clip played
at its own speed. The exit status is 1 when anything falls short, 130 when interrupted.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import clips, cost, dashboard_latency, fold, live_latency


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every benchmark. Return the exit status."""
    options = clips.parsed(arguments)
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        work = options.keep or Path(scratch)
        statuses = [clips.bench(options.folders, work, options)]
        if statuses[0] == clips.INTERRUPTED:
            return clips.INTERRUPTED
        pairs = [
            (folder / "clip.mp4", work / folder.name / "table.yaml") for folder in options.folders
        ]
        statuses.append(
            headed(
                "Cost of seeing and following",
                lambda: cost.bench([pair for pair in pairs if pair[1].exists()]),
            )
        )
    statuses.append(headed("Folding a record", lambda: fold.main([])))
    statuses.append(headed("From a call to the open dashboard", lambda: dashboard_latency.main([])))
    statuses.append(
        headed(
            "From the table to the open dashboard, on a clip at its own speed",
            lambda: live_latency.main([]),
        )
    )
    return max(statuses)


def headed(title: str, bench: Callable[[], int]) -> int:
    """Print a title and run the benchmark. Return its exit status."""
    print(f"\n{title}\n", flush=True)
    return bench()


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:
        raise SystemExit(clips.INTERRUPTED) from None
