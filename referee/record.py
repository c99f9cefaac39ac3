"""The match record on disk: read strictly, written one entry a line, never rewritten.

What cannot be read is refused with `FILE: line N: FIELD: what is wrong`. Unknown fields are ignored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, get_args

import msgspec

from referee.declaration import Declaration
from referee.entry import Decided, Entry, Ruling, Setup, named, plain
from referee.errors import InputError
from referee.games.players import FieldError
from referee.games.words import words_of
from referee.incident import Incident
from referee.record_check import LineError, Soundness


class _Head(msgspec.Struct):
    entry: str
    kind: str | None = None


class _WireRuling(Decided, frozen=True, kw_only=True, tag_field="entry", tag="ruling"):
    replacement: msgspec.Raw = msgspec.Raw(b"null")


_HEAD = msgspec.json.Decoder(_Head)
_KINDS = {kind.__struct_config__.tag for kind in (*get_args(Incident), *get_args(Declaration))}


@cache
def _decoder(kind: type) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _decode(text: bytes, kind: type) -> Any:
    """Decode one JSON value as `kind`. Raises FieldError that names the field."""
    try:
        return _decoder(kind).decode(text)
    except msgspec.ValidationError as error:
        raise _field_error(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise FieldError("json", f"cannot be read: {str(error).removeprefix('JSON is malformed: ')}") from error


def _field_error(message: str) -> FieldError:
    what, _, path = message.partition(" - at `$")
    where = path.rstrip("`").lstrip(".")
    missing = re.fullmatch(r"Object missing required field `(.*)`", what)
    if missing:
        return FieldError(f"{where}.{missing[1]}".lstrip("."), "is missing")
    return FieldError(where or "entry", what[:1].lower() + what[1:])


def decode_entry(text: bytes, game: str | None) -> Entry:
    """One line of a record as an entry; `game` is the match's, None for the first line. Raises FieldError."""
    head: _Head = _decode(text, _Head)
    if head.entry == "setup":
        setup: Setup = _decode(text, Setup)
        return setup
    if game is None:
        raise FieldError("entry", f"is {head.entry!r}, but a record starts with its setup")
    if head.entry == "ruling":
        return _ruling(_decode(text, _WireRuling), game)
    if head.entry not in ("incident", "declaration"):
        raise FieldError("entry", f"{head.entry!r} is no entry of a record")
    if head.kind is None:
        raise FieldError("kind", "is missing")
    words = words_of(game)
    known = words.incidents if head.entry == "incident" else words.declarations
    if head.kind not in known:
        where = f"of {game}" if head.kind in _KINDS else "at all"
        raise FieldError("kind", f"{head.kind!r} is no {head.entry} {where}")
    fact: Entry = _decode(text, known[head.kind])
    return fact


def _ruling(wire: _WireRuling, game: str) -> Ruling:
    replacement = None
    if bytes(wire.replacement) != b"null":
        try:
            replacement = decode_entry(bytes(wire.replacement), game)
        except FieldError as error:
            raise FieldError(f"replacement.{error.field}", error.what) from error
    if isinstance(replacement, Ruling):
        raise FieldError("replacement", "must be an incident, a declaration or a setup")
    return Ruling(replacement=replacement, **{field: getattr(wire, field) for field in Decided.__struct_fields__})


@dataclass(frozen=True, slots=True)
class Recovered:
    """A record as far as it is sound: its entries with their ids, how many bytes hold them, and what is cut off behind (b"" when nothing is)."""

    entries: tuple[Entry, ...]
    sound_bytes: int
    cut: bytes


def read_record(path: Path | str) -> tuple[Entry, ...]:
    """All entries of a record, setup first, each with its id. Raises InputError for anything that cannot be read."""
    recovered = recover_record(path)
    if recovered.cut:
        line = len(_bytes_of(path)[: recovered.sound_bytes].splitlines()) + 1
        raise InputError(f"{path}: line {line}: json: the record is cut off in the middle of its last line")
    return recovered.entries


def recover_record(path: Path | str) -> Recovered:
    """A record whose last line may be cut off in its middle (no newline behind it, and not JSON). Raises InputError for anything else."""
    content = _bytes_of(path)
    sound, cut = _split_cut(content)
    return Recovered(parse_record(sound, str(path)), len(sound), cut)


