"""Whatever is seen, and in whatever order: the tracker raises no error, and no coin has two
sightings in one frame.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.domain.episode import Rest
from referee.domain.frame_observation import Disc, FrameObservation, Presence
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.tracking.identity.tracker import Tracker
from tests.tracking.identity.observed import COIN_MM, OUTLINE

FPS = 30
LAY: dict[str, Point] = {"suns": (-60.0, 0.0), "moons": (0.0, 0.0), "arms": (90.0, 10.0)}
#: Where discs are seen: along one line, at and between the coins, and off the table.
PLACES: list[Point] = [(12.0 * k - 96.0, 0.0) for k in range(20)] + [(620.0, 0.0)]

names = st.frozensets(st.sampled_from(sorted(LAY)))
discs = st.builds(
    Disc,
    st.sampled_from(PLACES),
    st.sampled_from([0.3, 1.8]),
    st.just(0.9),
    at_hand=st.booleans(),
    beside_hand=st.booleans(),
    still=st.booleans(),
)
seen = st.builds(
    dict,
    discs=st.lists(discs, max_size=3, unique_by=lambda d: d.at_mm).map(tuple),
    quiet=names,
    covered=names,
    not_gone=st.frozensets(st.sampled_from(sorted(LAY)), max_size=1),
    hand=st.booleans(),
    changing=st.just(True),
)
#: What is seen, and in how many frames in a row.
plays = st.lists(st.tuples(seen, st.integers(1, 4)), min_size=3, max_size=6)


@settings(max_examples=300)
@given(names, plays)
def test_a_coin_is_seen_once_in_a_frame_and_in_order_of_time(gone, play):
    tracker = Tracker(OUTLINE, PieceSizes(coin_mm=COIN_MM))
    for coin, at in LAY.items():
        tracker.lay(coin, Rest(at, 0.2), 0.0)
    tracker.close()
    presence = dict.fromkeys(gone, Presence.GONE)
    for frame, what in enumerate((one for one, times in play for _ in range(times)), 1):
        tracker.expected(frame / FPS)
        tracker.update(FrameObservation(frame, frame / FPS, presence=presence, **what))
        for coin in tracker.coins.values():
            frames = [s.frame for s in coin.sightings]
            assert frames == sorted(set(frames)), coin.coin
