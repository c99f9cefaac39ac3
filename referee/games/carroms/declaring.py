"""What players may say in Carroms."""

from __future__ import annotations

from msgspec.structs import replace

from referee.call import Verdict
from referee.declaration import Agreed, Concede, Declaration, Hold, Pass
from referee.games.carroms.pocketing import won
from referee.games.carroms.state import RULE, Judged, State, call_for, seat_of
from referee.games.flicking import agreed, refused

#: How many lines of tiles the player may hold down, and the opponent (CA-12).
OWN_WALLS, OPPONENTS_WALLS = 1, 2
WALLS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def declared(state: State, entry: Declaration) -> Judged:
    """A player says something; what the rules do not allow is an irregularity and not applied."""
    match entry:
        case Hold():
            return _hold(state, entry)
        case Concede():
            return _concede(state, entry)
        case Agreed():
            return _agreed(state, entry)
        case Pass():
            return _refused(state, entry, "pass_not_allowed", "Nobody may pass: every turn needs a flick.")
    return state, ()


def _refused(state: State, entry: Declaration, what: str, text: str) -> Judged:
    return state, refused(entry, seat_of(state).name, what, RULE, text)


def _index(state: State, name: str | None) -> int | None:
    if name is None:
        return state.active
    return next((i for i, seat in enumerate(state.table.seats) if seat.name == name), None)


def _hold(state: State, entry: Hold) -> Judged:
    index, walls = _index(state, entry.player), tuple(wall for wall in WALLS if wall in entry.walls)
    if index is None:
        return _refused(state, entry, "declaration_not_allowed", f"{entry.player} does not play in this match.")
    name = state.table.seats[index].name
    if state.flick is not None:
        return _refused(state, entry, "declaration_not_allowed", f"{name} takes hold of tiles while coins are still moving.")
    most = OWN_WALLS if index == state.active else OPPONENTS_WALLS
    if len(walls) > most:
        lines = "one line" if most == 1 else "two lines"
        return _refused(state, entry, "declaration_not_allowed", f"{name} may hold down at most {lines} of tiles in this flick.")
    holds = tuple(walls if i == index else held for i, held in enumerate(state.holds))
    what = f"holds down the {' and '.join(WALLS[wall] for wall in walls)} line of tiles" if walls else "holds down no tiles"
    call = call_for(state, str(entry.id), "walls_held", index, f"{name} {what} for this flick.", coin=None, facts={"walls": list(walls)})
    return replace(state, holds=holds), (call,)


def _concede(state: State, entry: Concede) -> Judged:
    index = _index(state, entry.player)
    if index is None:
        return _refused(state, entry, "declaration_not_allowed", f"{entry.player} does not play in this match.")
    on, name = str(entry.id), state.table.seats[index].name
    verdicts: tuple[Verdict, ...] = (call_for(state, on, "conceded", index, f"{name} concedes.", coin=None),)
    state, more = won(replace(state, conceded=index), on, 1 - index)
    return state, verdicts + more


def _agreed(state: State, entry: Agreed) -> Judged:
    winners, told = agreed(entry, [seat.name for seat in state.table.seats], RULE)
    return replace(state, over=True, winner=winners[0] if winners else None), told
