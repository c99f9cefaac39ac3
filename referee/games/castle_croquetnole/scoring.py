"""Steps of the course in Castle Croquetnole, and how the game is won."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.domain.clause import Reasons
from referee.games.castle_croquetnole.state import (
    LENGTH,
    WINNING,
    Judged,
    State,
    Step,
    coin_of,
    is_knight,
    is_played,
    is_void,
    next_step,
    on_duty,
    owner_of,
    with_side,
)
from referee.games.castle_croquetnole.wording import (
    call_for,
    does_nothing,
    its,
    no_effect,
    whose,
    why_void,
)

CALLS: Final = {"gate": "gate_scored", "door": "door_scored", "tower": "tower_scored"}
#: What a knight does at each kind of place, in words.
DOING: Final = {"gate": "goes through", "door": "goes through", "tower": "hits"}
#: What a step earns, in words. The keys say whether the knight's own player flicked it, and whether
#: the step earns a flick.
GAINS: Final = {
    (True, True): " and earns a flick",
    (True, False): ", which earns no flick here",
    (False, True): ": it counts, but earns nobody a flick",
    (False, False): ": it counts, but earns nobody a flick",
}


def scored(state: State, on: str, knight: str, reasons: Reasons, *, entitled: bool) -> Judged:
    """Make the knight's next step, whoever moved it. The knight earns a flick only if its own
    player flicked it (CC-4).

    In a void flick (`entitled` is False) the knight makes no step.
    """
    index = owner_of(state, knight)
    step = next_step(state, index)
    assert step is not None
    if not entitled:
        return no_effect(state, on, knight, why_void(state, knight), place=step.place)
    progress = state.sides[index].progress + 1
    last = progress == LENGTH
    own = not last and reasons.holds("own_flick", is_played(state, knight))
    paid = step.place != f"gate-{knight}" or reasons.holds(
        "own_gate_bonus", state.table.own_gate_bonus
    )
    earned = 1 if own and paid else 0
    struck = frozenset(pair for pair in state.struck if pair[0] != knight)
    state = with_side(
        replace(state, flicks=state.flicks + earned, struck=struck), index, progress=progress
    )
    gain = "" if last else GAINS[own, paid]
    what = step.place.partition("-")[0]
    doing = "comes out through" if step.direction == "out" else DOING[what]
    text = f"{whose(state, knight)} {doing} {its(state, knight, step.place)}{gain}."
    call = call_for(state, on, CALLS[what], knight, text, place=step.place, flicks=earned)
    if not last or not reasons.holds("wins", not state.sides[index].conceded):
        return state, (call,)
    state, more = won(state, on, index)
    return state, (call, *more)


def step_is_due(state: State, knight: str, step: Step, reasons: Reasons) -> tuple[bool, bool]:
    """Return whether a step is the next one of the knight's course, and whether the knight may make
    it. In a void flick it may not.
    """
    due = reasons.holds("next_step", next_step(state, owner_of(state, knight)) == step, step)
    return due, not reasons.fails("may_step", is_void(state, knight))


def course_step(
    state: State, on: str, coin: str, place: str, idle: str | None, reasons: Reasons
) -> Judged:
    """Judge a coin that goes through a door or hits a tower. For a knight this is a step if it is
    the next one and the knight is inside that castle.

    A knight's own tower counts only while its guard is on duty (CC-18). `idle` says why the coin
    does nothing.
    """
    what, _, suit = place.partition("-")
    index = owner_of(state, coin)
    knight = not reasons.fails("is_knight", not is_knight(state, coin))
    step = Step(place, None)
    due, entitled = step_is_due(state, coin, step, reasons) if knight else (False, False)
    inside = reasons.holds("came_in", coin_of(state, coin).inside == suit)
    guarded = place != f"tower-{coin}" or reasons.holds(
        "guard_on_duty", on_duty(state, index), state.table.seats[index].guard
    )
    if idle is not None:
        return does_nothing(state, on, coin, idle, place)
    if not knight:
        return state, ()
    if due and inside and guarded:
        return scored(state, on, coin, reasons, entitled=entitled)
    done = f"{whose(state, coin)} {DOING[what]} {its(state, coin, place)}"
    if not due:
        wanted = _next_place(state, coin)
        return no_effect(state, on, coin, f"{done}, but its next step is {wanted}.", place=place)
    if not inside:
        reason = f"{done}, but has not come into that castle by its gate."
        return no_effect(state, on, coin, reason, place=place)
    reason = f"{done}, but its guard is off duty: nothing happens, and it may try again."
    return no_effect(state, on, coin, reason, rule=WINNING, place=place)


def _next_place(state: State, knight: str) -> str:
    """Return the place of a knight's next step in words."""
    step = next_step(state, owner_of(state, knight))
    return "none" if step is None else its(state, knight, step.place)


def won(state: State, on: str, index: int) -> Judged:
    """End the match with this winner."""
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
    """Return the player who has won because all the others have conceded; None while others are
    left.
    """
    left = [i for i, side in enumerate(state.sides) if not side.conceded]
    return left[0] if len(left) == 1 else None
