"""The record as its rulings leave it: which entries count, in which order, under which names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.domain.declaration import Agreed, Declaration, Said
from referee.domain.entry import Player, Ruling, Setup
from referee.domain.incident import AtRest, Contact, Flicked, Incident, Measured, Renamed, Unseen

Fact = Incident | Declaration | Ruling


class Played(msgspec.Struct, frozen=True, gc=False):
    """When something was played: the entry that began the turn, and whose turn it was."""

    turn: str
    player: str


class Keep(msgspec.Struct, frozen=True, gc=False):
    """How something played before a ruling stays as it was played (`then: keep`), which was `when`;
    `flicks` when flicks were made in between.

    `passes`: so many turns that play had gone on from end before it. `void`: its player had no
    right to it; `late`: for the turn was over. `was`: the state in which it was played, in games
    without flicks, and `ended` that of its `Reach`.
    """

    passes: int = 0
    void: bool = False
    late: bool = False
    when: Played | None = None
    flicks: bool = False
    was: Any = None
    ended: Any = None


class Item(msgspec.Struct, frozen=True, gc=False):
    """One entry as it now reads. `line` numbers the entry of the record that put it here (of an
    added one the ruling).

    `counts` is False for rulings and for what was overturned; `given` is the ruling that put it
    here (its names are true ones and it is certain), "" where none did; `upheld` when a ruling lets
    it stand; `added` when it is no entry of the record; `gone` when it was taken away with its
    whole flick, `rewound` with the play that a later ruling took back; `kept` when a later ruling
    lets it stay as it was played, which `keep` says how.
    """

    id: str
    line: int
    entry: Fact
    counts: bool = True
    given: str = ""
    upheld: bool = False
    added: bool = False
    gone: bool = False
    rewound: bool = False
    kept: bool = False
    keep: Keep | None = None


class Rulings:
    """All rulings of a record so far, and what they come to. Lives as long as the record grows."""

    def __init__(self) -> None:
        self._about: dict[str, tuple[Ruling, ...]] = {}
        self._added: dict[str, tuple[tuple[int, Ruling], ...]] = {}
        self._thens: dict[str, tuple[Ruling, ...]] = {}
        self._before: dict[str, Ruling] = {}
        self._root: dict[str, str] = {}
        self._entry: dict[str, str] = {}
        self._ruled_on: dict[str, str] = {}
        self._orders: dict[str, dict[str, int]] = {}
        self._ordered: set[str] = set()

    def copy(self) -> Rulings:
        """A copy that can grow by itself."""
        twin = Rulings()
        twin.__dict__.update(
            {
                name: value if isinstance(value, tuple) else value.copy()
                for name, value in self.__dict__.items()
            }
        )
        return twin

    def add(self, line: int, ruling: Ruling) -> None:
        """Take in the next ruling, which has an id."""
        name, on = str(ruling.id), str(ruling.on)
        if ruling.verdict == "added":
            on = str(ruling.after)
            self._added[on] = (*self._added.get(on, ()), (line, ruling))
            self._root[added_id(ruling)] = self.root(on)
        elif ruling.verdict == "before":
            self._before[name] = ruling
            self._put_in_order(ruling, len(self._before))
        else:
            self._about[on] = (*self._about.get(on, ()), ruling)
        self._root[name] = self.root(on)
        self._entry[name] = added_id(ruling) if ruling.verdict == "added" else self.entry_of(on)
        self._ruled_on[name] = self._ruled_on.get(on, name)
        if ruling.then is not None:
            self._thens[self._entry[name]] = (*self._thens.get(self._entry[name], ()), ruling)
        if self._ruled_on[name] in self._before and self._ruled_on[name] != name:
            self._order_anew()

    def root(self, name: str) -> str:
        """The entry of the record that an id goes back to: itself, or what it was added behind or
        ruled on, and so on.
        """
        return self._root.get(name, name)

    def entry_of(self, name: str) -> str:
        """The entry an id is about: itself, or what a ruling is about or adds; "setup" for the
        setup.
        """
        return self._entry.get(name, name)

    def thens_about(self, entry: str) -> Iterator[Ruling]:
        """The rulings about an entry whose `then` holds: those in force that are the last on it."""
        for ruling in self._thens.get(entry, ()):
            if self.in_force(ruling) and self._is_last(ruling):
                yield ruling

    def _is_last(self, ruling: Ruling) -> bool:
        if ruling.verdict == "added":
            return self.decision(added_id(ruling)) is None
        return ruling.verdict == "before" or self.decision(str(ruling.on)) is ruling

    def in_force(self, ruling: Ruling) -> bool:
        """Whether a ruling holds: the last one about it that holds itself has not overturned it."""
        for later in reversed(self._about.get(str(ruling.id), ())):
            if self.in_force(later):
                return later.verdict != "overturned"
        return True

    def decision(self, name: str) -> Ruling | None:
        """The ruling that holds about an entry, if any."""
        for ruling in reversed(self._about.get(name, ())):
            if self.in_force(ruling):
                return ruling
        return None

    def concern(self, name: str) -> bool:
        """Whether any ruling is about an entry or adds something behind it."""
        return name in self._about or name in self._added

    def additions(self, name: str) -> Iterator[tuple[int, Ruling]]:
        """What rulings added behind an entry, in their order, whether or not they hold."""
        yield from self._added.get(name, ())

    def orders(self, among: Iterable[str]) -> list[tuple[str, str]]:
        """The pairs (first, second) of these incidents whose order was ruled on, as they were ruled
        one after the other.
        """
        found = {
            (first, second): number
            for first in among
            for second, number in self._orders.get(first, {}).items()
        }
        return sorted(found, key=found.__getitem__)

    def is_ordered(self, name: str) -> bool:
        """Whether an incident's order among others was ruled on."""
        return name in self._ordered

    def _put_in_order(self, ruling: Ruling, number: int) -> None:
        first, second = str(ruling.on), str(ruling.other)
        if first in (contrary := self._orders.get(second, {})):
            self._orders[second] = {
                name: number for name, number in contrary.items() if name != first
            }
        self._orders[first] = {**self._orders.get(first, {}), second: number}
        self._ordered |= {first, second}

    def _order_anew(self) -> None:
        self._orders, self._ordered = {}, set()
        for number, ruling in enumerate(self._before.values()):
            if self.in_force(ruling):
                self._put_in_order(ruling, number)

    def roots_of(self, ruling: Ruling) -> tuple[str, ...]:
        """The entries of the record that a ruling reaches: the one it goes back to, and the other
        of two whose order it settles or gives up.
        """
        root, order = self.root(str(ruling.id)), self._before.get(self._ruled_on[str(ruling.id)])
        return (root,) if order is None else (root, self.root(str(order.other)))

    def setup(self, first: Setup) -> Setup:
        """The setup that holds."""
        ruling = self.decision("setup")
        return (
            ruling.replacement
            if ruling is not None and isinstance(ruling.replacement, Setup)
            else first
        )


