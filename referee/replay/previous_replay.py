"""The end of the replay before a ruling, which the replay after the ruling can reuse."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from referee.domain.call import Question
from referee.replay.rulings.effective_entries import Context
from referee.replay.rulings.in_force import Rulings
from referee.replay.rulings.items import Item, Step
from referee.replay.rulings.rewind_and_keep import basis_of_later_then


class PreviousReplay(msgspec.Struct, frozen=True):
    """The end of the replay before a ruling.

    It begins with the entry on line `first` and the item at `place`. `begin` is the step before
    that item. The places in `starts` count from the beginning of the whole replay.
    """

    first: int
    place: int
    begin: Step
    items: list[Item]
    contexts: list[Context]
    starts: list[int]
    steps: list[Step]
    question: Question | None
    unsettled: int | None

    def candidate(self, line: int, items: Sequence[Item], rulings: Rulings) -> int | None:
        """Return where in this end the entry on `line` begins, or None if the end cannot be reused
        there.

        The end can be reused from any place between two flicks, and from a place inside a flick if
        the earlier items of that flick read as before. `items` are what the new replay has read so
        far.
        """
        spot = self.starts[line - self.first] - self.place
        if not 0 < spot < len(self.steps) or not self.contexts[spot - 1].between_flicks():
            return None
        step = self.steps[spot - 1]
        if step.flick_from is None:
            return spot
        if step.flick_from < self.place and not step.settled and len(items) == self.place + spot:
            pairs = zip(self.items[:spot], items[self.place :], strict=True)
            same = all(_reads_as(old, new) and new.id not in rulings.ordered for old, new in pairs)
            return spot if same else None
        return None

    def is_same(self, spot: int, context: Context, step: Step) -> bool:
        """Return whether everything after the new `step` is as it was before the item at `spot`."""
        old = self.steps[spot - 1]
        return (
            (old.flick_from, old.turn) == (step.flick_from, step.turn)
            and not (step.flick_from is not None and step.settled)
            and context.between_flicks()
            and context.names == self.contexts[spot - 1].names
            and old.restore == step.restore
            and old.state == step.state
        )

    def has_basis_of_later_then(
        self, spot: int, items: Sequence[Item], steps: Sequence[Step]
    ) -> bool:
        """Return whether the `then` of a later ruling would read the same from the previous replay
        up to `spot` as from the new steps.
        """
        old_items = [*items[: self.place], *self.items[:spot]]
        old_steps = [*steps[: self.place], *self.steps[:spot]]
        return basis_of_later_then(items, steps) == basis_of_later_then(old_items, old_steps)

    def steps_from(self, spot: int, shift: int) -> list[Step]:
        """Return the steps from `spot` on, with every place moved by `shift`."""
        steps = self.steps[spot:]
        if not shift:
            return steps
        return [
            step if step.flick_from is None else replace(step, flick_from=step.flick_from + shift)
            for step in steps
        ]


def _reads_as(old: Item, new: Item) -> bool:
    return old.entry == new.entry and old.fate is new.fate
