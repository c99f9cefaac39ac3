"""A moving coin is found by its own picture, whatever its face and its side wall look like."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.domain.geometry import Point, distance
from referee.vision.coins.coin_template import RADII, CoinTemplate
from referee.vision.image.disc import spot_at
from referee.vision.image.picture import Floats, Rect
from referee.vision.moving_coins.template_match import best_match
from tests.vision.drawn import HEIGHT, RADIUS_MM, SIZES, WIDTH, WOOD, Scenery, looking

HOME, THERE = (-40.0, 20.0), (23.4, -11.3)
VIEW = looking(25.0)
STILL = (0.0, 0.0)


def on_wood(pixels: Floats) -> Floats:
    """Return the bare table where these pixels are."""
    return np.full_like(pixels, WOOD)


def drawn(
    at: Point, face: float, wall: float | None, sweep: Point = (0.0, 0.0), seed: int = 1
) -> Floats:
    scenery = Scenery(VIEW, ((at, face),), sweep_mm=sweep, wall=wall, noise=1.5, seed=seed)
    return scenery.values().astype(np.float32)


def template(face: float, wall: float | None) -> CoinTemplate:
    spot = spot_at(VIEW, HOME, SIZES.coin_thickness_mm)
    rect = spot.rect(RADII * RADIUS_MM)
    mask = np.ones((rect.bottom - rect.top, rect.right - rect.left), np.bool_)
    coin, bare = drawn(HOME, face, wall), Scenery(VIEW).values().astype(np.float32)
    pixels = (rect, mask, ~mask, rect.of(coin), rect.of(bare))
    return CoinTemplate(*pixels, lifted=True, spot=spot, radius_mm=RADIUS_MM)


@pytest.mark.parametrize(
    ("face", "wall"),
    [(170.0, 120.0), (30.0, 30.0), (WOOD + 6.0, WOOD - 25.0), (30.0, 170.0)],
    ids=["light", "black", "pale with a dark wall", "black with a light wall"],
)
def test_a_coin_is_found_where_its_picture_explains_the_pixels(face, wall):
    assert_found(face, wall, (0.0, 0.0))


@pytest.mark.parametrize("face", [170.0, 30.0])
def test_a_coin_s_picture_is_blurred_along_its_way(face):
    # Without a wall: the drawn scenery blends a swept wall and a swept face one after the other,
    # where a shutter averages both together.
    assert_found(face, None, (14.0, 6.0))


def assert_found(face: float, wall: float | None, sweep: Point) -> None:
    spot = spot_at(VIEW, (THERE[0] + 6.0, THERE[1] - 5.0), SIZES.coin_thickness_mm)
    rect = spot.rect(45.0)
    more = rect.of(drawn(THERE, face, wall, sweep, seed=3)) - np.float32(WOOD)
    fit = best_match(more, on_wood(more), rect, VIEW, spot, SIZES, template(face, wall), sweep)
    assert fit is not None and distance(fit.at_mm, THERE) < 1.0
    assert fit.contrast == pytest.approx(1.0, abs=0.2)


def chequered(at: Point | None = None, seed: int = 1) -> Floats:
    """Draw a table of squares of 15 px, light and dark, with a coin of a level between theirs."""
    rows, columns = np.indices((HEIGHT, WIDTH))
    cloth = np.where((rows // 15 + columns // 15) % 2, 60.0, 150.0)
    noise = np.random.default_rng(seed).normal(0.0, 1.5, cloth.shape)
    if at is None:
        return (cloth + noise).astype(np.float32)
    own, hidden = (
        Scenery(VIEW, ((at, face),), wood=0.0, wall=wall).values()
        for face, wall in ((115.0, 80.0), (1.0, 1.0))
    )
    return (own + (1 - hidden) * cloth + noise).astype(np.float32)


@pytest.mark.parametrize("there", [THERE, (31.0, -4.0), (11.0, 17.0)])
def test_a_coin_hides_the_squares_under_it_wherever_it_slides(there):
    bare, coin = chequered(seed=2), template(115.0, 80.0)
    own, home = coin.rect.of(chequered(HOME)), coin.rect.of(chequered())
    coin = replace(coin, coin=own, bare=home)
    spot = spot_at(VIEW, (there[0] + 6.0, there[1] - 5.0), SIZES.coin_thickness_mm)
    rect = spot.rect(30.0)
    table = rect.of(bare)
    more = rect.of(chequered(there, seed=3)) - table
    fit = best_match(more, table, rect, VIEW, spot, SIZES, coin, (0.0, 0.0))
    assert fit is not None and distance(fit.at_mm, there) < 1.0
    assert fit.support > 0.8


def test_bare_table_and_another_coin_are_explained_by_nothing():
    spot, rect = spot_at(VIEW, THERE, SIZES.coin_thickness_mm), Rect(150, 80, 330, 240)
    dark = template(30.0, 30.0)
    bare = rect.of(Scenery(VIEW, noise=2.0).values().astype(np.float32)) - np.float32(WOOD)
    assert best_match(bare, on_wood(bare), rect, VIEW, spot, SIZES, dark, STILL) is None
    light = rect.of(drawn(THERE, 170.0, 120.0)) - np.float32(WOOD)
    assert best_match(light, on_wood(light), rect, VIEW, spot, SIZES, dark, STILL) is None


def test_a_coin_is_found_although_it_slid_more_slowly_than_assumed():
    spot, rect = spot_at(VIEW, THERE, SIZES.coin_thickness_mm), Rect(150, 80, 330, 240)
    more = rect.of(drawn(THERE, 170.0, None, (7.0, 3.0))) - np.float32(WOOD)
    fit = best_match(
        more, on_wood(more), rect, VIEW, spot, SIZES, template(170.0, None), (17.5, 7.5)
    )
    assert fit is not None and distance(fit.at_mm, THERE) < 1.0


def with_half_of_the_face(values: Floats, at: Point, side: int) -> Floats:
    """Paint the half of a coin's face that lies to one side of its centre dark."""
    x, y = spot_at(VIEW, at, SIZES.coin_thickness_mm).at_px
    rows, columns = np.indices(values.shape)
    near = np.hypot(columns - x, rows - y) < 5
    return np.where(near & (side * (columns - x) > 0), 30, values).astype(np.float32)


