"""Reads the text of a match record, strictly, one entry per line. `record_file` writes it.

A line that cannot be read is refused with `FILE: line N: FIELD: what is wrong`. Unknown fields are
ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import msgspec

from referee.domain.declaration import Declaration
from referee.domain.entry import Decided, Entry, Ruling, Setup, named, plain
from referee.domain.errors import MOST_NESTED, InputError
from referee.domain.incident import CoinTurned, Incident
from referee.games.players import FieldError
from referee.games.words import SUITS, words_of
from referee.record.decode_errors import check_json, decode_as
from referee.record.file_lock import held
from referee.record.soundness import LineError, Soundness

# Chosen: many times the size of any entry, and of the record of any evening.
MOST_LINE_BYTES: Final = 1_000_000
MOST_RECORD_BYTES: Final = 256_000_000


class _Head(msgspec.Struct):
    entry: str
    kind: str | None = None


class _WireRuling(Decided, frozen=True, kw_only=True, tag_field="entry", tag="ruling"):
    replacement: msgspec.Raw = msgspec.Raw(b"null")


_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
_BRACKETS: Final = re.compile(rb"[\[\]{}]")
_KINDS: Final = {
    kind.__struct_config__.tag for kind in (*get_args(Incident), *get_args(Declaration))
}


def decode_entry(text: bytes, game: str | None) -> Entry:
    """Decode one line of a record. `game` is the game of the match; None for the first line. Raises
    FieldError.
    """
    if len(text) > MOST_LINE_BYTES:
        raise FieldError("json", f"is longer than {MOST_LINE_BYTES // 1_000_000} MB")
    if _is_nested_deeper(text, MOST_NESTED):
        raise FieldError("json", "is nested too deeply")
    head: _Head = decode_as(text, _Head)
    check_json(text)
    return _entry(text, head, game)


def _is_nested_deeper(text: bytes, most: int) -> bool:
    """Return whether brackets outside of strings are nested more than `most` deep."""
    if text.count(b"[") + text.count(b"{") <= most:
        return False
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", text)):
        depth += 1 if bracket in b"[{" else -1
        if depth > most:
            return True
    return False


def _entry(text: bytes, head: _Head, game: str | None) -> Entry:
    if head.entry == "setup":
        setup: Setup = decode_as(text, Setup)
        return setup
    if game is None:
        raise FieldError("entry", f"is {head.entry!r}, but a record must start with its setup")
    if head.entry == "ruling":
        return _ruling(decode_as(text, _WireRuling), game)
    if head.entry not in ("incident", "declaration"):
        raise FieldError("entry", f"{head.entry!r} is not a kind of entry")
    if head.kind is None:
        raise FieldError("kind", "is missing")
    words = words_of(game)
    known = words.incidents if head.entry == "incident" else words.declarations
    if head.kind not in known:
        where = f"of {game}" if head.kind in _KINDS else "at all"
        raise FieldError("kind", f"{head.kind!r} is not a kind of {head.entry} {where}")
    fact: Entry = decode_as(text, known[head.kind])
    return _named_in_full(fact) if isinstance(fact, CoinTurned) else fact


def _named_in_full(turned: CoinTurned) -> CoinTurned:
    """Return a turned hoop marker with its full name, such as `moons-null`. A record may give only
    the suit on its face, `moons`.
    """
    full = f"{turned.coin}-null" if turned.coin in SUITS else turned.coin
    return msgspec.structs.replace(turned, coin=full)


def _ruling(wire: _WireRuling, game: str) -> Ruling:
    replacement, text = None, bytes(wire.replacement)
    if text != b"null":
        try:
            replacement = _entry(text, decode_as(text, _Head), game)
        except FieldError as error:
            raise FieldError(f"replacement.{error.field}", error.what) from error
    if isinstance(replacement, Ruling):
        raise FieldError("replacement", "must be an incident, a declaration or a setup")
    return Ruling(
        replacement=replacement,
        **{field: getattr(wire, field) for field in Decided.__struct_fields__},
    )


@dataclass(frozen=True, slots=True)
class Recovered:
    """The complete part of a record: its entries with their ids, and the number of bytes that hold
    them. `cut` is the last line if it is incomplete, otherwise b"".
    """

    entries: tuple[Entry, ...]
    sound_bytes: int
    cut: bytes


def read_record(path: Path | str) -> tuple[Entry, ...]:
    """Read all entries of a record, the setup first, each with its id. Raises InputError if
    anything cannot be read.
    """
    recovered = recover_record(path)
    if recovered.cut:
        line = bytes_of(path)[: recovered.sound_bytes].count(b"\n") + 1
        raise InputError(
            f"{path}: line {line}: json: the record is cut off in the middle of its last line"
        )
    return recovered.entries


def recover_record(path: Path | str) -> Recovered:
    """Read a record whose last line may be incomplete (without a newline after it, and not JSON).
    Raises InputError if anything else cannot be read.
    """
    content = bytes_of(path)
    sound, cut = split_cut(content)
    if cut and not sound.strip():
        sound, cut = content, b""  # a wrong single line is reported as wrong, not as cut off
    return Recovered(parse_record(sound, str(path)), len(sound), cut)


def bytes_of(path: Path | str) -> bytes:
    """Return a record's text. If its last line is incomplete, another program may be writing it:
    then wait until the file is not locked, and read the rest. Raises InputError if the file cannot
    be read.
    """
    check_bounds(Path(path))
    try:
        with Path(path).open("rb") as file:
            content = file.read()
            if split_cut(content)[1]:
                with held(file):
                    content += file.read()
            return content
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def check_bounds(path: Path) -> None:
    """Raise InputError if the path is not a regular file (a pipe, for example, may never end), or
    if the file is too long to be a record.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{path}: is not a file")
    if path.is_file() and path.stat().st_size > MOST_RECORD_BYTES:
        raise InputError(f"{path}: is longer than {MOST_RECORD_BYTES // 1_000_000} MB")


