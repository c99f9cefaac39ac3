"""Stated errors of places: along a run, and along a line."""

import math

import pytest

from referee.domain.layout import Course, Tile
from referee.domain.path import Run

# From 1.0 s to 1.4 s, known to 0.3 mm in the middle, 0.5 mm at the begin and 0.2 mm at the end.
RUN = Run(1.0, 1.4, (0.0, 0.0), (1.0, 0.0), 800.0, 2000.0, 0.3, 10.0, 12, (), (0.5, 0.2))


@pytest.mark.parametrize(
    ("t_s", "expected_mm"),
    [
        (1.0, 0.5),
        (1.2, 0.3),
        (1.4, 0.2),
        (1.1, math.sqrt(0.75 * 0.3**2 + 0.25 * 0.5**2)),  # variances, halfway to the begin
        (1.6, math.hypot(0.2, 10.0 * 0.2)),  # beyond the end with the velocity's error
    ],
)
def test_a_run_is_as_sure_as_at_its_begin_middle_and_end(t_s, expected_mm):
    assert RUN.sigma_at(t_s) == pytest.approx(expected_mm)


@pytest.mark.parametrize(
    ("share", "expected_mm"), [(0.0, 0.3), (1.0, 0.8), (0.5, 0.5 * math.hypot(0.3, 0.8))]
)
def test_a_line_is_as_sure_as_its_tiles_in_their_shares(share, expected_mm):
    tiles = {
        "wicket-1-left": Tile((0.0, 75.0), sigma_mm=0.8),
        "wicket-1-right": Tile((0.0, -75.0), sigma_mm=0.3),
    }
    line = Course(tiles, 50.0).lines["wicket-1"]
    assert line.sigma_at(share) == pytest.approx(expected_mm)
