"""What had to hold for an incident of a flick to count in Castle Croquetnole, clause by clause, and
whether it held.
"""

from __future__ import annotations

from typing import Any, Literal

from referee.domain.clause import Clause
from referee.domain.declaration import Declaration
from referee.domain.incident import Contact, Flicked, Incident, LeftTable, LineCrossed
from referee.games.castle_croquetnole.clauses_between import between
from referee.games.castle_croquetnole.prisoners import pair_for_prison
from referee.games.castle_croquetnole.state import (
    LENGTH,
    State,
    coin_of,
    in_turn,
    is_away,
    is_guard_on_duty,
    is_knight,
    is_played,
    is_void,
    next_step,
    on_duty,
    owner_of,
    seat_of,
)
from referee.games.castle_croquetnole.turns import flickable
from referee.games.castle_croquetnole.wording import castle_name, its, its_castle, whose

WAYS = {"in": "inwards", "out": "outwards"}


def clauses(
    state: State, entry: Incident | Declaration, *, upheld: bool, judged_in: State | None = None
) -> tuple[Clause, ...]:
    """The clauses for one entry; none for what no clause decides. `state` is the one just before
    it; everything here is judged in that.
    """
    if state.over:
        return (
            Clause(text="The game still went on.", met=False, facts={"winner": list(state.winner)}),
        )
    match entry:
        case Flicked():
            return _flicked(state, entry)
        case LineCrossed():
            return _crossed(state, entry)
        case Contact() if entry.with_.startswith("tower-"):
            return _tower(state, entry.coin, entry.with_)
        case Contact() if entry.with_ in state.table.by_coin and entry.with_ != entry.coin:
            return _coins(state, entry, upheld=upheld)
        case Contact():
            return (
                Clause(
                    text="It touches a coin or a tower; touching a tile decides nothing.",
                    met=False,
                    facts={"with": entry.with_},
                ),
            )
        case LeftTable():
            return _fall(state, entry)
        case _:
            return between(state, entry)


def _flicked(state: State, entry: Flicked) -> tuple[Clause, ...]:
    seat, side = seat_of(state), state.sides[state.active]
    facts: dict[str, Any] = {"coin": entry.coin, "may_be_flicked": flickable(state)}
    if side.prisoner_of is not None:
        facts["knight_is_prisoner_of"] = side.prisoner_of
    return (
        Clause(text="Everything is still.", met=state.flick is None),
        Clause(
            text=f"It is {seat.name} who flicks.",
            met=entry.player in (None, seat.name),
            facts={"player": entry.player} if entry.player else {},
        ),
        Clause(
            text=f"It is a coin that {seat.name} may flick now: the knight first, then the guard.",
            met=entry.coin in flickable(state),
            facts=facts,
        ),
    )


def _first(state: State, coin: str) -> tuple[Clause, ...]:
    """Of everything that happens in a flick: there is one, and the coin still does anything in
    it.
    """
    under_way = Clause(text="A flick is under way.", met=state.flick is not None)
    if state.flick is None:
        return (under_way,)
    text = (
        f"{whose(state, coin)} has not left the table, gone back, been taken or set somebody free"
        " in this flick."
    )
    acts = Clause(text=text, met=coin not in state.flick.void)
    if not is_knight(state, coin):
        return under_way, acts
    return (
        under_way,
        Clause(
            text=f"{whose(state, coin)} does not have to sit on a tower.",
            met=not is_away(state, coin),
            facts=_tower_of(state, coin),
        ),
        acts,
    )


def _tower_of(state: State, coin: str) -> dict[str, Any]:
    side = state.sides[owner_of(state, coin)]
    if not is_knight(state, coin) or not is_away(state, coin):
        return {}
    return (
        {"prisoner_of": side.prisoner_of}
        if side.prisoner_of is not None
        else {"waiting_on": f"tower-{coin}"}
    )


def _own_flick(state: State, coin: str) -> Clause:
    flick, name = state.flick, seat_of(state).name
    facts = {
        "turn_of": name,
        "in_turn": in_turn(state),
        "flicked": None if flick is None else flick.coin,
    }
    text = (
        f"{whose(state, coin)} is the coin being played: it is in turn, and its own player"
        " flicked it."
    )
    return Clause(text=text, met=is_played(state, coin), about="flicks", facts=facts)


def _inside(state: State, coin: str) -> dict[str, Any]:
    return {"inside": coin_of(state, coin).inside or "wasteland"}


