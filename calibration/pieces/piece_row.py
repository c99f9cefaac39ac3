"""Finds the row of coins in a picture of a set, in any colour and on any table.

The network that finds coins at rest says how likely it is that a coin lies at a place, for every
place and for coins of many widths. Print on the table may look like coins in many places, but it
hardly ever makes a straight, even row of the expected length by chance. Both facts together give
one probability.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.pieces.coin_places import (
    UNEVEN,
    Indices,
    Level,
    Odds,
    Picture,
    Places,
    colours_of,
    forms,
    level_at,
)
from referee.domain.pieces import COINS
from referee.vision.coins.coin_search import RIMS_APART

# Measured: the network is surest at 0.82 to 0.90 of the true width, 0.86 on average, in 8 pictures
# of coins 20, 22 and 25 mm wide on as many surfaces.
_SUREST: Final = 0.86
# Chosen: the ratio of the steps in which the width is measured, and their number to either side
_FINER: Final = 1.05
_FINE_STEPS: Final = 4  # Chosen: likewise
# The log odds (natural logarithm) against a row whose number of coins differs from the number of
# names. Chosen: 1000 to 1.
_OTHER_NUMBER: Final = math.log(1000)
# Chosen: a row is returned without a rival if it is twenty times likelier (natural logarithm of
# odds).
_CLOSE: Final = math.log(20)


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


@dataclass(frozen=True, slots=True)
class _Found:
    """A row of coins of one width: the indices of its places, and the log odds that it is a row and
    not print.
    """

    level: Level
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


class _LevelOf(Protocol):
    """Returns the places in a picture where coins of one width, px, and one flattening may lie."""

    def __call__(self, width_px: float, flattening: float) -> Level: ...


class _RowsOf(Protocol):
    """Returns the rows of a level, the likeliest first, without the place of an index."""

    def __call__(self, level: Level, without: int | None = None) -> Sequence[_Found]: ...


def find_row(picture: Picture, wanted: int) -> Row:
    """Find the likeliest row of coins in a BGR picture (h, w, 3) in which `wanted` coins are
    expected. Return a row without coins if there is none.

    A row of another number of coins is returned only if it is much likelier than every row of
    `wanted` coins. Places that look like many others on the table do not count as coins, unless
    they complete the row or decide between rows that are equally likely.
    """
    level_of = cache(partial(level_at, colours_of(picture)))
    rows_of = cache(partial(_rows, wanted))
    row, other = (
        _likeliest_row(levels, rows_of, level_of)
        for levels in _levels_without_and_with_print(level_of, picture.shape[1])
    )
    better = bool(row.rival) or other.log_odds > row.log_odds
    return other if better and not other.rival and _mostly_same(other.discs, row.discs) else row


def _mostly_same(one: tuple[Disc, ...], other: tuple[Disc, ...]) -> bool:
    """Return whether more than half of the coins of one row are coins of another row, too."""
    places = [(b.x_px, b.y_px) for b in other]
    same = [a for a in one if any(math.dist((a.x_px, a.y_px), b) < a.radius_px for b in places)]
    return 2 * len(same) > len(one)


def _levels_without_and_with_print(
    level_of: _LevelOf, picture_px: int
) -> tuple[Sequence[Level], Sequence[Level]]:
    """Return the likeliest places of every width and flattening without those that look like many
    others on the table, and with them. If no place looks like many others, both levels are the same
    object.
    """
    whole = [level_of(*form) for form in forms(picture_px)]
    every = [level.likeliest(repeated=True) for level in whole]
    plain = [
        level.likeliest(repeated=False) if some.repeated.any() else some
        for level, some in zip(whole, every, strict=True)
    ]
    return plain, every


def _likeliest_row(levels: Sequence[Level], rows_of: _RowsOf, level_of: _LevelOf) -> Row:
    """Return the likeliest row among the places of all levels. A row of other coins that is about
    as likely is its rival if it is the likeliest row of another level. Another row at the width at
    which the likeliest row was found is a rival only if it is about as likely at the width at which
    the coins are plainest, too, because print may look like coins at one of the two widths.
    """
    found = [row for level in levels for row in rows_of(level)[:1]]
    best = max(found, key=_log_odds, default=None)
    if best is None or best.log_odds < _CLOSE:
        return Row()
    # Of all widths at which this row was found, the one at which its coins are plainest counts.
    plainest = max((row for row in found if row.same(best)), key=lambda row: row.plain)
    close = _close_rows(plainest, rows_of)
    rivals = [row for row in _close_rows(best, rows_of) if any(row.same(other) for other in close)]
    rivals += [row for row in found if row.log_odds > best.log_odds - _CLOSE]
    rival = next((row for row in rivals if not plainest.same(row)), None)
    width_px = _surest_width(plainest, level_of)
    also = _discs(rival, rival.level.width_px) if rival else ()
    return Row(_discs(plainest, width_px), also, best.log_odds)


def _close_rows(row: _Found, rows_of: _RowsOf) -> list[_Found]:
    """Return the rows of other coins at a row's width that are about as likely as the row."""
    ends = (row.places[0], row.places[-1])
    others = [*rows_of(row.level), *(other for end in ends for other in rows_of(row.level, end))]
    return [
        other for other in others if other.log_odds > row.log_odds - _CLOSE and not other.same(row)
    ]


