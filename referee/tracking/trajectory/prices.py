"""The costs of the possible explanations of a coin's sightings, in units of chi-square. They are
added to the misfit of the sightings, and the explanation with the lowest sum is used. An
explanation with more free parameters costs more.
"""

from __future__ import annotations

from typing import Final

# Tuned on our own clips, except where a comment gives another source for a number.

# A slide found by the first cut has four free parameters and its first instant: about 5 ln n for 30
# sightings.
SLIDE_PRICE: Final = 16.0
STAND_PRICE: Final = 9.0  # two free parameters and an instant
STRAY_PRICE: Final = 11.0  # cheaper than a slide: a single sighting shows no motion
# A stray sighting beside a place of rest: a coin that was stopped creeps the last bit.
CREEP_PRICE: Final = 9.0
ANCHOR_PRICE: Final = 3.0  # at rest where the coin is known to have lain: only the instant is free
# A chain of slides that starts at the place of rest may fit its sightings worse by this much than
# one that does not.
LED_PRICE: Final = 12.0
# A break in a run adds five free parameters, and drafts often have too many breaks.
BREAK_PRICE: Final = 20.0
# A break at which nothing was hit needs much better evidence: coins do not turn by themselves.
UNEXPLAINED_PRICE: Final = 45.0
# saved when two coins that one run hit at one instant are hit one after the other: it is rare to
# hit two at once
CROWD_PRICE: Final = 10.0
