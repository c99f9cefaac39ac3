"""The order in which the rules read the incidents and declarations of a record."""

from __future__ import annotations

from referee.domain.incident import AtRest, Flicked


class ReadingOrder:
    """Keeps the incidents and declarations of a record in order. An entry that a ruling adds stands
    after the entry that the ruling names.

    `flick_of` says to which flick an entry belongs. All methods name entries by their ids.
    """

    def __init__(self) -> None:
        self._before: dict[str, str] = {}
        self._following: dict[str, str] = {}
        self._added: dict[str, str] = {}
        self._bounds: dict[str, object] = {}
        self._end = "setup"

    def append(self, name: str, entry: object) -> None:
        """Put the next entry of the record after all others."""
        self._put(name, self._end)
        self.read_as(name, entry)

    def insert(self, name: str, entry: object, after: str) -> None:
        """Put an entry that a ruling adds after the entry `after`, and after entries that were
        already added there.
        """
        last = after
        while last in self._added:
            last = self._added[last]
        self._added[after] = name
        self._put(name, last)
        self.read_as(name, entry)

    def read_as(self, name: str, entry: object) -> None:
        """Note that `entry` is now read in the place of the entry `name`. A `flicked` begins a
        flick and an `at_rest` ends it.
        """
        self._bounds.pop(name, None)
        if isinstance(entry, Flicked | AtRest):
            self._bounds[name] = entry

    def flick_of(self, name: str) -> str:
        """Return the id of the `flicked` whose flick an entry belongs to. Between flicks, return
        the id of the `at_rest` before it, or "setup".
        """
        if isinstance(self._bounds.get(name), Flicked):
            return name
        name = self._before[name]
        while name != "setup" and name not in self._bounds:
            name = self._before[name]
        return name

    def _put(self, name: str, last: str) -> None:
        self._before[name] = last
        following = self._following.pop(last, None)
        self._following[last] = name
        if following is None:
            self._end = name
        else:
            self._before[following] = name
            self._following[name] = following
