"""A path that contradicts its sightings: the sightings are trusted, and the path's error grows."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from referee.detectors.coin_motion.contact import contacts
from referee.domain.episode import CoinTrack, Rest
from referee.domain.incident import SURE
from referee.domain.layout import Course, Tile
from referee.domain.path import Run
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.hypotheses.runs import Seen
from referee.tracking.trajectory.paths import lack_of_fit
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
from tests.tracking.trajectory.test_smooth import errors

STRAIGHT = Run(0.1, 0.3, (0.0, 0.0), (1.0, 0.0), 800.0, SLOWING, 0.2, 3.0, 12)


def seen_off(*off_mm: float, sigma_mm: float = 0.4) -> Seen:
    """Return sightings of the straight run, each this far beside it."""
    times = np.linspace(0.11, 0.29, len(off_mm))
    places = np.array([STRAIGHT.position(float(t)) for t in times]) + np.array(
        [(0.0, off) for off in off_mm]
    )
    count = len(off_mm)
    sigmas = np.full(count, sigma_mm)
    return Seen(times, places, sigmas, np.zeros(count), np.zeros(count, dtype=bool))


@pytest.mark.parametrize("seed", range(6))
def test_where_a_coin_bounced_right_where_it_lay_its_sightings_are_believed_not_that_place(seed):
    """The side of a tile 3 mm ahead makes the coin bounce at once. Extended backward, its path
    misses the place where it lay by 4 mm.
    """
    coin, t_s = rebounded(flicked("moons", (0.0, 0.0), (900.0, -900.0)), 13.0)
    hidden = Coin(coin.name, coin.at, coin.legs, hand_s=coin.hand_s, hidden_s=(0.2, t_s + 0.02))
    (path,) = smooth_episode(Shot((hidden,), sigma_mm=0.3, seed=seed).episode())
    away = [path.position_at(float(t)) for t in np.arange(t_s + 0.03, 0.6, 0.01)]
    true = [hidden.place(float(t)) for t in np.arange(t_s + 0.03, 0.6, 0.01)]
    assert (
        max(np.hypot(*np.subtract(a, b)) for a, b in zip(away, true, strict=True) if a is not None)
        < 0.8
    )
    assert len(errors(path, hidden, 0.6)[0]) > 20


def test_sightings_that_lie_more_and_more_beside_a_run_say_how_wrong_it_is():
    lack = lack_of_fit(STRAIGHT, seen_off(0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.4, 2.8))
    assert 0.7 < lack < 2.0  # along each axis: 1.7 mm in the mean of squares, all of it across


def test_of_a_few_sightings_half_must_lie_far_off():
    assert lack_of_fit(STRAIGHT, seen_off(0.0, 6.0, 9.0, 0.2)) == 0.0
    assert (
        2.0 < lack_of_fit(STRAIGHT, seen_off(3.0, 3.0, 3.0)) < 3.0
    )  # along each axis: 2.1 mm where half lie 3 mm off


CHANCE = [
    (0.0,) * 8,
    (0.3, -0.3, 0.2, -0.4, 0.3, 0.1, -0.2, 0.4),
    (0.1, 9.0, -0.2, 0.3, 0.0, 0.2, -0.1, 0.3),
    (3.0, 3.0),
    (0.9, -0.9, 0.9),
    (0.1, 9.0, -0.2),
]


@pytest.mark.parametrize("off", CHANCE)
def test_neither_chance_nor_one_wild_sighting_nor_too_few_make_a_run_doubtful(off):
    assert lack_of_fit(STRAIGHT, seen_off(*off)) == 0.0


def test_a_coin_hidden_by_a_hand_was_held_until_it_is_seen_even_after_a_tiny_move():
    """It went 3 mm under the hand. Its sightings afterwards are 1 mm off, so that each may belong
    to either place.
    """
    after = tuple(Sighting("moons", k, k / 60, (3.0, 0.0), 1.0) for k in range(45, 50))
    track = CoinTrack(
        "moons",
        Rest((0.0, 0.0), 0.2),
        Rest((3.0, 0.0), 0.2),
        after,
        frozenset(range(20, 45)),
        lay_until_s=0.3,
    )
    episode = replace(
        Shot((flicked("suns", (200.0, 0.0), (900.0, 0.0)),)).episode(), tracks=(track,)
    )
    (path,) = smooth_episode(episode)
    (held,) = path.held
    assert held.begin_s == pytest.approx(0.3) and held.end_s == pytest.approx(45 / 60)


@pytest.mark.parametrize("seed", range(8))
def test_a_coin_that_bounces_off_a_tile_at_the_end_of_its_way_touched_it(seed):
    """At 30 frames a second it is seen only two or three times between the bounce, at 250 mm/s, and
    where it stops 6 mm farther on.
    """
    way_mm = (np.hypot(600.0, 300.0) ** 2 - 250.0**2) / (2 * SLOWING)
    wall_mm = way_mm * 600.0 / np.hypot(600.0, 300.0) + COIN_MM / 2
    coin, t_s = rebounded(flicked("moons", (0.0, 0.0), (600.0, -300.0)), wall_mm)
    tile = Tile((wall_mm + TILE_MM / 2, coin.place(t_s)[1]))
    shot = Shot(
        (coin,),
        fps=30.0,
        sigma_mm=0.35,
        seed=seed,
        course=Course(MappingProxyType({"right-endpost": tile}), TILE_MM),
    )
    (path,) = smooth_episode(shot.episode())
    assert [run.met for run in path.runs] == [(), ("right-endpost",)]
    assert path.runs[1].begin_s == pytest.approx(t_s, abs=0.012)


@pytest.mark.parametrize("seed", range(6))
def test_two_bounces_with_one_sight_of_the_coin_between_them_are_both_found(seed):
    """It goes up into one tile at 0.275 s and left into another at 0.315 s. At 30 frames a second
    it is seen once in between, at 0.303 s.
    """
    first = Leg(0.2, (0.0, 0.0), (-1600.0, 700.0))
    (vx, vy), turned = first.velocity_at(0.275), first.place(0.275)
    second = Leg(0.275, turned, (vx, -0.5 * vy))
    (wx, wy), back = second.velocity_at(0.315), second.place(0.315)
    coin = Coin(
        "moons", (0.0, 0.0), (first, second, Leg(0.315, back, (-0.5 * wx, wy))), hand_s=(0.0, 0.21)
    )
    tiles = {
        "a": Tile((turned[0], turned[1] + COIN_MM / 2 + TILE_MM / 2)),
        "b": Tile((back[0] - COIN_MM / 2 - TILE_MM / 2, back[1])),
    }
    shot = Shot(
        (coin,), fps=30.0, sigma_mm=0.35, seed=seed, course=Course(MappingProxyType(tiles), TILE_MM)
    )
    (path,) = smooth_episode(shot.episode())
    assert [run.met for run in path.runs] == [(), ("a",), ("b",)]
    assert [run.begin_s for run in path.runs[1:]] == pytest.approx([0.275, 0.315], abs=0.006)


@pytest.mark.parametrize("left_mm_s", [140.0, 200.0])
def test_most_slow_hits_on_a_tile_are_found_although_the_coin_is_seen_badly(
    left_mm_s: float,
) -> None:
    """At 30 frames a second, seen to 1.3 mm. It rebounds by 1.2 or 2.5 mm."""
    way_mm = (900.0**2 - left_mm_s**2) / (2 * SLOWING)
    wall_mm = way_mm + COIN_MM / 2
    coin, t_s = rebounded(flicked("moons", (0.0, 0.0), (900.0, 0.0)), wall_mm)
    post = {"right-endpost": Tile((wall_mm + TILE_MM / 2, 3.0))}
    course = Course(MappingProxyType(post), TILE_MM)
    found = 0
    for seed in range(20):
        shot = Shot((coin,), fps=30.0, sigma_mm=1.3, seed=seed, course=course)
        (path,) = smooth_episode(shot.episode())
        if [run.met for run in path.runs] == [(), ("right-endpost",)]:
            assert path.runs[1].begin_s == pytest.approx(t_s, abs=0.033)
            found += 1
    assert found >= 15


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gap_mm", [1.0, 4.0])
def test_a_coin_that_stops_right_before_a_tile_did_not_surely_hit_it(
    seed: int, gap_mm: float
) -> None:
    coin = flicked("moons", (0.0, 0.0), (900.0, 0.0))
    side_mm = coin.legs[0].stop[0] + COIN_MM / 2 + gap_mm
    post = {"right-endpost": Tile((side_mm + TILE_MM / 2, 3.0), stack=3)}
    course = Course(MappingProxyType(post), TILE_MM)
    episode = Shot((coin,), fps=30.0, sigma_mm=1.3, seed=seed, course=course).episode()
    hits = contacts(episode, smooth_episode(episode))
    assert all(hit.probability is not None and hit.probability <= SURE for hit in hits)


@pytest.mark.parametrize(
    ("aside_mm", "gap_mm", "begin_s"), [(6.0, 6.0, 0.21), (10.0, 3.0, 0.2)], ids=["full", "thin"]
)
def test_a_coin_struck_beside_a_tile_is_back_from_it_so_soon_and_both_are_found(
    aside_mm: float, gap_mm: float, begin_s: float
) -> None:
    """At 30 frames a second: it hits the tile 8 or 13 ms after it was struck, and is first seen
    near its place, on its way back.
    """
    striker = flicked("moons", (0.0, 0.0), (1100.0, 0.0), begin_s)
    striker, struck, hit_s = hit(striker, Coin("suns", (250.0, aside_mm)))
    side_mm = struck.at[0] + gap_mm + COIN_MM / 2
    struck, bounced_s = rebounded(struck, side_mm)
    tile = Tile((side_mm + TILE_MM / 2, struck.place(bounced_s)[1]))
    course = Course(MappingProxyType({"tower": tile}), TILE_MM)
    for seed in range(16):
        shot = Shot((striker, struck), fps=30.0, sigma_mm=0.5, seed=seed, course=course)
        _, path = smooth_episode(shot.episode())
        assert [run.met for run in path.runs] == [("moons",), ("tower",)]
        assert path.runs[0].begin_s == pytest.approx(hit_s, abs=0.005)
        assert path.runs[1].begin_s == pytest.approx(bounced_s, abs=0.01)
