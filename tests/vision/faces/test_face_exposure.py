"""A face is shown as plainly as its pictures allow: bleached and black ones do not count, and its
greys are stretched.
"""

from __future__ import annotations

import numpy as np
import pytest

from calibration.store.piece_store import FacePatch
from referee.vision.faces.face_exposure import (
    INK,
    MOST_GAIN,
    Pixels,
    best_exposed,
    lost_share,
    on_face,
    stretched,
)

SIDE = 32
MARK = (slice(12, 20), slice(12, 20))  # in the middle of the face
PLAIN = 254 - INK
BESIDE = (slice(12, 20), slice(22, 26))  # on the face, beside the mark


def face(paper: float, mark: float) -> Pixels:
    """Return a grey face with a darker square as its mark."""
    bgr = np.full((SIDE, SIDE, 3), paper, np.float32)
    bgr[MARK] = mark
    return bgr


def in_light(bgr: Pixels, gain: float) -> FacePatch:
    """Return a face as a camera stores it that gets `gain` times the light."""
    return FacePatch(np.clip(bgr * gain, 0, 255).astype(np.float32), 20.0)


def contrast(bgr: Pixels | None) -> float:
    assert bgr is not None
    return float(bgr[BESIDE].mean() - bgr[MARK].mean())


def test_a_face_without_pictures_is_not_shown() -> None:
    assert best_exposed([]) is None


@pytest.mark.parametrize(
    ("gain", "least"),
    [(1.0, PLAIN), (1.4, PLAIN), (0.25, PLAIN), (0.1, 8 * MOST_GAIN)],  # 8 greys, from 10 to 18
)
def test_a_mark_is_dark_and_its_paper_white_in_any_light(gain: float, least: float) -> None:
    assert contrast(best_exposed([in_light(face(180, 100), gain)])) >= least


def test_pictures_in_which_a_face_is_bleached_or_black_do_not_count() -> None:
    plain = face(180, 100)
    bad = [in_light(plain, 3.0)] * 4 + [in_light(plain, 0.05)] * 4
    assert contrast(best_exposed(bad)) < 100
    assert contrast(best_exposed([*bad, in_light(plain, 1.0)])) > PLAIN


def test_no_arm_hides_a_face_that_most_pictures_show() -> None:
    arm = FacePatch(np.full((SIDE, SIDE, 3), 120, np.float32), 20.0)
    assert contrast(best_exposed([in_light(face(180, 100), 1.0)] * 3 + [arm, arm])) > PLAIN


def test_what_is_bleached_altogether_stays_white_and_gets_no_pattern() -> None:
    noise = np.random.default_rng(3).normal(0, 0.4, (SIDE, SIDE, 1)).astype(np.float32)
    shown = stretched(np.full((SIDE, SIDE, 3), 254, np.float32) + noise, on_face(SIDE))
    assert shown.min() > 255 - 6 * 0.4 * MOST_GAIN and shown.mean() > 235


def test_a_coloured_mark_keeps_its_hue() -> None:
    bgr = face(120, 120)
    bgr[MARK] = (20, 30, 90)  # a dark red
    blue, green, red = stretched(bgr, on_face(SIDE))[15, 15]
    assert red > 2.9 * green >= 2.9 * blue


def test_how_much_of_a_face_is_lost_counts_the_face_alone() -> None:
    bgr = face(255, 100)
    share = lost_share(bgr)
    assert share == pytest.approx(1 - 64 / on_face(SIDE).sum())
    bgr[~on_face(SIDE)] = 0.0  # what lies around the coin
    assert lost_share(bgr) == share
