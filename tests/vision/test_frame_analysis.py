"""Frame analysis on drawn frames: what lies still, what is gone, what is covered, and every disc
that moves.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from referee.domain.frame_observation import Expected, FrameObservation, Presence
from referee.domain.geometry import distance
from referee.domain.layout import Tile
from referee.vision.frame_analysis import FrameAnalysis
from tests.vision.drawn import COIN, LIGHT, RADIUS_MM, WOOD, Scenery, looking, table
from tests.vision.watched import EXPOSURE_S, HAND, MOONS, RESTING, STILL, SUNS, Watched


def test_on_a_still_table_nothing_stirs_and_noise_is_nothing():
    watched = Watched()
    for seed in range(5):
        observation = watched.see(STILL.but(seed=200 + seed))
        assert (
            observation.changing,
            observation.hand,
            observation.discs,
            dict(observation.presence),
        ) == (False, False, (), {})
    assert (observation.frame, observation.t_s) == (watched.frame, watched.frame / 60)


@pytest.mark.parametrize("to", [(0.0, 50.0), (-35.0, 12.0), (80.0, 30.0)])
def test_a_coin_that_left_is_gone_and_its_disc_is_where_it_is_now(to):
    observation = Watched().see(STILL.but(discs=((to, COIN), (MOONS, COIN))))
    assert observation.changing and not observation.hand
    assert observation.presence == {"suns": Presence.GONE}
    (disc,) = observation.discs
    assert distance(disc.at_mm, to) < 0.5 and not disc.at_hand and disc.support > 0.7


def test_a_coin_seen_moving_before_is_found_where_it_is_expected():
    watched = Watched()
    watched.see(STILL.but(discs=(((-40.0, 12.0), COIN), (MOONS, COIN))))
    now = (-22.0, 14.0)
    observation = watched.see(
        STILL.but(discs=((now, COIN), (MOONS, COIN))),
        Expected("suns", (-20.0, 14.5), (1100.0, 120.0), (-40.0, 12.0), 1 / 60),
    )
    (disc,) = observation.discs
    assert distance(disc.at_mm, now) < 0.5
    assert "suns" not in observation.quiet


@pytest.mark.parametrize("speed", [1000.0, 2500.0])
def test_a_streak_s_disc_is_at_mid_exposure(speed):
    way = (0.9, math.sqrt(1 - 0.81))
    sweep = (speed * EXPOSURE_S * way[0], speed * EXPOSURE_S * way[1])
    moving = Expected("suns", (3.0, 41.0), (speed * way[0], speed * way[1]), SUNS, 0.04)
    observation = Watched().see(STILL.but(discs=(((0.0, 40.0), COIN),), sweep_mm=sweep), moving)
    near = min(observation.discs, key=lambda d: distance(d.at_mm, (0.0, 40.0)))
    assert distance(near.at_mm, (0.0, 40.0)) < 1.0


def test_two_coins_that_part_after_a_hit_are_two_discs():
    a, b = (0.0, 40.0), (21.0, 42.0)
    observation = Watched().see(STILL.but(discs=((a, COIN), (b, COIN))))
    assert observation.presence == {"suns": Presence.GONE, "moons": Presence.GONE}
    assert len(observation.discs) == 2
    for at in (a, b):
        assert min(distance(d.at_mm, at) for d in observation.discs) < 0.7


def test_a_hand_over_a_coin_covers_it_and_is_no_coin():
    watched = Watched()
    observation = watched.see(STILL.but(blots=(HAND,)))
    assert observation.changing and observation.hand
    assert observation.presence == {"suns": Presence.COVERED} and observation.covered == {"suns"}
    assert observation.discs == ()
    again = watched.see(STILL.but(blots=(HAND,)))
    assert not again.changing and again.hand and again.presence == {"suns": Presence.COVERED}


def test_when_the_hand_has_gone_the_coin_is_there():
    watched = Watched()
    for k in range(3):
        watched.see(STILL.but(blots=(((-110.0, -90.0, -35.0, 40.0 - 2.0 * k), 140.0),)))
    observation = watched.see(STILL)
    assert (
        not observation.hand
        and observation.presence == {}
        and observation.covered == frozenset()
        and observation.discs == ()
    )


BETWEEN = ((-20.0, -90.0, 20.0, 40.0), 140.0)  # from the near edge between the two coins


def seen_still(watched: Watched, scenery: Scenery, frames: int = 10) -> FrameObservation:
    """Return what is observed in the last of some frames in which nothing changes."""
    return [watched.see(scenery.but(seed=300 + k)) for k in range(frames)][-1]


@pytest.mark.parametrize("wood", [WOOD, 200.0], ids=["a light hand", "a dark hand"])
def test_where_a_hand_lay_when_the_still_scene_was_taken_there_is_none_once_it_has_gone(wood):
    still = STILL.but(wood=wood)
    watched = Watched(still.but(blots=(BETWEEN,)))
    assert watched.see(still).hand
    observation = seen_still(watched, still)
    assert not observation.changing and not observation.hand and observation.covered == frozenset()
    back = watched.see(still.but(blots=(BETWEEN,)))
    assert back.hand and seen_still(watched, still.but(blots=(BETWEEN,))).hand


def test_a_coin_is_found_where_a_hand_had_lain_when_the_still_scene_was_taken():
    watched = Watched(STILL.but(blots=(BETWEEN,)))
    watched.see(STILL)
    seen_still(watched, STILL)
    observation = watched.see(STILL.but(discs=(((0.0, 20.0), COIN), (MOONS, COIN))))
    (disc,) = observation.discs
    assert distance(disc.at_mm, (0.0, 20.0)) < 0.5 and not disc.at_hand


def test_a_tile_that_lay_under_a_hand_in_the_still_scene_is_still_to_be_measured_once_it_has_gone():
    under, beside = (0.0, 10.0), (80.0, 50.0)
    watched = Watched(
        STILL.but(blots=(BETWEEN,)), tiles=(("wicket-1-left", under), ("wicket-1-right", beside))
    )
    watched.see(STILL)
    seen_still(watched, STILL)
    tiles = watched.analysis.course.tiles
    assert watched.analysis.difference.tile_touched(tiles["wicket-1-left"])
    assert not watched.analysis.difference.tile_touched(tiles["wicket-1-right"])
    assert watched.analysis.difference.hand_left(tiles["wicket-1-left"])
    assert not watched.analysis.difference.hand_left(tiles["wicket-1-right"])
    watched.analysis.refresh(STILL.picture())
    assert not watched.analysis.difference.tile_touched(tiles["wicket-1-left"])
    assert not watched.analysis.difference.hand_left(tiles["wicket-1-left"])


@pytest.mark.parametrize("brightness", [140.0, 60.0], ids=["light", "dark"])
def test_a_hand_that_lies_still_stays_a_hand(brightness):
    over = STILL.but(blots=((BETWEEN[0], brightness),))
    watched = Watched()
    assert watched.see(over).hand
    assert seen_still(watched, over, 60).hand


def test_when_the_hand_has_taken_it_the_coin_is_gone():
    watched = Watched()
    watched.see(STILL.but(blots=(HAND,)))
    observation = watched.see(STILL.but(discs=((MOONS, COIN),)))
    assert observation.presence == {"suns": Presence.GONE} and observation.discs == ()


@pytest.mark.parametrize("light", [0.7, 0.85])
def test_a_shadow_over_coins_moves_nothing(light):
    watched = Watched()
    observation = watched.see(STILL.but(shade=(-120.0, -90.0, 0.0, 90.0), light=light))
    assert observation.changing
    assert observation.discs == () and Presence.GONE not in observation.presence.values()


def test_what_happens_beyond_the_table_is_not_watched():
    # The table ends at x = 60. Something that moves at x = 100 is 40 mm beyond its edge, which is
    # beyond the watched margin.
    still = Scenery(looking(20.0), noise=1.5)
    analysis = FrameAnalysis.opened(table(still.view, half_mm=(60.0, 60.0)), still.picture(), LIGHT)
    beyond = analysis.observe(
        still.but(discs=(((100.0, 0.0), COIN),), seed=5).picture(), 1, 1 / 60, (), EXPOSURE_S
    )
    assert not beyond.changing and beyond.discs == ()
    falling = analysis.observe(
        still.but(discs=(((66.0, 0.0), COIN),), seed=6).picture(), 2, 2 / 60, (), EXPOSURE_S
    )
    assert falling.changing and len(falling.discs) == 1


def test_a_bright_place_on_a_tile_is_no_coin():
    still = Scenery(looking(20.0), noise=1.5)
    watched = Watched(still, (), (("wicket-1-left", (0.0, 40.0)),))
    assert watched.see(still.but(discs=(((0.0, 40.0), COIN),))).discs == ()


def test_around_a_moving_coin_that_has_stopped_it_is_quiet():
    watched = Watched()
    moved = STILL.but(discs=(((0.0, 40.0), COIN), (MOONS, COIN)))
    sliding = Expected("suns", (0.0, 40.0), (0.0, 0.0), (0.0, 40.0), 1 / 60)
    assert watched.see(moved, sliding).quiet == frozenset()
    assert watched.see(moved, sliding).quiet == {"suns"}


def test_a_coin_that_settled_belongs_to_the_still_scene_and_can_leave_again():
    watched = Watched()
    moved, to = STILL.but(discs=(((0.0, 40.0), COIN), (MOONS, COIN))), (0.0, 40.0)
    watched.see(moved)
    watched.analysis.settle(moved.but(seed=77).picture(), "suns", to)
    watched.resting = (Expected("suns", to), RESTING[1])
    assert watched.see(moved).presence == {}
    observation = watched.see(STILL.but(discs=(((70.0, 55.0), COIN), (MOONS, COIN))))
    assert observation.presence == {"suns": Presence.GONE}
    assert [d for d in observation.discs if distance(d.at_mm, (70.0, 55.0)) < 0.7]


def test_something_new_is_told_by_its_place_and_how_far_it_reaches():
    watched = Watched()
    watched.see(STILL.but(discs=((SUNS, COIN), (MOONS, COIN), ((20.0, 50.0), COIN))))
    ((new, reach_mm),) = watched.analysis.difference.something_new([SUNS, MOONS])
    assert distance(new, (20.0, 50.0)) < 4.0
    assert (
        RADIUS_MM - 1.0 < reach_mm < 1.42 * RADIUS_MM + 6.0
    )  # to a corner of its box, in whole pixels of the small copy
    assert watched.analysis.difference.changed_at(
        (20.0, 50.0)
    ) and not watched.analysis.difference.changed_at((-20.0, -50.0))
    watched.see(STILL)
    assert watched.analysis.difference.something_new([SUNS, MOONS]) == ()


@pytest.mark.parametrize("face", [COIN, 30.0])
def test_where_a_hand_lay_at_the_beginning_a_coin_of_any_grey_is_searched_for(face):
    watched = Watched(STILL.but(discs=((MOONS, COIN),), blots=(HAND,)), RESTING[1:])
    left = STILL.but(discs=((SUNS, face), (MOONS, COIN)))
    for _ in range(10):  # more than the tenth of a second after which it is clear that nobody moves
        watched.see(left)
    places = watched.analysis.difference.something_new([MOONS])
    assert any(distance(at_mm, SUNS) < reach_mm for at_mm, reach_mm in places)
    left_mm, near_mm, right_mm, far_mm = HAND[0]
    assert all(
        left_mm - reach_mm < x < right_mm + reach_mm and near_mm - reach_mm < y < far_mm + reach_mm
        for (x, y), reach_mm in places
    )


def test_a_tile_is_touched_when_something_differs_beside_it():
    still = Scenery(looking(20.0), noise=1.5)
    watched = Watched(still, ())
    watched.see(still.but(blots=(((20.0, 20.0, 40.0, 40.0), 200.0),)))
    assert watched.analysis.difference.tile_touched(Tile((30.0, 30.0)))
    assert not watched.analysis.difference.tile_touched(Tile((-60.0, -30.0)))


def test_coins_go_by_the_names_they_are_given():
    watched = Watched()
    watched.analysis.rename({"suns": "arms"})
    watched.resting = (Expected("arms", SUNS), RESTING[1])
    assert watched.see(STILL.but(discs=((MOONS, COIN),))).presence == {"arms": Presence.GONE}


def test_a_frame_that_shows_the_same_keeps_what_was_seen():
    """The caller saw that nothing changed, so the coin that is missing here goes unnoticed."""
    watched = Watched()
    unlike = STILL.but(discs=((MOONS, COIN),)).picture()
    for number in (4, 5):  # the first frames are all compared, because noise is measured in them
        watched.frame = number
        observation = watched.analysis.observe(
            unlike if number == 5 else STILL.picture(),
            number,
            number / 60,
            RESTING,
            0.008,
            same=True,
        )
        assert not observation.changing and observation.presence == {}


def test_a_refreshed_eye_takes_what_it_sees_for_the_still_scene():
    watched = Watched()
    other = STILL.but(discs=((MOONS, COIN), ((0.0, 55.0), COIN)))
    watched.see(other)
    watched.analysis.refresh(other.but(seed=88).picture())
    watched.analysis.lay("moons", MOONS)
    watched.analysis.lay("suns", (0.0, 55.0))
    watched.resting = (Expected("suns", (0.0, 55.0)), RESTING[1])
    observation = watched.see(other)
    assert (observation.changing, observation.presence, observation.discs) == (False, {}, ())


@pytest.mark.parametrize(
    ("guess_mm", "uneven_mm", "seen"),
    [
        ((-28.0, 26.5), 0.0, True),
        ((-37.87, 20.63), 10.0, True),  # 9 mm behind it on its way
        ((-37.87, 20.63), 0.0, False),
        ((-34.86, 33.74), 10.0, False),  # 10 mm beside its way
    ],
)
def test_looked_back_at_a_coin_is_found_on_its_way(guess_mm, uneven_mm, seen):
    watched = Watched()
    at = (-30.0, 25.0)
    frame = STILL.but(discs=((at, COIN), (MOONS, COIN)), seed=400).picture()
    watched.see(STILL.but(discs=(((10.0, 45.0), COIN), (MOONS, COIN))))
    search = watched.analysis.discs_in(frame)
    found = search.near("suns", guess_mm, (900.0, 500.0), EXPOSURE_S, uneven_mm)
    assert (found is not None) == seen
    assert found is None or distance(found.at_mm, at) < 0.7


@pytest.mark.parametrize("focal", [250.0, 900.0, 2600.0])
def test_however_large_coins_are_seen_they_are_found(focal):
    # The coins are 8, 30 and 87 px wide. The small copy shrinks less where they are small.
    view = looking(0.0)
    camera = view.camera.__class__(
        view.camera.width, view.camera.height, focal, focal, view.camera.cx_px, view.camera.cy_px
    )
    still = Scenery(view.__class__(camera, view.R_camera_table, view.t_camera_table_mm), noise=1.0)
    at = (15.0, 5.0)
    analysis = FrameAnalysis.opened(table(still.view), still.picture(), LIGHT)
    observation = analysis.observe(
        still.but(discs=((at, COIN),), seed=9).picture(), 1, 1 / 60, (), EXPOSURE_S
    )
    assert len(observation.discs) == 1 and distance(observation.discs[0].at_mm, at) < 1.0


def test_a_tile_that_moved_is_shown_in_the_background_of_the_beginning_too():
    """A hand has left since the episode began, so that there are two backgrounds. When the tile
    moves again, it is compared with the first one.
    """
    at, to = (80.0, 50.0), (84.0, 50.0)
    watched = Watched(STILL.but(blots=(BETWEEN,)), tiles=(("wicket-1-left", at),))
    watched.see(STILL)
    seen_still(watched, STILL)
    analysis = watched.analysis
    assert analysis.first_background is not analysis.background
    tile = analysis.course.tiles["wicket-1-left"]
    now = STILL.but(blots=(((59.0, 25.0, 109.0, 75.0), 200.0),)).picture()
    analysis.settle_tile(now, tile, replace(tile, centre_mm=to))
    x, y = (round(v) for v in STILL.view.to_image(np.array([[*to, 0.0]]))[0])
    assert now.luma[y, x] > 190
    for background in (analysis.background, analysis.first_background):
        assert background.picture.luma[y, x] == now.luma[y, x]
