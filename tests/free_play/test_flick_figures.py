"""The figures of a disc in one flick: each is empty where too little was seen."""

from __future__ import annotations

import pytest

from referee.free_play.flick_report import figures_of
from tests.detectors.scenes import path, run


@pytest.mark.parametrize(("sightings", "top_mm_s"), [(10, 900.0), (1, None)])
def test_the_top_speed_is_known_only_if_the_first_stretch_was_measured(
    sightings: int, top_mm_s: float | None
) -> None:
    """The disc sets off with 900 mm/s, and goes on with 500 mm/s after it struck another one."""
    struck = run(0.1, (0.0, 0.0), (900.0, 0.0), end_s=0.12, sightings=sightings)
    after = run(0.12, struck.position(0.12), (500.0, 0.0))
    figures = figures_of(path("A", struck, after), ())
    assert figures.top_speed_mm_s == top_mm_s
    assert figures.slowing_mm_s2 is not None
