"""How long a sliding coin counts as seen clear of any hand."""

from __future__ import annotations

import pytest

from referee.domain.episode import Rest
from referee.domain.frame_observation import Disc, FrameObservation, Presence
from referee.domain.pieces import PieceSizes
from referee.tracking.identity.tracked_coin import State
from referee.tracking.identity.tracker import Tracker
from tests.tracking.identity.observed import COIN_MM, SIGMA_MM


@pytest.mark.parametrize(
    ("at_hand", "beside", "since_s", "seen_free"),
    [
        (False, False, 0.05, True),
        (False, False, 0.15, False),
        (False, True, 0.05, False),
        (True, True, 0.05, False),
    ],
    ids=["just seen free", "seen free long ago", "beside a hand", "at a hand"],
)
def test_a_sliding_coin_is_expected_as_seen_free_for_a_moment_only(
    at_hand: bool, beside: bool, since_s: float, seen_free: bool
) -> None:
    tracker = Tracker((), PieceSizes(50.0, 5.0, COIN_MM, 4.0))
    tracker.lay("suns", Rest((0.0, 0.0), SIGMA_MM), 0.0)
    disc = Disc((40.0, 0.0), SIGMA_MM, 1.0, at_hand, beside)
    gone = {"suns": Presence.GONE}
    tracker.update(FrameObservation(1, 0.02, True, True, (disc,), gone, frozenset(), frozenset()))
    assert tracker.coins["suns"].state is State.SLIDING
    (expected,) = tracker.expected(0.02 + since_s)
    assert expected.seen_free == seen_free
    tracker.close()  # no sighting is left
    assert not any(e.seen_free for e in tracker.expected(0.02 + since_s))
