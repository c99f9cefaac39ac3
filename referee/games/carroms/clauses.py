"""What had to hold for an incident of a flick to count in Carroms, clause by clause, and whether it
held.
"""

from __future__ import annotations

from typing import Literal

from referee.domain.clause import Clause
from referee.domain.declaration import Declaration
from referee.domain.incident import AtRest, Contact, Flicked, Incident, LeftTable, Pocketed
from referee.games.carroms.clauses_between import between
from referee.games.carroms.pocketing import black_is_live
from referee.games.carroms.state import (
    BLACK,
    OWN_COINS,
    PLACE,
    STRIKER,
    Flick,
    State,
    in_words,
    own_down,
    owner,
    seat_of,
    sentence,
)


def clauses(
    state: State, entry: Incident | Declaration, *, upheld: bool, judged_in: State | None = None
) -> tuple[Clause, ...]:
    """The clauses for one entry; none for what no clause decides. `state` is the one just before
    it; everything here is judged in that.
    """
    if state.over:
        return (Clause(text="The game still went on.", met=False, facts={"winner": state.winner}),)
    match entry:
        case Flicked():
            return _flicked(state, entry)
        case Pocketed() if entry.coin in PLACE:
            return _pocketed(state, entry)
        case LeftTable() if entry.coin in PLACE:
            return _over_wall(state, entry)
        case Contact():
            return (
                Clause(
                    text=(
                        "It goes into a pocket or over a wall: touching decides nothing in this"
                        " game."
                    ),
                    met=False,
                    facts={"with": entry.with_},
                ),
            )
        case AtRest() if state.flick is not None:
            return _rest(state, state.flick)
        case _:
            return between(state, entry)


def _flicked(state: State, entry: Flicked) -> tuple[Clause, ...]:
    name = seat_of(state).name
    return (
        Clause(text="Everything is still.", met=state.flick is None),
        Clause(
            text=f"It is {name} who flicks.",
            met=entry.player in (None, name),
            facts={"player": entry.player or name},
        ),
        Clause(
            text="It is the striker that is flicked.",
            met=entry.coin == STRIKER,
            facts={"coin": entry.coin},
        ),
    )


def _on_board(state: State, coin: str) -> tuple[Clause, ...]:
    gone = coin in state.pile or (state.flick is not None and coin in state.flick.gone)
    return (
        Clause(text="A flick is under way.", met=state.flick is not None),
        Clause(text=f"{sentence(in_words(coin))} was on the board.", met=not gone),
    )


def _stays(flick: Flick, about: Literal["call", "flicks"] = "flicks") -> Clause:
    facts = (
        {"the_striker": {"pocketed": "is in a pocket", "over": "is over a wall"}[flick.struck]}
        if flick.struck
        else {}
    )
    return Clause(
        text="The striker has not left the board in this flick.",
        met=not flick.struck,
        about=about,
        facts=facts,
    )


def _pocketed(state: State, entry: Pocketed) -> tuple[Clause, ...]:
    first, flick = _on_board(state, entry.coin), state.flick
    if flick is None or entry.coin == STRIKER:
        return first
    name, down = state.table.seats[flick.by].name, len(own_down(state, flick.by))
    had = Clause(
        text=f"{name} had a right to the flick.",
        met=flick.counts,
        about="call" if entry.coin == BLACK else "flicks",
    )
    if not flick.counts:
        return *first, had
    if entry.coin == BLACK:
        when = "before it" if state.table.black_same_flick else "before the flick"
        live = Clause(
            text=f"All of {name}'s own coins were down {when}.",
            met=black_is_live(state, flick),
            facts={"own_coins_left": OWN_COINS - down},
        )
        return *first, had, live, _stays(flick, "call")
    own = Clause(
        text=f"It is one of {name}'s own coins.",
        met=owner(state, entry.coin) == flick.by,
        about="flicks",
    )
    more = Clause(
        text="No other own coin had fallen in this flick.", met=not flick.earned, about="flicks"
    )
    return *first, had, own, more, _stays(flick)


def _over_wall(state: State, entry: LeftTable) -> tuple[Clause, ...]:
    rows = _on_board(state, entry.coin)
    if state.flick is None or entry.coin != STRIKER:
        return rows
    return *rows, Clause(
        text="It is the striker, so that the turn is over at rest.",
        met=state.flick.takes,
        about="flicks",
    )


def _rest(state: State, flick: Flick) -> tuple[Clause, ...]:
    name = state.table.seats[flick.by].name
    return (
        Clause(
            text=f"An own coin of {name} fell in this flick, so that {name} flicks again.",
            met=flick.earned,
        ),
        _stays(flick),
        Clause(
            text="The black coin fell when it was live, which wins.",
            met=bool(flick.black_on) and flick.wins and not flick.struck,
        ),
    )
