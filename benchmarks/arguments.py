"""Reads a benchmark's command-line arguments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from benchmarks.clip_folder import clip_folders


class Arguments(argparse.ArgumentParser):
    """The arguments of one benchmark. A wrong one ends the benchmark with one line, which says what
    is wrong, and status 2. `documentation` is the benchmark's docstring; the help shows it.
    """

    def __init__(self, benchmark: str, documentation: str | None) -> None:
        super().__init__(
            prog=f"python -m benchmarks.{benchmark}",
            description=documentation,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        """End the benchmark: `message` says which argument is wrong, and why."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")

    def clips(self, given: Sequence[Path]) -> list[Path]:
        """Return the folders that hold a clip, as `clip_folders` does. Ends the benchmark where
        a folder holds none.
        """
        try:
            return clip_folders(given)
        except FileNotFoundError as error:
            self.error(str(error))


def existing_file(name: str) -> Path:
    """Return the path of a file that an argument names. Raises ArgumentTypeError if there is
    none.
    """
    if not (path := Path(name)).is_file():
        raise argparse.ArgumentTypeError(f"there is no file {name}")
    return path


def positive(number: str) -> int:
    """Return the whole number, 1 or more, that a text gives. Raises ArgumentTypeError for any other
    text.
    """
    if not number.isdecimal() or int(number) == 0:
        raise argparse.ArgumentTypeError(f"{number!r} is not a whole number of 1 or more")
    return int(number)
