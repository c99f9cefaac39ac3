"""Tiles that lie elsewhere than before: how far, by whom, and back again."""

import math
from dataclasses import replace
from statistics import NormalDist

import pytest

from referee.detectors.coin_motion.displacement import displaced_tiles
from referee.detectors.unseen.stretches import unseen_stretches
from referee.domain.episode import Rest
from referee.domain.incident import TileDisplaced, TileRestored
from referee.domain.layout import Course, Tile, turned
from referee.domain.path import Held
from tests.detectors.scenes import episode, lying, path, run, sure
from tests.tracking.slides import COIN_MM, SLOWING, TILE_MM, course_at

HOME = course_at()
TILE = HOME.tiles["wicket-4-left"]


def moved(dx_mm: float, turn_deg: float = 0.0, name: str = "wicket-4-left") -> Course:
    tile = HOME.tiles[name]
    return HOME.with_tile(
        name, Tile((tile.centre_mm[0] + dx_mm, tile.centre_mm[1]), tile.rotation_deg + turn_deg)
    )


X, Y = TILE.centre_mm
STRIKER = path(
    "suns",
    run(0.1, (X - 115.0, Y), (900.0, 0.0), end_s=0.2),
    run(0.2, (X - 35.0, Y), (-200.0, 0.0), met=("wicket-4-left",)),
)


def test_a_tile_knocked_by_a_coin_is_displaced_at_the_contact():
    (found,) = displaced_tiles(episode(STRIKER, after=moved(2.4, 3.5)), (STRIKER,))
    assert isinstance(found, TileDisplaced)
    assert (found.tile, found.by, found.t_s) == ("wicket-4-left", "coin", 0.2)
    assert (found.moved_mm, found.turned_deg) == (pytest.approx(2.4), pytest.approx(3.5))
    assert sure(found)
    assert found.to.centre_mm == pytest.approx(
        (TILE.centre_mm[0] + 2.4, TILE.centre_mm[1]), abs=0.01
    )


@pytest.mark.parametrize(
    ("dx_mm", "turn_deg", "given"),
    [(1.2, 0.0, False), (2.1, 0.0, True), (0.0, 0.8, False), (0.0, 5.0, True), (0.0, -5.0, True)],
)
def test_it_counts_from_two_millimetres_or_two_degrees_on(dx_mm, turn_deg, given):
    found = displaced_tiles(episode(STRIKER, after=moved(dx_mm, turn_deg)), (STRIKER,))
    assert [sure(one) for one in found] == [True] * given


@pytest.mark.parametrize(("dx_mm", "turn_deg"), [(1.9, 0.0), (0.0, -1.8)])
def test_a_tile_that_a_coin_moved_by_hardly_less_is_asked_about(dx_mm, turn_deg):
    """Each place has an error of 0.3 mm, so the motion has one of 0.42 mm, and at the corners it is
    one of 0.69 degrees.
    """
    after = moved(dx_mm, turn_deg)
    (found,) = displaced_tiles(episode(STRIKER, after=after), (STRIKER,))
    chance = 0.407 if dx_mm else 0.386  # of an error of more than 0.24 or 0.29 sigmas
    assert found.by == "coin" and found.probability == pytest.approx(chance, abs=2e-3)
    still = lying("suns", (0.0, 0.0))
    assert displaced_tiles(episode(still, hands={"suns": (0.2, 0.5)}, after=after), (still,)) == []
    assert displaced_tiles(episode(STRIKER), (STRIKER,)) == []


def test_a_tile_that_a_hand_moved_says_so():
    still = lying("suns", (0.0, 0.0))
    (found,) = displaced_tiles(
        episode(still, hands={"suns": (0.2, 0.5)}, after=moved(9.0)), (still,)
    )
    assert found.by == "hand" and sure(found)


def test_a_coin_first_seen_on_its_way_may_have_pushed_a_tile_before():
    """By whom is not asked, so the incident is certain: the tile surely moved."""
    late = path("suns", run(0.4, (X + 60.0, Y), (900.0, 0.0)), rest=(X - 90.0, Y - 60.0))
    seen = episode(late, hands={"suns": (0.2, 0.5)}, after=moved(9.0))
    (found,) = displaced_tiles(seen, (late,))
    assert (found.by, found.t_s) == ("coin", 0.4) and sure(found)


