"""The parts of a match of Castle Croquetnole that people see: the standings, whose turn it is, and
what is expected next.
"""

from __future__ import annotations

from typing import Any

from referee.domain.call import Question
from referee.games.castle_croquetnole.places import croquet_facts, facts_of, start_facts
from referee.games.castle_croquetnole.state import (
    GUARD,
    KNIGHT,
    State,
    coin_of,
    in_turn,
    is_away,
    next_step,
    on_duty,
    owner_of,
    seat_of,
)
from referee.games.castle_croquetnole.turns import flickable, may_pass
from referee.games.flicking import expected_next
from referee.games.ground import to_restore


def standings(state: State) -> list[dict[str, Any]]:
    """Return where each player stands, in order of play. `struck` lists the coins for which the
    coin in turn earns nothing more this turn if it strikes them.
    """
    return [_standing(state, index) for index in range(len(state.sides))]


def _standing(state: State, index: int) -> dict[str, Any]:
    seat, side, step = state.table.seats[index], state.sides[index], next_step(state, index)
    knight, guard = state.coins[2 * index + KNIGHT], state.coins[2 * index + GUARD]
    row: dict[str, Any] = {
        "player": seat.name,
        "coin": seat.knight,
        "knight": seat.knight,
        "guard": seat.guard,
        "progress": side.progress,
        "next": None if step is None else step.place,
        "direction": None if step is None else step.direction,
        "inside": knight.inside or "wasteland",
        "guard_inside": guard.inside or "wasteland",
        "on_duty": on_duty(state, index),
        "prisoner_of": side.prisoner_of,
        "waiting": side.waiting,
        "struck": _struck(state) if index == state.active else [],
    }
    if side.conceded:
        row["conceded"] = True
    return row


def _struck(state: State) -> list[str]:
    coin = in_turn(state)
    return [other for other in state.table.by_coin if (coin, other) in state.struck]


def turn(state: State) -> dict[str, Any]:
    """Return whose turn it is and what is expected. `may_flick` lists the coins that the player may
    flick next, `before_flick` what must be done first, and `options` describes a croquet that the
    player may take.
    """
    todo = _before_flick(state)
    row: dict[str, Any] = {
        "player": seat_of(state).name,
        "coin": in_turn(state),
        "flicks_left": state.flicks,
        "expects": expected_next(todo, over=state.over, flicking=state.flick is not None),
    }
    row |= {"flick": in_turn(state), "may_flick": flickable(state), "before_flick": todo}
    if state.flick is None and not state.over:
        row["may_pass"] = may_pass(state)
    if state.offer is not None and state.flick is None:
        row["options"] = {"croquet": [1, 2, 3, 4, 5], "declared": state.offer.option}
        if state.offer.option in (2, 3, 4) and not state.offer.moved:
            row["options"]["place"] = croquet_facts(state, state.offer.option)
    return row


def _before_flick(state: State) -> list[dict[str, Any]]:
    todo: list[dict[str, Any]] = []
    for coin in state.table.by_coin:
        now = coin_of(state, coin)
        if now.to_place is not None:
            todo.append({"do": "place", "coin": coin, **facts_of(state, coin)})
        elif coin == in_turn(state) and now.fresh and not now.laid and now.owed is None:
            todo.append({"do": "place", "coin": coin, **start_facts(state, seat_of(state).knight)})
    return todo + to_restore(state.displaced)


def open_questions(state: State) -> list[Question]:
    """Return no questions: in this game, play never goes on before a question is answered. A
    croquet that nobody declares counts as option 1.
    """
    return []


def on_table(state: State) -> tuple[str, ...]:
    """Return the coins that lie on the table. A knight that sits on a tower does not."""
    return tuple(coin for coin in state.table.by_coin if _lies(state, coin))


def off_table(state: State) -> tuple[str, ...]:
    """Return the coins that left the table, and the knights that must still be put on a tower or
    taken off one.
    """
    coins = (coin for coin in state.table.by_coin if not _lies(state, coin))
    return tuple(
        coin for coin in coins if not is_away(state, coin) or coin_of(state, coin).to_place
    )


def _lies(state: State, coin: str) -> bool:
    left = coin_of(state, coin).to_place
    fell = state.flick is not None and coin in state.flick.fell
    return not (is_away(state, coin) or fell or (left is not None and left.what == "exit"))


def is_over(state: State) -> bool:
    """Return whether the match has ended."""
    return state.over


def winner(state: State) -> str | None:
    """Return the winner's name; None while there is no winner and when the match ends level."""
    return state.winner[0] if state.winner else None


def players(state: State) -> tuple[str, ...]:
    """Return the players' names in order of play."""
    return tuple(seat.name for seat in state.table.seats)


def owner(state: State, coin: str) -> str:
    """Return the coin's owner, who flicks it if no entry says otherwise."""
    return state.table.seats[owner_of(state, coin)].name


def active_player(state: State) -> str:
    """Return the player whose turn it is."""
    return seat_of(state).name
