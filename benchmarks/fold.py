"""Measures how fast a record is folded: a whole match of every game, and one more entry with the
new standings.

  python -m benchmarks.fold

Each game is measured in legal play, with a foul in every flick, shot or move, and with rulings as a
fifth of the entries. Times are CPU time, so that other work on the machine counts less. For whole
matches, the best of fifteen runs counts.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import get_args

from benchmarks.arguments import Arguments
from benchmarks.long_matches import GAMES, How, long_match
from benchmarks.machine import machine
from referee.domain.entry import Entry
from referee.replay.adjudication import summary
from referee.replay.fold import Fold, extend, fold

WHOLE, BEFORE, APPENDED = 10_000, 5_000, 300
BARS_S = {"fold": 0.25, "append": 0.002}


def fold_s(entries: tuple[Entry, ...]) -> float:
    """Return the seconds that it takes to fold a record and to get the standings."""
    best = float("inf")
    for _ in range(15):
        begin = time.process_time()
        summary(fold(entries))
        best = min(best, time.process_time() - begin)
    return best


def append_s(entries: tuple[Entry, ...], *, keep_shorter: bool) -> list[float]:
    """For each of the last entries of a record, return the seconds to add it and to get the new
    standings. With `keep_shorter`, the fold without the entry stays usable.
    """
    folded: Fold = fold(entries[:-APPENDED])
    summary(folded)
    took = []
    for entry in entries[-APPENDED:]:
        begin = time.process_time()
        if keep_shorter:
            folded = extend(folded, entry)
        else:
            folded.push(entry)
        summary(folded)
        took.append(time.process_time() - begin)
    return took


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. The status is 1 when a bar is missed."""
    Arguments("fold", __doc__).parse_args(arguments)
    print(
        f"{time.strftime('%Y-%m-%d')} on {machine()}, Python {platform.python_version()}, load"
        f" average {os.getloadavg()[0]:.1f}"
    )
    print(
        f"bars: {BARS_S['fold'] * 1e3:.0f} ms for {WHOLE} entries, {BARS_S['append'] * 1e3:.0f} ms"
        f" (median) to append one to {BEFORE}; the longest times in brackets"
    )
    print(f"{'game':<19}{'play':<10}{'whole ms':>9}{'append ms':>16}{'shorter kept ms':>18}")
    missed = [line(game, how) for game in GAMES for how in get_args(How)]
    return int(any(missed))


def line(game: str, how: How) -> bool:
    """Print one line of the table. Return whether a bar is missed."""
    entries = long_match(game, WHOLE, how)
    whole_s = fold_s(entries)
    appends = [append_s(entries[: BEFORE + APPENDED], keep_shorter=keep) for keep in (False, True)]
    shown = [f"{median(took) * 1e3:.2f} ({max(took) * 1e3:.1f})" for took in appends]
    print(f"{game:<19}{how:<10}{whole_s * 1e3:>9.0f}{shown[0]:>16}{shown[1]:>18}", flush=True)
    return whole_s > BARS_S["fold"] or any(median(took) > BARS_S["append"] for took in appends)


if __name__ == "__main__":
    sys.exit(main())
