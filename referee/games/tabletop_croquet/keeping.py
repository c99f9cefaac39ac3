"""Flicks that stay as they were played although a later ruling took away the right to them, or gave
more (`then: keep`).
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.clause import UNHEARD
from referee.domain.declaration import AfterHit, Declaration
from referee.domain.incident import Flicked
from referee.games.flicking import denied, void
from referee.games.tabletop_croquet.state import TURNS, Judged, State, seat_of, with_flick
from referee.games.tabletop_croquet.turns import begun, flicker, next_turn, why_wrong


def go_on(state: State, on: str) -> Judged:
    """The turn ends because play went on from it with the flick `on`; what was left of it is
    lost.
    """
    seat, left = seat_of(state), state.flicks
    state, verdicts = next_turn(state, on)
    return state, (*denied(on, seat.name, seat.coin, left, TURNS), *verdicts)


def entitled(state: State, entry: Flicked) -> bool:
    """Whether turn and coin are right for this flick."""
    wrong = why_wrong(state, entry, UNHEARD)
    return wrong is None or wrong[0] in ("still_moving", "unanswered")


def void_flick(state: State, entry: Flicked) -> Judged:
    """A flick its player had no right to: it takes no flick, and in it the coin flicked and the
    player's own make no step and hit nobody; every other coin is a knocked one (TC-5).
    """
    who = flicker(state, entry) or seat_of(state).name
    after, verdicts = begun(state, entry, UNHEARD, who=who, own=False, hits=False, takes=False)
    after = with_flick(after, void_by=who)
    verdicts = (void(entry, who, TURNS), *verdicts)
    return replace(after, offer=state.offer, forced=state.forced), verdicts


def concerns_flick(entry: Declaration) -> bool:
    """Whether a declaration is void with the flick it is about: one of the four actions is."""
    return isinstance(entry, AfterHit)