def _log_odds(row: _Found) -> float:
    return row.log_odds


def _discs(row: _Found, width_px: float) -> tuple[Disc, ...]:
    """Return the coins of a row for which the network is surest at the width `width_px`."""
    return tuple(Disc(z.real, z.imag, width_px / _SUREST / 2) for z in row.at_px.tolist())


def _surest_width(row: _Found, level_of: _LevelOf) -> float:
    """Return the width, px, at which the network is surest of a row's coins. The sums of their log
    odds are computed at widths around the row's, and the top of a parabola through them gives the
    width.
    """
    steps = np.arange(-_FINE_STEPS, _FINE_STEPS + 1)
    sums = []
    for step in steps.tolist():
        width_px = row.level.width_px * _FINER**step
        level = level_of(width_px, 1.0).likeliest(repeated=True)
        near = abs(level.places[:, None] - row.at_px[None, :]) < level.width_px / 2
        sums.append(np.where(near, level.odds[:, None], level.odds.min()).max(axis=0).sum())
    bend, slope, _ = np.polyfit(steps, sums, 2)
    top = -slope / (2 * bend) if bend < 0 else 0.0
    return float(row.level.width_px * _FINER ** np.clip(top, -_FINE_STEPS, _FINE_STEPS))


@dataclass(frozen=True, eq=False)
class _Pairs:
    """All m pairs of places of which one may follow the other in a row: the indices `first` and
    `second` (m,) of their places, in rising order, and the complex logarithms `step` (m,) of the
    steps between them.

    The pairs that may come before a pair are those that end where it begins. `before` lists the
    indices of these earlier pairs, grouped by the later pair: the group of a pair begins at index
    `begin` (m,) and has `count` (m,) entries. `price` is the cost of each entry, because the row
    bends there or is uneven.
    """

    first: Indices
    second: Indices
    before: Indices
    begin: Indices
    count: Indices
    price: NDArray[np.float32]

    def longer(self, worth: Odds) -> Odds:
        """Return the best worth (m,) of the rows that may come before each pair. `worth` (m,) is
        that of the best row that ends with each pair.
        """
        best = np.full(len(worth), -math.inf)
        some = self.count > 0
        if some.any():
            values = worth[self.before] - self.price
            best[some] = np.maximum.reduceat(values, self.begin[some])
        return best

    def best_before(self, pair: int, worth: Odds) -> int:
        """Return the pair before `pair` in the best row that ends with it."""
        here = slice(self.begin[pair], self.begin[pair] + self.count[pair])
        values = worth[self.before[here]] - self.price[here]
        return int(self.before[here][values.argmax()])


def _pairs(step: Places, follows: NDArray[np.bool_]) -> _Pairs:
    """Return the pairs of places of which one follows the other. `step` (n, n) are the steps."""
    first, second = np.nonzero(follows)
    logs = np.log(step[first, second]).astype(np.complex64)
    by_end = np.argsort(second, kind="stable")
    ends = np.bincount(second, minlength=len(step))
    count = ends[first]
    begin = np.cumsum(count) - count
    nth = np.arange(count.sum()) - np.repeat(begin, count)
    before = by_end[np.repeat((np.cumsum(ends) - ends)[first], count) + nth]
    price = abs(np.repeat(logs, count) - logs[before]) / UNEVEN
    return _Pairs(first, second, before, begin, count, price)


def _rows(wanted: int, level: Level, without: int | None = None) -> list[_Found]:
    """Return the likeliest row for each number of coins, the best first. The place with the index
    `without` is not used.

    A row's log odds against print are a sum over its coins. Each coin adds how much it looks like a
    coin and how much likelier its place is for a row than for print. The first two coins may lie
    anywhere. For each further coin, the step to it, divided by the step before, has a complex
    logarithm with a Laplace distribution. The best row is found by dynamic programming over its
    last two coins.
    """
    places, looks = level.places, level.looks
    step = places[None, :] - places[:, None]
    follows = (step.real > abs(step.imag)) & (abs(step) > RIMS_APART * level.width_px)
    if without is not None:
        follows[without] = follows[:, without] = False
    pairs = _pairs(step, follows)
    if not len(pairs.first):
        return []
    begin = looks - np.log(level.print_(wanted))
    expected = level.expected(np.maximum(abs(step), 1.0), wanted)[pairs.first, pairs.second]
    worths = [begin[pairs.first] + begin[pairs.second]]
    found: list[_Found] = []
    for number in range(2, max(wanted, len(COINS)) + 2):
        if number > 2:
            worths.append(pairs.longer(worths[-1]) + looks[pairs.second] + expected)
        pair = int(worths[-1].argmax())
        log_odds = float(worths[-1][pair])
        if not math.isfinite(log_odds):
            break
        row = [int(pairs.second[pair]), int(pairs.first[pair])]
        for worth in reversed(worths[:-1]):
            pair = pairs.best_before(pair, worth)
            row.append(int(pairs.first[pair]))
        other = _OTHER_NUMBER if number != wanted else 0.0
        found.append(_Found(level, tuple(row[::-1]), log_odds - other))
    return sorted(found, key=_log_odds, reverse=True)
