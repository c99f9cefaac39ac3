"""Which coins beside a hand are in full view all the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property
from typing import TypeVar

from referee.vision.coins.coin_template import CoinTemplate
from referee.vision.image.picture import Picture

_S = TypeVar("_S")


class CoinsInView(Set[str]):
    """Those of some coins beside a hand that are in full view all the same: no fingertip looks so
    much like them. Few frames raise the question, so the picture is looked at when it is asked.
    """

    def __init__(
        self, templates: Mapping[str, CoinTemplate], coins: Iterable[str], picture: Picture
    ) -> None:
        """Keep how the coins look that have a template."""
        self._known = {coin: templates[coin] for coin in coins if coin in templates}
        self._picture = picture

    @cached_property
    def _seen(self) -> frozenset[str]:
        return frozenset(
            coin for coin, of in self._known.items() if of.shows_itself(of.values(self._picture))
        )

    @classmethod
    def _from_iterable(cls, it: Iterable[_S]) -> Set[_S]:
        """Return what `Set` makes of this and another set."""
        return frozenset(it)

    def __contains__(self, coin: object) -> bool:
        """Return whether a coin is one of them."""
        return coin in self._seen

    def __iter__(self) -> Iterator[str]:
        """Return them one by one."""
        return iter(self._seen)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._seen)
