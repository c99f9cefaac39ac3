"""What players may declare in Tabletop Croquet."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.domain.call import Verdict
from referee.domain.clause import Reasons
from referee.domain.declaration import AfterHit, Agreed, Concede, Declaration, Leave, Pass, Rover
from referee.games.flicking import agreed, refused
from referee.games.tabletop_croquet.state import (
    TURNS,
    Judged,
    State,
    call_for,
    in_play,
    seat_of,
    whose,
    with_coin,
)
from referee.games.tabletop_croquet.turns import next_turn
from referee.games.tabletop_croquet.winning import last_left, won

ACTIONS: Final = {
    1: "goes on from where the coin lies",
    2: "moves beside {coin} and goes on",
    3: "will flick {coin} and then go on",
    4: "moves beside {coin}, will flick {coin} and then go on",
}
NO_CHOICE: Final = "Only a coin that has just passed the last wicket may become a rover or leave."


def declared(state: State, entry: Declaration, reasons: Reasons) -> Judged:
    """Apply a declaration. One that the rules do not allow is an irregularity and changes
    nothing.
    """
    match entry:
        case AfterHit():
            return _after_hit(state, entry, reasons)
        case Rover() | Leave():
            return _rover_or_leave(state, entry, reasons)
        case Concede():
            return _concede(state, entry, reasons)
        case Agreed():
            return _agreed(state, entry)
        case Pass() if reasons.fails("no_flick_owed", True, state.flicks):
            text = "Nobody may pass: every flick earned must be used."
            return state, refused(entry, seat_of(state).name, "pass_not_allowed", TURNS, text)
    return state, ()


def _not_allowed(state: State, entry: Declaration, rule: str, text: str) -> Judged:
    return state, refused(entry, seat_of(state).name, "declaration_not_allowed", rule, text)


def _after_hit(state: State, entry: AfterHit, reasons: Reasons) -> Judged:
    wrong = _why_no_action(state, entry, reasons)
    if wrong:
        return _not_allowed(state, entry, TURNS, wrong)
    offer = state.offer
    assert offer is not None
    text = f"{seat_of(state).name} {ACTIONS[entry.option].format(coin=whose(state, entry.coin))}."
    call = call_for(
        state,
        str(entry.id),
        "action_declared",
        state.active,
        text,
        with_=entry.coin,
        facts={"option": entry.option},
    )
    return replace(state, offer=replace(offer, option=entry.option, coin=entry.coin)), (call,)


def _why_no_action(state: State, entry: AfterHit, reasons: Reasons) -> str:
    """Return why the player may not declare this action after a hit; empty if it is allowed."""
    name, offer = seat_of(state).name, state.offer
    hit: frozenset[str] = frozenset() if offer is None else offer.coins
    still = reasons.holds("still", state.flick is None)
    in_turn = _says_so(name, entry, reasons)
    was_hit = reasons.holds("coin_was_hit", entry.coin in hit, entry.coin, hit)
    can_be_flicked = not was_hit or _can_be_flicked(state, entry, reasons)
    if not in_turn:
        return f"{entry.player} chooses an action, but it is {name}'s turn."
    if not still:
        return f"{name} chooses an action while coins are still moving."
    if offer is None:
        return f"{name} has hit no coin and has no action to choose."
    if not was_hit:
        return f"{name} did not earn flicks by hitting that coin in the last flick."
    return (
        "" if can_be_flicked else f"{whose(state, entry.coin)} has finished and cannot be flicked."
    )


def _can_be_flicked(state: State, entry: AfterHit, reasons: Reasons) -> bool:
    """Return whether the hit coin may be flicked, if the declared action is to flick it."""
    if entry.option not in (3, 4):
        return True
    theirs = state.coins[state.table.by_coin[entry.coin]]
    return reasons.holds("can_be_flicked", in_play(theirs), entry.coin, theirs.state)


def _says_so(name: str, entry: Declaration, reasons: Reasons) -> bool:
    return reasons.holds("says_so", entry.player in (None, name), name, entry.player)


def _rover_or_leave(state: State, entry: Rover | Leave, reasons: Reasons) -> Judged:
    index = state.table.by_coin.get(entry.coin)
    if reasons.fails("somebodys", index is None, entry.coin):
        return _not_allowed(state, entry, "Team play", NO_CHOICE)
    assert index is not None
    coin, seat = state.coins[index], state.table.seats[index]
    open_ = coin.choice == "asked" and in_play(coin)
    chooses = reasons.holds("chooses", open_, entry.coin, coin.progress, coin.choice)
    says_so = _says_so(seat.name, entry, reasons)
    if not chooses:
        return _not_allowed(state, entry, "Team play", NO_CHOICE)
    if not says_so:
        text = f"Only {seat.name} may say whether this coin becomes a rover."
        return _not_allowed(state, entry, "Team play", text)
    if isinstance(entry, Leave):
        text = f"{seat.name} goes for the left endpost."
        call = call_for(state, str(entry.id), "leave_declared", index, text, rule="Team play")
        return with_coin(state, index, choice="leave"), (call,)
    return _becomes_rover(state, str(entry.id), index)


def _becomes_rover(state: State, on: str, index: int) -> Judged:
    state = with_coin(state, index, choice="rover", state="rover")
    if index == state.active:
        state = replace(state, dead=frozenset(), passed=frozenset())
    text = f"{state.table.seats[index].name}'s coin is a rover from now on."
    return state, (call_for(state, on, "rover_declared", index, text, rule="Team play"),)


def _concede(state: State, entry: Concede, reasons: Reasons) -> Judged:
    name, on = entry.player or seat_of(state).name, str(entry.id)
    index = next((i for i, seat in enumerate(state.table.seats) if seat.name == name), -1)
    plays = index >= 0 and in_play(state.coins[index]) and not state.coins[index].conceded
    if not reasons.holds("still_in_game", plays, name):
        text = f"{name} is not in the game any more and cannot concede."
        return _not_allowed(state, entry, "Winning", text)
    state = with_coin(state, index, conceded=True)
    text = f"{name} concedes; the coin stays where it is."
    call = call_for(state, on, "conceded", index, text, rule="Winning")
    left = last_left(state, reasons)
    more: tuple[Verdict, ...] = ()
    if left is not None:
        state, more = won(state, on, left, "Winning")
    elif index == state.active and state.flick is None:
        state, more = next_turn(state, on)
    return state, (call, *more)


def _agreed(state: State, entry: Agreed) -> Judged:
    winner, calls = agreed(entry, [seat.name for seat in state.table.seats], "Winning")
    return replace(state, over=True, winner=winner), calls
