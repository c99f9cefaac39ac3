"""Reads the entries of a record under its rulings: which count, in which order, and what became of
each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from referee.domain.declaration import Concede, Declaration, Said
from referee.domain.entry import Fact, Ruling, Setup, added_id
from referee.domain.incident import AtRest, Flicked, Incident, Measured, Renamed, Surveyed, Unseen
from referee.replay.rulings.corrected_names import NO_NAMES, Names, with_names_of
from referee.replay.rulings.in_force import Rulings
from referee.replay.rulings.items import FLICK_BOUNDS, AsPlayed, Fate, Item
from referee.replay.rulings.ruling_scope import RulingScope, RulingScopes, as_played
from referee.replay.rulings.too_close import TooClose

#: Entries that are not play. They stay when play is taken back.
NO_PLAY: Final = (Renamed, Surveyed)
#: Entries that stay when the flick around them is taken away.
STAYING: Final = (Said, *NO_PLAY)

#: A constant of its own, because Python 3.11 needs longer to look up an enumeration's member than
#: for everything else in reading a ruling.
RULING: Final = Fate.RULING


class Context(msgspec.Struct, frozen=True, gc=False):
    """How the entries before an item change the way in which that item is read.

    A context holds the names in force, the scopes of rulings that may reach the item, and whether
    its flick is taken away. There is one flag for entries that rulings added and one for recorded
    entries, because an added entry may belong to a flick that is taken away while the recorded
    entries around it do not.
    """

    names: Names = NO_NAMES
    scopes: tuple[RulingScope, ...] = ()
    taken_away: bool = False
    added_taken_away: bool = False

    def between_flicks(self) -> bool:
        """Return whether no flick is being taken away."""
        return not (self.taken_away or self.added_taken_away)


#: The usual context: no names exchanged, no ruling with a `then`, no flick taken away.
ORDINARY: Final = Context()


class EffectiveEntries:
    """The entries of a record and, under all rulings, the items they are read as.

    `contexts` holds the context after each item. The object grows with the record.
    """

    def __init__(self, setup: Setup, too_close: TooClose) -> None:
        """Start with the record's setup."""
        self.first_setup = self.setup = setup
        self.too_close = too_close
        self.entries: list[Fact] = []
        self.lines: dict[str, int] = {}
        self.rulings = Rulings()
        self.scopes = RulingScopes()
        self.items: list[Item] = []
        self.contexts: list[Context] = []
        self.starts: list[int] = []
        self._setups = [setup]

    def copy(self) -> EffectiveEntries:
        """Return an independent copy."""
        twin = object.__new__(EffectiveEntries)
        twin.__dict__.update(self.__dict__)
        for name in OWN:
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def add(self, fact: Fact) -> int:
        """Take in the next entry of the record without reading it yet. Return its line."""
        line = len(self.entries)
        self.entries.append(fact)
        self.lines[fact.id] = line  # type: ignore[index]
        return line

    def add_ruling(self, line: int, ruling: Ruling) -> None:
        """Take in what a ruling decides."""
        self.rulings.add(line, ruling)
        if type(ruling.replacement) is Setup:
            self._setups.append(ruling.replacement)

    def place_of(self, line: int) -> int:
        """Return the place of the first item of the entry on this line. The setup is line -1."""
        if line < 0:
            return 0
        return self.starts[line] if line < len(self.starts) else len(self.items)

    def cut(self, place: int, line: int) -> None:
        """Forget how the entries from `line` on were read. Their items begin at `place`."""
        del self.items[place:], self.contexts[place:], self.starts[line:]

    def has(self, name: str) -> bool:
        """Return whether there is an entry with this id."""
        return name in self.lines or any(item.id == name for item in self.items)

    def is_covered(self, line: int) -> bool:
        """Return whether the `then` of a ruling reaches the next entry, on this line."""
        scopes = self.context().scopes
        return bool(scopes) and any(scope.line >= line for scope in scopes)

    def read_added_to_setup(self) -> None:
        """Read what rulings added right after the setup."""
        for item in added_behind("setup", self.rulings):
            self._take(item)

    def read(self, line: int) -> None:
        """Read the entry on this line, and what rulings added after it."""
        self.starts.append(len(self.items))
        entry = self.entries[line]
        if self.setup is not self.first_setup:
            entry = with_names_of(entry, self.setup, self._setups)
        name: str = entry.id  # type: ignore[assignment]
        if type(entry) is Ruling:
            self._take(Item(name, line, entry, RULING))
        elif name not in self.rulings.concerned:
            self._take(Item(name, line, entry))
        else:
            self._take(decided(name, line, entry, self.rulings))
            for item in added_behind(name, self.rulings):
                self._take(item)

    def now_called(self, player: str) -> str:
        """Return the name that a player has in the setup in force."""
        entry = with_names_of(Concede(player=player), self.setup, self._setups)
        return str(getattr(entry, "player", player))

    def context(self) -> Context:
        """Return the context in which the next item is read."""
        if self.contexts:
            return self.contexts[-1]
        return Context(scopes=self.scopes.begin_behind.get(None, ()))

    def _take(self, item: Item) -> None:
        context = self.contexts[-1] if self.contexts else self.context()
        kind, ordinary = type(item.entry), context is ORDINARY
        gone = (kind is Flicked or not ordinary) and self._goes_with_flick(item, context)
        if gone or not ordinary:
            item = self._in_context(item, context, gone)
        if gone or not ordinary or kind is Renamed or item.id in self.scopes.begin_behind:
            context = self._context_behind(item, context, gone)
        self.items.append(item)
        self.contexts.append(context)

    def _goes_with_flick(self, item: Item, before: Context) -> bool:
        """Return whether an item belongs to a flick that is taken away, or begins it."""
        if type(item.entry) is Flicked and (item.fate.counts or not item.added):
            return not item.fate.counts or self.too_close.never_happened(item)
        return before.added_taken_away if item.added else before.taken_away

    def _in_context(self, item: Item, before: Context, gone: bool) -> Item:
        entry = item.entry if item.given else before.names.read(item.entry)
        fate = self._fate_with_flick(item) if gone else item.fate
        kept: AsPlayed | None = None
        if fate.counts and type(entry) not in NO_PLAY:
            covering = [scope for scope in before.scopes if scope.covers(item)]
            if any(scope.rewinds for scope in covering):
                fate = Fate.REWOUND
            elif covering:
                fate = Fate.KEPT
                kept = as_played(item.id, covering, self.now_called)
        return replace(item, entry=entry, fate=fate, as_played=kept)

    def _fate_with_flick(self, item: Item) -> Fate:
        stays = isinstance(item.entry, STAYING) or (
            isinstance(item.entry, AtRest) and flick_is_running(self.items)
        )
        if item.fate is Fate.RULING:
            return item.fate
        return Fate.SPARED if item.fate.counts and stays else Fate.TAKEN_AWAY

    def _context_behind(self, item: Item, before: Context, gone: bool) -> Context:
        names = before.names
        if names is not NO_NAMES or type(item.entry) is Renamed:
            counts = item.fate.counts and self.too_close.happened(item)
            names = names.behind(item.id, item.entry, counts=counts)
        scopes = (*before.scopes, *self.scopes.begin_behind.get(item.id, ()))
        if scopes and not item.added:
            scopes = tuple(scope for scope in scopes if scope.line > item.line)
        taken_away = gone and type(item.entry) is not AtRest
        for_record = before.taken_away if item.added else taken_away
        if names is NO_NAMES and not (scopes or taken_away or for_record):
            return ORDINARY
        return Context(names, scopes, for_record, taken_away)


