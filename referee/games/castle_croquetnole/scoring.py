"""Steps of the course in Castle Croquetnole, and how the game is won."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.castle_croquetnole.state import (
    LENGTH,
    WINNING,
    Judged,
    State,
    coin_of,
    is_played,
    is_void,
    next_step,
    on_duty,
    owner_of,
    with_side,
)
from referee.games.castle_croquetnole.wording import call_for, its, no_effect, whose, why_void

CALLS = {"gate": "gate_scored", "door": "door_scored", "tower": "tower_scored"}


def scored(state: State, on: str, knight: str) -> Judged:
    """The knight makes its next step. It counts whoever moved the knight; only its player's own
    flick of it earns one (CC-4).
    """
    index = owner_of(state, knight)
    step = next_step(state, index)
    assert step is not None
    if is_void(state, knight):
        return no_effect(state, on, knight, why_void(state, knight), place=step.place)
    progress, own = state.sides[index].progress + 1, is_played(state, knight)
    last = progress == LENGTH
    free = step.place == f"gate-{knight}" and not state.table.own_gate_bonus
    earned = 1 if own and not last and not free else 0
    struck = frozenset(pair for pair in state.struck if pair[0] != knight)
    state = with_side(
        replace(state, flicks=state.flicks + earned, struck=struck), index, progress=progress
    )
    what = step.place.partition("-")[0]
    gain = (
        " and earns a flick"
        if earned
        else (
            ""
            if last
            else ", which earns no flick here"
            if own
            else ": it counts, and earns nobody a flick"
        )
    )
    doing = (
        "hits"
        if what == "tower"
        else "comes out through"
        if step.direction == "out"
        else "goes through"
    )
    text = f"{whose(state, knight)} {doing} {its(state, knight, step.place)}{gain}."
    call = call_for(state, on, CALLS[what], knight, text, place=step.place, flicks=earned)
    if not last or state.sides[index].conceded:
        return state, (call,)
    state, more = won(state, on, index)
    return state, (call, *more)


def tower(state: State, on: str, knight: str, suit: str) -> Judged:
    """A knight hits a tower: a step in its sequence and inside that castle; the own tower only
    while the own guard is on duty (CC-18).
    """
    index, place = owner_of(state, knight), f"tower-{suit}"
    step, name = next_step(state, index), its(state, knight, place)
    if step is None or step.place != place:
        wanted = "none" if step is None else its(state, knight, step.place)
        return no_effect(
            state,
            on,
            knight,
            f"{whose(state, knight)} hits {name}, but its next step is {wanted}.",
            place=place,
        )
    if coin_of(state, knight).inside != suit:
        return no_effect(
            state,
            on,
            knight,
            f"{whose(state, knight)} hits {name}, but has not come into that castle by its gate.",
            place=place,
        )
    if suit == knight and not on_duty(state, index):
        reason = (
            f"{whose(state, knight)} hits its own tower, but its guard is off duty: nothing"
            " happens, and it may try again."
        )
        return no_effect(state, on, knight, reason, rule=WINNING, place=place)
    return scored(state, on, knight)


def won(state: State, on: str, index: int) -> Judged:
    """The game is won."""
    seat = state.table.seats[index]
    call = call_for(
        state,
        on,
        "game_won",
        seat.knight,
        f"{seat.name} wins the game.",
        rule=WINNING,
        facts={"winner": seat.name},
    )
    return replace(state, over=True, winner=(seat.name,)), (call,)


def last_left(state: State) -> int | None:
    """The player who has won because everybody else has conceded; None while there are others."""
    left = [i for i, side in enumerate(state.sides) if not side.conceded]
    return left[0] if len(left) == 1 else None
