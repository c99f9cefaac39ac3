"""Distinguishes coins that touch each other from the holes between them. The network that finds
coins was trained on few coins that touch, so here the rims are better evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from calibration.lens.camera import TableView
from referee.domain.geometry import Point, add, distance, scale, subtract
from referee.domain.pieces import PieceSizes
from referee.vision.coins.local_contrast import ColourStep, colour_step, face_colour
from referee.vision.coins.rim_fit import RimFit, fit_rim
from referee.vision.image.picture import Picture

# Chosen: two coins count as touching if their measured middles are at most this many coin widths
# apart.
TOUCH_WIDTHS: Final = 1.1
# Chosen: the middles of two coins are never closer than this, in coin widths.
APART_WIDTHS: Final = 0.85
# If colours do not show whether a place is a coin, at least this share of its rim must be visible.
# Measured: on six drawn racks and seven filmed ones, 0.73 to 0.98 of a coin's rim, and at most 0.67
# of the rim of a hole. On two racks drawn later, 0.64 of a coin's rim is visible.
HEAP_SUPPORT: Final = 0.7
# By definition: the table's colour counts 0 and the coins' 1, so a place with more than this is
# nearer to the coins'. Measured: on the same racks, 0.89 to 1.32 for coins, at most 0.25 for holes.
LIKE_COINS: Final = 0.5
# By definition: above 1, coins differ from the table by more than the table's usual deviation.
# Measured: 1.1 to 7.7 on these racks. It was 0.8 on a striped table, where coins had only 0.4 to
# 0.6 on the scale of `LIKE_COINS`.
LEAST_CLEAR: Final = 1.0
HOLE_NEIGHBOURS: Final = 2  # Chosen: a hole has at least this many coins around it


def without_holes(
    picture: Picture,
    view: TableView,
    fits: Sequence[RimFit],
    lying_mm: Sequence[Point],
    sizes: PieceSizes,
) -> list[RimFit]:
    """Return the fits that are coins, without those that are holes between coins that touch. The
    look of a hole continues beyond its rim, or the hole has the table's colour. `lying_mm` are the
    places of all fits and of all known coins.
    """

    def touches_two(fit: RimFit) -> bool:
        return _touching(fit.at_mm, lying_mm, sizes.coin_mm) >= HOLE_NEIGHBOURS

    inside = [fit for fit in fits if touches_two(fit)]
    if not inside:
        return list(fits)
    colours = _colours(picture, view, lying_mm, sizes)

    def is_coin(fit: RimFit) -> bool:
        others = [step for at, step in colours.items() if at != fit.at_mm]  # none of its own
        return fit.open_mm is None and _like_coins(picture, view, fit.at_mm, sizes, others, True)

    return [fit for fit in fits if fit not in inside or is_coin(fit)]


def between_coins(
    picture: Picture,
    view: TableView,
    lying_mm: Sequence[Point],
    sizes: PieceSizes,
    may_hold: Callable[[Point], bool] = lambda _at_mm: True,
) -> Iterator[RimFit]:
    """Find the coins that touch two others, and yield each once. The two coins that a coin touches
    lie at `lying_mm` or were found here before. Only places near which `may_hold` allows a coin are
    examined.
    """
    lying, looked = list(lying_mm), list[Point]()
    colours = list(_colours(picture, view, lying, sizes).values())
    while spot := _next_spot(lying, looked, sizes.coin_mm):
        looked.append(spot)
        fit = fit_rim(picture, view, spot, sizes) if may_hold(spot) else None
        if (
            fit is not None
            and fit.open_mm is None
            and _free(fit.at_mm, lying, sizes.coin_mm)
            and _like_coins(picture, view, fit.at_mm, sizes, colours, fit.support > HEAP_SUPPORT)
        ):
            lying.append(fit.at_mm)
            yield fit


def _colours(
    picture: Picture, view: TableView, lying: Sequence[Point], sizes: PieceSizes
) -> dict[Point, ColourStep]:
    """Return, by their places, how some coins differ in colour from the table. One of them is the
    coin with the fewest others around it; the table's colour is measured there. The rest are coins
    at the border of a heap, which touch the fewest others. Both are needed, because a coin that
    lies alone may be a striker of another colour. Differences that are not clear are left out.
    """
    reach_mm = 2 * sizes.coin_mm
    alone = min(lying, key=lambda at: sum(distance(at, o) < reach_mm for o in lying), default=None)
    step = None if alone is None else colour_step(picture, view, alone, sizes)
    if alone is None or step is None:
        return {}
    touching = {at: _touching(at, lying, sizes.coin_mm) for at in lying if at != alone}
    fewest = min((count for count in touching.values() if count), default=0)
    at_border = [at for at, count in touching.items() if 0 < count <= fewest]
    steps = {alone: step}
    for at in at_border:
        face = face_colour(picture, view, at, sizes)
        if face is not None:
            steps[at] = replace(step, step=face - step.table)
    return {at: each for at, each in steps.items() if each.clearest() >= LEAST_CLEAR}


def _touching(at_mm: Point, lying: Sequence[Point], coin_mm: float) -> int:
    """Return how many of the coins at the places `lying` touch the one at `at_mm`."""
    return sum(0.0 < distance(at_mm, other) < TOUCH_WIDTHS * coin_mm for other in lying)


def _like_coins(
    picture: Picture,
    view: TableView,
    at_mm: Point,
    sizes: PieceSizes,
    colours: Sequence[ColourStep],
    otherwise: bool,
) -> bool:
    """Return whether the colour at a place is nearer to that of any coins' faces than to that of
    the table. Return `otherwise` if one of these colours is not known.
    """
    face = face_colour(picture, view, at_mm, sizes)
    if not colours or face is None:
        return otherwise
    return any(step.share(face) > LIKE_COINS for step in colours)


def _next_spot(lying: Sequence[Point], looked: Sequence[Point], coin_mm: float) -> Point | None:
    """Return a place where a coin would touch two others and that is not near one of the places
    already examined, `looked`; None if there is none.
    """
    for one, other in combinations(lying, 2):
        half = distance(one, other) / 2
        if half <= coin_mm:
            way = subtract(other, one)
            aside = scale((-way[1], way[0]), math.sqrt(coin_mm**2 - half**2) / (2 * half))
            middle = scale(add(one, other), 0.5)
            for spot in (add(middle, aside), subtract(middle, aside)):
                if _free(spot, lying, coin_mm) and all(
                    distance(spot, at) > (1 - APART_WIDTHS) * coin_mm for at in looked
                ):
                    return spot
    return None


def _free(at_mm: Point, lying: Sequence[Point], coin_mm: float) -> bool:
    return all(distance(at_mm, other) > APART_WIDTHS * coin_mm for other in lying)
