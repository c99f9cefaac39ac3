"""Coins that leave the table in Tabletop Croquet, and where they are put back."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from referee.domain.call import Irregularity
from referee.domain.clause import Reasons
from referee.domain.geometry import Point
from referee.domain.incident import AtRest, LeftTable
from referee.games import return_strip
from referee.games.flicking import flicks_in_words, gone_through, plain_point, rest_contradicts
from referee.games.return_strip import Strip, back_facts
from referee.games.tabletop_croquet.state import (
    TURNS,
    Judged,
    State,
    call_for,
    in_play,
    is_own,
    misplaced,
    no_effect,
    whose,
    with_coin,
    with_flick,
)

#: How many diameters in from the edge the centre of a coin goes back: the least, the most, and the
#: value shown (TC-14).
INSET_LEAST: Final = 1.0
INSET_MOST: Final = 1.5
INSET_SHOWN: Final = 1.25
#: How many diameters to either side of the exit point the centre may be.
INSET_ASIDE: Final = 0.5


def fell(state: State, entry: LeftTable, reasons: Reasons) -> Judged:
    """Note that a coin left the table and must be put back. If it is the active player's own coin
    in that player's own flick, the rest of the turn is lost (TC-14 to TC-16).
    """
    on, coin = str(entry.id), entry.coin
    index = state.table.by_coin.get(coin)
    plays = index is not None and in_play(state.coins[index])
    if not reasons.holds("falling_in_play", plays, coin, entry.at_mm):
        gone = state if index is None else with_coin(state, index, lift=False, at_mm=None)
        text = f"{whose(state, coin)} leaves the table, but is not in play: it stays off."
        return no_effect(gone, on, coin, text, rule="Fouls")
    assert index is not None
    own = reasons.holds("flicks_at_stake", is_own(state, coin), coin)
    lost = state.flicks if own else 0
    state = with_coin(state, index, exit_mm=plain_point(entry.at_mm), back=False, at_mm=None)
    if state.flick is not None:
        state = with_flick(state, fell=state.flick.fell | {coin})
    if own:
        state = with_flick(replace(state, flicks=0, offer=None), hit=frozenset())
    penalty = f" and loses {flicks_in_words(lost)}" if lost else ""
    text = (
        f"{state.table.seats[index].name}'s coin leaves the table{penalty}; it goes back one coin"
        " width in from the edge."
    )
    facts = put_back_facts(state, index)
    call = call_for(state, on, "off_table", index, text, rule="Fouls", flicks=-lost, facts=facts)
    return state, (call,)


def put_back(
    state: State, on: str, index: int, at_mm: Point, sigma_mm: float, reasons: Reasons
) -> Judged:
    """Judge the place `at_mm` where a coin that left the table is put back."""
    if goes_back_at(state, index, at_mm, sigma_mm, reasons):
        return with_coin(state, index, back=True), ()
    text = "is put back in the wrong place: it goes one coin width in from where it left the table."
    facts = put_back_facts(state, index)
    return state, (misplaced(state, on, index, "placed_wrong", "Fouls", text, facts),)


def goes_back_at(state: State, index: int, at_mm: Point, sigma_mm: float, reasons: Reasons) -> bool:
    """Return whether a coin that left the table may go back at `at_mm` (TC-14). The allowed region
    is widened by two sigma of the coin's place.
    """
    exit_mm, coin = state.coins[index].exit_mm, state.table.seats[index].coin
    assert exit_mm is not None
    slack_mm = 2 * sigma_mm + 1e-9
    return return_strip.goes_back_at(
        state.ground, exit_mm, at_mm, strip_of(state), slack_mm, reasons, coin
    )


def strip_of(state: State) -> Strip:
    """Return how far from the edge and from the exit point a coin that left the table may be put
    back.
    """
    size = state.table.coin_mm
    return Strip(INSET_LEAST * size, INSET_MOST * size, INSET_SHOWN * size, INSET_ASIDE * size)


def put_back_facts(state: State, index: int) -> dict[str, Any]:
    """Return the fields that say where a coin goes back: `exit_mm`, `inset_mm` (how far in from the
    edge), and `back_mm` (the spot shown) where the edge is known.
    """
    exit_mm = state.coins[index].exit_mm
    assert exit_mm is not None
    return back_facts(state.ground, exit_mm, strip_of(state))


def contradictions(state: State, entry: AtRest, reasons: Reasons) -> tuple[Irregularity, ...]:
    """Return an irregularity for every coin whose place at rest contradicts what was seen of it in
    the flick.
    """
    flick, found = state.flick, []
    assert flick is not None
    through = gone_through(flick.crossed)
    for index, seat in enumerate(state.table.seats):
        coin, fell, crossed = state.coins[index], seat.coin in flick.fell, seat.coin in through
        if seat.coin in entry.coins and not fell and not crossed:
            continue
        text = rest_contradicts(
            entry,
            seat.coin,
            flick.lain[index],
            fell=fell and coin.owed,
            stays=not fell and in_play(coin),
            crossed=crossed,
        )
        if reasons.fails("rest_agrees", bool(text), seat.coin):
            found.append(
                misplaced(
                    state,
                    str(entry.id),
                    index,
                    "rest_contradicts",
                    TURNS if crossed and not fell else "Fouls",
                    text,
                )
            )
    return tuple(found)
