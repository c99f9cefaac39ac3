"""Checks a player's answer to the question which coin is which, before the referee gets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: The answer for a coin that belongs to no player. It lies on the table, and the referee ignores
#: it.
NOBODY = "nobody"


def wrong_with_naming(asked: Any, names: Mapping[str, str]) -> str | None:
    """Return what is wrong with `names` as an answer to `asked`, the value of the `naming` topic;
    None when nothing is.

    `names` must be `{id: coin}` with every coin that is asked about. Each name must be one of the
    coin's candidates and given only once, or `nobody`.
    """
    if not asked or not asked.get("coins"):
        return "Nothing is asked at the moment."
    candidates = {str(coin["id"]): coin["candidates"] for coin in asked["coins"]}
    if set(names) != set(candidates):
        return f"The answer must name {_listed(sorted(candidates))} and nothing else."
    for key, name in names.items():
        if name not in (*candidates[key], NOBODY):
            return f"Coin {key} can only be {_listed([*candidates[key], NOBODY])}."
    given = [name for name in names.values() if name != NOBODY]
    if len(set(given)) < len(given):
        return "Two coins were given the same name."
    return None


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)
