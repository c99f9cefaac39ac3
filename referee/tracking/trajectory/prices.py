"""What each explanation of a coin's sightings costs, in units of chi-square, beside what it leaves
unexplained: the cheapest one is believed. An explanation with more free numbers costs more.
"""

from __future__ import annotations

from typing import Final

# Tuned on our own clips, except where a comment says what stands behind a number.

# a stretch of the first cut: four free numbers and its first instant, about 5 ln n for 30 sightings
SLIDE_PRICE: Final = 16.0
STAND_PRICE: Final = 9.0  # two free numbers and an instant
STRAY_PRICE: Final = 11.0  # cheaper than a slide: one sighting by itself shows no motion
# a stray sighting beside a place of rest: a coin that was stopped creeps the last bit
CREEP_PRICE: Final = 9.0
ANCHOR_PRICE: Final = 3.0  # lying where the coin is known to have lain: only the instant is free
# a way that leads from the place of rest may fit its sightings so much worse than one that does not
LED_PRICE: Final = 12.0
# a break of a run: five free numbers more, and drafts are easily too fine
BREAK_PRICE: Final = 20.0
# a break at which nothing was met must be much better founded: coins do not turn by themselves
UNEXPLAINED_PRICE: Final = 45.0
CROWD_PRICE: Final = 10.0  # meeting one coin less at one instant: coins are hardly ever met so
