"""A set's row of coins is found among print that looks as much like coins as the coins do."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pieces.piece_row import find_row


def on_flowers(coins: int) -> NDArray[np.uint8]:
    """Draw some coins in a row on a cloth with sixty flowers, about as wide as coins, anywhere."""
    rng = np.random.default_rng(5)
    picture = np.full((500, 1200, 3), (200.0, 214.0, 220.0), dtype=np.uint8)
    for _ in range(60):
        x, y = (int(v) for v in rng.uniform((30, 30), (1170, 470)))
        petals = tuple(int(v) for v in rng.uniform(30, 220, 3))
        for turn in 2 * np.pi * (np.arange(5) / 5 + rng.random()):
            leaf = (round(x + 11 * np.cos(turn)), round(y + 11 * np.sin(turn)))
            cv2.circle(picture, leaf, 9, petals, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), 6, (30, 170, 200), -1, cv2.LINE_AA)
    for number in range(coins):
        at = (150 + 97 * number, 250)
        cv2.circle(picture, at, 21, (60, 85, 110), -1, cv2.LINE_AA)
        cv2.circle(picture, at, 18, (150, 170, 190), 1, cv2.LINE_AA)
        cv2.circle(picture, at, 7, (200, 210, 220), 3, cv2.LINE_AA)
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    seen_cloth = cv2.GaussianBlur(picture, (0, 0), 0.8) + noise
    return np.clip(seen_cloth, 0, 255).astype(np.uint8)


def test_flowers_that_look_like_coins_hide_no_row() -> None:
    row = find_row(on_flowers(10), 10)
    assert [round(d.x_px) for d in row.discs] == pytest.approx(range(150, 1100, 97), abs=3)
    assert [d.y_px for d in row.discs] == pytest.approx([250] * 10, abs=3)
    assert not row.rival


def test_flowers_alone_are_not_the_row_that_is_wanted() -> None:
    row = find_row(on_flowers(0), 10)
    assert len(row.discs) != 10 or row.rival
