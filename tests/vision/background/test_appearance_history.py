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


def half_hidden(hidden_percent: int, left: int = 20) -> AppearanceHistory:
    """Return 30 pictures. A hand comes in picture 5 and hides so many rows of a coin. In picture
    `left` the coin slides off, and it lies elsewhere from picture 24 on, half of it under the hand,
    which leaves in picture 28.
    """
    seen_at = ProjectionCache(looking(0.0), SIZES.coin_thickness_mm, 2, SHAPE[1], SHAPE[0])
    history = AppearanceHistory(seen_at, SIZES.coin_mm, Noise(np.full(SHAPE, 255, np.uint8)))
    radius_mm = 0.8 * SIZES.coin_mm / 2
    places = [seen_at.small_rect(at_mm, radius_mm) for at_mm in ((0.0, 0.0), (40.0, 0.0))]
    for k in range(30):
        picture = np.full(SHAPE, 120, np.uint8)
        for place, lies, percent in zip(
            places, (k < left, k >= 24), (hidden_percent, 50), strict=True
        ):
            place.of(picture)[...] = 200 if lies else 120
            if 5 <= k < 28:
                place.of(picture)[: percent * (place.bottom - place.top) // 100] = 60
        history.add(float(k), picture)
    return history


@pytest.mark.parametrize(
    ("hidden_percent", "left_s"), [(50, 19.0), (70, 19.0), (80, 4.0), (90, 4.0)]
)
def test_a_coin_of_which_a_part_is_seen_lies_there_although_a_hand_hides_the_rest(
    hidden_percent: int, left_s: float
) -> None:
    """A fifth of it is too little: a fingertip may have its colour."""
    history = half_hidden(hidden_percent)
    assert history.moved_within((0.0, 0.0), 4.0, (40.0, 0.0)) == (left_s, 24.0)


@pytest.mark.parametrize(
    ("before_mm", "seen_s", "after_mm"),
    [
        pytest.param((-60.0, 20.0), 4.0, (40.0, 0.0), id="nothing lay there"),
        pytest.param((0.0, 0.0), 4.0, (-60.0, 20.0), id="nothing lies there"),
        pytest.param((0.0, 0.0), -1.0, (40.0, 0.0), id="no picture is kept of when it was seen"),
        pytest.param((900.0, 0.0), 4.0, (40.0, 0.0), id="out of the picture"),
    ],
)
def test_without_two_places_that_the_coin_changes_nobody_knows_when_it_moved(
    before_mm: tuple[float, float], seen_s: float, after_mm: tuple[float, float]
) -> None:
    assert half_hidden(50).moved_within(before_mm, seen_s, after_mm) is None


def test_what_still_looks_like_the_coin_after_it_came_is_not_the_coin() -> None:
    """Its former place looks like it until picture 26."""
    assert half_hidden(50, left=27).moved_within((0.0, 0.0), 4.0, (40.0, 0.0)) is None
