"""Noise between frames: how large a difference must be to be real, in every light, and whatever
moves meanwhile.
"""

from itertools import pairwise

import numpy as np
import pytest

from calibration.constants.fitting import COMPRESSION_LEVELS
from referee.vision.image.noise import Noise, most_together, moved_together
from referee.vision.image.picture import Bytes

WHOLE = np.full((360, 640), 255, np.uint8)


def frames(sigma: float | np.ndarray, count: int = 40, seed: int = 3) -> list[Bytes]:
    """Return pictures of a still grey scene with Gaussian noise."""
    rng = np.random.default_rng(seed)
    return [
        np.clip(rng.normal(120.0, sigma, WHOLE.shape), 0, 255).astype(np.uint8)
        for _ in range(count)
    ]


def after(pictures: list[Bytes], mask: Bytes = WHOLE, contrast: float = 200.0) -> Noise:
    noise = Noise(mask)
    for before, now in pairwise(pictures):
        noise.take(now, before, contrast)
    return noise


def beyond(pictures: list[Bytes], step: float) -> int:
    """Return the number of pixels that differ by more than a step between the last two pictures."""
    return int((np.abs(pictures[-1].astype(int) - pictures[-2]) > step).sum())


@pytest.mark.parametrize("sigma", [1.5, 3.0, 6.0])
def test_hardly_a_pixel_of_a_still_scene_differs_by_more_than_the_step(sigma):
    """Two frames differ by sqrt(2) sigma. The step is six and a half times that."""
    pictures = frames(sigma)
    step = after(pictures).step
    assert step == pytest.approx(6.5 * 2**0.5 * sigma, rel=0.1)
    assert beyond(pictures, step) <= 2


def test_where_a_bright_part_is_noisier_its_noise_counts():
    sigma = np.full(WHOLE.shape, 0.8)
    sigma[:, 480:] = 1.6
    pictures = frames(sigma)
    step = after(pictures).step
    assert step == pytest.approx(6.5 * 2**0.5 * 1.6, rel=0.15) and beyond(pictures, step) <= 2


@pytest.mark.parametrize("moves_from", [0, 10])
def test_a_hand_that_moves_over_a_tenth_of_the_picture_all_the_time_is_no_noise(moves_from):
    pictures = frames(1.0)
    rng = np.random.default_rng(4)
    for k in range(moves_from, len(pictures)):
        pictures[k] = pictures[k].copy()
        pictures[k][100:300, 200:330] = rng.integers(0, 255, (200, 130))
    step = after(pictures).step
    assert COMPRESSION_LEVELS < 6.5 * 2**0.5 * 1.0 <= step < 1.9 * 6.5 * 2**0.5 * 1.0


def test_a_clean_picture_keeps_the_least_step_and_only_what_is_watched_counts():
    clean = [np.full(WHOLE.shape, 100, np.uint8)] * 20
    assert after(clean).step == COMPRESSION_LEVELS
    flickers = [picture.copy() for picture in clean]
    for k, picture in enumerate(flickers):
        picture[:, 320:] = 100 + 40 * (k % 2)
    mask = WHOLE.copy()
    mask[:, 320:] = 0
    assert after(flickers, mask).step == COMPRESSION_LEVELS
    assert after(clean, np.zeros_like(WHOLE)).step == COMPRESSION_LEVELS


def test_noise_never_hides_what_coins_stand_out_by():
    assert after(frames(12.0), contrast=40.0).step < 20.0


def test_a_hand_that_sweeps_over_most_of_the_picture_in_one_look_is_forgotten():
    """The first four frames are measured, and then every sixteenth. This is visible in the last of
    these.
    """
    pictures = frames(1.0, count=33)
    pictures[32] = pictures[32].copy()
    pictures[32][:, :400] = np.random.default_rng(4).integers(0, 255, (360, 400))
    assert after(pictures).step == pytest.approx(6.5 * 2**0.5, rel=0.15)


def test_small_copies_are_needed_in_pairs_one_pair_in_sixteen():
    """Noise is measured in frames 16 and 32, from what differs since the frame before each."""
    noise, made = after(frames(2.0, count=5)), []
    for number in range(5, 36):
        if not noise.needs_none():
            noise.take(WHOLE, WHOLE, 200.0)
            made.append(number)
    assert made == [15, 16, 31, 32]


def test_pixels_that_change_side_by_side_are_told_from_single_ones():
    """A rim that moves changes a row of pixels; compression changes one here and one there."""
    scattered = np.zeros((90, 160), np.uint8)
    scattered[::9, ::9] = 255
    rim = np.zeros((90, 160), np.uint8)
    rim[40:43, 159] = 255  # at the border of the picture
    assert [most_together(mask) for mask in (scattered, rim, scattered | rim)] == [1, 3, 3]
    assert most_together(np.zeros((90, 160), np.uint8)) == 0


@pytest.mark.parametrize("share", [0.0, 0.002, 0.01, 0.02])
def test_pixels_that_noise_changes_all_over_are_no_motion_but_a_rim_among_them_is(share):
    """Where noise changes one pixel of fifty, five of nine lie together in 1 frame of 80."""
    rng = np.random.default_rng(1)
    everywhere = np.full((270, 480), 255, np.uint8)
    noisy = 0
    for _ in range(40):
        change = np.zeros_like(everywhere)
        change[:, :120] = np.where(rng.random((270, 120)) < share, 255, 0)
        noisy += moved_together(change, everywhere) > 0
        change[100:102, 60:64] = 255
        assert moved_together(change, everywhere)
    assert noisy <= 2


def test_three_pixels_side_by_side_are_motion_where_nothing_else_changes():
    change = np.zeros((90, 160), np.uint8)
    change[40, 50:53] = 255
    assert moved_together(change, np.full_like(change, 255))
    assert not moved_together(np.zeros_like(change), np.full_like(change, 255))
