"""A coin that a knocked tile pushes was not flicked."""

from __future__ import annotations

import pytest

from referee.detectors.hands.flick import flicks
from referee.domain.layout import Tile
from tests.detectors.scenes import episode, path, run
from tests.tracking.slides import COIN_MM, TILE_MM, course_at

HOME = course_at()
X, Y = HOME.tiles["wicket-4-left"].centre_mm
SIDE_X = X + TILE_MM / 2


@pytest.mark.parametrize(
    ("pushed_mm", "gap_mm", "hand_s", "flicked"),
    [
        (17.0, 10.0, None, []),
        (17.0, 40.0, None, ["moons"]),
        (0.0, 1.0, None, ["moons"]),
        (17.0, 10.0, (0.1, 0.3), ["moons"]),
    ],
    ids=["in the tile's way", "out of its reach", "the tile stayed", "a hand was at it"],
)
def test_a_coin_in_the_way_of_a_knocked_tile_is_pushed_by_it(pushed_mm, gap_mm, hand_s, flicked):
    """The suns run into the tile from the left at 2 m/s and knock it to the right. The moons lie
    beside its right side, and slide off to the right just after.
    """
    striker = path(
        "suns",
        run(0.1, (X - 165.0, Y), (2000.0, 0.0), end_s=0.17),
        run(0.17, (X - 35.0, Y), (-400.0, 0.0), met=("wicket-4-left",)),
    )
    pushed = path("moons", run(0.2, (SIDE_X + gap_mm + COIN_MM / 2, Y), (300.0, 0.0)))
    after = HOME.with_tile("wicket-4-left", Tile((X + pushed_mm, Y)))
    hands = {"suns": (0.0, 0.11)} | ({} if hand_s is None else {"moons": hand_s})
    both = (striker, pushed)
    found = flicks(episode(*both, hands=hands, after=after if pushed_mm else None), both)
    assert [f.coin for f in found if f.coin == "moons"] == flicked