OWN: Final = ("entries", "lines", "rulings", "scopes", "items", "contexts", "starts", "_setups")


def flick_is_running(items: Sequence[Item]) -> bool:
    """Return whether a flick has begun in these items and not ended."""
    for item in reversed(items):
        if item.fate.counts and type(item.entry) in FLICK_BOUNDS:
            return type(item.entry) is Flicked
    return False


def added_behind(name: str, rulings: Rulings) -> list[Item]:
    """Return the items that rulings added after an entry. Each is followed by the items that were
    added after it.
    """
    found: list[Item] = []
    for line, ruling in rulings.additions(name):
        new = ruling.replacement
        assert isinstance(new, Measured | Said)
        item = decided(added_id(ruling), line, new, rulings, given=str(ruling.id))
        fate = item.fate if rulings.in_force(ruling) else Fate.OVERTURNED
        found.append(replace(item, added=True, fate=fate))
        found += added_behind(item.id, rulings)
    return found


def decided(
    name: str, line: int, entry: Incident | Declaration, rulings: Rulings, given: str = ""
) -> Item:
    """Return an entry as it reads after the ruling on it that is in force, if there is one."""
    ruling = rulings.decision(name)
    verdict = None if ruling is None else ruling.verdict
    if ruling is not None and verdict == "replaced":
        assert isinstance(ruling.replacement, Measured | Said)
        entry, given = ruling.replacement, str(ruling.id)
    upheld = verdict == "upheld" or (given != "" and type(entry) not in (Flicked, Unseen))
    own = entry if entry.id == name else replace(entry, id=name)
    fate = Fate.OVERTURNED if verdict == "overturned" else Fate.STANDS
    return Item(name, line, own, fate, given, upheld)