@pytest.mark.parametrize(("sightings", "by"), [(0, "coin"), (6, "hand")])
def test_a_coin_whose_way_to_a_bounce_is_only_inferred_may_have_gone_by_way_of_another_tile(
    sightings, by
):
    """The coin lay 90 mm below the tile, and was seen coming back from something 60 mm to the right
    of there. Both ways are at least 50 mm from the tile.
    """
    lay, turn = (X, Y - 90.0), (X + 60.0, Y - 90.0)
    there = run(0.2, lay, (900.0, 0.0), end_s=0.27, sightings=sightings)
    back = run(0.27, turn, (-200.0, -200.0))
    bounced = path("suns", there, back)
    (found,) = displaced_tiles(
        episode(bounced, hands={"suns": (0.1, 0.5)}, after=moved(9.0)), (bounced,)
    )
    assert found.by == by


@pytest.mark.parametrize(("sightings", "t_s"), [(0, 0.35), (5, None)])
def test_a_coin_lost_under_a_hand_beside_a_tile_may_have_struck_it_meanwhile(sightings, t_s):
    """The coin is seen until 60 mm below the tile, and said to have stopped 40 mm farther on. Where
    it was seen, it was not near the tile.
    """
    below = Y - TILE_MM / 2 - COIN_MM / 2 - 50.0
    there = run(0.2, (X - 300.0, below), (2000.0, 0.0), end_s=0.35)
    on = run(0.35, there.position(0.35), (300.0, 0.0), sightings=sightings)
    lost = path("suns", there, on)
    (found,) = displaced_tiles(episode(lost, hands={"suns": (0.1, 0.5)}, after=moved(9.0)), (lost,))
    assert (found.by, found.t_s) == (("hand", 0.5) if t_s is None else ("coin", t_s))


@pytest.mark.parametrize(("dearer", "by"), [(-4.0, "coin"), (7.0, "coin"), (20.0, "hand")])
def test_a_coin_that_slid_under_a_hand_from_beside_a_tile_may_have_pushed_it(dearer, by):
    """A hand is over the coin until 0.5 s. That the tile was pushed, too, speaks for a slide with
    the price of an event, 8.
    """
    held = (Held(0.2, 0.5, True, dearer),)
    coin = path("moons", rest=(X + 40.0, Y), after=(X + 150.0, Y), held=held)
    seen = episode(coin, hands={"moons": (0.2, 0.5)}, after=moved(8.0))
    (found,) = displaced_tiles(seen, (coin,))
    assert isinstance(found, TileDisplaced) and found.by == by
    assert (found.t_s == pytest.approx(0.2)) == (by == "coin")


def test_a_tile_put_back_beside_a_coin_that_is_carried_is_restored_for_certain():
    carried = lying("moons", (X, Y - 60.0))
    seen = episode(carried, hands={"moons": (0.2, 0.5)}, course=moved(9.0), after=moved(0.5))
    unseen = replace(
        seen,
        tracks=tuple(
            replace(t, after=Rest((X + 40.0, Y - 80.0), 0.2), settled_s=0.31) for t in seen.tracks
        ),
    )
    (found,) = displaced_tiles(unseen, (carried,), HOME)
    assert isinstance(found, TileRestored) and sure(found)


def test_a_tile_put_back_where_it_belongs_is_restored():
    still = lying("suns", (0.0, 0.0))
    seen = episode(still, hands={"suns": (0.2, 0.5)}, course=moved(9.0), after=moved(0.5))
    (found,) = displaced_tiles(seen, (still,), HOME)
    assert isinstance(found, TileRestored)
    (not_home,) = displaced_tiles(
        episode(still, hands={"suns": (0.2, 0.5)}, course=moved(9.0), after=moved(4.0)),
        (still,),
        HOME,
    )
    assert isinstance(not_home, TileDisplaced)


def test_a_tile_nobody_came_near_is_measured_wrong():
    still = lying("suns", (0.0, 0.0))
    assert displaced_tiles(episode(still, after=moved(2.05)), (still,)) == []


def test_that_a_tile_was_moved_now_that_was_not_seen_since_the_flick_before_is_not_certain():
    still = lying("suns", (0.0, 0.0))
    seen = episode(still, hands={"suns": (0.2, 0.5)}, after=moved(37.0))
    (found,) = displaced_tiles(replace(seen, lost_tiles=frozenset({"wicket-4-left"})), (still,))
    assert found.probability == 0.8 and not sure(found)
    (found,) = displaced_tiles(replace(seen, lost_tiles=frozenset({"wicket-4-right"})), (still,))
    assert sure(found)


