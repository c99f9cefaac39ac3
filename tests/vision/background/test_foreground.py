"""What differs from the background, sorted by size into specks, coins and hands."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.vision.background.foreground import Foreground, sort_foreground
from referee.vision.background.parted_coins import BY_LEVEL, BY_WIDTH
from referee.vision.background.regions import regions_of
from referee.vision.image.disc import spot_at
from referee.vision.image.picture import Rect
from tests.vision.drawn import HEIGHT, RADIUS_MM, SIZES, WIDTH, looking

COIN_PX = 44.0  # a coin's usual area in these pictures of 100 by 75 small pixels: a radius of 3.75
SHAPE = (75, 100)
WHOLE = Rect(0, 0, 100, 75)


def blank() -> np.ndarray:
    return np.zeros(SHAPE, np.uint8)


def with_disc(image: np.ndarray, x: float, y: float, radius: float) -> np.ndarray:
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    image[np.hypot(columns - x, rows - y) <= radius] = 255
    return image


def foreground_of(
    differs: np.ndarray,
    lighter: np.ndarray | None = None,
    mask: np.ndarray | None = None,
    shrink: int = 4,
) -> Foreground:
    watched = np.full(SHAPE, 255, np.uint8) if mask is None else mask
    return sort_foreground(
        differs,
        WHOLE,
        watched,
        COIN_PX,
        shrink,
        lambda: np.ones(SHAPE, np.uint8) if lighter is None else lighter,
    )


def test_regions_are_counted_with_their_areas_boxes_and_middles():
    image = blank()
    image[10:14, 20:26] = 255
    image[40:41, 50:53] = 255
    image[41, 53] = 255  # touches at a corner: the same region
    regions, labels = regions_of(image, (100, 200))
    assert sorted((r.area, r.box) for r in regions) == [
        (4, Rect(150, 240, 154, 242)),
        (24, Rect(120, 210, 126, 214)),
    ]
    big = max(regions, key=lambda r: r.area)
    assert big.middle == pytest.approx((122.5, 211.5))
    assert np.array_equal(labels == big.label, (image > 0) & (np.arange(75)[:, None] < 20))


@pytest.mark.parametrize(
    ("radius", "coins", "hand"),
    [
        (0.9, 0, False),
        (2.2, 1, False),
        (3.75, 1, False),
        (7.0, 1, False),
        (10.0, 0, True),
        (20.0, 0, True),
    ],
    ids=["a speck", "half a coin", "a coin", "a long streak's area", "a hand", "a large hand"],
)
def test_size_tells_specks_coins_and_hands(radius, coins, hand):
    foreground = foreground_of(with_disc(blank(), 50, 37, radius))
    assert (len(foreground.coin_like), foreground.has_hand) == (coins, hand)


def heap_of(coins: int) -> tuple[np.ndarray, list[Rect]]:
    """Return what differs where coins in a row were pushed apart, 1.4 coin areas for each, and
    where they lay.
    """
    heap, lay = blank(), []
    for k in range(coins):
        heap[30:38, 10 + 8 * k : 18 + 8 * k] = 255  # a coin is a disc of 7.5 pixels across
        lay.append(Rect(11 + 8 * k, 31, 17 + 8 * k, 37))
    return heap, lay


def sorted_with(differs: np.ndarray, coins: list[Rect], tiles: tuple[Rect, ...] = ()) -> Foreground:
    mask = np.full(SHAPE, 255, np.uint8)
    return sort_foreground(
        differs, WHOLE, mask, COIN_PX, 4, lambda: np.ones(SHAPE, np.uint8), tiles, lambda: coins
    )


def test_a_heap_of_coins_that_was_hit_is_no_hand():
    heap, lay = heap_of(6)
    assert not sorted_with(heap, lay).has_hand
    assert sorted_with(heap, []).has_hand
    assert sorted_with(heap, lay[:1]).has_hand


def test_a_pushed_tile_and_the_place_of_the_coin_that_lay_beside_it_are_no_hand():
    """The tile's surroundings end at column 60. Left of them lies as much as 1.8 coins cover."""
    tile, coin = Rect(60, 20, 95, 55), Rect(48, 34, 58, 42)
    pushed = blank()
    pushed[25:50, 65:90] = 255
    pushed[33:43, 52:66] = 255
    assert not sorted_with(pushed, [coin], (tile,)).has_hand
    assert sorted_with(pushed, [], (tile,)).has_hand  # then nothing explains what reaches out
    arm = pushed.copy()
    arm[33:43, :53] = 255
    assert sorted_with(arm, [coin], (tile,)).has_hand
    larger = pushed.copy()
    larger[33:43, 40:53] = 255
    assert sorted_with(larger, [coin], (tile,)).has_hand


