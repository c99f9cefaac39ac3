"""The replay before a ruling: where the one that the ruling calls for meets it again, the rest of
it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from referee.domain.call import Question
from referee.replay.alternatives import Step
from referee.replay.effective_entries import Item, Names, Rulings
from referee.replay.flick_bounds import is_being_taken_away
from referee.replay.rewind_and_keep import looked_back_on


class Known(NamedTuple):
    """How many steps of an earlier replay are remembered, and the entry with which the turn under
    way behind them began.
    """

    steps: int
    turn: str


class PreviousReplay(msgspec.Struct, frozen=True):
    """The end of a replay, from entry `first` of the record and the item at `place` on, as it was
    before a ruling; `starts` are places in the whole.

    `state` stands before it, where the flick that began at the place `running` is under way.
    """

    first: int
    place: int
    state: Any
    running: int | None
    items: list[Item]
    names: list[Names]
    starts: list[int]
    steps: list[Step]
    question: Question | None
    unsettled: int | None

    def met_at(self, entry: int, items: Sequence[Item], rulings: Rulings) -> int | None:
        """Where in `items` of this end an entry begins at which it can be met by the new `items`:
        between two flicks, or in one that reads as it did.
        """
        spot = self.starts[entry - self.first] - self.place
        if not 0 < spot < len(self.steps):
            return None
        step = self.steps[spot - 1]
        if step.flick_from is None:
            return None if _is_being_taken_away(self.items, spot) else spot
        if step.flick_from >= self.place or step.settled or len(items) != self.place + spot:
            return None
        pairs = zip(self.items[:spot], items[self.place :], strict=True)
        same = all(
            (old.entry, old.counts, old.gone) == (new.entry, new.counts, new.gone)
            and not rulings.is_ordered(new.id)
            for old, new in pairs
        )
        return spot if same else None

    def meets(
        self,
        spot: int,
        items: Sequence[Item],
        steps: Sequence[Step],
        names: Names,
        *,
        looks_back: bool,
    ) -> bool:
        """Whether all stands as it stood before the item at `spot` in what follows: the state, what
        is to be restored, the flick, the names.

        `looks_back`: also what a later ruling's `then` looks back on.
        """
        old, new = self.steps[spot - 1], steps[-1]
        if (
            old.flick_from != new.flick_from
            or (new.flick_from is not None and new.settled)
            or _is_being_taken_away(items, len(items))
        ):
            return False
        if not (
            old.restore == new.restore
            and names.same_as(self.names[spot - 1])
            and old.state == new.state
        ):
            return False
        if not looks_back:
            return True
        old_items, old_steps = (
            [*items[: self.place], *self.items[:spot]],
            [*steps[: self.place], *self.steps[:spot]],
        )
        return looked_back_on(items, steps) == looked_back_on(old_items, old_steps)

    def steps_from(self, spot: int, shift: int) -> list[Step]:
        """The steps behind, where every item has moved by `shift` places."""
        if not shift:
            return self.steps[spot:]
        return [
            step if step.flick_from is None else replace(step, flick_from=step.flick_from + shift)
            for step in self.steps[spot:]
        ]


def _is_being_taken_away(items: Sequence[Item], end: int) -> bool:
    return is_being_taken_away(items, end) or is_being_taken_away(items, end, but_added=True)
