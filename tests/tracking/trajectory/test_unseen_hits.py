"""Coins that were flicked into another coin beside them, and came off a tile before anyone saw
them; and two coins that a hand sent off together.
"""

import math
from dataclasses import replace
from types import MappingProxyType

import pytest

from referee.domain.layout import Course, Tile
from referee.domain.path import Path
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import TILE_MM, Coin, Leg, Shot, flicked, hit, rebounded

WALL_X = 60.0  # the left side of a tile in the way
HAND_S = (0.0, 0.5)
LAST_SEEN_S = 0.17  # the frame before a flick at 0.2 s, at 30 frames a second


def course(pushed_mm: float = 0.0) -> Course:
    tile = Tile((WALL_X + TILE_MM / 2 + pushed_mm, 0.0))
    return Course(MappingProxyType({"door-moons-left": tile}), TILE_MM)


def paths_of(shot: Shot) -> dict[str, Path]:
    """The paths of coins that were seen lying up to the frame before the flick."""
    episode = shot.episode()
    tracks = tuple(replace(track, lay_until_s=LAST_SEEN_S) for track in episode.tracks)
    return {path.coin: path for path in smooth_episode(replace(episode, tracks=tracks))}


def under_the_hand(coin: Coin, until_s: float) -> Coin:
    return replace(coin, hand_s=HAND_S, hidden_s=(0.2, until_s))


@pytest.mark.parametrize("seed", range(3))
def test_a_coin_seen_first_after_a_hit_and_a_tile_was_flicked_into_its_neighbour(seed):
    """Its neighbour lies 3 mm away. It hits that 4 ms after its flick, and the tile 44 ms later."""
    flick = flicked("moons", (0.0, 0.0), (1300.0, 300.0))
    striker, struck, hit_s = hit(flick, Coin("suns", (11.5, 20.0)))
    striker, wall_s = rebounded(striker, WALL_X)
    coins = (under_the_hand(striker, wall_s + 0.004), under_the_hand(struck, hit_s))
    paths = paths_of(Shot(coins, fps=30, course=course(), course_after=course(3.0), seed=seed))
    moons, suns = paths["moons"], paths["suns"]
    assert [run.met for run in moons.runs] == [(), ("suns",), ("door-moons-left",)]
    assert suns.runs[0].met == ("moons",)
    assert not moons.held
    assert suns.runs[0].begin_s == pytest.approx(hit_s, abs=0.004)
    assert moons.runs[2].begin_s == pytest.approx(wall_s, abs=0.006)


@pytest.mark.parametrize(("apart_mm", "line_deg", "flick_deg"), [(23.0, 40, -20), (24.5, 60, 0)])
def test_a_coin_that_leaves_aside_of_the_line_of_centres_was_not_hit(apart_mm, line_deg, flick_deg):
    """Rims push along the line of centres. The other coin leaves 70 degrees aside of it, by a hand,
    as the flicked coin goes by."""
    line, way = math.radians(line_deg), math.radians(line_deg + 70)
    lay = (apart_mm * math.cos(line), apart_mm * math.sin(line))
    other = Coin("suns", lay, (Leg(0.204, lay, (500.0 * math.cos(way), 500.0 * math.sin(way))),))
    flick = math.radians(flick_deg)
    coin = flicked("moons", (0.0, 0.0), (1200.0 * math.cos(flick), 1200.0 * math.sin(flick)))
    coins = (under_the_hand(coin, 0.24), replace(other, hand_s=HAND_S))
    suns = paths_of(Shot(coins, fps=30))["suns"]
    assert suns.runs and not any("moons" in run.met for run in suns.runs)
