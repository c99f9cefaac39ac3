"""Tiles that lie elsewhere than before: how far, by whom, and back again."""

from dataclasses import replace

import pytest

from referee.detectors.displacement import displaced_tiles, turned
from referee.episode import Rest
from referee.incident import TileDisplaced, TileRestored
from referee.layout import Course, Tile
from tests.detectors.scenes import episode, lying, path, run, sure
from tests.tracking.slides import COIN_MM, TILE_MM, course_at

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


def test_what_moved_a_tile_is_not_certain_where_a_coin_went_elsewhere_unseen_beside_it():
    still, carried = lying("suns", (0.0, 0.0)), lying("moons", (X, Y - 60.0))
    seen = episode(still, carried, hands={"moons": (0.2, 0.5)}, after=moved(9.0))
    away = Rest((X + 40.0, Y - 80.0), 0.2)
    unseen = replace(seen, tracks=tuple(replace(t, after=away, settled_s=0.31) if t.coin == "moons" else t for t in seen.tracks))
    (found,) = displaced_tiles(unseen, (still, carried))
    assert not sure(found) and found.t_s == 0.31
    far = replace(seen, tracks=tuple(replace(t, before=Rest((X + 400.0, Y), 0.2), after=Rest((X + 500.0, Y), 0.2), settled_s=0.31) for t in seen.tracks))
    (found,) = displaced_tiles(far, (still, carried))
    assert found.by == "hand" and sure(found)


def test_a_coin_first_seen_on_its_way_may_have_pushed_a_tile_before():
    late = path("suns", run(0.4, (X + 60.0, Y), (900.0, 0.0)))
    seen = episode(late, hands={"suns": (0.2, 0.5)}, after=moved(9.0))
    under_hand = replace(seen, tracks=tuple(replace(t, before=Rest((X - 90.0, Y - 60.0), 0.2)) for t in seen.tracks))
    (found,) = displaced_tiles(under_hand, (late,))
    assert (found.by, found.t_s) == ("coin", 0.4) and not sure(found)


@pytest.mark.parametrize(("from_y", "certain"), [(-100.0, True), (0.0, False)])
def test_a_coin_first_seen_beside_a_tile_on_a_bent_way_bounced_off_it(from_y, certain):
    """It runs on to the right, 5 mm below the tile's edge and 25 mm right of its middle: having come from below, it was turned aside there."""
    below = Y - TILE_MM / 2 - COIN_MM / 2 - 5.0
    late = path("suns", run(0.4, (X + 25.0, below), (900.0, 0.0)))
    seen = episode(late, hands={"suns": (0.2, 0.5)}, after=moved(9.0))
    under_hand = replace(seen, tracks=tuple(replace(t, before=Rest((X - 65.0, below + from_y), 0.2)) for t in seen.tracks))
    (found,) = displaced_tiles(under_hand, (late,))
    assert found.by == "coin" and sure(found) == certain


def test_a_tile_put_back_beside_a_coin_that_is_carried_is_restored_for_certain():
    carried = lying("moons", (X, Y - 60.0))
    seen = episode(carried, hands={"moons": (0.2, 0.5)}, course=moved(9.0), after=moved(0.5))
    unseen = replace(seen, tracks=tuple(replace(t, after=Rest((X + 40.0, Y - 80.0), 0.2), settled_s=0.31) for t in seen.tracks))
    (found,) = displaced_tiles(unseen, (carried,), HOME)
    assert isinstance(found, TileRestored) and sure(found)


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


def test_who_moved_a_tile_that_was_not_seen_since_the_flick_before_is_not_certain():
    still = lying("suns", (0.0, 0.0))
    seen = episode(still, hands={"suns": (0.2, 0.5)}, after=moved(37.0))
    (found,) = displaced_tiles(replace(seen, lost_tiles=frozenset({"wicket-4-left"})), (still,))
    assert found.probability == 0.7 and not sure(found)
    (found,) = displaced_tiles(replace(seen, lost_tiles=frozenset({"wicket-4-right"})), (still,))
    assert sure(found)


def test_a_tile_that_could_not_be_measured_again_says_nothing():
    blind = replace(episode(STRIKER, after=moved(5.0)), unmeasured_tiles=frozenset({"wicket-4-left"}))
    assert displaced_tiles(blind, (STRIKER,)) == []


@pytest.mark.parametrize(("before", "after", "turn"), [(0.0, 3.0, 3.0), (44.0, -44.0, 2.0), (-44.0, 44.0, -2.0), (10.0, -10.0, -20.0)])
def test_a_square_looks_the_same_after_a_quarter_turn(before, after, turn):
    assert turned(Tile((0.0, 0.0), before), Tile((0.0, 0.0), after)) == pytest.approx(turn)
