"""Which groups of squares are grown: the most likely ones, and tiles before larger squares."""

from __future__ import annotations

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
#: Squares of which a tile is 0.74 wide, as checks of a cloth were.
CHECK_TILES = 0.74


def group(score: float, tile: float = 1.0) -> Arranged:
    """Return squares that match the course with a score. A tile is `tile` squares wide."""
    names = [*TEMPLATE.tiles]
    at_mm = np.array([TEMPLATE.tiles[name].centre_mm for name in names]) * tile
    fit = CourseFit(0.0, (1.0, 1.0), (0.0, 0.0), {name: k for k, name in enumerate(names)}, score)
    return Arranged(looking(), at_mm, np.zeros(len(names)), fit)


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let groups stay as they are. List the scores of those that are grown, in their order."""
    scores: list[float] = []

    def grow(_still: Any, start: Arranged, _template: Any, _rounds: int) -> Arranged:
        scores.append(start.score)
        return start

    monkeypatch.setattr(arranged_squares, "_grown", grow)
    return scores


@pytest.mark.parametrize(
    ("scores", "best", "grown"),
    [
        ((1.0, 3.0, 2.0, 4.0, 5.0), 5.0, [5.0, 4.0, 3.0, 2.0]),  # four groups at most
        ((1.0, 18.0, 19.0), 19.0, [19.0]),  # of 20 tiles, 17 are enough
        ((), None, []),
    ],
)
def test_the_most_likely_groups_are_grown_until_one_shows_enough_of_the_course(
    scores: tuple[float, ...], best: float | None, grown: list[float], tried: list[float]
) -> None:
    found = best_grown(STILL, [group(score) for score in scores], TEMPLATE)
    assert (None if found is None else found.score) == best
    assert tried == grown


def test_tiles_come_before_larger_squares_that_match_better(tried: list[float]) -> None:
    """Checks of a cloth lie in rows, so a course may be found among them, too."""
    found = best_grown(STILL, [group(20.0, CHECK_TILES), group(16.0)], TEMPLATE)
    assert found is not None and found.score == 16.0
    assert tried == [16.0, 20.0]
