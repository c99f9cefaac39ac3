"""Flicks that stay with the player, and in the turn, in which they were played (a ruling's `then:
keep`).
"""

from __future__ import annotations

from referee.domain.declaration import CastleCroquet, Declaration
from referee.domain.incident import Flicked
from referee.games.castle_croquetnole.state import (
    KNIGHT,
    START,
    Judged,
    State,
    in_turn,
    seat_of,
    with_flick,
)
from referee.games.castle_croquetnole.turns import begun, flicker, next_turn, why_wrong
from referee.games.flicking import denied, void


def go_on(state: State, on: str) -> Judged:
    """The turn ends because play went on from it with the flick `on`: what was left of it, the
    guard's flick included, is lost.
    """
    seat, coin = seat_of(state), in_turn(state)
    left = state.flicks + (1 if state.role == KNIGHT else 0)
    state, verdicts = next_turn(state, on)
    return state, (*denied(on, seat.name, coin, left, START), *verdicts)


def entitled(state: State, entry: Flicked) -> bool:
    """Whether turn and coin are right for this flick."""
    wrong = why_wrong(state, entry)
    return wrong is None or wrong[0] == "still_moving"


def void_flick(state: State, entry: Flicked) -> Judged:
    """A flick its player had no right to: it takes no flick, and in it the coin flicked and the
    player's own make no step, strike nobody and take no prisoner; where they are is a plain fact,
    and every other coin is a knocked one (CC-4, CC-5).
    """
    who = flicker(state, entry)
    after, verdicts = begun(state, entry, hits=False, void=True)
    return with_flick(after, void_by=who), (void(entry, who, START), *verdicts)


def concerns_flick(entry: Declaration) -> bool:
    """Whether a declaration is void with the flick it is about: a croquet is; a pass is about what
    is left, not about a flick.
    """
    return isinstance(entry, CastleCroquet)