def split_cut(content: bytes) -> tuple[bytes, bytes]:
    """Split a record's text into its complete lines and an incomplete last line (b"" if there is
    none).
    """
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
    """Read a record's text. An entry without an id gets `#N`, where N is its line. `name` is the
    file's name in an InputError.
    """
    reader = Reader(name)
    entries = tuple(
        entry for text in content.split(b"\n") if (entry := reader.take(text)) is not None
    )
    reader.finish()
    return entries


class Reader:
    """Reads a record line by line. `name` is the file's name in its errors."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._soundness: Soundness | None = None
        self._before_setup = 0

    @property
    def lines(self) -> int:
        """Return the number of lines read."""
        return self._before_setup if self._soundness is None else self._soundness.lines

    def take(self, text: bytes) -> Entry | None:
        """Read the next line. Return its entry with its id, or None if the line is empty. Raises
        InputError, and does not count the line, if the entry is not allowed there.
        """
        game = None if self._soundness is None else self._soundness.setup.game
        try:
            if text.strip():
                return self.add(decode_entry(text, game))
        except FieldError as error:
            raise InputError(f"{self._name}: line {self.lines + 1}: {error}") from error
        if self._soundness is None:
            self._before_setup += 1
        else:
            self._soundness.skip_line()
        return None

    def add(self, entry: Entry) -> Entry:
        """Count an entry as the next line and return it with its id. Raises FieldError, and counts
        nothing, if the entry is not allowed there.
        """
        if self._soundness is None:
            if not isinstance(entry, Setup):
                raise FieldError("entry", "a record starts with its setup")
            self._soundness = Soundness(entry)
            for _ in range(self._before_setup):
                self._soundness.skip_line()
            return entry
        self._soundness.add(entry)
        assert not isinstance(entry, Setup)  # a second setup has just been refused
        return named(entry, f"#{self._soundness.lines}")

    def is_taken(self, name: str) -> bool:
        """Return whether an entry, or an entry that a ruling adds, has this id."""
        return self._soundness is not None and self._soundness.has(name)

    def finish(self) -> None:
        """Check that there was a setup, and that the record has everything that its entries name.
        Raises InputError.
        """
        if self._soundness is None:
            raise InputError(f"{self._name}: line 1: entry: the record is empty")
        try:
            self._soundness.finish()
        except LineError as error:
            raise InputError(f"{self._name}: line {error.line}: {error}") from error


def line_of(entry: Entry) -> bytes:
    """Return the entry as its line, with the newline."""
    return msgspec.json.encode(plain(entry)) + b"\n"


def lines_of(entries: Sequence[Entry]) -> Iterator[bytes]:
    """Return the lines of a whole record."""
    return (line_of(entry) for entry in entries)