def test_a_tile_that_could_not_be_measured_again_says_nothing():
    blind = replace(
        episode(STRIKER, after=moved(5.0)), unmeasured_tiles=frozenset({"wicket-4-left"})
    )
    assert displaced_tiles(blind, (STRIKER,)) == []


@pytest.mark.parametrize(
    ("before", "after", "turn"),
    [(0.0, 3.0, 3.0), (44.0, -44.0, 2.0), (-44.0, 44.0, -2.0), (10.0, -10.0, -20.0)],
)
def test_a_square_looks_the_same_after_a_quarter_turn(before, after, turn):
    assert turned(Tile((0.0, 0.0), before), Tile((0.0, 0.0), after)) == pytest.approx(turn)


def measured(dx_mm: float, turn_deg: float, sigma_mm: float) -> tuple[Course, Course]:
    """Return the course before and after. The tile's places have errors of 0.6 and 0.8 of the
    sigma, so their difference has all of it.
    """
    after = moved(dx_mm, turn_deg)
    sigmas = ((HOME, 0.6 * sigma_mm), (after, 0.8 * sigma_mm))
    before, behind = (
        c.with_tile("wicket-4-left", replace(c.tiles["wicket-4-left"], sigma_mm=s))
        for c, s in sigmas
    )
    return before, behind


@pytest.mark.parametrize(("dx_mm", "sigmas"), [(2.2, 1.5), (2.0, 1.25), (3.0, 2.5)])
def test_a_tile_is_displaced_as_surely_as_half_of_the_two_millimetres_is_real(dx_mm, sigmas):
    """The place has an error of 0.8 mm. A motion of 2.2 mm is 1.5 standard uncertainties more than
    the millimetre that must be real.
    """
    before, after = measured(dx_mm, 0.0, 0.8)
    (found,) = displaced_tiles(episode(STRIKER, course=before, after=after), (STRIKER,))
    assert found.probability == pytest.approx(NormalDist().cdf(sigmas), abs=1e-3)
    assert found.sigma_mm == pytest.approx(0.8)


@pytest.mark.parametrize("turn_deg", [3.0, -3.0])
def test_a_tile_is_turned_as_surely_as_half_of_the_two_degrees_is_real(turn_deg):
    """The error is 1 mm at the corners, which are half a diagonal from the middle: 35.36 mm of a
    tile of 50 mm. A rotation by 3 degrees is 2 degrees more than the 1 degree that must be real.
    """
    before, after = measured(0.0, turn_deg, 1.0)
    (found,) = displaced_tiles(episode(STRIKER, course=before, after=after), (STRIKER,))
    assert found.probability == pytest.approx(
        NormalDist().cdf(2.0 / math.degrees(1 / 35.355)), abs=1e-3
    )
    assert found.turned_deg == pytest.approx(turn_deg)


@pytest.mark.parametrize(
    ("dx_mm", "turn_deg", "given"),
    [(2.1, 0.0, True), (0.0, 5.0, True), (0.0, -5.0, True), (0.0, 2.4, False)],
)
def test_a_tile_nobody_came_near_was_moved_where_it_is_plain_by_five_sigmas(dx_mm, turn_deg, given):
    """Errors are 0.4 mm and 0.76 degrees: 2.1 mm are 5.25 standard uncertainties, 5 degrees are
    6.5, 2.4 degrees 3.1.
    """
    still = lying("suns", (0.0, 0.0))
    before, after = measured(dx_mm, turn_deg, 0.4)
    found = displaced_tiles(episode(still, course=before, after=after), (still,))
    assert [(f.by, f.t_s) for f in found] == (
        [("hand", pytest.approx(59 / 60))] if given else []
    )  # when it becomes known: in the last frame


