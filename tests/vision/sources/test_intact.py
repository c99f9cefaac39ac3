"""Which pictures show what is on the table now: not the last one again, with no part lost."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.sources.frame import VideoFrame
from referee.vision.sources.intact import IntactPictures

HEIGHT, WIDTH = 480, 640
WOOD = np.random.default_rng(1).normal(130.0, 12.0, (HEIGHT, WIDTH))
NO_COLOUR = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
UP, LOW = slice(0, HEIGHT), slice(HEIGHT // 2, HEIGHT)


def picture(number: int, noise: float = 1.5) -> np.ndarray:
    """Return the wood with a coin that moves by 8 pixels from picture to picture."""
    values = WOOD + noise * np.random.default_rng(number + 9).normal(size=WOOD.shape)
    values[200:224, 8 * number % 600 :][:, :24] = 220.0
    return np.clip(values, 0, 255).astype(np.uint8)


def frame(luma: np.ndarray, *, sound: bool = True) -> VideoFrame:
    return VideoFrame(0, 0.0, luma, (), lambda: NO_COLOUR, sound=sound)


def after_calm(noise: float = 1.5) -> IntactPictures:
    """Return what has seen twenty pictures in which nothing moved but the noise."""
    pictures = IntactPictures()
    for seed in range(20):
        values = WOOD + noise * np.random.default_rng(seed).normal(size=WOOD.shape)
        calm = frame(np.clip(values, 0, 255).astype(np.uint8))
        assert pictures.is_observation(calm, sliding=False, calm=True)
    return pictures


def shown(pictures: IntactPictures, *lumas: np.ndarray, sliding: bool = True) -> list[bool]:
    return [pictures.is_observation(frame(p), sliding=sliding, calm=False) for p in lumas]


def test_the_same_picture_again_is_no_observation_while_something_slides():
    first, second = picture(1), picture(2)
    pictures = after_calm()
    assert shown(pictures, first, first, first, second) == [True, False, False, True]
    assert shown(after_calm(), first, first, sliding=False) == [True, True]


def test_a_picture_compressed_again_may_differ_a_little_and_is_still_the_same():
    """One pixel in fifty differs by a grey level. Noise changes three of four."""
    first = picture(1)
    again = first.copy()
    again[::5, ::10] += 1
    assert shown(after_calm(), first, again) == [True, False]


def test_a_source_without_noise_may_show_the_same_picture_because_nothing_moves():
    assert shown(after_calm(noise=0.0), picture(1, 0.0), picture(1, 0.0)) == [True, True]


def part_grey(rows: slice, columns: slice) -> np.ndarray:
    damaged = picture(2)
    damaged[rows, columns] = 128
    return damaged


def stretched() -> np.ndarray:
    damaged = picture(2)
    damaged[LOW] = damaged[HEIGHT // 2 - 1]
    return damaged


@pytest.mark.parametrize(
    "damaged",
    [
        part_grey(LOW, slice(0, WIDTH)),
        part_grey(UP, slice(320, 640)),
        part_grey(slice(96, 240), slice(80, 240)),
        stretched(),
    ],
    ids=["lower half", "right half", "a block", "one row stretched"],
)
def test_a_picture_with_a_lost_part_is_no_observation_and_the_next_one_is(damaged: np.ndarray):
    for sliding in (True, False):
        assert shown(after_calm(), picture(1), damaged, damaged, picture(3), sliding=sliding) == [
            True,
            False,
            False,
            True,
        ]


def test_a_hand_of_one_colour_that_comes_in_at_a_slant_is_no_lost_part():
    row, column = np.mgrid[0:HEIGHT, 0:WIDTH]
    hand = picture(2)
    hand[(row > 200) & (np.abs(column - 0.3 * row - 200) < 70)] = 40
    assert shown(after_calm(), picture(1), hand) == [True, True]


def test_unsound_pictures_are_no_observation():
    pictures = after_calm()
    for number in (1, 2):
        broken = frame(picture(number), sound=False)
        assert not pictures.is_observation(broken, sliding=False, calm=True)
    assert shown(pictures, picture(3)) == [True]
