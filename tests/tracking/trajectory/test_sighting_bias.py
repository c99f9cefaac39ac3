"""A bias that all sightings share, found from where the coin then lies."""

from dataclasses import replace

import numpy as np
import pytest

from referee.domain.episode import CoinTrack, Rest
from referee.domain.geometry import distance
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.sighting_bias import without_offset
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import Shot, flicked
from tests.tracking.trajectory.test_smooth import errors

OFF = (0.3, -0.9)


def track(
    *places: tuple[float, float],
    lies: tuple[float, float] | None,
    hand: frozenset[int] = frozenset(),
) -> CoinTrack:
    sightings = tuple(Sighting("ace", k, k / 60, at, 0.4) for k, at in enumerate(places))
    return CoinTrack(
        "ace", Rest((0.0, 0.0), 0.2), Rest(lies, 0.2) if lies else None, sightings, hand
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_path_whose_sightings_are_all_drawn_aside_is_where_the_coin_slid(seed):
    coin = flicked("moons", (-200.0, 0.0), (800.0, 600.0))
    episode = Shot((coin,), sigma_mm=0.2, seed=seed).episode()
    (seen,) = episode.tracks
    drawn = tuple(
        replace(s, at_mm=(s.at_mm[0] + OFF[0], s.at_mm[1] + OFF[1])) for s in seen.sightings
    )
    (path,) = smooth_episode(replace(episode, tracks=(replace(seen, sightings=drawn),)))
    away, _ = errors(path, coin, 0.65)
    assert float(np.mean(away)) < 0.3  # 0.95 when they are trusted


@pytest.mark.parametrize("rest_sigma_mm", [0.1, 0.3, 1.5])
def test_a_place_of_rest_may_be_known_better_or_worse_than_a_sighting(rest_sigma_mm):
    coin = flicked("moons", (-200.0, 0.0), (800.0, 600.0))
    episode = Shot((coin,), sigma_mm=0.2, seed=1).episode()
    (seen,) = episode.tracks
    lies = replace(seen.after, sigma_mm=rest_sigma_mm)
    (path,) = smooth_episode(replace(episode, tracks=(replace(seen, after=lies),)))
    away, sigmas = errors(path, coin, 0.65)
    assert float(np.mean(away)) < 0.3
    assert np.isfinite(sigmas).all()


def test_of_standing_sightings_the_middle_one_counts():
    seen = track(
        (100.0, 0.0),
        (150.0, 0.0),
        (180.0, 0.0),
        (200.3, -0.9),
        (200.35, -0.85),
        (200.3, -0.95),
        (200.25, -0.9),
        lies=(200.0, 0.0),
    )
    mended = without_offset(seen)
    assert [
        distance(a.at_mm, (b.at_mm[0] - 0.3, b.at_mm[1] + 0.9))
        for a, b in zip(mended.sightings, seen.sightings, strict=True)
    ] == pytest.approx([0.0] * 7)


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(
            track((180.0, 0.0), (190.0, 0.0), (196.0, 0.0), (199.0, -0.9), lies=(200.0, 0.0)),
            id="never seen standing",
        ),
        pytest.param(
            track((180.0, 0.0), (200.3, -0.9), (200.3, -0.9), (200.3, -0.9), lies=None),
            id="it left the table",
        ),
        pytest.param(
            track((180.0, 0.0), (200.0, -3.0), (200.0, -3.0), (200.0, -3.0), lies=(200.0, 0.0)),
            id="it was moved since",
        ),
        pytest.param(
            track(
                (180.0, 0.0),
                (200.3, -0.9),
                (200.3, -0.9),
                (200.3, -0.9),
                lies=(200.0, 0.0),
                hand=frozenset({2, 3}),
            ),
            id="a hand was at it",
        ),
        pytest.param(track(lies=(0.0, 0.0)), id="never seen moving"),
    ],
)
def test_where_standing_says_nothing_the_sightings_stay_as_they_are(seen):
    assert without_offset(seen) == seen


def test_a_path_to_a_place_that_is_known_worse_than_its_sightings_has_an_error_all_the_same():
    """The error of the place, which all sightings share, is larger than that of any of them."""
    coin = flicked("moons", (-200.0, 0.0), (800.0, 600.0))
    episode = Shot((coin,), sigma_mm=0.2, seed=1).episode()
    (seen,) = episode.tracks
    assert seen.after is not None
    blurred = replace(seen, after=replace(seen.after, sigma_mm=0.8))
    (path,) = smooth_episode(replace(episode, tracks=(blurred,)))
    assert all(0.05 < run.sigma_mm < 2.0 and run.sigma_mm_s > 0.0 for run in path.runs)
