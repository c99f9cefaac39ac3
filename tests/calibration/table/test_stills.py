"""Still pictures of a camera that shakes or is bumped show what the first frame shows."""

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from calibration.table.stills import spaced, stills

SIZE = (640, 360)


def scene() -> np.ndarray:
    """Draw a table with some dozens of dark and bright squares, smooth enough to be shifted."""
    generator = np.random.default_rng(3)
    picture = np.full((SIZE[1], SIZE[0], 3), 120, dtype=np.uint8)
    for x, y in generator.integers((10, 10), (SIZE[0] - 40, SIZE[1] - 40), (70, 2)):
        colour = tuple(int(c) for c in generator.integers(20, 240, 3))
        cv2.rectangle(picture, (int(x), int(y)), (int(x) + 24, int(y) + 24), colour, -1)
    return cv2.GaussianBlur(picture, (0, 0), 1.5)


def shifted(picture: np.ndarray, right_px: float, down_px: float) -> np.ndarray:
    move = np.array([[1.0, 0.0, right_px], [0.0, 1.0, down_px]])
    return cv2.warpAffine(
        picture, move, SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )


def filmed(shift_at: Callable[[float], tuple[float, float]]) -> Iterator[tuple[float, np.ndarray]]:
    picture = scene()
    for number in range(60):
        yield number / 10, shifted(picture, *shift_at(number / 10))


def inner(picture: np.ndarray) -> np.ndarray:
    return picture[20:-20, 20:-20].astype(float)


@pytest.mark.parametrize("begin_s", [0.7, 2.0, 3.3])
def test_nothing_is_used_from_after_a_bump(begin_s: float) -> None:
    found = stills(filmed(lambda t_s: (0.0, 0.0) if t_s < begin_s else (6.0, -3.0)))
    assert found
    for still in found:
        assert np.abs(inner(still) - inner(scene())).max() <= 1.0


def test_a_shake_is_taken_out() -> None:
    found = stills(filmed(lambda t_s: (np.sin(9 * t_s), 0.8 * np.cos(7 * t_s) - 0.8)))
    assert len(found) >= 4
    for still in found:
        off = inner(still) - inner(scene())
        assert np.sqrt((off**2).mean()) < 1.5  # unregistered: 4 and more


def test_a_small_bump_moves_no_still() -> None:
    found = stills(filmed(lambda t_s: (0.0, 0.0) if t_s < 2.0 else (1.5, 1.0)))
    assert len(found) >= 4
    for still in found:
        assert np.sqrt(((inner(still) - inner(scene())) ** 2).mean()) < 1.5


@pytest.mark.parametrize("count", [1, 2, 3, 6, 11])
def test_each_pixel_of_a_still_is_the_median_of_what_it_showed(count: int) -> None:
    """Half a grey level is rounded to the even one. The first picture is plain, so that no motion
    is measured.
    """
    seen = np.random.default_rng(count).integers(0, 256, (count, 90, 120, 3), dtype=np.uint8)
    seen[0] = 100
    (found,) = stills((number * 0.11, picture) for number, picture in enumerate(seen))
    assert np.array_equal(found, np.rint(np.median(seen, axis=0)))


def test_frames_too_close_together_and_too_late_are_not_used() -> None:
    """A window of 1.2 s has eleven frames, so one is due every 0.109 s."""
    times = [2.0 + number / 30 for number in range(30)]
    used = [number for number, _ in spaced(((t, t) for t in times), 0.5)]
    assert [round(30 * (t - 2.0)) for t in used] == [0, 4, 7, 10, 14]
    assert [*spaced(((t, t) for t in used), 0.5)] == [(t, t) for t in used]
