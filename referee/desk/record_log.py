"""Keeps what pages show of a growing record, so that each new entry is read only once.

As long as nothing changes, the log returns the same objects, because the feed compares them by
identity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from referee.desk.evidence import EvidenceReader
from referee.desk.page_topics.table_state import TableState, after_step, opening_table
from referee.desk.page_topics.topics import Evidence, IrregularityShown, RulingMade
from referee.domain.call import Irregularity
from referee.domain.entry import Fact, Ruling, plain
from referee.replay.fold import Fold


class RecordLog:
    """What pages show of one record. Call `catch_up` whenever the fold has grown."""

    def __init__(self) -> None:
        self._entries: Sequence[Fact] | None = None
        self._begin()

    def _begin(self) -> None:
        self._read = 0
        self._evidence = EvidenceReader()
        self._rulings: list[Ruling] = []
        self._made: list[RulingMade] = []
        self._odd: list[Irregularity] = []
        self._shown: list[IrregularityShown] = []
        self._states: list[TableState] = [TableState()]

    def catch_up(self, folded: Fold, clips_begin_s: Mapping[str, float]) -> RecordLog:
        """Read the new entries of the fold. `clips_begin_s` gives the times at which clips begin,
        by name.
        """
        if self._entries is not folded.entries:  # another record, or read again from its start
            self._begin()
            self._entries = folded.entries
            self._states = [opening_table(folded.setup)]
        for entry in folded.entries[self._read :]:
            self._evidence.read(entry, clips_begin_s)
            if isinstance(entry, Ruling):
                self._rulings.append(entry)
        self._read = len(folded.entries)
        del self._states[folded.stood() + 1 :]
        for step in folded.steps[len(self._states) - 1 :]:
            self._states.append(after_step(self._states[-1], step))
        return self

    @property
    def evidence(self) -> dict[str, Evidence]:
        """Return the evidence for every entry, as `EvidenceReader` finds it."""
        return self._evidence.found

    @property
    def table(self) -> TableState:
        """Return the state of the table after all steps."""
        return self._states[-1]

    def rulings(self, folded: Fold) -> list[RulingMade]:
        """Return the rulings in their order. `holds` says whether no later ruling overturns or
        replaces it.
        """
        for place, ruling in enumerate(self._rulings):
            holds = folded.rulings.in_force(ruling)
            if place == len(self._made):
                values: dict[str, Any] = plain(ruling) | {"holds": holds}
                self._made.append(msgspec.convert(values, RulingMade))
            elif self._made[place].holds != holds:
                self._made[place] = msgspec.structs.replace(self._made[place], holds=holds)
        return self._made

    def irregularities(self, odd: Sequence[Irregularity]) -> list[IrregularityShown]:
        """Return irregularities in the form in which pages show them."""
        now = list(odd)
        known = len(self._odd)
        if now[:known] != self._odd:
            known = next(
                (place for place, (a, b) in enumerate(zip(self._odd, now, strict=False)) if a != b),
                min(known, len(now)),
            )
        fresh = msgspec.convert(now[known:], list[IrregularityShown], from_attributes=True)
        self._odd, self._shown = now, [*self._shown[:known], *fresh]
        return self._shown
