"""Finds the row of coins in a picture of a set, in any colour and on any table.

The network that finds coins at rest says how likely a coin lies at every place, for coins of many
widths. Print on the table may look like coins in many places, but it hardly ever makes a straight,
even row of the expected length by chance. Both facts together give one probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.domain.pieces import COINS
from referee.vision.coins.coin_network import COIN_CELLS, STRIDE, cell_log_odds, is_likeliest
from referee.vision.coins.coin_search import RIMS_APART
from referee.vision.coins.repeated_print import is_repeated

Picture = NDArray[np.uint8]
Places = NDArray[np.complex128]  # x + iy, px
Odds = NDArray[np.float64]

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
# Measured: the network is surest at 0.82 to 0.90 of the true width, 0.86 on average, in 8 pictures
# of coins 20, 22 and 25 mm wide on as many surfaces.
_SUREST: Final = 0.86
# Chosen: the ratio of the steps in which the width is measured, and their number to either side
_FINER: Final = 1.05
_FINE_STEPS: Final = 4  # Chosen: likewise
_MOST_PLACES: Final = 100  # Chosen: ten times as many as a row has
# Chosen: if no more things look like coins than there should be coins, one of them is print in one
# of twenty pictures.
_LEAST_PRINT: Final = 1 / 20
# Measured: for coins of one set in a picture, the network's log odds differ by up to this factor.
_AS_SURE: Final = 1 / 2
# The log odds (natural logarithm) against a row that has another number of coins than names.
# Chosen: 1000 to 1.
_OTHER_NUMBER: Final = math.log(1000)
# Chosen: a row is returned without a rival if it is twenty times likelier (natural logarithm of
# odds).
_CLOSE: Final = math.log(20)
# Chosen: in a row laid by hand, a distance differs from the previous one by a tenth, and the row
# bends by a tenth of a radian. The distribution has longer tails than a normal distribution.
_UNEVEN: Final = 0.1


@dataclass(frozen=True, slots=True)
class Disc:
    """A coin in a picture: its centre and half its width, px."""

    x_px: float
    y_px: float
    radius_px: float


@dataclass(frozen=True, slots=True)
class Row:
    """The coins of a row, left to right. `rival` is another row that is about as likely; empty if
    there is none. `log_odds` are the log odds that it is a row and not print.
    """

    discs: tuple[Disc, ...] = ()
    rival: tuple[Disc, ...] = ()
    log_odds: float = 0.0


@dataclass(frozen=True, eq=False)
class _Colours:
    """Luminance and colour differences of a picture (h, w, 3), shrunk by the factor `shrink`."""

    channels: NDArray[np.float32]
    shrink: float


@dataclass(frozen=True, eq=False)
class _Level:
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

    def likeliest(self, *, repeated: bool) -> _Level:
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
        """Return (n, n), as a natural logarithm, how much likelier it is that the next coin of an
        even row lies at one place, a step after another place, than that print does. The logarithm
        of a step has a Laplace distribution; print is spread evenly over the picture.
        """
        density = self.print_(wanted)[None, :] * step_px**2 / self.area_px2
        return np.asarray(-np.log(2 * np.pi * _UNEVEN**2 * density))


@dataclass(frozen=True, slots=True)
class _Found:
    """A row of coins of one width: the indices of its places, and the log odds that it is a row and
    not print.
    """

    level: _Level
    places: tuple[int, ...]
    log_odds: float

    @property
    def plain(self) -> float:
        """Return how clearly the network recognises the row's coins at this width: the sum of their
        log odds.
        """
        return float(self.level.odds[list(self.places)].sum())

    @property
    def at_px(self) -> Places:
        return self.level.places[list(self.places)]

    def same(self, other: _Found) -> bool:
        """Return whether both rows hold the same coins."""
        return len(self.places) == len(other.places) and bool(
            np.all(abs(self.at_px - other.at_px) < self.level.width_px / 2)
        )


def find_row(picture: Picture, wanted: int) -> Row:
    """Find the likeliest row of coins in a BGR picture (h, w, 3) in which `wanted` coins are
    expected. Return a row without coins if there is none.

    A row of another number of coins is returned only if it is much likelier than every row of
    `wanted` coins. Places that look like many others on the table do not count as coins, unless
    they complete the row or decide between rows that are equally likely.
    """
    levels = list(_levels(picture))
    row, other = (
        _likeliest_row(picture, [level.likeliest(repeated=also) for level in levels], wanted)
        for also in (False, True)
    )
    better = bool(row.rival) or other.log_odds > row.log_odds
    return other if better and not other.rival and _mostly_same(other.discs, row.discs) else row


def _mostly_same(one: tuple[Disc, ...], other: tuple[Disc, ...]) -> bool:
    """Return whether more than half of the coins of one row are coins of another row, too."""
    places = [(b.x_px, b.y_px) for b in other]
    same = [a for a in one if any(math.dist((a.x_px, a.y_px), b) < a.radius_px for b in places)]
    return 2 * len(same) > len(one)


def _likeliest_row(picture: Picture, levels: Sequence[_Level], wanted: int) -> Row:
    """Return the likeliest row among the places of all levels."""
    found = [row for level in levels for row in _rows(level, wanted)[:1]]
    best = max(found, key=_log_odds, default=None)
    if best is None or best.log_odds < _CLOSE:
        return Row()
    ends = (best.places[0], best.places[-1])
    shifted = [row for place in ends for row in _rows(best.level, wanted, without=place)]
    others = [*found, *_rows(best.level, wanted), *shifted]
    rivals = [row for row in others if row.log_odds > best.log_odds - _CLOSE]
    rival = next((row for row in rivals if not row.same(best)), None)
    # Of all widths at which this row was found, the one at which its coins are plainest counts.
    plainest = max((row for row in found if row.same(best)), key=lambda row: row.plain)
    width_px = _surest_width(picture, plainest)
    also = _discs(rival, rival.level.width_px) if rival else ()
    return Row(_discs(plainest, width_px), also, best.log_odds)


def _log_odds(row: _Found) -> float:
    return row.log_odds


def _discs(row: _Found, width_px: float) -> tuple[Disc, ...]:
    """Return the coins of a row for which the network is surest at the width `width_px`."""
    return tuple(Disc(z.real, z.imag, width_px / _SUREST / 2) for z in row.at_px.tolist())


def _surest_width(picture: Picture, row: _Found) -> float:
    """Return the width, px, at which the network is surest of a row's coins. The sums of their log
    odds are computed at widths around the row's, and the top of a parabola through them gives the
    width.
    """
    colours = _colours(picture)
    steps = np.arange(-_FINE_STEPS, _FINE_STEPS + 1)
    sums = []
    for step in steps.tolist():
        width_px = row.level.width_px * _FINER**step
        level = _level(colours, width_px, 1.0).likeliest(repeated=True)
        near = abs(level.places[:, None] - row.at_px[None, :]) < level.width_px / 2
        sums.append(np.where(near, level.odds[:, None], level.odds.min()).max(axis=0).sum())
    bend, slope, _ = np.polyfit(steps, sums, 2)
    top = -slope / (2 * bend) if bend < 0 else 0.0
    return float(row.level.width_px * _FINER ** np.clip(top, -_FINE_STEPS, _FINE_STEPS))


def _levels(picture: Picture) -> Iterator[_Level]:
    """Yield the places where coins may lie, for every width and every flattening."""
    colours = _colours(picture)
    count = int(math.log(_WIDEST / _NARROWEST) / math.log(_WIDER))
    widths = picture.shape[1] * _NARROWEST * _WIDER ** np.arange(count + 1)
    for width_px, flattening in product(widths.tolist(), _FLATTENINGS):
        yield _level(colours, width_px, flattening)


def _colours(picture: Picture) -> _Colours:
    """Return the network's input for a BGR picture."""
    shrink = max(1.0, picture.shape[1] * _NARROWEST / COIN_CELLS)  # no width needs more pixels
    if shrink > 1:
        less = 1 / shrink
        small = cv2.resize(picture, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, dtype=np.uint8)
    channels = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)[..., [0, 2, 1]].astype(np.float32)
    return _Colours(channels, shrink)


