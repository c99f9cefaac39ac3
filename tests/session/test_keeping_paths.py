"""The points of a path as they are written down."""

from types import SimpleNamespace

import pytest

from referee.layout import template_course
from referee.session.keeping import NEIGHBOURS_SHARE, points_of


def test_places_far_from_the_middle_are_less_sure_when_the_scale_is() -> None:
    course = template_course("tabletop-croquet", 50.8)
    x, y = course.middle_mm
    run = SimpleNamespace(begin_s=0.0, end_s=1.0, stop_s=1.0)
    path = SimpleNamespace(
        coin="suns", runs=(run,), sightings=(), position_at=lambda t_s: (x + 400.0 * t_s, y + 300.0 * t_s), sigma_at=lambda t_s: 0.6
    )
    episode = SimpleNamespace(frames=[SimpleNamespace(t_s=0.0, number=0), SimpleNamespace(t_s=1.0, number=1)], course_before=course)
    near, far = points_of(path, episode, 1, 0.0, 0.0016 / NEIGHBOURS_SHARE)  # type: ignore[arg-type]
    assert near.sigma_mm == pytest.approx(0.6)
    assert far.sigma_mm == pytest.approx(1.0)  # 500 mm away 0.0016 is 0.8 mm; 0.6 and 0.8 make 1
