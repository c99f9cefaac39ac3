"""Discs that belong to no coin: what proves that they are a moving coin, and which coin."""

from __future__ import annotations

import pytest

from referee.domain.episode import Rest
from referee.domain.frame_observation import Disc
from referee.domain.geometry import Point
from referee.domain.sighting import Sighting
from referee.tracking.identity.tentative_tracks import (
    TentativeTrack,
    TrackedDisc,
    before_turn,
    extended_tracks,
    on_the_way,
)
from referee.tracking.identity.tracked_coin import State, TrackedCoin, give

FRAME_S = 1 / 60


def disc(x: float, y: float = 0.0, *, at_hand: bool = False) -> Disc:
    return Disc((x, y), 0.5, 1.0, at_hand)


def track(*places: Point, at_hand: bool = False) -> TentativeTrack:
    return TentativeTrack(
        [TrackedDisc(k, k * FRAME_S, disc(*p, at_hand=at_hand)) for k, p in enumerate(places)]
    )


@pytest.mark.parametrize(
    ("places", "proven"),
    [
        (((0.0, 0.0), (20.0, 0.0)), False),
        (((0.0, 0.0), (20.0, 0.0), (39.0, 0.5)), True),
        (((0.0, 0.0), (12.0, 12.0), (23.0, 23.5)), True),
        (((0.0, 0.0), (20.0, 0.0), (20.0, 20.0)), False),
        (((0.0, 0.0), (20.0, 0.0), (5.0, 0.0)), False),
        (((0.0, 0.0), (10.0, 0.0), (40.0, 0.0)), False),
        (((0.0, 0.0), (2.0, 0.0), (4.0, 0.0)), False),
        (((0.0, 0.0), (0.0, 0.0), (0.0, 0.0)), False),
    ],
    ids=[
        "two discs",
        "three straight",
        "slantwise",
        "round a corner",
        "back again",
        "faster and faster",
        "too short a way",
        "standing",
    ],
)
def test_three_discs_straight_on_and_not_faster_are_a_coin(places, proven):
    assert track(*places).proven is proven


def test_only_the_last_three_count():
    assert track((0.0, 0.0), (0.0, 30.0), (25.0, 30.0), (48.0, 30.0)).proven


def test_beside_a_hand_three_discs_prove_nothing():
    assert track((0.0, 0.0), (20.0, 0.0), (39.0, 0.5)).proven
    assert not track((0.0, 0.0), (20.0, 0.0), (39.0, 0.5), at_hand=True).proven


@pytest.mark.parametrize(("at_hand", "proven"), [((0,), True), ((0, 1), False), ((2,), True)])
def test_of_three_discs_one_may_be_at_the_hand_that_the_coin_has_just_left(at_hand, proven):
    """A finger has no two places clear of its hand, on one line with a third one."""
    places = ((0.0, 0.0), (45.0, 0.0), (90.0, 0.5))
    seen = [disc(*at, at_hand=k in at_hand) for k, at in enumerate(places)]
    discs = [TrackedDisc(k, k * FRAME_S, d) for k, d in enumerate(seen)]
    assert TentativeTrack(discs).proven is proven


def test_what_speeds_up_beside_a_hand_is_the_hand():
    assert not track(*((0.5 * k * k, 0.0) for k in range(9)), at_hand=True).proven


def test_the_coin_that_went_a_way_lay_back_along_it():
    gone = track((100.0, 0.0), (120.0, 0.0), (139.0, 0.0))
    assert (
        gone.came_from({"ahead": (300.0, 0.0), "behind": (20.0, 5.0), "aside": (60.0, 150.0)})
        == "behind"
    )
    assert gone.came_from({"ahead": (300.0, 0.0), "aside": (60.0, 150.0)}) is None
    assert gone.came_from({}) is None


def test_of_two_behind_it_is_the_one_nearer_the_way():
    assert (
        track((100.0, 0.0), (120.0, 0.0), (139.0, 0.0)).came_from(
            {"off": (20.0, 25.0), "on": (10.0, -3.0)}
        )
        == "on"
    )


def test_discs_frame_by_frame_become_one_way():
    tracks: list[TentativeTrack] = []
    for k in range(4):
        tracks = extended_tracks(tracks, k, k * FRAME_S, [disc(20.0 * k)])
    (one,) = tracks
    assert [g.frame for g in one.discs_seen] == [0, 1, 2, 3] and one.proven


