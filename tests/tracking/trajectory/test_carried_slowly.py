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


# A finger, seen 30 times a second: frame, x, y and standard error, mm. From a recorded clip.
FINGER = """
    91 348.2 -144.9 1.1   93 374.4 -163.1 1.2   94 390.2 -174.7 1.0   95 405.9 -184.9 1.2
    96 421.1 -190.4 1.1   97 436.3 -203.9 1.5   98 452.1 -209.6 1.6   99 465.8 -215.0 1.4
    100 478.5 -217.7 1.4  101 489.0 -220.9 1.3  102 497.9 -223.6 1.3  103 504.9 -227.2 1.2
    104 509.3 -229.0 1.2  105 511.8 -230.0 1.2  106 513.7 -231.0 1.2  107 514.1 -232.0 1.2
    108 514.1 -232.0 1.2  111 514.2 -231.4 1.3  112 514.3 -231.5 1.2  114 513.4 -234.5 1.2
    115 511.8 -243.6 1.1  116 510.3 -253.3 1.3  120 505.3 -275.1 1.2
"""


def test_a_finger_that_slows_down_twice_beside_a_coin_in_a_hand_does_not_make_two_flicks():
    """A hand takes the coin 216 mm away. Its finger is seen 200 mm beside the coin, slows down as a
    coin would, stands, and goes.
    """
    lay, lies = Rest((287.6, 18.8), 0.27), Rest((495.9, -37.4), 0.33)
    coin = Coin("moons", lay.at_mm, hand_s=(2.4, 3.87))
    episode = Shot((coin,), fps=30.0, until_s=4.4).episode()
    frames, (track,) = episode.frames, episode.tracks
    numbers = [float(word) for word in FINGER.split()]
    rows = zip(numbers[::4], numbers[1::4], numbers[2::4], numbers[3::4], strict=True)
    finger = [
        Sighting("moons", int(f), frames[int(f)].t_s, (x, y), sigma) for f, x, y, sigma in rows
    ]
    at_rest = [Sighting("moons", f.number, f.t_s, (496.0, -37.9), 0.43) for f in frames[117:125]]
    track = replace(
        track,
        after=lies,
        lay_until_s=frames[73].t_s,
        settled_s=frames[107].t_s,
        hand_after_s=((frames[98].t_s, frames[116].t_s),),
        sightings=(*finger, *at_rest),
    )
    (path,) = smooth_episode(replace(episode, tracks=(track,)))
    assert path.runs == () and len(path.held) == 1
