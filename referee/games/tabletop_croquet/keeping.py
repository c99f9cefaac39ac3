"""Flicks that stay as they were played although a later ruling took away the right to them, or gave more (`then: keep`)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.call import Irregularity
from referee.declaration import AfterHit, Declaration
from referee.games.tabletop_croquet.state import Judged, State, flicks_in_words, seat_of
from referee.games.tabletop_croquet.turns import begun, flicker, next_turn, why_wrong
from referee.incident import Flicked


def go_on(state: State, on: str) -> Judged:
    """The turn ends because play went on from it with the flick `on`; what was left of it is lost."""
    seat, left = seat_of(state), state.flicks
    state, verdicts = next_turn(state, on)
    if left == 0:
        return state, verdicts
    text = f"{seat.name} had {flicks_in_words(left)} left when play went on; {'it is' if left == 1 else 'they are'} lost."
    odd = Irregularity(on=on, what="denied_entitlement", rule="Player turns", text=text, coin=seat.coin, player=seat.name, facts={"flicks": left})
    return state, (odd, *verdicts)


def entitled(state: State, entry: Flicked) -> bool:
    """Whether turn and coin are right for this flick."""
    wrong = why_wrong(state, entry)
    return wrong is None or wrong[0] in ("still_moving", "unanswered")


def void_flick(state: State, entry: Flicked) -> Judged:
    """A flick its player had no right to: it takes no flick, and the coin is treated like a knocked one (TC-5, TC-6)."""
    who = flicker(state, entry) or seat_of(state).name
    text = f"{who} had no right to this flick any more: it earns, hits and loses nothing."
    odd = Irregularity(on=str(entry.id), what="void_entitlement", rule="Player turns", text=text, coin=entry.coin, player=who)
    after, verdicts = begun(state, entry, who=who, own=False, hits=False, takes=False)
    return replace(after, offer=state.offer, forced=state.forced), (odd, *verdicts)


def concerns_flick(entry: Declaration) -> bool:
    """Whether a declaration is void with the flick it is about: one of the four actions is."""
    return isinstance(entry, AfterHit)
