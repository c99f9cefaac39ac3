"""Which coin is which where a finger looks just like a coin."""

from __future__ import annotations

import pytest

from referee.domain.frame_observation import Disc, FrameObservation, Presence
from tests.tracking.identity.observed import SIGMA_MM, Play, lying, under_a_hand


def test_a_coin_that_slides_free_of_the_hand_is_not_the_finger_that_looks_just_like_it():
    """A dark coin and a dark hand: in every frame the fingertip is as good a disc as the coin,
    which slides off to the right, decelerating. The finger stays, then withdraws to the left.
    """
    play = Play({"suns": lying((0.0, 0.0)), "moons": lying((0.0, 200.0))}, 30.0)
    finger = [(-2.0, -1.0), (-2.0, 6.0), (2.0, 10.0), (4.0, 12.0), (0.0, 12.0), (-20.0, 6.0)]
    coin = [45.0, 61.0, 74.0, 84.0, 91.0]
    for frame in range(1, 7):
        discs = [Disc(finger[frame - 1], SIGMA_MM, 1.0, False, True)]
        if frame > 1:
            discs.append(Disc((coin[frame - 2], 0.0), SIGMA_MM, 1.0, False))
        under = frozenset({"suns"})
        presence = {"suns": Presence.COVERED if frame == 1 else Presence.GONE}
        play.tracker.update(
            FrameObservation(
                frame, frame / 30, True, True, tuple(discs), presence, frozenset(), under
            )
        )
    assert [s.at_mm[0] for s in play.tracker.coins["suns"].sightings] == coin


def test_a_coin_in_a_hand_is_not_taken_for_what_moves_at_the_same_hand():
    """A hand pushes the coin slowly along. What moves beside it, at the hand too, is a finger."""
    play = Play({"suns": lying((0.0, 0.0)), "moons": lying((0.0, 200.0))}, 30.0)
    for frame in range(1, 7):
        pushed = Disc((6.0 * frame, 0.0), SIGMA_MM, 1.0, False, True)
        finger = Disc((6.0 * frame, 25.0 + 4.0 * frame), SIGMA_MM, 1.0, True, True)
        presence = {"suns": Presence.GONE}
        play.tracker.update(
            FrameObservation(frame, frame / 30, True, True, (pushed, finger), presence)
        )
    assert {s.at_mm[1] for s in play.tracker.coins["suns"].sightings} == {0.0}


def test_a_coin_that_leaves_from_beside_a_finger_is_its_own_though_the_finger_stays_there():
    """The coin is seen once beside the fingertip that flicked it, which then stays where the coin
    lay and looks like it, while the coin slides on, beside the hand at first and then clear of it.
    """
    play = Play({"suns": lying((0.0, 0.0)), "moons": lying((0.0, 200.0))}, 60.0)
    finger = Disc((1.0, 0.5), 2.0, 0.8, True, True)
    way_mm = [11.0, 25.0, 38.0, 51.0, 63.0, 74.0]
    for frame, x_mm in enumerate(way_mm, start=1):
        beside = frame < 4
        discs = [Disc((x_mm, 0.0), SIGMA_MM, 1.0, False, beside)]
        if frame == 2:  # the coin itself is not found
            discs = []
        if frame > 1:
            discs.append(finger)
        presence = {"suns": Presence.COVERED} if frame == 1 else {"suns": Presence.GONE}
        play.tracker.update(under_a_hand(frame, 60, tuple(discs), presence, {"suns"}))
    seen = [(s.frame, s.at_mm[0]) for s in play.tracker.coins["suns"].sightings if s.frame > 2]
    assert seen == [(frame, way_mm[frame - 1]) for frame in (3, 4, 5, 6)]


def test_what_is_seen_beyond_the_edge_while_a_hand_covers_the_coin_is_the_hand():
    """The table ends at y = -350, and a hand comes from there. It lies over the coin."""
    play = Play({"suns": lying((0.0, -330.0))}, 60.0)
    disc = Disc((3.0, -360.0), 1.0, 0.84, False, True)
    play.tracker.update(under_a_hand(1, 60, (disc,), {"suns": Presence.COVERED}, {"suns"}))
    assert play.tracker.coins["suns"].on_table


def test_a_finger_seen_once_clear_of_the_hand_does_not_keep_the_coins_name():
    """A knuckle beside the coin is taken for it, first clear of any hand, and then as a part of the
    hand that withdraws. The coin itself is found from the third frame on, sliding off to the left.
    """
    play = Play({"suns": lying((0.0, 0.0)), "moons": lying((0.0, 200.0))}, 30.0)
    hand = [(47.0, -26.0), (67.0, -74.0), (78.0, -110.0), (90.0, -145.0)]
    way_mm = [-49.0, -68.0, -84.0, -98.0]
    for frame in range(1, 7):
        discs = []
        if frame <= len(hand):
            discs.append(Disc(hand[frame - 1], 2.0, 0.75, frame > 1, frame > 1))
        if frame > 2:
            discs.append(Disc((way_mm[frame - 3], 0.0), SIGMA_MM, 1.0, False))
        presence = {"suns": Presence.COVERED} if frame == 1 else {"suns": Presence.GONE}
        play.tracker.update(under_a_hand(frame, 30, tuple(discs), presence, {"suns"}))
    assert [s.at_mm[0] for s in play.tracker.coins["suns"].sightings] == way_mm


@pytest.mark.parametrize(
    ("seen", "rests"),
    [
        pytest.param([False], False, id="once"),
        pytest.param([False, False], True, id="twice, clear of the hand"),
        pytest.param([True, True, True], False, id="beside the hand only"),
    ],
)
def test_what_an_arm_shows_while_it_lies_there_is_no_coin_at_rest(seen: list[bool], rests: bool):
    """An arm lies over the coin. It is seen clear of any hand 60 mm away, and then what looks like
    it 115 mm away, each time beside the hand or not. Then all is still, and the arm lies over all
    places.
    """
    play = Play({"3": lying((0.0, 0.0)), "moons": lying((0.0, 200.0))}, 30.0)
    over, begin = {"3": Presence.COVERED}, 20
    way = [Disc((-115.0, 0.0), 3.0, 0.85, False, beside) for beside in seen]
    if any(seen):
        way.insert(0, Disc((-60.0, 0.0), 3.0, 0.85, False))
    discs = dict(enumerate(way, start=begin))
    for frame in range(1, begin + len(way)):
        shown = (discs[frame],) if frame in discs else ()
        play.tracker.update(under_a_hand(frame, 30, shown, over, {"3"}))
    own = frozenset({"3"})
    still = (
        FrameObservation(frame, frame / 30, False, True, (), {}, own, own)
        for frame in range(begin + len(way), begin + len(way) + 5)
    )
    rested = [coin for frame in still for coin in play.tracker.update(frame).rested]
    assert (rested == ["3"]) == rests


def test_a_sleeves_shadow_that_looks_like_the_bare_table_proves_nothing():
    """In one frame the coin seems gone, in the next the sleeve covers it again."""
    play = Play({"suns": lying((0.0, 0.0))}, 30.0)
    for frame, presence in enumerate((Presence.GONE, Presence.COVERED), start=1):
        play.tracker.update(under_a_hand(frame, 30, (), {"suns": presence}, {"suns"}))
    assert play.tracker.coins["suns"].may_lie == play.tracker.coins["suns"].before