def test_two_coins_at_once_are_two_ways():
    tracks: list[TentativeTrack] = []
    for k in range(4):
        tracks = extended_tracks(
            tracks, k, k * FRAME_S, [disc(20.0 * k, 0.0), disc(200.0 - 15.0 * k, 150.0)]
        )
    assert sorted(w.discs_seen[-1].disc.at_mm for w in tracks) == [(60.0, 0.0), (155.0, 150.0)]
    assert all(w.proven for w in tracks)


def test_a_disc_far_from_where_a_way_leads_begins_another():
    tracks = [track((0.0, 0.0), (20.0, 0.0), (39.0, 0.0))]
    tracks = extended_tracks(tracks, 3, 3 * FRAME_S, [disc(-200.0, 100.0)])
    assert [len(w.discs_seen) for w in tracks] == [3, 1]


def test_a_frame_without_a_sight_breaks_no_way_but_a_long_time_does():
    gone = track((0.0, 0.0), (20.0, 0.0))
    assert len(extended_tracks([gone], 3, 3 * FRAME_S, [disc(59.0)])[0].discs_seen) == 3
    assert extended_tracks([track((0.0, 0.0), (20.0, 0.0))], 40, 40 * FRAME_S, []) == []


@pytest.mark.parametrize("at_hand", [False, True])
def test_a_proven_coin_is_expected_on_behind_print_but_a_hand_is_not(at_hand):
    """Its steps shrink by half a millimetre, and for seven frames, 0.12 s, nobody sees it."""
    coin = track((0.0, 0.0), (30.0, 0.0), (59.5, 0.0), at_hand=at_hand)
    tracks = [coin]
    for frame in range(3, 9):
        tracks = extended_tracks(tracks, frame, frame * FRAME_S, [])
    (found,) = extended_tracks(tracks, 9, 9 * FRAME_S, [disc(251.5)])
    assert len(found.discs_seen) == (1 if at_hand else 4)


def test_a_way_leads_straight_on():
    assert track((0.0, 0.0), (20.0, 10.0)).ahead(3 * FRAME_S) == pytest.approx((60.0, 30.0))
    assert track((5.0, 5.0)).ahead(1.0) == (5.0, 5.0)


def test_two_knuckles_one_after_the_other_are_no_coin_that_slows_down():
    """One jump of 11 mm and then nothing: slowing down, straight and far enough, but it does not
    continue.
    """
    leap = track((0.0, 0.0), (11.0, 0.0), (11.2, 0.0), (11.3, 0.0), (11.5, 0.0), at_hand=True)
    soft = track((0.0, 0.0), (5.0, 0.0), (9.0, 0.0), (12.0, 0.0), (14.0, 0.0), at_hand=True)
    assert not leap.proven
    assert soft.proven


def test_a_sighting_beside_the_way_from_where_the_coin_lay_is_not_on_it():
    gone = track((100.0, 0.0), (120.0, 0.0), (139.0, 0.0))
    assert gone.leads_through((40.0, 1.0), (0.0, 0.0))
    assert not gone.leads_through((40.0, 8.0), (0.0, 0.0))
    assert not gone.leads_through((-5.0, 0.0), (0.0, 0.0))


def test_what_stands_still_came_from_nowhere():
    assert track((30.0, 0.0), (30.0, 0.0)).came_from({"suns": (0.0, 0.0)}) is None
    assert track((30.0, 0.0), (31.0, 0.0)).came_from({"suns": (0.0, 0.0)}) == "suns"


def after_a_turn() -> TentativeTrack:
    """Return a track that begins in frame 6, 60 mm above where a coin lay, and goes to the left."""
    places = ((0.0, 60.0), (-20.0, 60.0), (-39.0, 60.0))
    return TentativeTrack(
        [TrackedDisc(6 + k, (6 + k) * FRAME_S, disc(*at)) for k, at in enumerate(places)]
    )


