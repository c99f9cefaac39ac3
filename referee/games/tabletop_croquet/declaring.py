"""What players may say in Tabletop Croquet."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Verdict
from referee.domain.declaration import AfterHit, Agreed, Concede, Declaration, Leave, Pass, Rover
from referee.games.flicking import agreed, refused
from referee.games.tabletop_croquet.scoring import last_left, won
from referee.games.tabletop_croquet.state import (
    Judged,
    State,
    call_for,
    in_play,
    seat_of,
    whose,
    with_coin,
)
from referee.games.tabletop_croquet.turns import next_turn

ACTIONS = {
    1: "goes on from where the coin lies",
    2: "moves beside {coin} and goes on",
    3: "will flick {coin} and then go on",
    4: "moves beside {coin}, will flick that and then go on",
}


def declared(state: State, entry: Declaration) -> Judged:
    """A player says something; what the rules do not allow is an irregularity and not applied."""
    match entry:
        case AfterHit():
            return _after_hit(state, entry)
        case Rover() | Leave():
            return _rover_or_leave(state, entry)
        case Concede():
            return _concede(state, entry)
        case Agreed():
            return _agreed(state, entry)
        case Pass():
            return state, refused(
                entry,
                seat_of(state).name,
                "pass_not_allowed",
                "Player turns",
                "Nobody may pass: every flick earned must be used.",
            )
    return state, ()


def _after_hit(state: State, entry: AfterHit) -> Judged:
    seat, wrong = seat_of(state), _why_no_action(state, entry)
    if wrong:
        return state, refused(entry, seat.name, "declaration_not_allowed", "Player turns", wrong)
    offer = state.offer
    assert offer is not None
    text = f"{seat.name} {ACTIONS[entry.option].format(coin=whose(state, entry.coin))}."
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


def _why_no_action(state: State, entry: AfterHit) -> str:
    seat, offer = seat_of(state), state.offer
    if entry.player not in (None, seat.name):
        return f"{entry.player} declares an action, but it is {seat.name}'s turn."
    if state.flick is not None:
        return f"{seat.name} declares an action while coins are still moving."
    if offer is None:
        return f"{seat.name} has no hit to declare an action for."
    if entry.coin not in offer.coins:
        return f"{seat.name} did not earn flicks by hitting that coin in the last flick."
    if entry.option in (3, 4) and not in_play(state.coins[state.table.by_coin[entry.coin]]):
        return f"{whose(state, entry.coin)} has finished and cannot be flicked."
    return ""


def _rover_or_leave(state: State, entry: Rover | Leave) -> Judged:
    index = state.table.by_coin.get(entry.coin)
    if index is None or state.coins[index].choice != "asked" or not in_play(state.coins[index]):
        text = "Only a coin that has just passed the last wicket may become a rover or leave."
        return state, refused(
            entry, seat_of(state).name, "declaration_not_allowed", "Team play", text
        )
    seat = state.table.seats[index]
    if entry.player not in (None, seat.name):
        text = f"Only {seat.name} may say whether this coin becomes a rover."
        return state, refused(entry, seat.name, "declaration_not_allowed", "Team play", text)
    if isinstance(entry, Leave):
        call = call_for(
            state,
            str(entry.id),
            "leave_declared",
            index,
            f"{seat.name} goes for the left endpost.",
            rule="Team play",
        )
        return with_coin(state, index, choice="leave"), (call,)
    state = with_coin(state, index, choice="rover", state="rover")
    if index == state.active:
        state = replace(state, dead=frozenset(), passed=frozenset())
    text = f"{seat.name}'s coin is a rover from now on."
    return state, (call_for(state, str(entry.id), "rover_declared", index, text, rule="Team play"),)


def _concede(state: State, entry: Concede) -> Judged:
    name = entry.player or seat_of(state).name
    index = next((i for i, seat in enumerate(state.table.seats) if seat.name == name), -1)
    if index < 0 or state.coins[index].conceded or not in_play(state.coins[index]):
        return state, refused(
            entry,
            seat_of(state).name,
            "declaration_not_allowed",
            "Winning",
            f"{name} is not in the game any more and cannot concede.",
        )
    on = str(entry.id)
    state = with_coin(state, index, conceded=True)
    verdicts: tuple[Verdict, ...] = (
        call_for(
            state,
            on,
            "conceded",
            index,
            f"{name} concedes; the coin stays where it is.",
            rule="Winning",
        ),
    )
    left = last_left(state)
    if left is not None:
        state, more = won(state, on, left, "Winning")
    elif index == state.active and state.flick is None:
        state, more = next_turn(state, on)
    else:
        more = ()
    return state, verdicts + more


def _agreed(state: State, entry: Agreed) -> Judged:
    winner, told = agreed(entry, [seat.name for seat in state.table.seats], "Winning")
    return replace(state, over=True, winner=winner), told
