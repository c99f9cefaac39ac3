"""What a hypothesis about a flick costs, and which of two the search chooses."""

import math
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from referee.domain.episode import CoinTrack, Frame, Rest
from referee.domain.layout import Course, Tile
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.hypotheses.held_span import HeldSpan, too_fast_cost
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis, held_spans, price
from referee.tracking.trajectory.hypotheses.prices import (
    BREAK_PRICE,
    FLICK_PRICE,
    HELD_PRICE,
    LOST_PRICE,
    MISSED_PRICE,
    MOST_MISSED_PRICE,
    PUSHED_PRICE,
    SECOND_FLICK_PRICE,
    UNEXPLAINED_PRICE,
    UNSEEN_FLICK_PRICE,
)
from referee.tracking.trajectory.hypotheses.scene import Scene, scene_of
from referee.tracking.trajectory.proposals.contacts import dropped
from referee.tracking.trajectory.proposals.first_hypothesis import first_hypothesis
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import SLOWING, TILE_MM, Coin, Leg, Shot, flicked, hit, rebounded

PRIOR = (SLOWING, 0.1)
HANDLESS = (1.0, 0.0)


def explained(*coins: Coin) -> tuple[Scene, Hypothesis]:
    """Return the scene of a shot without errors, and its first hypothesis."""
    scene = scene_of(Shot(coins, sigma_mm=0.05, rest_sigma_mm=0.01).episode())
    return scene, first_hypothesis(scene, PRIOR)[0]


def test_of_two_breaks_at_one_contact_either_can_be_dropped_and_the_contact_stays():
    a, b, _ = hit(flicked("moons", (-150.0, 0.0), (1100.0, 0.0)), Coin("suns", (20.0, 8.0)))
    scene, apart = explained(a, b)
    (moons,), (suns,) = apart.of("moons"), apart.of("suns")
    once = apart.with_touch(moons, 1, suns, 0)
    chain = once.chains[moons]
    turned_s, window = chain.begins_s[1], chain.windows_s[1]
    halted = chain.with_run(1, turned_s, np.zeros(2), window, "suns")
    twice = once.put(moons, halted)
    assert price(scene, twice) == pytest.approx(price(scene, once) + BREAK_PRICE, abs=1.0)
    found = dropped(twice, moons, 2, SLOWING)
    assert min(price(scene, one) for one in found) == pytest.approx(price(scene, once), abs=1.0)


@pytest.mark.parametrize(("lay_s", "dear"), [(None, False), (0.2, False), (0.27, True)])
def test_a_coin_does_not_slide_while_it_is_clearly_seen_to_lie_there(
    lay_s: float | None, dear: bool
) -> None:
    """It slides from 0.2 s on at 900 mm/s, so it is 61 mm away at 0.27 s."""
    shot = Shot((flicked("moons", (-150.0, 0.0), (900.0, 0.0)),), sigma_mm=0.05, rest_sigma_mm=0.01)
    episode = shot.episode()
    (track,) = episode.tracks
    explanation, _ = first_hypothesis(scene_of(episode), PRIOR)
    seen = scene_of(replace(episode, tracks=(replace(track, lay_until_s=lay_s),)))
    extra = price(seen, explanation) - price(scene_of(episode), explanation)
    assert extra == pytest.approx(UNEXPLAINED_PRICE if dear else 0.0)


@pytest.mark.parametrize(
    ("hand_s", "expected"), [((0.0, 0.21), FLICK_PRICE), (HANDLESS, UNSEEN_FLICK_PRICE)]
)
def test_a_slide_costs_what_set_it_in_motion(hand_s, expected):
    coin = Coin("moons", (0.0, 0.0), (Leg(0.2, (0.0, 0.0), (900.0, 0.0)),), hand_s=hand_s)
    assert price(*explained(coin)) == pytest.approx(expected, abs=1.0)


@pytest.mark.parametrize(
    ("hidden_s", "hand_s", "expected"),
    [
        ((0.301, 0.301 + 4 / 60), (0.0, 0.21), 4 * MISSED_PRICE),
        ((0.201, 0.201 + 2 / 60), (0.0, 0.3), 0.0),
        ((0.301, 0.301 + 4 / 60), (0.0, 0.5), 4 * MISSED_PRICE),
        ((0.301, 0.301 + 15 / 60), (0.0, 0.21), MOST_MISSED_PRICE),
    ],
    ids=["in view", "under the hand", "beyond the hand", "hardly ever in view"],
)
def test_a_slide_that_ought_to_be_seen_and_is_not_costs_something(hidden_s, hand_s, expected):
    """At 900 mm/s and 60 frames a second the coin comes 15 mm in a frame, so it is two widths from
    where it lay after two frames.
    """
    leg = Leg(0.2, (0.0, 0.0), (900.0, 0.0))
    coin = Coin("moons", (0.0, 0.0), (leg,), hand_s=hand_s, hidden_s=hidden_s)
    assert price(*explained(coin)) == pytest.approx(FLICK_PRICE + expected, abs=1.0)


def test_two_coins_that_begin_together_cost_a_second_flick_unless_they_touched():
    a, b = flicked("moons", (0.0, 0.0), (600.0, -500.0)), flicked("suns", (20.0, 0.0), (700.0, 0.0))
    scene, apart = explained(a, b)
    assert price(scene, apart) == pytest.approx(2 * FLICK_PRICE + SECOND_FLICK_PRICE, abs=1.0)
    assert price(scene, apart.with_touch(0, 0, 1, 0)) == pytest.approx(FLICK_PRICE, abs=1.0)


