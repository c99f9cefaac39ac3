"""Explaining what was called in a match that goes on, and ruling on it, whatever keeps its record."""

from __future__ import annotations

import shlex
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee.comparing import ruling_makes
from referee.declaration import Declaration, Said
from referee.entry import Entry, Ruling, Setup, plain
from referee.errors import InputError
from referee.explaining import explain
from referee.fold import Fold
from referee.record import decode_entry
from referee.record_check import Soundness


class Umpire(ABC):
    """Explains calls, weighs rulings and writes them. `explain`, `weigh` and `rule` may be called from any thread.

    Who keeps the record holds `lock` while it changes the fold or writes.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()

    @property
    @abstractmethod
    def folded(self) -> Fold | None:
        """The match as far as it is known; None before it has begun."""

    @abstractmethod
    def take_in(self) -> None:
        """Take notice of what others have written meanwhile. Raises InputError for what cannot be read."""

    @abstractmethod
    def write(self, decided: Ruling | Declaration) -> None:
        """Append what people decided or said to the record. Raises InputError where it cannot stand, or nothing may be written now."""

    def explain(self, on: str) -> dict[str, Any]:
        """Why the rules made of an entry what they made of it, as plain values. Raises InputError."""
        why = explain(self._entries(), on).as_json()
        return {name: why[name] for name in ("on", "state", "rulings", "clauses")}

    def weigh(self, ruling: Ruling) -> dict[str, Any]:
        """What a ruling would change, as plain values, beside `entries`: the number of entries it was weighed against. Raises InputError."""
        entries = self._entries()
        return {"entries": len(entries) - 1, **ruling_makes(entries, _sound(entries, ruling)).as_json()}

    def rule(self, ruling: Ruling, entries: int) -> None:
        """Append a ruling that was weighed against so many `entries`. Raises InputError where there are more by now, or it cannot stand."""
        with self.lock:
            self.take_in()
            if len(self._entries()) - 1 != entries:
                raise InputError("The match has gone on meanwhile: see again what the ruling would change.")
            self.write(ruling)

    def declare(self, said: Mapping[str, Any], entries: int) -> None:
        """Append a declaration, given by its fields, that was made when there were so many `entries`. Raises InputError like `rule`."""
        with self.lock:
            self.take_in()
            first, *known = self._entries()
            assert isinstance(first, Setup)
            if len(known) != entries:
                raise InputError("The match has gone on meanwhile: look again how it stands.")
            declared = decode_entry(msgspec.json.encode({**said, "entry": "declaration"}), first.game)
            assert isinstance(declared, Said)
            self.write(msgspec.structs.replace(declared, id=None, guessed=False))

    def _entries(self) -> list[Entry]:
        """The setup and all that came behind it."""
        with self.lock:
            if self.folded is None:
                raise InputError("The match has not begun.")
            return [self.folded.first_setup, *self.folded.entries]


def _sound(entries: Sequence[Entry], ruling: Ruling) -> Ruling:
    """The ruling with an id, where it can stand behind these entries. Raises InputError."""
    first, *rest = entries
    assert isinstance(first, Setup)
    sound = Soundness(first)
    for entry in rest:
        sound.add(entry)
    number = len(entries) + 1
    while sound.has(f"r{number}"):
        number += 1
    named = msgspec.structs.replace(ruling, id=f"r{number}")
    sound.add(named)
    return named


def rulings_topic(folded: Fold) -> list[dict[str, Any]]:
    """The rulings of a record in their order, each with `holds`: whether no later one on it says that it does not."""
    made = [entry for entry in folded.entries if isinstance(entry, Ruling)]
    shown = ("id", "on", "after", "other", "verdict", "by", "reason", "then")
    return [{**{name: value for name, value in plain(ruling).items() if name in shown}, "holds": folded.rulings.in_force(ruling)} for ruling in made]


def record_topic(path: Path, folded: Fold) -> dict[str, Any]:
    """Where the record is, as it is typed in a command line, its last entry that something can be added behind, and how many `entries` it has."""
    last = next((entry.id for entry in reversed(folded.entries) if not isinstance(entry, Ruling)), "setup")
    return {"typed": typed(str(path.absolute())), "last": last, "entries": len(folded.entries)}


def typed(word: str) -> str:
    """A word as it is typed in a command line here."""
    return subprocess.list2cmdline([word]) if sys.platform == "win32" else shlex.quote(word)
