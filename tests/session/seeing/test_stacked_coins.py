"""Which coin lies on a tower: the only one that hands took, on the only tower that looks new."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.episode import Episode, Frame, Rest
from referee.domain.frame_observation import Disc, FrameObservation, Presence
from referee.domain.geometry import distance
from referee.domain.layout import Course, template_course
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.session.seeing.flick_begins import before_next, next_begins
from referee.session.seeing.stacked_coins import StackTops, put
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from referee.vision.tiles.coin_on_stack import face_above
from referee.vision.tiles.stack_top import SeenTop, Top
from tests.vision.drawn import SIZES, looking
from tests.vision.tiles.test_stack_top import TOWER, drawn, seen

CASTLES = template_course("castle-croquetnole", 50.0)
ON_SUNS = Rest((-252.0, 3.0), 2.0)  # the tower's middle is 5 tiles to the west
NEW = {"tower-suns": SeenTop(Top.COIN, ON_SUNS), "tower-moons": SeenTop(Top.BARE)}
STILL = FrameObservation(90, 1.5, False, False, (), {}, frozenset(), frozenset(), frozenset())


def coin(name: str, at: tuple[float, float], state: State, *, hands: bool = True) -> TrackedCoin:
    rest = Rest(at, 0.2)
    return TrackedCoin(name, state, rest, rest, hand_frames={50, 51} if hands else set())


def test_the_coin_that_a_hand_took_lies_on_the_tower_and_nothing_of_it_slid() -> None:
    moons = coin("moons", (-170.0, 14.0), State.SLIDING)
    moons.sightings = [Sighting("moons", 60, 1.0, (-200.0, -20.0), 0.5)]  # a knuckle
    others = [coin("2", (-206.0, -20.0), State.REST), coin("ace", (0.0, 0.0), State.REST)]
    put([moons, *others], NEW, CASTLES, STILL)
    assert (moons.state, moons.rest, moons.sightings) == (State.ON_STACK, ON_SUNS, [])
    assert [c.state for c in others] == [State.REST, State.REST]


def test_what_it_did_before_the_hand_came_stays() -> None:
    moons = coin("moons", (-170.0, 14.0), State.HIDDEN)
    moons.before, moons.last_there_s = Rest((0.0, 0.0), 0.2), 0.8
    slid = Sighting("moons", 30, 0.5, (-90.0, 8.0), 0.5)
    moons.sightings = [slid, Sighting("moons", 60, 1.0, (-200.0, -20.0), 0.5)]
    put([moons], NEW, CASTLES, STILL)
    assert moons.sightings == [slid]


def test_a_coin_that_is_gone_from_its_place_counts_and_one_under_a_hand_does_not() -> None:
    here, gone = (coin(n, (-170.0, 14.0), State.REST) for n in ("moons", "arms"))
    presence = {"moons": Presence.COVERED, "arms": Presence.GONE}
    seen = FrameObservation(90, 1.5, False, False, (), presence, frozenset(), frozenset())
    put([here, gone], NEW, CASTLES, seen)
    assert (here.state, gone.state) == (State.REST, State.ON_STACK)


@pytest.mark.parametrize(
    ("coins", "tops"),
    [
        # Which of two lies there is not known,
        ([("moons", True), ("arms", True)], NEW),
        # nor on which of two it lies;
        ([("moons", True)], {**NEW, "tower-arms": SeenTop(Top.COIN, Rest((250.0, 0.0), 2.0))}),
        # one that no hand was at fell or slid away,
        ([("moons", False)], NEW),
        # and under a hand nothing is known.
        ([("moons", True)], {"tower-suns": SeenTop(Top.UNCLEAR)}),
    ],
)
def test_what_is_not_known_is_not_guessed(coins, tops) -> None:
    taken = [coin(name, (-170.0, 14.0), State.HIDDEN, hands=hands) for name, hands in coins]
    put(taken, tops, CASTLES, STILL)
    assert [c.state for c in taken] == [State.HIDDEN] * len(taken)


def test_a_coin_on_a_tower_lies_in_a_known_place_where_no_disc_is_looked_for() -> None:
    tracker = Tracker((), PieceSizes(coin_mm=20.0))
    tracker.lay("moons", ON_SUNS, 0.0)
    tracker.coins["moons"].state = State.ON_STACK
    tracker.close()
    tracker.update(STILL)
    assert tracker.expected(2.0) == []
    (track,) = tracker.tracks()
    assert (track.before, track.after) == (ON_SUNS, ON_SUNS)


def test_the_face_of_a_coin_under_a_finger_is_not_learnt() -> None:
    """A finger rests on one of two coins, and is too little of a hand to count as one."""
    at = {"moons": (-40.0, 20.0), "arms": (40.0, 20.0)}
    picture, tracker = drawn(at["moons"], on_mm=0.0), Tracker((), SIZES)
    for name, place in at.items():
        tracker.lay(name, Rest(place, 0.2), 0.0)
    table = SurveyedTable("castle-croquetnole", looking(20.0), CASTLES, SIZES, (), 0.1, False, "")
    tops = StackTops(table)
    tops.learn(picture, CASTLES, tracker)
    bare = dict(tops._faces)
    finger = drawn(at["moons"], on_mm=0.0, hand_from_mm=-45.0)
    seen = FrameObservation(90, 1.5, False, False, (), {"moons": Presence.COVERED})
    tops.learn(finger, CASTLES, tracker, seen)
    assert np.array_equal(tops._faces["moons"], bare["moons"])
    assert not np.array_equal(tops._faces["arms"], bare["arms"])


def test_a_face_that_fits_nowhere_on_a_tower_does_not_move_the_coin() -> None:
    """What was taken for the coin's face is a part of a hand, without any mark."""
    course = Course(MappingProxyType({"tower-moons": TOWER}), SIZES.tile_mm)
    table = SurveyedTable("castle-croquetnole", looking(20.0), course, SIZES, (), 0.1, False, "")
    lies, tops = (10.0, 6.0), StackTops(table)
    tracker = Tracker((), SIZES)
    tops.learn(drawn(), course, tracker)
    picture = drawn(lies, seed=2)
    found = seen(picture).rest
    assert found is not None
    hand = drawn((-45.0, 20.0), on_mm=0.0, hand_from_mm=-47.0)
    face = face_above(hand, looking(20.0), (-45.0, 20.0), SIZES)
    assert face is not None
    tops._faces["moons"] = face
    moons = coin("moons", (-45.0, 20.0), State.ON_STACK)
    moons.rest = found
    told = tops._by_face(moons, picture, "tower-moons", TOWER)
    assert told is not None and distance(told.at_mm, lies) < 2.0


