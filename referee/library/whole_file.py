"""Writes a file so that whoever reads it finds the old content or the new one, whole, even if the
program is killed meanwhile.
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
    """Write a file, which is on the disk when this returns. Raises OSError, and leaves the old
    content, where it cannot be written.
    """
    with replacing(path) as unfinished, unfinished.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
