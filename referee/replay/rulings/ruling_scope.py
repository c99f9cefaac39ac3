"""The part of a record that the `then` of a ruling reaches: its scope. Also says which scopes are
in force.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.replay.rulings.items import AsPlayed, InTurn, Item, Places


class RulingScope(msgspec.Struct, frozen=True, gc=False):
    """The play that the `then` of a ruling is about.

    It begins after the item `behind` (None: at the start), which belongs to the entry on line
    `host`, and ends at the ruling's own `line`. `entry` is the entry ruled on; it counts as the
    ruling decides.

    With `keep`, `played` says when each entry of that play was played, and `flicks` whether any of
    them is a flick. In games without flicks, `played` holds the state before each entry. When the
    ruling was made, the pawns stood at `stood` and the state was `was`. If the ruling itself moves
    a pawn, `ended` is the state after the item `behind` as that item read before the ruling.
    """

    ruling: str
    entry: str
    rewinds: bool
    line: int
    behind: str | None
    host: int
    played: dict[str, Any] = {}
    flicks: bool = False
    stood: Places = ()
    was: Any = None
    ended: Any = None

    def covers(self, item: Item) -> bool:
        """Return whether an item after `behind` belongs to the play of this scope."""
        return item.line < self.line and item.id != self.entry


def begin_of(scope: RulingScope, items: Sequence[Item], end: int) -> int:
    """Return the place in `items` where the play of a scope begins. The ruling stands at `end`."""
    begin = end
    while begin and items[begin - 1].id != scope.behind:
        begin -= 1
    return begin


def as_played(
    item: str, covering: Iterable[RulingScope], now_called: Callable[[str], str]
) -> AsPlayed | None:
    """Return how an item was played when the first of the rulings `covering` it was made.

    `now_called` gives the name that a player has now.
    """
    keeping = sorted((scope for scope in covering if item in scope.played), key=_line)
    if not keeping:
        return None
    was = keeping[0].played[item]
    if isinstance(was, InTurn):
        when = replace(was, player=now_called(was.player))
        return AsPlayed(when, flicks=any(scope.flicks for scope in keeping))
    ended = next((scope.ended for scope in keeping if scope.ended is not None), None)
    return AsPlayed(was=was, ended=ended)


class RulingScopes:
    """The scope of every ruling with a `then`, and which scopes are in force."""

    def __init__(self) -> None:
        self._made: dict[str, RulingScope] = {}
        self._about: dict[str, tuple[RulingScope, ...]] = {}
        #: The scopes in force that begin right after an item.
        self.begin_behind: dict[str | None, tuple[RulingScope, ...]] = {}
        self._in_force: dict[str, RulingScope] = {}
        self._lines: list[int] = []

    def copy(self) -> RulingScopes:
        """Return an independent copy."""
        twin = RulingScopes()
        twin.__dict__.update({name: value.copy() for name, value in self.__dict__.items()})
        return twin

    def add(self, scope: RulingScope) -> None:
        """Take in the scope of the next ruling. `hold` says later whether it is in force."""
        self._made[scope.ruling] = scope

    def of(self, ruling: str) -> RulingScope | None:
        """Return the scope of a ruling if it is in force, or else None."""
        return self._in_force.get(ruling)

    def last_line(self) -> int:
        """Return the line of the last ruling in force that has a scope; -1 if there is none."""
        return self._lines[-1] if self._lines else -1

    def hold(self, entry: str, rulings: list[str]) -> int | None:
        """Put the scopes of exactly these rulings about an entry in force.

        Return the line of the first entry for which this changes anything, or None if nothing
        changes.
        """
        old = self._about.get(entry, ())
        if [scope.ruling for scope in old] == rulings:
            return None
        new = tuple(self._made[ruling] for ruling in rulings)
        for scope in old:
            self._drop(scope)
        for scope in new:
            self._in_force[scope.ruling] = scope
            insort(self._lines, scope.line)
            self.begin_behind[scope.behind] = (*self.begin_behind.get(scope.behind, ()), scope)
        self._about[entry] = new
        changed = {scope.ruling for scope in old} ^ set(rulings)
        return min(max(self._made[ruling].host, -1) for ruling in changed)

    def _drop(self, scope: RulingScope) -> None:
        del self._in_force[scope.ruling]
        del self._lines[bisect_left(self._lines, scope.line)]
        left = tuple(other for other in self.begin_behind[scope.behind] if other is not scope)
        if left:
            self.begin_behind[scope.behind] = left
        else:
            del self.begin_behind[scope.behind]


def _line(scope: RulingScope) -> int:
    return scope.line