def test_a_break_costs_less_where_something_was_hit_and_the_struck_coin_starts_for_nothing():
    a, b, _ = hit(flicked("moons", (-150.0, 0.0), (1100.0, 0.0)), Coin("suns", (20.0, 8.0)))
    scene, apart = explained(a, b)
    alone = FLICK_PRICE + UNEXPLAINED_PRICE + UNSEEN_FLICK_PRICE
    assert price(scene, apart) == pytest.approx(alone, abs=1.0)
    (moons,), (suns,) = apart.of("moons"), apart.of("suns")
    with_touch = apart.with_touch(moons, 1, suns, 0)
    assert price(scene, with_touch) == pytest.approx(FLICK_PRICE + BREAK_PRICE, abs=1.0)
    assert price(scene, with_touch.without_run(moons, 1)) == pytest.approx(
        FLICK_PRICE + UNSEEN_FLICK_PRICE, abs=1.0
    )


def test_a_coin_that_lies_elsewhere_and_never_slid_costs_a_move_by_a_hand_that_was_seen_or_not():
    """It is seen again where it lies, 40 mm on: 400^2 / (2 * 2000). What its sightings there cost
    is the same with and without a hand.
    """
    legs = (Leg(0.2, (0.0, 0.0), (400.0, 0.0)),)
    prices = []
    for hand_s in ((0.1, 0.44), HANDLESS):
        coin = Coin("moons", (0.0, 0.0), legs, hand_s=hand_s, hidden_s=(0.0, 0.45))
        scene, nothing = explained(coin)
        assert nothing.chains == () and len(held_spans(scene, nothing, "moons")) == 1
        assert np.allclose(scene.seen["moons"].xy_mm[-1], (40.0, 0.0), atol=0.3)
        prices.append(price(scene, nothing))
    assert prices[0] >= HELD_PRICE
    assert prices[1] - prices[0] == pytest.approx(LOST_PRICE - HELD_PRICE, abs=4.0)


@pytest.mark.parametrize(("beside_mm", "met"), [(0.0, [(), ("a",)]), (60.0, [()])])
def test_a_bounce_is_found_only_where_a_tile_was(beside_mm, met):
    """Without the tile the coin turns all the same, and what it hit stays open."""
    coin, t_s = rebounded(flicked("moons", (-150.0, 0.0), (1200.0, 300.0)), 60.0)
    tile = Tile((60.0 + TILE_MM / 2 + beside_mm, coin.place(t_s)[1]))
    course = Course(MappingProxyType({"a": tile}), TILE_MM)
    (path,) = smooth_episode(Shot((coin,), course=course).episode())
    assert [run.met for run in path.runs][: len(met)] == met
    assert path.runs[1].begin_s == pytest.approx(t_s, abs=0.004)
    assert path.runs[1].met == (("a",) if beside_mm == 0.0 else ())


def test_two_sightings_that_stay_behind_at_a_tile_do_not_make_the_coin_stop_there_and_start_again():
    """The coin bounces off the tile at 1.475 s. Two sightings then show the tile in its place, and
    it is not seen again until it lies still, 330 mm on. A tile gives no coin more speed.
    """
    places = ((143.9, 49.8, 1.0), (110.4, 77.5, 0.8), (105.0, 81.0, 0.9), (112.8, 83.4, 2.7))
    frames = tuple(Frame(k, 0.0038 + k / 30) for k in range(17, 76))
    sightings = tuple(
        Sighting("moons", k, 0.0038 + k / 30, (x, y), sigma)
        for k, (x, y, sigma) in zip((43, 44, 45, 47), places, strict=True)
    )
    track = CoinTrack(
        "moons",
        Rest((162.2, 24.3), 0.3),
        Rest((-147.7, -63.2), 0.3),
        sightings,
        frozenset(range(29, 43)),
        frozenset({46, 67}),
        lay_until_s=1.4038,
    )
    course = Course(MappingProxyType({"a": Tile((106.7, 117.6), 0.5)}), TILE_MM)
    episode = Shot((), course=course).episode()
    (path,) = smooth_episode(
        replace(episode, frames=frames, tracks=(track,), hand_frames=track.hand_frames)
    )
    speeds = [math.hypot(*run.velocity(run.begin_s)) for run in path.runs]
    ends = [math.hypot(*run.velocity(run.end_s)) for run in path.runs]
    assert len(speeds) > 1
    assert all(after < before + 100.0 for before, after in zip(ends, speeds[1:], strict=False))


def test_a_pushed_tile_that_no_coin_hit_is_one_more_event():
    there = Course(MappingProxyType({"wicket-1": Tile((200.0, 0.0))}), TILE_MM)
    pushed = Course(MappingProxyType({"wicket-1": Tile((203.0, 0.0))}), TILE_MM)
    coin, _ = rebounded(flicked("moons", (0.0, 0.0), (1500.0, 0.0)), 200.0 - TILE_MM / 2)
    scene = scene_of(Shot((coin,), course=there, course_after=pushed).episode())
    first = first_hypothesis(scene, PRIOR)[0]
    hit_it = first.put(0, first.chains[0].meeting(1, "wicket-1"))
    assert price(scene, first) == pytest.approx(FLICK_PRICE + UNEXPLAINED_PRICE + PUSHED_PRICE)
    assert price(scene, hit_it) == pytest.approx(FLICK_PRICE + BREAK_PRICE)


def test_a_hand_that_moves_a_coin_in_less_time_than_it_needs_costs_more():
    """It needs 0.35 s and 0.05 s for 100 mm, give or take 0.1 s, and had 0.2 s: two errors less."""
    lay, lies = Rest((0.0, 0.0), 0.1), Rest((100.0, 0.0), 0.1)
    span = HeldSpan(0.5, 0.7, lay, lies)
    assert too_fast_cost(CoinTrack("moons", lay, lies), span) == pytest.approx(4.0)
    assert too_fast_cost(CoinTrack("moons", lay, lies), replace(span, end_s=1.0)) == 0.0