def added_id(ruling: Ruling) -> str:
    """The id of the entry that a ruling adds: its own, else the ruling's with `+` behind it."""
    own = (
        None
        if ruling.replacement is None or isinstance(ruling.replacement, Setup)
        else ruling.replacement.id
    )
    return own if own is not None else f"{ruling.id}+"


class Names:
    """The exchanges of names in force at one point of the record (`renamed`), composed in their
    order.
    """

    def __init__(self, exchanges: tuple[tuple[Mapping[str, str], str | None], ...] = ()) -> None:
        self._exchanges = exchanges

    def after(self, item: Item) -> Names:
        """The names in force behind `item`."""
        left = self._exchanges
        if left and any(until == item.id for _, until in left):
            left = tuple(exchange for exchange in left if exchange[1] != item.id)
        if item.counts and isinstance(item.entry, Renamed):
            left = (*left, (item.entry.coins, item.entry.until))
        return self if left is self._exchanges else Names(left) if left else NO_NAMES

    def true(self, name: str) -> str:
        """The true name of a piece that was seen under `name`."""
        for exchange, _ in self._exchanges:
            name = exchange.get(name, name)
        return name

    def same_as(self, other: Names) -> bool:
        """Whether the same exchanges are in force."""
        return self._exchanges == other._exchanges

    def read(self, entry: Fact) -> Fact:
        """An incident of the record with true names; declarations and rulings as they are."""
        if not self._exchanges or not isinstance(entry, Measured) or isinstance(entry, Renamed):
            return entry
        changes: dict[str, Any] = {}
        if hasattr(entry, "coin"):
            changes["coin"] = self.true(entry.coin)
        if hasattr(entry, "pawn"):
            changes["pawn"] = self.true(entry.pawn)
        match entry:
            case Flicked():
                changes["touching"] = tuple(self.true(name) for name in entry.touching)
            case Contact():
                changes["with_"] = self.true(entry.with_)
            case AtRest():
                changes["coins"] = {self.true(name): at for name, at in entry.coins.items()}
            case Unseen():
                changes["pieces"] = tuple(self.true(name) for name in entry.pieces)
        return replace(entry, **changes)


