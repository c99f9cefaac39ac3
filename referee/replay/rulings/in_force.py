"""Works out which rulings of a record are in force, and what each is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.domain.entry import Ruling, Setup, added_id


class Rulings:
    """All rulings of a record so far. The object grows with the record."""

    def __init__(self) -> None:
        self._about: dict[str, tuple[Ruling, ...]] = {}
        self._added: dict[str, tuple[tuple[int, Ruling], ...]] = {}
        self._thens: dict[str, tuple[Ruling, ...]] = {}
        self._before: dict[str, Ruling] = {}
        self._root: dict[str, str] = {}
        self._entry: dict[str, str] = {}
        self._ruled_on: dict[str, str] = {}
        self._orders: dict[str, dict[str, int]] = {}
        #: The entries that a ruling is about, or after which a ruling adds something.
        self.concerned: set[str] = set()
        #: The incidents whose order a ruling settles.
        self.ordered: set[str] = set()

    def copy(self) -> Rulings:
        """Return an independent copy."""
        twin = Rulings()
        twin.__dict__.update(
            {
                name: value if isinstance(value, tuple) else value.copy()
                for name, value in self.__dict__.items()
            }
        )
        return twin

    def add(self, line: int, ruling: Ruling) -> None:
        """Take in the next ruling. It has an id."""
        name, on = str(ruling.id), str(ruling.on)
        if ruling.verdict == "added":
            on = str(ruling.after)
            self._added[on] = (*self._added.get(on, ()), (line, ruling))
            self._root[added_id(ruling)] = self.root(on)
            self.concerned.add(on)
        elif ruling.verdict == "before":
            self._before[name] = ruling
            self._put_in_order(ruling, len(self._before))
        else:
            self._about[on] = (*self._about.get(on, ()), ruling)
            self.concerned.add(on)
        self._root[name] = self.root(on)
        self._entry[name] = added_id(ruling) if ruling.verdict == "added" else self.entry_of(on)
        self._ruled_on[name] = self._ruled_on.get(on, name)
        if ruling.then is not None:
            self._thens[self._entry[name]] = (*self._thens.get(self._entry[name], ()), ruling)
        if self._ruled_on[name] in self._before and self._ruled_on[name] != name:
            self._order_anew()

    def root(self, name: str) -> str:
        """Return the recorded entry to which an id leads back.

        For a recorded entry, that is the entry itself. From an added entry, go to the entry it was
        added after; from a ruling, to the entry it rules on; and so on.
        """
        return self._root.get(name, name)

    def entry_of(self, name: str) -> str:
        """Return the id of the entry that `name` stands for: the entry itself or, for a ruling, the
        entry that it is about or adds. It is "setup" for the setup.
        """
        return self._entry.get(name, name)

    def thens_about(self, entry: str) -> list[str]:
        """Return the rulings about an entry that have a `then` in force. Such a ruling is itself in
        force, and no later ruling on the entry replaces it.
        """
        return [
            str(ruling.id)
            for ruling in self._thens.get(entry, ())
            if self.in_force(ruling) and self._is_last(ruling)
        ]

    def _is_last(self, ruling: Ruling) -> bool:
        if ruling.verdict == "added":
            return self.decision(added_id(ruling)) is None
        return ruling.verdict == "before" or self.decision(str(ruling.on)) is ruling

    def in_force(self, ruling: Ruling) -> bool:
        """Return whether a ruling is in force: no later ruling that is itself in force has
        overturned it.
        """
        for later in reversed(self._about.get(str(ruling.id), ())):
            if self.in_force(later):
                return later.verdict != "overturned"
        return True

    def decision(self, name: str) -> Ruling | None:
        """Return the ruling on an entry that is in force, if there is one."""
        for ruling in reversed(self._about.get(name, ())):
            if self.in_force(ruling):
                return ruling
        return None

    def additions(self, name: str) -> Iterator[tuple[int, Ruling]]:
        """Yield the rulings that add an entry after this one, each with its line, in order. Rulings
        that are not in force are included.
        """
        yield from self._added.get(name, ())

    def orders(self, among: Iterable[str]) -> list[tuple[str, str]]:
        """Return the pairs of these incidents that rulings put in order, as (first, second), in the
        order of the rulings.
        """
        found = {
            (first, second): number
            for first in among
            for second, number in self._orders.get(first, {}).items()
        }
        return sorted(found, key=found.__getitem__)

    def _put_in_order(self, ruling: Ruling, number: int) -> None:
        first, second = str(ruling.on), str(ruling.other)
        if first in (contrary := self._orders.get(second, {})):
            self._orders[second] = {
                name: number for name, number in contrary.items() if name != first
            }
        self._orders[first] = {**self._orders.get(first, {}), second: number}
        self.ordered |= {first, second}

    def _order_anew(self) -> None:
        self._orders, self.ordered = {}, set()
        for number, ruling in enumerate(self._before.values()):
            if self.in_force(ruling):
                self._put_in_order(ruling, number)

    def roots_of(self, ruling: Ruling) -> tuple[str, ...]:
        """Return the recorded entries that a ruling reaches.

        A ruling on the order of two incidents reaches both.
        """
        root, order = self.root(str(ruling.id)), self._before.get(self._ruled_on[str(ruling.id)])
        return (root,) if order is None else (root, self.root(str(order.other)))

    def setup(self, first: Setup) -> Setup:
        """Return the setup in force."""
        ruling = self.decision("setup")
        return (
            ruling.replacement
            if ruling is not None and isinstance(ruling.replacement, Setup)
            else first
        )
