"""Ensures that only one program at a time referees into a match folder, from the program's start to
its end.

The lock ends when the program that holds it ends, in whatever way. So the lock of a program that
was killed is free.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Final, cast

from referee.domain.errors import InputError
from referee.record.file_lock import held_at_once

#: The file in a match folder that the running program holds. It names the program.
LOCK: Final = "watch.lock"


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of an existing match folder. Raises InputError if another program referees into
    the folder, which the error names, or if the folder cannot be locked.
    """
    path = folder / LOCK
    with ExitStack() as stack:
        try:
            stack.enter_context(_own(path))
        except BlockingIOError:
            raise InputError(f"{folder}: {_holder(path)} referees this match already") from None
        except OSError as error:
            raise InputError(f"{folder}: cannot be locked ({error.strerror})") from error
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()


@contextmanager
def _own(path: Path) -> Iterator[None]:
    """Hold the lock's file. A program that ends removes the file, so a file that was opened just
    before that is no longer the lock, and the new file must be opened.
    """
    while True:
        with _opened(path) as file, held_at_once(file):
            if path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno())):
                _name_holder(file)
                yield
                return


def _opened(path: Path) -> IO[bytes]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    return cast("IO[bytes]", os.fdopen(descriptor, "rb+", buffering=0))


def _name_holder(file: IO[bytes]) -> None:
    """Write into the file who holds it. On a full disk, this is left out."""
    with suppress(OSError):
        file.truncate(0)
        file.write(f"process {os.getpid()}".encode())


def _holder(path: Path) -> str:
    with suppress(OSError):
        if name := path.read_text(encoding="utf-8", errors="replace").strip():
            return name
    return "another program"
