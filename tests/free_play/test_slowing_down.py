"""What shows that a disc was flicked where no hand was seen at it: it slowed down."""

from __future__ import annotations

import pytest

from referee.domain.path import Path
from referee.free_play.flick_report import FlickReport, PathPoint


def report(places, *, seen=lambda _k: True, lay=True):
    """Return a flick of a disc along x, at 30 pictures a second."""
    points = tuple(PathPoint(k, k / 30, (x, 0.0), 0.3, seen(k)) for k, x in enumerate(places))
    path = Path("A", (), (), (0.0, 0.0) if lay else None, 0.3, None, 0.3)
    return FlickReport(1, "A", {"A": points}, (), (), (), {}, paths=(path,))


SLIDES = [600 * t - 300 * t * t for t in (k / 30 for k in range(30))]  # it stops after 1 s
DRIVES = [20.0 * k for k in range(30)]


@pytest.mark.parametrize(("places", "slows"), [(SLIDES, True), (DRIVES, False), ([0, 9], False)])
def test_a_slide_slows_down_and_a_car_does_not(places, slows):
    assert report(places).slowed_down is slows


def test_it_must_have_lain_still_and_be_seen_in_most_pictures():
    assert not report(SLIDES, lay=False).slowed_down
    assert not report(SLIDES, seen=lambda k: k % 3).slowed_down
    assert report(SLIDES, seen=lambda k: k % 10).slowed_down
