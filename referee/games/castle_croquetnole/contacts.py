"""Contacts and falls in Castle Croquetnole: strikes, croquets, prisoners, towers, and coins that
leave the table.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Question
from referee.domain.clause import Reasons
from referee.domain.incident import Contact, LeftTable
from referee.games.castle_croquetnole.crossing import why_idle
from referee.games.castle_croquetnole.places import facts_of
from referee.games.castle_croquetnole.prisoners import captured, pair_for_prison, rescued
from referee.games.castle_croquetnole.scoring import course_step
from referee.games.castle_croquetnole.state import (
    BONUS,
    ERRORS,
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


def touched(state: State, entry: Contact, reasons: Reasons, *, upheld: bool) -> Judged:
    """Judge a coin's contact with another coin or with a tower. The rules say nothing about other
    tiles.
    """
    if entry.with_.startswith("tower-"):
        return _tower(state, entry, reasons)
    coins = entry.with_ in state.table.by_coin and entry.coin != entry.with_
    if reasons.fails("coin_or_tower", not coins):
        return state, ()
    return _coins(state, entry, reasons, upheld=upheld)


def _tower(state: State, entry: Contact, reasons: Reasons) -> Judged:
    on, coin, place = str(entry.id), entry.coin, entry.with_
    if not reasons.holds("under_way", state.flick is not None):
        reason = (
            f"{whose(state, coin)} touches {place_name(state, place)}, but nothing is being"
            " flicked."
        )
        return no_effect(state, on, coin, reason, place=place)
    idle = why_idle(state, coin, reasons)
    if is_knight(state, coin):
        return course_step(state, on, coin, place, idle, reasons)
    return rescued(state, on, coin, place.partition("-")[2], idle, reasons)


def _coins(state: State, entry: Contact, reasons: Reasons, *, upheld: bool) -> Judged:
    on, coin, other, flick = str(entry.id), entry.coin, entry.with_, state.flick
    if not reasons.holds("under_way", flick is not None):
        reason = (
            f"{whose(state, coin)} and {whose(state, other)} touch, but nothing is being flicked."
        )
        return no_effect(state, on, coin, reason, rule=BONUS, with_=other)
    assert flick is not None
    idle = why_idle(state, coin, reasons)
    touching = flick.touching & {coin, other} if flick.coin in (coin, other) else frozenset()
    again = bool(touching & flick.met)
    apart = reasons.holds("apart", not touching or (again and upheld), bool(touching))
    void = next((one for one in (coin, other) if is_void(state, one)), None)
    if not reasons.fails("entitled", void is not None):
        void = None
    pair = pair_for_prison(state, coin, other, reasons)
    if pair is None or idle is not None:
        pair, why = None, _why_no_strike(state, coin, other, void, idle, reasons)
    else:
        why = None if void is None else why_void(state, void)
    state = with_flick(state, met=flick.met | touching)
    if not apart:
        return _met(state, on, coin, other, again=again)
    if why is not None:
        return no_effect(state, on, coin, why, rule=BONUS, with_=other)
    if pair is not None:
        return captured(state, on, *pair, reasons)
    return _struck(state, on, coin, other, reasons)


def _met(state: State, on: str, coin: str, other: str, *, again: bool) -> Judged:
    if not again:
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, other)} already lay against this coin: that is no strike.",
            rule=BONUS,
            with_=other,
        )
    text = (
        f"{whose(state, coin)} lay against {whose(state, other)} and seems to have met it again."
        " Did the two part and meet again?"
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


def _struck(state: State, on: str, coin: str, other: str, reasons: Reasons) -> Judged:
    name = seat_of(state).name
    own = is_knight(state, coin) and owner_of(state, coin) == owner_of(state, other)
    state = with_coin(
        replace(state, flicks=state.flicks + 2, struck=state.struck | {(coin, other)}),
        other,
        fresh=False,
    )
    if reasons.succeeds("strike_own_guard", own):
        state = with_flick(state, croquet=True)
        text = (
            f"{whose(state, coin)} hits its own guard, which is off duty: {name} earns two"
            " flicks, and may use them for a croquet."
        )
        return state, (
            call_for(state, on, "croquet_earned", coin, text, rule=BONUS, with_=other, flicks=2),
        )
    text = f"{whose(state, coin)} strikes {whose(state, other)} and earns two flicks."
    return state, (
        call_for(state, on, "hit_scored", coin, text, rule=BONUS, with_=other, flicks=2),
    )


def _why_no_strike(
    state: State, coin: str, other: str, void: str | None, idle: str | None, reasons: Reasons
) -> str | None:
    """Return why a contact is no strike; None if it is one. `void` is a coin that can do nothing
    because the flick is void, and `idle` says why `coin` does nothing.
    """
    assert state.flick is not None
    if void is not None:
        reasons.holds("strike_right", state.flick.hits)
        return why_void(state, void)
    guards = [one for one in (coin, other) if is_guard_on_duty(state, one)]
    played = reasons.holds("strike_played", is_played(state, coin))
    hits = reasons.holds("strike_right", state.flick.hits)
    off_tower = reasons.holds("strike_off_tower", not is_away(state, other), other)
    off_duty = reasons.holds("strike_off_duty", not guards)
    anew = reasons.holds("strike_anew", (coin, other) not in state.struck)
    if not played:
        touching = f"{whose(state, coin)} touches {whose(state, other)}"
        return f"{touching}: only the coin that is being played can strike another coin."
    striking = f"{whose(state, coin)} strikes {whose(state, other)}"
    if not hits:
        return f"{striking}, but this flick stands without any strike."
    if idle is not None:
        return idle
    if not off_tower:
        return f"{striking}, but that knight has to sit on a tower."
    if not off_duty:
        return f"{striking}, but {whose(state, guards[0])} is on duty: that earns nothing."
    if not anew:
        since = " and has not scored a gate, door or tower since" if is_knight(state, coin) else ""
        return f"{striking}, but has already struck it this turn{since}."
    return None


def fell(state: State, entry: LeftTable, reasons: Reasons) -> Judged:
    """Note that a coin which left the table must go back to the spot where it crossed the edge. If
    the coin is the one being played, it loses its remaining flicks (CC-16).
    """
    on, coin = str(entry.id), entry.coin
    off_tower = not is_knight(state, coin) or reasons.holds("off_tower", not is_away(state, coin))
    free = reasons.holds("not_sent", not _is_sent(state, coin))
    own = reasons.holds("fall_played", is_played(state, coin))
    held, lost = not off_tower or not free, state.flicks if own else 0
    if state.flick is not None:
        state = with_flick(
            state,
            fell=state.flick.fell | {coin},
            void=state.flick.void | {coin},
            croquet=state.flick.croquet and not own,
        )
    if own:
        state = replace(state, flicks=0)
    if not held:
        state = with_coin(state, coin, owed=Owed("exit", plain_point(entry.at_mm)), at_mm=None)
    penalty = f" and loses {flicks_in_words(lost)}" if lost else ""
    back = (
        "it goes to the place it already had to go to"
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


def _is_sent(state: State, coin: str) -> bool:
    """Return whether a coin already had to be put somewhere in this flick for a reason other than a
    fall.
    """
    flick = state.flick
    if flick is None or coin not in flick.void or coin in flick.fell:
        return False
    return coin_of(state, coin).to_place is not None