def test_what_reaches_in_from_the_border_over_coins_is_a_hand():
    heap, lay = heap_of(6)
    heap[30:38, :10] = 255
    assert sorted_with(heap, lay).has_hand


def test_what_is_larger_than_its_coins_is_a_hand():
    heap, lay = heap_of(6)
    heap[10:60, 20:60] = 255
    assert sorted_with(heap, lay).has_hand


def test_what_reaches_in_from_the_border_is_a_hand_sooner():
    arm = blank()
    arm[0:12, 40:52] = 255  # three coins' area
    assert foreground_of(arm).has_hand
    inside = blank()
    inside[30:42, 40:52] = 255
    assert not foreground_of(inside).has_hand


def test_the_border_is_that_of_what_is_watched():
    mask = np.full(SHAPE, 255, np.uint8)
    mask[:, 70:] = 0
    arm = blank()
    arm[30:42, 58:70] = 255
    assert foreground_of(arm, mask=mask).has_hand
    assert not foreground_of(arm).has_hand


def test_where_the_hand_is_and_where_not():
    foreground = foreground_of(with_disc(with_disc(blank(), 30, 40, 14), 80, 20, 3.75))
    assert foreground.hand_in(Rect(40, 36, 48, 44)) and not foreground.hand_in(Rect(76, 16, 84, 24))
    assert foreground.fully_covered(Rect(26, 36, 34, 44)) and not foreground.fully_covered(
        Rect(40, 36, 50, 46)
    )
    assert not foreground.fully_covered(Rect(76, 16, 84, 24))
    assert not foreground.hand_in(Rect(200, 200, 210, 210))


def test_the_share_that_differs_is_that_of_the_ellipse():
    rect = Rect(46, 33, 55, 42)
    assert foreground_of(with_disc(blank(), 50, 37, 4.4)).share_in(rect) == pytest.approx(
        1.0, abs=0.15
    )
    half = with_disc(blank(), 50, 37, 4.4)
    half[:, 51:] = 0
    assert foreground_of(half).share_in(rect) == pytest.approx(0.5, abs=0.12)
    assert foreground_of(blank()).share_in(rect) == 0.0


def test_what_no_known_disc_explains_has_its_middle_in_full_pixels():
    # Two coins are in one region. The left one is known, so the right one is what is left.
    image = with_disc(with_disc(blank(), 40, 37, 3.75), 47, 37, 3.75)
    foreground = foreground_of(image)
    (region,) = foreground.coin_like
    assert foreground.unexplained_middle(region, [], 20) == pytest.approx(
        (4 * 43.5 + 1.5, 4 * 37 + 1.5), abs=0.5
    )
    left_over = foreground.unexplained_middle(region, [Rect(36, 33, 44, 42)], 20)
    assert left_over is not None and left_over == pytest.approx(
        (4 * 47.5 + 1.5, 4 * 37 + 1.5), abs=2.5
    )
    assert foreground.unexplained_middle(region, [Rect(30, 30, 60, 50)], 20) is None


def test_the_shadow_beside_a_coin_does_not_move_its_middle():
    image = with_disc(blank(), 40, 37, 3.75)
    lighter = image > 0
    image[34:41, 44:50] = 255
    foreground = foreground_of(image, lighter=lighter)
    (region,) = foreground.coin_like
    assert foreground.unexplained_middle(region, [], 20) == pytest.approx(
        (4 * 40 + 1.5, 4 * 37 + 1.5), abs=0.1
    )


