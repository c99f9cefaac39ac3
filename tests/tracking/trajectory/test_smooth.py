"""Smoothing compared with slides, hits, rebounds and falls computed in closed form."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.domain.episode import CoinTrack
from referee.domain.geometry import distance
from referee.domain.path import Path
from referee.domain.sighting import SHARED
from referee.tracking.trajectory.smooth import cost_of, smooth_episode
from tests.tracking.slides import (
    COIN_MM,
    SLOWING,
    Coin,
    Leg,
    Shot,
    course_at,
    flicked,
    hit,
    rebounded,
)

FRAME_S = {60: 1 / 60, 30: 1 / 30}


def path_of(paths: tuple[Path, ...], coin: str) -> Path:
    return next(p for p in paths if p.coin == coin)


def errors(path: Path, coin: Coin, until_s: float) -> tuple[list[float], list[float]]:
    """Return the distances from the truth while the coin moves, and their squares in units of the
    path's own sigma (1 on average when sigma is right).
    """
    away, normed = [], []
    for t in np.arange(coin.legs[0].begin_s + 0.005, until_s, 0.007):
        place = path.position_at(float(t))
        assert place is not None
        d = distance(place, coin.place(float(t)))
        away.append(d)
        normed.append(d * d / (2 * path.sigma_at(float(t)) ** 2))
    return away, normed


def shifted(track: CoinTrack, by_mm: NDArray[np.float64], sigma_mm: float) -> CoinTrack:
    """Return the track with all sightings off by the same amount, and their uncertainty."""
    return replace(
        track,
        sightings=tuple(
            replace(s, at_mm=(s.at_mm[0] + by_mm[0], s.at_mm[1] + by_mm[1]), sigma_mm=sigma_mm)
            for s in track.sightings
        ),
    )


def test_a_coin_that_never_stirred_has_no_runs():
    (path,) = smooth_episode(Shot((Coin("moons", (10.0, 20.0)),)).episode())
    assert not path.moved and not path.held
    assert distance(path.position_at(0.5) or (0, 0), (10.0, 20.0)) < 0.5


@pytest.mark.parametrize("fps", [30, 60])
@pytest.mark.parametrize("speed", [400.0, 1200.0])
def test_a_straight_slide_is_one_run_with_the_speed_and_friction_it_had(fps, speed):
    coin = flicked("moons", (-200.0, 0.0), (speed * 0.8, speed * 0.6))
    (path,) = smooth_episode(Shot((coin,), fps=fps).episode())
    assert len(path.runs) == 1
    run = path.runs[0]
    assert run.begin_s == pytest.approx(0.2, abs=0.004)
    assert run.speed_mm_s == pytest.approx(speed, rel=0.03)
    assert run.slowing_mm_s2 == pytest.approx(SLOWING, rel=0.06)
    assert distance(run.heading, (0.8, 0.6)) < 0.02
    assert max(errors(path, coin, 0.8)[0]) < 1.2


@pytest.mark.parametrize("fps", [30, 60])
@pytest.mark.parametrize("aside", [0.0, 6.0, 14.0])
def test_a_hit_is_found_to_a_tenth_of_a_frame(fps, aside):
    a, b, t_s = hit(flicked("moons", (-150.0, 0.0), (1100.0, 0.0)), Coin("suns", (20.0, aside)))
    paths = smooth_episode(Shot((a, b), fps=fps).episode())
    moons, suns = path_of(paths, "moons"), path_of(paths, "suns")
    assert suns.runs[0].begin_s == pytest.approx(t_s, abs=0.1 * FRAME_S[fps])
    assert suns.runs[0].met == ("moons",)
    assert moons.runs[1].begin_s == suns.runs[0].begin_s
    assert moons.runs[1].met == ("suns",)
    assert max(errors(moons, a, 0.9)[0]) < 1.5
    assert max(errors(suns, b, 0.9)[0]) < 1.5


@pytest.mark.parametrize("aside", [4.0, 12.0])
def test_a_hit_at_the_end_of_a_slide_is_found_though_sightings_are_coarse(aside):
    """The striker comes to rest beside the place where the other coin lay, so one slide nearly
    explains all that was seen of it.
    """
    before = -120.0 - math.sqrt(COIN_MM**2 - aside**2)  # 120 mm before the rims touch
    speed = math.sqrt(190.0**2 + 2 * SLOWING * 120.0)  # 190 mm/s are left there
    a, b, t_s = hit(flicked("moons", (before, 0.0), (speed, 0.0)), Coin("suns", (0.0, aside)))
    suns = path_of(smooth_episode(Shot((a, b), sigma_mm=1.2).episode()), "suns")
    assert suns.runs[0].met == ("moons",)
    assert suns.runs[0].begin_s == pytest.approx(t_s, abs=0.7 * FRAME_S[60])


def test_a_chain_of_hits_is_untangled():
    a, b, first_s = hit(flicked("moons", (-150.0, 0.0), (1300.0, 0.0)), Coin("suns", (0.0, 3.0)))
    b, c, second_s = hit(b, Coin("arms", (90.0, 30.0)))
    paths = smooth_episode(Shot((a, b, c), until_s=1.3).episode())
    assert path_of(paths, "suns").runs[0].begin_s == pytest.approx(first_s, abs=0.002)
    assert path_of(paths, "arms").runs[0].begin_s == pytest.approx(second_s, abs=0.002)
    assert path_of(paths, "arms").runs[0].met == ("suns",)


def test_a_rebound_from_an_endpost_is_found():
    course = course_at()
    face = course.tiles["right-endpost"].centre_mm[0] - 25.0
    coin, t_s = rebounded(flicked("arms", (350.0, 5.0), (1400.0, 0.0)), face)
    (path,) = smooth_episode(Shot((coin,), fps=30, course=course).episode())
    assert len(path.runs) == 2
    assert path.runs[1].met == ("right-endpost",)
    assert path.runs[1].begin_s == pytest.approx(t_s, abs=0.003)
    assert path.runs[1].speed_mm_s == pytest.approx(coin.legs[1].speed, rel=0.06)


def test_one_sighting_before_a_bounce_leads_back_to_where_the_coin_lay():
    course = course_at()
    face = course.tiles["right-endpost"].centre_mm[0] - 25.0
    coin, t_s = rebounded(flicked("arms", (430.0, 5.0), (1500.0, 40.0)), face)
    (path,) = smooth_episode(Shot((coin,), fps=30, course=course).episode())
    assert path.runs[0].begin_s == pytest.approx(0.2, abs=0.012)
    assert path.runs[1].begin_s == pytest.approx(t_s, abs=0.01)
    assert not path.held


@pytest.mark.parametrize("seen_before", [True, False])
def test_a_bounce_three_frames_before_the_coin_is_seen_again_is_found(seen_before):
    course = course_at()
    face = course.tiles["right-endpost"].centre_mm[0] - 25.0
    begun, t_s = rebounded(flicked("arms", (380.0, 5.0), (2000.0, 40.0)), face)
    coin = replace(begun, hidden_s=(t_s - 0.06 if seen_before else 0.05, t_s + 0.1))
    (path,) = smooth_episode(Shot((coin,), fps=30, course=course).episode())
    assert [run.met for run in path.runs] == [(), ("right-endpost",)]
    assert path.runs[0].begin_s == pytest.approx(0.2, abs=0.012)
    assert path.runs[1].begin_s == pytest.approx(t_s, abs=0.012)


def test_a_striker_hidden_by_the_hand_until_after_the_hit_is_worked_out():
    a, b, t_s = hit(flicked("moons", (-60.0, 0.0), (900.0, 0.0)), Coin("suns", (0.0, 10.0)))
    a = Coin(a.name, a.at, a.legs, hand_s=(0.0, t_s + 0.005), hidden_s=(0.05, t_s + 0.005))
    paths = smooth_episode(Shot((a, b)).episode())
    assert path_of(paths, "suns").runs[0].met == ("moons",)
    assert path_of(paths, "moons").runs[0].begin_s == pytest.approx(0.2, abs=0.02)
    assert not path_of(paths, "moons").held


def test_a_coin_struck_off_the_table_unseen_is_worked_out_from_what_its_striker_lost():
    a, b, t_s = hit(flicked("moons", (0.0, 200.0), (0.0, 1500.0)), Coin("suns", (3.0, 335.0)))
    b = Coin(b.name, b.at, b.legs, gone_s=t_s + 0.001)
    paths = smooth_episode(Shot((a, b), fps=30).episode())
    suns = path_of(paths, "suns")
    assert suns.runs and suns.runs[0].met == ("moons",)
    assert suns.runs[0].begin_s == pytest.approx(t_s, abs=0.004)
    assert suns.runs[0].speed_mm_s == pytest.approx(b.legs[0].speed, rel=0.15)


def test_a_coin_stopped_dead_by_a_full_hit_breaks_there():
    a, b, t_s = hit(
        flicked("moons", (-150.0, 0.0), (1000.0, 0.0)), Coin("suns", (0.0, 0.0)), bounce=1.0
    )
    moons = path_of(smooth_episode(Shot((a, b)).episode()), "moons")
    assert moons.runs[1].begin_s == pytest.approx(t_s, abs=0.002)
    assert moons.runs[1].speed_mm_s < 60.0


def test_gaps_and_a_stray_sighting_do_not_break_a_slide():
    shot = Shot((flicked("moons", (-300.0, 0.0), (1300.0, 0.0)),), drop=frozenset({16, 17, 18, 25}))
    episode = shot.episode()
    (track,) = episode.tracks
    stray = [
        (
            type(s)(s.coin, s.frame, s.t_s, (s.at_mm[0], s.at_mm[1] + 30.0), s.sigma_mm)
            if k == 10
            else s
        )
        for k, s in enumerate(track.sightings)
    ]
    spoilt = type(track)(
        track.coin, track.before, track.after, tuple(stray), track.hand_frames, track.hidden_frames
    )
    (path,) = smooth_episode(
        type(episode)(
            episode.frames,
            (spoilt,),
            *[getattr(episode, f) for f in ("course_before", "course_after", "edge", "sizes")],
        )
    )
    assert len(path.runs) == 1
    assert path.runs[0].speed_mm_s == pytest.approx(1300.0, rel=0.02)


def test_a_coin_that_stays_with_the_hand_is_held_and_not_sliding():
    coin = Coin(
        "moons",
        (0.0, 0.0),
        (Leg(0.3, (0.0, 0.0), (500.0, 0.0)),),
        hand_s=(0.1, 1.0),
        hidden_s=(0.25, 0.8),
    )
    (path,) = smooth_episode(Shot((coin,)).episode())
    assert not path.runs
    assert path.held and path.held[0].seen_with_hand
    assert path.position_at(0.4) is None


@pytest.mark.parametrize("gone_s", [math.inf, 0.5], ids=["stays", "falls"])
def test_sigma_is_honest_for_many_slides_and_hits(gone_s):
    normed = []
    sigma_mm = 0.5  # of a sighting; all of one coin share a part of it: side walls and shadows
    rng = np.random.default_rng(0)
    for seed in range(40):
        a, b, _ = hit(
            flicked("moons", (-160.0, 0.0), (1000.0, 0.0)), Coin("suns", (0.0, 0.4 * seed - 8.0))
        )
        b = replace(b, gone_s=gone_s)
        own_mm = sigma_mm * math.sqrt(1.0 - SHARED)
        shot = Shot((a, b), fps=30 if seed % 2 else 60, seed=seed, sigma_mm=own_mm)
        episode = shot.episode()
        tracks = tuple(
            shifted(t, rng.normal(0.0, sigma_mm * math.sqrt(SHARED), 2), sigma_mm)
            for t in episode.tracks
        )
        paths = smooth_episode(replace(episode, tracks=tracks))
        for coin in (a, b):
            until_s = min(gone_s - FRAME_S[30], 0.7)  # while each coin is seen
            normed += errors(path_of(paths, coin.name), coin, until_s)[1]
    assert 0.5 < np.mean(normed) < 1.5


@settings(max_examples=25, deadline=None)
@given(st.floats(300.0, 1500.0), st.floats(-math.pi, math.pi), st.integers(0, 10_000))
def test_the_ends_of_a_path_are_the_rests(speed, angle, seed):
    coin = flicked("moons", (0.0, 0.0), (speed * math.cos(angle), speed * math.sin(angle)))
    (path,) = smooth_episode(Shot((coin,), seed=seed, until_s=1.2).episode())
    assert path.rest_after_mm is not None
    assert distance(path.position_at(1.19) or (9e9, 0), path.rest_after_mm) < 1.0
    assert path.position_at(0.05) == path.rest_before_mm


@pytest.mark.parametrize(("hand_s", "slid"), [(None, True), (0.03, True), (0.4, False)])
def test_what_was_seen_once_on_the_way_is_no_slide_where_a_hand_let_go_of_the_coin(hand_s, slid):
    coin = flicked("moons", (-100.0, 0.0), (500.0, 0.0))
    shot = Shot(
        (Coin(coin.name, coin.at, coin.legs, hand_s=(0.0, 0.25), hidden_s=(0.0, 0.0)),), fps=30
    ).episode()
    (track,) = shot.tracks
    once = next(s for s in track.sightings if s.t_s > 0.3)
    glimpsed = replace(
        track,
        sightings=(once,),
        hidden_frames=frozenset(f.number for f in shot.frames) - {once.frame},
        hand_after_s=None if hand_s is None else ((0.3, 0.3 + hand_s),),
    )
    (path,) = smooth_episode(replace(shot, tracks=(glimpsed,)))
    assert bool(path.runs) == slid and bool(path.held) != slid


def test_a_coin_seen_where_it_lay_in_the_very_frame_of_its_first_sighting_has_a_cost():
    """Whoever compares two namings of coins gets such tracks."""
    episode = Shot((flicked("moons", (0.0, 0.0), (600.0, 0.0)),)).episode()
    (track,) = episode.tracks
    seen = track.sightings[6]
    late = replace(track, sightings=(seen,), hand_frames=frozenset(), lay_until_s=seen.t_s)
    assert cost_of(replace(episode, tracks=(late,))) > 0.0
