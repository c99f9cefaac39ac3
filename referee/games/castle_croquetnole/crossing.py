"""Gates and doors of Castle Croquetnole: only a crossing of a castle's gate changes whether a coin
is inside it.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.incident import LineCrossed
from referee.games.castle_croquetnole.prisoners import released_by_leaving
from referee.games.castle_croquetnole.scoring import scored
from referee.games.castle_croquetnole.state import (
    BONUS,
    CASTLES,
    ERRORS,
    PRISONERS,
    Judged,
    Owed,
    State,
    coin_of,
    is_away,
    is_knight,
    is_played,
    next_step,
    owner_of,
    place_of,
    seat_of,
    with_coin,
    with_flick,
)
from referee.games.castle_croquetnole.wording import (
    call_for,
    its,
    its_castle,
    no_effect,
    place_name,
    whose,
)
from referee.games.flicking import flicks_in_words

#: Why a coin that has to be put somewhere does nothing more in its flick.
VOID = {
    "exit": "has left the table",
    "return": "has to go back to where it lay",
    "start": "has set its knight free",
}


def crossed(state: State, entry: LineCrossed) -> Judged:
    """A centre crossed a gate's or a door's line."""
    on, coin, line = str(entry.id), entry.coin, entry.line
    if state.flick is None:
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, coin)} crosses {place_name(state, line)}, but nothing is being"
            " flicked.",
            place=line,
        )
    state = with_flick(
        state, crossed=(*state.flick.crossed, (coin, line, 1 if entry.direction == "out" else -1))
    )
    reason = why_idle(state, coin)
    if reason is not None:
        return no_effect(
            state, on, coin, reason, rule=PRISONERS if is_away(state, coin) else ERRORS, place=line
        )
    what, _, suit = line.partition("-")
    if what == "door":
        return _door(state, on, coin, suit)
    return _in(state, on, coin, suit) if entry.direction == "in" else _out(state, on, coin, suit)


def why_idle(state: State, coin: str) -> str | None:
    """Why a coin does nothing (more) in the flick under way; None when it does."""
    if is_away(state, coin):
        why = (
            "waits on its own tower"
            if state.sides[owner_of(state, coin)].waiting
            else "is a prisoner"
        )
        return f"{whose(state, coin)} {why}: nothing it does counts."
    if state.flick is not None and coin in state.flick.void:
        owed = coin_of(state, coin).owed
        why = f"{VOID[owed.what]} and " if owed is not None and owed.what in VOID else ""
        return f"{whose(state, coin)} {why}does nothing more in this flick."
    return None


def _door(state: State, on: str, coin: str, suit: str) -> Judged:
    if not is_knight(state, coin):
        return state, ()
    return _course_step(state, on, coin, f"door-{suit}", suit, "goes through")


def _course_step(state: State, on: str, coin: str, place: str, suit: str, doing: str) -> Judged:
    step = next_step(state, owner_of(state, coin))
    named = its(state, coin, place)
    if step is None or step.place != place:
        wanted = "none" if step is None else its(state, coin, step.place)
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, coin)} {doing} {named}, but its next step is {wanted}.",
            place=place,
        )
    if coin_of(state, coin).inside != suit:
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, coin)} {doing} {named}, but has not come into that castle by its gate.",
            place=place,
        )
    return scored(state, on, coin)


def _in(state: State, on: str, coin: str, suit: str) -> Judged:
    inside, gate = coin_of(state, coin).inside, f"gate-{suit}"
    home = not is_knight(state, coin) and suit == state.table.seats[owner_of(state, coin)].knight
    if inside == suit:
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, coin)} counts as inside {its_castle(state, coin, suit)} already.",
            place=gate,
            rule=CASTLES,
        )
    if inside is not None and is_played(state, coin):
        return _illegal(state, on, coin, gate)
    if inside is not None and not home:
        left = its_castle(state, coin, inside)
        reason = (
            f"{whose(state, coin)} is knocked into {its(state, coin, gate)} without having left"
            f" {left}: it still counts as inside that one."
        )
        return no_effect(state, on, coin, reason, place=gate, rule=ERRORS)
    if not is_knight(state, coin):
        state = with_coin(state, coin, inside=suit)
        return (
            _duty(state, on, coin, "in")
            if home
            else _passed(state, on, coin, suit, "castle_entered")
        )
    step = next_step(state, owner_of(state, coin))
    state = with_coin(state, coin, inside=suit)
    return (
        scored(state, on, coin)
        if step == (gate, "in")
        else _passed(state, on, coin, suit, "castle_entered")
    )


def _out(state: State, on: str, coin: str, suit: str) -> Judged:
    gate = f"gate-{suit}"
    if coin_of(state, coin).inside != suit:
        reason = (
            f"{whose(state, coin)} crosses {its(state, coin, gate)} outwards, but had not come in"
            " by it."
        )
        return no_effect(state, on, coin, reason, place=gate, rule=CASTLES)
    state = with_coin(state, coin, inside=None)
    if not is_knight(state, coin):
        if suit != state.table.seats[owner_of(state, coin)].knight:
            return _passed(state, on, coin, suit, "castle_left")
        state, verdicts = _duty(state, on, coin, "out")
        state, more = released_by_leaving(state, on, coin)
        return state, verdicts + more
    step = next_step(state, owner_of(state, coin))
    return (
        scored(state, on, coin)
        if step == (gate, "out")
        else _passed(state, on, coin, suit, "castle_left")
    )


def _passed(state: State, on: str, coin: str, suit: str, name: str) -> Judged:
    """A coin is inside another castle, or outside it, without a score (CC-21)."""
    doing = "enters" if name == "castle_entered" else "leaves"
    text = f"{whose(state, coin)} {doing} {its_castle(state, coin, suit)}"
    step = next_step(state, owner_of(state, coin)) if is_knight(state, coin) else None
    text += (
        f" without a score: its next step is {its(state, coin, step.place)}."
        if step is not None
        else "."
    )
    return state, (
        call_for(state, on, name, coin, text, rule=CASTLES, place=f"gate-{suit}", flicks=0),
    )


def _duty(state: State, on: str, coin: str, way: str) -> Judged:
    """A guard went through its own gate: its duty changes always; its player's own flick of it
    earns one, once a turn each way (CC-9/10).
    """
    earned = 1 if is_played(state, coin) and way not in state.gates else 0
    if earned:
        state = replace(state, flicks=state.flicks + 1, gates=state.gates | {way})
    name, doing = (
        ("off_duty", "leaves its castle and is off duty")
        if way == "out"
        else ("on_duty", "is in its castle again and on duty")
    )
    gain = f"; {seat_of(state).name} earns a flick" if earned else ""
    text = f"{whose(state, coin)} {doing}{gain}."
    suit = state.table.seats[owner_of(state, coin)].knight
    call = call_for(
        state,
        on,
        name,
        coin,
        text,
        rule=BONUS if earned else CASTLES,
        place=f"gate-{suit}",
        flicks=earned,
    )
    return state, (call,)


def _illegal(state: State, on: str, coin: str, gate: str) -> Judged:
    """The coin was played into a gate before it left the castle it is in: it goes back and is not
    flicked again this turn (CC-5).
    """
    flick, inside, lost = state.flick, coin_of(state, coin).inside, state.flicks
    assert flick is not None and inside is not None
    lain = flick.lain[place_of(state, coin)]
    state = with_coin(replace(state, flicks=0), coin, owed=Owed("return", lain))
    state = with_flick(state, void=flick.void | {coin}, croquet=False)
    into, left = its(state, coin, gate), its_castle(state, coin, inside)
    penalty = f"loses {flicks_in_words(lost)}" if lost else "is not flicked again this turn"
    text = (
        f"{whose(state, coin)} is played into {into} before it left {left}: it goes back to where"
        f" it lay and {penalty}."
    )
    facts = {} if lain is None else {"back_mm": [round(lain[0], 2), round(lain[1], 2)]}
    return state, (
        call_for(
            state,
            on,
            "illegal_entry",
            coin,
            text,
            rule=ERRORS,
            place=gate,
            flicks=-lost,
            facts=facts or None,
        ),
    )
