"""Which coin is which, through flicks, hits, lost frames and hands, with observations computed in
closed form.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from referee.domain.episode import Rest
from referee.domain.frame_observation import Disc, FrameObservation, Presence
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from tests.tracking.identity.observed import (
    COIN_MM,
    SIGMA_MM,
    Play,
    Slide,
    Way,
    assert_followed,
    bounced,
    lying,
    met,
    sliding,
)

FPS = st.sampled_from([30.0, 60.0])
SLOWING = st.floats(1200, 3500)
SEEDS = st.integers(0, 10_000)


def gaps(name: str, first: int, length: int) -> frozenset[tuple[str, int]]:
    """Return frames in a row in which a coin is not found."""
    return frozenset((name, k) for k in range(first, first + length))


@given(
    st.floats(250, 2800),
    st.floats(-math.pi, math.pi),
    SLOWING,
    FPS,
    SEEDS,
    st.integers(0, 3),
    st.integers(8, 25),
)
@settings(max_examples=30, deadline=None)
def test_a_flicked_coin_is_followed_to_where_friction_stops_it(
    speed, angle, slowing, fps, seed, lost, at_frame
):
    slide = Slide(0.25, (0.0, 0.0), (speed * math.cos(angle), speed * math.sin(angle)), slowing)
    assume(abs(slide.stops[0]) < 580 and abs(slide.stops[1]) < 330)
    assume(all(distance(slide.place(k / 200), (150.0, 100.0)) > COIN_MM for k in range(400)))
    assume((at_frame + lost) / fps < 0.25 + speed / slowing)  # seen again before it stops
    play = Play(
        {"suns": sliding(slide), "moons": lying((150.0, 100.0))},
        fps,
        gaps("suns", at_frame, lost),
        seed=seed,
    )
    play.until(0.25 + speed / slowing + 0.6)
    assert_followed(play, {"suns": slide.stops, "moons": (150.0, 100.0)})
    assert play.began == ["suns"] and play.rested == ["suns"]


@given(
    st.floats(500, 2200),
    st.floats(-17, 17),
    st.floats(60, 220),
    st.floats(0.85, 1.0),
    SLOWING,
    FPS,
    SEEDS,
    st.integers(0, 60),
)
@example(
    1263.0, 0.0, 81.0, 1.0, 1200.0, 30.0, 0, 9
)  # hit right in the middle while neither is seen: one does not pass through the other
@settings(max_examples=60, deadline=None)
def test_two_coins_that_hit_each_other_keep_their_names(
    speed, aside, ahead, bounce, slowing, fps, seed, lost_frame
):
    first, struck = (
        Slide(0.25, (-200.0, 0.0), (speed, 0.0), slowing),
        Slide(0.25, (-200.0 + ahead, aside), (0.0, 0.0), slowing),
    )
    t_s = met(first, struck)
    assume(t_s is not None)
    assert t_s is not None
    a, b = bounced(first, struck, t_s, bounce)
    assume(all(abs(s.stops[0]) < 580 and abs(s.stops[1]) < 330 for s in (a, b)))
    assume(b.speed**2 / (2 * slowing) > 6)  # a smaller nudge is measured when nothing moves
    play = Play(
        {"suns": sliding(first, a), "moons": sliding(struck, b)},
        fps,
        gaps("suns", lost_frame, 1) | gaps("moons", lost_frame, 1),
        seed=seed,
    )
    play.until(t_s + max(a.speed, b.speed) / slowing + 0.6)
    assert_followed(play, {"suns": a.stops, "moons": b.stops})
    assert play.began == ["suns", "moons"]


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_hardly_a_hit_of_many_exchanges_names_though_frames_are_lost_around_it(lost):
    rng, swapped, hits = np.random.default_rng(5), 0, 0
    while hits < 25:
        speed, aside, ahead, slowing = (
            float(rng.uniform(*span)) for span in ((600, 1800), (-14, 14), (60, 160), (1500, 3000))
        )
        first, struck = (
            Slide(0.25, (-200.0, 0.0), (speed, 0.0), slowing),
            Slide(0.25, (-200.0 + ahead, aside), (0.0, 0.0), slowing),
        )
        t_s = met(first, struck)
        if t_s is None:
            continue
        a, b = bounced(first, struck, t_s, float(rng.uniform(0.85, 1.0)))
        if b.speed**2 / (2 * slowing) < 20 or max(abs(b.stops[0]) - 580, abs(b.stops[1]) - 330) > 0:
            continue
        hits += 1
        dropped = frozenset(int(t_s * 30) + k for k in range(lost))
        play = Play(
            {"suns": sliding(first, a), "moons": sliding(struck, b)},
            30.0,
            dropped=dropped,
            seed=hits,
        ).until(t_s + 0.4)
        seen = [
            (distance(s.at_mm, place), t.coin)
            for t in play.tracker.tracks()
            for s in t.sightings
            if (place := play.coins[t.coin](s.t_s)) is not None
        ]
        swapped += any(off > COIN_MM / 2 for off, _ in seen)
        assert {coin for _, coin in seen} == {"suns", "moons"}
    assert swapped <= 1


@pytest.mark.parametrize("fps", [30.0, 60.0])
@pytest.mark.parametrize(
    "dropped", [frozenset(), frozenset({11, 12}), frozenset({17}), frozenset({14, 20, 21})]
)
def test_in_a_head_on_hit_the_striker_stops_and_the_other_goes_on(fps, dropped):
    first, struck = (
        Slide(0.25, (-150.0, 5.0), (1100.0, 0.0), 2000.0),
        Slide(0.25, (0.0, 5.0), (0.0, 0.0), 2000.0),
    )
    t_s = met(first, struck)
    assert t_s is not None
    a, b = bounced(first, struck, t_s, 0.9)
    play = Play(
        {"suns": sliding(first, a), "moons": sliding(struck, b)}, fps, dropped=dropped
    ).until(1.8)
    assert_followed(play, {"suns": a.stops, "moons": b.stops})
    assert a.stops[0] < b.stops[0] - COIN_MM


def test_in_a_chain_of_three_each_coin_keeps_its_name():
    suns, moons, arms = (
        Slide(0.25, at, v, 2000.0)
        for at, v in (
            ((-200.0, 0.0), (1500.0, 0.0)),
            ((-60.0, 2.0), (0.0, 0.0)),
            ((60.0, -4.0), (0.0, 0.0)),
        )
    )
    first = met(suns, moons)
    assert first is not None
    suns_after, moons_after = bounced(suns, moons, first, 0.95)
    second = met(moons_after, arms)
    assert second is not None
    moons_last, arms_last = bounced(moons_after, arms, second, 0.95)
    coins: dict[str, Way] = {
        "suns": sliding(suns, suns_after),
        "moons": sliding(moons, moons_after, moons_last),
        "arms": sliding(arms, arms_last),
    }
    play = Play(coins).until(2.0)
    assert_followed(
        play, {"suns": suns_after.stops, "moons": moons_last.stops, "arms": arms_last.stops}
    )
    assert play.began == ["suns", "moons", "arms"]


@given(st.floats(-0.6, 0.6), st.floats(400, 1500), st.floats(400, 1500), FPS, SEEDS)
@settings(max_examples=30, deadline=None)
def test_two_coins_that_move_at_once_and_pass_each_other_are_not_exchanged(
    angle, speed_a, speed_b, fps, seed
):
    a = Slide(0.25, (-250.0, -30.0), (speed_a, 0.0), 2000.0)
    b = Slide(0.25, (250.0, 30.0), (-speed_b * math.cos(angle), -speed_b * math.sin(angle)), 2000.0)
    assume(
        met(a, b) is None
        and all(distance(a.place(k / 500), b.place(k / 500)) > 1.2 * COIN_MM for k in range(1000))
    )
    assume(abs(b.stops[1]) < 330)
    play = Play({"suns": sliding(a), "moons": sliding(b)}, fps, seed=seed).until(1.7)
    assert_followed(play, {"suns": a.stops, "moons": b.stops})


def test_a_hand_that_covers_a_coin_and_leaves_begins_nothing():
    play = Play(
        {"suns": lying((0.0, 0.0)), "moons": lying((90.0, 0.0))},
        hands=((0.3, 1.4, (0.0, 0.0), 50.0),),
    )
    play.until(1.0)
    assert play.began == []
    play.until(2.0)
    assert play.began == [] and play.rested == []
    assert all(c.state is State.REST and not c.sightings for c in play.tracker.coins.values())
    suns, moons = play.tracker.tracks()
    assert suns.hand_frames and not moons.hand_frames
    assert suns.after is not None and suns.after.at_mm == (0.0, 0.0)


def carried(from_s: float, to_s: float, from_mm: Point, to_mm: Point) -> Way:
    """Return the way of a coin that a hand takes from one place and puts down at another, straight
    and evenly.
    """

    def place(t_s: float) -> Point:
        share = min(max((t_s - from_s) / (to_s - from_s), 0.0), 1.0)
        return (
            from_mm[0] + share * (to_mm[0] - from_mm[0]),
            from_mm[1] + share * (to_mm[1] - from_mm[1]),
        )

    return place


def test_a_coin_carried_away_in_a_hand_is_hidden_and_not_another():
    # The hand moves with the coin and covers it all the time. The other coin, which the hand does
    # not touch, stays what it was.
    place_at = carried(0.6, 1.2, (0.0, 0.0), (240.0, 120.0))
    hands = tuple(
        (t, t + 0.021, place_at(t) or (0.0, 0.0), 45.0) for t in [0.3 + k / 60 for k in range(66)]
    )
    play = Play({"suns": place_at, "moons": lying((-150.0, 0.0))}, hands=hands).until(1.35)
    suns, moons = (play.tracker.coins[n] for n in ("suns", "moons"))
    assert play.began == []
    assert suns.state is State.HIDDEN
    assert moons.state is State.REST and not moons.sightings
    assert suns.hand_frames and suns.hidden_frames


def test_a_hidden_coin_is_followed_again_where_it_is_seen():
    # A hand carries it off. It is seen uncovered at its new place while the hand withdraws, and is
    # that coin, not a new one.
    place_at = carried(0.6, 1.2, (0.0, 0.0), (240.0, 120.0))
    hands = tuple(
        (t, t + 0.021, place_at(t) or (0.0, 0.0), 45.0) for t in [0.3 + k / 60 for k in range(66)]
    )
    play = Play({"suns": place_at, "moons": lying((-150.0, 0.0))}, hands=hands).until(1.35)
    play.tracker.lay("suns", play.tracker.coins["moons"].rest.__class__((240.0, 120.0), 0.2), 1.4)
    assert play.tracker.coins["suns"].state is State.REST
    before = {t.coin: t.before for t in play.tracker.tracks()}
    assert before["suns"] is not None and before["suns"].at_mm == (0.0, 0.0)
    assert {t.coin for t in play.tracker.tracks()} == {"suns", "moons"}
    play.tracker.close()
    assert {t.coin: t.before and t.before.at_mm for t in play.tracker.tracks()} == {
        "suns": (240.0, 120.0),
        "moons": (-150.0, 0.0),
    }


def test_a_coin_that_goes_over_the_edge_is_off_the_table_and_looked_for_no_more():
    slide = Slide(0.25, (480.0, 0.0), (1500.0, 0.0), 2000.0)

    def falls(t_s: float) -> Point | None:
        at = slide.place(t_s)
        return at if at[0] < 615 else None

    play = Play({"suns": falls, "moons": lying((0.0, 0.0))}).until(1.2)
    suns = play.tracker.coins["suns"]
    assert suns.state is State.OFF_TABLE and suns.rest is None
    assert [e.coin for e in play.tracker.expected(1.3)] == ["moons"]
    track = next(t for t in play.tracker.tracks() if t.coin == "suns")
    assert track.after is None and track.before is not None
    assert play.tracker.coins["moons"].state is State.REST


@pytest.mark.parametrize(("over_mm", "gone"), [(1.0, True), (-1.0, False)])
def test_a_coin_that_falls_behind_the_far_edge_seems_to_come_back_and_is_off_the_table(
    over_mm: float, gone: bool
):
    """Its centre passes y = 350 by less than the error of a sighting. While it falls, the camera
    sees it through the table's plane, closer and closer, until the edge hides it.
    """
    play = Play({"suns": lying((0.0, 300.0))}, 60.0)
    seen = [
        (0.0, 330.0),
        (4.0, 338.0),
        (8.0, 345.0),
        (12.0, 350.0 + over_mm),
        (16.0, 349.0),
        (20.0, 345.0),
    ]
    for frame, at in enumerate(seen, start=1):
        play.tracker.update(
            FrameObservation(
                frame,
                frame / 60,
                True,
                False,
                (Disc(at, SIGMA_MM, 1.0, False),),
                {"suns": Presence.GONE},
            )
        )
    for frame in range(len(seen) + 1, 30):
        play.tracker.update(
            FrameObservation(frame, frame / 60, False, False, quiet=frozenset({"suns"}))
        )
    assert (play.tracker.coins["suns"].state is State.OFF_TABLE) == gone


def test_a_coin_that_was_seen_to_lie_on_the_very_edge_has_not_left():
    play = Play({"suns": lying((0.0, 300.0))}, 60.0)
    seen = [(0.0, 330.0), (4.0, 342.0), *[(6.0, 350.4), (6.2, 349.9)] * 3]
    for frame, at in enumerate(seen, start=1):
        play.tracker.update(
            FrameObservation(
                frame,
                frame / 60,
                True,
                False,
                (Disc(at, SIGMA_MM, 1.0, False),),
                {"suns": Presence.GONE},
            )
        )
    for frame in range(len(seen) + 1, 30):
        play.tracker.update(
            FrameObservation(frame, frame / 60, False, False, quiet=frozenset({"suns"}))
        )
    assert play.tracker.coins["suns"].state is State.REST


def test_a_coin_that_stops_just_short_of_the_edge_has_not_left():
    slide = Slide(
        0.25, (480.0, 0.0), (math.sqrt(2 * 2000 * 110.0), 0.0), 2000.0
    )  # v2 / 2a = 110 mm: to 590 of 600
    play = Play({"suns": sliding(slide)}).until(1.4)
    assert_followed(play, {"suns": (590.0, 0.0)})


def test_a_coin_that_is_gone_and_nowhere_seen_is_hidden_never_forgotten():
    def vanishes(t_s: float) -> Point | None:
        return (0.0, 0.0) if t_s < 0.3 else None

    play = Play({"suns": vanishes, "moons": lying((100.0, 0.0))})
    play.until(0.3)
    observation = play.observation(19)
    assert observation.presence == {"suns": Presence.GONE}
    play.tracker.update(observation)
    assert play.tracker.coins["suns"].state is State.HIDDEN
    assert set(play.tracker.coins) == {"suns", "moons"}


def test_shaking_light_moves_no_coin():
    # Discs appear within a measuring error of where a coin lies, while the frame analysis is not
    # sure whether it is there.
    play = Play({"suns": lying((0.0, 0.0))})
    for frame in range(1, 40):
        observation = play.observation(frame)
        jitter = play._disc((0.0, 0.0), [])
        presence = {"suns": Presence.GONE}
        play.changes.append(
            play.tracker.update(
                type(observation)(frame, observation.t_s, True, False, (jitter,), presence)
            )
        )
    assert play.began == []
    assert play.tracker.coins["suns"].state is State.REST


def test_names_may_be_given_later_and_exchanged():
    slide = Slide(0.25, (0.0, 0.0), (800.0, 0.0), 2000.0)
    play = Play({"?1": sliding(slide), "?2": lying((0.0, 120.0))}).until(0.45)
    play.tracker.rename({"?1": "suns", "?2": "moons"})
    assert set(play.tracker.coins) == {"suns", "moons"}
    moved = play.tracker.coins["suns"]
    assert moved.state is State.SLIDING and {s.coin for s in moved.sightings} == {"suns"}
    play.tracker.rename({"suns": "moons", "moons": "suns"})
    assert play.tracker.coins["moons"] is moved and {s.coin for s in moved.sightings} == {"moons"}


def test_a_lost_coin_that_gets_its_name_back_lay_where_it_was_found():
    """Nobody knew where suns lay when the episode began, but a coin without a name lay there."""
    tracker = Tracker((), PieceSizes(coin_mm=COIN_MM))
    tracker.coins["suns"] = TrackedCoin("suns", State.HIDDEN, None, None)
    tracker.lay("?2", Rest((40.0, 0.0), 0.2), 0.1)
    tracker.close()
    tracker.rename({"?2": "suns"})
    (track,) = tracker.tracks()
    assert track.before is not None and track.before.at_mm == (40.0, 0.0)


def test_an_episode_that_is_closed_leaves_the_next_one_empty():
    slide = Slide(0.25, (0.0, 0.0), (800.0, 0.0), 2000.0)
    play = Play({"suns": sliding(slide)}).until(1.3)
    assert play.tracker.frames and play.tracker.tracks()[0].sightings
    play.tracker.close(play.tracker.frames[-1:])
    (track,) = play.tracker.tracks()
    assert len(play.tracker.frames) == 1 and track.sightings == () and track.before == track.after
    assert track.before is not None and distance(track.before.at_mm, slide.stops) < 1.5


@pytest.mark.parametrize("speed", [1500.0, 2800.0])
def test_a_coin_that_turns_back_from_a_post_is_followed_on(speed):
    """At 30 frames a second it is 50 mm and more from its predicted place. No other coin is
    missing.
    """
    there = Slide(0.25, (0.0, 0.0), (speed, 0.0), 1500.0)
    hit_s = 0.25 + 260.0 / speed
    back = Slide(hit_s, there.place(hit_s), (-0.5 * there.velocity_at(hit_s)[0], 60.0), 1500.0)
    play = Play({"suns": sliding(there, back), "moons": lying((150.0, 200.0))}, 30.0).until(
        hit_s + back.speed / 1500.0 + 0.6
    )
    assert_followed(play, {"suns": back.stops, "moons": (150.0, 200.0)})


def test_a_disc_on_a_coin_that_lies_still_is_no_other_coin():
    """Of two touching coins one is hidden: the disc 2 mm beside the other one's place is that one,
    although it is within reach of the hidden coin.
    """
    tracker = Tracker((), PieceSizes(coin_mm=COIN_MM))
    tracker.lay("suns", Rest((0.0, 0.0), SIGMA_MM), 0.0)
    tracker.lay("moons", Rest((COIN_MM, 0.0), SIGMA_MM), 0.0)
    beside = Disc((COIN_MM + 2.0, 0.0), SIGMA_MM, 1.0, False)
    tracker.update(FrameObservation(1, 1 / 60, True, False, (beside,), {"suns": Presence.GONE}))
    assert not tracker.coins["suns"].sightings


@pytest.mark.parametrize(("step_mm", "rests"), [(1.0, True), (4.3, False)])
def test_a_coin_lost_while_it_was_fast_does_not_rest_where_it_was_seen_last(
    step_mm: float, rests: bool
):
    """All around it is still 3 frames, 0.05 s, after it was last seen. Until then it goes 1.5 mm at
    60 mm/s, less than the 3 mm from which its rim is found, or 6.5 mm at 258 mm/s.
    """
    play = Play({"suns": lying((0.0, 0.0))}, 60.0)
    for frame in range(1, 8):
        disc = Disc((step_mm * (frame + 2), 0.0), SIGMA_MM, 1.0, False)
        play.tracker.update(
            FrameObservation(frame, frame / 60, True, False, (disc,), {"suns": Presence.GONE})
        )
    for frame in range(8, 30):
        quiet = frozenset({"suns"} if frame >= 10 else ())
        play.tracker.update(FrameObservation(frame, frame / 60, False, False, quiet=quiet))
    assert (play.tracker.coins["suns"].lies is not None) == rests


@pytest.mark.parametrize("beside_hand", [False, True])
def test_a_coin_that_slid_away_clear_of_hands_is_lost_in_the_next_episode(beside_hand: bool):
    play = Play({"suns": lying((0.0, 0.0))}, 60.0)
    for frame in range(1, 8):
        disc = Disc((10.0 * frame, 0.0), SIGMA_MM, 1.0, beside_hand, beside_hand)
        gone = {"suns": Presence.GONE}
        play.tracker.update(FrameObservation(frame, frame / 60, True, False, (disc,), gone))
    for frame in range(8, 40):
        gone = {"suns": Presence.GONE}
        play.tracker.update(FrameObservation(frame, frame / 60, True, False, (), gone))
    play.tracker.close()
    (track,) = play.tracker.tracks()
    assert (track.before, track.lost) == (None, not beside_hand)
