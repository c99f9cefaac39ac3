"""Since when a place has looked as it does, and when a hand was over it, on drawn frames."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn import COIN, Scenery, looking
from tests.vision.watched import HAND, STILL, SUNS, Watched


def fingers(reach_mm: float) -> tuple[tuple[tuple[float, float, float, float], float], ...]:
    """Return a hand from the near edge that reaches to y = `reach_mm`: fingers 10 mm wide, lit from
    one side.
    """
    left, near, right, _ = HAND[0]
    return tuple(
        ((x, near, x + 10.0, reach_mm), 140.0 if k % 2 else 90.0)
        for k, x in enumerate(np.arange(left, right, 10.0).tolist())
    )


BARE = Scenery(looking(20.0), noise=1.5)
LAID = BARE.but(discs=((SUNS, COIN),))


def test_since_when_a_place_has_looked_as_it_does():
    watched = Watched(BARE, ())
    for _ in range(10):
        watched.see(BARE)
    for reach in (-40.0, -15.0, 10.0, 25.0, 34.0):
        watched.see(BARE.but(blots=fingers(reach)))
    held = watched.frame + 1
    for _ in range(6):
        watched.see(BARE.but(blots=fingers(HAND[0][3])))
    for reach in (20.0, -15.0, -50.0):
        watched.see(LAID.but(blots=fingers(reach)))
    for _ in range(20):
        watched.see(LAID)
    # The hand began to hold still over the place in frame `held`. The coin was put down then, not
    # when it was uncovered.
    assert watched.analysis.history.settled_since(SUNS) == pytest.approx(held / 60, abs=1.1 / 60)
    assert watched.analysis.history.settled_since((80.0, 40.0)) is None
    # The hand was over the place, wholly or in part, in some nine frames.
    (over,) = watched.analysis.history.hand_over(SUNS, 0.0) or ()
    assert over[1] - over[0] == pytest.approx(9 / 60, abs=2.1 / 60)
    # Only what was since a given instant counts.
    assert watched.analysis.history.hand_over(SUNS, held / 60 + 0.004) == (
        (pytest.approx((held + 1) / 60), over[1]),
    )


@pytest.mark.parametrize("light", [0.75, 1.2])
def test_a_shadow_or_a_spot_of_sun_over_a_place_is_no_hand(light):
    watched = Watched(BARE, ())
    lit = Scenery(looking(20.0), noise=1.5, shade=(-150.0, -90.0, 20.0, 90.0), light=light)
    for scenery in [STILL.but(discs=())] * 10 + [lit] * 20 + [LAID] * 10:
        watched.see(scenery)
    assert watched.analysis.history.hand_over(SUNS, 0.0) == ()


def test_no_hand_was_over_a_place_a_coin_slid_to():
    watched = Watched(BARE, ())
    for at in [None] * 10 + [(SUNS[0] - 25.0, SUNS[1]), (SUNS[0] - 6.0, SUNS[1])] + [SUNS] * 10:
        watched.see(Scenery(looking(20.0), () if at is None else ((at, COIN),), noise=1.5))
    assert watched.analysis.history.hand_over(SUNS, 0.0) == ()


def test_whether_a_hand_was_over_a_place_outside_the_picture_is_not_known():
    watched = Watched(BARE, ())
    for _ in range(3):
        watched.see(Scenery(looking(20.0), noise=1.5))
    assert watched.analysis.history.hand_over((5000.0, 0.0), 0.0) is None


def test_a_place_was_not_settled_before_the_hand_came():
    watched = Watched(BARE, ())
    for _ in range(10):
        watched.see(BARE)
    came = watched.frame + 1
    for reach in (-40.0, -15.0, 10.0, 25.0, 34.0):
        watched.see(BARE.but(blots=(((*HAND[0][:3], reach), 140.0),)))
    for reach in (20.0, -15.0, -50.0):  # it never held still
        watched.see(LAID.but(blots=(((*HAND[0][:3], reach), 140.0),)))
    for _ in range(20):
        watched.see(LAID)
    settled_s = watched.analysis.history.settled_since(SUNS)
    assert settled_s is not None and came / 60 < settled_s <= (came + 9) / 60


def test_a_place_has_changed_although_the_background_shows_the_coin_that_came_to_rest_there():
    watched = Watched(BARE, ())
    for scenery in [BARE] * 10 + [LAID] * 10:
        watched.see(scenery)
    watched.analysis.settle(LAID.picture(), "suns", SUNS)
    watched.see(LAID)
    assert watched.analysis.changed_at(SUNS)
    assert not watched.analysis.changed_at((80.0, 40.0))
