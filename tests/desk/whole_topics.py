"""Topics worked out anew from a whole record, to compare with those that grow with it."""

from __future__ import annotations

import msgspec

from referee.desk.page_topics.topics import IrregularityShown, RulingMade
from referee.domain.entry import Ruling, plain
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
