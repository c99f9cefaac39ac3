"""A record's file that some program is still writing, taken in line by line."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import msgspec

from referee.entry import Entry, Setup, named
from referee.errors import InputError
from referee.fold import Fold
from referee.games.players import FieldError
from referee.record import decode_entry
from referee.record_check import Soundness
from referee.record_file import Fact, RecordFile


class Growing:
    """A record's file, read on from where the last look ended. Begins anew when the file was written anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._begin()

    def _begin(self) -> None:
        self.fold: Fold | None = None
        self._soundness: Soundness | None = None
        self._read_bytes = 0
        self._lines = 0
        self._inode = -1
        self._left_over = b""
        self._waits = False

    @property
    def read_bytes(self) -> int:
        """How much of the file has been taken in."""
        return self._read_bytes

    @property
    def unfinished_line(self) -> int | None:
        """The number of a last line that is no whole entry, and has not grown between two looks; None where there is none."""
        return self._lines + 1 if self._waits else None

    @property
    def is_amid_line(self) -> bool:
        """Whether the file ended, at the last look, in the middle of a line."""
        return bool(self._left_over)

    def content(self) -> bytes:
        """What has been taken in of the file. Raises InputError when it cannot be read any more."""
        try:
            return self.path.read_bytes()[: self._read_bytes]
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from error

    def append(self, entry: Fact) -> None:
        """Write an entry behind all that is in the file by now; one without an id is given the next free one. Raises InputError."""
        file, _ = RecordFile.resume(self.path, mend=False)
        with closing(file):
            file.append(entry, letter="r")

    def look(self) -> bool:
        """Take in what has come since the last look; whether anything has. Raises InputError for what cannot be read."""
        try:
            with self.path.open("rb") as file:
                now = os.fstat(file.fileno())
                if now.st_ino != self._inode or now.st_size < self._read_bytes:
                    self._begin()
                    self._inode = now.st_ino
                file.seek(self._read_bytes)
                fresh = file.read()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from error
        before = self._read_bytes
        for line in fresh.splitlines(keepends=True):
            if not line.endswith(b"\n") and not _is_whole(line):
                break
            self._take(line)
            self._read_bytes += len(line)
        left_over = fresh[self._read_bytes - before :].strip()
        self._waits = bool(left_over) and left_over == self._left_over
        self._left_over = left_over
        return self._read_bytes > before

    def _take(self, line: bytes) -> None:
        self._lines += 1
        if not line.strip():
            if self._soundness is not None:
                self._soundness.skip_line()
            return
        try:
            self._add(decode_entry(line, None if self._soundness is None else self._soundness.setup.game))
        except FieldError as error:
            raise InputError(f"{self.path}: line {self._lines}: {error}") from error

    def _add(self, entry: Entry) -> None:
        if self._soundness is None or self.fold is None:
            if not isinstance(entry, Setup):
                raise FieldError("entry", "a record starts with its setup")
            self._soundness, self.fold = Soundness(entry), Fold(entry)
            for _ in range(self._lines - 1):
                self._soundness.skip_line()
            return
        self._soundness.add(entry)
        assert not isinstance(entry, Setup)  # a second setup has just been refused
        self.fold.push(named(entry, f"#{self._lines}"))


def _is_whole(line: bytes) -> bool:
    """Whether a line without an end is all there: what is being written is no JSON yet."""
    try:
        msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return False
    return True
