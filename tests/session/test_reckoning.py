"""What is made of coins that are found lying still when all is."""

import pytest

from referee.episode import Rest
from referee.session.reckoning import settle
from referee.sighting import Sighting
from referee.tracking.followed import Followed, State


@pytest.mark.parametrize(("found_mm", "sightings"), [((0.3, -0.2), 0), ((1.4, 0.0), 2)])
def test_a_coin_found_where_it_lay_was_never_away(found_mm, sightings):
    seen = [Sighting("suns", k, k / 60, (30.0 + k, 5.0), 0.5) for k in (8, 9)]
    coin = Followed("suns", State.HIDDEN, Rest((0.0, 0.0), 0.3), Rest((0.0, 0.0), 0.3), seen)
    settle(coin, Rest(found_mm, 0.3))
    assert coin.state is State.REST and len(coin.sightings) == sightings
    assert coin.rest == (coin.before if not sightings else Rest(found_mm, 0.3))
