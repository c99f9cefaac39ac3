"""Finds the places in a picture where coins of one width may lie, with the network that finds coins
at rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.coins.coin_network import COIN_CELLS, STRIDE, cell_log_odds, is_likeliest
from referee.vision.coins.repeated_print import is_repeated

Picture = NDArray[np.uint8]
Places = NDArray[np.complex128]  # x + iy, px
Odds = NDArray[np.float64]
Indices = NDArray[np.intp]

# Chosen: the smallest and the largest width searched for, as shares of the picture's width, and the
# ratio of one width to the previous one. The network recognises a coin that is a tenth wider or
# narrower than it expects.
_NARROWEST: Final = 1 / 80
_WIDEST: Final = 1 / 4  # Chosen: likewise
_WIDER: Final = 1.15  # Chosen: likewise
# The height of a coin's image divided by its width, for cameras from straight above down to 50
# degrees. By definition: the sine of the camera's angle above the table. The network tolerates a
# tenth.
_FLATTENINGS: Final = (1.0, 0.85)
_MOST_PLACES: Final = 100  # Chosen: ten times as many as a row has
# Chosen: if no more things look like coins than there should be coins, one of them is print in one
# of twenty pictures.
_LEAST_PRINT: Final = 1 / 20
# Measured: for coins of one set in a picture, the network's log odds differ by up to this factor.
_AS_SURE: Final = 1 / 2
#: Chosen: in a row laid by hand, a distance differs from the previous one by a tenth, and the row
#: bends by a tenth of a radian. The distribution has longer tails than a normal distribution.
UNEVEN: Final = 0.1


@dataclass(frozen=True, eq=False)
class Colours:
    """Luminance and colour differences of a picture (h, w, 3), shrunk by the factor `shrink`."""

    channels: NDArray[np.float32]
    shrink: float


@dataclass(frozen=True, eq=False)
class Level:
    """The n places where coins of one width may lie in a picture. `width_px` is the width, `places`
    (n,) are the middles as complex numbers, `odds` (n,) the network's log odds there, the highest
    first, `repeated` (n,) says which places look like many others on the table, and `area_px2` is
    the picture's area.
    """

    width_px: float
    places: Places
    odds: Odds
    repeated: NDArray[np.bool_]
    area_px2: float

    def likeliest(self, *, repeated: bool) -> Level:
        """Return the level with its `_MOST_PLACES` likeliest places. If `repeated` is False, places
        that look like many others on the table are left out.
        """
        kept = np.flatnonzero(repeated | ~self.repeated)[:_MOST_PLACES]
        return replace(
            self, places=self.places[kept], odds=self.odds[kept], repeated=self.repeated[kept]
        )

    @property
    def looks(self) -> Odds:
        """Return the logarithm of the probability, by the network, that each place (n,) is a
        coin.
        """
        return np.asarray(-np.logaddexp(0, -self.odds))

    def print_(self, wanted: int) -> Odds:
        """Return for each place (n,) how many places that are only print look at least as much like
        a coin. If the place looks like a coin at all, `wanted` of them are taken to be coins and
        not counted.
        """
        least = np.where(self.odds > 0, _AS_SURE * self.odds, self.odds)
        as_much = (self.odds[None, :] >= least[:, None]).sum(axis=1)
        return np.asarray(np.maximum(_LEAST_PRINT, as_much - wanted * (self.odds > 0)))

    def expected(self, step_px: NDArray[np.float64], wanted: int) -> Odds:
        """Return the log likelihood ratios (n, n), natural logarithm, of two explanations of a
        place that is a step after another place: the next coin of an even row, or print. The
        logarithm of a step has a Laplace distribution; print is spread evenly over the picture.
        """
        density = self.print_(wanted)[None, :] * step_px**2 / self.area_px2
        return np.asarray(-np.log(2 * np.pi * UNEVEN**2 * density))


def forms(picture_px: int) -> Iterator[tuple[float, float]]:
    """Yield every width, px, and flattening that a coin may have in a picture `picture_px` wide."""
    count = int(math.log(_WIDEST / _NARROWEST) / math.log(_WIDER))
    widths = picture_px * _NARROWEST * _WIDER ** np.arange(count + 1)
    yield from product(widths.tolist(), _FLATTENINGS)


def colours_of(picture: Picture) -> Colours:
    """Return the network's input for a BGR picture."""
    shrink = max(1.0, picture.shape[1] * _NARROWEST / COIN_CELLS)  # no width needs more pixels
    if shrink > 1:
        less = 1 / shrink
        small = cv2.resize(picture, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, dtype=np.uint8)
    channels = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)[..., [0, 2, 1]].astype(np.float32)
    return Colours(channels, shrink)


def level_at(colours: Colours, width_px: float, flattening: float) -> Level:
    """Return the `2 * _MOST_PLACES` likeliest places where coins of one width may lie."""
    across = COIN_CELLS * colours.shrink / width_px
    down = across / flattening
    how = cv2.INTER_AREA if across < 1 else cv2.INTER_LINEAR
    seen = cv2.resize(colours.channels, None, fx=across, fy=down, interpolation=how)
    odds = cell_log_odds(np.asarray(seen, dtype=np.float32))
    tops = np.argwhere(is_likeliest(odds, COIN_CELLS / STRIDE))
    tops = tops[np.argsort(-odds[tuple(tops.T)], kind="stable")][: 2 * _MOST_PLACES]
    repeated = is_repeated(np.asarray(seen, dtype=np.float32), STRIDE * tops)
    cells = STRIDE * (tops + _aside(odds, tops)) + 0.5
    y, x = (cells * colours.shrink / (down, across) - 0.5).T
    area_px2 = float(odds.size) * (STRIDE * colours.shrink) ** 2 / (down * across)
    log_odds = odds[tuple(tops.T)].astype(np.float64)
    return Level(width_px, x + 1j * y, log_odds, repeated, area_px2)


def _aside(odds: NDArray[np.float32], tops: Indices) -> Odds:
    """Return how far, in cells (n, 2), the true maximum is from each cell that is larger than its
    neighbours, by a parabola through these.
    """
    padded = np.pad(odds.astype(np.float64), 1, mode="edge")
    j, i = (tops + 1).T
    here = padded[j, i]
    aside = []
    for before, after in (
        (padded[j - 1, i], padded[j + 1, i]),
        (padded[j, i - 1], padded[j, i + 1]),
    ):
        bend = np.minimum(before - 2 * here + after, -1e-9)
        aside.append(np.clip((before - after) / (2 * bend), -0.5, 0.5))
    return np.column_stack(aside)
