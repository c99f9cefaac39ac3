"""Flicks that a ruling leaves as they were played (`then: keep`), even if it follows from the
ruling that the player had no right to them, or had a right to more flicks.
"""

from __future__ import annotations

from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.declaration import Declaration, Hold
from referee.domain.incident import Flicked
from referee.domain.pieces import STRIKER
from referee.games.carroms.state import RULE, Judged, State, seat_of
from referee.games.carroms.turns import begun, next_turn, why_wrong
from referee.games.flicking import denied, void


def go_on(state: State, on: str, reasons: Reasons = NO_REASONS) -> Judged:
    """End the turn because play went on with the flick `on`. The flick that this turn still had is
    lost.
    """
    name = seat_of(state).name
    state, verdicts = next_turn(state, on)
    return state, (*denied(on, name, STRIKER, 1, RULE, reasons), *verdicts)


def entitled(state: State, entry: Flicked, reasons: Reasons = NO_REASONS) -> bool:
    """Return whether this flick's player has the turn and flicks the right coin."""
    wrong = why_wrong(state, entry, reasons)
    return wrong is None or wrong[0] == "still_moving"


def void_flick(state: State, entry: Flicked, reasons: Reasons = NO_REASONS) -> Judged:
    """Play a flick that its player had no right to make. If it pockets the player's own coins or
    the black, these go back; an opponent's coins stay pocketed. There is no penalty for a fallen
    striker.
    """
    odd = void(entry, entry.player or seat_of(state).name, RULE)
    state, verdicts = begun(state, entry, reasons, counts=False, void=True)
    return state, (odd, *verdicts)


def concerns_flick(entry: Declaration) -> bool:
    """Return whether a declaration is about a flick, so that it is void if the flick is void. In
    this game only a `hold` is about a flick.
    """
    return isinstance(entry, Hold)
