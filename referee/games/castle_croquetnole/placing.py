"""Coins that a hand puts down in Castle Croquetnole, and places of coins at rest that contradict
what was seen.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from referee.domain.call import Irregularity, Verdict
from referee.domain.clause import Reasons
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Placed
from referee.games.castle_croquetnole.places import (
    beside_guard,
    croquet_facts,
    facts_of,
    fits,
    in_start_region,
    start_facts,
)
from referee.games.castle_croquetnole.state import (
    BONUS,
    ERRORS,
    SCORING,
    SETUP,
    Judged,
    Owed,
    State,
    coin_of,
    in_turn,
    is_away,
    owner_of,
    place_of,
    with_coin,
)
from referee.games.castle_croquetnole.wording import its, whose
from referee.games.flicking import UNMOVED_MM, gone_through, plain_point, rest_contradicts

#: The text for a coin put in a wrong place, by the reason for which it must be moved.
TO_DO: Final = {
    "exit": "is put back in the wrong place: it goes {inset} where it left the table.",
    "return": "is put back in the wrong place: it goes to where it lay before its flick.",
    "tower": "is put in the wrong place: it has to sit on top of {tower}.",
    "start": "is put in the wrong place: it starts within one coin width of its own tower.",
}


def placed(state: State, entry: Placed, reasons: Reasons) -> Judged:
    """Judge a coin that a hand put down or lifted off. If the rules do not allow that, return an
    irregularity; what is expected next stays the same.
    """
    on, coin = str(entry.id), entry.coin
    if entry.at_mm is None:
        return _lifted(state, on, coin, reasons)
    now, at_mm, sigma_mm = coin_of(state, coin), plain_point(entry.at_mm), entry.sigma_mm or 0.0
    state = with_coin(state, coin, at_mm=at_mm)
    if now.owed is not None:
        return _put_back(state, on, coin, now.owed, sigma_mm, reasons)
    if now.fresh:
        return _started(state, on, coin, at_mm, sigma_mm, reasons)
    return _moved(state, on, coin, now.at_mm, sigma_mm, reasons)


def _lifted(state: State, on: str, coin: str, reasons: Reasons) -> Judged:
    now = coin_of(state, coin)
    state = with_coin(state, coin, at_mm=None)
    if reasons.holds("may_lift", now.fresh or now.to_place is not None):
        return state, ()
    text = "is lifted off the table, but it must stay there."
    return state, (_wrong(state, on, coin, "moved_by_hand", ERRORS, text),)


def _put_back(
    state: State, on: str, coin: str, owed: Owed, sigma_mm: float, reasons: Reasons
) -> Judged:
    if _lies_right(state, coin, owed, sigma_mm, reasons):
        return with_coin(state, coin, owed=replace(owed, done=True)), ()
    text, facts = _to_do(state, coin, owed), facts_of(state, coin)
    return state, (_wrong(state, on, coin, "placed_wrong", ERRORS, text, facts),)


def _lies_right(state: State, coin: str, owed: Owed, sigma_mm: float, reasons: Reasons) -> bool:
    """Return whether a coin lies where it must be put."""
    at_mm = coin_of(state, coin).at_mm
    assert at_mm is not None
    return reasons.holds("lies_right", fits(state, owed, at_mm, sigma_mm), coin, at_mm)


def _moved(
    state: State, on: str, coin: str, lay_mm: Point | None, sigma_mm: float, reasons: Reasons
) -> Judged:
    """Judge a coin that a hand put down while it was in play. It lay at `lay_mm` before."""
    at_mm, offer = coin_of(state, coin).at_mm, state.offer
    assert at_mm is not None
    unmoved = lay_mm is not None and distance(lay_mm, at_mm) <= UNMOVED_MM
    lies = reasons.holds("lies_where_it_lay", unmoved)
    open_ = offer is not None and offer.option in (2, 3, 4) and not offer.moved
    if coin == in_turn(state) and reasons.holds("croquet_moves", open_ and state.flick is None):
        return _croquet(state, on, coin, sigma_mm, reasons)
    if lies:
        return state, ()
    text = "is moved by hand, but coins are flicked from where they lie."
    return state, (_wrong(state, on, coin, "moved_by_hand", ERRORS, text),)


def _to_do(state: State, coin: str, owed: Owed) -> str:
    tower = its(state, coin, f"tower-{owed.suit}") if owed.suit else ""
    return TO_DO[owed.what].format(
        tower=tower,
        inset="one coin width in from the spot" if state.table.inset else "to the spot on the edge",
    )


def _started(
    state: State, on: str, coin: str, at_mm: Point, sigma_mm: float, reasons: Reasons
) -> Judged:
    suit = state.table.seats[owner_of(state, coin)].knight
    beside = in_start_region(state, suit, at_mm, 2 * sigma_mm + 1e-9)
    if reasons.holds("beside_tower", beside, coin, at_mm):
        return with_coin(state, coin, laid=True), ()
    facts = start_facts(state, suit)
    return state, (_wrong(state, on, coin, "placed_wrong", SETUP, TO_DO["start"], facts),)


def _croquet(state: State, on: str, coin: str, sigma_mm: float, reasons: Reasons) -> Judged:
    at_mm, offer = coin_of(state, coin).at_mm, state.offer
    assert at_mm is not None and offer is not None and offer.option is not None
    if reasons.holds("beside_guard", beside_guard(state, at_mm, offer.option, sigma_mm)):
        return replace(state, offer=replace(offer, moved=True)), ()
    text = (
        "is put more than one coin width from its guard."
        if offer.option == 2
        else "is not put in contact with its guard."
    )
    facts = croquet_facts(state, offer.option)
    return state, (_wrong(state, on, coin, "placed_wrong", BONUS, text, facts),)


def _wrong(
    state: State,
    on: str,
    coin: str,
    what: str,
    rule: str,
    text: str,
    facts: dict[str, Any] | None = None,
) -> Irregularity:
    name = state.table.seats[owner_of(state, coin)].name
    return Irregularity(
        on=on,
        what=what,
        rule=rule,
        text=f"{whose(state, coin)} {text}",
        coin=coin,
        player=name,
        facts=facts or None,
        placement=True,
    )


def lying(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    """Note where coins lie between flicks. A coin seen for the first time counts as placed there. A
    coin that had to be put somewhere counts as put there if it lies in the right place.
    """
    verdicts: tuple[Verdict, ...] = ()
    sigma_mm = entry.sigma_mm or 0.0
    for name, at in entry.coins.items():
        if name not in state.table.by_coin:
            continue
        now, at_mm = coin_of(state, name), plain_point(at)
        state = with_coin(state, name, at_mm=at_mm)
        owed = now.to_place
        if owed is not None and _lies_right(state, name, owed, sigma_mm, reasons):
            state = with_coin(state, name, owed=replace(owed, done=True))
        elif owed is None and now.fresh and not now.laid and now.at_mm is None:
            on = str(entry.id)
            state, more = _started(state, on, name, at_mm, sigma_mm, reasons)
            verdicts += more
    return state, verdicts


def contradictions(state: State, entry: AtRest, reasons: Reasons) -> tuple[Irregularity, ...]:
    """Return an irregularity for every coin whose place at rest contradicts what was seen of it in
    the flick.
    """
    flick, found = state.flick, []
    assert flick is not None
    through = gone_through(flick.crossed)
    expected = entry.coins.keys() - flick.fell - through
    for coin in state.table.by_coin:
        if coin in expected:
            continue
        fell, crossed = coin in flick.fell, coin in through
        owed, stays = (
            coin_of(state, coin).to_place is not None,
            not fell and not is_away(state, coin),
        )
        text = rest_contradicts(
            entry,
            coin,
            flick.lain[place_of(state, coin)],
            fell=fell and owed,
            stays=stays,
            crossed=crossed,
        )
        if text and reasons.fails("rest_agrees", True, coin):
            found.append(
                _wrong(
                    state,
                    str(entry.id),
                    coin,
                    "rest_contradicts",
                    SCORING if crossed and not fell else ERRORS,
                    text,
                )
            )
    return tuple(found)