def _bytes_of(path: Path | str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def _split_cut(content: bytes) -> tuple[bytes, bytes]:
    end = content.rfind(b"\n") + 1
    last = content[end:]
    if not last.strip():
        return content, b""
    try:
        msgspec.json.decode(last)
    except (ValueError, RecursionError):
        return content[:end], last
    return content, b""


def parse_record(content: bytes, name: str = "record") -> tuple[Entry, ...]:
    """The entries of a record's text, each with its id (`#N` by its line where it has none). Raises InputError, naming `name` as the file."""
    lines = content.split(b"\n")
    entries: list[Entry] = []
    soundness: Soundness | None = None
    number = 1
    try:
        for number, text in enumerate(lines, start=1):
            soundness = _read_line(text, number, soundness, entries)
        if soundness is not None:
            soundness.finish()
    except LineError as error:
        raise InputError(f"{name}: line {error.line}: {error}") from error
    except FieldError as error:
        raise InputError(f"{name}: line {number}: {error}") from error
    if soundness is None:
        raise InputError(f"{name}: line 1: entry: the record is empty")
    return tuple(entries)


def _read_line(text: bytes, number: int, soundness: Soundness | None, entries: list[Entry]) -> Soundness | None:
    if not text.strip():
        if soundness is not None:
            soundness.skip_line()
        return soundness
    entry = decode_entry(text, None if soundness is None else soundness.setup.game)
    if soundness is None:
        if not isinstance(entry, Setup):
            raise FieldError("entry", "a record starts with its setup")
        entries.append(entry)
        soundness = Soundness(entry)
        for _ in range(number - 1):
            soundness.skip_line()
        return soundness
    soundness.add(entry)
    entries.append(entry if isinstance(entry, Setup) else named(entry, f"#{number}"))
    return soundness


def line_of(entry: Entry) -> bytes:
    """The entry as its line, newline included."""
    return msgspec.json.encode(plain(entry)) + b"\n"


class RecordFile:
    """A record being written: entries are appended one whole line at a time and are on the disk when `append` returns."""

    def __init__(self, file: IO[bytes], soundness: Soundness) -> None:
        """Take an open file that holds what `soundness` has read; use `create` or `resume`."""
        self._file = file
        self._soundness = soundness

    @classmethod
    def create(cls, path: Path | str, setup: Setup) -> RecordFile:
        """Start a new record. Raises InputError when there is a file already, or the setup is wrong."""
        try:
            soundness = Soundness(setup)
        except FieldError as error:
            raise InputError(f"{path}: line 1: {error}") from error
        try:
            file = Path(path).open("xb")  # noqa: SIM115 - it stays open as long as the match is played
        except FileExistsError as error:
            raise InputError(f"{path}: there is a record already") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error
        record = cls(file, soundness)
        record._write(line_of(setup))
        return record

    @classmethod
    def resume(cls, path: Path | str) -> tuple[RecordFile, tuple[Entry, ...]]:
        """Go on with a record; gives its entries too. A last line cut in its middle is moved to `PATH.cut`. Raises InputError."""
        recovered = recover_record(path)
        setup, *rest = recovered.entries
        assert isinstance(setup, Setup)
        soundness = Soundness(setup)
        for entry in rest:
            soundness.add(entry)
        content = _bytes_of(path)
        while soundness.lines < content[: recovered.sound_bytes].rstrip(b"\n").count(b"\n") + 1:
            soundness.skip_line()
        file = Path(path).open("r+b")  # noqa: SIM115 - it stays open as long as the match is played
        if recovered.cut:
            with Path(f"{path}.cut").open("ab") as cut:
                cut.write(recovered.cut + b"\n")
        file.truncate(recovered.sound_bytes)
        file.seek(0, os.SEEK_END)
        record = cls(file, soundness)
        if content[: recovered.sound_bytes][-1:] != b"\n":
            record._write(b"\n")
        return record, recovered.entries

    def append(self, entry: Incident | Declaration | Ruling) -> Incident | Declaration | Ruling:
        """Write one entry and give it back with its id. Raises InputError, and writes nothing, when it cannot stand in this record."""
        try:
            self._soundness.add(entry)
        except FieldError as error:
            raise InputError(f"line {self._soundness.lines + 1}: {error}") from error
        self._write(line_of(entry))
        return named(entry, f"#{self._soundness.lines}")

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; nothing is lost by not calling this."""
        self._file.close()


def lines_of(entries: Sequence[Entry]) -> Iterator[bytes]:
    """The lines of a whole record."""
    return (line_of(entry) for entry in entries)
