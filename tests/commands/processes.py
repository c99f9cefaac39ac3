"""Runs programs beside a test, each with a time limit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

ROOT = Path(__file__).parents[2]

#: `referee`, for `python -c`, once as a terminal starts it and once as `nohup` does. A program that
#: ignores SIGINT starts programs that ignore it too. So when the tests themselves run in the
#: background, a plain `referee` would not end on SIGINT.
IN_TERMINAL, IN_BACKGROUND = (
    f"import signal; signal.signal(signal.SIGINT, signal.{handler});"
    " from referee.cli import main; main()"
    for handler in ("default_int_handler", "SIG_IGN")
)


@contextmanager
def running(
    *arguments: object, limit_s: float = 60.0, **how: Any
) -> Iterator[subprocess.Popen[str]]:
    """Run a Python program with these arguments. It ends with the block, and after `limit_s` at the
    latest, so that nothing waits for it forever.
    """
    command = [sys.executable, *map(str, arguments)]
    with subprocess.Popen(command, **{"cwd": ROOT, "text": True} | how) as process:
        limit = Timer(limit_s, process.kill)
        limit.start()
        try:
            yield process
        finally:
            limit.cancel()
            process.kill()
