"""Everything that is wrong with a record, not only what comes first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from referee.domain.entry import Entry, Ruling, Setup
from referee.domain.errors import InputError
from referee.domain.incident import Measured
from referee.games.players import FieldError
from referee.record.reading import decode_entry
from referee.record.soundness import Soundness


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, on one line. A `warning` does not keep the record from being
    read.
    """

    line: int
    what: str
    warning: bool = False

    def told(self, file: str) -> str:
        """The line that people read."""
        return f"{file}: line {self.line}: {self.what}"


@dataclass(frozen=True, slots=True)
class Findings:
    """What a record holds as far as it can be read, and what is wrong with it, in order of its
    lines.
    """

    setup: Setup | None
    entries: int
    problems: tuple[Problem, ...]

    @property
    def is_sound(self) -> bool:
        """Whether the record can be read."""
        return all(problem.warning for problem in self.problems)


class _Loose(msgspec.Struct):
    """What can still be known of a line that is wrong."""

    entry: str = ""
    id: str | None = None
    game: str | None = None


def problems_of(path: Path | str) -> Findings:
    """Read a record to its end and say what is wrong. Raises InputError where the file cannot be
    read at all.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return find_problems(content)


def find_problems(content: bytes) -> Findings:
    """What is wrong with a record's text."""
    lines = [
        (number, text) for number, text in enumerate(content.split(b"\n"), start=1) if text.strip()
    ]
    if not lines:
        return Findings(None, 0, (Problem(1, "entry: the record is empty"),))
    setup, found = _setup(*lines[0])
    if setup is None:
        found += _without_setup(lines)
        return Findings(None, 0, tuple(found))
    reading = _Reading(setup, lines[0][0])
    reading.take(lines[1:])
    return Findings(
        setup, reading.sound + 1, tuple(sorted(reading.found, key=lambda problem: problem.line))
    )


def _setup(number: int, text: bytes) -> tuple[Setup | None, list[Problem]]:
    try:
        entry = decode_entry(text, None)
        if not isinstance(entry, Setup):
            raise FieldError("entry", "a record starts with its setup")
        Soundness(entry)
    except FieldError as error:
        return None, [Problem(number, str(error))]
    return entry, []


def _without_setup(lines: Iterable[tuple[int, bytes]]) -> Iterator[Problem]:
    """What is wrong with the lines by themselves: without a sound setup nobody knows whom they may
    name.
    """
    (_, head), *rest = lines
    game = _loose(head).game
    for number, text in rest:
        try:
            decode_entry(text, game or "")
        except KeyError:
            return
        except FieldError as error:
            yield Problem(number, str(error))


class _Reading:
    """A record being read line by line, whatever is wrong with some of them."""

    def __init__(self, setup: Setup, line: int) -> None:
        self.found: list[Problem] = []
        self.sound = 0
        self._setup = setup
        self._soundness = Soundness(setup)
        self._skip_to(line)
        self._latest_s: float | None = None

    def take(self, lines: Iterable[tuple[int, bytes]]) -> None:
        """Read every line, and last what may be named before it stands in the record."""
        for number, text in lines:
            self._skip_to(number - 1)
            self._line(number, text)
        self.found += (Problem(error.line, str(error)) for error in self._soundness.unmet())

    def _skip_to(self, line: int) -> None:
        while self._soundness.lines < line:
            self._soundness.skip_line()

    def _line(self, number: int, text: bytes) -> None:
        entry: Entry | None = None
        try:
            entry = decode_entry(text, self._setup.game)
            self._soundness.add(entry)
        except FieldError as error:
            self.found.append(Problem(number, str(error)))
            loose = _loose(text)
            self._soundness.assume(loose.id, _about(entry, loose))
            return
        self.sound += 1
        self._time(number, entry)

    def _time(self, number: int, entry: Entry) -> None:
        """Warn of a time that is earlier than one before it: the lines' order is what holds."""
        t_s = None if isinstance(entry, Setup | Ruling) else entry.t_s
        if t_s is None:
            return
        if self._latest_s is not None and t_s < self._latest_s:
            what = (
                f"t_s: {t_s:g} s is before {self._latest_s:g} s of an earlier line; the order of"
                " the lines is the order of the entries"
            )
            self.found.append(Problem(number, what, warning=True))
            return
        self._latest_s = t_s


def _about(entry: Entry | None, loose: _Loose) -> type:
    if entry is not None:
        return type(entry)
    return Ruling if loose.entry == "ruling" else Measured


def _loose(text: bytes) -> _Loose:
    try:
        return msgspec.json.decode(text, type=_Loose)
    except (ValueError, RecursionError):
        return _Loose()
