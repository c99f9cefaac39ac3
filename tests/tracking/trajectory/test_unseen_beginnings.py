"""Coins that hit something before they were seen clear of the hand. The way there follows from
where they lay and how they moved afterwards.
"""

import statistics
from dataclasses import replace
from types import MappingProxyType

import pytest

from referee.detectors.hands.flick import flicks
from referee.domain.geometry import distance
from referee.domain.layout import Course, Tile
from referee.domain.path import Path
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import (
    COIN_MM,
    SLOWING,
    TILE_MM,
    Coin,
    Leg,
    Shot,
    flicked,
    hit,
    rebounded,
)

WALL_X = 60.0  # the left side of a tile in the way
COURSE = Course(MappingProxyType({"wicket-3-left": Tile((WALL_X + TILE_MM / 2, 0.0))}), TILE_MM)


def flicked_unseen(
    at: tuple[float, float], velocity: tuple[float, float], begin_s: float = 0.2
) -> Coin:
    return Coin("moons", at, (Leg(begin_s, at, velocity),))


def only(paths: tuple[Path, ...], coin: str = "moons") -> Path:
    return next(p for p in paths if p.coin == coin)


@pytest.mark.parametrize("fps", [30, 60])
@pytest.mark.parametrize("velocity", [(1500.0, 500.0), (900.0, -400.0)])
def test_a_coin_first_seen_after_it_came_off_a_tile_was_flicked_from_where_it_lay(fps, velocity):
    """It keeps its velocity along the side (y) and half of that across it (x). The first shows the
    speed before.
    """
    coin, t_s = rebounded(flicked_unseen((0.0, 0.0), velocity), WALL_X)
    hidden = Coin(
        coin.name, coin.at, coin.legs, hand_s=(0.0, t_s + 0.004), hidden_s=(0.0, t_s + 0.004)
    )
    path = only(smooth_episode(Shot((hidden,), fps=fps, course=COURSE).episode()))
    assert [r.met for r in path.runs] == [(), ("wicket-3-left",)]
    assert path.runs[1].begin_s == pytest.approx(t_s, abs=0.25 / fps)
    assert path.runs[0].begin_s == pytest.approx(0.2, abs=0.6 / fps)
    assert distance(path.runs[0].from_mm, (0.0, 0.0)) < 0.5
    assert not path.held


def test_one_sight_of_it_beside_the_hand_tells_how_fast_it_came():
    """It is seen once, 12 ms and 14 mm before the side, half a millimetre off. That alone gives the
    speed to a fifth, with errors in both directions.
    """
    coin, t_s = rebounded(flicked_unseen((0.0, 0.0), (1200.0, 300.0)), WALL_X)
    hidden = Coin(
        coin.name, coin.at, coin.legs, hand_s=(0.0, t_s + 0.004), hidden_s=(0.0, t_s - 0.012)
    )
    paths = [
        only(smooth_episode(Shot((hidden,), fps=60, course=COURSE, seed=seed).episode()))
        for seed in range(40)
    ]
    assert all(len(path.runs) == 2 for path in paths)
    firsts = [path.runs[0] for path in paths]
    assert statistics.median(run.speed_mm_s for run in firsts) == pytest.approx(
        1237.0, rel=0.06
    )  # hypot(1200, 300), with an error of 40
    assert all(abs(run.speed_mm_s - 1237.0) < 3 * run.sigma_mm_s for run in firsts)


def test_a_hidden_coin_that_comes_from_no_tile_is_not_led_to_one():
    """A hand carried it, and it slides past the tile, 120 mm away."""
    coin = Coin(
        "moons",
        (0.0, 0.0),
        (Leg(0.2, (0.0, -90.0), (900.0, 0.0)),),
        hand_s=(0.0, 0.25),
        hidden_s=(0.0, 0.25),
    )
    path = only(smooth_episode(Shot((coin,), course=COURSE).episode()))
    assert path.runs and all(r.met == () for r in path.runs)


def test_a_coin_stopped_by_a_hit_two_frames_after_the_flick_was_as_fast_as_it_was_seen():
    """There are two sightings, the first beside the hand. Then the coin stops dead. Its place of
    rest alone would suggest a slow coin.
    """
    a, b, t_s = hit(
        flicked_unseen((0.0, 0.0), (1800.0, 0.0)), Coin("suns", (115.0, 0.0)), bounce=0.95
    )
    a = Coin(a.name, a.at, a.legs, hand_s=(0.0, 0.22), hidden_s=(0.0, 0.21))
    moons, suns = smooth_episode(Shot((a, b), fps=60).episode())
    assert moons.runs[0].speed_mm_s == pytest.approx(1800.0, rel=0.05)
    assert suns.runs[0].begin_s == pytest.approx(t_s, abs=0.003)
    assert distance(moons.runs[0].position(t_s), (115.0 - COIN_MM, 0.0)) < 2.0


def test_a_coin_first_seen_just_after_it_struck_another_struck_it_coming_from_where_it_lay():
    a, b, t_s = hit(flicked_unseen((0.0, 0.0), (1500.0, 0.0)), Coin("suns", (60.0, 13.0)))
    a = Coin(a.name, a.at, a.legs, hand_s=(0.0, t_s + 0.002), hidden_s=(0.0, t_s + 0.002))
    b = Coin(b.name, b.at, b.legs, hand_s=(t_s, t_s + 0.03))
    moons, suns = smooth_episode(Shot((a, b), fps=60).episode())
    assert moons.coin in suns.runs[0].met
    assert len(moons.runs) == 2 and distance(moons.runs[0].from_mm, (0.0, 0.0)) < 0.5
    assert moons.runs[1].begin_s == pytest.approx(t_s, abs=0.005)
    assert moons.runs[1].speed_mm_s == pytest.approx(a.legs[1].speed, rel=0.1)


