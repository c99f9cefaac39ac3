"""The costs of assigning a disc to a coin, in squared gates. They are added to the cost of the
distance between the disc and the coin's expected place. The assignment with the lowest total cost
is used.
"""

from __future__ import annotations

from typing import Final

# Tuned on our own clips, except where a comment gives another source for a number.

MOST_COST: Final = 9.0  # a disc that would cost more is not this coin
HIT_PRICE: Final = 1.0  # the coin has hit another one on its way
THROUGH_PRICE: Final = 4.0  # it has passed through another coin
# A coin that may still lie under a hand is searched for elsewhere only after the coins that are
# clearly gone.
COVERED_START_PRICE: Final = 4.0
