"""What coins in pockets and coins over a wall mean in Carroms, and what a flick comes to when all
is at rest.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.domain.incident import LeftTable, Pocketed
from referee.games.carroms.state import (
    BLACK,
    PLACE,
    RULE,
    STRIKER,
    Flick,
    Judged,
    State,
    all_down,
    call_for,
    in_words,
    no_effect,
    own_down,
    owner,
    owner_name,
    sentence,
    with_flick,
    with_piece,
)


def pocketed(state: State, entry: Pocketed) -> Judged:
    """A centre went past the mouth of a pocket: the coin is down (CA-3, CA-5, CA-6)."""
    reason = _why_not(state, entry.coin)
    if reason is not None:
        return no_effect(state, str(entry.id), entry.coin, reason, place=entry.pocket)
    if entry.coin == STRIKER:
        return _striker_down(state, entry)
    if entry.coin == BLACK:
        return _black_down(state, entry)
    return _coin_down(state, entry)


def _why_not(state: State, coin: str) -> str | None:
    what = sentence(in_words(coin))
    if coin not in PLACE:
        return f"{what} is no coin of this game."
    if state.flick is None:
        return f"{what} leaves the board, but nothing is being flicked."
    if coin in state.pile or coin in state.flick.gone:
        return f"{what} is not on the board any more."
    return None


def _off(state: State, coin: str, owed: str) -> State:
    assert state.flick is not None
    gone = state.flick.gone | {coin}
    return with_flick(
        with_piece(state, coin, at_mm=None, owed=owed, back=False, lifted=False), gone=gone
    )


def _coin_down(state: State, entry: Pocketed) -> Judged:
    flick, index, what = state.flick, owner(state, entry.coin), in_words(entry.coin)
    assert flick is not None and index is not None
    own = flick.counts and index == flick.by
    earns = own and not flick.earned and not flick.struck
    if flick.void and index == flick.by:
        reason = (
            f"{sentence(what)} goes into a pocket in a flick that {state.table.seats[index].name}"
            " had no right to: it goes back."
        )
        return no_effect(
            _off(state, entry.coin, "void"), str(entry.id), entry.coin, reason, place=entry.pocket
        )
    state = replace(_off(state, entry.coin, ""), pile=(*state.pile, entry.coin))
    state = with_flick(state, earned=flick.earned or own)
    name, by = state.table.seats[index].name, state.table.seats[flick.by].name
    if own:
        text = f"{name} pockets {what}{' and may flick again' if earns else ''}."
    elif index == flick.by:
        text = (
            f"{sentence(what)} goes into a pocket: it stays there for {name}, and this flick earns"
            " nothing."
        )
    else:
        text = f"{by} puts {what} into a pocket: it stays there for {name}."
    return state, (
        call_for(
            state,
            str(entry.id),
            "coin_pocketed",
            index,
            text,
            coin=entry.coin,
            place=entry.pocket,
            flicks=1 if earns else 0,
        ),
    )


def _striker_down(state: State, entry: Pocketed) -> Judged:
    flick, on = state.flick, str(entry.id)
    assert flick is not None
    state = with_flick(_off(state, STRIKER, "striker"), struck="pocketed", struck_on=on)
    text = f"The striker goes into a pocket: {_places_striker(state, flick)}."
    return state, (
        call_for(
            state,
            on,
            "striker_pocketed",
            flick.by,
            text,
            place=entry.pocket,
            flicks=-1 if flick.earned else 0,
        ),
    )


def _places_striker(state: State, flick: Flick) -> str:
    if not flick.takes:
        return "it is placed by the player whose turn comes"
    return (
        f"{state.table.seats[flick.by].name}'s turn will be over, and the opponent places the"
        " striker"
    )


def black_is_live(state: State, flick: Flick) -> bool:
    """Whether the black, falling now, would win for the player who flicked (CA-6)."""
    return flick.counts and (
        flick.live or (state.table.black_same_flick and all_down(state, flick.by))
    )


def _black_down(state: State, entry: Pocketed) -> Judged:
    flick, on = state.flick, str(entry.id)
    assert flick is not None
    name, live = state.table.seats[flick.by].name, black_is_live(state, flick)
    state = with_flick(_off(state, BLACK, "" if live else "black"), black_on=on, wins=live)
    if not flick.counts:
        text = "The black coin goes into a pocket in a flick that earns nothing: it goes back."
    elif live:
        text = (
            f"{name} pockets the black"
            f" coin{', but the striker is off the board as well' if flick.struck else ''}."
        )
    else:
        text = (
            f"{name} pockets the black coin before all of {name}'s own coins were down: it goes"
            " back."
        )
    return state, (
        call_for(state, on, "black_pocketed", flick.by, text, coin=BLACK, place=entry.pocket),
    )


def over_wall(state: State, entry: LeftTable) -> Judged:
    """A coin went over a wall: it goes back near the centre; of the striker the turn is over
    (CA-9).
    """
    reason = _why_not(state, entry.coin)
    if reason is not None:
        return no_effect(state, str(entry.id), entry.coin, reason)
    if entry.coin == STRIKER:
        return _striker_over(state, entry)
    what = sentence(in_words(entry.coin))
    state = _off(state, entry.coin, "off")
    text = f"{what} goes over a wall: it goes back, as near the centre as is free."
    name = owner_name(state, entry.coin)
    return state, (
        Call(
            on=str(entry.id),
            call="off_table",
            player=name,
            coin=entry.coin,
            flicks=0,
            rule=RULE,
            text=text,
        ),
    )


def _striker_over(state: State, entry: LeftTable) -> Judged:
    flick, on = state.flick, str(entry.id)
    assert flick is not None
    state = with_flick(_off(state, STRIKER, "striker"), struck="over", struck_on=on)
    text = f"The striker goes over a wall: {_places_striker(state, flick)}."
    return state, (
        call_for(state, on, "off_table", flick.by, text, flicks=-1 if flick.earned else 0),
    )


def settled(state: State, flick: Flick) -> Judged:
    """What the flick comes to at rest: the game won, or the black and the penalty coin owed (CA-5,
    CA-8, CA-9).
    """
    verdicts: tuple[Verdict, ...] = ()
    if flick.black_on and flick.wins:
        if not flick.struck:
            return won(state, flick.black_on, flick.by)
        reason = (
            "The striker left the board in the same flick, so the black coin does not win: it goes"
            " back."
        )
        state, verdicts = no_effect(
            with_piece(state, BLACK, owed="black"), flick.black_on, BLACK, reason
        )
    if flick.struck == "pocketed" and flick.counts:
        state, more = _penalty(state, flick)
        verdicts += more
    return state, verdicts


def _penalty(state: State, flick: Flick) -> Judged:
    own = own_down(state, flick.by)
    if not own:
        return state, ()
    state = give_back(state, own[-1])
    name = state.table.seats[flick.by].name
    text = (
        f"{name} pocketed the striker: one of {name}'s pocketed coins goes back, as near the centre"
        " as is free."
    )
    return state, (call_for(state, flick.struck_on, "penalty", flick.by, text, coin=own[-1]),)


def give_back(state: State, coin: str) -> State:
    """The state in which a pocketed coin is owed as a penalty."""
    pile = tuple(other for other in state.pile if other != coin)
    return replace(with_piece(state, coin, at_mm=None, owed="penalty", back=False), pile=pile)


def won(state: State, on: str, index: int, text: str | None = None) -> Judged:
    """The game is won."""
    name = state.table.seats[index].name
    call = call_for(
        state,
        on,
        "game_won",
        index,
        text or f"{name} wins the game.",
        coin=None,
        facts={"winner": name},
    )
    return replace(state, over=True, winner=name), (call,)