@pytest.mark.parametrize("seed", range(6))
def test_a_coin_seen_once_before_it_met_another_was_where_it_was_seen(seed):
    """At 30 frames a second, the flick itself is under a hand. What it gave the other coin shows
    how fast it came, and so when it started.
    """
    a, b, t_s = hit(
        flicked_unseen((0.0, 0.0), (1050.0, 330.0)), Coin("suns", (75.0, 22.0)), bounce=0.9
    )
    seen_s = 7 / 30 + 0.003
    assert seen_s < t_s < seen_s + 1 / 30
    a = Coin(a.name, a.at, a.legs, hand_s=(0.0, 0.23), hidden_s=(0.1, 0.23))
    moons = only(smooth_episode(Shot((a, b), fps=30, seed=seed, sigma_mm=0.3).episode()))
    assert moons.runs[0].begin_s == pytest.approx(0.2, abs=0.006)
    assert distance(moons.runs[0].position(seen_s), a.place(seen_s)) < 1.5


@pytest.mark.parametrize("seed", range(4))
def test_a_fast_striker_seen_once_before_a_full_hit_struck_the_coin_that_then_left_unseen(seed):
    """At 30 frames a second and 2.6 m/s. The striker goes straight on at 6 % of its speed, so its
    two ways do not tell where it turned.
    """
    a, b, t_s = hit(
        flicked_unseen((0.0, 0.0), (2600.0, 0.0)), Coin("suns", (205.0, 2.0)), bounce=0.88
    )
    a = Coin(a.name, a.at, a.legs, hand_s=(0.0, 0.21), hidden_s=(0.0, 0.25))
    b = Coin(b.name, b.at, b.legs, gone_s=t_s + 0.06, hidden_s=(t_s, 1.0))
    shot = Shot((a, b), fps=30, seed=seed)
    seen = [s.t_s for s in shot.episode().tracks[0].sightings if s.t_s < t_s]
    assert len(seen) == 1
    moons = only(smooth_episode(shot.episode()))
    assert [run.met for run in moons.runs][:2] == [(), ("suns",)]
    assert moons.runs[0].begin_s == pytest.approx(0.2, abs=1 / 30)
    assert moons.runs[1].begin_s == pytest.approx(t_s, abs=0.5 / 30)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_coin_struck_in_touch_and_first_seen_as_it_came_off_a_tile_was_struck(swapped: bool):
    """The moons lay against the suns, which come off a tile 50 mm ahead before they are seen."""
    at, velocity = (-18.0, -8.7), (1400.0, 0.0)
    moons, suns, hit_s = hit(flicked("moons", at, velocity), Coin("suns", (0.0, 0.0)), bounce=0.8)
    suns, off_s = rebounded(suns, WALL_X)
    suns = replace(suns, hidden_s=(0.19, off_s + 0.002), hand_s=moons.hand_s)
    coins = (suns, moons) if swapped else (moons, suns)
    scene = Shot(coins, fps=30, course=COURSE, exposure_s=0.002).episode()
    paths = smooth_episode(scene)
    striker, struck = only(paths, "moons"), only(paths, "suns")
    assert [r.met for r in struck.runs] == [("moons",), ("wicket-3-left",)]
    assert [r.met for r in striker.runs] == [("suns",)]
    assert struck.runs[0].begin_s == pytest.approx(hit_s, abs=0.004)
    assert not striker.held and not struck.held
    told = [(i.coin, i.probability) for i in flicks(scene, paths)]
    assert told == [("moons", None)]


def test_a_hidden_striker_is_found_although_what_it_struck_then_hit_a_post_slowly():
    """At 30 frames a second, seen to 1.3 mm: the striker once before the hit. Neither the striker
    nor the bounce of the struck coin explains the sightings without the other.
    """
    striker = Coin(
        "moons", (0.0, 0.0), (Leg(0.2, (0.0, 0.0), (928.0, -569.0)),), hand_s=(0.0, 0.27)
    )
    a, b, t_s = hit(striker, Coin("suns", (93.2, -73.7)))
    leg = b.legs[0]
    way_mm = (leg.speed**2 - 120.0**2) / (2 * SLOWING) * leg.velocity[0] / leg.speed
    wall_mm = b.at[0] + way_mm + COIN_MM / 2
    b, bounced_s = rebounded(b, wall_mm)
    a = Coin(a.name, a.at, a.legs, hand_s=a.hand_s, hidden_s=(0.05, t_s - 0.84 / 30))
    tile = Tile((wall_mm + TILE_MM / 2, b.place(bounced_s)[1]))
    course = Course(MappingProxyType({"right-endpost": tile}), TILE_MM)
    right = 0
    for seed in range(6):
        shot = Shot((b, a), fps=30.0, sigma_mm=1.3, seed=seed, course=course)
        suns, moons = smooth_episode(shot.episode())
        right += "moons" in suns.runs[0].met and abs(moons.runs[0].begin_s - 0.2) < 0.02
    assert right >= 5
