"""The scale from a tape between the endposts, computed by hand."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from calibration.table.taped_scale import scaled_by_tape
from referee.domain.errors import InputError
from tests.calibration.table.test_openings import length, table

TILES_MM = 23 * 50.8  # the reference course, from middle to middle


@pytest.mark.parametrize("endposts_mm", [TILES_MM, 1160.0, 1175.0])
def test_the_endposts_lie_as_far_apart_as_measured(endposts_mm: float) -> None:
    held = scaled_by_tape(table(), endposts_mm)
    assert length(held) == pytest.approx(endposts_mm, abs=1e-6)
    assert held.scale_sigma == pytest.approx(1.0 / endposts_mm)
    opening = held.course.lines["wicket-4"]
    before = table().course.lines["wicket-4"]
    assert (opening.left_mm[0] - before.left_mm[0]) == pytest.approx(
        before.left_mm[0] * (endposts_mm / TILES_MM - 1), abs=1e-6
    )


def test_the_picture_stays_what_it_was() -> None:
    before, held = table(), scaled_by_tape(table(), 1160.0)
    for name, tile in before.course.tiles.items():
        there = held.course.tiles[name]
        assert np.allclose(
            held.view.to_image(np.array([[*there.centre_mm, 0.0]])),
            before.view.to_image(np.array([[*tile.centre_mm, 0.0]])),
            atol=1e-6,
        )


@pytest.mark.parametrize("endposts_mm", [1080.0, 1240.0])
def test_a_length_that_the_tiles_cannot_mean_is_refused(endposts_mm: float) -> None:
    with pytest.raises(
        InputError, match=r"--endposts-mm 1\d+: by tiles of 50.8 mm the endposts lie 1168 mm apart"
    ):
        scaled_by_tape(table(), endposts_mm)


def test_a_length_far_from_what_badly_seen_tiles_say_is_taken():
    # 1240 mm is 6 % more than the tiles' 1168. That is too much for well seen tiles, but within
    # three of these tiles' sigmas of 2.5 %.
    assert length(scaled_by_tape(replace(table(), scale_sigma=0.025), 1240.0)) == pytest.approx(
        1240.0, abs=1e-6
    )


def test_a_course_without_endposts_has_no_such_length() -> None:
    course = table().course
    none = replace(
        table(),
        course=replace(
            course,
            tiles=MappingProxyType({n: t for n, t in course.tiles.items() if "endpost" not in n}),
        ),
    )
    with pytest.raises(InputError, match="no two endposts"):
        scaled_by_tape(none, 1168.0)
