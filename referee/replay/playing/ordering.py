"""The orders in which the incidents of one flick may have happened."""

from __future__ import annotations

from collections.abc import Sequence

from referee.domain.incident import LeftTable, Measured


def order_unknown(a: Measured, b: Measured) -> bool:
    """Return whether nobody can tell which of two incidents came first: their frames overlap, or
    their times are equal.
    """
    if a.t_s is not None and a.t_s == b.t_s:
        return True
    if a.frames is None or b.frames is None:
        return False
    begin, end = max(a.frames[0], b.frames[0]), min(a.frames[1], b.frames[1])
    return begin < end or (
        begin == end and (a.frames[0] == a.frames[1] or b.frames[0] == b.frames[1])
    )


class Order:
    """What is known of the order of `incidents`.

    `incidents` are in the order of the record. For each of them, `before` is the bit set of the
    incidents that came before it.
    """

    def __init__(self, incidents: Sequence[Measured], ruled: Sequence[tuple[str, str]]) -> None:
        """Order the incidents as far as it is known.

        `ruled` holds pairs of ids that a person has put in order. If two pairs contradict each
        other, the later one counts.
        """
        self.incidents = tuple(incidents)
        self.before = [0] * len(incidents)
        places = {str(entry.id): i for i, entry in enumerate(incidents)}
        for first, second in reversed(ruled):
            if first in places and second in places:
                self.put(places[first], places[second])
        self._falls_last()
        self._as_recorded()

    def put(self, first: int, second: int) -> bool:
        """Put one incident before another. Everything before the first then also comes before the
        second, and before everything that follows the second. Return False, and change nothing, if
        the opposite order is known.
        """
        if first == second or self.before[first] >> second & 1:
            return False
        ahead = self.before[first] | 1 << first
        for i in range(len(self.before)):
            if i == second or self.before[i] >> second & 1:
                self.before[i] |= ahead
        return True

    def with_pair(self, first: int, second: int) -> Order:
        """Return the same order with one more pair put in order."""
        twin = object.__new__(Order)
        twin.incidents, twin.before = self.incidents, list(self.before)
        twin.put(first, second)
        return twin

    def open_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs whose order nobody can tell, each in the order of the record."""
        size = range(len(self.before))
        return [
            (i, j)
            for i in size
            for j in size
            if i < j and not self.before[i] >> j & 1 and not self.before[j] >> i & 1
        ]

    def standing(self) -> list[int]:
        """Return one possible order: the order of the record, except where that order is known to
        be wrong.
        """
        done = 0
        order: list[int] = []
        while len(order) < len(self.before):
            i = next(i for i in self.ready(done))
            order.append(i)
            done |= 1 << i
        return order

    def ready(self, done: int) -> list[int]:
        """Return the incidents that may come next after those in the bit set `done`."""
        return [
            i for i, before in enumerate(self.before) if not done >> i & 1 and before & ~done == 0
        ]

    def _falls_last(self) -> None:
        for i, fall in enumerate(self.incidents):
            if type(fall) is not LeftTable:
                continue
            for j, other in enumerate(self.incidents):
                names = (getattr(other, "coin", None), getattr(other, "with_", None))
                if i != j and fall.coin in names and order_unknown(fall, other):
                    self.put(j, i)

    def _as_recorded(self) -> None:
        for j in range(len(self.incidents)):
            for i in reversed(range(j)):
                if not order_unknown(self.incidents[i], self.incidents[j]):
                    self.put(i, j)
