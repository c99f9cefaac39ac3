"""Coins that were last seen on their way to a tile, and then where they lie: they came off it."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from referee.domain.layout import Course, Tile
from referee.tracking.trajectory.hypotheses.impacts import off_side, outward
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import TILE_MM, Shot, flicked, rebounded

WALL_X = 200.0
COURSE = Course(MappingProxyType({"tower-suns": Tile((WALL_X + TILE_MM / 2, 0.0))}), TILE_MM)
SQUARE = np.array([[0.0, 0.0], [50.0, 0.0], [50.0, 50.0], [0.0, 50.0]])


@pytest.mark.parametrize("seed", range(3))
def test_a_coin_last_seen_before_a_tile_came_off_it_to_where_it_lies(seed):
    """It slides 50 mm back from there. It is seen up to 50 ms before the hit, and then when it
    lies.
    """
    coin, wall_s = rebounded(flicked("moons", (-100.0, 0.0), (1400.0, 20.0)), WALL_X)
    hidden = replace(coin, hidden_s=(wall_s - 0.025, 0.7))
    path = smooth_episode(Shot((hidden,), fps=30, course=COURSE, seed=seed).episode())[0]
    assert [run.met for run in path.runs] == [(), ("tower-suns",)]
    assert path.runs[1].begin_s == pytest.approx(wall_s, abs=0.003)


def test_a_hit_breaks_a_law_if_the_coin_goes_through_the_tile_or_gains_speed():
    """At (25, -10) the side of the square faces down: 300 mm/s upward come to it, and go away from
    its other side at (25, 60)."""
    at, up, down = np.array([[25.0, -10.0]]), np.array([[0.0, 300.0]]), np.array([[0.0, -200.0]])
    assert off_side(SQUARE, at, up, down).tolist() == [[0.0, 0.0]]
    assert off_side(SQUARE, at, up, up).tolist() == [[300.0, 0.0]]
    assert off_side(SQUARE, np.array([[25.0, 60.0]]), up, down).tolist() == [[500.0, 0.0]]
    assert off_side(SQUARE, at, up, 2.0 * down).tolist() == [[0.0, 100.0]]


def test_the_way_out_of_a_square_leads_off_its_nearest_side_or_corner():
    at = np.array([[60.0, 20.0], [53.0, 54.0], [25.0, 1.0]])
    assert outward(SQUARE, at).round(6).tolist() == [[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]]