def _crossed(state: State, entry: LineCrossed) -> tuple[Clause, ...]:
    coin, (what, _, suit) = entry.coin, entry.line.partition("-")
    first, step = _first(state, coin), _next(state, coin, entry.line, entry.direction)
    if state.flick is None:
        return first
    gain = _gain(state, coin, entry.line) if is_knight(state, coin) else ()
    if what == "door":
        return *first, *step, _came_in(state, coin, suit), *gain
    first = (
        *first,
        *(_enters(state, coin, suit) if entry.direction == "in" else _leaves(state, coin, suit)),
    )
    return (*first, *step, *gain) if gain else (*first, *_duty(state, coin, suit, entry.direction))


def _next(state: State, coin: str, place: str, direction: str | None) -> tuple[Clause, ...]:
    """Whether a place is the next step of the knight's course."""
    if not is_knight(state, coin):
        return (Clause(text="It is a knight: guards make no steps.", met=False, about="step"),)
    step, progress = (
        next_step(state, owner_of(state, coin)),
        state.sides[owner_of(state, coin)].progress,
    )
    facts: dict[str, Any] = {"next": None if step is None else step.place, "progress": progress}
    if step is not None and step.direction is not None:
        facts["direction"] = step.direction
    gate = place.startswith("gate-")
    met = step is not None and step.place == place and (not gate or step.direction == direction)
    way = f" {WAYS[str(direction)]}" if gate else ""
    text = f"The next step of {whose(state, coin)} is {its(state, coin, place)}{way}."
    return Clause(text=text, met=met, about="step", facts=facts), *_right(state, coin, "step")


def _right(state: State, coin: str, about: Literal["call", "step"] = "call") -> tuple[Clause, ...]:
    """Of a void flick: its player had no right to what the coin does in it."""
    if state.flick is None or not is_void(state, coin):
        return ()
    text = f"{state.flick.void_by} had a right to this flick."
    return (Clause(text=text, met=False, about=about),)


def _came_in(state: State, coin: str, suit: str) -> Clause:
    text = (
        f"{whose(state, coin)} is inside {its_castle(state, coin, suit)}, having come in by its"
        " gate."
    )
    return Clause(
        text=text, met=coin_of(state, coin).inside == suit, about="step", facts=_inside(state, coin)
    )


def _gain(state: State, coin: str, place: str = "") -> tuple[Clause, ...]:
    """What a step's flick hangs on."""
    own = _own_flick(state, coin)
    if place != f"gate-{coin}":
        return (own,)
    return own, Clause(
        text="The own gate earns a flick like every other step (own_gate_bonus).",
        met=state.table.own_gate_bonus,
        about="flicks",
    )


def _enters(state: State, coin: str, suit: str) -> tuple[Clause, ...]:
    inside, home = (
        coin_of(state, coin).inside,
        not is_knight(state, coin) and suit == state.table.seats[owner_of(state, coin)].knight,
    )
    exempt = home and not is_played(state, coin)
    left = (
        f"{whose(state, coin)} has left the castle it was"
        f" in{', or is a guard knocked into its own' if home else ''}."
    )
    outside = (
        f"{whose(state, coin)} does not count as inside {its_castle(state, coin, suit)} already."
    )
    return (
        Clause(text=outside, met=inside != suit, facts=_inside(state, coin)),
        Clause(text=left, met=inside in (None, suit) or exempt, facts=_inside(state, coin)),
    )


def _leaves(state: State, coin: str, suit: str) -> tuple[Clause, ...]:
    text = (
        f"{whose(state, coin)} is inside {its_castle(state, coin, suit)}, so that it can leave it."
    )
    return (Clause(text=text, met=coin_of(state, coin).inside == suit, facts=_inside(state, coin)),)


def _duty(state: State, guard: str, suit: str, way: str) -> tuple[Clause, ...]:
    own = suit == state.table.seats[owner_of(state, guard)].knight
    rows = (
        Clause(
            text="It is the guard's own gate, which alone puts it on or off duty.",
            met=own,
            about="flicks",
        ),
    )
    if not own:
        return rows
    doing = "leaving" if way == "out" else "entering"
    had = {"had_for": sorted(state.gates)} if state.gates else {}
    fresh = Clause(
        text=f"It has had no flick for {doing} this turn.",
        met=way not in state.gates,
        about="flicks",
        facts=had,
    )
    return *rows, _own_flick(state, guard), fresh