NO_NAMES = Names()


def with_names_of(entry: Fact, setup: Setup, others: list[Setup]) -> Fact:
    """The entry with players' names of another setup of the record read as those of the setup that
    holds (same piece, else same place).
    """
    names = {player.name for player in setup.players}
    said = getattr(entry, "player", None)
    changes: dict[str, Any] = {}
    if said is not None and said not in names:
        changes["player"] = _successor(said, setup, others)
    if isinstance(entry, Agreed) and isinstance(entry.winner, str) and entry.winner not in names:
        changes["winner"] = _successor(entry.winner, setup, others)
    if isinstance(entry, Agreed) and isinstance(entry.winner, tuple):
        changes["winner"] = tuple(
            name if name in names else _successor(name, setup, others) for name in entry.winner
        )
    return replace(entry, **changes) if changes else entry


def _successor(name: str, setup: Setup, others: list[Setup]) -> str:
    for other in others:
        for place, player in enumerate(other.players):
            if player.name == name:
                piece = _piece(player)
                same = [now.name for now in setup.players if _piece(now) == piece]
                return same[0] if same else setup.players[min(place, len(setup.players) - 1)].name
    return name


def _piece(player: Player) -> object:
    return player.coin, player.pawn, player.pawns


def expand(line: int, entry: Fact, rulings: Rulings) -> list[Item]:
    """One entry of the record as it now reads, and what was added behind it."""
    name = str(entry.id)
    if isinstance(entry, Ruling):
        return [Item(name, line, entry, counts=False)]
    if not rulings.concern(name):
        return [Item(name, line, entry)]
    return [_decided(name, line, entry, rulings), *added_behind(name, rulings)]


def added_behind(name: str, rulings: Rulings) -> list[Item]:
    """What was added behind an entry, each with what was added behind it in turn."""
    found: list[Item] = []
    for line, ruling in rulings.additions(name):
        new = ruling.replacement
        assert isinstance(new, Measured | Said)
        item = _decided(added_id(ruling), line, new, rulings, given=str(ruling.id))
        found.append(replace(item, added=True, counts=item.counts and rulings.in_force(ruling)))
        found += added_behind(item.id, rulings)
    return found


def _decided(
    name: str, line: int, entry: Incident | Declaration, rulings: Rulings, *, given: str = ""
) -> Item:
    ruling = rulings.decision(name)
    verdict = None if ruling is None else ruling.verdict
    if (
        verdict == "replaced"
        and ruling is not None
        and isinstance(ruling.replacement, Measured | Said)
    ):
        entry, given = ruling.replacement, str(ruling.id)
    upheld = verdict == "upheld" or (given != "" and not isinstance(entry, (Flicked, Unseen)))
    own = entry if entry.id == name else replace(entry, id=name)
    return Item(name, line, own, counts=verdict != "overturned", given=given, upheld=upheld)
