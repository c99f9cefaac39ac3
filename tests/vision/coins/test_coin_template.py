"""Whether a coin that lay still is there, gone, or covered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.domain.frame_observation import Presence
from referee.vision.coins.coin_template import CoinTemplate
from referee.vision.coins.laid_coins import CoinsInView
from referee.vision.image.picture import Picture, Rect

SIZE, RADIUS = 41, 15.0
WOOD, COIN = 90.0, 170.0


def gaps() -> np.ndarray:
    rows, columns = np.mgrid[:SIZE, :SIZE]
    return np.hypot(columns - 20, rows - 20)


def coin(noise_seed: int = 1) -> np.ndarray:
    """Return a coin with a dark symbol on it, on wood."""
    gap = gaps()
    value = np.where(gap <= RADIUS, COIN, WOOD)
    value[16:25, 18:23] = 60.0
    return (value + np.random.default_rng(noise_seed).normal(0, 2, value.shape)).astype(np.float32)


def wood(seed: int = 2) -> np.ndarray:
    return (WOOD + np.random.default_rng(seed).normal(0, 2, (SIZE, SIZE))).astype(np.float32)


def coin_template() -> CoinTemplate:
    gap = gaps()
    face = gap <= 0.88 * RADIUS
    return CoinTemplate(Rect(0, 0, SIZE, SIZE), face, (gap <= 1.3 * RADIUS) & ~face, coin(), wood())


def seen(now: np.ndarray) -> Presence:
    return coin_template().compare(now.astype(np.float32))


@pytest.mark.parametrize("light", [0.7, 0.85, 1.0, 1.05])
def test_a_coin_is_there_in_the_light_and_in_a_hand_s_shadow(light):
    assert seen(light * coin(noise_seed=7)) is Presence.THERE


@pytest.mark.parametrize("light", [0.7, 0.85, 1.0])
def test_a_coin_is_gone_when_the_wood_shows_in_light_or_shadow(light):
    assert seen(light * wood(seed=8)) is Presence.GONE


@pytest.mark.parametrize("skin", [COIN, COIN - 25, 130.0, 210.0, 30.0])
def test_a_hand_over_it_hides_a_coin_even_when_it_is_as_bright(skin):
    hand = skin + np.random.default_rng(4).normal(0, 2, (SIZE, SIZE))
    assert seen(hand) is Presence.COVERED


def test_a_fingertip_over_a_third_of_it_leaves_a_coin_there():
    now = coin(noise_seed=9)
    now[:, :15] = 140.0
    assert seen(now) is Presence.THERE


def test_a_fingertip_over_most_of_it_hides_a_coin():
    now = coin(noise_seed=9)
    now[:, :32] = 140.0
    assert seen(now) is Presence.COVERED


def test_another_coin_half_a_width_beside_is_not_this_one():
    moved = np.full((SIZE, SIZE), WOOD)
    rows, columns = np.mgrid[:SIZE, :SIZE]
    moved[np.hypot(columns - 35, rows - 20) <= RADIUS] = COIN
    assert seen(moved + np.random.default_rng(4).normal(0, 2, moved.shape)) is not Presence.THERE


def test_the_contrast_is_from_face_to_surroundings():
    # The ring around the face is half rim (bright) and mostly wood beyond it, so its median is the
    # wood.
    assert coin_template().contrast == pytest.approx(COIN - WOOD, abs=6)


@pytest.mark.parametrize(("deep", "shallow"), [(0.4, 0.4), (0.35, 0.8), (0.5, 1.0)])
def test_a_coin_is_there_however_dark_a_shadow_and_though_it_is_deeper_at_one_side(deep, shallow):
    light = np.linspace(deep, shallow, SIZE)[None, :]
    assert seen(light * coin(noise_seed=7)) is Presence.THERE
    assert coin_template().plainly_shows((light * coin(noise_seed=7)).astype(np.float32))


def test_wood_in_such_a_shadow_and_a_fingertip_show_no_coin():
    light = np.linspace(0.35, 0.8, SIZE)[None, :]
    fingertip = np.where(gaps() <= 0.8 * RADIUS, 150.0, WOOD)
    for now in (light * wood(seed=8), fingertip):
        assert not coin_template().plainly_shows(now.astype(np.float32))


def test_of_the_coins_beside_a_hand_only_those_that_look_like_themselves_are_in_full_view():
    both = np.hstack((coin(noise_seed=7), wood(seed=8)))
    picture = Picture(np.clip(np.round(both), 0, 255).astype(np.uint8))
    there, gone = coin_template(), coin_template()
    gone = replace(gone, rect=Rect(SIZE, 0, 2 * SIZE, SIZE))
    seen = CoinsInView({"ace": there, "moons": gone}, ("ace", "moons", "unknown"), picture)
    assert frozenset({"ace", "moons"}) - seen == {"moons"}
    assert len(seen) == 1
    assert "ace" in seen


def test_a_coin_in_a_shadow_is_not_gone_because_the_shaded_check_under_it_is_as_light():
    """On a chequered cloth, in the channels in which the coin stands out, the red check under it is
    lighter than the coin. In a hand's shadow the check would be as light as the coin is now.
    """
    gap, rows, columns = gaps(), *np.mgrid[:SIZE, :SIZE]
    cloth = np.where(rows + columns < 30, 60.0, 150.0)
    face = np.where(gap <= RADIUS, 100.0, cloth)
    face[17:24, 17:24] = 60.0
    rim = gap <= 0.88 * RADIUS
    template = CoinTemplate(
        Rect(0, 0, SIZE, SIZE),
        rim,
        (gap <= 1.3 * RADIUS) & ~rim,
        face.astype(np.float32),
        cloth.astype(np.float32),
    )
    shaded = np.where(gap <= RADIUS, 0.95, 0.75) * face
    shaded[17:24, 17:24] = 77.0  # less contrast in the shadow
    assert template.compare(shaded.astype(np.float32)) is not Presence.GONE
    assert template.compare((0.7 * cloth).astype(np.float32)) is Presence.GONE