def test_a_coin_that_has_turned_is_found_by_its_smeared_print():
    coin = template(170.0, 120.0)
    whole = drawn(HOME, 170.0, 120.0)
    coin = replace(coin, coin=coin.rect.of(with_half_of_the_face(whole, HOME, -1)))
    turned = with_half_of_the_face(drawn(THERE, 170.0, 120.0), THERE, 1)
    spot, rect = spot_at(VIEW, THERE, SIZES.coin_thickness_mm), Rect(150, 80, 330, 240)
    more = rect.of(turned) - np.float32(WOOD)
    evened = best_match(more, on_wood(more), rect, VIEW, spot, SIZES, coin.evened, STILL)
    fit = best_match(more, on_wood(more), rect, VIEW, spot, SIZES, coin, (0.0, 0.0))
    assert fit is not None and distance(fit.at_mm, THERE) < 1.5
    assert evened is not None and fit.fall == evened.fall


def test_a_coin_s_power_is_the_square_of_its_face_over_the_table_thinned_along_its_way():
    """On a table of two levels, 5 below and 5 above the middle, a face 12 above the middle differs
    by 17 and by 7: their squares are 289 and 49, on average 169 = 12^2 + 5^2.
    """
    coin = template(170.0, None)
    coin = replace(coin, coin=np.full_like(coin.bare, 112.0))
    striped = np.where(np.indices((10, 10)).sum(axis=0) % 2, 95.0, 105.0).astype(np.float32)
    pixels = np.count_nonzero(coin.face)
    assert coin.power_over(striped) == pytest.approx(169.0 * pixels)
    assert coin.power_over(striped, swept=1.0) == pytest.approx(84.5 * pixels)
