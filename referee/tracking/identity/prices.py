"""The costs of assigning a disc to a coin, in squares of the largest distance allowed (the gate).
These costs are added to the cost of the distance between the disc and the coin's expected place.
The assignment with the lowest total cost is used.
"""

from __future__ import annotations

from typing import Final

from referee.domain.sighting import SEEN_SIGMAS

# Tuned on our own clips, except where a comment gives another source for a number.

MOST_COST: Final = SEEN_SIGMAS * SEEN_SIGMAS  # a disc that would cost more is not this coin
# The cost of a place that the coin could reach only through another coin. Also the cost for a coin
# that may still lie under a hand: coins that are clearly gone get their discs first.
UNLIKELY_PRICE: Final = 4.0
