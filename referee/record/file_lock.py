"""Locks a file for one program at a time, among the programs that use this lock. The lock ends when
the program ends, even if the program crashes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

#: The byte that Windows locks. It is far behind the end of the file, so that everybody can still
#: read the file.
_LOCKED_BYTE: Final = 1 << 40
_RETRY_S: Final = 0.02

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        while True:
            try:
                return _lock_at_once(descriptor)
            except BlockingIOError:
                time.sleep(_RETRY_S)

    def _lock_at_once(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def _lock_at_once(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextmanager
def held(file: IO[bytes]) -> Iterator[None]:
    """Hold the lock on an open file. Wait first while another program holds it. A program that does
    not use this lock can still write to the file. Raises OSError if files cannot be locked.

    Everything written is flushed before the lock is released. Afterwards, the position in the file
    is undefined.
    """
    _lock(file.fileno())
    try:
        yield
    finally:
        file.flush()
        _unlock(file.fileno())


@contextmanager
def held_at_once(file: IO[bytes]) -> Iterator[None]:
    """Hold the lock on an open file, without waiting for it. Raises BlockingIOError if another
    program holds it, and OSError if files cannot be locked.
    """
    _lock_at_once(file.fileno())
    try:
        yield
    finally:
        _unlock(file.fileno())
