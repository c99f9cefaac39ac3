"""Random scenes of castles and of Carroms, played by a stand-in in which a flicked coin is 20 mm
aside at once, and nothing else ever moves.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from benchmarks.traced_boards import GAMES, board_scene
from benchmarks.traced_tables import PALETTES, STYLES, SURFACES
from tests.benchmarks.test_traced_scenes import Body, Played

OFFERED = {"surface": list(SURFACES), "style": list(STYLES), "palette": list(PALETTES)}


class Flicked(Body):
    def __init__(self, at: list[float], flicks_s: list[float]) -> None:
        super().__init__(at)
        self.flicks_s = flicks_s

    def pos(self, t_s: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        return self.at + 20.0 * sum(flick_s < t_s for flick_s in self.flicks_s)


class PlayedFlicks(Played):
    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        for coin in self.coins:
            flicks_s = [a["t"] for a in spec["actions"] if a["coin"] == coin["id"]]
            self.world.bodies[coin["id"]] = Flicked(coin["at"], flicks_s)


class StandIn:
    def played(self, scene: dict[str, Any]) -> PlayedFlicks:
        return PlayedFlicks(scene)


def scene_of(game: str, seed: int) -> dict[str, Any]:
    return board_scene(StandIn(), game, seed, 30, OFFERED)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_coins_lie_apart_and_two_of_them_are_flicked(game: str, seed: int) -> None:
    scene = scene_of(game, seed)
    for a, b in combinations(scene["coins"], 2):
        assert math.dist(a["at"], b["at"]) > scene["pieces"]["coin_diameter"]
    named = {coin["id"] for coin in scene["coins"]}
    assert [a["action"] for a in scene["actions"]] == ["flick", "flick"]
    assert {a["coin"] for a in scene["actions"]} <= named


def test_a_castle_has_four_knights_and_four_guards() -> None:
    coins = scene_of("castle-croquetnole", 1)["coins"]
    assert sorted(c["suit"] for c in coins if c["side"] == "suit") == [
        "arms",
        "crown",
        "moon",
        "sun",
    ]
    assert sorted(c["rank"] for c in coins if c["side"] == "rank") == ["2", "3", "4", "ace"]


def test_every_other_scene_of_carroms_breaks_a_rack_with_the_black_coin_in_the_middle() -> None:
    scene = scene_of("carroms", 2)
    at = {coin["id"]: coin["at"] for coin in scene["coins"]}
    assert len(at) == 14
    assert at["moons"] == [0, 0]
    # six coins touch the middle one, six more lie in the gaps between those
    width = scene["pieces"]["coin_diameter"]
    far = sorted(math.hypot(*place) / width for name, place in at.items() if name[-1].isdigit())
    assert far[:6] == pytest.approx([1.003] * 6, abs=0.002)
    assert far[6:] == pytest.approx([1.003 * math.sqrt(3)] * 6, abs=0.002)
    assert scene["actions"][0]["coin"] == "striker"
    assert scene["actions"][0]["toward"] == [0, 0]


def test_in_the_other_scenes_of_carroms_the_coins_lie_anywhere() -> None:
    scene = scene_of("carroms", 1)
    assert all(math.hypot(*coin["at"]) > 0 for coin in scene["coins"])
    assert scene["actions"][0].get("toward") != [0, 0]
