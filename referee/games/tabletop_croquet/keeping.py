"""Flicks that a ruling leaves as they were played (`then: keep`), even if it follows from the
ruling that the player had no right to them, or had a right to more flicks.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.declaration import AfterHit, Declaration
from referee.domain.incident import Flicked
from referee.games.flicking import denied, void
from referee.games.tabletop_croquet.state import TURNS, Judged, State, seat_of, with_flick
from referee.games.tabletop_croquet.turns import begun, flicker, next_turn, why_wrong


def go_on(state: State, on: str, reasons: Reasons = NO_REASONS) -> Judged:
    """End the turn because play went on with the flick `on`. The player's remaining flicks are
    lost.
    """
    seat, left = seat_of(state), state.flicks
    state, verdicts = next_turn(state, on)
    return state, (*denied(on, seat.name, seat.coin, left, TURNS, reasons), *verdicts)


def entitled(state: State, entry: Flicked, reasons: Reasons = NO_REASONS) -> bool:
    """Return whether this flick's player has the turn and flicks the right coin."""
    wrong = why_wrong(state, entry, reasons)
    return wrong is None or wrong[0] in ("still_moving", "unanswered")


def void_flick(state: State, entry: Flicked, reasons: Reasons = NO_REASONS) -> Judged:
    """Play a flick that its player had no right to make. It uses up no flick.

    In this flick, the flicked coin and the player's own coin make no step and hit nobody. Every
    other coin counts as moved by another coin ("knocked"; TC-5).
    """
    who = flicker(state, entry) or seat_of(state).name
    after, verdicts = begun(state, entry, reasons, who=who, own=False, hits=False, takes=False)
    after = with_flick(after, void_by=who)
    verdicts = (void(entry, who, TURNS), *verdicts)
    return replace(after, offer=state.offer, forced=state.forced), verdicts


def concerns_flick(entry: Declaration) -> bool:
    """Return whether a declaration is about a flick, so that it is void if the flick is void. In
    this game only an `after_hit` is about a flick.
    """
    return isinstance(entry, AfterHit)
