"""The words for coins, castles and flicks in Castle Croquetnole's calls."""

from __future__ import annotations

from typing import Any

from referee.domain.call import Call
from referee.games.castle_croquetnole.state import (
    ERRORS,
    KNIGHT,
    PRISONERS,
    SCORING,
    Judged,
    State,
    is_away,
    owner_of,
)


def whose(state: State, coin: str) -> str:
    """Return a coin in words: "Ann's knight" or "Ann's guard"."""
    owner, role = state.table.by_coin[coin]
    return f"{state.table.seats[owner].name}'s {'knight' if role == KNIGHT else 'guard'}"


def place_name(state: State, place: str) -> str:
    """Return a place in words, with its owner: "Ben's gate" for `gate-suns`."""
    what, _, suit = place.partition("-")
    return f"{state.table.seats[owner_of(state, suit)].name}'s {what}"


def its(state: State, coin: str, place: str) -> str:
    """Return a place in words in a sentence about a coin: "its own gate" where both have the same
    owner, else for instance "Ben's gate".
    """
    what, _, suit = place.partition("-")
    return (
        f"its own {what}"
        if owner_of(state, coin) == owner_of(state, suit)
        else place_name(state, place)
    )


def its_castle(state: State, coin: str, suit: str) -> str:
    """Return a castle in words in a sentence about a coin: "its own castle" or "Ben's castle"."""
    return its(state, coin, f"castle-{suit}")


def castle_name(state: State, suit: str) -> str:
    """Return a castle in words, with its owner: "Ben's castle"."""
    return place_name(state, f"castle-{suit}")


def call_for(
    state: State, on: str, name: str, coin: str, text: str, *, rule: str = SCORING, **more: Any
) -> Call:
    """Return a call about one coin."""
    return Call(
        on=on,
        call=name,
        player=state.table.seats[owner_of(state, coin)].name,
        coin=coin,
        rule=rule,
        text=text,
        **more,
    )


def no_effect(
    state: State,
    on: str,
    coin: str,
    reason: str,
    *,
    rule: str = SCORING,
    with_: str | None = None,
    place: str | None = None,
) -> Judged:
    """Return the unchanged state, and a call that says why something does not count although
    players may expect it to.
    """
    return state, (
        call_for(
            state, on, "no_effect", coin, reason, rule=rule, with_=with_, place=place, flicks=0
        ),
    )


def does_nothing(state: State, on: str, coin: str, idle: str, place: str) -> Judged:
    """Return the call that a coin does nothing at a place. `idle` is the reason."""
    rule = PRISONERS if is_away(state, coin) else ERRORS
    return no_effect(state, on, coin, idle, rule=rule, place=place)


def why_void(state: State, coin: str) -> str:
    """Return in words why a coin can do nothing in a void flick."""
    assert state.flick is not None
    what = f"{whose(state, coin)} makes no step, strikes nobody and wins nothing in it."
    return f"{state.flick.void_by} had no right to this flick: {what}"