def test_the_frames_just_before_a_flick_under_the_same_hand_are_not_of_the_last_one() -> None:
    """The next flick is seen to begin at 1 s. It may have begun unseen since 0.9 s, so that the
    coins' places, which are those of before, are not true any more.
    """
    frames = tuple(Frame(k, k / 60) for k in range(60))
    told = before_next(Episode(frames, (), CASTLES, CASTLES, (), SIZES), 1.0)
    assert (told.frames[0], told.frames[-1]) == (frames[0], frames[54])


def test_what_was_only_seen_at_a_hand_has_ended_nothing() -> None:
    """A knuckle was taken for the coin under the hand and came to rest with it. When another coin
    comes into view, that is no new flick; behind a coin that was seen on its own it is.
    """
    table = SurveyedTable("castle-croquetnole", looking(), CASTLES, SIZES, (), 0.1, False, "left")
    new = Disc((100.0, 100.0), 0.5, 0.9, at_hand=False)
    presence = {"2": Presence.COVERED}
    seen = FrameObservation(90, 1.5, True, True, (new,), presence, frozenset(), frozenset())
    knuckle = coin("2", (-206.0, -20.0), State.REST)
    knuckle.hand_frames, knuckle.beside_hand = {60}, {61}
    knuckle.sightings = [Sighting("2", k, k / 60, (-206.0, -40.0), 0.5) for k in (60, 61)]
    assert not next_begins(seen, seen, 1.2, [knuckle], table)
    knuckle.beside_hand = set()
    assert next_begins(seen, seen, 1.2, [knuckle], table)


@pytest.mark.parametrize(
    ("hand", "still", "begins"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_without_a_hand_or_with_what_lies_still_no_flick_begins(
    hand: bool, still: bool, begins: bool
) -> None:
    table = SurveyedTable("castle-croquetnole", looking(), CASTLES, SIZES, (), 0.1, False, "left")
    new = Disc((100.0, 100.0), 0.5, 0.9, at_hand=False, still=still)
    presence = {"2": Presence.COVERED}
    seen = FrameObservation(90, 1.5, True, hand, (new,), presence, frozenset(), frozenset())
    came = coin("2", (-206.0, -20.0), State.REST)
    came.sightings = [Sighting("2", k, k / 60, (-206.0, -40.0), 0.5) for k in (60, 61)]
    assert next_begins(seen, seen, 1.2, [came], table) == begins
