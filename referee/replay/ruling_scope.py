"""Which rulings' `then` hold, and over which part of the record each of them reaches."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable

from referee.replay.rewind_and_keep import Reach
from referee.replay.shots import Standing


class Reaches:
    """The reach of every ruling with a `then`, and those of them that are in force."""

    def __init__(self) -> None:
        self._made: dict[str, Reach] = {}
        self._about: dict[str, tuple[Reach, ...]] = {}
        self._behind: dict[str | None, tuple[Reach, ...]] = {}
        self._in_force: dict[str, Reach] = {}
        self._by_line: list[Reach] = []

    def __bool__(self) -> bool:
        """Whether any `then` is in force."""
        return bool(self._by_line)

    def copy(self) -> Reaches:
        """A copy that can grow by itself."""
        twin = Reaches()
        twin.__dict__.update({name: value.copy() for name, value in self.__dict__.items()})
        return twin

    def add(self, reach: Reach) -> None:
        """Take in the reach of the next ruling; whether it holds is said by `anew`."""
        self._made[reach.ruling] = reach

    def of(self, ruling: str) -> Reach | None:
        """The reach of a ruling, where it is in force."""
        return self._in_force.get(ruling)

    def stood(self, ruling: str) -> Standing | None:
        """Where the pawns stood when a ruling that is in force was made, in games without flicks;
        None where it has no reach.
        """
        reach = self._in_force.get(ruling)
        return None if reach is None else reach.stood

    def behind(self, name: str, line: int) -> tuple[Reach, ...]:
        """The reaches in force that begin right behind an item, which stands with an entry of the
        record.
        """
        found = self._behind.get(name)
        return () if found is None else tuple(reach for reach in found if reach.line >= line)

    def over(self, line: int) -> tuple[Reach, ...]:
        """The reaches in force that begin before an entry of the record and end behind it."""
        later = self._by_line[bisect_right(self._by_line, line, key=_line) :]
        return tuple(reach for reach in later if reach.host < line)

    def last_line(self) -> int:
        """The last ruling in force that has a reach; -1 where there is none."""
        return self._by_line[-1].line if self._by_line else -1

    def anew(self, entry: str, rulings: Iterable[str]) -> int | None:
        """Let the `then` of just these rulings about an entry hold; the first entry of the record
        for which that changes anything.
        """
        old, new = self._about.get(entry, ()), tuple(self._made[ruling] for ruling in rulings)
        if old == new:
            return None
        for reach in old:
            del self._in_force[reach.ruling]
            del self._by_line[bisect_left(self._by_line, reach.line, key=_line)]
            self._behind[reach.behind] = tuple(
                other for other in self._behind[reach.behind] if other is not reach
            )
        for reach in new:
            self._in_force[reach.ruling] = reach
            insort(self._by_line, reach, key=_line)
            self._behind[reach.behind] = (*self._behind.get(reach.behind, ()), reach)
        self._about[entry] = new
        return min(
            max(reach.host, -1) for reach in (*old, *new) if reach not in old or reach not in new
        )


def _line(reach: Reach) -> int:
    return reach.line