@pytest.mark.parametrize(
    ("frame", "seen", "joined"),
    [
        (5, disc(12.0, 36.0), True),
        (5, disc(12.0, 36.0, at_hand=True), False),
        (5, disc(0.0, 58.0), False),
        (5, disc(90.0, -40.0), False),
        (0, disc(12.0, 36.0), False),
    ],
    ids=["on its way", "a finger", "slower than after it", "faster than a flick", "long before"],
)
def test_what_was_seen_before_a_turn_belongs_to_the_coin(frame, seen, joined):
    """After the turn it goes 20 mm a frame. Before, 27 mm a frame is in reach; 2 and 134 mm are
    not.
    """
    dropped = TentativeTrack([TrackedDisc(frame, frame * FRAME_S, seen)])
    way = before_turn(after_a_turn(), [dropped], (30.0, 0.0), -1.0)
    assert way == (dropped.discs_seen if joined else [])


def test_what_was_seen_before_a_coin_left_its_place_is_not_its_way():
    dropped = TentativeTrack([TrackedDisc(5, 5 * FRAME_S, disc(12.0, 36.0))])
    assert before_turn(after_a_turn(), [dropped], (30.0, 0.0), 5.5 * FRAME_S) == []


@pytest.mark.parametrize(
    ("discs", "shot"),
    [
        pytest.param([(90.0, 1.0), (180.0, 2.0)], "suns", id="straight away from suns"),
        pytest.param([(90.0, 1.0), (100.0, 1.0)], None, id="less than a coin apart"),
        pytest.param([(90.0, 30.0), (180.0, 30.0)], None, id="30 mm beside suns"),
        pytest.param([(-90.0, 0.0), (-30.0, 0.0)], None, id="towards suns"),
        pytest.param([(60.0, 100.0), (150.0, 100.0)], None, id="from moons or arms"),
        pytest.param([(60.0, 0.0), (120.0, 0.0), (180.0, 0.0)], None, id="three: proven, or not"),
    ],
)
def test_two_discs_straight_away_from_where_one_coin_lay_are_a_fast_coin(discs, shot):
    """A coin is 20 mm wide."""
    lay = {"suns": (0.0, 0.0), "moons": (0.0, 100.0), "arms": (30.0, 101.0)}
    assert track(*discs).shot_from(lay, 20.0) == shot
    assert track(*discs, at_hand=True).shot_from(lay, 20.0) is None


def test_what_was_seen_under_a_coins_name_once_the_coin_itself_is_seen_was_something_else():
    """The coin was lost from sight, and a finger was seen for it until after it came out."""
    coin = TrackedCoin("suns", State.SLIDING, None, Rest((-60.0, 0.0), 0.1))
    coin.sightings = [Sighting("suns", k, k * FRAME_S, (80.0, 90.0), 0.5) for k in (-2, -1, 0, 2)]
    give(coin, track((0.0, 0.0), (20.0, 0.0), (39.0, 0.5)), None)
    seen = [(s.frame, s.at_mm) for s in coin.sightings]
    assert seen == [(-2, (80.0, 90.0)), (-1, (80.0, 90.0)), (0, (0.0, 0.0)), (1, (20.0, 0.0))]


def test_of_two_discs_seen_at_one_time_on_its_way_a_coin_was_neither():
    last = TrackedDisc(4, 4 * FRAME_S, disc(80.0))
    early, late = track((10.0, 0.0), (20.0, 0.0)), track((40.0, 0.0), (45.0, 0.0), (50.0, 0.0))
    assert on_the_way([early], (0.0, 0.0), -1.0, last) == [early]
    assert on_the_way([late, early], (0.0, 0.0), -1.0, last) == []


def test_what_was_seen_before_a_coin_was_last_seen_was_something_else():
    last, gone = TrackedDisc(4, 4 * FRAME_S, disc(80.0)), track((10.0, 0.0), (20.0, 0.0))
    assert on_the_way([gone], (0.0, 0.0), -1.0, last) == [gone]
    assert on_the_way([gone], (0.0, 0.0), 0.5 * FRAME_S, last) == []


def test_what_was_seen_on_its_way_comes_right_before_a_coins_last_sighting():
    coin = TrackedCoin("suns", State.SLIDING, Rest((0.0, 0.0), 0.2), None)
    coin.sightings = [Sighting("suns", f, f * FRAME_S, (20.0 * f, 0.0), 0.5) for f in (1, 4)]
    coin.was_seen([TrackedDisc(f, f * FRAME_S, disc(20.0 * f)) for f in (2, 3)])
    assert [s.frame for s in coin.sightings] == [1, 2, 3, 4]
