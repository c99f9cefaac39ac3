"""What seems to have happened while coins still move, from sightings alone: made by hand, at
constant speeds.
"""

import math

import pytest

from referee.detectors.provisional import provisional_incidents
from referee.domain.geometry import Point, add, scale
from referee.domain.incident import Contact, Flicked, Incident, LeftTable, LineCrossed
from referee.domain.path import Path
from referee.domain.sighting import Sighting
from tests.detectors.scenes import FPS, episode, lying
from tests.tracking.slides import COIN_MM, TILE_MM, course_at

LINE_X = course_at().lines["wicket-4"].left_mm[0]
POST = course_at().posts["right-endpost"].centre_mm


def seen(coin: str, *places: Point, lay: Point | None = None, first: int = 13) -> Path:
    """Return a coin that lay at `lay` and is seen at these places, frame by frame from `first`
    on.
    """
    return Path(
        coin,
        (),
        tuple(Sighting(coin, first + k, (first + k) / FPS, at, 0.5) for k, at in enumerate(places)),
        lay,
        0.1,
        None,
        0.3,
    )


def sliding(coin: str, lay: Point, step: Point, frames: int, first: int = 12) -> Path:
    """Return a coin that leaves its place at frame `first`, moves by `step` from frame to frame,
    and is seen in `frames` frames.
    """
    return seen(
        coin, *(add(lay, scale(step, k)) for k in range(1, frames + 1)), lay=lay, first=first + 1
    )


def provisional(*paths: Path, **of_episode) -> tuple[Incident, ...]:
    return provisional_incidents(episode(*paths, **of_episode))


@pytest.mark.parametrize(("sign", "direction"), [(1.0, "outward"), (-1.0, "homeward")])
def test_a_coin_crosses_a_line_either_way_when_it_is_on_it(sign, direction):
    """It moves 10 mm a frame from 45 mm before the line: four and a half frames after the
    twelfth.
    """
    flick, crossing = provisional(
        sliding("moons", (LINE_X - sign * 45.0, 5.0), (sign * 10.0, 0.0), 9)
    )
    assert isinstance(flick, Flicked) and flick.t_s == pytest.approx(12 / FPS)
    assert isinstance(crossing, LineCrossed) and (crossing.line, crossing.direction) == (
        "wicket-4",
        direction,
    )
    assert crossing.t_s == pytest.approx(16.5 / FPS)


def test_a_coin_beside_the_wicket_or_short_of_it_crosses_nothing():
    assert [
        type(i)
        for i in provisional(sliding("moons", (LINE_X - 45.0, TILE_MM + 5.0), (10.0, 0.0), 9))
    ] == [Flicked]
    assert [
        type(i) for i in provisional(sliding("moons", (LINE_X - 45.0, 5.0), (10.0, 0.0), 4))
    ] == [Flicked]


@pytest.mark.parametrize("step_mm", [1.0, 1.9])
def test_what_moves_no_faster_than_hands_carry_was_not_flicked(step_mm):
    assert provisional(sliding("moons", (0.0, -80.0), (0.0, step_mm), 30)) == ()  # 114 mm/s at most


def test_a_coin_with_a_hand_at_it_all_the_way_was_not_flicked():
    assert (
        provisional(sliding("moons", (0.0, -80.0), (0.0, 10.0), 9), hands={"moons": (0.0, 0.9)})
        == ()
    )


def test_a_coin_newly_seen_that_slides_was_flicked_when_it_was_first_seen():
    (flick,) = provisional(seen("moons", (0.0, -100.0), (0.0, -90.0), (0.0, -80.0)))
    assert isinstance(flick, Flicked) and flick.t_s == pytest.approx(13 / FPS)


def hits(incidents: tuple[Incident, ...]) -> list[tuple[str, str]]:
    return [(i.coin, i.with_) for i in incidents if isinstance(i, Contact)]


def test_a_coin_that_sets_off_as_another_goes_by_was_struck_by_it():
    """The striker is 37 and 29 mm away in two frames. Halfway between, 22 mm away, it touched."""
    beside = COIN_MM + 1.0
    striker = seen(
        "moons",
        *((x, -100.0 + beside) for x in (-80.0, -30.0, 20.0, 70.0)),
        lay=(-130.0, -100.0 + beside),
    )
    struck = sliding("suns", (0.0, -100.0), (0.0, -10.0), 9, first=14)
    for paths in ((striker, struck), (struck, striker)):
        assert hits(provisional(*paths)) == [("moons", "suns")]
        assert [type(i) for i in provisional(*paths)] == [Flicked, Contact]  # in order of time


def test_of_two_coins_that_came_near_the_nearer_one_struck():
    near = sliding("moons", (-80.0, -100.0), (15.0, 0.0), 4)  # to 20 mm, rim to rim
    beside = sliding("arms", (-80.0, -100.0 + COIN_MM + 4.0), (15.0, 0.0), 6)  # passes 4 mm away
    struck = sliding("suns", (0.0, -100.0), (10.0, 0.0), 9, first=16)
    for paths in ((near, beside, struck), (beside, near, struck)):
        assert ("moons", "suns") in hits(provisional(*paths)) and ("arms", "suns") not in hits(
            provisional(*paths)
        )


