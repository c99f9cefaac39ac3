"""The numbers that all fits, searches and comparisons of pictures share."""

from __future__ import annotations

from typing import Final

#: Chosen: the most steps of any iteration. Each converges sooner.
MOST_STEPS: Final = 40
#: Tuned on our own clips: an iteration ends with a step that is smaller, in mm or px. Nothing is
#: measured as exactly.
SETTLED: Final = 0.02
#: Chosen: the step of numerical derivatives, by mm and rad.
DIFFERENCE: Final = 1e-6
#: Chosen: the weight of a prior that keeps an unknown at zero where nothing determines it.
WEAK_PRIOR: Final = 1e-3
#: By definition: more than this share is most of a whole, and what shows more of one thing is
#: nearer to it than to the other.
MAJORITY: Final = 0.5
#: Tuned on our own clips: two pictures that correlate less show different things.
ALIKE: Final = 0.7
#: Tuned on our own clips: two pictures that correlate less have nothing in common.
UNLIKE: Final = 0.35
#: Tuned on our own clips: at least this share is nearly all of a whole.
NEARLY_ALL: Final = 0.9
#: Chosen: the points on a circle at which it is looked at or drawn.
CIRCLE_POINTS: Final = 32

# Grey levels.
#: Chosen: rounding and compression change all pixels by as much.
NOISE_LEVELS: Final = 1.0
#: Tuned on our own clips: compression changes single pixels by as much.
COMPRESSION_LEVELS: Final = 4.0
#: Chosen: a pixel that differs by more shows another thing.
UNLIKE_LEVELS: Final = 8.0
#: Chosen: a pixel that is darker shows nothing.
DARK_LEVELS: Final = 8.0

# Tiles and the edges of pieces.
#: Tuned on our own clips: the middle of a tile's side, without its worn corners, as a share of it.
SIDE_SHARE: Final = 0.8
#: Tuned on our own clips: the error of a wooden edge because of bevels and grain, mm.
RIM_SIGMA_MM: Final = 0.3
#: Chosen: in tile widths; the centres of two tiles on the table are never closer.
TILES_APART: Final = 0.9
