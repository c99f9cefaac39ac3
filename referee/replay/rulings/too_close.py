"""How probable an incident must be to count, by the options of the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.domain.entry import Setup
from referee.domain.incident import Rolled
from referee.games.words import option
from referee.replay.rulings.items import Item

#: What becomes of an entry, by how sure it is that it happened. "by favour": the option `too_close`
#: is `for-striker` or `against-striker`. The entry is applied only if it is clearly good
#: (`for-striker`) or clearly bad (`against-striker`) for the player whose turn it is.
Certainty = Literal["applied", "left out", "in doubt", "by favour"]


@dataclass(frozen=True, slots=True)
class TooClose:
    """The probabilities that are too close to call, from `low` to `high`, both included. `setting`
    says how an incident with such a probability is treated.
    """

    low: float
    high: float
    setting: str

    def certainty(self, item: Item) -> Certainty:
        """Return how an item is treated, by its probability."""
        probability = getattr(item.entry, "probability", None)
        if probability is None:
            return "applied"
        if item.given or item.upheld or probability > self.high:
            return "applied"
        if probability < self.low:
            return "left out"
        asks = self.setting == "ask" or type(item.entry) is Rolled
        return "in doubt" if asks else "by favour"

    def never_happened(self, item: Item) -> bool:
        """Return whether a flick counts as not made: it is too unlikely, or it is too close to call
        and the options do not let the referee ask.
        """
        return self.certainty(item) in ("left out", "by favour")

    def happened(self, item: Item) -> bool:
        """Return whether an item is applied: it is sure enough, or a ruling lets it stand."""
        return self.certainty(item) == "applied"


def too_close_of(setup: Setup) -> TooClose:
    """Return which probabilities are too close to call by the options of a setup."""
    low, high = option(setup.options, setup.game, "too_close_band")
    return TooClose(float(low), float(high), option(setup.options, setup.game, "too_close"))
