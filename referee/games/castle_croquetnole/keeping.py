"""Flicks that a ruling leaves with the player who made them, in the turn in which they were played
(`then: keep`).
"""

from __future__ import annotations

from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.declaration import CastleCroquet, Declaration
from referee.domain.incident import Flicked
from referee.games.castle_croquetnole.state import (
    START,
    Judged,
    State,
    in_turn,
    seat_of,
    with_flick,
)
from referee.games.castle_croquetnole.turns import begun, flicker, next_turn, why_wrong
from referee.games.flicking import denied, void


def go_on(state: State, on: str, reasons: Reasons = NO_REASONS) -> Judged:
    """End the turn because play went on with the flick `on`. The remaining flicks of the coin in
    turn are denied. If that coin is the knight, the guard's flick that would follow is not counted.
    """
    seat, coin, left = seat_of(state), in_turn(state), state.flicks
    state, verdicts = next_turn(state, on)
    return state, (*denied(on, seat.name, coin, left, START, reasons), *verdicts)


def entitled(state: State, entry: Flicked, reasons: Reasons = NO_REASONS) -> bool:
    """Return whether this flick's player has the turn and flicks the right coin."""
    wrong = why_wrong(state, entry, reasons)
    return wrong is None or wrong[0] == "still_moving"


def void_flick(state: State, entry: Flicked, reasons: Reasons = NO_REASONS) -> Judged:
    """Play a flick that its player had no right to make. It uses up no flick.

    In this flick, the flicked coin and the player's own two coins make no step, strike nobody and
    take no prisoner. But they may go into castles and out of them. Every other coin counts as moved
    by another coin ("knocked"; CC-4, CC-5).
    """
    who = flicker(state, entry)
    after, verdicts = begun(state, entry, reasons, hits=False, void=True)
    return with_flick(after, void_by=who), (void(entry, who, START), *verdicts)


def concerns_flick(entry: Declaration) -> bool:
    """Return whether a declaration is about a flick, so that it is void when the flick is void.

    The declaration of a croquet is about a flick. A pass is not: it is about the remaining flicks.
    """
    return isinstance(entry, CastleCroquet)