def _level(colours: _Colours, width_px: float, flattening: float) -> _Level:
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
    return _Level(width_px, x + 1j * y, log_odds, repeated, area_px2)


def _aside(odds: NDArray[np.float32], tops: NDArray[np.intp]) -> Odds:
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


def _rows(level: _Level, wanted: int, without: int | None = None) -> list[_Found]:
    """Return the likeliest row for each number of coins, the best first. The place with the index
    `without` is not used.

    A row's log odds against print are a sum over its coins. Each coin adds how much it looks like a
    coin and how much likelier its place is for a row than for print. The first two coins may lie
    anywhere. For each further coin, the step to it, divided by the step before, has a complex
    logarithm with a Laplace distribution. The best row is found by dynamic programming over its
    last two coins.
    """
    places, looks = level.places, level.looks
    if not len(places):
        return []
    step = places[None, :] - places[:, None]
    follows = (step.real > abs(step.imag)) & (abs(step) > RIMS_APART * level.width_px)
    if without is not None:
        follows[without] = follows[:, without] = False
    logs = np.log(np.where(follows, step, 1.0)).astype(np.complex64)
    # the price of i before j before k (j, i, k)
    price = abs(logs[:, None, :] - logs.T[:, :, None]) / _UNEVEN
    price[~(follows.T[:, :, None] & follows[:, None, :])] = math.inf
    expected = np.where(follows, level.expected(np.maximum(abs(step), 1.0), wanted), 0.0)
    first = looks - np.log(level.print_(wanted))
    worth = np.where(follows, first[:, None] + first[None, :], -math.inf)
    shorter: list[Odds] = []
    found: list[_Found] = []
    for number in range(2, max(wanted, len(COINS)) + 2):
        if number > 2:
            shorter.append(worth)
            longer = (worth.T[:, :, None] - price).max(axis=1)
            worth = longer + looks[None, :] + expected
        j, k = np.unravel_index(int(worth.argmax()), worth.shape)
        if not math.isfinite(worth[j, k]):
            break
        row = [int(k), int(j)]
        for before in reversed(shorter):
            after, next_ = row[-1], row[-2]
            row.append(int((before[:, after] - price[after, :, next_]).argmax()))
        other = _OTHER_NUMBER if number != wanted else 0.0
        found.append(_Found(level, tuple(row[::-1]), float(worth[j, k]) - other))
    return sorted(found, key=lambda row: row.log_odds, reverse=True)
