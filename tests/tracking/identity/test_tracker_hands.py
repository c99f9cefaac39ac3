"""Which coin is which where hands, fingers and pushed tiles look like coins or hide them, frame by
frame.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.domain.episode import Rest
from referee.domain.frame_observation import Disc, FrameObservation, Presence
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from tests.tracking.identity.observed import (
    COIN_MM,
    SIGMA_MM,
    Play,
    Slide,
    assert_followed,
    lying,
    sliding,
    under_a_hand,
)


class Fingertips(Play):
    """A hand over the coin that looks like a coin in some frames, 8 mm beside it."""

    false: dict[int, Point]

    def observation(self, frame: int) -> FrameObservation:
        seen = super().observation(frame)
        at = self.false.get(frame)
        if at is None:
            return seen
        # the frame analysis believes that it is gone
        self.tracker.coins["suns"].state = State.HIDDEN
        discs = (*seen.discs, Disc(at, 1.0, 0.8, True))
        return replace(seen, discs=discs, presence={**seen.presence, "suns": Presence.GONE})


def test_a_fingertip_taken_for_the_coin_does_not_cost_it_its_flick():
    slide = Slide(0.4, (0.0, 0.0), (1200.0, 150.0), 2000.0)
    play = Fingertips(
        {"suns": sliding(slide), "moons": lying((150.0, 200.0))},
        30.0,
        hands=((0.1, 0.44, (0.0, 0.0), 30.0),),
    )
    play.false = {11: (-12.0, -8.0), 12: (-14.0, -9.0)}
    play.until(0.4 + slide.speed / 2000.0 + 0.6)
    assert_followed(play, {"suns": slide.stops, "moons": (150.0, 200.0)})


def test_the_only_coin_not_accounted_for_is_the_one_that_is_seen_though_it_turned_under_the_hand():
    """It left the hand, bounced off a tile 40 mm ahead, and comes out at a right angle to its first
    direction.
    """
    first = Slide(0.3, (0.0, 0.0), (0.0, -1200.0), 2000.0)
    turn_s = 0.335
    after = Slide(turn_s, first.place(turn_s), (-700.0, 560.0), 2000.0)
    play = Play(
        {"suns": sliding(first, after), "moons": lying((250.0, 200.0))},
        60.0,
        hands=((0.05, 0.36, (0.0, -20.0), 35.0),),
    )
    play.until(turn_s + after.speed / 2000.0 + 0.6)
    assert_followed(play, {"suns": after.stops, "moons": (250.0, 200.0)})


class InView(Play):
    """A hand beside a coin that is in full view all the same."""

    def observation(self, frame: int) -> FrameObservation:
        seen = super().observation(frame)
        presence = {n: p for n, p in seen.presence.items() if n != "ace"}
        in_view = seen.covered & {"ace"}
        return replace(seen, presence=presence, in_view=in_view)


def test_a_coin_in_full_view_beside_a_hand_is_not_the_one_that_came_from_under_it():
    """The knight turns at a tile 140 mm ahead, before it is seen, and its way then leads straight
    back to its guard beside it.
    """
    first = Slide(0.3, (0.0, 18.0), (1500.0, -130.0), 2000.0)
    turn_s = 0.4
    after = Slide(turn_s, first.place(turn_s), (1000.0, 200.0), 2000.0)
    play = InView(
        {"moons": sliding(first, after), "ace": lying((-12.0, -24.0))},
        60.0,
        hands=((0.05, 0.6, (0.0, 0.0), 150.0),),
    )
    play.until(turn_s + after.speed / 2000.0 + 0.6)
    assert_followed(play, {"moons": after.stops, "ace": (-12.0, -24.0)})


def test_a_slow_coin_beside_another_does_not_take_the_disc_of_the_one_it_pushed():
    """No hand is near. The frame analysis only cannot decide what lies where the second coin lay.
    One of the two is found, 2 mm from where the second lay.
    """
    play = Play({"ace": lying((0.0, 0.0)), "null": lying((COIN_MM + 4.0, 0.0))}, 30.0)
    tracker = play.tracker
    still = FrameObservation(1, 1 / 30, False, False)
    tracker.update(still)
    for frame, x in ((2, -80.0), (3, -64.5), (4, -49.5), (5, -35.0), (6, -21.0), (7, -7.5)):
        disc = Disc((x, 0.0), SIGMA_MM, 1.0, False)
        tracker.update(
            FrameObservation(frame, frame / 30, True, False, (disc,), {"ace": Presence.GONE})
        )
    both = FrameObservation(
        8,
        8 / 30,
        True,
        False,
        (Disc((COIN_MM + 5.7, 0.0), SIGMA_MM, 1.0, False),),
        {"null": Presence.COVERED},
    )
    tracker.update(both)
    assert [s.frame for s in tracker.coins["null"].sightings] == [8]
    assert tracker.coins["ace"].sightings[-1].frame == 7


def test_a_coin_that_seemed_gone_under_a_hand_for_a_moment_still_lies_under_it():
    play = Play({"ace": lying((0.0, 0.0)), "null": lying((200.0, 0.0))}, 30.0)
    under = frozenset({"ace"})
    for frame, presence in enumerate((Presence.COVERED, Presence.GONE, Presence.COVERED), start=1):
        play.tracker.update(
            FrameObservation(
                frame, frame / 30, True, True, (), {"ace": presence}, frozenset(), under
            )
        )
    assert play.tracker.coins["ace"].state is State.REST
    play.tracker.update(
        FrameObservation(4, 4 / 30, True, False, (), {"ace": Presence.GONE})
    )  # the hand has left, and the coin is not there
    assert play.tracker.coins["ace"].state is State.HIDDEN


def test_a_coin_that_is_in_full_view_where_it_lay_never_left_though_a_finger_was_taken_for_it():
    play = Play({"ace": lying((0.0, 0.0)), "null": lying((200.0, 0.0))}, 30.0)
    tracker = play.tracker
    tracker.update(FrameObservation(1, 1 / 30, False, False))
    for frame, x in ((2, 40.0), (3, 60.0)):
        tracker.update(
            FrameObservation(
                frame,
                frame / 30,
                True,
                True,
                (Disc((x, 0.0), SIGMA_MM, 1.0, False),),
                {"ace": Presence.GONE},
            )
        )
    assert tracker.coins["ace"].state is State.SLIDING
    tracker.update(FrameObservation(4, 4 / 30, True, True, (), {}, not_gone=frozenset({"ace"})))
    track = next(t for t in tracker.tracks() if t.coin == "ace")
    assert (tracker.coins["ace"].state, track.sightings, track.after) == (
        State.REST,
        (),
        track.before,
    )


def test_when_a_coin_last_lay_in_view_is_known_also_beside_a_hand():
    play = Play({"ace": lying((0.0, 0.0)), "null": lying((200.0, 0.0))}, 30.0)
    under = frozenset({"ace"})
    for frame in (1, 2, 3):
        play.tracker.update(
            FrameObservation(frame, frame / 30, True, True, (), {}, frozenset(), under)
        )
    for frame in (4, 5):
        play.tracker.update(
            FrameObservation(
                frame, frame / 30, True, True, (), {"ace": Presence.COVERED}, frozenset(), under
            )
        )
    track = next(t for t in play.tracker.tracks() if t.coin == "ace")
    assert track.lay_until_s == pytest.approx(3 / 30) and track.hand_frames >= {1, 2, 3, 4, 5}


def test_a_coin_lost_before_all_was_still_is_hidden_though_nothing_stirs_where_it_was():
    play = Play({"ace": lying((0.0, 0.0)), "null": lying((200.0, 0.0))}, 60.0)
    tracker, there = play.tracker, frozenset({"ace"})
    for frame in range(1, 6):
        disc = Disc((12.0 * frame, 0.0), SIGMA_MM, 1.0, False)
        tracker.update(
            FrameObservation(
                frame,
                frame / 60,
                True,
                False,
                (disc,),
                {"ace": Presence.GONE} if frame == 1 else {},
            )
        )
    for frame in range(6, 30):  # a hand moves elsewhere
        tracker.update(FrameObservation(frame, frame / 60, True, True, (), {}, quiet=there))
    for frame in range(30, 40):
        tracker.update(FrameObservation(frame, frame / 60, False, False, (), {}, quiet=there))
    assert tracker.coins["ace"].state is State.HIDDEN


def test_a_coin_hit_under_the_very_hand_goes_on_and_the_striker_stays():
    """It was hit squarely by a coin that came 20 mm a frame and stopped where their rims touched.
    The hand is over both.
    """
    struck = COIN_MM + 40.0
    play = Play({"ace": lying((0.0, 0.0)), "null": lying((struck, 0.0))}, 30.0)
    tracker = play.tracker
    tracker.update(FrameObservation(1, 1 / 30, False, False))
    for frame, x in ((2, 15.0), (3, 33.0)):
        disc = Disc((x, 0.0), SIGMA_MM, 1.0, False)
        tracker.update(
            FrameObservation(
                frame, frame / 30, True, True, (disc,), {"ace": Presence.GONE} if frame == 2 else {}
            )
        )
    discs = (
        Disc((struck - COIN_MM - 0.5, 0.0), SIGMA_MM, 1.0, False),
        Disc((struck + 6.0, 0.0), SIGMA_MM, 1.0, True),
    )
    tracker.update(
        FrameObservation(
            4,
            4 / 30,
            True,
            True,
            discs,
            {"null": Presence.COVERED},
            frozenset(),
            frozenset({"ace", "null"}),
        )
    )
    assert {c: tracker.coins[c].sightings[-1].at_mm[0] for c in ("ace", "null")} == {
        "ace": struck - COIN_MM - 0.5,
        "null": struck + 6.0,
    }


def test_of_two_ways_the_one_seen_frame_after_frame_is_the_coins():
    """A coin hit a tile 180 mm away and came back. The pushed tile looks like a coin for a moment,
    on the coin's first line.
    """
    play = Play({"ace": lying((-110.0, -177.0)), "null": lying((200.0, 200.0))}, 60.0)
    discs = {
        2: [(-33.0, -134.0)],
        5: [(72.0, -113.0)],
        6: [(57.0, -117.0)],
        7: [(42.0, -121.0)],
        8: [(152.0, -105.0), (28.0, -125.0)],
        9: [(14.0, -129.0)],
    }
    for frame in range(1, 10):
        seen = tuple(Disc(at, SIGMA_MM, 1.0, False) for at in discs.get(frame, ()))
        play.tracker.update(under_a_hand(frame, 60, seen, {"ace": Presence.COVERED}, {"ace"}))
    assert [s.at_mm for s in play.tracker.coins["ace"].sightings] == [
        (57.0, -117.0),
        (42.0, -121.0),
        (28.0, -125.0),
        (14.0, -129.0),
    ]


def test_a_striker_seen_twice_before_the_hit_keeps_its_name_with_one_disc_found_after():
    """It came from under the hand at 50 mm a frame, touched the other lightly and turned up. The
    struck coin went down, unseen in that frame.
    """
    play = Play({"ace": lying((80.0, -315.0)), "null": lying((380.0, -298.0))}, 30.0)
    under = {"ace": Presence.COVERED}
    discs = {
        2: [(291.0, -291.0)],
        3: [(342.0, -286.0)],
        4: [(378.0, -270.0)],
        5: [(402.0, -245.0), (412.0, -328.0)],
        6: [(424.0, -222.0), (430.0, -346.0)],
    }
    for frame in range(1, 7):
        seen = tuple(Disc(at, SIGMA_MM, 1.0, False) for at in discs.get(frame, ()))
        presence = {**under, "null": Presence.GONE} if frame >= 4 else under
        play.tracker.update(
            under_a_hand(frame, 30, seen, presence, {"ace", "null"} if frame == 4 else {"ace"})
        )
    assert play.tracker.coins["ace"].sightings[-1].at_mm == (424.0, -222.0)
    assert [s.at_mm for s in play.tracker.coins["null"].sightings] == [
        (412.0, -328.0),
        (430.0, -346.0),
    ]


@pytest.mark.parametrize(
    ("y_mm", "at_hand", "hidden_s", "gone"),
    [
        (-360.0, False, 0.5, False),
        (-360.0, True, 0.1, False),
        (-340.0, False, 0.5, True),
        (-360.0, False, 0.1, True),
    ],
)
def test_the_last_of_a_hand_that_draws_back_over_the_edge_is_not_the_coin_it_lay_over(
    y_mm, at_hand, hidden_s, gone
):
    """The table ends at y = -350. A coin that was lost only just now may have come there by itself,
    and so may a coin that is still on the table.
    """
    play = Play({"suns": lying((0.0, -250.0))}, 60.0)
    frames = round(hidden_s * 60)
    for frame in range(1, frames):
        play.tracker.update(
            FrameObservation(
                frame,
                frame / 60,
                True,
                True,
                (),
                {"suns": Presence.COVERED},
                frozenset(),
                frozenset({"suns"}),
            )
        )
    last = FrameObservation(
        frames,
        frames / 60,
        True,
        True,
        (Disc((10.0, y_mm), 0.5, 0.8, at_hand),),
        {"suns": Presence.GONE},
    )
    play.tracker.update(last)
    assert bool(play.tracker.coins["suns"].sightings) == gone


def test_a_coin_that_lay_nowhere_lay_until_no_time() -> None:
    """It was off the table, a hand put it down, and it is clearly seen where it lies."""
    tracker = Tracker((), PieceSizes(coin_mm=COIN_MM))
    tracker.coins["suns"] = TrackedCoin("suns", State.OFF_TABLE, None, None)
    tracker.lay("suns", Rest((30.0, 5.0), 0.3), 0.5)
    tracker.update(FrameObservation(16, 16 / 30, False, False))
    (track,) = tracker.tracks()
    assert (track.before, track.after) == (None, Rest((30.0, 5.0), 0.3))
    assert track.lay_until_s is None
