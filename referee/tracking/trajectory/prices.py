"""The prices of the events of a flick, in units of chi-square.

A hypothesis costs the misfit of its sightings, places of rest and contacts, plus a price for each
event and for each sighting that no slide explains. The hypothesis with the lowest cost is used. A
price is twice the logarithm of how much rarer the event is than none, so two hypotheses whose costs
differ by d have odds of exp(d / 2).
"""

from __future__ import annotations

from typing import Final

# Tuned on our own clips, except where a comment gives another source for a number.

# In the first cut of one coin's sightings.
# A slide has four free parameters and its first instant: about 5 ln n for 30 sightings.
SLIDE_PRICE: Final = 16.0
STAND_PRICE: Final = 9.0  # two free parameters and an instant
ANCHOR_PRICE: Final = 3.0  # at rest where the coin is known to have lain: only the instant is free

# A sighting that no slide explains.
STRAY_PRICE: Final = 11.0  # cheaper than a slide: a single sighting shows no motion
# The same while a hand is at the coin: the hand moves it, or a finger is taken for it.
IN_HAND_PRICE: Final = 4.0

# A hand that was seen at a coin sets it in motion,
FLICK_PRICE: Final = 8.0
# or something that nobody saw does.
UNSEEN_FLICK_PRICE: Final = 28.0
# The same hand flicks a second coin within `SAME_HAND_S`: coins are hardly ever flicked together.
SECOND_FLICK_PRICE: Final = 20.0
SAME_HAND_S: Final = 0.15
# A hand that was seen at a coin puts it elsewhere.
HELD_PRICE: Final = 40.0
# A coin lies elsewhere, and neither a hand nor a slide was seen.
LOST_PRICE: Final = 56.0
# A sliding coin turns because it met something: five free parameters.
BREAK_PRICE: Final = 20.0
# A sliding coin turns where nothing was: coins do not turn by themselves.
UNEXPLAINED_PRICE: Final = 45.0
# A run meets two coins at the very same instant. That hardly ever happens.
CROWD_PRICE: Final = 35.0

# A coin was hidden all the time, so that a hand may have moved it, or it slid unseen.
# A slide is seldom hidden from its beginning to its end.
HIDDEN_SLIDE_PRICE: Final = 4.0
# A hand puts a coin down and is not seen over the place.
UNCOVERED_PRICE: Final = 4.0

# Chosen: a change that lowers the cost by less is none.
LEAST_GAIN: Final = 0.01
