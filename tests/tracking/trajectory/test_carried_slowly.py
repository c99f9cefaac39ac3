"""A coin that a hand drags slowly over the table, in sight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.domain.episode import Rest
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import Coin, Leg, Shot


@pytest.mark.parametrize("speed_mm_s", [60.0, 90.0])
def test_a_coin_that_hardly_slows_down_with_a_hand_at_it_is_carried(speed_mm_s: float):
    """Friction stops a coin of 90 mm/s after 2 mm. This one goes on for half a second."""
    coin = Coin("moons", (0.0, 0.0), hand_s=(0.1, 0.9))
    episode = Shot((coin,), until_s=1.2).episode()
    (track,) = episode.tracks
    dragged = [(f, speed_mm_s * (f.t_s - 0.3)) for f in episode.frames if 0.3 < f.t_s < 0.8]
    track = replace(
        track,
        after=Rest((dragged[-1][1], 0.0), 0.1),
        sightings=tuple(Sighting("moons", f.number, f.t_s, (x, 0.0), 0.5) for f, x in dragged),
    )
    (path,) = smooth_episode(replace(episode, tracks=(track,)))
    assert path.runs == ()
    assert path.held and all(held.seen_with_hand for held in path.held)


def test_a_coin_that_slows_down_as_friction_demands_slid_though_a_hand_followed_it():
    coin = Coin("moons", (0.0, 0.0), (Leg(0.2, (0.0, 0.0), (500.0, 0.0)),), hand_s=(0.0, 0.9))
    (path,) = smooth_episode(Shot((coin,), until_s=1.2).episode())
    assert len(path.runs) == 1 and path.runs[0].speed_mm_s == pytest.approx(500.0, rel=0.05)
