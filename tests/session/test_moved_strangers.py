"""Which things that nobody owned may be a coin of the match that was lost from sight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.domain.episode import CoinTrack, Rest
from referee.session.naming.coin_naming import moved_strangers
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from tests.session.test_coin_naming import crossed_tracks

LAY = Rest((200.0, 0.0), 0.2)


@pytest.mark.parametrize(
    ("state", "lost", "lies", "found"),
    [
        (State.HIDDEN, True, Rest((186.0, 0.0), 0.2), {"?1"}),
        (State.REST, True, Rest((186.0, 0.0), 0.2), set()),  # it was found again
        (State.HIDDEN, True, Rest((199.5, 0.0), 0.2), set()),  # within four standard errors
        (State.OFF_TABLE, True, Rest((186.0, 0.0), 0.2), set()),  # it was seen to leave
        (State.HIDDEN, False, Rest((186.0, 0.0), 0.2), set()),  # it was lost earlier
        (State.HIDDEN, True, None, set()),  # the thing was taken away
    ],
)
def test_what_seemed_print_and_moved_while_a_coin_is_lost_may_be_that_coin(
    state: State, lost: bool, lies: Rest | None, found: set[str]
):
    coins = {
        "moons": TrackedCoin("moons", State.REST, Rest((0.0, 0.0), 0.2), None),
        "suns": TrackedCoin("suns", state, Rest((90.0, 0.0), 0.2), None),
    }
    suns = CoinTrack("suns", LAY if lost else None, None)
    tracks = (CoinTrack("?1", LAY, lies), CoinTrack("?2", LAY, LAY), suns)
    episode = replace(crossed_tracks(), tracks=tracks)
    assert moved_strangers(episode, {"?1", "?2"}, ("moons", "suns"), coins) == found
    assert moved_strangers(episode, {"?2"}, ("moons", "suns"), coins) == set()


def test_a_coin_of_the_match_that_never_lay_there_is_not_taken_for_what_moved():
    coins = {"moons": TrackedCoin("moons", State.REST, Rest((0.0, 0.0), 0.2), None)}
    tracks = (CoinTrack("?1", LAY, Rest((186.0, 0.0), 0.2)),)
    episode = replace(crossed_tracks(), tracks=tracks)
    assert moved_strangers(episode, {"?1"}, ("moons", "suns"), coins) == set()
