"""A coin that a hand took, and that is next seen where it was put down or flicked from there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.domain.episode import Rest
from referee.domain.frame_observation import Disc, FrameObservation, Presence
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.tracking.identity.put_down import hand_on_sightings, put_down
from referee.tracking.identity.tentative_tracks import TentativeTrack, TrackedDisc, since
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from tests.tracking.identity.observed import COIN_MM, OUTLINE, Play, Way, lying

LAY: Point = (-300.0, 0.0)
TO: Point = (200.0, 50.0)
TAKEN_S, NEXT_S, LEFT_S = 0.3, 0.6, 1.2  # the next hand lies elsewhere from `NEXT_S` to `LEFT_S`


class PutDown(Play):
    """Coins that lie still when they are seen elsewhere than where they lay."""

    def observation(self, frame: int) -> FrameObservation:
        seen = super().observation(frame)
        return replace(seen, discs=tuple(replace(d, still=True) for d in seen.discs))


def carried(from_mm: Point, to_mm: Point) -> Way:
    return lambda t_s: from_mm if t_s < TAKEN_S else to_mm


def taken(**ways: Way) -> PutDown:
    """Return play in which a hand lies over `LAY` and the other takes the coins there elsewhere."""
    hands = ((0.1, 0.5, LAY, 60.0), (NEXT_S, LEFT_S, (0.0, -250.0), 40.0))
    return PutDown({**ways, "moons": lying((0.0, 200.0))}, hands=hands)


def test_a_coin_that_was_put_down_lies_there_while_the_next_hand_moves():
    play = taken(suns=carried(LAY, TO)).until(LEFT_S)
    coin = play.tracker.coins["suns"]
    assert coin.state is State.REST
    assert coin.rest is not None and distance(coin.rest.at_mm, TO) < 1.5
    assert play.rested == ["suns"]
    came = next(c for c in play.changes if c.rested)
    assert play.tracker.ended_s(came, 9.0) == pytest.approx(TAKEN_S, abs=1 / 60)


def test_which_of_two_coins_that_hands_took_was_put_down_is_not_known():
    away = (-300.0, 30.0)
    play = taken(suns=carried(LAY, TO), arms=lambda t_s: away if t_s < TAKEN_S else None)
    play.until(LEFT_S)
    states = {play.tracker.coins[name].state for name in ("suns", "arms")}
    assert states == {State.HIDDEN}


def test_what_lies_where_another_coin_lies_under_a_hand_is_that_one():
    play = taken(suns=carried(LAY, TO), arms=lying((TO[0] + 3.0, TO[1])))
    play.hands = (*play.hands, (NEXT_S, LEFT_S, (TO[0] + 8.0, TO[1]), 6.0))
    play.until(LEFT_S)
    assert play.tracker.coins["suns"].state is State.HIDDEN


@pytest.mark.parametrize(("gone_s", "given"), [(0.1, True), (0.5, False)])
def test_what_lies_still_is_the_coin_that_has_just_gone_from_beside_it(gone_s, given):
    """It slid 20 mm between two frames and stopped. A coin that is gone for longer is in a hand."""
    tracker = Tracker((), PieceSizes(coin_mm=COIN_MM))
    tracker.lay("suns", Rest((0.0, 0.0), 0.2), 0.0)
    tracker.close()
    disc = Disc((20.0, 0.0), 0.4, 0.9, at_hand=False, still=True)
    for frame, t_s, discs in ((1, 0.02, ()), (2, gone_s, (disc,))):
        gone = {"suns": Presence.GONE}
        tracker.update(FrameObservation(frame, t_s, True, True, discs, gone))
    assert bool(tracker.coins["suns"].sightings) == given


def test_what_lay_before_an_episode_does_not_count_in_it():
    disc = Disc(TO, 0.4, 0.9, at_hand=False, still=True)
    tracks = [TentativeTrack([TrackedDisc(k, k / 60, disc) for k in frames]) for frames in (
        range(1, 4), range(3, 9))]  # fmt: skip
    kept = since(tracks, 5)
    assert [[g.frame for g in track.discs_seen] for track in kept] == [[5, 6, 7, 8]]


@pytest.mark.parametrize(
    ("seen_bare", "beside_hand", "given"),
    [
        (True, [], 3),
        (True, [2], 0),  # two sightings may be anything
        (False, [], 0),  # as far as is known, it lies where it lay
    ],
)
def test_what_slid_is_the_coin_that_a_hand_took_if_the_other_one_lies_where_it_lay(
    seen_bare, beside_hand, given
):
    rest, away = Rest((0.0, 0.0), 0.3), Rest(LAY, 0.3)
    seen = [Sighting("crowns", k, k / 30, (50.0 + 20.0 * k, 0.0), 1.0) for k in (1, 2, 3)]
    crowns = TrackedCoin("crowns", State.SLIDING, rest, rest, seen, beside_hand={*beside_hand})
    suns = TrackedCoin("suns", State.HIDDEN, away, away, seen_bare=seen_bare)
    hand_on_sightings(crowns, {"crowns": crowns, "suns": suns})
    crowns.lies_where_it_lay(0.2)
    assert [(s.coin, s.frame) for s in suns.sightings] == [("suns", k + 1) for k in range(given)]
    assert suns.state is (State.SLIDING if given else State.HIDDEN)
    assert not crowns.sightings


@pytest.mark.parametrize(
    ("from_s", "beside_hand", "taken"),
    [
        pytest.param(1.2, False, None, id="it was in view while the other disc lay there"),
        pytest.param(1.4, False, "suns", id="it went out of view before"),
        pytest.param(1.2, True, "suns", id="it was seen only at the hand"),
    ],
)
def test_a_hand_put_down_no_coin_that_was_in_view_meanwhile(
    from_s: float, beside_hand: bool, taken: str | None
) -> None:
    seen = [Sighting("suns", k, k / 60, (50.0, 0.0), 0.4) for k in range(60, 80)]
    hand = {s.frame for s in seen} if beside_hand else set[int]()
    lay = Rest((0.0, 0.0), 0.2)
    coin = TrackedCoin("suns", State.HIDDEN, lay, lay, seen, hand_frames=hand, left=True)
    assert put_down([coin], from_s) == taken


def test_which_of_two_discs_that_newly_lie_there_was_put_down_is_not_known():
    """A hand took one coin only, so that one of the two discs is something else."""
    play = taken(suns=carried(LAY, TO), crowns=lambda t_s: None if t_s < TAKEN_S else (60.0, 90.0))
    play.until(LEFT_S)
    assert play.tracker.coins["suns"].state is State.HIDDEN


def test_one_thing_that_is_found_twice_is_one_thing():
    """The two discs are 6 mm apart, less than half a coin."""
    beside = (TO[0] + 6.0, TO[1])
    play = taken(suns=carried(LAY, TO), crowns=lambda t_s: None if t_s < TAKEN_S else beside)
    play.until(LEFT_S)
    assert play.tracker.coins["suns"].state is State.REST


def test_what_comes_to_lie_there_after_a_coin_was_put_down_is_not_that_coin():
    """It appears 60 mm beside the coin, half a second later."""
    play = taken(suns=carried(LAY, TO))
    play.coins["crowns"] = lambda t_s: None if t_s < 1.0 else (TO[0] + 60.0, TO[1])
    play.until(LEFT_S)
    assert play.tracker.coins["suns"].state is State.REST


def test_a_coin_that_is_seen_in_a_frame_was_not_put_down_elsewhere_in_that_frame():
    """A disc moves and one lies still, 12 mm from each other, both far from where the coin lay."""
    tracker = Tracker((), PieceSizes(coin_mm=COIN_MM))
    for name, at in (("arms", (90.0, 10.0)), ("suns", (-60.0, 0.0))):
        tracker.lay(name, Rest(at, 0.2), 0.0)
    tracker.close()
    first = Disc((-36.0, 0.0), 0.3, 0.9, at_hand=False)
    both = (
        Disc((-96.0, 0.0), 0.3, 0.9, at_hand=False),
        Disc((-84.0, 0.0), 0.3, 0.9, at_hand=False, still=True),
    )
    shown = [(), (first,), (first,), (), (), (), (), (), both, both, both, both]
    for frame, discs in enumerate(shown, 1):
        gone = {"arms": Presence.GONE}
        tracker.expected(frame / 30)
        tracker.update(FrameObservation(frame, frame / 30, False, True, discs, gone))
    frames = [s.frame for s in tracker.coins["arms"].sightings]
    assert frames
    assert len(frames) == len(set(frames))


@pytest.mark.parametrize(("seen_on_its_way", "set_back"), [(1, True), (4, False)])
def test_what_lies_where_a_coin_seemed_to_leave_from_is_that_coin(seen_on_its_way, set_back):
    """The suns are seen once beyond the edge, as a sleeve is, or slide over it in many frames. The
    moons are in a hand.
    """
    lay = (0.0, -300.0)
    tracker = Tracker(OUTLINE, PieceSizes(coin_mm=COIN_MM))
    tracker.lay("suns", Rest(lay, 0.2), 0.0)
    tracker.lay("moons", Rest((300.0, 100.0), 0.2), 0.0)
    tracker.close()
    gone = {"suns": Presence.GONE, "moons": Presence.GONE}
    way = [(0.0, -360.0 + 12.0 * k) for k in reversed(range(seen_on_its_way))]
    for frame, at_mm in enumerate([*way, *[lay] * 12]):
        disc = Disc(at_mm, 0.4, 0.9, at_hand=False, still=at_mm == lay)
        tracker.update(FrameObservation(frame, 0.02 * (frame + 1), True, True, (disc,), gone))
    coin = tracker.coins["suns"]
    assert (coin.state is State.REST and not coin.sightings) == set_back
    assert (tracker.coins["moons"].state is State.HIDDEN) == set_back
