"""Finds all problems of a record, not only the first one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from referee.domain.entry import Entry, Ruling, Setup
from referee.domain.errors import InputError
from referee.domain.incident import Measured
from referee.games.players import FieldError
from referee.record.reading import check_bounds, decode_entry
from referee.record.soundness import Soundness


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem and the number of its line. A record whose problems are only `warning`s can be
    read.
    """

    line: int
    what: str
    warning: bool = False

    def in_words(self, file: str) -> str:
        """Return the problem as a line of text for people."""
        return f"{file}: line {self.line}: {self.what}"


@dataclass(frozen=True, slots=True)
class Findings:
    """What `find_problems` found: the setup (None if it is wrong), the number of entries that can
    be read, and the problems in order of their lines.
    """

    setup: Setup | None
    entries: int
    problems: tuple[Problem, ...]

    @property
    def is_sound(self) -> bool:
        """Whether the record can be read."""
        return all(problem.warning for problem in self.problems)


class _Outline(msgspec.Struct):
    """The fields of a wrong line that are still needed to read the lines after it."""

    entry: str = ""
    id: str | None = None
    game: str | None = None


def problems_of(path: Path | str) -> Findings:
    """Find every problem of a record. Raises InputError if the file cannot be opened."""
    try:
        check_bounds(Path(path))
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return find_problems(content)


def find_problems(content: bytes) -> Findings:
    """Find every problem of a record's text."""
    numbered = enumerate(content.split(b"\n"), start=1)
    lines = [(number, text) for number, text in numbered if text.strip()]
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
            raise FieldError("entry", "a record must start with its setup")
        Soundness(entry)
    except FieldError as error:
        return None, [Problem(number, str(error))]
    return entry, []


def _without_setup(lines: Iterable[tuple[int, bytes]]) -> Iterator[Problem]:
    """Yield the problems of each line taken by itself. Without a correct setup, it is not known
    which names the lines may use.
    """
    (_, first), *rest = lines
    game = _outline(first).game
    for number, text in rest:
        try:
            decode_entry(text, game or "")
        except KeyError:
            return
        except FieldError as error:
            yield Problem(number, str(error))


class _Reading:
    """Reads a record to its end, even if lines are wrong."""

    def __init__(self, setup: Setup, line: int) -> None:
        self.found: list[Problem] = []
        self.sound = 0
        self._setup = setup
        self._soundness = Soundness(setup)
        self._skip_to(line)
        self._latest_s: float | None = None

    def take(self, lines: Iterable[tuple[int, bytes]]) -> None:
        """Read every line. Then check the names that may also refer to later lines."""
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
            outline = _outline(text)
            self._soundness.assume(outline.id, _kind_of(entry, outline))
            return
        self.sound += 1
        self._check_time(number, entry)

    def _check_time(self, number: int, entry: Entry) -> None:
        """Warn if an entry's time is before that of an earlier line."""
        t_s = None if isinstance(entry, Setup) else entry.t_s
        if t_s is None:
            return
        if self._latest_s is not None and t_s < self._latest_s:
            what = (
                f"t_s: {t_s:g} s is before the {self._latest_s:g} s of an earlier line; the order"
                " of the lines counts"
            )
            self.found.append(Problem(number, what, warning=True))
            return
        self._latest_s = t_s


def _kind_of(entry: Entry | None, outline: _Outline) -> type:
    if entry is not None:
        return type(entry)
    return Ruling if outline.entry == "ruling" else Measured


def _outline(text: bytes) -> _Outline:
    try:
        return msgspec.json.decode(text, type=_Outline)
    except (ValueError, RecursionError):
        return _Outline()
