"""Checks a player's answers to the questions which coin is which and where a coin is, before the
referee gets them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from referee.domain.geometry import Point
from referee.domain.pieces import NOBODY


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


def wrong_with_places(asked: Any, places: Mapping[str, Point | None]) -> str | None:
    """Return what is wrong with `places` as an answer to `asked`, the value of the `missing` topic;
    None when nothing is.

    Every missing coin needs a place on the table, or None where it is not on the table yet. No two
    coins can lie in one place.
    """
    if not asked:
        return "Nothing is asked at the moment."
    if set(places) != set(asked["coins"]):
        return f"The answer must place {_listed(asked['coins'])} and nothing else."
    taken: dict[str, Sequence[float]] = {}
    for coin, at_mm in places.items():
        if at_mm is None:
            continue
        if not all(map(math.isfinite, at_mm)):
            return f"The place of {coin} must be two numbers."
        near = next((c for c, at in taken.items() if math.dist(at, at_mm) < 1), None)
        if near is not None:
            return f"{coin} and {near} cannot lie in one place."
        taken[coin] = at_mm
    return None


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)
