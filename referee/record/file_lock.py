"""A file held by one program at a time, among those that ask; it is let go of when the program
ends, however it ends.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

#: Where Windows locks a byte: far behind the end, so that nobody is kept from reading.
_LOCKED_BYTE = 1 << 40
_RETRY_S = 0.02

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        while True:
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except PermissionError:
                time.sleep(_RETRY_S)
            else:
                return

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextmanager
def held(file: IO[bytes]) -> Iterator[None]:
    """Hold an open file: waits while another program does. Whoever does not ask may write all the
    same. Raises OSError where files cannot be locked.

    What was written is flushed before the file is let go of; its position is anywhere then.
    """
    _lock(file.fileno())
    try:
        yield
    finally:
        file.flush()
        _unlock(file.fileno())
