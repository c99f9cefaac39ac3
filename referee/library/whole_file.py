"""Writes a file so that a reader always finds the complete old content or the complete new content,
even if the program is killed while it writes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a path beside `path` to write to. The file takes the place of `path` when the block
    ends, and is removed if the block fails. Its suffix is that of `path`.
    """
    unfinished = path.with_name(f"{path.stem}.unfinished{path.suffix}")
    try:
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes) -> None:
    """Write a file. Its content is on the disk when the function returns. If the file cannot be
    written, leave the old content and raise OSError.
    """
    with replacing(path) as unfinished, unfinished.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
