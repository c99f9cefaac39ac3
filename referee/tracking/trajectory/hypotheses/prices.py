"""The prices of the events of a flick, in units of chi-square.

The cost of a hypothesis is the misfit of its sightings, places of rest and contacts, plus a price
for each event and for each sighting that no slide explains. The hypothesis with the lowest cost is
used. The price of an event is twice the logarithm of how many times rarer the event is than no
event, so two hypotheses whose costs differ by d have odds of exp(d / 2).
"""

from __future__ import annotations

import math
from typing import Final

# Tuned on our own clips, except where a comment gives another source for a number.

# How rare an event is: its odds are 1 to 7, 55, 20 thousand and 500 million.
SOMETIMES: Final = 4.0
SELDOM: Final = 8.0
RARELY: Final = 20.0
HARDLY_EVER: Final = 40.0

# While one coin's sightings are first divided into stretches: a slide has four free parameters and
# an instant at which it begins.
SLIDE_PRICE: Final = 2 * SELDOM
STAND_PRICE: Final = SELDOM  # a stand has two free parameters and an instant
ANCHOR_PRICE: Final = SOMETIMES  # a known place of rest: only the instant is free

# A sighting that no slide explains. Cheaper than a slide: a single sighting shows no motion.
STRAY_PRICE: Final = 11.0
# Such a sighting while a hand is at the coin: the hand moves the coin, or a finger was taken for
# it.
IN_HAND_PRICE: Final = SOMETIMES

# A coin slides and is not seen in a frame. Measured: 2 to 4 frames in 100 on good pictures
# (`benchmarks/clips.txt`), 14 to 57 on hard tables. Chosen: the price of a case in which the coin
# is missed in every second frame.
MISSED_PRICE: Final = 1.4
# Chosen: the most that the missed frames of one slide cost, because an arm may hide the whole
# slide.
MOST_MISSED_PRICE: Final = RARELY

# A hand that was seen at a coin sets it in motion,
FLICK_PRICE: Final = SELDOM
# or the coin begins to move and no cause was seen.
UNSEEN_FLICK_PRICE: Final = FLICK_PRICE + RARELY
# The same hand flicks a second coin within `HAND_S`: coins are hardly ever flicked together.
SECOND_FLICK_PRICE: Final = RARELY
# A hand that was seen at a coin puts it elsewhere.
HELD_PRICE: Final = HARDLY_EVER
# A coin lies at another place, and neither a hand nor a slide was seen.
LOST_PRICE: Final = HELD_PRICE + RARELY
# A sliding coin turns because it hit something: five free parameters.
BREAK_PRICE: Final = RARELY
# A coin bounces off a tile and comes to rest right beside it. The rebound takes a coin a quarter
# (`BOUNCE` squared) as far as it would have slid on. So if every place is equally likely as the end
# of a slide, four times as many slides end in a rebound of this kind as stop so close to the tile
# without a hit. That is why only the free parameters of such a rebound have a price. Measured: of
# 240 simulated hits on a post at 100 to 280 mm/s, seen to 0.4 to 1.3 mm, 216 are certain, 23 are
# asked about and 1 is missed; with the price of a break, 164, 69 and 7. Of 240 coins that stopped
# 0.3 to 6 mm before the post, none is said to have hit the post, with either price.
END_BOUNCE_PRICE: Final = SOMETIMES
# Chosen: a coin up to this far from a tile's side lies right beside the tile; a coin that comes at
# 300 mm/s rebounds that far.
END_BOUNCE_MM: Final = 6.0
# A sliding coin turns where there was nothing to hit: coins do not turn by themselves.
UNEXPLAINED_PRICE: Final = HARDLY_EVER
# A run begins with hits on two coins at the same instant.
MULTIPLE_HIT_PRICE: Final = HARDLY_EVER

# A hand moved a tile that no coin hit.
PUSHED_PRICE: Final = SELDOM

# Either a hand moved a coin that was hidden all the time, or the coin slid unseen. A slide is
# seldom hidden from its beginning to its end.
HIDDEN_SLIDE_PRICE: Final = SOMETIMES
# A hand puts a coin down but was not seen over the place.
UNCOVERED_PRICE: Final = SOMETIMES

# Chosen: a change of the hypothesis that lowers the cost by less is not made.
LEAST_GAIN: Final = 0.01
# By definition: a hypothesis that costs this much less than another is 19 times as likely, which
# counts as certain.
SURE_GAIN: Final = 2.0 * math.log(19.0)
