"""A hit as a camera recorded it in a person's shadow: the finger hides the striker's first 50 mm,
and the striker stops where it hits, so that one slow slide nearly explains all that is seen of it.
"""

from __future__ import annotations

from types import MappingProxyType

import pytest

from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import table_edge

SIZES = PieceSizes(50.8, 5.0, 20.0, 4.0)
STRIKER = (
    *((63, 56.8, 47.1), (64, 67.4, 58.3), (65, 78.6, 69.0), (66, 88.8, 79.1), (67, 98.1, 88.9)),
    *((68, 107.1, 97.9), (69, 109.1, 100.9), (70, 109.5, 99.7), (71, 109.7, 100.3)),
    *((number, 109.4, 100.4) for number in range(72, 77)),
)
STRUCK = (
    *((69, 129.2, 122.8), (70, 136.9, 133.5), (71, 144.3, 142.0), (72, 151.5, 149.3)),
    *((73, 157.9, 157.5), (74, 164.6, 164.6), (75, 170.4, 171.0), (76, 175.9, 177.3)),
    *((77, 181.4, 183.3), (78, 186.2, 188.5), (79, 191.0, 194.0), (80, 195.3, 198.5)),
    *((81, 199.1, 203.0), (82, 202.5, 206.8), (83, 205.5, 210.3), (84, 208.4, 213.7)),
)


def seen_s(number: int) -> float:
    return number / 60 + 0.005


def track(
    coin: str,
    before: Rest,
    after: Rest,
    places: tuple[tuple[int, float, float], ...],
    sigma_mm: float,
    hand: range,
) -> CoinTrack:
    sightings = tuple(
        Sighting(coin, number, seen_s(number), (x, y), sigma_mm) for number, x, y in places
    )
    return CoinTrack(coin, before, after, sightings, frozenset(hand), frozenset(hand))


def test_the_striker_is_flicked_late_and_fast_and_hits_although_it_stops_where_it_hits() -> None:
    """By the truth of the clip, the finger leaves the coin at 1.000 s at 1050 mm/s. At 1.138 s the
    striker's centre is 21.3 mm from the other's, and comes at 800 mm/s: 1.3 mm, or 1.6 ms, more.
    """
    frames = tuple(Frame(number, seen_s(number)) for number in range(9, 98))
    striker = track(
        "striker",
        Rest((20.5, 11.6), 0.43),
        Rest((109.5, 100.4), 0.47),
        STRIKER,
        1.35,
        range(32, 63),
    )
    struck = track(
        "suns-6", Rest((121.3, 115.6), 0.35), Rest((217.3, 224.7), 0.51), STRUCK, 0.45, range(0)
    )
    bare = Course(MappingProxyType({}), SIZES.tile_mm)
    hands = frozenset(range(9, 110))
    episode = Episode(frames, (struck, striker), bare, bare, table_edge(), SIZES, 0.01, hands)
    hit, shot = smooth_episode(episode)
    assert hit.runs[0].met == ("striker",)
    assert hit.runs[0].begin_s == pytest.approx(1.1396, abs=0.005)
    assert shot.runs[0].begin_s == pytest.approx(1.0, abs=0.015)
    assert shot.runs[0].speed_mm_s == pytest.approx(1050.0, rel=0.05)
