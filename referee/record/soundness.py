"""Checks whether the entries of a record can be read one after the other. It does not check the
rules of the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.domain import incident as seen
from referee.domain.declaration import Declaration
from referee.domain.entry import Entry, Ruling, Setup, added_id
from referee.domain.incident import Incident
from referee.games.players import FieldError
from referee.record.fact_checks import check_fact
from referee.record.reading_order import ReadingOrder
from referee.record.ruling_checks import check_ruling
from referee.record.setup_checks import check_setup
from referee.record.vocabulary import Vocabulary


class LineError(FieldError):
    """Raised if a field of an earlier line is wrong."""

    def __init__(self, line: int, field: str, what: str) -> None:
        super().__init__(field, what)
        self.line = line


class Soundness:
    """Checks each next entry of a record against the entries before it."""

    def __init__(self, setup: Setup) -> None:
        """Start with the record's setup. Raises FieldError if the setup is wrong."""
        check_setup(setup)
        self.setup = setup
        self._known = Vocabulary(setup)
        self._order = ReadingOrder()
        self._hit: list[tuple[int, str, str]] = []
        self._until: list[tuple[int, str, str]] = []
        self._lines = 1

    @property
    def lines(self) -> int:
        """Return the number of lines read."""
        return self._lines

    def has(self, name: str) -> bool:
        """Return whether an entry, or an entry that a ruling adds, has this id."""
        return name in self._known.ids

    def skip_line(self) -> None:
        """Count a line without an entry."""
        self._lines += 1

    def add(self, entry: Entry) -> None:
        """Check the next entry, and keep the names in it that later entries may use. Raises
        FieldError, and keeps nothing, if the entry is wrong.
        """
        if isinstance(entry, Setup):
            raise FieldError("entry", "a second setup")
        name = self._new_id(entry.id)
        if isinstance(entry, Ruling):
            check_ruling(entry, name, self._known, self._order)
        else:
            check_fact(entry, self._known)
        self._lines += 1
        self._known.ids[name] = type(entry)
        if isinstance(entry, Ruling):
            self._remember_ruling(name, entry)
        else:
            self._order.append(name, entry)
            self._remember(entry)

    def assume(self, name: str | None, about: type) -> None:
        """Count a line whose entry is wrong. Later entries may still refer to it, so that one
        mistake is reported only once.
        """
        self._lines += 1
        name = name or f"#{self._lines}"
        if name not in self._known.ids:
            self._known.ids[name] = about
            self._order.append(name, None)

    def finish(self) -> None:
        """Check that the record has everything to which its entries refer. Raises LineError."""
        for error in self.unmet():
            raise error

    def unmet(self) -> Iterator[LineError]:
        """Yield an error for every name that an entry uses and that the record does not have so
        far.
        """
        for line, name, field in self._hit:
            if not self._known.is_hit(name):
                yield LineError(line, field, f"{name!r} is not a coin, place or tile of this match")
        for line, name, field in self._until:
            if name not in self._known.ids:
                yield LineError(line, field, f"there is no entry {name!r}")

    def _new_id(self, own: str | None) -> str:
        if own == "":
            raise FieldError("id", "is empty")
        name = own or f"#{self._lines + 1}"
        if name in self._known.ids:
            raise FieldError("id", f"{name!r} is already the id of an earlier entry")
        return name

    def _remember_ruling(self, name: str, ruling: Ruling) -> None:
        new = ruling.replacement
        if new is None or ruling.verdict not in ("added", "replaced"):
            return
        if isinstance(new, Setup):
            self._known.add_players(new)
            return
        if ruling.verdict == "added":
            added = added_id(ruling, name)
            self._known.ids[added] = type(new)
            self._order.insert(added, new, str(ruling.after))
        else:
            self._order.read_as(str(ruling.on), new)
        self._remember(new, "replacement.")

    def _remember(self, entry: Incident | Declaration, within: str = "") -> None:
        match entry:
            case seen.TileDisplaced(tile=tile) | seen.TileRestored(tile=tile):
                self._known.tiles.add(tile)
            case seen.Contact(with_=other) if not self._known.is_hit(other):
                self._hit.append((self._lines, other, f"{within}with"))
            case seen.Renamed(until=str(until)):
                self._until.append((self._lines, until, f"{within}until"))
