"""Names that people give to coins by their places."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from referee.domain.episode import Rest
from referee.domain.errors import InputError
from referee.domain.geometry import Point, distance

GIVEN_WITHIN_MM: Final = 25.0  # people read a place off a picture or a ruler with this error
# Two given places that are closer together mean the same coin, because no coin is so narrow.
_ONE_COIN_MM: Final = 12.0


def nearest(resting: Mapping[str, Rest], at_mm: Point) -> str | None:
    """Return the number of the coin that people mean when they give a place; None if no coin lies
    there.
    """
    near = min(resting, key=lambda n: distance(resting[n].at_mm, at_mm), default=None)
    if near is None or distance(resting[near].at_mm, at_mm) > GIVEN_WITHIN_MM:
        return None
    return near


def named_by_place(
    resting: Mapping[str, Rest], given_mm: Mapping[str, Point]
) -> tuple[dict[str, str], dict[str, Point]]:
    """Return two mappings: the names, by number, of coins whose places people gave; and, by name,
    the given places at which no coin was seen. In a heap, a coin that was not seen may lie within
    people's error of a coin that was seen. So each coin that was seen gets the name whose place is
    closest to it. Raises InputError if one coin gets two names.
    """
    names, empty = dict[str, str](), dict[str, Point]()
    off_mm = {coin: _nearest_mm(resting, at_mm) for coin, at_mm in given_mm.items()}
    for coin in sorted(given_mm, key=lambda coin: off_mm[coin]):
        at_mm = given_mm[coin]
        near = nearest(resting, at_mm)
        if near is None:
            empty[coin] = at_mm
        elif near not in names:
            names[near] = coin
        elif distance(at_mm, given_mm[names[near]]) < _ONE_COIN_MM:
            raise InputError(
                f"--name {coin}={at_mm[0]:g},{at_mm[1]:g}: that coin was already named"
                f" {names[near]}"
            )
        else:
            empty[coin] = at_mm
    return names, {coin: empty[coin] for coin in given_mm if coin in empty}


def _nearest_mm(resting: Mapping[str, Rest], at_mm: Point) -> float:
    """Return how far the nearest coin is from a place, mm."""
    return min((distance(rest.at_mm, at_mm) for rest in resting.values()), default=math.inf)
