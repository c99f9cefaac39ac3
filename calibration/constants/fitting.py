"""The numbers that all fits, searches and comparisons of pictures share."""

from __future__ import annotations

from typing import Final

#: Chosen: the largest number of steps of an iteration. Every iteration converges sooner.
MOST_STEPS: Final = 40
#: Tuned on our own clips: an iteration ends when its step is smaller than this, mm or px. No
#: measurement is as accurate.
SETTLED: Final = 0.02
#: Chosen: the step of numerical derivatives, mm or rad.
DIFFERENCE: Final = 1e-6
#: Chosen: the weight of a prior that keeps an unknown at zero where nothing determines it.
WEAK_PRIOR: Final = 1e-3
#: By definition: a larger share than this is most of the whole. On a scale from one thing (0) to
#: another (1), a smaller value is closer to the first.
MAJORITY: Final = 0.5
#: Tuned on our own clips: two pictures whose correlation is smaller show different things.
ALIKE: Final = 0.7
#: Tuned on our own clips: two pictures whose correlation is smaller have nothing in common.
UNLIKE: Final = 0.35
#: Tuned on our own clips: at least this share is nearly all of a whole.
NEARLY_ALL: Final = 0.9
#: Chosen: the number of points at which a circle is sampled or drawn.
CIRCLE_POINTS: Final = 32

# Grey levels.
#: Chosen: rounding and compression change every pixel by about this much.
NOISE_LEVELS: Final = 1.0
#: Tuned on our own clips: compression changes single pixels by up to this much.
COMPRESSION_LEVELS: Final = 4.0
#: Chosen: a pixel that differs by more shows another thing.
UNLIKE_LEVELS: Final = 8.0
#: Chosen: a pixel that is darker shows nothing.
DARK_LEVELS: Final = 8.0

# Tiles and the edges of pieces.
#: Tuned on our own clips: the share of a tile's side that lies between its worn corners.
SIDE_SHARE: Final = 0.8
#: Tuned on our own clips: the error of a wooden edge because of bevels and grain, mm.
RIM_SIGMA_MM: Final = 0.3
#: Chosen: in tile widths; the centres of two tiles on the table are never closer.
TILES_APART: Final = 0.9