@pytest.mark.parametrize("apart_mm", [7.0, 30.0])
def test_a_coin_that_sets_off_with_none_within_six_millimetres_was_flicked_itself(apart_mm):
    passing = sliding("moons", (-80.0, -100.0 + COIN_MM + apart_mm), (15.0, 0.0), 8)
    other = sliding("suns", (0.0, -100.0), (0.0, -10.0), 9, first=16)
    assert hits(provisional(passing, other)) == []


def test_a_coin_that_comes_by_later_did_not_strike():
    """It was flicked before the other coin started to move, and reaches the other's old place a
    quarter of a second later.
    """
    late = sliding("moons", (-200.0, -100.0), (10.0, 0.0), 25)
    other = sliding("suns", (0.0, -100.0), (0.0, -10.0), 9, first=13)
    assert hits(provisional(late, other)) == []


def back_from(post_gap_mm: float) -> Path:
    """Return a coin that comes up to the right endpost by 10 mm a frame, and turns straight back
    when its centre is this far from the stack.
    """
    turn_x = POST[0] - TILE_MM / 2 - post_gap_mm
    up = [(turn_x - 10.0 * k, 0.0) for k in range(4, -1, -1)]
    return seen(
        "moons", *up, *((turn_x - 10.0 * k, 0.0) for k in range(1, 5)), lay=(turn_x - 50.0, 0.0)
    )


@pytest.mark.parametrize(
    ("gap_mm", "given"), [(12.0, True), (19.0, True), (21.0, False), (60.0, False)]
)
def test_a_coin_that_turns_back_within_its_half_and_a_frame_s_way_of_a_stack_has_struck_it(
    gap_mm, given
):
    """The limit is half a coin, 10 mm, and the 10 mm that the coin moves in a frame. It turns in
    the fifth frame in which it is seen, the 17th.
    """
    found = [i for i in provisional(back_from(gap_mm)) if isinstance(i, Contact)]
    assert [(i.with_, i.t_s) for i in found] == (
        [("right-endpost", pytest.approx(17 / FPS))] if given else []
    )


@pytest.mark.parametrize(("turn_deg", "given"), [(50.0, False), (70.0, True), (120.0, True)])
def test_a_coin_that_turns_by_more_than_sixty_degrees_beside_a_stack_has_struck_it(turn_deg, given):
    at = (POST[0] - TILE_MM / 2 - 12.0, 0.0)
    on = (10.0 * math.cos(math.radians(turn_deg)), 10.0 * math.sin(math.radians(turn_deg)))
    up, along = (
        [(at[0] - 10.0 * k, 0.0) for k in range(4, -1, -1)],
        [add(at, scale(on, k)) for k in range(1, 5)],
    )
    assert bool(hits(provisional(seen("moons", *up, *along, lay=(at[0] - 50.0, 0.0))))) == given


def test_a_coin_that_passes_a_stack_straight_has_not_struck_it():
    aside = POST[1] + TILE_MM / 2 + COIN_MM / 2 + 1.0
    assert hits(provisional(sliding("moons", (POST[0] - 60.0, aside), (10.0, 0.0), 12))) == []


def off_the_edge(**of_episode) -> list[Incident]:
    """Return what is found of a coin last seen 10 mm before the right edge (x = 600), at 20 mm a
    frame, in the 20th frame.
    """
    return [
        i
        for i in provisional(sliding("moons", (430.0, 100.0), (20.0, 0.0), 8), **of_episode)
        if isinstance(i, LeftTable)
    ]


def test_a_coin_gone_for_three_frames_on_its_way_over_the_edge_has_left_the_table():
    (fall,) = off_the_edge()
    assert isinstance(fall, LeftTable) and fall.at_mm == pytest.approx((600.0, 100.0))
    assert fall.t_s == pytest.approx(20.5 / FPS)
    assert off_the_edge(until_s=22.5 / FPS) == []  # the 21st is its last frame: gone for only one
    assert len(off_the_edge(until_s=24.5 / FPS)) == 1


def test_a_coin_hidden_by_a_hand_or_on_a_table_without_edge_has_not_left_it():
    assert off_the_edge(hands={"moons": (20.5 / FPS, 1.0)}) == []
    assert off_the_edge(edge=()) == []


def test_a_coin_that_stopped_short_of_the_edge_has_not_left_the_table():
    """In two more frames it would move 20 mm. It was last seen 25 mm before the edge."""
    assert [type(i) for i in provisional(sliding("moons", (495.0, 100.0), (10.0, 0.0), 8))] == [
        Flicked
    ]


def test_coins_that_lie_still_tell_nothing():
    assert provisional(lying("moons", (0.0, 0.0))) == ()
