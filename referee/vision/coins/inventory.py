"""Finds which coins lie on a table or on a part of it, in full view, and measures them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from calibration.lens.camera import TableView
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.vision.coins.coin_search import RIMS_APART, Floor, FoundCoin, find_coins
from referee.vision.coins.region_fit import placed_by_regions
from referee.vision.coins.rim_fit import (
    FARTHEST_MM,
    FOR_SUPPORT,
    LEAST_SUPPORT,
    START_MM,
    RimFit,
    find_rim,
    fit_rim,
)
from referee.vision.image.picture import ChannelMix, Picture

# Tuned on one frame each of 30 rendered tables: of 127 coins three (beside glare, on the edge of a
# stripe, in print) had less than 49 in sum; bare tables, their grain, cheques, veins and print had
# at most 44.
LEAST_CERTAINTY: Final = 46.0
# What a circle that goes on beyond its rim must have more, because it may be a fingertip.
FOR_FINGER: Final = 20.0
# With more evidence a shadow or a side wall may have displaced the place; with less there is hardly
# any, and looking around it would take most of the time.
MISPLACED: Final = 25.0
# Tuned on pictures of eight tables, with coins repainted pale, dark, black and blue: nothing but a
# coin has a rim of its own that says more.
PLAIN_CERTAINTY: Final = 40.0


def take_inventory(
    picture: Picture,
    view: TableView,
    floor: Floor,
    sizes: PieceSizes,
    known_mm: Sequence[Point] = (),
    may_hold: Callable[[Point, float], bool] = lambda _at_mm, _off_mm: True,
) -> tuple[RimFit, ...]:
    """Return the coins that lie still and in full view on a floor, the most certain first. Those
    that are known to lie at `known_mm` are left out. Only places are looked at within so many mm of
    which there may be a new coin, by `may_hold`.
    """
    certain: list[tuple[float, RimFit]] = []
    for place in find_coins(picture, floor, sizes):
        misplaced = place.evidence > MISPLACED
        # No rim is found farther from the place than this, and none beside a known coin is kept.
        off_mm = FARTHEST_MM + START_MM * misplaced
        beside_mm = max(START_MM, RIMS_APART * sizes.coin_mm - off_mm)
        if any(distance(place.at_mm, at_mm) < beside_mm for at_mm in known_mm):
            continue
        fit = _rim_at(place, picture, view, sizes) if may_hold(place.at_mm, off_mm) else None
        if fit is None or not floor.has(fit.at_mm):
            continue
        # beside a tile or the table's edge, what goes on beyond the rim is no finger
        a_finger = fit.open_mm is not None and floor.has(fit.open_mm)
        certain.append((place.evidence + fit.shape - FOR_FINGER * a_finger, fit))
    certain.sort(key=lambda one: -one[0])
    kept: list[RimFit] = []
    for certainty, fit in certain:
        others = [*known_mm, *(other.at_mm for other in kept)]
        apart = all(distance(fit.at_mm, at) > RIMS_APART * sizes.coin_mm for at in others)
        if certainty > LEAST_CERTAINTY and apart:
            kept.append(fit)
    return tuple(placed_by_regions(fit, picture, view, sizes) for fit in kept)


def _rim_at(
    place: FoundCoin, picture: Picture, view: TableView, sizes: PieceSizes
) -> RimFit | None:
    """Measure the rim at a place, unless a glance tells that it cannot be certain enough."""
    if place.evidence > MISPLACED:
        return find_rim(picture, view, place.at_mm, sizes)
    least_support = LEAST_SUPPORT + (LEAST_CERTAINTY - place.evidence) / FOR_SUPPORT
    if least_support > 1.0 or not fit_rim(picture, view, place.at_mm, sizes, least_support):
        return None
    return fit_rim(picture, view, place.at_mm, sizes)


def plainly_a_coin(fit: RimFit) -> bool:
    """Return whether nothing but a coin looks like this: its rim closes, and much speaks for it."""
    return fit.open_mm is None and fit.certainty > PLAIN_CERTAINTY


def shared_mix(fits: Sequence[RimFit]) -> ChannelMix | None:
    """Return the channel mix of the coin whose mix suits the others best; None without coins."""
    if not fits:
        return None
    mixes = np.array([[f.channel_mix.y, f.channel_mix.u, f.channel_mix.v] for f in fits])
    unit = mixes / np.linalg.norm(mixes, axis=1, keepdims=True)
    return fits[int((unit @ unit.T).sum(axis=1).argmax())].channel_mix
