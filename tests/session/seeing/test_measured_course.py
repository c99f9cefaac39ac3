"""Tiles that could not be measured: when they are tried again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from referee.session.seeing import measured_course
from referee.session.seeing.measured_course import MeasuredCourse
from tests.tracking.slides import course_at

UNMEASURED = frozenset({"wicket-1-left", "wicket-2-left", "wicket-3-left"})


@pytest.mark.parametrize(
    ("touched", "hand_left", "tried"),
    [
        (set(), set(), set()),
        ({"wicket-1-left"}, set(), {"wicket-1-left"}),
        (set(), {"wicket-2-left"}, {"wicket-2-left"}),
        ({"wicket-1-right"}, set(), set()),
    ],
)
def test_a_tile_is_tried_again_only_where_the_frame_has_changed(
    touched: set[str], hand_left: set[str], tried: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    course, asked = course_at(), set[str]()
    table: Any = SimpleNamespace(course=course, view=None, sizes=None)
    measured = MeasuredCourse(table, unmeasured=UNMEASURED)
    at = {tile.centre_mm: name for name, tile in course.tiles.items()}
    difference = SimpleNamespace(
        tile_touched=lambda tile: at[tile.centre_mm] in touched,
        hand_left=lambda tile: at[tile.centre_mm] in hand_left,
    )
    analysis: Any = SimpleNamespace(difference=difference)

    def asked_for(_picture: Any, _course: Any, _view: Any, _sizes: Any, names: Any, *_: Any) -> Any:
        asked.update(names)
        return {}

    monkeypatch.setattr(measured_course, "passed_tiles", lambda *_: frozenset())
    monkeypatch.setattr(measured_course, "measure_tiles", lambda *_, **__: (course, frozenset()))
    monkeypatch.setattr(measured_course, "tiles_as_they_lie", asked_for)
    picture: Any = None
    measured.measure(picture, analysis, (), still=True)
    assert asked == tried
    assert measured.unmeasured == UNMEASURED
