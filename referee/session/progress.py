"""Shows on the terminal how far long work has progressed."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class FrameProgress:
    """A progress bar on standard error that follows the frames of a video. For a camera, which has
    no end, it is a running clock instead. Use it in a `with` statement.

    `frames` is the estimated number of frames; None if there is no end. Nothing is drawn if
    standard error is not a terminal.
    """

    def __init__(self, title: str, frames: int | None, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        ends = (
            (BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
            if frames
            else (TimeElapsedColumn(),)
        )
        self._frames = frames
        self._bar = Progress(
            TextColumn("{task.description}"),
            *ends,
            TextColumn("{task.fields[said]}"),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task(title, total=frames, said="")

    def __enter__(self) -> FrameProgress:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def update(self, number: int, t_s: float) -> None:
        """Show that the frame `number` (counted from 0), whose time is `t_s`, is done."""
        done = number + 1
        total = None if self._frames is None else max(self._frames, done)
        self._bar.update(self._task, completed=done, total=total, said=f"{t_s:.1f} s")

    def say(self, line: str) -> None:
        """Print a line above the bar. If no bar is drawn, print it on standard output, so that
        standard error has only problems.
        """
        if self._bar.disable:
            print(line, flush=True)
        else:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)


class StageProgress:
    """Shows the current stage of long work, with a running clock, on standard error. Use it in a
    `with` statement, and call it with a description of each stage when the stage begins.

    Nothing is drawn if standard error is not a terminal.
    """

    def __init__(self, title: str, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        columns = (
            SpinnerColumn("line"),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[stage]}"),
        )
        self._work = Progress(
            *columns, console=console, disable=not console.is_terminal, transient=True
        )
        self._task = self._work.add_task(title, total=None, stage="")

    def __enter__(self) -> StageProgress:
        self._work.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._work.stop()

    def say(self, line: str) -> None:
        """Print a line above the clock. If no clock is drawn, print it on standard output, so that
        standard error has only problems.
        """
        if self._work.disable:
            print(line, flush=True)
        else:
            self._work.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def __call__(self, stage: str) -> None:
        """Show that this stage has begun."""
        self._work.update(self._task, stage=stage)
