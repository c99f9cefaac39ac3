"""Contacts and falls in Castle Croquetnole: strikes, croquets, prisoners, towers, and coins that
leave the table.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Question
from referee.domain.incident import Contact, LeftTable
from referee.games.castle_croquetnole.crossing import why_idle
from referee.games.castle_croquetnole.places import facts_of
from referee.games.castle_croquetnole.prisoners import captured, pair_for_prison, rescued
from referee.games.castle_croquetnole.scoring import tower
from referee.games.castle_croquetnole.state import (
    BONUS,
    ERRORS,
    PRISONERS,
    Judged,
    Owed,
    State,
    coin_of,
    is_away,
    is_guard_on_duty,
    is_knight,
    is_played,
    is_void,
    owner_of,
    seat_of,
    with_coin,
    with_flick,
)
from referee.games.castle_croquetnole.wording import (
    call_for,
    no_effect,
    place_name,
    whose,
    why_void,
)
from referee.games.flicking import flicks_in_words, plain_point


def touched(state: State, entry: Contact, *, upheld: bool) -> Judged:
    """A coin touched another coin, a tower, or a tile (which no rule asks about)."""
    if entry.with_.startswith("tower-"):
        return _tower(state, entry)
    if entry.with_ in state.table.by_coin and entry.coin != entry.with_:
        return _coins(state, entry, upheld=upheld)
    return state, ()


def _tower(state: State, entry: Contact) -> Judged:
    on, coin, place = str(entry.id), entry.coin, entry.with_
    if state.flick is None:
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, coin)} touches {place_name(state, place)}, but nothing is being"
            " flicked.",
            place=place,
        )
    reason = why_idle(state, coin)
    if reason is not None:
        return no_effect(
            state, on, coin, reason, rule=PRISONERS if is_away(state, coin) else ERRORS, place=place
        )
    suit = place.partition("-")[2]
    return (
        tower(state, on, coin, suit) if is_knight(state, coin) else rescued(state, on, coin, suit)
    )


def _coins(state: State, entry: Contact, *, upheld: bool) -> Judged:
    on, coin, other = str(entry.id), entry.coin, entry.with_
    if state.flick is None:
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, coin)} and {whose(state, other)} touch, but nothing is being flicked.",
            rule=BONUS,
            with_=other,
        )
    touching = (
        state.flick.touching & {coin, other} if state.flick.coin in (coin, other) else frozenset()
    )
    again = bool(touching & state.flick.met)
    void = next((one for one in (coin, other) if is_void(state, one)), None)
    idle = {coin, other} & state.flick.void
    state = with_flick(state, met=state.flick.met | touching)
    if touching and not (again and upheld):
        return _met(state, on, coin, other, again=again)
    if void is not None:
        return no_effect(state, on, coin, why_void(state, void), rule=BONUS, with_=other)
    pair = None if idle else pair_for_prison(state, coin, other)
    if pair is not None:
        return captured(state, on, *pair)
    if not is_played(state, coin):
        reason = (
            f"{whose(state, coin)} touches {whose(state, other)}: only the coin that is being"
            " played can strike another."
        )
        return no_effect(state, on, coin, reason, rule=BONUS, with_=other)
    return _struck(state, on, coin, other)


def _met(state: State, on: str, coin: str, other: str, *, again: bool) -> Judged:
    if not again:
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, other)} was touching when the flick was made: that is no strike.",
            rule=BONUS,
            with_=other,
        )
    text = (
        f"{whose(state, coin)} lay against {whose(state, other)} and seems to have met it again."
        " Did the two part and meet anew?"
    )
    asked = Question(
        on=on,
        what="met_again",
        rule=BONUS,
        text=text,
        answers=("upheld", "overturned"),
        coin=coin,
        player=seat_of(state).name,
        weighed=True,
    )
    return state, (asked,)


def _struck(state: State, on: str, coin: str, other: str) -> Judged:
    flick, name = state.flick, seat_of(state).name
    assert flick is not None
    reason = _why_no_strike(state, coin, other)
    if reason is not None:
        return no_effect(state, on, coin, reason, rule=BONUS, with_=other)
    state = with_coin(
        replace(state, flicks=state.flicks + 2, struck=state.struck | {(coin, other)}),
        other,
        fresh=False,
    )
    if is_knight(state, coin) and owner_of(state, coin) == owner_of(state, other):
        state = with_flick(state, croquet=True)
        text = (
            f"{whose(state, coin)} hits its own guard, which is off duty: {name} may take croquet,"
            " two flicks in all."
        )
        return state, (
            call_for(state, on, "croquet_earned", coin, text, rule=BONUS, with_=other, flicks=2),
        )
    text = f"{whose(state, coin)} strikes {whose(state, other)} and earns two flicks."
    return state, (
        call_for(state, on, "hit_scored", coin, text, rule=BONUS, with_=other, flicks=2),
    )


def _why_no_strike(state: State, coin: str, other: str) -> str | None:
    flick = state.flick
    assert flick is not None
    striking = f"{whose(state, coin)} strikes {whose(state, other)}"
    if not flick.hits:
        return f"{striking}, but this flick stands without any strike."
    idle = why_idle(state, coin)
    if idle is not None:
        return idle
    if is_away(state, other):
        return f"{striking}, but that one has to sit on a tower."
    for one in (coin, other):
        if is_guard_on_duty(state, one):
            return f"{striking}, but {whose(state, one)} is on duty: that earns nothing."
    if (coin, other) in state.struck:
        since = " and has not scored a gate, door or tower since" if is_knight(state, coin) else ""
        return f"{striking}, but has struck it already this turn{since}."
    return None


def fell(state: State, entry: LeftTable) -> Judged:
    """A coin left the table: it goes back to the spot; the coin being played loses its remaining
    flicks (CC-16).
    """
    on, coin = str(entry.id), entry.coin
    own, held = is_played(state, coin), is_away(state, coin)
    lost = state.flicks if own else 0
    if state.flick is not None:
        idle = (
            coin in state.flick.void
            and coin_of(state, coin).to_place is not None
            and coin not in state.flick.fell
        )
        state = with_flick(
            state,
            fell=state.flick.fell | {coin},
            void=state.flick.void | {coin},
            croquet=state.flick.croquet and not own,
        )
        held = held or idle
    if own:
        state = replace(state, flicks=0)
    if not held:
        state = with_coin(state, coin, owed=Owed("exit", plain_point(entry.at_mm)), at_mm=None)
    penalty = f" and loses {flicks_in_words(lost)}" if lost else ""
    back = (
        "it goes where it had to go anyway"
        if held
        else (
            "it goes back one coin width in from the edge"
            if state.table.inset
            else "it goes back to the edge"
        )
    )
    text = f"{whose(state, coin)} leaves the table{penalty}; {back}."
    return state, (
        call_for(
            state,
            on,
            "off_table",
            coin,
            text,
            rule=ERRORS,
            flicks=-lost,
            facts=facts_of(state, coin),
        ),
    )
