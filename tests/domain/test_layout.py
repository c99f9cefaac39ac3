"""Places beside a tile, by hand: a tile of 50 mm that is turned by 45 degrees reaches 35.36 mm
along the axes of the table.
"""

from __future__ import annotations

from types import MappingProxyType

import pytest

from referee.domain.geometry import Point
from referee.domain.layout import Course, Tile


@pytest.mark.parametrize(
    ("at_mm", "within"),
    [
        ((135.3, 200.0), True),
        ((135.4, 200.0), False),
        ((117.6, 217.6), True),
        ((117.7, 217.7), False),
        ((100.0, 164.7), True),
    ],
)
def test_a_place_is_on_a_turned_tile_inside_its_sides(at_mm: Point, within: bool) -> None:
    course = Course(MappingProxyType({"wicket-1-left": Tile((100.0, 200.0), 45.0)}), 50.0)
    assert course.has_tile(at_mm, 25.0) is within
