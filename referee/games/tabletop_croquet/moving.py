"""Crossings, contacts and falls in Tabletop Croquet, judged at the time they happen."""

from __future__ import annotations

from referee.domain.clause import Reasons
from referee.domain.incident import Contact, LeftTable, LineCrossed
from referee.games.tabletop_croquet.falls import fell
from referee.games.tabletop_croquet.hits import touched
from referee.games.tabletop_croquet.state import POSTS, Judged, Moving, State
from referee.games.tabletop_croquet.steps import crossed, touched_post


def moved(state: State, entry: Moving, reasons: Reasons, *, upheld: bool) -> Judged:
    """Judge a crossing, a contact or a fall. `upheld` says that a ruling lets the incident
    stand.
    """
    if type(entry) is LineCrossed:
        return crossed(state, entry, reasons)
    if type(entry) is LeftTable:
        return fell(state, entry, reasons)
    assert type(entry) is Contact
    if entry.with_ in POSTS:
        return touched_post(state, entry, reasons)
    return touched(state, entry, reasons, upheld=upheld)
