"""The light: what multiplies the picture is taken out, and what covers the table stays.

The scene is made by hand: a table with texture, tiles with lines, and factors that are known.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.vision.alignment.light import Light
from referee.vision.alignment.lit_picture import RelitPicture
from referee.vision.image.picture import ChannelMix, Picture, Rect

WIDTH, HEIGHT, SHRINK = 640, 480, 2
COIN_PX = 16  # in the frame; a block is as wide
MASK = np.full((HEIGHT // SHRINK, WIDTH // SHRINK), 255, np.uint8)
X, Y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
LUMA, WHOLE = ChannelMix(), Rect(0, 0, WIDTH, HEIGHT)
OFF = 3.0  # grey levels; a correction that is right is off by less, rounding and blocks included

Array = NDArray[np.float64]


def plain() -> Array:
    """Return a table of one brightness, 120, with tiles 40 pixels wide and dark lines on them."""
    table = np.full((HEIGHT, WIDTH), 120.0)
    for left in range(60, WIDTH - 60, 120):
        for top in (80, 240, 400):
            table[top : top + 40, left : left + 40] = 190.0
            table[top + 18 : top + 22, left : left + 40] = 90.0
    return table


def wood(seed: int = 1) -> Array:
    """Return the same with grain, some eight grey levels strong."""
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, (HEIGHT, WIDTH)), (0, 0), 3)
    return np.asarray(plain() + 8 * grain / grain.std())


def grey(values: Array) -> Picture:
    return Picture(np.clip(np.rint(values), 0, 255).astype(np.uint8))


def lit(now: Picture, was: Picture) -> RelitPicture:
    light = Light(MASK, COIN_PX / SHRINK, SHRINK, full_range=True)
    return light.lit(now, was, was.small(LUMA, SHRINK))


def off(picture: Picture, was: Picture) -> Array:
    """Return how far the small copies differ."""
    small = (p.small(LUMA, SHRINK).astype(float) for p in (picture, was))
    return np.abs(np.subtract(*small))


def shadow(depth: float, middle: float = 320.0) -> Array:
    """Return the factor of a slanted shadow 200 pixels wide with edges of some 60 pixels."""
    across = X - middle + 0.3 * (Y - HEIGHT / 2)
    return np.asarray(1 - depth * (np.tanh((across + 100) / 30) - np.tanh((across - 100) / 30)) / 2)


SUN = 1 + 0.3 * np.exp(-((X - 200.0) ** 2 + (Y - 150.0) ** 2) / (2 * 70.0**2))
BANDS = 1 + 0.06 * np.sin(2 * np.pi * Y / 300.0 + 1)


@pytest.mark.parametrize("table", [wood, plain])
@pytest.mark.parametrize(
    "factor",
    [0.8 + 0 * SUN, 1.15 + 0 * SUN, shadow(0.25), shadow(0.1), SUN, BANDS, BANDS * shadow(0.25)],
    ids=["darker", "lighter", "shadow", "faint shadow", "sun", "bands", "shadow and bands"],
)
def test_a_smooth_factor_is_taken_out(table, factor):
    was = grey(table())
    now = grey(table() * factor)
    assert off(now, was).max() > 2 * OFF
    seen = lit(now, was)
    assert off(seen, was).max() < 2 * OFF and off(seen, was).mean() < OFF / 4
    values = seen.mixed(WHOLE, LUMA)
    assert np.abs(values - was.luma).max() < 3 * OFF
    assert np.abs(values - seen.luma).max() <= 0.51  # rounded to whole grey levels


def test_without_a_change_of_light_the_pixels_are_the_same():
    was = grey(wood())
    assert np.array_equal(lit(was, was).luma, was.luma)
    assert np.array_equal(lit(was, was).small(LUMA, SHRINK), was.small(LUMA, SHRINK))


@pytest.mark.parametrize("table", [wood, plain])
@pytest.mark.parametrize("brightness", [70.0, 165.0])
@pytest.mark.parametrize(
    "factor", [1.0, 0.8, shadow(0.25, 500.0)], ids=["same", "darker", "shadow"]
)
def test_a_hand_stays_and_what_it_leaves_free_is_as_before(table, brightness, factor):
    # the hand is smooth, as wide as eight coins, and reaches into the table from the left
    hand = (X < 300) & (np.abs(Y - 200) < 64 - 0.1 * X)
    scene = np.where(hand, brightness + 0.05 * (Y - 200), table())
    was, seen = grey(table()), lit(grey(scene * factor), grey(table()))
    inside = cv2.erode(hand.astype(np.uint8), np.ones((9, 9), np.uint8))[::SHRINK, ::SHRINK] > 0
    around = cv2.dilate(hand.astype(np.uint8), np.ones((9, 9), np.uint8))[::SHRINK, ::SHRINK] > 0
    tileless = np.abs(plain()[::SHRINK, ::SHRINK] - 120) < 1
    assert np.percentile(off(seen, was)[inside & tileless], 2) > 0.5 * abs(brightness - 120)
    assert np.percentile(off(seen, was)[~around], 98) < OFF


@pytest.mark.parametrize("stands_out", [12.0, -12.0, 60.0])
@pytest.mark.parametrize("factor", [0.8, shadow(0.25)], ids=["darker", "shadow"])
@pytest.mark.parametrize("length_px", [0, 40], ids=["at rest", "a streak"])
def test_a_coin_stands_out_as_before(stands_out, factor, length_px):
    # on a plain table, even where it stands out by no more than a tenth of the light
    near = np.hypot(np.maximum(np.abs(X - 300.0) - length_px / 2, 0), Y - 200.0) < COIN_PX / 2
    was = grey(plain())
    seen = lit(grey(np.where(near, 120 + stands_out, plain()) * factor), was)
    more = seen.small(LUMA, SHRINK).astype(float) - was.small(LUMA, SHRINK)
    inside = cv2.erode(near.astype(np.uint8), np.ones((5, 5), np.uint8))[::SHRINK, ::SHRINK] > 0
    assert more[inside].mean() == pytest.approx(stands_out, abs=OFF)


def test_black_of_limited_range_is_no_light():
    # 16 + 0.8 * (40 - 16) = 35.2, and back
    table = wood()
    table[220:260, 300:340] = 40.0
    was = grey(table)
    light = Light(MASK, COIN_PX / SHRINK, SHRINK, full_range=False)
    seen = light.lit(grey(16 + 0.8 * (table - 16)), was, was.small(LUMA, SHRINK))
    assert seen.luma[225:255, 305:335].astype(float) == pytest.approx(40.0, abs=OFF)


@pytest.mark.parametrize("mix", [LUMA, ChannelMix(y=-1.0)])
def test_black_is_no_light_either_where_coins_are_darker_than_the_table(mix):
    # Without colour, the small copy is the luminance for both: 16 + (0.8 * (120 - 16)) / 0.8 = 120.
    table = wood()
    was, light = grey(table), Light(MASK, COIN_PX / SHRINK, SHRINK, full_range=False)
    seen = light.lit(grey(16 + 0.8 * (table - 16)), was, was.small(mix, SHRINK))
    more = seen.small(mix, SHRINK).astype(float) - was.small(mix, SHRINK)
    assert np.abs(more).max() < OFF


def looks() -> Light:
    return Light(MASK, COIN_PX / SHRINK, SHRINK, full_range=True)


def test_frames_that_look_the_same_need_no_measuring_but_one_in_eight():
    light, table = looks(), grey(wood()).luma
    held = [light.unchanged(table, 4.0) for _ in range(17)]
    assert held == [False, *[True] * 7, False, *[True] * 7, False]


def test_a_coin_that_comes_is_not_the_same_nor_is_light_that_drifts_by_more_than_the_step():
    light, coin = looks(), np.hypot(X - 300.0, Y - 200.0) < COIN_PX / 2
    table = np.rint(wood())
    assert not light.unchanged(grey(table).luma, 4.0)
    assert not light.unchanged(grey(table + 12 * coin).luma, 4.0)
    drifting = [light.unchanged(grey(table + 12 * coin + k).luma, 4.0) for k in range(1, 6)]
    assert drifting == [True, True, True, True, False]  # by 5 levels since it was examined


def test_in_a_noisy_picture_noise_is_the_same_and_bands_of_flickering_light_are_not():
    # 20 grey levels are no more than its noise. The bands change single pixels by less, but rows.
    table, light = np.rint(wood()), looks()
    noise = np.random.default_rng(3).normal(0.0, 8.0, table.shape)
    assert not light.unchanged(grey(table).luma, 20.0)
    assert light.unchanged(grey(table + noise).luma, 20.0)
    assert not light.unchanged(grey(table + 8.0 * np.sin(Y / 60.0)).luma, 20.0)


@pytest.mark.parametrize("same", [True, False])
def test_what_looks_the_same_is_shown_in_the_light_of_the_frame_before(same):
    # Half of the light goes while the frame is said to look as before: then nobody looks.
    light, was = looks(), grey(plain())
    small = was.small(LUMA, SHRINK)
    light.lit(grey(0.9 * plain()), was, small)
    seen = light.lit(grey(0.45 * plain()), was, small, same=same)
    assert np.median(seen.luma / was.luma) == pytest.approx(0.5 if same else 1.0, abs=0.03)


def test_a_white_balance_that_drifts_is_taken_out_of_the_colours():
    # blue up and red down by a tenth of the luminance's share: u = 128 + 0.5 * 0.1 * luma
    half = wood()[::2, ::2]
    colours = (128 - 0.1 * half, 128 + 0.08 * half)
    was = Picture(grey(wood()).luma, *(np.rint(c).astype(np.uint8) for c in colours))
    drifted = (colours[0] + 0.05 * half, colours[1] - 0.05 * half)
    darker = (np.rint(128 + 0.9 * (c - 128)).astype(np.uint8) for c in drifted)
    seen = lit(Picture(grey(0.9 * wood()).luma, *darker), was)
    for mix in (ChannelMix(0.0, 1.0, 0.0), ChannelMix(0.0, 0.0, 1.0)):
        assert np.percentile(np.abs(seen.mixed(WHOLE, mix) - was.mixed(WHOLE, mix)), 99) < OFF
    # also in mixes of hardly any luminance, and of its opposite
    for y in (1.0, 0.3, -0.1):
        mix = ChannelMix(y, -0.5, 0.7)
        small = seen.small(mix, SHRINK).astype(float) - was.small(mix, SHRINK)
        assert np.abs(small).max() < 2 * OFF and abs(small.mean()) < OFF / 4
    assert seen.u is not None and np.abs(seen.u.astype(float) - colours[0]).mean() < OFF / 2
    rect = Rect(100, 100, 130, 120)
    assert seen.hue(rect) == pytest.approx(was.hue(rect), abs=0.006)


def test_a_part_is_shown_as_the_whole_picture_shows_it():
    # an odd rectangle, so that the colour planes' part is rounded outward
    half = wood()[::2, ::2]
    colours = [np.rint(128 + 0.1 * half).astype(np.uint8), np.rint(128 - 0.1 * half)]
    was = Picture(grey(wood()).luma, colours[0], colours[1].astype(np.uint8))
    seen = lit(Picture(grey(wood() * shadow(0.25)).luma, was.u, was.v), was)
    luma, u, v = seen.planes(Rect(301, 101, 340, 142))
    assert seen.u is not None and seen.v is not None
    assert np.abs(luma.astype(int) - seen.luma[101:142, 301:340]).max() <= 1
    assert np.abs(u.astype(int) - seen.u[50:71, 150:170]).max() <= 1
    assert np.abs(v.astype(int) - seen.v[50:71, 150:170]).max() <= 1
    values = seen.channels(Rect(301, 101, 340, 142))
    assert np.abs(values[:, :, 0] - luma).max() <= 0.51  # rounded to whole grey levels


def test_a_table_without_any_texture_is_known_by_its_size():
    """A hand covers a third of it; the exposure falls by 12 % on the rest."""
    bare = np.full((HEIGHT, WIDTH), 150.0)
    was, now = grey(bare), 0.88 * bare
    hand = (X < 260) & (Y > 60) & (Y < 440)
    now[hand] = 205.0
    seen = lit(grey(now), was)
    far = np.ones((HEIGHT, WIDTH), bool)
    far[20:480, :300] = False
    small_far = far[::SHRINK, ::SHRINK]
    assert off(seen, was)[small_far].max() < OFF
    assert off(seen, was)[60:200, 10:110].min() > 10 * OFF  # the hand stays
