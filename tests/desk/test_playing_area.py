"""The drawing of each game, compared with the places that its rules and layouts give in tile
widths. Half a tile is 25.4 mm.
"""

from __future__ import annotations

from math import dist
from typing import Any

import msgspec
import pytest

from referee.desk.page_topics.playing_area import ground_of, place_mm
from referee.domain.entry import Player, Setup

TILE_MM = 50.8


def ground(game: str, **more: Any) -> dict[str, Any]:
    setup = Setup(format="piecepack-match/1", game=game, players=(Player(name="Ann"),), **more)
    plain: dict[str, Any] = msgspec.to_builtins(ground_of(setup))
    return plain


def in_tiles(line: dict[str, Any]) -> list[list[float]]:
    return [[round(value / TILE_MM, 3) for value in line[end]] for end in ("right_mm", "left_mm")]


@pytest.mark.parametrize(
    ("gate", "right", "left"),
    [
        # `out` of a castle is towards the middle. For a coin that goes out, `left` is on its left.
        ("gate-moons", [0.5, -1.0], [-0.5, -1.0]),
        ("gate-suns", [-1.0, -0.5], [-1.0, 0.5]),
        ("gate-crowns", [-0.5, 1.0], [0.5, 1.0]),
        ("gate-arms", [1.0, 0.5], [1.0, -0.5]),
    ],
)
def test_a_castles_gate_is_between_the_two_gateposts_nearest_its_tower(
    gate: str, right: list[float], left: list[float]
) -> None:
    assert in_tiles(ground("castle-croquetnole")["lines"][gate]) == [right, left]


def test_a_gate_is_where_its_gateposts_lie_on_this_table() -> None:
    course = ground("castle-croquetnole")
    tiles = {name: dict(tile) for name, tile in course["tiles"].items()}
    for post in ("gatepost-sw", "gatepost-se"):
        x, y = tiles[post]["centre_mm"]
        tiles[post]["centre_mm"] = [x + 10.0, y]
    moved = ground("castle-croquetnole", layout={"tiles": tiles})
    assert moved["lines"]["gate-moons"]["left_mm"] == pytest.approx((-15.4, -50.8))
    assert moved["lines"]["gate-moons"]["right_mm"] == pytest.approx((35.4, -50.8))


def test_a_pocket_opens_between_the_inside_corners_of_two_walls() -> None:
    lines = ground("carroms")["lines"]
    assert set(lines) == {"pocket-ne", "pocket-nw", "pocket-se", "pocket-sw"}
    for name, (x, y) in {
        "pocket-ne": (1, 1),
        "pocket-nw": (-1, 1),
        "pocket-sw": (-1, -1),
        "pocket-se": (1, -1),
    }.items():
        ends = sorted(in_tiles(lines[name]), key=lambda end: abs(end[0]))
        assert ends == [[3.0 * x, pytest.approx(4.768 * y)], [pytest.approx(4.768 * x), 3.0 * y]]


def test_the_rack_is_the_black_coin_in_two_rings_each_touching_the_one_before() -> None:
    places = ground("carroms", coin_mm=20.0)["rack_mm"]
    from_middle = sorted(round(dist((0, 0), place), 3) for place in places)
    assert from_middle == [0.0, *[20.0] * 6, *[34.641] * 6]
    assert min(dist(a, b) for i, a in enumerate(places) for b in places[:i]) == pytest.approx(20.0)


def test_the_lawns_hoops_stand_where_its_rules_say_and_are_run_that_way() -> None:
    board = ground("piecepack-croquet")["board"]
    at = {
        hoop["name"]: [round(value / 25.4, 6) for value in hoop["at_mm"]] for hoop in board["hoops"]
    }
    assert at == {
        "hoop-1": [2, 2],
        "hoop-2": [2, 10],
        "hoop-3": [6, 10],
        "hoop-4": [6, 2],
        "hoop-5": [4, 4],
        "hoop-6": [4, 8],
    }
    assert [step["heading"] for step in board["course"]] == ["n", "n", "s", "s", "n", "n", None]
    assert (board["width"], board["height"]) == (8, 12)


def test_a_pawn_stands_on_an_intersection_of_the_lawn_but_in_the_middle_of_a_space() -> None:
    def setup(game: str) -> Setup:
        return Setup(
            format="piecepack-match/1", game=game, players=(Player(name="Ann"),), tile_mm=20.0
        )  # type: ignore[arg-type]

    assert place_mm(setup("piecepack-croquet"), (2, 10)) == (20.0, 100.0)
    assert place_mm(setup("wickets-six"), (1, 1)) == (5.0, 5.0)


def test_the_wickets_of_a_users_board_are_drawn_where_that_board_has_them() -> None:
    layout = {
        "cols": 5,
        "rows": 9,
        "start": [3, 1],
        "stakes": {"stake": [3, 9]},
        "wickets": {"wicket-1": [3, 3], "wicket-2": [2, 6]},
        "course": [["wicket-1", "n"], ["wicket-2", "s"], ["stake"]],
        "labels": ["1A", "2A"],
    }
    board = ground("wickets-six", layout=layout)["board"]
    assert (board["width"], board["height"]) == (5, 9)
    assert {hoop["name"]: hoop["at_mm"] for hoop in board["hoops"]} == {
        "wicket-1": (2.5 * 25.4, 2.5 * 25.4),
        "wicket-2": (1.5 * 25.4, 5.5 * 25.4),
    }
    assert [tuple(step.values()) for step in board["course"]] == [
        ("wicket-1", "n", "1A"),
        ("wicket-2", "s", "2A"),
        ("stake", None, None),
    ]
