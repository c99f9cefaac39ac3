"""Whether something has moved, in pictures that video compression changes all the time."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.background.appearance_history import AppearanceHistory
from referee.vision.image.noise import Noise
from referee.vision.image.picture import Bytes
from referee.vision.image.projection_cache import ProjectionCache
from tests.vision.drawn import SIZES, looking

SHAPE = (120, 200)


def flickering(frames: int, rng: np.random.Generator) -> list[Bytes]:
    """Return pictures in each of which eight clumps of two by three pixels are lighter by 8."""
    pictures = []
    for _ in range(frames):
        picture = np.full(SHAPE, 120, np.uint8)
        for row, column in zip(rng.integers(0, 117, 8), rng.integers(0, 197, 8), strict=True):
            picture[row : row + 2, column : column + 3] += 8
        pictures.append(picture)
    return pictures


@pytest.mark.parametrize("seed", range(5))
def test_clumps_that_flicker_all_over_the_picture_are_no_motion_but_half_a_coin_is(seed: int):
    """A coin covers 40 of these pixels, and 30 pictures a second are taken."""
    rng = np.random.default_rng(seed)
    noise = Noise(np.full(SHAPE, 255, np.uint8))
    seen = ProjectionCache(looking(0.0), SIZES.coin_thickness_mm, 2, SHAPE[1], SHAPE[0])
    history = AppearanceHistory(seen, SIZES.coin_mm, noise)
    told = []
    for k, picture in enumerate(flickering(30, rng)):
        if k >= 20:
            left = 60 + 3 * (k - 20)
            picture[50:56, left : left + 6] = 160
        history.add(k / 30, picture)
        told.append(history.moved(20.0))
    assert told[4:20] == [False] * 16
    assert all(told[20:])


@pytest.mark.parametrize(("rows", "moved"), [(1, False), (2, True)])
def test_a_row_of_pixels_along_an_edge_is_no_motion_however_long_it_is(rows: int, moved: bool):
    """A coin covers 40 of these pixels; along the table's edge 48 change in the last picture."""
    noise = Noise(np.full(SHAPE, 255, np.uint8))
    seen = ProjectionCache(looking(0.0), SIZES.coin_thickness_mm, 2, SHAPE[1], SHAPE[0])
    history = AppearanceHistory(seen, SIZES.coin_mm, noise)
    for k in range(12):
        picture = np.full(SHAPE, 120, np.uint8)
        picture[5 : 5 + rows, 80:128] += 8 * (k == 11)
        history.add(k / 30, picture)
    assert history.moved(20.0) == moved


@pytest.mark.parametrize(
    ("percent", "changed", "mostly"), [(0, False, False), (42, True, False), (80, True, True)]
)
def test_a_coin_that_differs_in_less_than_half_of_its_face_does_not_tell_when_it_came(
    percent: int, changed: bool, mostly: bool
) -> None:
    """So many of the rows that its face covers differ by 40."""
    seen = ProjectionCache(looking(0.0), SIZES.coin_thickness_mm, 2, SHAPE[1], SHAPE[0])
    history = AppearanceHistory(seen, SIZES.coin_mm, Noise(np.full(SHAPE, 255, np.uint8)))
    face = seen.small_rect((0.0, 0.0), 0.8 * SIZES.coin_mm / 2)
    bare, now = np.full(SHAPE, 120, np.uint8), np.full(SHAPE, 120, np.uint8)
    face.of(now)[: percent * (face.bottom - face.top) // 100] = 160
    history.add(0.0, bare)
    history.add(0.1, now)
    assert (history.changed_at((0.0, 0.0)), history.mostly_changed_at((0.0, 0.0))) == (
        changed,
        mostly,
    )
