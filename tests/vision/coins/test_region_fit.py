"""A coin's place is measured from the regions of table, face and wall."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.domain.geometry import Point, distance
from referee.vision.coins.region_fit import placed_by_regions, region_place
from referee.vision.coins.rim_fit import RimFit
from referee.vision.image.picture import Picture
from tests.vision.drawn import SIZES, WOOD, Scenery, looking

AT = (18.3, -9.6)
VIEW = looking(35.0)


def pictured(face: float, wall: float, at: Point = AT) -> Picture:
    scenery = Scenery(VIEW, ((at, face),), wall=wall, noise=1.5)
    return Picture(np.clip(np.rint(scenery.values()), 0, 255).astype(np.uint8))


@pytest.mark.parametrize(
    ("face", "wall"),
    [(180.0, 120.0), (WOOD + 2.0, WOOD - 45.0), (30.0, 30.0)],
    ids=["light", "of the table's colour with a dark wall", "black"],
)
def test_the_centre_is_found_from_two_millimetres_away(face, wall):
    found = region_place(pictured(face, wall), VIEW, (AT[0] + 1.2, AT[1] - 1.5), SIZES)
    assert found is not None and distance(found, AT) < 0.4


@pytest.mark.parametrize(("support", "by_face"), [(1.0, False), (1.0, True), (0.55, False)])
@pytest.mark.parametrize(("sigma_mm", "share"), [(0.25, 0.2), (0.5, 0.5), (1.5, 0.9)])
def test_rim_and_regions_count_by_their_errors(support, by_face, sigma_mm, share):
    """The regions' own error is 0.5 mm along each axis, so that a rim as sure as that gives half of
    the place, however plain it is.
    """
    picture = pictured(WOOD + 12.0, WOOD - 45.0)
    aside = (AT[0], AT[1] - 2.0)
    regions = region_place(picture, VIEW, aside, SIZES)
    assert regions is not None and distance(regions, AT) < 0.4
    placed = placed_by_regions(
        RimFit(aside, sigma_mm, support, by_face=by_face), picture, VIEW, SIZES
    )
    x, y = (rim + share * (own - rim) for rim, own in zip(aside, regions, strict=True))
    assert placed.at_mm == pytest.approx((x, y), abs=0.01)
    apart_mm = distance(aside, regions)
    assert placed.sigma_mm == pytest.approx(math.hypot(math.sqrt(share) * 0.5, 0.27 * apart_mm))


def test_a_rim_where_the_regions_are_is_surer_than_each_of_the_two():
    picture = pictured(180.0, 120.0)
    regions = region_place(picture, VIEW, AT, SIZES)
    assert regions is not None
    placed = placed_by_regions(RimFit(regions, 0.5, 1.0), picture, VIEW, SIZES)
    assert placed.sigma_mm == pytest.approx(0.5 / math.sqrt(2.0), abs=0.02)


@pytest.mark.parametrize(("support", "stays"), [(1.0, True), (0.55, False)])
def test_only_a_plain_rim_stays_where_the_regions_are_far_away(support, stays):
    picture = pictured(WOOD + 2.0, WOOD - 45.0)
    far = RimFit((AT[0], AT[1] - 5.5), 0.4, support)
    placed = placed_by_regions(far, picture, VIEW, SIZES, guess_mm=AT)
    assert (placed == far) == stays


def test_a_place_by_regions_alone_stays():
    alone = RimFit((AT[0] + 1.0, AT[1]), 0.5, 0.5, by_regions=True)
    assert placed_by_regions(alone, pictured(WOOD + 12.0, WOOD - 45.0), VIEW, SIZES) == alone


def test_the_farther_the_rim_lies_from_the_regions_the_larger_is_the_stated_error():
    picture = pictured(WOOD + 12.0, WOOD - 45.0)
    near, apart, far = (
        placed_by_regions(RimFit((AT[0], AT[1] - off), 0.3, 0.55), picture, VIEW, SIZES)
        for off in (0.3, 2.0, 3.5)
    )
    assert near.sigma_mm < apart.sigma_mm < far.sigma_mm < 3.5


@pytest.mark.parametrize("wrong_mm", [(0.0, -6.0), (3.0, -5.0), (-4.0, -5.0), (5.0, 5.0)])
def test_regions_are_sought_from_the_guess_too_if_the_rim_found_is_a_wrong_one(wrong_mm):
    """From a shadow's edge, as far from the coin, the regions would not be found."""
    wrong = RimFit((AT[0] + wrong_mm[0], AT[1] + wrong_mm[1]), 0.4, support=0.55)
    guess_mm = (AT[0] + 1.0, AT[1] - 1.0)
    picture = pictured(WOOD + 2.0, WOOD - 45.0)
    placed = placed_by_regions(wrong, picture, VIEW, SIZES, guess_mm=guess_mm)
    assert distance(placed.at_mm, AT) < 0.4


@pytest.mark.parametrize(("guess_mm", "right"), [(AT, True), (None, False)])
def test_of_two_centres_far_apart_the_one_closer_to_the_guess_is_right(guess_mm, right):
    rim = RimFit((AT[0] - 2.5, AT[1] - 4.0), 0.4, support=0.55)
    placed = placed_by_regions(rim, pictured(180.0, 120.0), VIEW, SIZES, guess_mm=guess_mm)
    assert (distance(placed.at_mm, AT) < 0.6) == right
    assert (placed.at_mm == rim.at_mm) == (not right)
    assert placed.sigma_mm > 1.0


def test_a_rim_at_the_edge_of_the_picture_keeps_its_place():
    at_edge = VIEW.to_table(np.array([[2.0, 100.0]]), SIZES.coin_thickness_mm)[0]
    poor = RimFit((float(at_edge[0]), float(at_edge[1])), 0.3, support=0.55)
    assert placed_by_regions(poor, pictured(180.0, 120.0), VIEW, SIZES) == poor
