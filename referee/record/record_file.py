"""Writes the match record. Only whole lines are appended, nothing is rewritten, and several
programs may write at once.

A program that appends first locks the file and reads what others have appended. So ids, and the
names used by rulings, are checked against the whole record.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, cast

import msgspec

from referee.domain.entry import Entry, Fact, Setup
from referee.domain.errors import InputError
from referee.games.players import FieldError
from referee.record.file_lock import held
from referee.record.reading import Reader, check_bounds, line_of, split_cut


class UnwritableError(InputError):
    """Raised if entries could not be written, for example because the disk is full. The record is
    then unchanged, and the same entries can be written later.
    """


class RecordFile:
    """A record that is being written. Entries are appended as whole lines and are on the disk when
    `append` returns.
    """

    def __init__(self, path: Path, file: IO[bytes], reader: Reader) -> None:
        """Take a file that is open for appending and has not been read yet. Call `create` or
        `resume` instead of this.
        """
        self._path = path
        self._file = file
        self._reader = reader
        self._read_bytes = 0

    @classmethod
    def create(cls, path: Path | str, setup: Setup) -> RecordFile:
        """Start a new record. Raises InputError if the file exists already or the setup is
        wrong.
        """
        reader = Reader(str(path))
        try:
            reader.add(setup)
        except FieldError as error:
            raise InputError(f"{path}: line 1: {error}") from error
        try:
            _create_whole(Path(path), line_of(setup))
            record = cls(Path(path), _opened(path), reader)
            record._read_bytes = len(line_of(setup))
        except FileExistsError as error:
            raise InputError(f"{path}: there is a record already") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error
        return record

    @classmethod
    def resume(cls, path: Path | str, *, mend: bool = True) -> tuple[RecordFile, tuple[Entry, ...]]:
        """Continue a record, and return it with its entries. With `mend`, an incomplete last line
        is moved to `PATH.cut`; without it, InputError is raised for such a line. Raises InputError
        for a record that cannot be read.
        """
        check_bounds(Path(path))
        try:
            file = _opened(path)
        except FileNotFoundError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error
        record = cls(Path(path), file, Reader(str(path)))
        try:
            with held(file):
                entries = record._catch_up(mend=mend)
            record._reader.finish()
        except InputError:
            file.close()
            raise
        except OSError as error:
            file.close()
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error
        return record, entries

    def append(self, *entries: Fact, letter: str = "") -> tuple[Fact, ...]:
        """Write entries one after the other. Return all that is new in the record, with ids: what
        others have written, then these entries.

        With `letter`, an entry without an id gets the letter and the number of its line as its id,
        or the letter and the next free number. Without `letter`, such an entry gets the id `#N`,
        where N is its line. Raises InputError if an entry is not allowed in this record; then that
        entry and those after it are not written. Raises UnwritableError if the disk is full; then
        none of the entries is written.
        """
        known_bytes = self._read_bytes
        try:
            with held(self._file):
                self._check_same()
                return (*_facts(self._catch_up(mend=False)), *self._append(entries, letter))
        except OSError as error:
            self._go_back_to(known_bytes)
            raise UnwritableError(f"{self._path}: cannot be written: {error.strerror}") from error

    def look(self) -> tuple[Fact, ...]:
        """Return the complete entries that others have appended since the last look or append.
        Raises InputError for entries that cannot be read.
        """
        if os.fstat(self._file.fileno()).st_size == self._read_bytes:
            return ()
        content = self._unread()
        return _facts(self._take(content[: content.rfind(b"\n") + 1]))

    def _append(self, entries: Sequence[Fact], letter: str) -> list[Fact]:
        written: list[Fact] = []
        lines: list[bytes] = []
        try:
            for entry in entries:
                one = (
                    msgspec.structs.replace(entry, id=self._free_id(letter))
                    if letter and entry.id is None
                    else entry
                )
                written += _facts((self._reader.add(one),))
                lines.append(line_of(one))
        except FieldError as error:
            raise InputError(f"line {self._reader.lines + 1}: {error}") from error
        finally:
            self._write(b"".join(lines))
        return written

    def _free_id(self, letter: str) -> str:
        number = self._reader.lines + 1
        while self._reader.is_taken(f"{letter}{number}") or self._reader.is_taken(
            f"{letter}{number}+"
        ):
            number += 1
        return f"{letter}{number}"

    def _unread(self) -> bytes:
        self._file.seek(self._read_bytes)
        return self._file.read()

    def _take(self, lines: bytes) -> tuple[Entry, ...]:
        texts = lines.removesuffix(b"\n").split(b"\n") if lines else []
        found = tuple(entry for text in texts if (entry := self._reader.take(text)) is not None)
        self._read_bytes += len(lines)
        return found

    def _catch_up(self, *, mend: bool) -> tuple[Entry, ...]:
        """Read everything that was not read yet, while the file is locked, so that the next line
        can be written after it.
        """
        whole, cut = split_cut(self._unread())
        if cut and not mend:
            number = self._reader.lines + whole.count(b"\n") + 1
            raise InputError(
                f"{self._path}: line {number}: json: the record is cut off in the middle of its"
                " last line"
            )
        found = self._take(whole)
        if cut:
            with Path(f"{self._path}.cut").open("ab") as rest:
                rest.write(cut + b"\n")
            self._file.truncate(self._read_bytes)
        if whole and not whole.endswith(b"\n"):
            self._write(b"\n")
        return found

    def _write(self, lines: bytes) -> None:
        """Write whole lines. If that fails, remove the part that was written."""
        descriptor, left = self._file.fileno(), lines
        try:
            while left:
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, self._read_bytes)
            raise
        self._read_bytes += len(lines)

    def _go_back_to(self, known_bytes: int) -> None:
        """Forget everything that was read or counted after the first `known_bytes` bytes."""
        self._file.seek(0)
        known = self._file.read()[:known_bytes]
        self._reader, self._read_bytes = Reader(str(self._path)), 0
        self._take(known)

    def _check_same(self) -> None:
        now, mine = self._path.stat(), os.fstat(self._file.fileno())
        if not os.path.samestat(now, mine) or now.st_size < self._read_bytes:
            raise InputError(
                f"{self._path}: another program has replaced or cut this record while it was being"
                " written"
            )

    def close(self) -> None:
        """Close the file. Nothing is lost if this is not called."""
        self._file.close()


def _create_whole(path: Path, setup: bytes) -> None:
    """Create the file together with its first line. Raises FileExistsError if the file exists."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        with unfinished.open("wb") as file:
            file.write(setup)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            raise FileExistsError(path)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _facts(entries: Sequence[Entry]) -> tuple[Fact, ...]:
    return tuple(
        entry for entry in entries if not isinstance(entry, Setup)
    )  # a second setup is refused


def _opened(path: Path | str) -> IO[bytes]:
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
    return cast("IO[bytes]", os.fdopen(descriptor, "ab+", buffering=0))
