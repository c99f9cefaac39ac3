"""Finds out which castle is Moons' from the aces on the towers, and says it in words.

The castles' course looks the same after a quarter turn. The suits' castles follow one another
clockwise: Moons, Suns, Crowns, Arms. So four orders of the aces are right, and twenty are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.layout import Tile
from referee.domain.pieces import SURE_NAME, PieceSizes

Picture = NDArray[np.uint8]

#: The sides of the table, clockwise from above, as the camera sees it.
SIDES_OF_TABLE: Final = ("near", "left", "far", "right")
#: A function that returns the log-likelihood of every order of the suits' aces on the towers, which
#: are given by the suits' names; None is a tower that was not found.
ReadTops = Callable[
    [Sequence[Picture], TableView, Mapping[str, Tile | None], PieceSizes],
    Mapping[tuple[str, ...], float],
]
# Chosen: how often players lay the aces in another order than the rules say.
_OTHERWISE: Final = 0.01
_PLACES: Final = {
    "near": "near the camera",
    "left": "on the camera's left",
    "far": "away from the camera",
    "right": "on the camera's right",
}


@dataclass(frozen=True)
class CastleOrder:
    """How a course of castles lies. `steps` is how many castles clockwise the first suit's castle
    is from where it was assumed to be. `notes` tell players about that, and `warnings` what to
    check.
    """

    steps: int
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def castle_order(
    likely: Mapping[tuple[str, ...], float], suits: tuple[str, ...], side: str, *, given: bool
) -> CastleOrder:
    """Decide which castle is that of the first suit. `likely` are the log-likelihoods of the orders
    in which the aces may lie on the towers, clockwise from the one at `side`; `suits` is the right
    order.

    If the players have `given` the side, it stays, and a note tells them if the aces contradict it.
    If the aces lie in a wrong order, the ace of the first suit decides.
    """
    first = suits[0].capitalize()
    right = {_turned(suits, k) for k in range(len(suits))}
    chances = _chances(likely, right)
    order = max(chances, key=lambda each: chances[each])
    if chances[order] < SURE_NAME:
        words = (
            f"the aces on the towers do not tell which castle is {first}': it is taken to be the"
            f" one {_PLACES[side]}; if it is not, give --moons-side"
        )
        return CastleOrder(0, (), () if given else (words,))
    steps = order.index(suits[0])
    seen = _PLACES[_at(side, steps)]
    wrong = () if order in right else (_out_of_order(order, suits, side),)
    if given and steps:
        words = (
            f"the aces on the towers say that {first}' castle is {seen}; it is taken to be"
            f" {_PLACES[side]}, as you say"
        )
        return CastleOrder(0, (), (*wrong, words))
    note = f"{first}' castle is {seen}, as the aces on the towers say."
    return CastleOrder(steps, (note,), wrong)


def _chances(
    likely: Mapping[tuple[str, ...], float], right: Collection[tuple[str, ...]]
) -> dict[tuple[str, ...], float]:
    """Return the probability of each order."""
    one_right = math.log((1 - _OTHERWISE) / len(right))
    one_wrong = math.log(_OTHERWISE / max(len(likely) - len(right), 1))
    weights = {
        order: log + (one_right if order in right else one_wrong) for order, log in likely.items()
    }
    whole = float(np.logaddexp.reduce(list(weights.values())))
    return {order: math.exp(weight - whole) for order, weight in weights.items()}


def _turned(suits: tuple[str, ...], by: int) -> tuple[str, ...]:
    """Return the suits in order, beginning with the one at index `by`."""
    return suits[by:] + suits[:by]


def _at(side: str, steps: int) -> str:
    """Return the side so many castles on, clockwise."""
    return SIDES_OF_TABLE[(SIDES_OF_TABLE.index(side) + steps) % len(SIDES_OF_TABLE)]


def _out_of_order(order: tuple[str, ...], suits: tuple[str, ...], side: str) -> str:
    seen = ", ".join(
        f"{suit.capitalize()}' {_PLACES[_at(side, steps)]}" for steps, suit in enumerate(order)
    )
    usual = ", ".join(suit.capitalize() for suit in suits)
    return (
        f"the aces on the towers lie in another order than the castles of the rules ({usual},"
        f" clockwise): {seen}"
    )
