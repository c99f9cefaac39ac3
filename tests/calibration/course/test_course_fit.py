"""Squares become the tiles of a course by their arrangement, for any rotation and stretch, with
strays and gaps.
"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.course.course_fit import fit_course
from referee.domain.layout import template_course

TEMPLATE = template_course("tabletop-croquet", 50.8)
NAMES = list(TEMPLATE.tiles)
POINTS = np.array([TEMPLATE.tiles[n].centre_mm for n in NAMES])


def laid(
    turn_deg: float,
    scale: tuple[float, float],
    shift: tuple[float, float],
    jitter_mm: float,
    seed: int,
) -> np.ndarray:
    turn = np.radians(turn_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    noise = np.random.default_rng(seed).uniform(-jitter_mm, jitter_mm, POINTS.shape)
    return np.asarray((POINTS * scale + noise) @ rotation.T + shift)


@settings(max_examples=25, deadline=None)
@given(
    st.floats(-80, 80),
    st.floats(0.8, 1.4),
    st.floats(0.85, 1.15),
    st.floats(-500, 500),
    st.floats(0, 20),
    st.integers(0, 1000),
)
def test_every_tile_is_named_wherever_the_course_lies(
    turn: float, scale: float, ratio: float, shift: float, jitter: float, seed: int
) -> None:
    squares = laid(turn, (scale, scale * ratio), (shift, -shift), jitter, seed)
    order = np.random.default_rng(seed).permutation(len(squares))
    fit = fit_course(TEMPLATE, squares[order])
    assert fit is not None
    assert {name: int(order[k]) for name, k in fit.squares.items()} == {
        name: k for k, name in enumerate(NAMES)
    }


def test_strays_are_left_out_and_gaps_stay_gaps() -> None:
    squares = laid(5.0, (0.95, 1.0), (100.0, 30.0), 5.0, 1)
    strays = np.array([[-400.0, 500.0], [1700.0, -300.0], [600.0, 600.0]])
    kept = [
        k
        for k in range(len(NAMES))
        if NAMES[k] not in ("left-endpost", "wicket-4-left", "wicket-8-right")
    ]
    fit = fit_course(TEMPLATE, np.concatenate((squares[kept], strays)))
    assert fit is not None
    assert {name: kept[k] for name, k in fit.squares.items()} == {NAMES[k]: k for k in kept}


def test_few_squares_are_no_course() -> None:
    assert fit_course(TEMPLATE, POINTS[:3]) is None


def test_squares_in_disorder_score_low() -> None:
    scattered = np.random.default_rng(3).uniform(0, 1200, (20, 2))
    fit = fit_course(TEMPLATE, scattered)
    assert fit is not None and fit.score < 0.75 * len(NAMES)
