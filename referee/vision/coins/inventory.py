"""Finds the coins that lie in full view on a table, or on a part of it, and measures their
places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point, distance
from referee.domain.pieces import DiscSizes, PieceSizes
from referee.vision.coins.coin_search import NETWORK_OFF_MM, RIMS_APART, Floor, find_coins
from referee.vision.coins.heaps import between_coins, without_holes
from referee.vision.coins.local_contrast import ColourStep, colour_step
from referee.vision.coins.region_fit import fit_regions, placed_by_regions
from referee.vision.coins.rim_fit import FARTHEST_MM, PLAIN_SUPPORT, RimFit, find_rim
from referee.vision.image.picture import ChannelMix, Picture

# The least log odds of a coin from network and rim together. Measured: with the network's weights
# of 23 November (not repeated since), on 47 rendered tables, two of 163 coins have less. Eight bare
# places, five of them on granite and marble, and three printed discs have this value or more.
LEAST_TOGETHER: Final = 4.0
# The share of a closed rim's log odds that counts, because printed discs have perfect rims, too.
# Tuned on our own clips.
RIM_SHARE: Final = 1 / 8
# Above these log odds, a place plainly looks like a coin. Measured: on 48 rendered tables that the
# network was not trained with, 40 of them with print or cloth, 96 of 100 coins have more, and so
# have 136 places without a coin, 125 of them on three flowered cloths.
PLAIN_LOG_ODDS: Final = 6.5
# Chosen: another mix replaces the usual one only if it makes the faintest coin this many times as
# clear. Measured: the best mix makes it 3.5 times as clear on one table with painted coins, and
# less than 1.2 times on nine other tables.
CLEARER: Final = 2.0
# Chosen: in standard deviations of the table's levels. A mix does not show a coin that stands out
# by less than this. Measured: 1.4 and more on the footage; 0.1 in any mix for two walnut coins on
# bleached walnut.
LEAST_CLEARNESS: Final = 0.25
# The step of a grid of places from which a rim is searched for. By definition: no place is more
# than 3 mm from this grid, and `fit_rim` finds a rim from 3 mm away.
TOLD_STEP_MM: Final = 4.0
LEAST_WEIGHT: Final = 1e-6  # Chosen: if all weights are smaller, the mixes cancel each other out


def take_inventory(
    picture: Picture,
    view: TableView,
    floor: Floor,
    sizes: PieceSizes,
    known_mm: Sequence[Point] = (),
    may_hold: Callable[[Point, float], bool] = lambda _at_mm, _off_mm: True,
    lost: int | None = None,
) -> tuple[RimFit, ...]:
    """Return the coins that lie still and in full view on a floor, the most certain first. Coins
    that are known to lie at `known_mm` are left out, and only places at which `may_hold` allows a
    new coin are examined. Coins that touch each other hardly look like coins. Therefore, if fewer
    than `lost` coins were found (None: their number is not known), places between coins are
    examined, too.
    """
    off_mm = 2 * FARTHEST_MM  # no rim is found farther from a place
    kept: list[RimFit] = []
    seen_mm = dict[Point, Point]()  # from a coin's measured place to where the network sees it
    for place in find_coins(picture, floor, sizes):
        # no new coin is kept beside a known one
        beside_mm = max(FARTHEST_MM, RIMS_APART * sizes.coin_mm - off_mm)
        known = any(distance(place.at_mm, at_mm) < beside_mm for at_mm in known_mm)
        if known or not may_hold(place.at_mm, off_mm):
            continue
        others = [*known_mm, *(other.at_mm for other in kept)]
        fit = find_rim(picture, view, place.at_mm, sizes, NETWORK_OFF_MM)
        if fit is None and place.log_odds > PLAIN_LOG_ODDS:
            fit = fit_regions(picture, view, place.at_mm, sizes, others)
        if fit is None or not floor.has(fit.at_mm):
            continue
        rim = RIM_SHARE * fit.certainty if fit.open_mm is None else 0.0
        if place.log_odds + rim < LEAST_TOGETHER:
            continue
        if all(distance(fit.at_mm, at) > RIMS_APART * sizes.coin_mm for at in others):
            kept.append(replace(fit, log_odds=place.log_odds))
            seen_mm[fit.at_mm] = place.at_mm
    lying = [*known_mm, *(fit.at_mm for fit in kept)]
    kept = without_holes(picture, view, kept, lying, sizes)
    if lost is None or len(kept) < lost:
        lying = [*known_mm, *(fit.at_mm for fit in kept)]
        kept += [
            replace(fit, log_odds=LEAST_TOGETHER)
            for fit in between_coins(picture, view, lying, sizes, lambda at: may_hold(at, off_mm))
            if floor.has(fit.at_mm) and may_hold(fit.at_mm, off_mm)
        ]
    lying = [*known_mm, *(fit.at_mm for fit in kept)]
    return tuple(
        placed_by_regions(fit, picture, view, sizes, lying, seen_mm.get(fit.at_mm)) for fit in kept
    )


def one_width_each(sizes: PieceSizes, coins: Sequence[str] = ()) -> list[PieceSizes]:
    """Return one copy of the sizes for each width that the named coins have, the widest first. If
    no coin is named, all widths count.
    """
    if not isinstance(sizes, DiscSizes):
        return [sizes]
    own = {w for coin, w in sizes.widths_mm if not coins or coin in coins} or {sizes.coin_mm}
    return [replace(sizes, coin_mm=width, widths_mm=()) for width in sorted(own, reverse=True)]


def plainest_each(fits: Iterable[RimFit]) -> list[RimFit]:
    """Return one fit for each place. If fits of different widths share a place, it is the fit with
    the largest certainty.
    """
    found, kept = list(fits), list[RimFit]()
    if len({fit.width_mm for fit in found}) < 2:
        return found
    for fit in sorted(found, key=lambda fit: fit.certainty, reverse=True):
        if all(distance(fit.at_mm, o.at_mm) > 0.5 * _width(fit, o) for o in kept):
            kept.append(fit)
    return kept


def _width(one: RimFit, other: RimFit) -> float:
    return max(one.width_mm or 0.0, other.width_mm or 0.0)


def plainly_a_coin(fit: RimFit) -> bool:
    """Return whether a fit is so likely that only a coin can look like this."""
    return fit.log_odds > PLAIN_LOG_ODDS


def without_pattern(fits: Sequence[RimFit]) -> list[RimFit]:
    """Return the fits that count as coins when the number of coins is not known: all fits, or only
    the plain ones (`plainly_a_coin`) if most are not plain. Many fits that are not plain come from
    a pattern of the table.
    """
    plain = [fit for fit in fits if plainly_a_coin(fit)]
    return list(fits) if len(fits) <= 2 * len(plain) + 1 else plain


def shared_mix(
    fits: Sequence[RimFit], picture: Picture, view: TableView, sizes: PieceSizes
) -> ChannelMix | None:
    """Return the channel mix in which all coins of a picture stand out from the table; None without
    coins.

    Usually this is the mix of one coin: of the coin whose mix is most like those of the others. In
    a set of several colours, some coin may hardly differ from the table in that mix. For such a
    set, the result is the mix in which the faintest coin is clearest.
    """
    if not fits:
        return None
    mixes = np.array([[f.channel_mix.y, f.channel_mix.u, f.channel_mix.v] for f in fits])
    unit = mixes / np.linalg.norm(mixes, axis=1, keepdims=True)
    usual = fits[int((unit @ unit.T).sum(axis=1).argmax())].channel_mix
    seen = (colour_step(picture, view, f.at_mm, sizes) for f in fits)
    steps = [step for step in seen if step is not None]
    both = [a + sign * b for a, b in combinations(unit, 2) for sign in (1.0, -1.0)]
    others = [m for m in (*unit, *both, *np.eye(3)) if np.abs(m).max() > LEAST_WEIGHT]
    clearest = max((_mix_of(m, steps) for m in others), key=lambda mix: _faintest(mix, steps))
    much_clearer = _faintest(clearest, steps) > CLEARER * max(
        _faintest(usual, steps), LEAST_CLEARNESS
    )
    return clearest if much_clearer else usual


def _faintest(mix: ChannelMix, steps: Sequence[ColourStep]) -> float:
    """Return how clearly the faintest coin differs from the table in a mix."""
    return min((step.clearness(mix) for step in steps), default=0.0)


def _mix_of(weights: NDArray[np.float64], steps: Sequence[ColourStep]) -> ChannelMix:
    """Return the mix with these weights, with the sign for which most coins are lighter than the
    table, and with the coins' median contrast.
    """
    y, u, v = (float(weight) for weight in weights / np.abs(weights).max())
    levels = [step.levels(ChannelMix(y, u, v)) for step in steps] or [1.0]
    sign = 1.0 if float(np.median(levels)) >= 0 else -1.0
    contrast = max(float(np.median(np.abs(levels))), 1.0)
    return ChannelMix(sign * y, sign * u, sign * v, contrast)


def places_around(at_mm: Point, within_mm: float) -> list[Point]:
    """Return the places, mm, from which a rim within `within_mm` of a place can be found."""
    steps = np.arange(-within_mm, within_mm + TOLD_STEP_MM, TOLD_STEP_MM)
    return [
        (at_mm[0] + float(x), at_mm[1] + float(y))
        for x in steps
        for y in steps
        if math.hypot(x, y) <= within_mm
    ]


def plainest_rim(
    fits: Iterable[RimFit | None],
    told_mm: Point,
    taken: Sequence[Point],
    coin_mm: float,
    others_mm: Sequence[Point] = (),
) -> RimFit | None:
    """Return the plainest rim near `told_mm`, the place at which people pointed; None if there is
    none. Two kinds of rims do not count: those of the coins at the places `taken`, and those closer
    to one of `others_mm`, the places at which people pointed for other coins. A rim around
    `told_mm` is preferred to any rim beside it. Beside `told_mm`, only a plain rim counts, because
    the coin may be hard to see, and a pattern of the table may look like a rim. Without any such
    rim, a fit to the regions around `told_mm` counts.
    """
    ranked = [
        (_rank(fit, distance(fit.at_mm, told_mm) < coin_mm / 2), fit.support, fit)
        for fit in fits
        if fit is not None
        and all(distance(fit.at_mm, other) > RIMS_APART * coin_mm for other in taken)
        and all(distance(fit.at_mm, o) >= distance(fit.at_mm, told_mm) for o in others_mm)
    ]
    meant = [one for one in ranked if one[0] > 0]
    return max(meant, key=lambda one: one[:2], default=(0, 0.0, None))[2]


def _rank(fit: RimFit, around: bool) -> int:
    """Return a rank, larger for a fit that is more likely the coin that is meant; 0 if it is not.
    `around` says whether the fit lies around the place at which people pointed.
    """
    if around:
        return 1 if fit.by_regions else 3
    return 2 if fit.support > PLAIN_SUPPORT else 0
