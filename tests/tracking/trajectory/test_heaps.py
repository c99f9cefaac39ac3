"""Coins that run into others that lie against each other: the heap passes on what it gets."""

import math
from dataclasses import replace

import pytest

from referee.domain.episode import Rest
from referee.domain.path import Path
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import COIN_MM, SLOWING, Coin, Leg, Shot

# Three coins touch in a row that points up by 30 degrees. The striker runs into the first one along
# the x axis at 2 m/s. What it had along the row goes through to the last coin; it keeps the rest.
ROW = (math.cos(math.radians(30)), math.sin(math.radians(30)))
HIT_MM_S = 2000.0
WAY_MM = 150.0
AT_HIT = (-COIN_MM * ROW[0], -COIN_MM * ROW[1])
LAY = (AT_HIT[0] - WAY_MM, AT_HIT[1])
FLICK_MM_S = math.sqrt(HIT_MM_S**2 + 2 * SLOWING * WAY_MM)
FLICK_S = 0.2
HIT_S = FLICK_S + (FLICK_MM_S - HIT_MM_S) / SLOWING


def along_row(share: float) -> tuple[float, float]:
    return (share * COIN_MM * ROW[0], share * COIN_MM * ROW[1])


def break_of_three(hidden_until_s: float, lost: str = "") -> tuple[Path, ...]:
    """Return the paths of the coins of `break_of_three_shot`."""
    return smooth_episode(break_of_three_shot(hidden_until_s, lost).episode())


def break_of_three_shot(hidden_until_s: float, lost: str = "") -> Shot:
    """Return what a striker and three coins do. A hand hides the striker until an instant. A `lost`
    coin is not seen any more after the hit.
    """
    through = HIT_MM_S * ROW[0]
    kept = (HIT_MM_S - through * ROW[0], -through * ROW[1])
    striker = Coin(
        "moons",
        LAY,
        (Leg(FLICK_S, LAY, (FLICK_MM_S, 0.0)), Leg(HIT_S, AT_HIT, kept)),
        hand_s=(0.0, hidden_until_s),
        hidden_s=(0.0, hidden_until_s),
    )
    far = along_row(2)
    last = Coin("crowns", far, (Leg(HIT_S, far, (through * ROW[0], through * ROW[1])),))
    coins = (striker, Coin("suns", (0.0, 0.0)), Coin("arms", along_row(1)), last)
    coins = tuple(replace(c, gone_s=HIT_S) if c.name == lost else c for c in coins)
    return Shot(coins, fps=60, until_s=1.4)


def test_a_coin_seen_once_on_its_way_into_a_heap_was_flicked_and_not_carried_there():
    striker, suns, arms, crowns = break_of_three(hidden_until_s=0.26)
    assert striker.held == ()
    assert [run.met for run in striker.runs] == [(), ("suns",)]
    assert striker.runs[0].begin_s == pytest.approx(FLICK_S, abs=0.5 / 60)
    assert striker.runs[1].begin_s == pytest.approx(HIT_S, abs=0.25 / 60)
    assert (len(suns.runs), len(arms.runs), len(crowns.runs)) == (0, 0, 1)


def test_a_coin_of_a_heap_that_is_not_seen_any_more_is_not_said_to_have_slid_away():
    """The first coin of the row was hit and cannot be made out afterwards. What the striker lost
    went through it, so nobody knows whether it moved at all.
    """
    suns = break_of_three(hidden_until_s=0.0, lost="suns")[1]
    assert suns.runs == ()


def test_a_coin_of_a_heap_that_was_pushed_a_little_did_not_slide_to_another_one_and_back():
    """The second coin of the row lies 2 mm on afterwards. The striker was taken for it in two
    frames.
    """
    shot = break_of_three_shot(hidden_until_s=0.0)
    episode = shot.episode()
    taken = [s for s in episode.tracks[0].sightings if s.t_s > HIT_S][:2]
    moved = along_row(1.1)
    tracks = tuple(
        replace(
            track,
            after=Rest(moved, 0.1),
            lay_until_s=HIT_S,
            sightings=tuple(replace(s, coin="arms") for s in taken),
        )
        if track.coin == "arms"
        else track
        for track in episode.tracks
    )
    arms = smooth_episode(replace(episode, tracks=tracks))[2]
    assert arms.runs == ()


def test_a_coin_seen_twice_under_way_that_a_heap_stopped_was_flicked_and_not_carried_there():
    """It hits the row of coins along the row, so that the last coin gets all that it had. Friction
    alone would need a third of its speed to stop it there, and the hand would have to be early.
    """
    lay = (-COIN_MM - WAY_MM, 0.0)
    striker = Coin(
        "moons",
        lay,
        (Leg(FLICK_S, lay, (FLICK_MM_S, 0.0)), Leg(HIT_S, (-COIN_MM, 0.0), (0.0, 0.0))),
        hand_s=(0.0, 0.3),
    )
    far = (2 * COIN_MM, 0.0)
    last = Coin("crowns", far, (Leg(HIT_S, far, (HIT_MM_S, 0.0)),))
    row = (Coin("suns", (0.0, 0.0)), Coin("arms", (COIN_MM, 0.0)))
    episode = Shot((striker, *row, last), fps=60, until_s=1.4).episode()
    track = episode.tracks[0]
    under_way = [s for s in track.sightings if FLICK_S + 0.01 < s.t_s < HIT_S][:2]
    lying = [s for s in track.sightings if s.t_s > HIT_S][1:]
    seen = replace(
        track,
        sightings=(*under_way, *lying),
        hand_frames=frozenset(f for f in track.hand_frames if f < under_way[0].frame),
        lay_until_s=max(f.t_s for f in episode.frames if f.t_s < FLICK_S),
    )
    path = smooth_episode(replace(episode, tracks=(seen, *episode.tracks[1:])))[0]
    assert len(under_way) == 2 and path.held == ()
    assert [run.met for run in path.runs] == [(), ("suns",)]
    assert path.runs[0].begin_s == pytest.approx(FLICK_S, abs=0.25 / 60)
    assert path.runs[0].speed_mm_s == pytest.approx(FLICK_MM_S, rel=0.05)


def test_a_coin_of_a_heap_seen_only_near_the_ends_of_its_way_was_pushed_and_slid():
    """The last coin of the row slides on by 12 mm, from the hit on. It was seen at 2 mm, which its
    errors do not tell from where it lay, and where it lies now.
    """
    shot = break_of_three_shot(hidden_until_s=0.0)
    far, way_mm = along_row(2), 12.0
    speed = math.sqrt(2 * SLOWING * way_mm)
    slow = Leg(HIT_S, far, (speed * ROW[0], speed * ROW[1]))
    last = replace(shot.coins[-1], legs=(slow,))
    episode = replace(shot, coins=(*shot.coins[:-1], last)).episode()
    track = episode.tracks[-1]
    begun = [Sighting("crowns", s.frame, s.t_s, s.at_mm, 1.0) for s in track.sightings]
    near = [s for s in begun if slow.when(way_mm / 6) < s.t_s][:1] + begun[9:11]
    seen = replace(track, sightings=tuple(near), lay_until_s=HIT_S - 0.005)
    crowns = smooth_episode(replace(episode, tracks=(*episode.tracks[:-1], seen)))[-1]
    assert crowns.held == ()
    assert [run.begin_s for run in crowns.runs] == pytest.approx([HIT_S], abs=0.5 / 60)
