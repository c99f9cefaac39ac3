"""How coins' rims look on a table, measured on drawn coins at rest with known walls."""

from __future__ import annotations

import pytest

from referee.vision.coins.rim_appearance import UNKNOWN_RIMS, RimAppearance, RimsSeen, measure_wall
from referee.vision.coins.rim_fit import RimFit
from tests.vision.drawn import COIN, LIGHT, SIZES, WOOD, Scenery, looking


@pytest.mark.parametrize("wall", [60.0, 90.0, 130.0, 160.0])
def test_a_wall_is_as_light_as_it_was_drawn(wall):
    scenery = Scenery(looking(35.0), (((4.0, -3.0), COIN),), noise=2.0, wall=wall)
    share = measure_wall(scenery.picture(), scenery.view, (4.0, -3.0), SIZES, LIGHT, 0.0)
    assert share == pytest.approx((wall - WOOD) / (COIN - WOOD), abs=0.1)


def test_from_straight_above_there_is_no_wall_to_be_seen():
    scenery = Scenery(looking(), (((0.0, 0.0), COIN),), noise=2.0, wall=60.0)
    assert measure_wall(scenery.picture(), scenery.view, (0.0, 0.0), SIZES, LIGHT, 0.0) is None


def test_a_coin_no_lighter_than_the_table_says_nothing_of_its_wall():
    scenery = Scenery(looking(35.0), (((4.0, -3.0), WOOD + 2.0),), noise=1.0, wall=60.0)
    assert measure_wall(scenery.picture(), scenery.view, (4.0, -3.0), SIZES, LIGHT, 0.0) is None


def test_a_coin_partly_outside_the_picture_says_nothing_of_its_wall():
    scenery = Scenery(looking(35.0), (((4.0, -3.0), COIN),), wall=60.0)
    assert measure_wall(scenery.picture(), scenery.view, (-400.0, 0.0), SIZES, LIGHT, 0.0) is None


def test_what_coins_have_in_common_is_the_middle_one():
    scenery = Scenery(looking(35.0), (((4.0, -3.0), COIN),), wall=130.0)
    rims = RimsSeen()
    assert rims.usual == UNKNOWN_RIMS == RimAppearance(0.0, 0.0, None)
    for swell, bevel in ((0.1, -0.4), (0.3, -0.2), (-0.2, -0.9)):
        rims.add(
            scenery.picture(),
            scenery.view,
            RimFit((4.0, -3.0), 0.3, 1.0, swell, bevel),
            SIZES,
            LIGHT,
        )
    assert (rims.usual.swell_mm, rims.usual.bevel_mm) == (0.1, -0.4)
    assert rims.usual.wall_share == pytest.approx((130.0 - WOOD) / (COIN - WOOD), abs=0.3)
