"""Coins that fall into pockets or go over a wall in Carroms, and the judgement of a flick once all
coins lie still.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.domain.clause import Reasons
from referee.domain.incident import LeftTable, Pocketed
from referee.domain.pieces import STRIKER
from referee.games.carroms.state import (
    BLACK,
    RULE,
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


def pocketed(state: State, entry: Pocketed, reasons: Reasons) -> Judged:
    """Judge a pocketed coin: its centre went past the mouth of a pocket (CA-3, CA-5, CA-6)."""
    if entry.coin == STRIKER:
        return _leaves(state, entry, reasons, _striker_off)
    return _leaves(state, entry, reasons, _black_down if entry.coin == BLACK else _coin_down)


def _leaves(
    state: State,
    entry: Pocketed | LeftTable,
    reasons: Reasons,
    judge: Callable[[State, Any, Reasons], Judged],
) -> Judged:
    """Judge a coin that leaves the board. `judge` decides what follows from that. If the coin could
    not leave the board, the result of `judge` is discarded.

    While a flick is under way, `judge` always runs, so that its conditions are noted as well.
    """
    reason = _why_not(state, entry.coin, reasons)
    left = (state, ()) if state.flick is None else judge(state, entry, reasons)
    if reason is None:
        return left
    return no_effect(state, str(entry.id), entry.coin, reason, place=_pocket(entry))


def _why_not(state: State, coin: str, reasons: Reasons) -> str | None:
    what, flick = sentence(in_words(coin)), state.flick
    gone = coin in state.pile or (flick is not None and coin in flick.gone)
    under_way = reasons.holds("flick_under_way", flick is not None)
    there = reasons.holds("on_board", not gone)
    if not under_way:
        return f"{what} leaves the board, but nothing is being flicked."
    return None if there else f"{what} is not on the board any more."


def _off(state: State, coin: str, owed: str) -> State:
    assert state.flick is not None
    gone = state.flick.gone | {coin}
    return with_flick(
        with_piece(state, coin, at_mm=None, owed=owed, back=False, lifted=False), gone=gone
    )


def _coin_down(state: State, entry: Pocketed, reasons: Reasons) -> Judged:
    flick, index = state.flick, owner(state, entry.coin)
    assert flick is not None and index is not None
    entitled = reasons.holds("entitled", flick.counts)
    own = reasons.holds("own_coin", index == flick.by)
    first = reasons.holds("first_own_coin", not flick.earned)
    stays = reasons.holds("striker_on_board", not flick.struck)
    if flick.void and own:
        return _void_coin_down(state, entry)
    earns = entitled and own and first and stays
    text = _coin_down_in_words(state, entry.coin, entitled=entitled, own=own, earns=earns)
    state = replace(_off(state, entry.coin, ""), pile=(*state.pile, entry.coin))
    state = with_flick(state, earned=flick.earned or (entitled and own))
    call = call_for(
        state,
        str(entry.id),
        "coin_pocketed",
        index,
        text,
        coin=entry.coin,
        place=entry.pocket,
        flicks=1 if earns else 0,
    )
    return state, (call,)


def _coin_down_in_words(state: State, coin: str, *, entitled: bool, own: bool, earns: bool) -> str:
    assert state.flick is not None
    what, name = in_words(coin), owner_name(state, coin)
    if entitled and own:
        return f"{name} pockets {what}{' and may flick again' if earns else ''}."
    if own:
        return (
            f"{sentence(what)} goes into a pocket: it stays there and counts for {name}, and this"
            " flick earns nothing."
        )
    by = state.table.seats[state.flick.by].name
    return f"{by} puts {what} into a pocket: it stays there and counts for {name}."


def _void_coin_down(state: State, entry: Pocketed) -> Judged:
    reason = (
        f"{sentence(in_words(entry.coin))} goes into a pocket in a flick that"
        f" {owner_name(state, entry.coin)} had no right to: it goes back."
    )
    state = _off(state, entry.coin, "void")
    return no_effect(state, str(entry.id), entry.coin, reason, place=entry.pocket)


def _striker_off(state: State, entry: Pocketed | LeftTable, reasons: Reasons) -> Judged:
    flick, on, pocket = state.flick, str(entry.id), _pocket(entry)
    assert flick is not None
    ends = reasons.holds("ends_turn", flick.takes)
    struck, call, where = (
        ("over", "off_table", "over a wall")
        if pocket is None
        else ("pocketed", "striker_pocketed", "into a pocket")
    )
    next_placed = (
        f"{state.table.seats[flick.by].name}'s turn will be over, and the opponent places the"
        " striker"
        if ends
        else "the player whose turn comes places it"
    )
    text = f"The striker goes {where}: {next_placed}."
    lost = -1 if ends and flick.earned else 0
    state = with_flick(_off(state, STRIKER, "striker"), struck=struck, struck_on=on)
    return state, (call_for(state, on, call, flick.by, text, place=pocket, flicks=lost),)


def _pocket(entry: Pocketed | LeftTable) -> str | None:
    return entry.pocket if isinstance(entry, Pocketed) else None


def black_is_live(state: State, flick: Flick) -> bool:
    """Return whether the player who flicked would win if the black fell now (CA-6)."""
    return flick.counts and _own_coins_down(state, flick)


def _own_coins_down(state: State, flick: Flick) -> bool:
    return flick.live or (state.table.black_same_flick and all_down(state, flick.by))


def _black_down(state: State, entry: Pocketed, reasons: Reasons) -> Judged:
    flick, on = state.flick, str(entry.id)
    assert flick is not None
    entitled = reasons.holds("entitled", flick.counts)
    live = entitled and reasons.holds("own_coins_down", _own_coins_down(state, flick))
    stays = entitled and reasons.holds("striker_on_board", not flick.struck)
    name = state.table.seats[flick.by].name
    state = with_flick(_off(state, BLACK, "" if live else "black"), black_on=on, wins=live)
    if not entitled:
        text = "The black coin goes into a pocket in a flick that earns nothing: it goes back."
    elif live:
        text = (
            f"{name} pockets the black"
            f" coin{'' if stays else ', but the striker is off the board as well'}."
        )
    else:
        text = (
            f"{name} pockets the black coin before all of {name}'s own coins were down: it goes"
            " back."
        )
    return state, (
        call_for(state, on, "black_pocketed", flick.by, text, coin=BLACK, place=entry.pocket),
    )


def over_wall(state: State, entry: LeftTable, reasons: Reasons) -> Judged:
    """Judge a coin that went over a wall. It goes back near the centre. If it is the striker, the
    turn is over (CA-9).
    """
    return _leaves(state, entry, reasons, _striker_off if entry.coin == STRIKER else _coin_over)


def _coin_over(state: State, entry: LeftTable, reasons: Reasons) -> Judged:
    what = sentence(in_words(entry.coin))
    state = _off(state, entry.coin, "off")
    text = f"{what} goes over a wall: it goes back to a free spot as near the centre as possible."
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


def settled(state: State, flick: Flick, reasons: Reasons, *, stays: bool) -> Judged:
    """Judge the flick as a whole once all coins lie still: whether the game is won, and whether the
    black and a penalty coin must go back (CA-5, CA-8, CA-9).

    `stays` is True if the striker is still on the board.
    """
    verdicts: tuple[Verdict, ...] = ()
    if reasons.holds("black_wins", flick.wins and stays):
        return won(state, flick.black_on, flick.by)
    if flick.wins:
        reason = (
            "The striker left the board in the same flick, so the black coin does not win: it goes"
            " back."
        )
        state, verdicts = no_effect(
            with_piece(state, BLACK, owed="black"), flick.black_on, BLACK, reason
        )
    if flick.struck == "pocketed":
        own = own_down(state, flick.by)
        if reasons.holds("pays_penalty", flick.counts and bool(own)):
            state, more = _penalty(state, flick, own)
            verdicts += more
    return state, verdicts


def _penalty(state: State, flick: Flick, own: list[str]) -> Judged:
    state = give_back(state, own[-1])
    name = state.table.seats[flick.by].name
    text = (
        f"{name} pocketed the striker: one of {name}'s pocketed coins goes back to a free spot"
        " as near the centre as possible."
    )
    return state, (call_for(state, flick.struck_on, "penalty", flick.by, text, coin=own[-1]),)


def give_back(state: State, coin: str) -> State:
    """Return the state in which a pocketed coin must go back as a penalty."""
    pile = tuple(other for other in state.pile if other != coin)
    return replace(with_piece(state, coin, at_mm=None, owed="penalty", back=False), pile=pile)


def won(state: State, on: str, index: int, text: str | None = None) -> Judged:
    """End the match with this winner."""
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
