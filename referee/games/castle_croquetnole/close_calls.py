"""For an incident of Castle Croquetnole that is too close to call: whom it favours, whether it
matters, and how a question words it.
"""

from __future__ import annotations

from typing import Final

from referee.domain.call import Call
from referee.domain.clause import NO_REASONS
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
from referee.games.castle_croquetnole.contacts import fell, touched
from referee.games.castle_croquetnole.crossing import crossed
from referee.games.castle_croquetnole.state import Judged, State, is_knight, owner_of
from referee.games.castle_croquetnole.wording import its, whose

STEPS_MADE: Final = ("gate_scored", "door_scored", "tower_scored")
EARNED: Final = ("hit_scored", "croquet_earned")
LOST: Final = ("illegal_entry", "off_table")


def outcome(state: State) -> object:
    """Return the standings, the turn and the winner, in a form that can be compared. The referee
    asks about a doubtful incident only if it changes these.

    When the match is over, the remaining flicks are left out.
    """
    insides = tuple(coin.inside for coin in state.coins)
    sides = tuple(
        (side.progress, side.prisoner_of, side.waiting, side.conceded) for side in state.sides
    )
    if state.over:
        return insides, sides, state.winner
    turn = (state.active, state.role, state.flicks, state.struck, state.offer is not None)
    return insides, sides, turn


def favours(state: State, entry: Incident) -> bool | None:
    """Return whether an incident is clearly good for the player whose turn it is (True), clearly
    bad (False), or neither (None).
    """
    for verdict in _effect(state, entry)[1]:
        if not isinstance(verdict, Call) or verdict.coin is None:
            continue
        own = owner_of(state, verdict.coin) == state.active
        if verdict.call in STEPS_MADE:
            return own
        if verdict.call in EARNED:
            return True
        if verdict.call in LOST:
            return False if own else None
        if verdict.call == "prisoner_taken" and verdict.with_ is not None:
            return (
                False if own else True if owner_of(state, verdict.with_) == state.active else None
            )
    return None


def _effect(state: State, entry: Incident) -> Judged:
    match entry:
        case LineCrossed():
            return crossed(state, entry, NO_REASONS)
        case Contact():
            return touched(state, entry, NO_REASONS, upheld=False)
        case LeftTable():
            return fell(state, entry, NO_REASONS)
        case _:
            return state, ()


def describe(state: State, entry: Incident) -> str:
    """Return an incident in words, for a question about it."""
    match entry:
        case LineCrossed():
            return (
                f"{whose(state, entry.coin)} crosses {its(state, entry.coin, entry.line)}"
                f" {entry.direction}wards"
            )
        case Contact():
            other = entry.with_
            named = whose(state, other) if other in state.table.by_coin else f"the tile {other}"
            if other.startswith("tower-"):
                named = its(state, entry.coin, other)
            return f"{whose(state, entry.coin)} touches {named}"
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
    if isinstance(entry, LineCrossed):
        return entry.line.startswith("door-") and not is_knight(state, entry.coin)
    if not isinstance(entry, Contact) or state.flick is None or entry.with_.startswith("tower-"):
        return False
    if entry.with_ not in state.table.by_coin:
        return True
    if state.flick.coin in (entry.coin, entry.with_):
        return (
            entry.coin != state.flick.coin
            and entry.coin not in state.flick.touching
            and not _may_imprison(state, entry.coin, entry.with_)
        )
    return not _may_imprison(state, entry.coin, entry.with_)


def _may_imprison(state: State, one: str, other: str) -> bool:
    return owner_of(state, one) != owner_of(state, other) and is_knight(state, one) != is_knight(
        state, other
    )
