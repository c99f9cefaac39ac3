"""What lies on the table at the opening, where a coin's shadow looks more like a disc than the coin
does.
"""

from __future__ import annotations

import numpy as np
import pytest

from referee.domain.geometry import distance
from referee.vision.coins.coin_search import find_coins, lay_floor
from referee.vision.coins.inventory import Inventory, take_inventory
from referee.vision.coins.rim_fit import RimFit
from referee.vision.image.picture import Picture
from tests.vision.drawn import SIZES, Scenery, course, grey, looking, table

PLACES = ((-80.0, 30.0), (-20.0, -40.0), (10.0, 45.0), (55.0, 0.0))
VIEW = looking(20.0)
FLOOR = lay_floor(VIEW, SIZES, table(VIEW).edge_mm, course())
SHADOW_MM = (5.0, -3.0)


def shaded(
    wood: tuple[float, float, float],
    coin: tuple[float, float, float],
    shadow: tuple[float, float, float],
) -> Picture:
    """Return coins with their shadows beside them: luminance, and two colour differences at half
    the size.
    """
    planes = []
    for k in range(3):
        beside = tuple(((x + SHADOW_MM[0], y + SHADOW_MM[1]), shadow[k]) for x, y in PLACES)
        values = Scenery(
            VIEW, (*beside, *((at, coin[k]) for at in PLACES)), wood=wood[k], noise=1.5, seed=k + 1
        ).values()
        planes.append(
            grey(
                values
                if k == 0
                else values.reshape(values.shape[0] // 2, 2, values.shape[1] // 2, 2).mean(
                    axis=(1, 3)
                )
            )
        )
    return Picture(*planes)


def test_coins_of_the_table_s_colour_are_told_from_their_coloured_shadows():
    picture = shaded(
        wood=(150.0, 120.0, 132.0), coin=(172.0, 122.0, 130.0), shadow=(112.0, 132.0, 122.0)
    )
    first, _ = find_coins(picture, FLOOR, SIZES)
    assert first and all(
        min(distance(coin.at_mm, at) for at in PLACES) > 2.5 for coin in first
    )  # the picture does mislead the first search
    found = take_inventory(picture, picture, VIEW, FLOOR, SIZES)
    assert len(found.fits) == len(PLACES) and found.rimless == 0 and found.plain
    assert all(min(distance(fit.at_mm, at) for fit in found.fits) < 1.0 for at in PLACES)
    assert found.mixtures is not None and found.mixtures.measure.y > 0


@pytest.mark.parametrize("coin", [170.0, 40.0], ids=["light", "dark"])
def test_plain_coins_are_found_at_once(coin):
    picture = Scenery(VIEW, tuple((at, coin) for at in PLACES), wood=100.0, noise=2.0).picture()
    found = take_inventory(picture, picture, VIEW, FLOOR, SIZES)
    assert found.plain and len(found.fits) == len(PLACES)


def test_a_bare_table_holds_nothing():
    picture = Scenery(VIEW, noise=3.0).picture()
    assert take_inventory(picture, picture, VIEW, FLOOR, SIZES) == Inventory((), None)


@pytest.mark.parametrize(
    ("supports", "rimless", "plain"),
    [((0.9, 0.8), 0, True), ((0.9, 0.5), 0, False), ((0.9, 0.9, 0.9), 1, False), ((), 0, False)],
)
def test_rims_must_be_seen_and_none_missing(supports, rimless, plain):
    fits = tuple(RimFit((0.0, 0.0), 0.3, support) for support in supports)
    found = Inventory(fits, None, rimless)
    assert found.plain == plain and found.rims == pytest.approx(float(np.sum(supports)) - rimless)
