"""The parts of a match of Tabletop Croquet that people see: the standings, whose turn it is, and
what is expected next.
"""

from __future__ import annotations

from typing import Any

from referee.domain.call import Question
from referee.games.flicking import expected_next
from referee.games.ground import to_restore
from referee.games.tabletop_croquet.falls import put_back_facts
from referee.games.tabletop_croquet.placing import beside_facts, start_facts
from referee.games.tabletop_croquet.state import STEPS, Coin, Offer, State, in_play, seat_of
from referee.games.tabletop_croquet.turns import flickable, may_force, must_choose


def standings(state: State) -> list[dict[str, Any]]:
    """Return where each player stands, in order of play."""
    return [_standing(state, index) for index in range(len(state.coins))]


def _standing(state: State, index: int) -> dict[str, Any]:
    seat, coin = state.table.seats[index], state.coins[index]
    row: dict[str, Any] = {
        "player": seat.name,
        "coin": seat.coin,
        "progress": coin.progress,
        "next": STEPS[coin.progress].place if coin.progress < len(STEPS) else None,
        "state": coin.state,
        "dead_on": (
            [other.coin for other in state.table.seats if other.coin in state.dead]
            if index == state.active
            else []
        ),
    }
    if state.table.teams:
        row["team"] = seat.team
    if coin.conceded:
        row["conceded"] = True
    return row


def turn(state: State) -> dict[str, Any]:
    """Return whose turn it is and what is expected. `before_flick` lists what must be done before
    the next flick, and `options` what may be declared.
    """
    seat = seat_of(state)
    todo = _before_flick(state)
    row: dict[str, Any] = {
        "player": seat.name,
        "coin": seat.coin,
        "flicks_left": state.flicks,
        "expects": expected_next(todo, over=state.over, flicking=state.flick is not None),
    }
    row |= {"flick": flickable(state), "before_flick": todo}
    if state.offer is not None and state.flick is None:
        row["options"] = _options(state, state.offer)
    rovers = [other.coin for other in state.table.seats if may_force(state, other.coin)]
    if rovers:
        row["may_force"] = rovers
    return row


def _options(state: State, offer: Offer) -> dict[str, Any]:
    coins = [seat.coin for seat in state.table.seats if seat.coin in offer.coins]
    row: dict[str, Any] = {"coins": coins, "declared": offer.option, "on": offer.coin}
    if offer.option in (2, 4) and not offer.moved and offer.coin is not None:
        row["place"] = beside_facts(state, offer.coin)
    return row


def _before_flick(state: State) -> list[dict[str, Any]]:
    todo: list[dict[str, Any]] = []
    for index, coin in enumerate(state.coins):
        name = state.table.seats[index].coin
        if coin.owed and in_play(coin):
            todo.append({"do": "place", "coin": name, **put_back_facts(state, index)})
        elif coin.lift:
            todo.append({"do": "lift", "coin": name})
        elif index == state.active and coin.state == "not_entered":
            todo.append({"do": "place", "coin": name, **start_facts(state)})
    todo += to_restore(state.displaced)
    return todo + [
        {"do": "answer", "coin": question.coin}
        for question in open_questions(state)
        if question.player == seat_of(state).name
    ]


def open_questions(state: State) -> list[Question]:
    """Return the open questions: play goes on although they are not answered yet. Each asks whether
    a coin becomes a rover (TC-19).
    """
    found = []
    for index, coin in enumerate(state.coins):
        if must_choose(state, index) and not state.over:
            seat = state.table.seats[index]
            found.append(
                Question(
                    on=coin.asked_on,
                    what="rover",
                    rule="Team play",
                    text=(
                        f"{seat.name} has passed the last wicket: rover, or on to the left endpost?"
                    ),
                    answers=("rover", "leave"),
                    coin=seat.coin,
                    player=seat.name,
                    open=True,
                )
            )
    return found


def on_table(state: State) -> tuple[str, ...]:
    """Return the coins that lie on the table. A killed coin is one of them until it is lifted
    off.
    """
    return tuple(
        seat.coin
        for seat, coin in zip(state.table.seats, state.coins, strict=True)
        if _lies(state, seat.coin, coin)
    )


def off_table(state: State) -> tuple[str, ...]:
    """Return the coins in play that are not on the table: they left it, or have not entered."""
    return tuple(
        seat.coin
        for seat, coin in zip(state.table.seats, state.coins, strict=True)
        if in_play(coin) and not _lies(state, seat.coin, coin)
    )


def _lies(state: State, name: str, coin: Coin) -> bool:
    fell = coin.owed or (state.flick is not None and name in state.flick.fell)
    laid = coin.state != "not_entered" or coin.at_mm is not None
    return (in_play(coin) or coin.lift) and laid and not fell


def is_over(state: State) -> bool:
    """Return whether the match has ended."""
    return state.over


def winner(state: State) -> str | list[str] | None:
    """Return the winner: a name, or with teams a list of names; None while there is no winner and
    when the match ends level.
    """
    if not state.winner:
        return None
    return list(state.winner) if state.table.teams else state.winner[0]


def players(state: State) -> tuple[str, ...]:
    """Return the players' names in order of play."""
    return tuple(seat.name for seat in state.table.seats)


def active_player(state: State) -> str:
    """Return the player whose turn it is."""
    return seat_of(state).name


def owner(state: State, coin: str) -> str:
    """Return the coin's owner, who flicks it if no entry says otherwise; "" for a coin that no
    player has.
    """
    index = state.table.by_coin.get(coin)
    return "" if index is None else state.table.seats[index].name
