"""For an incident of Tabletop Croquet that is too close to call: whom it favours, whether it
matters, and how a question words it.
"""

from __future__ import annotations

from referee.domain.incident import (
    Contact,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Surveyed,
    TileDisplaced,
    TileRestored,
)
from referee.games.tabletop_croquet.resting import gain
from referee.games.tabletop_croquet.state import POSTS, State, is_own, place_name, seat_of, whose


def outcome(state: State) -> object:
    """Return the standings, the turn and the winner, in a form that can be compared. The referee
    asks about a doubtful incident only if it changes these.

    When the match is over, the remaining flicks are left out.
    """
    coins = tuple((coin.progress, coin.state, coin.conceded) for coin in state.coins)
    if state.over:
        return coins, state.winner
    return coins, state.active, state.flicks, state.dead


def favours(state: State, entry: Incident) -> bool | None:
    """Return whether an incident is clearly good for the player whose turn it is (True), clearly
    bad (False), or neither (None).
    """
    match entry:
        case LineCrossed() if state.table.judged_at_rest:
            steps = gain(state, entry)
            return (steps > 0) == _same_side(state, entry.coin) if steps else None
        case LineCrossed() | Contact(with_="left-endpost" | "right-endpost"):
            return _same_side(state, entry.coin) if entry.coin in state.table.by_coin else None
        case Contact():
            return (
                True if is_own(state, entry.coin) and entry.with_ in state.table.by_coin else None
            )
        case LeftTable():
            return False if is_own(state, entry.coin) else None
        case _:
            return None


def _same_side(state: State, coin: str) -> bool:
    """Return whether a coin belongs to the player whose turn it is or to a team-mate."""
    index = state.table.by_coin[coin]
    return index == state.active or (
        state.table.teams and seat_of(state).team == state.table.seats[index].team
    )


def describe(state: State, entry: Incident) -> str:
    """Return an incident in words, for a question about it."""
    match entry:
        case LineCrossed():
            return f"{whose(state, entry.coin)} crosses {place_name(entry.line)} {entry.direction}"
        case Contact():
            other = (
                whose(state, entry.with_)
                if entry.with_ in state.table.by_coin
                else place_name(entry.with_)
            )
            return f"{whose(state, entry.coin)} touches {other}"
        case LeftTable():
            return f"{whose(state, entry.coin)} leaves the table"
        case Flicked():
            return f"{whose(state, entry.coin)} is flicked"
        case _:
            return "what was seen"


def indifferent(state: State, entry: Incident) -> bool:
    """Return whether an incident of the current flick changes nothing, wherever it comes in the
    order of the flick's incidents.

    `state` is the state when the flick begins.
    """
    if isinstance(entry, TileDisplaced | TileRestored | Surveyed):
        return True
    if not isinstance(entry, Contact) or entry.with_ in POSTS or state.flick is None:
        return False
    return not is_own(state, entry.coin) and not (
        entry.with_ == state.flick.coin and entry.coin in state.flick.touching
    )
