"""Writes random scenes of Castle Croquetnole and of Carroms for a path tracer, each from its seed.

Usage: python -m benchmarks.traced_boards TRACER OUT_FOLDER GAME FIRST_SEED [END_SEED] [--fps N]
           [--surface NAME ...] [--style NAME ...] [--palette NAME ...]

GAME is castle-croquetnole or carroms. TRACER, OUT_FOLDER and the options are those of `python -m
benchmarks.traced_scenes`. In a castle, hands flick knights and guards at gates, doors, coins and
towers. In every other scene of Carroms, the first flick breaks a full rack.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.arguments import Arguments
from benchmarks.hard_tables import Plain
from benchmarks.traced_tables import (
    DRAWS,
    RANKS,
    Tracer,
    add_choices,
    bare_table,
    free,
    in_the_picture,
    looking_at,
    offered_by,
    rests,
    still,
    with_actions,
    write_scene,
)

GAMES = {"castle-croquetnole": "castle", "carroms": "carroms"}
LOOK_FROM_DEG = (50.0, 75.0)  # how high above the table the camera stands
SIZE_MM = (780, 960)  # of the table, along either side
FIRST_S, SECOND_S, END_S = 1.0, 3.1, 5.0
TOWERS_MM = {"sun": (-254, 0), "moon": (0, -254), "crown": (0, 254), "arms": (254, 0)}
GATES_MM = {"sun": (-51, 0), "moon": (0, -51), "crown": (0, 51), "arms": (51, 0)}
GUARDS = (("sun", "2"), ("moon", "ace"), ("crown", "3"), ("arms", "4"))
POCKET_MM = 205.0  # from the middle of the field to a pocket's, along either side
SEEN_MM = 10.0  # a flicked coin goes farther, or nobody could see that it was flicked
POCKET_OFF_MM = 3.0  # how far off a hand aims at where the striker has to be
APART = 1.003  # of a coin's width: how far apart the coins of a rack lie


def board_scene(
    tracer: Tracer, game: str, seed: int, fps: int | None, offered: dict[str, Any]
) -> Plain:
    """Return a scene as the tracer reads it. Raises RuntimeError if no draw could be played."""
    rng = np.random.default_rng([seed, 11])
    for _ in range(DRAWS):
        scene = bare_table(rng, seed, fps, offered)
        scene["name"] = scene["name"].replace("-", f"-{GAMES[game]}-", 1)
        scene["video"]["duration_s"] = END_S
        scene["layout"] = {"name": GAMES[game]}
        scene["table"]["size"] = [int(v) for v in rng.integers(*SIZE_MM, 2)]
        scene["clutter"] = []
        scene["camera"] = looking_at(rng, LOOK_FROM_DEG, (640, 860))
        if not in_the_picture(tracer.played(scene), least_wide=0.4):
            continue
        breaks = game == "carroms" and seed % 2 == 0
        lay = _garrisons if game == "castle-croquetnole" else _rack if breaks else _scattered
        diameter_mm, bare = scene["pieces"]["coin_diameter"], tracer.played(scene)
        laid = (lay(rng, diameter_mm) for _ in range(DRAWS))
        apart = next((coins for coins in laid if _apart(bare, coins, diameter_mm)), None)
        if apart is None:
            continue
        scene["coins"] = apart
        for at_s in (FIRST_S, SECOND_S):
            action = _flick(rng, tracer.played(scene), game, at_s)
            if action is None:
                break
            after = with_actions(tracer.played(scene), scene, [*scene["actions"], action])
            coin, end_s = action["coin"], min(at_s + 1.8, END_S - 0.3)
            if not still(after, end_s) or not _moved(after, coin, at_s, end_s):
                break
            scene["actions"].append(action)
        else:
            return scene
    raise RuntimeError(f"seed {seed}: in none of its {DRAWS} scenes can the flicks be played")


def _apart(scene: Any, coins: Sequence[Plain], diameter_mm: float) -> bool:
    """Return whether no coin lies on another one or on a tile."""
    places = [np.array(coin["at"]) for coin in coins]
    pairs = [math.dist(a, b) for k, a in enumerate(places) for b in places[:k]]
    clear = all(free(at, scene, (), diameter_mm) for at in places)
    return clear and min(pairs) > diameter_mm


def _moved(scene: Any, coin: str, from_s: float, to_s: float) -> bool:
    """Return whether a coin that was flicked got so far that anybody sees it."""
    body = scene.world.bodies[coin]
    gone = body.seg_at(to_s).mode == "gone"
    return gone or math.dist(body.pos(from_s), body.pos(to_s)) > SEEN_MM


def _garrisons(rng: np.random.Generator, _diameter_mm: float) -> list[Plain]:
    """Return each suit's knight and guard between its tower and its gate."""
    coins: list[Plain] = []
    for suit, guard in GUARDS:
        inward = -np.array(TOWERS_MM[suit]) / 254
        aside = np.array([-inward[1], inward[0]])
        for name, side in ((suit, "suit"), (guard, "rank")):
            at = np.array(TOWERS_MM[suit]) + rng.uniform(45, 170) * inward
            at = at + rng.uniform(-60, 60) * aside
            coins.append(_coin(name, suit, guard, side, at))
    return coins