@given(st.floats(15, 40), st.floats(0, math.pi), st.sampled_from([0.0, 30.0]))
@settings(max_examples=15, deadline=None)
def test_a_streak_s_length_and_way_are_read_off_its_pixels(length, angle, tilt):
    # A pixel is covered during the share of the exposure in which the disc is over it: the chord of
    # the disc through it, cut to the sweep.
    spot = spot_at(looking(tilt), (0.0, 0.0), SIZES.coin_thickness_mm)
    way = (math.cos(angle), math.sin(angle))
    rows, columns = np.mgrid[:HEIGHT:2, :WIDTH:2]
    mm = (
        np.stack((columns + 0.5 - spot.at_px[0], rows + 0.5 - spot.at_px[1]), axis=-1)
        @ spot.mm_per_px.T
    )
    along, across = mm @ np.array(way), mm @ np.array((-way[1], way[0]))
    half_chord = np.sqrt(np.maximum(RADIUS_MM**2 - across**2, 0))
    covered = (
        np.minimum(along + half_chord, length / 2) - np.maximum(along - half_chord, -length / 2)
    ).clip(0) / length
    differs = np.where(covered > 0.1, 255, 0).astype(np.uint8)
    foreground = sort_foreground(
        differs,
        Rect(0, 0, WIDTH // 2, HEIGHT // 2),
        np.full(differs.shape, 255, np.uint8),
        177.0,
        2,
        lambda: (covered > 0.18).astype(np.uint8),
    )
    (region,) = foreground.coin_like
    sweep = foreground.sweep_of(region, spot, RADIUS_MM)
    assert math.hypot(*sweep) == pytest.approx(length, abs=0.6 * RADIUS_MM)
    assert abs(sweep[0] * way[1] - sweep[1] * way[0]) < 0.1 * length


def test_a_disc_is_no_streak():
    spot = spot_at(looking(0.0), (0.0, 0.0), SIZES.coin_thickness_mm)
    foreground = foreground_of(with_disc(blank(), 49.9, 37.4, 3.75))
    (region,) = foreground.coin_like
    assert math.hypot(*foreground.sweep_of(region, spot, RADIUS_MM)) < 0.45 * RADIUS_MM


@pytest.mark.parametrize(("radii", "holds"), [(1.0, True), (4.0, False)])
def test_a_region_as_large_as_a_disc_holds_no_long_streak(radii, holds):
    """A coin that moves by four radii sweeps 1 + 8 / pi = 3.5 times its own area."""
    spot = spot_at(looking(0.0), (0.0, 0.0), SIZES.coin_thickness_mm)
    foreground = foreground_of(with_disc(blank(), 49.9, 37.4, 3.75))
    (region,) = foreground.coin_like
    assert foreground.holds_streak(region, spot, RADIUS_MM, radii * RADIUS_MM) == holds


@pytest.mark.parametrize(("across_px", "is_streak"), [(1, False), (5, True)])
def test_a_region_much_thinner_than_a_coin_is_no_streak_of_it(across_px, is_streak):
    """The edge of a hand, 26 pixels (70 mm) long. A coin of 7.5 pixels that moves so far that its
    streak is as long sweeps 236 pixels or a little more; the region has 26 or 130 of them.
    """
    spot = spot_at(looking(0.0), (0.0, 0.0), SIZES.coin_thickness_mm)
    edge = blank()
    edge[40 : 40 + across_px, 30:56] = 255
    foreground = foreground_of(edge)
    (region,) = foreground.coin_like
    assert (foreground.sweep_of(region, spot, RADIUS_MM) != (0.0, 0.0)) == is_streak


def test_what_is_light_as_a_coin_in_a_hand_s_region_and_as_large_is_a_region_of_its_own():
    hand = blank()
    hand[20:60, 10:80] = 255  # the hand and its shadow, in which a coin lies
    lighter = with_disc(blank(), 70, 40, 3.75)
    lighter[25:55, 12:40] = 255  # the palm is light too, but larger than a coin
    foreground = foreground_of(hand, lighter=lighter)
    (region,) = foreground.coin_like
    assert (
        region.apart
        and region.middle == pytest.approx((70, 40), abs=0.1)
        and region.area == np.count_nonzero(with_disc(blank(), 70, 40, 3.75))
    )
    assert foreground.hand_in(Rect(20, 30, 30, 40))
    middle = foreground.unexplained_middle(region, [], 20)
    assert middle == pytest.approx((4 * 70 + 1.5, 4 * 40 + 1.5), abs=0.1)


def test_a_coin_that_stands_alone_by_the_width_of_the_change_is_a_region_of_its_own():
    """Two coins 10 px apart in a hand's region. As light as coins are is also a strip as wide
    as a coin from one to the other and on into the palm: by their level alone, or by both, they are
    one with that.
    """
    hand, wide, level = blank(), blank(), blank()
    hand[20:60, 10:90] = 255
    for x in (70, 80):
        wide, level = with_disc(wide, x, 40, 3.75), with_disc(level, x, 40, 3.75)
    level[37:44, 30:80] = 255
    level[25:55, 12:40] = 255
    lighter = (level & BY_LEVEL) | (wide & BY_WIDTH)
    middles = [r.middle for r in foreground_of(hand, lighter=lighter).coin_like]
    assert sorted(middles) == [(70.0, 40.0), (80.0, 40.0)]
    assert not foreground_of(hand, lighter=level & BY_LEVEL).coin_like


def test_the_light_edge_of_a_hand_is_no_coin():
    hand, edge = blank(), blank()
    hand[20:60, 10:80] = 255
    for k in range(22):
        edge[24 + k, 30 + k : 33 + k] = 255  # as many pixels as a coin, in a thin diagonal line
    assert foreground_of(hand, lighter=edge).coin_like == ()


def test_light_cheques_in_a_hand_s_shadow_are_no_coins() -> None:
    """They touch at their corners, and are as wide as a coin."""
    rows, columns = np.mgrid[: SHAPE[0], : SHAPE[1]]
    cheques = np.where((rows // 8 + columns // 8) % 2, 255, 0).astype(np.uint8)
    hand = with_disc(blank(), 50, 37, 34)
    assert foreground_of(hand, lighter=cheques).coin_like == ()
