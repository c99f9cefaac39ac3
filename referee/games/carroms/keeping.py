"""Flicks that stay as they were played although a later ruling took away the right to them, or gave
more (`then: keep`).
"""

from __future__ import annotations

from referee.domain.declaration import Declaration, Hold
from referee.domain.incident import Flicked
from referee.games.carroms.state import RULE, STRIKER, Judged, State, seat_of
from referee.games.carroms.turns import begun, next_turn, why_wrong
from referee.games.flicking import denied, void


def go_on(state: State, on: str) -> Judged:
    """The turn ends because play went on from it with the flick `on`; its flick is lost."""
    name = seat_of(state).name
    state, verdicts = next_turn(state, on)
    return state, (*denied(on, name, STRIKER, 1, RULE), *verdicts)


def entitled(state: State, entry: Flicked) -> bool:
    """Whether turn and coin are right for this flick."""
    wrong = why_wrong(state, entry)
    return wrong is None or wrong[0] == "still_moving"


def void_flick(state: State, entry: Flicked) -> Judged:
    """A flick its player had no right to: own coins it pockets and the black go back, an opponent's
    count; the striker falling costs nothing.
    """
    odd = void(entry, entry.player or seat_of(state).name, RULE)
    state, verdicts = begun(state, entry, counts=False, void=True)
    return state, (odd, *verdicts)


def concerns_flick(entry: Declaration) -> bool:
    """Whether a declaration is void with the flick it is about: holding tiles is."""
    return isinstance(entry, Hold)