def _tower(state: State, coin: str, place: str) -> tuple[Clause, ...]:
    first, suit, index = _first(state, coin), place.partition("-")[2], owner_of(state, coin)
    if state.flick is None:
        return first
    if is_knight(state, coin):
        rows = (*first, *_next(state, coin, place, None), _came_in(state, coin, suit))
        if suit == coin:
            return *rows, _guard_on_duty(state, index)
        return *rows, *(_gain(state, coin) if state.sides[index].progress < LENGTH - 1 else ())
    held = state.sides[index].prisoner_of
    freed = Clause(
        text="The guard's own knight is a prisoner on this tower.",
        met=held == suit,
        facts={"prisoner_of": held},
    )
    return *first, *_right(state, coin), freed, _guard_on_duty(state, index)


def _guard_on_duty(state: State, index: int, prefix: str = "") -> Clause:
    guard = state.table.seats[index].guard
    facts = {"guard_inside": coin_of(state, guard).inside or "wasteland"}
    return Clause(
        text=f"{prefix}{whose(state, guard)} is on duty.", met=on_duty(state, index), facts=facts
    )


def _coins(state: State, entry: Contact, *, upheld: bool) -> tuple[Clause, ...]:
    coin, other, flick = entry.coin, entry.with_, state.flick
    first = _first(state, coin)
    if flick is None:
        return first
    touching = flick.touching & {coin, other} if flick.coin in (coin, other) else frozenset()
    anew = upheld and bool(touching & flick.met)
    text = f"{whose(state, other)} did not touch it when the flick was made."
    lay = Clause(
        text=text,
        met=not touching or anew,
        facts={"touching": sorted(flick.touching)} if flick.touching else {},
    )
    prison = (*(_right(state, coin) or _right(state, other)), *_prison(state, coin, other))
    taken = pair_for_prison(state, coin, other)
    if taken is not None and not {coin, other} & flick.void:
        return *first, lay, *prison, _own_flick(state, taken[1])
    return *first, lay, *prison, *_strike(state, coin, other)


def _prison(state: State, one: str, other: str) -> tuple[Clause, ...]:
    """Of a knight and another player's guard: whether the knight is made a prisoner."""
    knight, guard = (one, other) if is_knight(state, one) else (other, one)
    if (
        not is_knight(state, knight)
        or is_knight(state, guard)
        or owner_of(state, knight) == owner_of(state, guard)
    ):
        return ()
    castle = state.table.seats[owner_of(state, guard)].knight
    held = coin_of(state, knight).inside == castle
    within = Clause(
        text=f"Prisoner: {whose(state, knight)} is inside {castle_name(state, castle)}.",
        met=held,
        facts=_inside(state, knight),
    )
    return within, _guard_on_duty(state, owner_of(state, guard), "Prisoner: ")


def _strike(state: State, coin: str, other: str) -> tuple[Clause, ...]:
    flick = state.flick
    assert flick is not None
    if not flick.hits:
        return (Clause(text="Strike: the flick was one the player had a right to.", met=False),)
    own, guards = (
        _own_flick(state, coin),
        [one for one in (coin, other) if is_guard_on_duty(state, one)],
    )
    since = " since its last step" if is_knight(state, coin) else ""
    struck = [name for name in state.table.by_coin if (coin, name) in state.struck]
    again = f"Strike: {whose(state, coin)} has not struck it this turn already{since}."
    return (
        Clause(text=f"Strike: {own.text}", met=own.met, facts=own.facts),
        Clause(text="Strike: the flick was one the player had a right to.", met=flick.hits),
        Clause(
            text=f"Strike: {whose(state, other)} does not have to sit on a tower.",
            met=not is_away(state, other),
            facts=_tower_of(state, other),
        ),
        Clause(
            text="Strike: neither is a guard on duty.",
            met=not guards,
            facts={"on_duty": guards} if guards else {},
        ),
        Clause(text=again, met=other not in struck, facts={"struck": struck} if struck else {}),
    )


def _fall(state: State, entry: LeftTable) -> tuple[Clause, ...]:
    own = _own_flick(state, entry.coin)
    facts = {**own.facts, "flicks_left": state.flicks}
    owed = coin_of(state, entry.coin).to_place
    free = Clause(
        text=f"{whose(state, entry.coin)} does not have to be put somewhere else already.",
        met=owed is None,
        facts={"at_mm": list(entry.at_mm)},
    )
    return free, Clause(
        text=f"{own.text} Then it loses the flicks it has left.",
        met=own.met,
        about="flicks",
        facts=facts,
    )
