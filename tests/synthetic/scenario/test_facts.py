"""The facts about a shot, compared with geometry computed by hand."""

import math

import pytest

from referee.domain.geometry import square_corners
from referee.domain.layout import Line, Tile
from referee.synthetic.physics.impact import Surface
from referee.synthetic.physics.motion import Slide
from referee.synthetic.physics.shot import Table, play
from referee.synthetic.scenario import facts

OUTLINE = ((-600.0, -400.0), (600.0, -400.0), (600.0, 400.0), (-600.0, 400.0))
LINES = {"wicket-1": Line((100.0, 50.0), (100.0, -50.0))}


def shot_of(coins, coin, velocity):
    return play(
        Table(coins, {}, OUTLINE, 20.0, 50.0, Surface(slowing_mm_s2=2000.0, coin_bounce=1.0)),
        0.0,
        {coin: velocity},
    )


def test_a_crossing_has_its_closed_form_time_and_the_smaller_margin():
    # The way is 250 mm from x = 0: 150 mm beyond the line. But y = 30 is 20 mm from the line's
    # upper end.
    shot = shot_of({"moons": (0.0, 30.0)}, "moons", (1000.0, 0.0))
    (crossing,) = facts.crossings("moons", shot.slides["moons"], LINES)
    assert crossing["t_s"] == pytest.approx((1000 - math.sqrt(1e6 - 4000 * 100)) / 2000, abs=1e-10)
    assert crossing["direction"] == "outward"
    assert crossing["margin_mm"] == pytest.approx(20.0, abs=1e-9)


def test_the_margin_is_how_far_past_the_line_the_coin_stopped_when_that_is_less():
    shot = shot_of({"moons": (-147.0, 0.0)}, "moons", (1000.0, 0.0))
    (crossing,) = facts.crossings("moons", shot.slides["moons"], LINES)
    assert crossing["margin_mm"] == pytest.approx(3.0, abs=1e-9)


def test_the_other_way_is_homeward():
    shot = shot_of({"moons": (200.0, 0.0)}, "moons", (-1000.0, 0.0))
    (crossing,) = facts.crossings("moons", shot.slides["moons"], LINES)
    assert crossing["direction"] == "homeward"


def test_outside_the_ends_is_no_crossing():
    shot = shot_of({"moons": (0.0, 50.1)}, "moons", (1000.0, 0.0))
    assert list(facts.crossings("moons", shot.slides["moons"], LINES)) == []


def test_short_of_the_line_is_a_near_miss():
    shot = shot_of({"moons": (-155.0, 0.0)}, "moons", (1000.0, 0.0))
    (near,) = facts.near_crossings("moons", shot.slides["moons"], LINES)
    assert near["line"] == "wicket-1"
    assert near["short_by_mm"] == pytest.approx(5.0, abs=1e-9)


def test_the_margin_of_a_hit_is_how_deep_the_paths_would_overlap():
    shot = shot_of({"moons": (0.0, 0.0), "suns": (80.0, 15.0)}, "moons", (1000.0, 0.0))
    assert facts.contact_margin_mm(shot.bumps[0], 20.0) == pytest.approx(5.0, abs=1e-6)


def test_a_coin_passing_another_nearly_hits_it():
    shot = shot_of({"moons": (0.0, 0.0), "suns": (80.0, 24.0)}, "moons", (1000.0, 0.0))
    (near,) = facts.near_hits(shot, {"moons": (0.0, 0.0), "suns": (80.0, 24.0)}, 0.0, 20.0)
    assert near["gap_mm"] == pytest.approx(4.0, abs=1e-4)


def test_the_margin_of_a_post_is_the_way_past_its_side_or_what_is_left_to_go():
    corners = square_corners((100.0, 0.0), 50.0, 0.0)
    slide = Slide(0.0, (0.0, 30.0), (1000.0, 0.0), 2000.0)
    assert facts.post_margin_mm(slide, 0.0, corners, 20.0) == pytest.approx(
        5.0
    )  # y = 30 against 25 + 10
    assert facts.post_margin_mm(slide, slide.time_at(248.0), corners, 20.0) == pytest.approx(
        2.0, abs=1e-6
    )


def test_the_margin_of_a_fall_is_how_far_past_the_edge_it_would_have_gone():
    shot = shot_of(
        {"moons": (470.0, 0.0)}, "moons", (1000.0, 0.0)
    )  # 250 mm of way, 130 mm to the edge
    told = facts.fall(shot.falls[0], OUTLINE)
    assert told["margin_mm"] == pytest.approx(120.0, abs=1e-6)
    assert told["at_mm"] == pytest.approx([600.0, 0.0])


def test_stopping_before_the_edge_is_nearly_a_fall():
    shot = shot_of({"moons": (344.0, 0.0)}, "moons", (1000.0, 0.0))
    (near,) = facts.near_falls(shot, OUTLINE)
    assert near["short_by_mm"] == pytest.approx(6.0, abs=1e-9)


def test_a_coin_past_the_mouth_is_pocketed_when_it_crossed():
    # As above: the centre is at x = 100 when it has gone 100 mm of its 250.
    shot = shot_of({"moons": (0.0, 30.0)}, "moons", (1000.0, 0.0))
    mouths = {"pocket-ne": LINES["wicket-1"]}
    (fact,) = facts.pocketings("moons", shot.slides["moons"], mouths)
    assert (fact["kind"], fact["pocket"]) == ("pocketed", "pocket-ne")
    assert fact["t_s"] == pytest.approx((1000 - math.sqrt(1e6 - 4000 * 100)) / 2000, abs=1e-10)


def test_a_coin_that_comes_back_out_of_the_mouth_was_not_pocketed():
    # It goes past x = 100 to the tile whose near side is at x = 150 and comes back past x = 100.
    tiles = {"wall-e-1": Tile((175.0, 30.0))}
    table = Table({"moons": (0.0, 30.0)}, tiles, OUTLINE, 20.0, 50.0, Surface(tile_bounce=0.9))
    shot = play(table, 0.0, {"moons": (1500.0, 0.0)})
    there, back = facts.crossings("moons", shot.slides["moons"], LINES)
    assert (there["direction"], back["direction"]) == ("outward", "homeward")
    mouths = {"pocket-ne": LINES["wicket-1"]}
    assert list(facts.pocketings("moons", shot.slides["moons"], mouths)) == []
