"""What players may say in Carroms."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Verdict
from referee.domain.declaration import Agreed, Concede, Declaration, Hold, Pass
from referee.games.carroms.holding import held_down, holder
from referee.games.carroms.pocketing import won
from referee.games.carroms.state import RULE, Judged, State, call_for, seat_of
from referee.games.flicking import agreed, refused


def declared(state: State, entry: Declaration) -> Judged:
    """A player says something; what the rules do not allow is an irregularity and not applied."""
    match entry:
        case Hold():
            return held_down(state, entry)
        case Concede():
            return _concede(state, entry)
        case Agreed():
            return _agreed(state, entry)
        case Pass():
            return _refused(
                state, entry, "pass_not_allowed", "Nobody may pass: every turn needs a flick."
            )
    return state, ()


def _refused(state: State, entry: Declaration, what: str, text: str) -> Judged:
    return state, refused(entry, seat_of(state).name, what, RULE, text)


def _concede(state: State, entry: Concede) -> Judged:
    index = holder(state, entry.player)
    if index is None:
        return _refused(
            state, entry, "declaration_not_allowed", f"{entry.player} does not play in this match."
        )
    on, name = str(entry.id), state.table.seats[index].name
    verdicts: tuple[Verdict, ...] = (
        call_for(state, on, "conceded", index, f"{name} concedes.", coin=None),
    )
    state, more = won(replace(state, conceded=index), on, 1 - index)
    return state, verdicts + more


def _agreed(state: State, entry: Agreed) -> Judged:
    winners, told = agreed(entry, [seat.name for seat in state.table.seats], RULE)
    return replace(state, over=True, winner=winners[0] if winners else None), told
