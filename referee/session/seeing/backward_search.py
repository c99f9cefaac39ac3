"""Searches for a coin in the frames before it was first seen moving.

By now the coin's path is known, so the search can tell the coin from the fingers beside it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from typing import Final

from referee.domain.geometry import Point, distance, dot, scale, subtract
from referee.domain.sighting import TELLING_SIGHTINGS, Sighting
from referee.tracking.identity.tracked_coin import TrackedCoin
from referee.vision.frame_analysis import FrameAnalysis
from referee.vision.image.picture import Picture

# Tuned on our own clips, except where a comment gives another source for a number.

BACK_FRAMES: Final = 10  # this many frames are kept for this search
LEAST_BACK_MM: Final = 2.0  # a coin closer than this to where it lay may not have moved yet
# Chosen: a coin in full view may be ahead or behind by this share of its step from frame to frame.
# If a video was converted to fewer pictures a second, one step in five or six is twice as long as
# the others.
UNEVEN_STEP: Final = 0.5

#: The last frames: number, middle of the exposure in s, picture.
Recent = deque[tuple[int, float, Picture]]


def search_backward(
    analysis: FrameAnalysis, coins: Iterable[TrackedCoin], recent: Recent, exposure_s: float
) -> None:
    """Search backward, once, for each coin whose path has become known, and add the discs found to
    its sightings. A coin that was first seen beside a hand was beside the hand before, too.
    """
    for coin in coins:
        if coin.looked_back or len(coin.sightings) < TELLING_SIGHTINGS or coin.before is None:
            continue
        coin.looked_back = True
        first, step = coin.sightings[0], _step(*coin.sightings[:2])
        for number, t_s, picture in reversed([r for r in recent if r[0] < first.frame]):
            way = scale(step, first.t_s - t_s)
            at = subtract(first.at_mm, way)
            if (
                dot(subtract(at, coin.before.at_mm), step) <= 0
                or distance(at, coin.before.at_mm) < LEAST_BACK_MM
            ):
                break
            uneven_mm = UNEVEN_STEP * math.hypot(*way)
            disc = analysis.discs_in(picture).near(coin.coin, at, step, exposure_s, uneven_mm)
            if disc is None:
                break
            coin.sightings.insert(0, Sighting(coin.coin, number, t_s, disc.at_mm, disc.sigma_mm))
            coin.hidden_frames.discard(number)
            if disc.beside_hand or first.frame in coin.beside_hand:
                coin.beside_hand.add(number)
            first, step = coin.sightings[0], _step(*coin.sightings[:2])


def _step(first: Sighting, second: Sighting) -> Point:
    """Return the velocity from one sighting to the next, mm/s."""
    since = second.t_s - first.t_s
    return ((second.at_mm[0] - first.at_mm[0]) / since, (second.at_mm[1] - first.at_mm[1]) / since)
