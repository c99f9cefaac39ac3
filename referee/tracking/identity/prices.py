"""What it costs to take a disc for a coin, in squared gates, beside how far the disc lies from
where the coin was expected: together the coins get the discs that cost least.
"""

from __future__ import annotations

from typing import Final

# Tuned on our own clips, except where a comment says what stands behind a number.

MOST_COST: Final = 9.0  # a disc that would cost more is not this coin
HIT_PRICE: Final = 1.0  # the coin has met another on the way
THROUGH_PRICE: Final = 4.0  # it has passed through another
# a coin that may still lie under a hand is not looked for elsewhere before one that is plainly gone
COVERED_START_PRICE: Final = 4.0
