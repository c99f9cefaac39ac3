"""Keeps OpenCV's and FFmpeg's own messages off the terminal, so that users see only this program's
message of one line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_decoders_words() -> Iterator[None]:
    """Suppress what the libraries behind OpenCV write to standard error about a damaged picture.
    The program itself reports the damage, in one line.
    """
    try:
        kept = os.dup(2)
    except OSError:  # a process without standard error, so nobody would see the messages
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
