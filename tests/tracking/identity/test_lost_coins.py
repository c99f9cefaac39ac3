"""Where a coin is that slid away and was lost, frame by frame."""

from __future__ import annotations

import pytest

from referee.domain.frame_observation import Disc, FrameObservation, Presence
from referee.tracking.identity.tracked_coin import State
from tests.tracking.identity.observed import SIGMA_MM, Play, lying, under_a_hand


def test_a_coin_that_was_lost_under_way_is_not_where_it_lay_before():
    """It slides in full view, and is not seen any more. Nothing changes where it lay, so the frame
    analysis has nothing to say about that place. An arm lies over it later.
    """
    play = Play({"ace": lying((0.0, 0.0)), "null": lying((200.0, 0.0))}, 30.0)
    tracker, ace = play.tracker, play.tracker.coins["ace"]
    tracker.update(FrameObservation(1, 1 / 30, False, False))
    for frame, x in ((2, 30.0), (3, 60.0), (4, 88.0)):
        disc = Disc((x, 0.0), SIGMA_MM, 1.0, False)
        gone = {"ace": Presence.GONE}
        tracker.update(FrameObservation(frame, frame / 30, True, False, (disc,), gone))
    for frame in range(5, 20):
        tracker.update(FrameObservation(frame, frame / 30, True, False))
    assert ace.state is State.HIDDEN
    assert [e.left for e in tracker.expected(20 / 30)] == [True, False]
    assert [t.after is None for t in tracker.tracks()] == [True, False]
    tracker.close()
    under = frozenset({"ace"})
    for frame in range(20, 25):
        covered = {"ace": Presence.COVERED}
        tracker.update(
            FrameObservation(frame, frame / 30, True, True, (), covered, frozenset(), under)
        )
    tracker.update(FrameObservation(25, 25 / 30, True, False))
    assert ace.lies is None
    tracker.update(
        FrameObservation(26, 26 / 30, True, False, not_gone=frozenset({"ace"}))
    )  # it plainly lies there all the same: a finger was taken for it
    assert ace.lies is not None and not ace.left


@pytest.mark.parametrize("searched", [True, False])
def test_a_coin_under_a_hand_that_nobody_looked_for_may_lie_on_the_table(searched):
    """The next flick began before the hand had left: what it hid was not searched for."""
    play = Play({"ace": lying((0.0, 0.0)), "null": lying((200.0, 0.0))}, 30.0)
    tracker = play.tracker
    tracker.update(FrameObservation(1, 1 / 30, False, False))
    tracker.coins["ace"].state, tracker.coins["ace"].rest = State.HIDDEN, None
    tracker.close(tracker.frames[-1:] if searched else ())
    assert [(t.coin, t.lost) for t in tracker.tracks()] == [("ace", not searched), ("null", False)]


@pytest.mark.parametrize(
    ("seen_bare", "searched", "lost"),
    [(True, True, False), (False, True, True), (True, False, True)],
)
def test_a_coin_that_left_the_table_may_lie_on_it_unless_its_place_was_seen_bare(
    seen_bare, searched, lost
):
    """What was seen beyond the edge may have been a part of a hand. An episode later nothing more
    is known, and nothing less.
    """
    play = Play({"ace": lying((0.0, 0.0)), "null": lying((200.0, 0.0))}, 30.0)
    tracker, ace = play.tracker, play.tracker.coins["ace"]
    tracker.update(FrameObservation(1, 1 / 30, False, False))
    ace.state, ace.rest, ace.seen_bare = State.OFF_TABLE, None, seen_bare
    tracker.close(tracker.frames[-1:] if searched else ())
    assert ace.lost is lost
    tracker.close(tracker.frames[-1:])
    assert ace.lost is lost


@pytest.mark.parametrize(("aside_mm", "sigma_mm", "own"), [(2.7, 1.4, True), (9.0, 1.4, False)])
def test_a_coin_that_leaves_a_hand_was_also_what_was_seen_on_its_way_before(
    aside_mm, sigma_mm, own
):
    """While the hand still covered its place, the disc on its way belonged to no coin."""
    play = Play({"ace": lying((0.0, 0.0))}, 30.0)
    tracker, under = play.tracker, frozenset({"ace"})
    first = Disc((74.0, aside_mm), sigma_mm, 1.0, False)
    tracker.update(under_a_hand(1, 30, (first,), {"ace": Presence.COVERED}, under))
    assert tracker.coins["ace"].sightings == []
    then = Disc((89.0, 0.0), SIGMA_MM, 1.0, False)
    tracker.update(FrameObservation(2, 2 / 30, True, True, (then,), {"ace": Presence.GONE}))
    seen = [s.at_mm for s in tracker.coins["ace"].sightings]
    assert seen == [*([first.at_mm] if own else []), then.at_mm]


def test_the_disc_of_a_coin_that_has_come_to_rest_is_no_other_coin_s_track() -> None:
    """In a heap, moons is pushed by 6 mm and stops, and its disc is seen there all the time. The
    ace near it is out of sight.
    """
    play = Play({"moons": lying((0.0, 0.0)), "ace": lying((19.0, 44.0))})
    tracker, moons, ace = play.tracker, play.tracker.coins["moons"], play.tracker.coins["ace"]
    tracker.update(FrameObservation(1, 1 / 60, False, False))
    for frame in range(2, 60):
        at = (0.0, -6.0 if frame > 4 else -2.0 * (frame - 1))
        lost = {"ace": Presence.COVERED if frame < 20 else Presence.GONE}
        gone = {**lost, "moons": Presence.GONE} if frame < 5 else lost
        quiet = frozenset({"moons"}) if frame > 5 else frozenset[str]()
        disc = Disc(at, SIGMA_MM, 1.0, False)
        tracker.update(FrameObservation(frame, frame / 60, True, False, (disc,), gone, quiet))
    assert moons.state is State.REST and moons.lies is not None
    assert tracker.tentative == [] and ace.sightings == []
