"""Which coin is which where one that came from under a hand struck another, and the other left."""

from __future__ import annotations

import pytest

from referee.domain.frame_observation import Disc, Presence
from referee.domain.geometry import Point
from tests.tracking.identity.observed import SIGMA_MM, Play, lying, under_a_hand

UNDER = frozenset({"moons"})


def struck_once_seen(before: Point, after: list[Point], lay: Point = (0.0, 205.0)) -> Play:
    """Return the play in which `moons`, at the origin, leaves from under a hand, is seen once on
    its way and then at the places of `after`, while `suns` is gone from where it lay.
    """
    play = Play({"moons": lying((0.0, 0.0)), "suns": lying(lay)}, 30.0)
    for frame, at in enumerate([before, *after], start=1):
        presence = {"moons": Presence.COVERED}
        presence |= {"suns": Presence.GONE} if frame > 1 else {}
        play.tracker.update(
            under_a_hand(frame, 30, (Disc(at, SIGMA_MM, 1.0, False),), presence, UNDER)
        )
    return play


def test_a_striker_seen_once_before_a_full_hit_is_the_disc_before_where_the_other_coin_lay():
    """The other one left the table, unseen. What stays 15 mm before its place is the striker."""
    before, after = (-2.0, 150.0), [(-1.0, 187.0), (0.0, 191.0), (0.0, 193.0), (0.0, 193.4)]
    coins = struck_once_seen(before, after).tracker.coins
    assert [s.at_mm for s in coins["moons"].sightings] == [before, *after]
    assert coins["suns"].sightings == []


@pytest.mark.parametrize("disc", [(0.0, 260.0), (12.0, 250.0)])
def test_what_is_seen_beyond_where_the_other_coin_lay_may_be_that_coin(disc):
    """Nothing tells yet whether it went on or the striker went past: no coin is given the way."""
    coins = struck_once_seen((-2.0, 150.0), [disc]).tracker.coins
    assert (-2.0, 150.0) not in [s.at_mm for s in coins["moons"].sightings]