def _rack(rng: np.random.Generator, diameter_mm: float) -> list[Plain]:
    """Return the rack of thirteen coins around the middle, and the striker before it."""
    turn = float(rng.uniform(0, math.pi / 3))
    rings = [(1.0, turn), (math.sqrt(3), turn + math.pi / 6)]
    places = [
        APART * diameter_mm * far * np.array([math.cos(way), math.sin(way)])
        for far, first in rings
        for way in first + np.arange(6) * math.pi / 3
    ]
    side = [(0, -1), (1, 0), (0, 1), (-1, 0)][int(rng.integers(4))]
    across = rng.uniform(-60, 60)
    striker = 130.0 * np.array(side) + across * np.array([-side[1], side[0]])
    return _carroms_coins([*places, np.zeros(2)], striker)


def _scattered(rng: np.random.Generator, diameter_mm: float) -> list[Plain]:
    """Return fourteen coins anywhere on the field."""
    places: list[np.ndarray] = []
    while len(places) < 14:
        at = rng.uniform(-190, 190, 2)
        if all(math.dist(at, other) > 1.1 * diameter_mm for other in places):
            places.append(at)
    return _carroms_coins(places[:13], places[13])


def _carroms_coins(places: Sequence[np.ndarray], striker: np.ndarray) -> list[Plain]:
    """Return the coins of Carroms at their places: reds and blues by turns, the black one last."""
    coins = [{**_coin("striker", "crown", "null", "rank", striker), "style": "maple"}]
    for k, at in enumerate(places[:12]):
        suit, number = (("sun", "suns"), ("arms", "arms"))[k % 2], k // 2
        rank = RANKS[number]
        coins.append(_coin(f"{suit[1]}-{number + 1}", suit[0], rank, "suit", at))
    return [*coins, _coin("moons", "moon", "4", "suit", places[12])]


def _coin(name: str, suit: str, rank: str, side: str, at: np.ndarray) -> Plain:
    place = [round(float(v), 2) for v in at]
    return {"id": name, "suit": suit, "rank": rank, "side": side, "at": place}


def _flick(rng: np.random.Generator, scene: Any, game: str, at_s: float) -> Plain | None:
    """Return a flick of the striker, or of any coin of a castle, at a random target; None if too
    few coins lie on the table.
    """
    lying = {c["id"]: scene.world.bodies[c["id"]].pos(at_s) for c in scene.coins
             if rests(scene, c["id"], at_s)}  # fmt: skip
    names = sorted(lying)
    if len(names) < 2:
        return None
    coin = "striker" if game == "carroms" and "striker" in lying else str(rng.choice(names))
    others = [name for name in names if name != coin]
    targets = [*GATES_MM.values(), *TOWERS_MM.values()]
    flick: Plain = {
        "t": at_s, "action": "flick", "coin": coin, "speed": int(rng.uniform(500, 1500)),
        "arm_yaw_deg": int(rng.uniform(-30, 30)),
    }  # fmt: skip
    broken = game == "carroms" and "moons" in lying and math.hypot(*lying["moons"]) < 1
    if broken:
        return flick | {"toward": [0, 0], "speed": int(rng.uniform(1400, 2400))}
    if game == "carroms" and rng.random() < 0.7:
        diameter_mm = scene.spec["pieces"]["coin_diameter"]
        return flick | {"toward": _at_pocket(rng, lying, coin, diameter_mm)}
    if game == "carroms" or rng.random() < 0.5:
        cut = round(float(rng.normal(0, 5)), 1)
        return flick | {"at_coin": str(rng.choice(others)), "cut_mm": cut}
    near = sorted(targets, key=lambda at: math.dist(at, lying[coin]))[:3]
    aim = near[int(rng.integers(3))]
    return flick | {"toward": [int(v + rng.normal(0, 10)) for v in aim]}


def _at_pocket(
    rng: np.random.Generator, lying: Plain, striker: str, diameter_mm: float
) -> list[float]:
    """Return about where the striker has to be to send a coin into a pocket: of all coins and
    pockets those for which it turns the coin by the least angle.
    """
    shots = []
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        pocket = POCKET_MM * np.array([x, y])
        for name, at in lying.items():
            if name != striker:
                way = (pocket - at) / math.dist(pocket, at)
                there = at - diameter_mm * way
                along = (there - lying[striker]) / math.dist(there, lying[striker])
                shots.append((float(along @ way), there))
    there = max(shots, key=lambda shot: shot[0])[1]
    return [round(float(v + rng.normal(0, POCKET_OFF_MM)), 1) for v in there]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Arguments("traced_boards", __doc__)
    parser.add_argument("tracer", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("game", choices=GAMES)
    add_choices(parser)
    chosen = parser.parse_args(arguments)
    tracer = Tracer(chosen.tracer)
    for seed in range(chosen.first, (chosen.last or chosen.first) + 1):
        scene = board_scene(tracer, chosen.game, seed, chosen.fps, offered_by(chosen))
        write_scene(chosen.out, scene)


if __name__ == "__main__":
    main()
