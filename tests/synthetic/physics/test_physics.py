"""Physics compared with numbers computed by hand, and what must hold in every shot."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.domain.geometry import distance, dot, subtract
from referee.domain.layout import Tile
from referee.synthetic.physics.impact import Surface, bounce_discs, bounce_off_tile
from referee.synthetic.physics.meeting import (
    along_to_square,
    discs_meet,
    moving_square_met,
    square_gap,
    square_met,
)
from referee.synthetic.physics.motion import Slide, TileSlide
from referee.synthetic.physics.shot import Table, play

OUTLINE = ((-600.0, -400.0), (600.0, -400.0), (600.0, 400.0), (-600.0, 400.0))
ELASTIC = Surface(slowing_mm_s2=2000.0, coin_bounce=1.0)


def table(coins, tiles=None, surface=ELASTIC):
    return Table(coins, tiles or {}, OUTLINE, 22.0, 50.0, surface)


def test_a_coin_stops_after_v_squared_over_2a_and_v_over_a():
    shot = play(table({"moons": (0.0, 0.0)}), 2.0, {"moons": (600.0, 800.0)})
    (slide,) = shot.slides["moons"]
    assert slide.end_s == pytest.approx(2.5, abs=1e-12)
    assert slide.position(slide.end_s) == pytest.approx(
        (150.0, 200.0), abs=1e-9
    )  # 1000^2 / 4000 = 250 mm along (0.6, 0.8)


def test_head_on_equal_coins_swap_velocities():
    # 100 mm at 1000 mm/s with 2000 mm/s2 leave sqrt(600000) mm/s, after (1000 - 774.597) / 2000 s.
    # Then the other coin slides 150 mm.
    shot = play(table({"moons": (0.0, 0.0), "suns": (122.0, 0.0)}), 0.0, {"moons": (1000.0, 0.0)})
    (bump,) = shot.bumps
    assert bump.t_s == pytest.approx((1000 - math.sqrt(600000)) / 2000, abs=1e-10)
    assert (bump.coin, bump.with_) == ("moons", "suns")
    assert bump.closing_mm_s == pytest.approx(math.sqrt(600000), abs=1e-6)
    last = {coin: slides[-1].position(slides[-1].end_s) for coin, slides in shot.slides.items()}
    assert last["moons"] == pytest.approx((100.0, 0.0), abs=1e-6)
    assert last["suns"] == pytest.approx((272.0, 0.0), abs=1e-6)


def test_a_half_ball_hit_sends_the_coins_apart_at_right_angles():
    shot = play(table({"moons": (0.0, 0.0), "suns": (100.0, 11.0)}), 0.0, {"moons": (1000.0, 0.0)})
    away, struck = (shot.slides[c][-1].heading for c in ("moons", "suns"))
    assert dot(away, struck) == pytest.approx(0.0, abs=1e-9)
    assert math.degrees(math.atan2(struck[1], struck[0])) == pytest.approx(
        30.0, abs=1e-6
    )  # sin = 11 / 22


def test_a_miss_by_a_hair_is_no_contact_and_a_hair_deeper_is_one():
    miss = play(
        table({"moons": (0.0, 0.0), "suns": (100.0, 22.0001)}), 0.0, {"moons": (1000.0, 0.0)}
    )
    hit = play(
        table({"moons": (0.0, 0.0), "suns": (100.0, 21.9999)}), 0.0, {"moons": (1000.0, 0.0)}
    )
    assert len(miss.bumps) == 0
    assert len(hit.bumps) == 1


def test_a_fall_is_the_instant_at_which_the_centre_passes_the_edge():
    # 200 mm to go at 1000 mm/s: (1000 - sqrt(1e6 - 2 * 2000 * 200)) / 2000 s
    shot = play(table({"moons": (400.0, 10.0)}), 0.0, {"moons": (1000.0, 0.0)})
    (fall,) = shot.falls
    assert fall.t_s == pytest.approx((1000 - math.sqrt(200000)) / 2000, abs=1e-10)
    assert fall.slide.position(fall.t_s) == pytest.approx((600.0, 10.0), abs=1e-7)


def test_a_coin_meets_a_corner_on_the_arc_round_it():
    # The corner is (75, 25), and the centre comes along y = 30.5: sin = 5.5 / 11, so it is 11 cos
    # 30 before the corner.
    reach = along_to_square((0.0, 30.5), (1.0, 0.0), Tile((100.0, 0.0)), 50.0, 11.0)
    assert reach == pytest.approx(75 - 11 * math.cos(math.radians(30)), abs=1e-9)


def test_a_coin_meets_the_side_of_a_turned_tile():
    # A tile turned by 45 degrees has a corner towards the coin, at (100 - 25 sqrt 2, 0).
    reach = along_to_square((0.0, 0.0), (1.0, 0.0), Tile((100.0, 0.0), 45.0), 50.0, 11.0)
    assert reach == pytest.approx(100 - 25 * math.sqrt(2) - 11, abs=1e-6)


def test_a_coin_beside_a_tile_does_not_meet_it():
    assert along_to_square((0.0, 36.0 + 1e-6), (1.0, 0.0), Tile((100.0, 0.0)), 50.0, 11.0) is None


def test_a_push_in_the_middle_moves_a_tile_without_turning_it():
    # They close at 1000 mm/s without a bounce and have masses 1 and 4. Both continue at 200 mm/s.
    kick = bounce_off_tile(
        (1000.0, 0.0), (0.0, 0.0), 0.0, (-25.0, 0.0), (-1.0, 0.0), 4.0, 50.0, 0.0
    )
    assert kick.coin_mm_s == pytest.approx((200.0, 0.0))
    assert kick.tile_mm_s == pytest.approx((200.0, 0.0))
    assert kick.tile_rad_s == 0.0


def test_a_tile_slides_v_squared_over_2a():
    surface = Surface(
        slowing_mm_s2=2000.0, tile_slowing_mm_s2=1500.0, tile_bounce=0.0, tile_mass=4.0
    )
    shot = play(
        table({"moons": (0.0, 0.0)}, {"wicket-1-left": Tile((136.0, 0.0))}, surface),
        0.0,
        {"moons": (1000.0, 0.0)},
    )
    moved = shot.tiles["wicket-1-left"][0]
    speed = math.sqrt(600000) / 5  # the coin arrives with sqrt(600000) mm/s after 100 mm
    assert moved.velocity_mm_s == pytest.approx((speed, 0.0), abs=0.2)
    assert moved.pose(9.0).centre_mm == pytest.approx((136 + speed**2 / 3000, 0.0), abs=0.02)


velocity = st.tuples(st.floats(-3000, 3000), st.floats(-3000, 3000))
angle = st.floats(0, 2 * math.pi)


@given(velocity, velocity, angle, st.floats(0, 1))
def test_discs_keep_momentum_and_never_gain_energy(va, vb, turn, bounce):
    normal = (math.cos(turn), math.sin(turn))
    wa, wb = bounce_discs(va, vb, normal, bounce)
    assert wa[0] + wb[0] == pytest.approx(va[0] + vb[0], abs=1e-6)
    assert wa[1] + wb[1] == pytest.approx(va[1] + vb[1], abs=1e-6)
    closing = dot(subtract(vb, va), normal)
    if closing > 10:
        assert dot(wa, wa) + dot(wb, wb) <= dot(va, va) + dot(vb, vb) + 1e-6
        assert dot(subtract(wa, wb), normal) == pytest.approx(bounce * closing, abs=1e-6)


@given(velocity, st.floats(-25, 25), st.floats(1, 30))
def test_an_elastic_hit_on_a_tile_keeps_momentum_energy_and_spin(v, offset, mass):
    normal, arm = (-1.0, 0.0), (-25.0, offset)
    kick = bounce_off_tile(v, (0.0, 0.0), 0.0, arm, normal, mass, 50.0, 1.0)
    if v[0] < 10:
        return
    inertia = mass * 50.0**2 / 6
    before = dot(v, v)
    after = (
        dot(kick.coin_mm_s, kick.coin_mm_s)
        + mass * dot(kick.tile_mm_s, kick.tile_mm_s)
        + inertia * kick.tile_rad_s**2
    )
    assert after == pytest.approx(before, rel=1e-9)
    assert kick.coin_mm_s[0] + mass * kick.tile_mm_s[0] == pytest.approx(v[0], rel=1e-9)
    # About the tile's middle: the coin's momentum at the point of contact, before and after.
    assert arm[1] * -kick.coin_mm_s[0] + inertia * kick.tile_rad_s == pytest.approx(
        arm[1] * -v[0], rel=1e-7, abs=1e-6
    )


@settings(max_examples=60, deadline=None)
@given(st.floats(100, 2500), angle, st.floats(60, 300), st.floats(-40, 40), st.floats(-45, 45))
def test_in_any_shot_rims_touch_at_bumps_and_nothing_ever_overlaps(speed, turn, away, aside, tilt):
    coins = {"moons": (-300.0, 0.0), "suns": (-300.0 + away, aside), "arms": (60.0, -30.0)}
    tiles = {
        "wicket-1-left": Tile((150.0, 60.0), tilt),
        "left-endpost": Tile((-450.0, 30.0), tilt / 2, 3),
    }
    shot = play(
        table(coins, tiles, Surface()),
        0.0,
        {"moons": (speed * math.cos(turn), speed * math.sin(turn))},
    )
    for bump in shot.bumps:
        at = bump.coin_slide.position(bump.t_s)
        if bump.other is not None:
            assert distance(at, bump.other.position(bump.t_s)) == pytest.approx(22.0, abs=1e-6)
    rests = {c: (Slide(0.0, p),) for c, p in coins.items()} | dict(shot.slides)
    for k in range(101):
        t_s = shot.end_s * k / 100
        now = {
            c: next(s for s in reversed(slides) if s.begin_s <= t_s) for c, slides in rests.items()
        }
        at = {
            c: s.position(min(t_s, s.end_s))
            for c, s in now.items()
            if not any(f.coin == c and f.t_s <= t_s for f in shot.falls)
        }
        names = list(at)
        for i, a in enumerate(names):
            assert all(distance(at[a], at[b]) > 22.0 - 1e-5 for b in names[i + 1 :])
        for name, tile in tiles.items():
            pose = next(
                (
                    m.pose(min(t_s, m.end_s))
                    for m in reversed(shot.tiles.get(name, ()))
                    if m.begin_s <= t_s
                ),
                tile,
            )
            assert all(square_gap(pose, 50.0, p, 11.0) > -1e-5 for p in at.values())


@settings(max_examples=60, deadline=None)
@given(st.floats(200, 2500), st.floats(-40, 40), st.floats(-45, 45))
def test_advancing_towards_a_tile_agrees_with_the_formula(speed, aside, tilt):
    slide, tile = Slide(0.0, (0.0, aside), (speed, 0.0), 500.0), Tile((120.0, 0.0), tilt)
    exact = square_met(slide, tile, 50.0, 11.0, 0.0, slide.stop_s)
    stepped = moving_square_met(slide, TileSlide(0.0, tile, side_mm=50.0), 11.0, 0.0, slide.stop_s)
    assert (exact is None) == (stepped is None)
    if exact is not None and stepped is not None:
        assert distance(slide.position(exact), slide.position(stepped)) < 1e-2
        assert abs(square_gap(tile, 50.0, slide.position(stepped), 11.0)) < 1e-6


def test_a_coin_that_stops_just_short_of_another_does_not_touch_it():
    # The way is 1000^2 / 4000 = 250 mm; the rims are 250.001 mm apart.
    slide, other = Slide(0.0, (0.0, 0.0), (1000.0, 0.0), 2000.0), Slide(0.0, (272.001, 0.0))
    assert discs_meet(slide, other, 22.0, 0.0, slide.stop_s) is None
    assert discs_meet(slide, Slide(0.0, (271.999, 0.0)), 22.0, 0.0, slide.stop_s) == pytest.approx(
        0.5, abs=2e-3
    )


def test_pieces_that_overlap_are_refused():
    with pytest.raises(ValueError, match="moons and suns overlap"):
        play(table({"moons": (0.0, 0.0), "suns": (21.0, 0.0)}), 0.0, {})
    with pytest.raises(ValueError, match="moons and wicket-1-left overlap"):
        play(table({"moons": (0.0, 0.0)}, {"wicket-1-left": Tile((30.0, 0.0))}), 0.0, {})


def test_a_touching_coin_is_moved_at_once():
    shot = play(table({"moons": (0.0, 0.0), "suns": (22.0, 0.0)}), 1.0, {"moons": (500.0, 0.0)})
    assert shot.bumps[0].t_s == 1.0
    assert shot.slides["suns"][0].begin_s == 1.0


HIGH = Surface(slowing_mm_s2=2000.0, tile_bounce=0.5, climbs_mm_s=900.0)
WALL = {"wall-e-1": Tile((136.0, 0.0)), "wall-e-2": Tile((136.0, 50.0))}  # near side at x = 111


def test_a_tile_that_a_hand_holds_stays_and_throws_the_coin_back():
    """After 100 mm at 1000 mm/s friction leaves sqrt(600000); half of it comes back."""
    held = replace(table({"moons": (0.0, 0.0)}, WALL), held=frozenset(WALL))
    held = replace(held, surface=replace(HIGH, climbs_mm_s=math.inf))
    shot = play(held, 0.0, {"moons": (1000.0, 0.0)})
    assert shot.tiles == {}
    back = shot.slides["moons"][-1].velocity_mm_s
    assert back == pytest.approx((-math.sqrt(600000) / 2, 0.0), abs=1e-6)
    loose = play(replace(held, held=frozenset()), 0.0, {"moons": (1000.0, 0.0)})
    assert list(loose.tiles) == ["wall-e-1"]


def test_a_fast_coin_climbs_a_wall_loses_the_energy_of_the_height_and_comes_down_behind():
    """It meets the wall after 89 mm at 1200 mm/s, goes up 5 mm, and is clear of it 22 + 50 mm on,
    where it meets the other coin no more than on its way over the wall.
    """
    coins = {"moons": (11.0, 0.0), "suns": (125.0, 120.0)}
    shot = play(table(coins, WALL, HIGH), 0.0, {"moons": (1200.0, 0.0)})
    before, over, behind = shot.slides["moons"]
    assert (before.height_mm, over.height_mm, behind.height_mm) == (0.0, 5.0, 0.0)
    at_wall = 1200.0**2 - 2 * 2000.0 * 89.0
    up = at_wall - 2 * 9810.0 * 5.0
    assert over.speed_mm_s == pytest.approx(math.sqrt(up), abs=1e-6)
    assert behind.from_mm == pytest.approx((172.0, 0.0), abs=1e-4)
    assert behind.speed_mm_s == pytest.approx(math.sqrt(up - 2 * 2000.0 * 72.0), abs=1e-3)
    assert shot.tiles == {} and [bump.with_ for bump in shot.bumps] == ["wall-e-1"]


def test_a_coin_that_would_stop_half_off_a_wall_is_refused_and_one_on_it_lies_there():
    """Up there it slides v^2 / 2a. It touches the wall with its centre at x = 100, and the wall's
    far side is at 161.
    """

    def sent(way_mm):
        at_wall = 2 * 2000.0 * way_mm + 2 * 9810.0 * 5.0
        speed = math.sqrt(at_wall + 2 * 2000.0 * 89.0)
        slow = replace(HIGH, climbs_mm_s=1.0)
        return play(table({"moons": (11.0, 0.0)}, WALL, slow), 0.0, {"moons": (speed, 0.0)})

    last = sent(40.0).slides["moons"][-1]
    assert last.height_mm == 5.0
    assert last.position(last.end_s) == pytest.approx((140.0, 0.0), abs=1e-6)
    with pytest.raises(ValueError, match="moons would stop with its centre beside the tile"):
        sent(65.0)
