"""What players may declare in Carroms."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Verdict
from referee.domain.clause import Reasons
from referee.domain.declaration import Agreed, Concede, Declaration, Hold, Pass
from referee.games.carroms.holding import held_down, seat_index
from referee.games.carroms.pocketing import won
from referee.games.carroms.state import RULE, Judged, State, call_for, names, seat_of
from referee.games.flicking import agreed, refused


def declared(state: State, entry: Declaration, reasons: Reasons) -> Judged:
    """Apply a declaration. One that the rules do not allow is an irregularity and changes
    nothing.
    """
    match entry:
        case Hold():
            return held_down(state, entry, reasons)
        case Concede():
            return _concede(state, entry)
        case Agreed():
            return _agreed(state, entry)
        case Pass() if reasons.fails("may_pass", True):
            text = "Nobody may pass: every turn needs a flick."
            return state, refused(entry, seat_of(state).name, "pass_not_allowed", RULE, text)
    return state, ()


def _concede(state: State, entry: Concede) -> Judged:
    index = seat_index(state, entry.player)
    on, name = str(entry.id), state.table.seats[index].name
    verdicts: tuple[Verdict, ...] = (
        call_for(state, on, "conceded", index, f"{name} concedes.", coin=None),
    )
    state, more = won(replace(state, conceded=index), on, 1 - index)
    return state, verdicts + more


def _agreed(state: State, entry: Agreed) -> Judged:
    winners, calls = agreed(entry, names(state), RULE)
    return replace(state, over=True, winner=winners[0] if winners else None), calls
