"""Reads a record's file line by line while another program still writes it."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from referee.domain.entry import Entry, Fact, Setup, named
from referee.domain.errors import InputError
from referee.games.players import FieldError
from referee.record.reading import check_bounds, decode_entry
from referee.record.record_file import RecordFile
from referee.record.soundness import Soundness
from referee.replay.fold import Fold

#: A file that is missing this many times in a row is an error. Editors replace the file when they
#: save, so it may be missing for a moment.
MISSING_LOOKS: Final = 10


class RecordTail:
    """Reads a record's file from where the last look ended. If the part that was read has changed,
    the file is read again from its beginning.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: tuple[int, int, int] | None = None
        self._missing = 0
        self._begin()

    def _begin(self) -> None:
        self.fold: Fold | None = None
        self._soundness: Soundness | None = None
        self._taken = b""
        self._left_over = b""
        self._lines = 0
        self._waits = False

    @property
    def unfinished_line(self) -> int | None:
        """Return the number of the last line, if it is not a complete entry and has not grown
        between two looks; otherwise None.
        """
        return self._lines + 1 if self._waits else None

    @property
    def is_amid_line(self) -> bool:
        """Whether the file ended in the middle of a line at the last look."""
        return bool(self._left_over.strip())

    def append(self, entry: Fact) -> None:
        """Append an entry at the end of the file. An entry without an id gets the next free one.
        Raises InputError.
        """
        file, _ = RecordFile.resume(self.path, mend=False)
        with closing(file):
            file.append(entry, letter="r")

    def look(self) -> bool:
        """Read what was added since the last look. Return whether anything was added. Raises
        InputError for entries that cannot be read.
        """
        fresh = self._unread()
        if fresh is None:
            self._waits = self.is_amid_line
            return False
        taken = 0
        for line in fresh.splitlines(keepends=True):
            if not line.endswith(b"\n") and not _is_whole(line):
                break
            self._take(line)
            taken += len(line)
        self._taken += fresh[:taken]
        self._left_over = fresh[taken:]
        self._waits = False
        return taken > 0

    def _unread(self) -> bytes | None:
        """Return the part of the file that was not read yet; None if the file has not changed since
        the last look, or is missing for a moment.
        """
        if self._known is None:
            check_bounds(self.path)
        try:
            with self.path.open("rb") as file:
                now = os.fstat(file.fileno())
                self._missing = 0
                if self._known == (now.st_ino, now.st_size, now.st_mtime_ns):
                    return None
                content = file.read()
        except OSError as error:
            self._missing += 1
            if (
                isinstance(error, FileNotFoundError)
                and self._known is not None
                and self._missing < MISSING_LOOKS
            ):
                return None
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from error
        self._known = (now.st_ino, now.st_size, now.st_mtime_ns)
        if not content.startswith(self._taken):
            self._begin()
        return content[len(self._taken) :]

    def _take(self, line: bytes) -> None:
        self._lines += 1
        if not line.strip():
            if self._soundness is not None:
                self._soundness.skip_line()
            return
        try:
            self._add(
                decode_entry(line, None if self._soundness is None else self._soundness.setup.game)
            )
        except FieldError as error:
            raise InputError(f"{self.path}: line {self._lines}: {error}") from error

    def _add(self, entry: Entry) -> None:
        if self._soundness is None or self.fold is None:
            if not isinstance(entry, Setup):
                raise FieldError("entry", "a record must start with its setup")
            self._soundness, self.fold = Soundness(entry), Fold(entry)
            for _ in range(self._lines - 1):
                self._soundness.skip_line()
            return
        self._soundness.add(entry)
        assert not isinstance(entry, Setup)  # a second setup has just been refused
        self.fold.push(named(entry, f"#{self._lines}"))


def _is_whole(line: bytes) -> bool:
    """Return whether a line without a newline is a complete entry. A line that is still being
    written is not valid JSON yet.
    """
    try:
        msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return False
    return True
