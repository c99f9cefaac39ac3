"""Flicks that a ruling leaves as they were played (`then: keep`), although it takes away the
player's right to them or gives the player more flicks.
"""

from __future__ import annotations

from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.declaration import Declaration, Hold
from referee.domain.incident import Flicked
from referee.games.carroms.state import RULE, STRIKER, Judged, State, seat_of
from referee.games.carroms.turns import begun, next_turn, why_wrong
from referee.games.flicking import denied, void


def go_on(state: State, on: str, reasons: Reasons = NO_REASONS) -> Judged:
    """End the turn because play went on with the flick `on`. The turn's own flick is lost."""
    name = seat_of(state).name
    state, verdicts = next_turn(state, on)
    return state, (*denied(on, name, STRIKER, 1, RULE, reasons), *verdicts)


def entitled(state: State, entry: Flicked, reasons: Reasons = NO_REASONS) -> bool:
    """Return whether this flick's player has the turn and flicks the right coin."""
    wrong = why_wrong(state, entry, reasons)
    return wrong is None or wrong[0] == "still_moving"


def void_flick(state: State, entry: Flicked, reasons: Reasons = NO_REASONS) -> Judged:
    """Play a flick to which its player had no right. Own coins that it pockets and the black go
    back, and an opponent's coins count. A fallen striker costs nothing.
    """
    odd = void(entry, entry.player or seat_of(state).name, RULE)
    state, verdicts = begun(state, entry, reasons, counts=False, void=True)
    return state, (odd, *verdicts)


def concerns_flick(entry: Declaration) -> bool:
    """Return whether a declaration is about a flick, so that it is void when the flick is void:
    holding tiles is.
    """
    return isinstance(entry, Hold)
