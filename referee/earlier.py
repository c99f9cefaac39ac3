"""The replay before a ruling: where the one that the ruling calls for meets it again, the rest of it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from referee.call import Question
from referee.doubt import Step
from referee.framing import is_being_taken_away
from referee.sequence import Item, Names, Rulings


@dataclass(frozen=True)
class Earlier:
    """The end of a replay, from entry `first` of the record and the item at `place` on, as it was before a ruling; `starts` are places in the whole."""

    first: int
    place: int
    items: list[Item]
    names: list[Names]
    starts: list[int]
    steps: list[Step]
    question: Question | None
    unsettled: int | None

    def met_at(self, entry: int, items: Sequence[Item], rulings: Rulings) -> int | None:
        """Where in `items` of this end an entry begins at which it can be met by the new `items`: between two flicks, or in one that reads as it did."""
        spot = self.starts[entry - self.first] - self.place
        if not 0 < spot < len(self.steps):
            return None
        step = self.steps[spot - 1]
        if step.flick_from is None:
            return None if _is_being_taken_away(self.items, spot) else spot
        if step.flick_from >= self.place or step.settled or len(items) != self.place + spot:
            return None
        pairs = zip(self.items[:spot], items[self.place :], strict=True)
        same = all(old.entry == new.entry and old.counts == new.counts and not rulings.is_ordered(new.id) for old, new in pairs)
        return spot if same else None

    def meets(self, spot: int, items: Sequence[Item], steps: Sequence[Step], names: Names) -> bool:
        """Whether all stands as it stood before the item at `spot` in what follows: the state, what is to be restored, the flick, the names."""
        old, new = self.steps[spot - 1], steps[-1]
        if old.flick_from != new.flick_from or (new.flick_from is not None and new.settled) or _is_being_taken_away(items, len(items)):
            return False
        return bool(old.restore == new.restore and names.same_as(self.names[spot - 1]) and old.state == new.state)

    def steps_from(self, spot: int, shift: int) -> list[Step]:
        """The steps behind, where every item has moved by `shift` places."""
        if not shift:
            return self.steps[spot:]
        return [step if step.flick_from is None else replace(step, flick_from=step.flick_from + shift) for step in self.steps[spot:]]


def _is_being_taken_away(items: Sequence[Item], end: int) -> bool:
    return is_being_taken_away(items, end) or is_being_taken_away(items, end, but_added=True)
