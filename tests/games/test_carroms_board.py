"""The geometry that Carroms' rules need: the free spot nearest the centre, and how near a wall is.
Expected values are computed by hand.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.domain.geometry import distance
from referee.domain.layout import course_from_layout, template_course
from referee.games.carroms.board import (
    board_of,
    farthest_nearest_mm,
    near_enough,
    nearest_free,
    on_board,
    wall_gap_mm,
)

D = 20.0
ORIGIN = (0.0, 0.0)
PLACES = st.lists(st.tuples(st.floats(-60, 60), st.floats(-60, 60)), max_size=13)
BOARD = board_of(template_course("carroms", 50.0))


@pytest.mark.parametrize(
    ("taken", "far"),
    [
        ([], 0.0),  # the centre itself is free
        ([(20.0, 0.0)], 0.0),  # a coin that only touches leaves it free
        ([(0.0, 0.0)], 20.0),  # beside a coin on the centre
        ([(5.0, 0.0)], 15.0),  # away from a coin beside the centre: 20 - 5
        (
            [(12.0, 0.0), (-12.0, 0.0)],
            16.0,
        ),  # between two 24 mm apart: 20 squared less 12 squared is 16 squared
        (
            [
                (0.0, 0.0),
                *(
                    (20 * math.cos(a), 20 * math.sin(a))
                    for a in (i * math.pi / 3 for i in range(6))
                ),
            ],
            20 * math.sqrt(3),
        ),  # a full ring: its hollows
    ],
)
def test_nearest_free_spot_is_so_far_from_the_centre(
    taken: list[tuple[float, float]], far: float
) -> None:
    assert distance(nearest_free(ORIGIN, taken, D), ORIGIN) == pytest.approx(far, abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(PLACES)
def test_nearest_free_spot_is_free_and_no_spot_of_a_fine_grid_is_nearer(
    taken: list[tuple[float, float]],
) -> None:
    spot = nearest_free(ORIGIN, taken, D)
    far = distance(spot, ORIGIN)
    assert all(distance(spot, other) >= D - 1e-5 for other in taken)
    assert far <= farthest_nearest_mm(len(taken), D) + 1e-6
    for ring in range(0, math.floor(far), 2):
        for step in range(max(1, 4 * ring)):
            at = (
                ring * math.cos(step * math.tau / max(1, 4 * ring)),
                ring * math.sin(step * math.tau / max(1, 4 * ring)),
            )
            assert ring > far - 1e-3 or any(distance(at, other) < D for other in taken)


@settings(max_examples=60, deadline=None)
@given(PLACES, st.floats(0, math.tau))
def test_the_spot_itself_is_near_enough_and_one_a_third_of_a_coin_farther_is_not(
    taken: list[tuple[float, float]], turned: float
) -> None:
    spot = nearest_free(ORIGIN, taken, D)
    assert near_enough(spot, ORIGIN, taken, D, 0.0)
    far = distance(spot, ORIGIN) + D / 3
    assert not near_enough((far * math.cos(turned), far * math.sin(turned)), ORIGIN, taken, D, 0.0)


def test_the_template_has_the_measures_of_the_layout() -> None:
    assert len(BOARD.tiles) == 24
    assert BOARD.centre_mm == pytest.approx((0.0, 0.0), abs=1e-9)
    corners = sorted(
        (round(abs(x), 3), round(abs(y), 3))
        for x, y in BOARD.field
        if abs(y) > abs(x) and abs(x) > 101
    )
    assert (
        corners == [(150.0, 238.39)] * 4
    )  # three tiles to either side; 5.2678 less half a tile, times 50 mm


@pytest.mark.parametrize(
    ("at", "gap"),
    [
        ((0.0, 0.0), 238.39),
        ((0.0, 200.0), 38.39),
        ((-210.0, 10.0), 28.39),
        ((180.0, 198.39), 50.0),
    ],  # the last: 30 and 40 from a wall's end
)
def test_gap_to_the_nearest_wall(at: tuple[float, float], gap: float) -> None:
    assert wall_gap_mm(BOARD, at) == pytest.approx(gap, abs=1e-6)


@pytest.mark.parametrize(
    ("at", "inside"),
    [((0.0, 238.0), True), ((0.0, 239.0), False), ((190.0, 190.0), True), ((200.0, 200.0), False)],
)
def test_the_field_ends_at_the_walls_and_the_pockets(at: tuple[float, float], inside: bool) -> None:
    """The line of a pocket goes from (150, 238.39) to (238.39, 150). On it x + y is 388.39."""
    assert on_board(BOARD, at, 0.0) is inside


def test_a_course_without_tiles_forbids_nothing() -> None:
    board = board_of(course_from_layout({"tiles": {}}, 50.0))
    assert on_board(board, (999.0, 0.0), 0.0)
    assert wall_gap_mm(board, (999.0, 0.0)) == 0.0
