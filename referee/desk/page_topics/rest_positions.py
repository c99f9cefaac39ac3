"""Where the pieces lie, as far as a record shows.

A piece that has moved since it was last seen at rest is marked: nobody knows whether it still lies
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from referee.desk.page_topics.playing_area import place_mm
from referee.desk.page_topics.topics import CoinsTopic, Lie
from referee.domain.entry import Setup
from referee.domain.incident import (
    AtRest,
    Contact,
    Flicked,
    LeftTable,
    LineCrossed,
    Placed,
    Pocketed,
    Unseen,
)

Lies = dict[str, Lie]


def lies_after(coins: Lies, entry: object) -> Lies:
    """Return where the coins lie after an entry. If the entry does not change this, return `coins`
    itself.
    """
    match entry:
        case AtRest(coins=lying) if lying:
            return {name: Lie(at_mm=at, state="rest") for name, at in lying.items()}
        case Placed(coin=coin, at_mm=at):
            return coins | {coin: Lie(at_mm=at, state="off_table" if at is None else "rest")}
        case LeftTable(coin=coin):
            return coins | {coin: Lie(at_mm=None, state="off_table")}
        case Pocketed(coin=coin):
            return {name: lie for name, lie in coins.items() if name != coin}
        case Flicked(coin=coin) | LineCrossed(coin=coin):
            return unknown(coins, (coin,), "moved")
        case Contact(coin=coin, with_=other):
            return unknown(coins, (coin, other), "moved")
        case Unseen(pieces=pieces):
            return unknown(coins, pieces, "hidden")
    return coins


def unknown(coins: Lies, names: Sequence[str], state: Literal["moved", "hidden"]) -> Lies:
    """Return the places of the coins, with the named coins marked by the given state. A coin whose
    place was never known is left out, because the page cannot draw it.
    """
    return coins | {
        name: msgspec.structs.replace(coins[name], state=state)
        for name in names
        if name in coins and coins[name].at_mm is not None
    }


def pawns_topic(setup: Setup, standings: Iterable[Mapping[str, Any]], t_s: float) -> CoinsTopic:
    """Return the `coins` topic of the pages for a game with pawns. Each pawn is where the rules say
    that it stands.
    """
    pawns = {
        row["pawn"]: Lie(
            at_mm=place_mm(setup, row["at"]),
            state="off_lawn" if row["state"] == "off_lawn" else "rest",
        )
        for row in standings
        if row["at"] is not None
    }
    return CoinsTopic(t_s=t_s, coins=pawns, hand=False)
