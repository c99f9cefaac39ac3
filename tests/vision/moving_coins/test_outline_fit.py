"""Coins whose faces are like the table, found by the outline of what differs from it."""

from __future__ import annotations

import pytest

from referee.domain.geometry import Point, distance
from referee.vision.image.disc import spot_at
from referee.vision.moving_coins.disc_finding import OUTLINE_SIGMA
from referee.vision.moving_coins.outline_fit import outline_place
from tests.vision.drawn import RADIUS_MM, SIZES, WOOD, Scenery

AT: Point = (4.0, -3.0)
STATED_MM = OUTLINE_SIGMA * SIZES.coin_mm
#: A face a little lighter than the table, print that is darker, and a shadow on the left of it.
PRINT = ((2.0, -8.0, 6.0, 1.0), WOOD - 50.0)
FAINT = Scenery(
    discs=((AT, WOOD + 12.0),), noise=1.5, blots=(PRINT,), shade=(-12.0, -9.0, -5.6, 3.0), light=0.6
)


def place(now: Scenery, guess: Point = (6.0, -1.0), sweep: Point = (0.0, 0.0)) -> Point | None:
    spot = spot_at(now.view, guess, SIZES.coin_thickness_mm)
    bare = Scenery(noise=1.5, seed=77).picture()
    rect = spot.rect(2.2 * RADIUS_MM)
    return outline_place(now.picture(), bare, rect, now.view, spot, SIZES, [sweep])


@pytest.mark.parametrize("sweep", [(0.0, 0.0), (9.0, 5.0)])
def test_a_coin_like_the_table_is_found_although_its_print_and_shadow_are_plainer(sweep):
    found = place(FAINT.but(sweep_mm=sweep), sweep=sweep)
    assert found is not None and distance(found, AT) < STATED_MM


@pytest.mark.parametrize("light", [0.8, 1.2])
def test_light_that_changed_evenly_is_no_coin_and_hides_none(light):
    everywhere = (-500.0, -500.0, 500.0, 500.0)
    lit = Scenery(noise=1.5, shade=everywhere, light=light)
    assert place(lit) is None
    found = place(lit.but(discs=((AT, WOOD + 15.0),)))
    assert found is not None and distance(found, AT) < STATED_MM


@pytest.mark.parametrize(
    "none_there",
    [
        Scenery(noise=1.5),
        # half a coin's width of something, and what covers more than a coin
        Scenery(noise=1.5, blots=(((0.0, -13.0, 6.0, 7.0), 140.0),)),
        Scenery(noise=1.5, blots=(((-40.0, -6.0, 60.0, 9.0), 140.0),)),
        Scenery(noise=1.5, blots=(((-40.0, -40.0, 60.0, 60.0), 140.0),)),
    ],
)
def test_what_has_no_coins_outline_is_none(none_there):
    assert place(none_there) is None
