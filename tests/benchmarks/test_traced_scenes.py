"""Random scenes for a path tracer, played here by a stand-in in which nothing ever moves."""

from __future__ import annotations

import math
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.hard_tables import HARD
from benchmarks.traced_scenes import random_scene
from benchmarks.traced_tables import PALETTES, STYLES, SURFACES, picture_of_the_set

OFFERED = {"surface": SURFACES, "style": STYLES, "palette": PALETTES}
TILES = [(-360, 76), (-360, -76), (0, 76), (0, -76), (360, 76), (360, -76)]


class Body:
    def __init__(self, at: list[float]) -> None:
        self.at = np.array(at)

    def pos(self, _t_s: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        return self.at

    def seg_at(self, _t_s: float) -> SimpleNamespace:
        return SimpleNamespace(mode="slide")


class Played:
    """A played scene: a camera straight above that shows 1 mm as 1.4 px."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        self.coins = spec["coins"]
        self.tiles = [{"at": at} for at in TILES]
        self.cam = SimpleNamespace(
            width=1280, height=720, project=lambda p: 1.4 * p[:, :2] * (1, -1) + (640, 360)
        )
        self.world = SimpleNamespace(bodies={c["id"]: Body(c["at"]) for c in self.coins})


class StandIn:
    def played(self, scene: dict[str, Any]) -> Played:
        return Played(scene)


@pytest.mark.parametrize("seed", range(12))
def test_pieces_lie_apart_and_a_hand_takes_a_coin_of_the_scene(seed: int) -> None:
    scene = random_scene(StandIn(), seed, None, OFFERED)  # type: ignore[arg-type]
    diameter, coins = scene["pieces"]["coin_diameter"], scene["coins"]
    for a, b in combinations(coins, 2):
        assert math.dist(a["at"], b["at"]) > diameter
    for coin in coins:
        for x, y in TILES:
            beside = max(abs(coin["at"][0] - x), abs(coin["at"][1] - y))
            assert beside > 25.4 + diameter / 2
        for thing in scene["clutter"]:
            assert (
                math.dist(coin["at"], thing["at"]) > 140
            )  # a book is 258 mm from corner to corner
    named = {coin["id"] for coin in coins}
    assert all(a.get("coin", coins[0]["id"]) in named for a in scene["actions"])
    assert [a["t"] for a in scene["actions"]] == sorted(a["t"] for a in scene["actions"])
    assert len(scene["actions"]) == 2


def test_a_seed_always_gives_the_same_scene() -> None:
    first, again, other = (random_scene(StandIn(), s, 30, OFFERED) for s in (4, 4, 5))
    assert first == again != other


def test_the_set_s_picture_shows_the_faces_in_the_order_that_their_names_are_given() -> None:
    picture = picture_of_the_set(random_scene(StandIn(), 1, 30, OFFERED))  # type: ignore[arg-type]
    row = sorted(picture["coins"], key=lambda coin: coin["at"][0])
    shown = [coin["suit"] if coin["side"] == "suit" else coin["rank"] for coin in row]
    assert shown == ["moon", "sun", "arms", "crown", "null", "ace", "2", "3", "4", "5"]


@pytest.mark.parametrize("kind", HARD)
def test_a_hard_table_is_hard_in_the_way_that_it_says_and_played_like_any_other(kind: str) -> None:
    scene = random_scene(StandIn(), 3, 30, OFFERED, kind)  # type: ignore[arg-type]
    table, pieces = scene["table"], scene["pieces"]
    steep = math.degrees(math.asin(scene["camera"]["position"][2] / math.hypot(
        *(np.array(scene["camera"]["position"]) - (scene["camera"]["look_at"][0], 0, 0))
    )))  # fmt: skip
    moves = [a for a in scene["actions"] if a["action"] in ("camera_nudge", "camera_shake")]
    assert {
        "bump": [a["action"] for a in moves] == ["camera_nudge"],
        "shake": [a["action"] for a in moves] == ["camera_shake"],
        "low": 44.9 < steep < 49.1,
        "walnut": table["surface"] == pieces["tile_style"] == pieces["coin_style"] == "walnut",
        "pale": pieces["coin_style"] == "paper" and min(table.get("tint", [0])) >= 205,
        "cheques": table["surface"] == "cloth",
        "painted": pieces["coin_style"] == "solid",
        "faded": pieces["palette"] == "faded",
        "shadows": scene["lights"]["window_el_deg"] < 17,
    }[kind]
    assert len(scene["actions"]) - len(moves) == 2
    assert [a["t"] for a in scene["actions"]] == sorted(a["t"] for a in scene["actions"])


@pytest.mark.parametrize("kind", [None, "walnut"])
def test_on_a_still_table_nobody_does_anything(kind: str | None) -> None:
    scene = random_scene(StandIn(), 3, 30, OFFERED, kind, still=True)  # type: ignore[arg-type]
    assert scene["actions"] == []
    assert scene["coins"]
    # the opening compares every second frame until it has five
    assert scene["video"]["duration_s"] * 30 > 2 * 5
