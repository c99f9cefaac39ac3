"""Which groups of squares are grown: on a chequered cloth three tiles may be the eighth group."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration.course.course_fit import CourseFit
from calibration.rough_survey import arranged_squares
from calibration.rough_survey.arranged import Arranged
from calibration.rough_survey.arranged_squares import best_grown
from referee.domain.layout import template_course
from tests.vision.drawn import looking

TEMPLATE = template_course("tabletop-croquet", 50.0)
STILL = np.zeros((48, 64, 3), np.uint8)


def group(score: float) -> Arranged:
    """Return squares without a match; grown, they match as well as `score` says."""
    return Arranged(looking(), np.zeros((0, 2)), np.zeros(0), None, score)


@pytest.mark.parametrize(
    ("scores", "most", "best", "tried"),
    [
        ((1.0, 3.0, 2.0, 4.0, 12.0), 4, 4.0, 4),
        ((1.0, 3.0, 2.0, 4.0, 12.0), 5, 12.0, 5),
        ((1.0, 18.0, 19.0), 3, 18.0, 2),  # of 20 tiles, 17 are enough
        ((), 4, None, 0),
    ],
)
def test_so_many_groups_are_grown_until_one_shows_enough_of_the_course(
    scores: tuple[float, ...],
    most: int,
    best: float | None,
    tried: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grown: list[float] = []

    def grow(_still: Any, start: Arranged, _template: Any, _rounds: int) -> Arranged:
        grown.append(start.larger)
        return replace(start, fit=CourseFit(0.0, (1.0, 1.0), (0.0, 0.0), {}, start.larger))

    monkeypatch.setattr(arranged_squares, "_grown", grow)
    found = best_grown(STILL, [group(score) for score in scores], TEMPLATE, most)
    assert (None if found is None else found.score) == best
    assert len(grown) == tried
