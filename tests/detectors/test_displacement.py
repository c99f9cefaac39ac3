"""Tiles that lie elsewhere than before: how far, by whom, and back again."""

from dataclasses import replace

import pytest

from referee.detectors.displacement import displaced_tiles, turned
from referee.incident import TileDisplaced, TileRestored
from referee.layout import Course, Tile
from tests.detectors.scenes import episode, lying, path, run, sure
from tests.tracking.slides import course_at

HOME = course_at()
TILE = HOME.tiles["wicket-4-left"]


def moved(dx_mm: float, turn_deg: float = 0.0, name: str = "wicket-4-left") -> Course:
    tile = HOME.tiles[name]
    return HOME.with_tile(name, Tile((tile.centre_mm[0] + dx_mm, tile.centre_mm[1]), tile.rotation_deg + turn_deg))


X, Y = TILE.centre_mm
STRIKER = path("suns", run(0.1, (X - 115.0, Y), (900.0, 0.0), end_s=0.2), run(0.2, (X - 35.0, Y), (-200.0, 0.0), met=("wicket-4-left",)))


def test_a_tile_knocked_by_a_coin_is_displaced_at_the_contact():
    (found,) = displaced_tiles(episode(STRIKER, after=moved(2.4, 3.5)), (STRIKER,))
    assert isinstance(found, TileDisplaced)
    assert (found.tile, found.by, found.t_s) == ("wicket-4-left", "coin", 0.2)
    assert (found.moved_mm, found.turned_deg) == (pytest.approx(2.4), pytest.approx(3.5))
    assert sure(found)
    assert found.to.centre_mm == pytest.approx((TILE.centre_mm[0] + 2.4, TILE.centre_mm[1]), abs=0.01)


@pytest.mark.parametrize(("dx_mm", "turn_deg", "given"), [(1.9, 0.0, False), (2.1, 0.0, True), (0.0, 1.8, False), (0.0, 5.0, True), (0.0, -5.0, True)])
def test_it_counts_from_two_millimetres_or_two_degrees_on(dx_mm, turn_deg, given):
    assert bool(displaced_tiles(episode(STRIKER, after=moved(dx_mm, turn_deg)), (STRIKER,))) == given


def test_a_tile_that_a_hand_moved_says_so():
    still = lying("suns", (0.0, 0.0))
    (found,) = displaced_tiles(episode(still, hands={"suns": (0.2, 0.5)}, after=moved(9.0)), (still,))
    assert found.by == "hand" and sure(found)


def test_a_tile_put_back_where_it_belongs_is_restored():
    still = lying("suns", (0.0, 0.0))
    seen = episode(still, hands={"suns": (0.2, 0.5)}, course=moved(9.0), after=moved(0.5))
    (found,) = displaced_tiles(seen, (still,), HOME)
    assert isinstance(found, TileRestored)
    (not_home,) = displaced_tiles(episode(still, hands={"suns": (0.2, 0.5)}, course=moved(9.0), after=moved(4.0)), (still,), HOME)
    assert isinstance(not_home, TileDisplaced)


def test_a_tile_nobody_came_near_is_measured_wrong():
    still = lying("suns", (0.0, 0.0))
    assert displaced_tiles(episode(still, after=moved(2.05)), (still,)) == []


def test_a_tile_that_could_not_be_measured_again_says_nothing():
    blind = replace(episode(STRIKER, after=moved(5.0)), unmeasured_tiles=frozenset({"wicket-4-left"}))
    assert displaced_tiles(blind, (STRIKER,)) == []


@pytest.mark.parametrize(("before", "after", "turn"), [(0.0, 3.0, 3.0), (44.0, -44.0, 2.0), (-44.0, 44.0, -2.0), (10.0, -10.0, -20.0)])
def test_a_square_looks_the_same_after_a_quarter_turn(before, after, turn):
    assert turned(Tile((0.0, 0.0), before), Tile((0.0, 0.0), after)) == pytest.approx(turn)
