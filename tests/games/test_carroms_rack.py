"""What is said about a rack that is not one, and which faces the rules let racked coins have."""

import math

import pytest

from referee.domain.geometry import Point
from referee.domain.pieces import face_of
from referee.games.carroms.rack import rack_faults, rack_mm, racked_faces


def test_of_many_coins_off_their_places_the_worst_two_are_named():
    """Three coins are pushed outward by 30, 20 and 10 mm; a quarter of 20 mm is allowed. The rack's
    turn is the mean of twelve angles, which a push along the radius does not change.
    """
    lying = rack_mm((0.0, 0.0), 20.0)
    for coin, push_mm in (("suns-4", 10.0), ("arms-4", 30.0), ("suns-5", 20.0)):
        x, y = lying[coin]
        way = (x * x + y * y) ** 0.5
        lying[coin] = (x * (1 + push_mm / way), y * (1 + push_mm / way))
    assert rack_faults(lying, (0.0, 0.0), 20.0) == (
        "3 coins are off their places",
        "blue coin 4 lies 30 mm from its place",
        "red coin 5 lies 20 mm from its place",
    )


def _board(turned: float) -> dict[str, Point]:
    """Return a rack turned by an angle about a centre 3 mm east of the origin, and the striker near
    a wall, in an order that tells nothing.
    """
    c, s = math.cos(turned), math.sin(turned)
    rack = rack_mm((0.0, 0.0), 20.0)
    board = {coin: (3.0 + c * x - s * y, s * x + c * y) for coin, (x, y) in rack.items()}
    return dict(sorted((board | {"striker": (40.0, -210.0)}).items(), key=lambda item: item[1]))


@pytest.mark.parametrize("turned", [0.0, 0.4, 1.0, 2.5])
def test_racked_coins_have_four_ways_of_faces(turned: float):
    """Red and blue alternate in each of the two rings, and either may come first in each. The
    coin in the middle is the black, and the one elsewhere is the striker.
    """
    board = _board(turned)
    ways = racked_faces(board, 20.0)
    true = {coin: face_of(coin) for coin in board}
    ring = ("suns-1", "arms-1", "suns-2", "arms-2", "suns-3", "arms-3")
    assert len(ways) == 4 and true in ways
    for way in ways:
        assert way["moons"] == "moons" and way["striker"] == "null"
        assert [way[coin] == way[ring[0]] for coin in ring] == [True, False] * 3
        assert sorted(way.values()) == sorted(true.values())


def test_coins_that_do_not_lie_like_a_rack_have_no_faces_by_the_rules():
    """A quarter of 20 mm is allowed: a coin 8 mm off its place is none of a rack."""
    board = _board(0.4)
    x, y = board["suns-5"]
    assert racked_faces(board | {"suns-5": (x + 8.0, y)}, 20.0) == ()
    assert racked_faces({c: at for c, at in board.items() if c != "striker"}, 20.0) == ()
