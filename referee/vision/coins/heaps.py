"""Tells coins from the holes between them where coins touch: there the network that finds coins by
their look has seen little of the kind, and rims say more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

from calibration.lens.camera import TableView
from referee.domain.geometry import Point, add, distance, scale, subtract
from referee.domain.pieces import PieceSizes
from referee.vision.coins.rim_fit import RimFit, fit_rim
from referee.vision.image.picture import Picture

# Chosen: coins touch whose middles are at most so many coin widths apart, as they are measured.
TOUCH_WIDTHS: Final = 1.1
# Chosen: no coin lies so near to another one, in coin widths.
APART_WIDTHS: Final = 0.85
# Measured: on six drawn racks, nine coins at places that touch two others have 51 to 87, and 27
# bare places at most 23.
HEAP_CERTAIN: Final = 35.0
# Measured: over the same racks, 0.95 to 0.98 of a coin's rim is seen, and at most 0.66 of what is
# none.
HEAP_SUPPORT: Final = 0.85
HOLE_NEIGHBOURS: Final = 2  # Chosen: what is between so many coins may be a hole


def is_hole(fit: RimFit, lying_mm: Sequence[Point], sizes: PieceSizes) -> bool:
    """Return whether what looks like a coin is a hole between coins that touch: its inside goes on
    outside.
    """
    near = sum(0.0 < distance(fit.at_mm, at) < TOUCH_WIDTHS * sizes.coin_mm for at in lying_mm)
    return fit.open_mm is not None and near >= HOLE_NEIGHBOURS


def between_coins(
    picture: Picture,
    view: TableView,
    lying_mm: Sequence[Point],
    sizes: PieceSizes,
    may_hold: Callable[[Point], bool] = lambda _at_mm: True,
) -> Iterator[RimFit]:
    """Yield the coins that touch two of those at `lying_mm` or of each other, each once. Only
    places are looked at near which there may be one, by `may_hold`.
    """
    lying, looked = list(lying_mm), list[Point]()
    while spot := _next_spot(lying, looked, sizes.coin_mm):
        looked.append(spot)
        fit = fit_rim(picture, view, spot, sizes) if may_hold(spot) else None
        if (
            fit is not None
            and fit.open_mm is None
            and fit.certainty > HEAP_CERTAIN
            and fit.support > HEAP_SUPPORT
            and _free(fit.at_mm, lying, sizes.coin_mm)
        ):
            lying.append(fit.at_mm)
            yield fit


def _next_spot(lying: Sequence[Point], looked: Sequence[Point], coin_mm: float) -> Point | None:
    """Return a place where a coin would touch two others, and at which nobody looked; None where
    there is none.
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
