"""Which pictures a converted video has lost, from slides whose true times are known."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.lost_pictures import LostPictures, lost_pictures, retimed

BEGIN_S, SPEED_MM_S, SLOWING_MM_S2 = 0.4, 1200.0, 2500.0


def episode(taken_s, stored_hz, noise_mm=0.3):
    """Return a slide along x, seen in pictures taken at some instants and stored with even
    times.
    """
    rng = np.random.default_rng(5)
    frames = tuple(Frame(n, n / stored_hz) for n in range(len(taken_s)))
    seen = []
    for frame, t_s in zip(frames, taken_s, strict=True):
        since = t_s - BEGIN_S
        if 0 < since < SPEED_MM_S / SLOWING_MM_S2:
            x = SPEED_MM_S * since - SLOWING_MM_S2 * since**2 / 2 + rng.normal(0, noise_mm)
            seen.append(Sighting("A", frame.number, frame.t_s, (x, 0.0), noise_mm))
    course = Course(MappingProxyType({}), 50.8)
    track = CoinTrack("A", Rest((0.0, 0.0), 0.3), Rest((288.0, 0.0), 0.3), tuple(seen))
    return Episode(frames, (track,), course, course, (), PieceSizes())


@pytest.mark.parametrize(
    ("filmed_hz", "every", "stored_hz"), [(30, 5, 25), (30, 4, 24), (60, 5, 50)]
)
@pytest.mark.parametrize("first", range(4))
def test_the_lost_pictures_are_those_at_which_the_disc_went_twice_as_far(
    filmed_hz, every, stored_hz, first
):
    # Of every + 1 pictures filmed, the one before each number with the remainder `first` is lost.
    filmed = np.arange(60)
    kept = [k for k in filmed if (k + 1) % (every + 1) != (first + 1) % (every + 1)]
    found = lost_pictures(episode([k / filmed_hz for k in kept], stored_hz))
    doubled = [n for n in range(1, len(kept)) if kept[n] - kept[n - 1] == 2]
    assert found is not None and found.every == every
    assert {n % every for n in doubled} == {found.first}


@pytest.mark.parametrize("hz", [24, 25, 30, 50, 60])
def test_a_video_with_even_times_has_lost_nothing(hz):
    assert lost_pictures(episode(np.arange(hz * 2) / hz, hz)) is None


def test_a_slide_that_is_hardly_seen_tells_nothing():
    taken_s = np.array([k for k in range(60) if k % 6 != 4]) / 30
    whole = episode(taken_s, 25)
    few = tuple(s for s in whole.tracks[0].sightings[:5])
    assert lost_pictures(replace(whole, tracks=(replace(whole.tracks[0], sightings=few),))) is None


def test_first_sightings_that_are_badly_known_hide_nothing():
    """The streak still touches the hand."""
    taken_s = np.array([k for k in range(60) if k % 6 != 4]) / 30
    whole = episode(taken_s, 25)
    seen = tuple(
        replace(s, sigma_mm=3.0) if k < 2 else s for k, s in enumerate(whole.tracks[0].sightings)
    )
    track = replace(whole.tracks[0], sightings=seen)
    assert lost_pictures(replace(whole, tracks=(track,))) == lost_pictures(whole) is not None


def test_pictures_get_back_the_times_between_them():
    kept = [k for k in range(60) if k % 6 != 4]
    seen = episode([k / 30 for k in kept], 25)
    lost = lost_pictures(seen)
    assert lost is not None
    times = np.array([f.t_s for f in retimed(seen, lost).frames])
    assert np.diff(times) == pytest.approx(np.diff(kept) / 30, abs=1e-9)
    # on average over the pictures of a round, they are as before
    assert np.mean(times[:5] - [f.t_s for f in seen.frames[:5]]) == pytest.approx(0.0, abs=0.021)


@given(st.integers(2, 10), st.integers(0, 9), st.integers(0, 500))
def test_numbers_with_lost_pictures_only_grow_and_skip_one_after_every_so_many(
    every, first, number
):
    ticks = LostPictures(every, first).ticks(np.arange(number, number + 2 * every + 1.0))
    steps = np.diff(ticks)
    assert set(steps) == {1.0, 2.0} and (steps == 2.0).sum() == 2
