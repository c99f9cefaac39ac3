"""Which part of a record a ruling's `then` reaches over, and which of them hold."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.replay.items import AsPlayed, InTurn, Item, Places


class RulingScope(msgspec.Struct, frozen=True, gc=False):
    """The play a ruling's `then` is about: from behind the item `behind` (None: from the start),
    which stands with the record's entry `host`, to the ruling's own `line`.

    `entry` is what was ruled on, which itself counts as it was ruled. With `keep`, `played` says of
    the entries in between when they were played, and `flicks` whether any is a flick. In games
    without flicks `played` holds the states in which they were, `stood` is where the pawns stood
    when the ruling was made, `was` the state, and `ended` the state behind `behind` where the
    ruling itself says how a pawn was moved.
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
        """Whether an item behind the beginning is one of the play in between."""
        return item.line < self.line and item.id != self.entry


def begin_of(scope: RulingScope, items: Sequence[Item], end: int) -> int:
    """Where in `items` the play begins that a scope is about; the ruling stands at `end`."""
    begin = end
    while begin and items[begin - 1].id != scope.behind:
        begin -= 1
    return begin


def as_played(
    item: str, covering: Iterable[RulingScope], now_called: Callable[[str], str]
) -> AsPlayed | None:
    """How an item stays as it was played: as when the first of the rulings `covering` it was made.

    `now_called` gives a player's name as it now is.
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
    """The scope of every ruling with a `then`, and those of them that are in force."""

    def __init__(self) -> None:
        self._made: dict[str, RulingScope] = {}
        self._about: dict[str, tuple[RulingScope, ...]] = {}
        #: The scopes in force that begin right behind an item.
        self.begin_behind: dict[str | None, tuple[RulingScope, ...]] = {}
        self._in_force: dict[str, RulingScope] = {}
        self._lines: list[int] = []

    def copy(self) -> RulingScopes:
        """A copy that can grow by itself."""
        twin = RulingScopes()
        twin.__dict__.update({name: value.copy() for name, value in self.__dict__.items()})
        return twin

    def add(self, scope: RulingScope) -> None:
        """Take in the scope of the next ruling; whether it holds is said by `hold`."""
        self._made[scope.ruling] = scope

    def of(self, ruling: str) -> RulingScope | None:
        """The scope of a ruling, where it is in force."""
        return self._in_force.get(ruling)

    def last_line(self) -> int:
        """The last ruling in force that has a scope; -1 where there is none."""
        return self._lines[-1] if self._lines else -1

    def hold(self, entry: str, rulings: list[str]) -> int | None:
        """Let the `then` of just these rulings about an entry hold.

        Gives the first entry of the record for which that changes anything; None for no change.
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
