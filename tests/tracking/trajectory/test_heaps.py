"""Coins that run into others that lie against each other: the heap passes on what it gets."""

import math
from dataclasses import replace

import pytest

from referee.domain.episode import Rest
from referee.domain.path import Path
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
