"""What had to hold for an incident to count in Carroms, clause by clause, and whether it held."""

from __future__ import annotations

from referee.clause import Clause
from referee.declaration import Declaration
from referee.games.carroms.placing import goes_back_at, on_field
from referee.games.carroms.pocketing import black_is_live
from referee.games.carroms.state import BLACK, OWN_COINS, PLACE, STRIKER, State, in_words, own_down, owner, piece, seat_of, sentence
from referee.incident import Flicked, Incident, LeftTable, Placed, Pocketed


def clauses(state: State, entry: Incident | Declaration, *, upheld: bool, judged_in: State | None = None) -> tuple[Clause, ...]:
    """The clauses for one entry; none for what no clause decides. `state` is the one just before it; everything here is judged in that."""
    match entry:
        case Flicked():
            return _flicked(state, entry)
        case Pocketed() if entry.coin in PLACE:
            return _pocketed(state, entry)
        case LeftTable() if entry.coin in PLACE:
            return _on_board(state, entry.coin)
        case Placed() if entry.coin in PLACE and piece(state, entry.coin).owed:
            return _put_back(state, entry)
        case _:
            return ()


def _flicked(state: State, entry: Flicked) -> tuple[Clause, ...]:
    name = seat_of(state).name
    return (
        Clause(text="Everything is still.", met=state.flick is None),
        Clause(text=f"It is {name} who flicks.", met=entry.player in (None, name), facts={"player": entry.player or name}),
        Clause(text="It is the striker that is flicked.", met=entry.coin == STRIKER, facts={"coin": entry.coin}),
    )


def _on_board(state: State, coin: str) -> tuple[Clause, ...]:
    gone = coin in state.pile or (state.flick is not None and coin in state.flick.gone)
    return (
        Clause(text="A flick is under way.", met=state.flick is not None),
        Clause(text=f"{sentence(in_words(coin))} was on the board.", met=not gone),
    )


def _pocketed(state: State, entry: Pocketed) -> tuple[Clause, ...]:
    first, flick = _on_board(state, entry.coin), state.flick
    if flick is None or entry.coin == STRIKER:
        return first
    name, down = state.table.seats[flick.by].name, len(own_down(state, flick.by))
    right = Clause(text=f"{name} had a right to the flick.", met=flick.counts, about="flicks")
    stays = Clause(text="The striker had not left the board in this flick.", met=not flick.struck, about="flicks")
    if entry.coin == BLACK:
        when = "before it" if state.table.black_same_flick else "before the flick"
        live = Clause(text=f"All of {name}'s own coins were down {when}.", met=black_is_live(state, flick), about="flicks", facts={"left": OWN_COINS - down})
        return *first, right, live, stays
    own = Clause(text=f"It is one of {name}'s own coins.", met=owner(state, entry.coin) == flick.by, about="flicks")
    more = Clause(text="No other own coin had fallen in this flick.", met=not flick.earned, about="flicks")
    return *first, right, own, more, stays


def _put_back(state: State, entry: Placed) -> tuple[Clause, ...]:
    if entry.at_mm is None:
        return ()
    at_mm, slack_mm = (float(entry.at_mm[0]), float(entry.at_mm[1])), 2 * (entry.sigma_mm or 0.0)
    if entry.coin == STRIKER:
        return (Clause(text="The striker is put on the board.", met=on_field(state, at_mm, slack_mm), facts={"at_mm": list(at_mm)}),)
    text = "It lies on a free spot, at most a quarter of a coin width farther from the centre than the nearest one."
    return (Clause(text=text, met=goes_back_at(state, entry.coin, at_mm, slack_mm), facts={"at_mm": list(at_mm)}),)