def test_a_coin_that_slides_by_a_corner_pushed_the_tile_when_it_was_nearest():
    """The coin passes the upper right corner at 45 degrees, with its rim a millimetre away, after
    80 mm of its way.
    """
    off = COIN_MM / 2 + 1.0
    nearest = (X + (TILE_MM / 2 + off * math.sqrt(0.5)), Y + (TILE_MM / 2 + off * math.sqrt(0.5)))
    passing = path(
        "suns",
        run(
            0.1,
            (nearest[0] - 80.0 * math.sqrt(0.5), nearest[1] + 80.0 * math.sqrt(0.5)),
            (700.0, -700.0),
        ),
    )
    (found,) = displaced_tiles(episode(passing, after=moved(9.0)), (passing,))
    speed = 700.0 * math.sqrt(2.0)
    after_80_mm = (speed - math.sqrt(speed**2 - 2 * SLOWING * 80.0)) / SLOWING
    assert found.by == "coin" and sure(found)
    assert found.t_s == pytest.approx(
        0.1 + after_80_mm, abs=0.5 * speed / SLOWING / 40
    )  # examined 40 times on its way


@pytest.mark.parametrize(("gap_mm", "by"), [(2.5, "coin"), (3.5, "hand")])
def test_a_coin_that_stops_within_three_millimetres_of_a_tile_may_have_pushed_it(gap_mm, by):
    touching_x = X - TILE_MM / 2 - COIN_MM / 2
    stops = path(
        "suns", run(0.1, (touching_x - 80.0, Y), (math.sqrt(2 * SLOWING * (80.0 - gap_mm)), 0.0))
    )
    (found,) = displaced_tiles(
        episode(stops, hands={"suns": (0.05, 0.11)}, after=moved(9.0)), (stops,)
    )
    assert found.by == by


def test_a_coin_turned_back_by_another_before_it_came_to_the_tile_did_not_push_it():
    """The coin was 30 mm away when it turned. Otherwise it would have hit the tile's middle."""
    out = run(0.1, (X - 115.0, Y), (900.0, 0.0), end_s=0.16)
    turned_back = path("suns", out, run(0.16, out.position(0.16), (-300.0, 0.0), met=("moons",)))
    (found,) = displaced_tiles(
        episode(turned_back, hands={"suns": (0.05, 0.11)}, after=moved(9.0)), (turned_back,)
    )
    assert found.by == "hand"


def test_a_coin_that_lies_still_beside_a_tile_takes_nothing_from_a_hand_s_having_moved_it():
    still = lying("moons", (X, Y - 60.0))
    scene = episode(still, hands={"moons": (0.2, 0.5)}, after=moved(9.0))
    for after in (Rest((X + 0.5, Y - 60.0), 0.2), None):  # where it was, or taken away for good
        seen = replace(
            scene,
            tracks=tuple(
                replace(t, after=after, settled_s=None if after is None else 0.31)
                for t in scene.tracks
            ),
        )
        (found,) = displaced_tiles(seen, (still,))
        assert (found.by, found.t_s) == ("hand", 0.5) and sure(found)


def test_a_coin_newly_on_the_table_beside_a_tile_that_a_hand_moved_says_nothing_of_its_own_way():
    placed = replace(lying("moons", (X, Y - 60.0)), rest_before_mm=None)
    (found,) = displaced_tiles(
        episode(placed, hands={"moons": (0.2, 0.5)}, after=moved(9.0)), (placed,)
    )
    assert found.by == "hand" and sure(found)


@pytest.mark.parametrize(
    ("pushed_mm", "sightings", "faster", "known"),
    [(3.5, 2, False, True), (4.5, 2, False, False), (4.5, 3, False, True), (4.5, 2, True, True)],
)
def test_a_coin_that_pushed_a_tile_too_far_for_its_speed_came_another_way(
    pushed_mm, sightings, faster, known
):
    """It comes to the tile with 400 mm/s (600, less friction over 50 mm) and goes back with 100. A
    tile of 50 x 50 x 6 mm weighs 15.9 times as much as a coin of 20 x 3 mm, so a coin 4 times as
    dense gives it 126 mm/s, which takes it 3.95 mm far. The coin was last seen to lie in frame 11.
    """
    coin = path(
        "suns",
        run(0.3, (X - 85.0, Y), (600.0, 0.0), end_s=0.4, sightings=sightings),
        run(0.4, (X - 35.0, Y), (-100.0, 0.0), met=("wicket-4-left",)),
    )
    other = replace(STRIKER, coin="moons") if faster else lying("moons", (-300.0, 200.0))
    seen = episode(coin, other, hidden={"suns": (0.19, 0.32)}, after=moved(pushed_mm))
    found = unseen_stretches(seen, (coin, other), [])
    expected = (("suns",), round(11 / 60, 4), 0.4)
    assert [(u.pieces, u.from_s, u.to_s) for u in found] == ([] if known else [expected])
