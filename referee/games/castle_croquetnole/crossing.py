"""Gates and doors of Castle Croquetnole. Whether a coin is inside a castle changes only when it
crosses that castle's gate.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.domain.clause import Reasons
from referee.domain.incident import LineCrossed
from referee.games.castle_croquetnole.prisoners import released_by_leaving
from referee.games.castle_croquetnole.scoring import course_step, scored, step_is_due
from referee.games.castle_croquetnole.state import (
    BONUS,
    CASTLES,
    ERRORS,
    Judged,
    Owed,
    State,
    Step,
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
    does_nothing,
    its,
    its_castle,
    no_effect,
    place_name,
    whose,
)
from referee.games.flicking import flicks_in_words

#: Why a coin does nothing more in its flick, by the kind of place it must be put in.
VOID: Final = {
    "exit": "has left the table",
    "return": "has to go back to where it lay",
    "start": "has set its knight free",
}


def crossed(state: State, entry: LineCrossed, reasons: Reasons) -> Judged:
    """Judge a coin whose centre crossed the line of a gate or a door."""
    on, coin, line = str(entry.id), entry.coin, entry.line
    if not reasons.holds("under_way", state.flick is not None):
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, coin)} crosses {place_name(state, line)}, but nothing is being"
            " flicked.",
            place=line,
        )
    assert state.flick is not None
    state = with_flick(
        state, crossed=(*state.flick.crossed, (coin, line, 1 if entry.direction == "out" else -1))
    )
    idle = why_idle(state, coin, reasons)
    what, _, suit = line.partition("-")
    if what == "door":
        return course_step(state, on, coin, line, idle, reasons)
    way = _in if entry.direction == "in" else _out
    return way(state, on, coin, suit, idle, reasons)


def why_idle(state: State, coin: str, reasons: Reasons) -> str | None:
    """Return why a coin does nothing, or nothing more, in the current flick; None if it can act.

    Whatever the result, the caller also checks its other conditions, so that the explanation names
    all of them.
    """
    assert state.flick is not None
    off_tower = not is_knight(state, coin) or reasons.holds("off_tower", not is_away(state, coin))
    acts = reasons.holds("acts", coin not in state.flick.void)
    if not off_tower:
        waits = state.sides[owner_of(state, coin)].waiting
        why = "waits on its own tower" if waits else "is a prisoner"
        return f"{whose(state, coin)} {why}: nothing it does counts."
    if not acts:
        owed = coin_of(state, coin).owed
        why = f"{VOID[owed.what]} and " if owed is not None and owed.what in VOID else ""
        return f"{whose(state, coin)} {why}does nothing more in this flick."
    return None


def _in(state: State, on: str, coin: str, suit: str, idle: str | None, reasons: Reasons) -> Judged:
    inside, gate = coin_of(state, coin).inside, f"gate-{suit}"
    home = _is_own_gate(state, coin, suit)
    exempt = home and not is_played(state, coin)
    outside = reasons.holds("outside", inside != suit)
    left = reasons.holds("has_left", inside in (None, suit) or exempt, home)
    if idle is not None:
        return does_nothing(state, on, coin, idle, gate)
    if not outside:
        reason = f"{whose(state, coin)} already counts as inside {its_castle(state, coin, suit)}."
        return no_effect(state, on, coin, reason, place=gate, rule=CASTLES)
    if left:
        return _gate_passed(with_coin(state, coin, inside=suit), on, coin, suit, "in", reasons)
    if reasons.holds("illegal_entry", is_played(state, coin)):
        return _illegal(state, on, coin, gate)
    reason = (
        f"{whose(state, coin)} is knocked into {its(state, coin, gate)} without having left"
        f" {its_castle(state, coin, str(inside))}: it still counts as inside the castle it is in."
    )
    return no_effect(state, on, coin, reason, place=gate, rule=ERRORS)


def _out(state: State, on: str, coin: str, suit: str, idle: str | None, reasons: Reasons) -> Judged:
    inside = reasons.holds("inside", coin_of(state, coin).inside == suit)
    if idle is not None:
        return does_nothing(state, on, coin, idle, f"gate-{suit}")
    if inside:
        return _gate_passed(with_coin(state, coin, inside=None), on, coin, suit, "out", reasons)
    gate = f"gate-{suit}"
    crosses = f"{whose(state, coin)} crosses {its(state, coin, gate)} outwards"
    reason = f"{crosses}, but did not come in by that gate."
    return no_effect(state, on, coin, reason, place=gate, rule=CASTLES)


def _is_own_gate(state: State, coin: str, suit: str) -> bool:
    """Return whether a coin is a guard and the castle is its own."""
    return not is_knight(state, coin) and suit == state.table.seats[owner_of(state, coin)].knight


def _gate_passed(state: State, on: str, coin: str, suit: str, way: str, reasons: Reasons) -> Judged:
    """Judge a coin that came through a gate. This may be a step for a knight, or may put a guard on
    or off duty.
    """
    if is_knight(state, coin):
        due, entitled = step_is_due(state, coin, Step(f"gate-{suit}", way), reasons)
        if due:
            return scored(state, on, coin, reasons, entitled=entitled)
    elif reasons.holds("own_gate", _is_own_gate(state, coin, suit)):
        state, verdicts = _duty(state, on, coin, way, reasons)
        state, more = released_by_leaving(state, on, coin, reasons) if way == "out" else (state, ())
        return state, verdicts + more
    return _passed(state, on, coin, suit, "castle_entered" if way == "in" else "castle_left")


def _passed(state: State, on: str, coin: str, suit: str, name: str) -> Judged:
    """Return the call for a coin that entered or left a castle without a score (CC-21)."""
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


def _duty(state: State, on: str, coin: str, way: str, reasons: Reasons) -> Judged:
    """Put a guard that went through its own gate on or off duty. The guard earns a flick if its own
    player flicked it, but only once a turn for each direction (CC-9/10).
    """
    own = reasons.holds("own_flick", is_played(state, coin))
    first = reasons.holds("first_of_turn", way not in state.gates)
    earned = 1 if own and first else 0
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
    """Send back a coin that was played into another castle's gate before it left the castle it is
    in. It is not flicked again this turn (CC-5).
    """
    flick, inside, lost = state.flick, coin_of(state, coin).inside, state.flicks
    assert flick is not None and inside is not None
    lain = flick.lain[place_of(state, coin)]
    state = with_coin(replace(state, flicks=0), coin, owed=Owed("return", lain))
    state = with_flick(state, void=flick.void | {coin}, croquet=False)
    into, left = its(state, coin, gate), its_castle(state, coin, inside)
    penalty = f"loses {flicks_in_words(lost)}" if lost else "is not flicked again this turn"
    text = (
        f"{whose(state, coin)} enters {into}, although it has not left {left}. It goes back to"
        f" where it lay and {penalty}."
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
