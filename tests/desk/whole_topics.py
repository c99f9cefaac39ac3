"""Topics worked out anew from a whole record, to compare with those that grow with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from referee.desk.evidence import EvidenceReader
from referee.desk.page_topics.topics import Evidence, IrregularityShown, RulingMade
from referee.domain.entry import Entry, Ruling, plain
from referee.replay.adjudication import Adjudication
from referee.replay.fold import Fold


def irregularities_topic(adjudication: Adjudication) -> list[IrregularityShown]:
    """Return the `irregularities` topic."""
    return msgspec.convert(
        adjudication.irregularities, list[IrregularityShown], from_attributes=True
    )


def rulings_topic(folded: Fold) -> list[RulingMade]:
    """Return the rulings of a record in their order. `holds` says whether no later ruling overturns
    or replaces it.
    """
    made = [entry for entry in folded.entries if isinstance(entry, Ruling)]
    return [
        msgspec.convert(plain(ruling) | {"holds": folded.rulings.in_force(ruling)}, RulingMade)
        for ruling in made
    ]


def evidence_of(
    entries: Iterable[Entry], clips_begin_s: Mapping[str, float]
) -> dict[str, Evidence]:
    """Return the evidence for every entry."""
    reader = EvidenceReader()
    for entry in entries:
        reader.read(entry, clips_begin_s)
    return reader.found
