"""Gathers the calls and irregularities of a replay as it grows."""

from __future__ import annotations

from collections.abc import Sequence

from referee.domain.call import Call, Irregularity
from referee.replay.rulings.items import Step


class VerdictLog:
    """The `calls` and the irregularities (`odd`) of a replay's steps, in their order. The verdicts
    of each step are added once.
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.odd: list[Irregularity] = []
        self._ends: list[tuple[int, int]] = []

    def copy(self) -> VerdictLog:
        """Return an independent copy."""
        twin = VerdictLog()
        twin.calls, twin.odd, twin._ends = list(self.calls), list(self.odd), list(self._ends)
        return twin

    def catch_up(self, steps: Sequence[Step]) -> VerdictLog:
        """Add the verdicts of the new steps."""
        end = self._ends[-1] if self._ends else (0, 0)
        for place in range(len(self._ends), len(steps)):
            if verdicts := steps[place].verdicts:
                for verdict in verdicts:
                    if type(verdict) is Call:
                        self.calls.append(verdict)
                    elif type(verdict) is Irregularity:
                        self.odd.append(verdict)
                end = len(self.calls), len(self.odd)
            self._ends.append(end)
        return self

    def cut(self, place: int) -> None:
        """Forget what was gathered from the step at `place` on."""
        if place >= len(self._ends):
            return
        calls, odd = self._ends[place - 1] if place else (0, 0)
        del self.calls[calls:], self.odd[odd:], self._ends[place:]
