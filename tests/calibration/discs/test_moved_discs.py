"""Discs are found by their having moved, on a cloth that hides them."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.discs.disc_search import find_discs, with_moved
from calibration.discs.moved_discs import moved_discs

HEIGHT, WIDTH, RADIUS = 240, 320, 18
CHECKS = np.where((np.add.outer(np.arange(HEIGHT) // 20, np.arange(WIDTH) // 20) % 2) > 0, 90, 160)


def cloth(*discs, seed):
    """Return a chequered cloth with grey discs between its two colours in level."""
    picture = np.repeat(CHECKS[..., None], 3, axis=2).astype(np.float32)
    for x, y in discs:
        cv2.circle(picture, (x, y), RADIUS, (135, 128, 120), cv2.FILLED, cv2.LINE_AA)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def test_a_disc_that_moved_is_found_where_it_lay_and_not_where_it_lies():
    first = cloth((90, 120), (250, 60), seed=1)
    (disc,) = moved_discs(first, [cloth((200, 150), (250, 60), seed=k) for k in (2, 3, 4)])
    assert math.dist(disc.middle_px, (90, 120)) < 1.0
    assert disc.width_px == pytest.approx((2 * RADIUS, 2 * RADIUS), rel=0.08)


@pytest.mark.parametrize("by_px", [5, 20])
def test_a_disc_that_moved_by_less_than_its_width_is_found_where_it_lay(by_px):
    """Of 36 px. It leaves two crescents, or a region as long as two discs that overlap."""
    first = cloth((90, 120), seed=1)
    (disc,) = moved_discs(first, [cloth((90 + by_px, 120), seed=k) for k in (2, 3, 4)])
    assert math.dist(disc.middle_px, (90, 120)) < 2.0
    assert disc.width_px == pytest.approx((2 * RADIUS, 2 * RADIUS), rel=0.12)


def test_discs_that_came_to_lie_where_others_had_moved_from_are_told_apart():
    """One disc moved by 20 px, and another came to lie where it touches that one's old place."""
    first = cloth((90, 120), (250, 60), seed=1)
    found = moved_discs(first, [cloth((110, 120), (60, 100), seed=k) for k in (2, 3, 4)])
    places = sorted(disc.middle_px for disc in found)
    lay = [(90, 120), (250, 60)]
    assert all(math.dist(at, one) < 3.0 for at, one in zip(places, lay, strict=True))


def test_a_hand_that_stays_at_the_border_is_no_disc():
    first, later = cloth((250, 60), seed=1), []
    for k in (2, 3, 4):
        later.append(cloth((250, 60), seed=k))
        cv2.rectangle(later[-1], (0, 90), (60, 130), (110, 140, 200), cv2.FILLED)
        cv2.circle(later[-1], (70, 110), 30, (110, 140, 200), cv2.FILLED)
    assert moved_discs(first, later) == []


def test_a_hand_that_was_in_some_of_the_pictures_is_no_disc():
    first, later = cloth((90, 120), seed=1), []
    for k in (2, 3, 4):
        later.append(cloth((90, 120), seed=k))
        cv2.circle(later[-1], (60 * k, 80), 30, (110, 140, 200), cv2.FILLED)
    assert moved_discs(first, later) == []


def test_nothing_moved_where_nothing_was_seen_later():
    assert moved_discs(cloth((90, 120), seed=1), []) == []


def test_of_two_findings_of_a_disc_the_better_one_is_kept():
    first = cloth((90, 120), seed=1)
    moved = moved_discs(first, [cloth((200, 150), seed=k) for k in (2, 3, 4)])
    both = with_moved(find_discs(first), moved)
    assert [d for d in both if math.dist(d.middle_px, (90, 120)) < RADIUS] == moved
