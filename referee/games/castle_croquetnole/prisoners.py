"""Prisoners of Castle Croquetnole: how a knight becomes a prisoner, and how it is released."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Verdict
from referee.domain.clause import Reasons
from referee.domain.pieces import GUARDS
from referee.games.castle_croquetnole.state import (
    BONUS,
    COURSES,
    LENGTH,
    PRISONERS,
    Judged,
    Owed,
    State,
    coin_of,
    in_turn,
    is_away,
    is_knight,
    is_played,
    is_void,
    on_duty,
    owner_of,
    with_coin,
    with_flick,
    with_side,
)
from referee.games.castle_croquetnole.wording import (
    call_for,
    castle_name,
    does_nothing,
    no_effect,
    place_name,
    whose,
    why_void,
)
from referee.games.flicking import flicks_in_words


def pair_for_prison(
    state: State, coin: str, other: str, reasons: Reasons
) -> tuple[str, str] | None:
    """Return the knight and the guard of a contact that makes the knight a prisoner (CC-6/7); None
    for any other contact.
    """
    knight, guard = (coin, other) if is_knight(state, coin) else (other, coin)
    castle = owner_of(state, guard)
    if not is_knight(state, knight) or is_knight(state, guard) or castle == owner_of(state, knight):
        return None
    assert state.flick is not None
    suit = state.table.seats[castle].knight
    checks = [
        reasons.holds("prison_inside", coin_of(state, knight).inside == suit, knight, suit),
        reasons.holds("prison_on_duty", on_duty(state, castle), guard),
        reasons.holds("prison_acts", other not in state.flick.void, other),
        other != knight or reasons.holds("prison_off_tower", not is_away(state, knight), knight),
    ]
    return (knight, guard) if all(checks) else None


def captured(state: State, on: str, knight: str, guard: str, reasons: Reasons) -> Judged:
    """Make the knight a prisoner from this moment on. The guard earns a flick for that only if it
    is the coin being played (CC-8).
    """
    flick, suit = state.flick, coin_of(state, knight).inside
    assert flick is not None and suit is not None
    earned = 1 if reasons.holds("guard_played", is_played(state, guard), guard) else 0
    loses = reasons.holds("loses_flicks", knight == in_turn(state), knight)
    lost = state.flicks if loses else 0
    state = replace(state, flicks=state.flicks + earned - lost)
    state = with_side(state, owner_of(state, knight), prisoner_of=suit)
    state = with_coin(state, knight, owed=Owed("tower", suit=suit), fresh=False)
    state = with_flick(state, void=flick.void | {knight}, croquet=flick.croquet and not lost)
    gain = (
        f", and {whose(state, guard)} earns a flick"
        if earned
        else f" and loses {flicks_in_words(lost)}"
        if lost
        else ""
    )
    text = (
        f"{whose(state, knight)} meets {whose(state, guard)}, on duty, in"
        f" {castle_name(state, suit)}: it is taken prisoner{gain}."
    )
    rule = BONUS if earned else PRISONERS
    call = call_for(
        state,
        on,
        "prisoner_taken",
        knight,
        text,
        rule=rule,
        with_=guard,
        place=f"tower-{suit}",
        flicks=earned - lost,
    )
    return state, (call,)


def released_by_leaving(state: State, on: str, guard: str, reasons: Reasons) -> Judged:
    """Release all prisoners of a castle because its guard went off duty."""
    suit = state.table.seats[owner_of(state, guard)].knight
    verdicts: tuple[Verdict, ...] = ()
    for index, side in enumerate(state.sides):
        if reasons.succeeds(
            "prisoner_here", side.prisoner_of == suit, state.table.seats[index].knight
        ):
            text = f"{whose(state, guard)} is off duty"
            state, more = _released(state, on, index, guard, text, 0)
            verdicts += more
    return state, verdicts


def rescued(
    state: State, on: str, guard: str, suit: str, idle: str | None, reasons: Reasons
) -> Judged:
    """Judge a guard that hit a tower. If the guard is on duty, it releases its own player's knight
    from that tower. Then the guard goes back to its start and is not flicked again (CC-17).

    `idle` says why the guard does nothing.
    """
    index, tower = owner_of(state, guard), f"tower-{suit}"
    entitled = not reasons.fails("entitled", is_void(state, guard))
    held = reasons.holds("knight_held", state.sides[index].prisoner_of == suit)
    duty = reasons.holds("guard_on_duty", on_duty(state, index), guard)
    if idle is not None:
        return does_nothing(state, on, guard, idle, tower)
    if not held:
        return state, ()
    if not duty:
        reason = (
            f"{whose(state, guard)} hits {place_name(state, tower)}, but is off duty and sets"
            " nobody free."
        )
        return no_effect(state, on, guard, reason, rule=PRISONERS, place=tower)
    if not entitled:
        return no_effect(state, on, guard, why_void(state, guard), rule=PRISONERS, place=tower)
    flick = state.flick
    assert flick is not None
    lost = state.flicks if reasons.holds("loses_flicks", guard == in_turn(state), guard) else 0
    state = with_coin(
        replace(state, flicks=state.flicks - lost),
        guard,
        owed=Owed("start", suit=state.table.seats[index].knight),
    )
    state = with_flick(state, void=flick.void | {guard})
    back = (
        f", goes back to its start and loses {flicks_in_words(lost)}"
        if lost
        else " and goes back to its start"
    )
    text = f"{whose(state, guard)}, on duty, hits {place_name(state, tower)}{back}"
    return _released(state, on, index, guard, text, -lost)


def _released(state: State, on: str, index: int, guard: str, text: str, flicks: int) -> Judged:
    """Release a knight. It waits on its own tower until its owner's next turn.

    If the knight was held in the castle that comes next in its course, it must do that castle
    again, beginning with the gate.
    """
    seat, side = state.table.seats[index], state.sides[index]
    held = side.prisoner_of or ""
    progress = fallen_back(seat.knight, side.progress, held)
    freed = (
        f"{whose(state, seat.knight)} is released and waits on its own tower until {seat.name}'s"
        " next turn"
    )
    again = f"; {castle_name(state, held)} must be done again" if progress < side.progress else ""
    state = with_side(state, index, prisoner_of=None, waiting=True, progress=progress)
    state = with_coin(state, seat.knight, inside=seat.knight, owed=Owed("tower", suit=seat.knight))
    place = f"tower-{held}"
    call = call_for(
        state,
        on,
        "prisoner_released",
        seat.knight,
        f"{text}: {freed}{again}.",
        rule=PRISONERS,
        with_=guard,
        place=place,
        flicks=flicks,
    )
    return state, (call,)


def fallen_back(knight: str, progress: int, held: str) -> int:
    """Return how many steps a knight keeps after its release. If it was held in the castle that
    comes next in its course, these are the steps before that castle; otherwise all of them.

    >>> fallen_back("moons", 3, "suns"), fallen_back("moons", 5, "suns")
    (1, 5)
    """
    first = next(i for i, step in enumerate(COURSES[knight]) if step.place == f"gate-{held}")
    inside_next = (
        progress < LENGTH and first <= progress < first + 4 and held in GUARDS and held != knight
    )
    return first if inside_next else progress
