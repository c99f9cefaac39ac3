"""A coin that slides on where it is not seen, to where it lies afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.domain.sighting import Sighting
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import Coin, Leg, Shot


@pytest.mark.parametrize("seed", range(4))
def test_a_coin_that_slid_on_under_a_hand_is_not_the_finger_that_withdraws(seed: int):
    """At 600 mm/s it stops after 90 mm and 0.3 s. From 0.35 s on, a hand covers it; a fingertip
    stays there for a while and then withdraws across the table, 200 mm in 0.25 s.
    """
    coin = Coin(
        "moons",
        (0.0, 0.0),
        (Leg(0.2, (0.0, 0.0), (600.0, 0.0)),),
        hand_s=(0.35, 0.9),
        hidden_s=(0.36, 0.92),
    )
    episode = Shot((coin,), seed=seed).episode()
    (track,) = episode.tracks
    finger = tuple(
        Sighting("moons", f.number, f.t_s, (55.0, 3.0 - 800.0 * max(0.0, f.t_s - 0.6)), 0.5)
        for f in episode.frames
        if 0.4 < f.t_s < 0.85
    )
    seen = sorted((*track.sightings, *finger), key=lambda s: s.t_s)
    frames = frozenset(s.frame for s in finger)
    track = replace(track, sightings=tuple(seen), hidden_frames=track.hidden_frames - frames)
    (path,) = smooth_episode(replace(episode, tracks=(track,)))
    (run,) = path.runs
    assert run.begin_s == pytest.approx(0.2, abs=0.01)
    assert run.position(0.45) == pytest.approx((87.5, 0.0), abs=1.5)
    assert not path.held
