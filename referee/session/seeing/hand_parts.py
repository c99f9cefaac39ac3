"""Tells coins from parts of a hand that were followed in their place, once the hand has left."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.domain.geometry import Point
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.coins.rim_fit import RimFit


def lose_hands(
    coins: Sequence[TrackedCoin],
    covered: frozenset[str],
    fit: Callable[[str, Point], RimFit | None],
) -> None:
    """Take coins for hidden that rest where only a hand was seen and, without it, no rim is: what
    was followed there was a part of the hand. `fit` finds a coin's rim at a place.
    """
    for coin in coins:
        rests = coin.state is State.REST and bool(coin.sightings) and coin.coin not in covered
        if rests and not coin.seen_free and coin.rest and fit(coin.coin, coin.rest.at_mm) is None:
            coin.state, coin.rest = State.HIDDEN, coin.before
            coin.sightings.clear()
