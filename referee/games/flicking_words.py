"""Puts into words the conditions that the flicking games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

#: The text of a condition, and the facts that decided it.
Words = tuple[str, dict[str, Any]]


def _flicks_used_up(player: str, left: int) -> Words:
    text = f"{player} had no flick left in the turn before this flick."
    return text, {"flicks_left": left}


def _turn_not_over(player: str) -> Words:
    return f"{player}'s turn was not over before this flick.", {}


def _flick_not_void() -> Words:
    return "The flick that the declaration is about is not void.", {}


def _still_to_end() -> Words:
    return "The play that it ended when it was made is the one under way.", {}


def _hides_coin(coins: tuple[str, ...]) -> Words:
    return "A coin in play could not be seen.", {"unseen": list(coins)}


def _nothing_happened() -> Words:
    return "A ruling says that nothing happened to the unseen coins meanwhile.", {}


#: For each condition's code, the function that makes its text and facts from its details.
SHARED: Final[Mapping[str, Callable[..., Words]]] = {
    "flick_not_void": _flick_not_void,
    "flicks_used_up": _flicks_used_up,
    "hides_coin": _hides_coin,
    "nothing_happened": _nothing_happened,
    "still_to_end": _still_to_end,
    "turn_not_over": _turn_not_over,
}
