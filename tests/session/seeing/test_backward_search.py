"""Where a coin is searched for in the frames before it was first seen moving."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace

from referee.domain.episode import Rest
from referee.domain.frame_observation import Disc
from referee.domain.sighting import Sighting
from referee.session.seeing.backward_search import search_backward
from referee.tracking.identity.tracked_coin import State, TrackedCoin

FRAME_S = 1 / 25
#: A slide to the right, mm in each frame from 1 on; between frames 4 and 5 the video lost a
#: picture.
PLACES = {1: 30.0, 2: 60.0, 3: 88.0, 4: 114.0, 5: 164.0, 6: 188.0}


class Frames:
    """Shows the coin wherever it was, if the search looks near enough along its way."""

    def __init__(self, places: dict[int, float]):
        self.places = places
        self.asked: list[tuple[int, float, float]] = []

    def discs_in(self, picture):
        self.number = picture.number
        return self

    def near(self, coin, at_mm, velocity_mm_s, exposure_s, uneven_mm):
        self.asked.append((self.number, at_mm[0], uneven_mm))
        x = self.places.get(self.number, 0.0)
        return Disc((x, 0.0), 0.4, 1.0, False) if abs(x - at_mm[0]) <= uneven_mm else None


def searched(places: dict[int, float], first: int) -> tuple[list[int], Frames]:
    seen = [
        Sighting("suns", n, n * FRAME_S, (x, 0.0), 0.4) for n, x in places.items() if n >= first
    ]
    coin = TrackedCoin("suns", State.SLIDING, None, Rest((0.0, 0.0), 0.3), seen)
    recent = deque((n, n * FRAME_S, SimpleNamespace(number=n)) for n in range(7))
    frames = Frames(places)
    search_backward(frames, [coin], recent, 0.01)
    return [s.frame for s in coin.sightings], frames


def test_a_coin_is_found_in_earlier_frames_although_one_step_is_twice_as_long():
    found, frames = searched(PLACES, 4)
    assert found == [1, 2, 3, 4, 5, 6]
    asked = [(n, round(x, 6), round(uneven, 6)) for n, x, uneven in frames.asked]
    # Half of the 50 mm between frames 4 and 5; then of the 26 mm between 3 and 4, and so on.
    assert asked == [(3, 64.0, 25.0), (2, 62.0, 13.0), (1, 32.0, 14.0)]


def test_a_coin_far_from_its_way_back_is_another():
    assert searched({**PLACES, 3: 38.0}, 4)[0] == [4, 5, 6]
