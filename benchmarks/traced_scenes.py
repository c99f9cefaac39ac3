"""Writes random scenes for a path tracer, each from its seed: a table, a set, light, a camera, and
two things that hands do.

Usage: python -m benchmarks.traced_scenes TRACER OUT_FOLDER FIRST_SEED [LAST_SEED] [--fps N]
           [--surface NAME ...] [--style NAME ...] [--palette NAME ...] [--hard KIND ...] [--still]

TRACER is the folder of the path tracer (its package is `tablesim`). Writes OUT_FOLDER/NAME.yaml and
OUT_FOLDER/pieces/NAME.yaml, the picture of the set, for the tracer to render. A draw is rejected
when pieces overlap, a tile is out of the picture, or a hand would flick a coin that still slides or
lies on the floor. `--hard` makes each table hard to see in one of the ways named, in turn: a camera
that is bumped or shakes while a coin slides, a low one, walnut on walnut, pale paper on pale
laminate, a chequered cloth, painted coins, faded faces, long shadows. `--surface`, `--style` and
`--palette` name what the tracer can draw besides what is listed here. With `--still`, hands do
nothing, and a scene is as long as the survey and the opening need, and drawn in a minute.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.arguments import Arguments
from benchmarks.hard_tables import HARD, LOW_DEG, Plain, camera_move, make_hard
from benchmarks.traced_tables import (
    DRAWS,
    LAST_S,
    RANKS,
    SUITS,
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

WICKETS = {
    "W1": (-360, 0), "W2": (-230, 0), "W3": (-118, 1), "W4": (0, 0), "W5": (118, 1),
    "W6": (230, 0), "W7": (360, 0), "W8": (118, -1), "W9": (-118, -1),
}  # fmt: skip
FIRST_S, SECOND_S = 1.0, 3.1
STILL_S = 0.6
STILL_RAYS = 16  # a pixel: a quarter of the tracer's own number, and in the end as clean


def random_scene(
    tracer: Tracer,
    seed: int,
    fps: int | None,
    offered: Mapping[str, Any],
    hard: str | None = None,
    *,
    still: bool = False,
) -> Plain:
    """Return a scene as the tracer reads it. Raises RuntimeError if no draw could be played."""
    rng = np.random.default_rng([seed, 7])
    for _ in range(DRAWS):
        scene = bare_table(rng, seed, fps, offered)
        if hard:
            make_hard(rng, scene, hard)
        if hard == "low":
            scene["camera"] = looking_at(rng, LOW_DEG)
        if not in_the_picture(tracer.played(scene)):
            continue
        scene["coins"] = _coins(rng, tracer.played(scene), scene["pieces"]["coin_diameter"])
        if still:
            scene["video"]["duration_s"] = STILL_S
            scene["render"] = {"spp_static": STILL_RAYS}
            return scene
        for at_s in (FIRST_S, SECOND_S):
            action = _action(rng, tracer.played(scene), scene, at_s)
            if action is None:
                break
            scene["actions"].append(action)
        else:
            if hard in ("bump", "shake"):
                scene["actions"].append(camera_move(rng, hard, (FIRST_S, SECOND_S)))
                scene["actions"].sort(key=lambda action: action["t"])
            return scene
    raise RuntimeError(
        f"seed {seed}: in none of its {DRAWS} random scenes can the flicks be played"
    )


def _coins(rng: np.random.Generator, scene: Any, diameter_mm: float) -> list[Plain]:
    suits = list(rng.permutation(SUITS)[: int(rng.integers(2, 5))])
    ranks = list(rng.permutation(RANKS)[: int(rng.integers(1, 4))])
    coins: list[Plain] = []
    for name, side in [(s, "suit") for s in suits] + [(r, "rank") for r in ranks]:
        for _ in range(200):
            at = np.array([rng.uniform(-480, 480), rng.uniform(-250, 250)]).round(2)
            if free(at, scene, coins, diameter_mm):
                break
        suit = name if side == "suit" else str(rng.choice(SUITS))
        rank = name if side == "rank" else str(rng.choice(RANKS))
        coins.append({"id": str(name), "suit": str(suit), "rank": str(rank), "side": side,
                      "at": at.tolist()})  # fmt: skip
    return coins


def _action(rng: np.random.Generator, scene: Any, fields: Plain, at_s: float) -> Plain | None:
    """Return what a hand does at `at_s`, or None if it cannot be done."""
    lying = {c["id"]: scene.world.bodies[c["id"]].pos(at_s) for c in scene.coins
             if rests(scene, c["id"], at_s)}  # fmt: skip
    if len(lying) < len(scene.coins) - 1 or not lying:  # one may lie on the floor
        return None
    coin = str(rng.choice(list(lying)))
    kind = str(rng.choice(["flick", "carry", "hover"], p=[0.84, 0.1, 0.06]))
    if kind == "hover":
        at = [int(rng.uniform(-300, 300)), int(rng.uniform(-150, 150))]
        return {"t": at_s, "action": "hover", "at": at, "height": 30, "dwell": 0.5,
                "heading_deg": int(rng.uniform(60, 120))}  # fmt: skip
    if kind == "carry":
        others = [{"at": at} for at in lying.values()]
        to = np.array([rng.uniform(-400, 400), rng.uniform(-220, 220)]).round(1)
        if not free(to, scene, others, fields["pieces"]["coin_diameter"]):
            return None
        return {"t": at_s, "action": "carry", "coin": coin, "to": to.tolist(),
                "duration": 0.9, "heading_deg": int(rng.uniform(60, 120))}  # fmt: skip
    aim = _aim(rng, lying, coin)
    flick = {"t": at_s, "action": "flick", "coin": coin, **aim,
             "arm_yaw_deg": int(rng.uniform(-30, 30))}  # fmt: skip
    after = [*fields["actions"], flick]
    ended = still(with_actions(scene, fields, after), min(at_s + 1.7, LAST_S - 0.35))
    return flick if ended else None


def _aim(rng: np.random.Generator, lying: Mapping[str, Any], coin: str) -> Plain:
    """Return a random aim: at another coin, through a wicket, at an endpost, or anywhere, perhaps
    over the edge.
    """
    speed = int(rng.uniform(450, 1600))
    kind = str(rng.choice(["coin", "wicket", "endpost", "anywhere"], p=[0.5, 0.3, 0.1, 0.1]))
    others = [name for name in lying if name != coin]
    if kind == "coin" and others:
        return {"at_coin": str(rng.choice(others)), "speed": speed,
                "cut_mm": round(float(rng.normal(0, 6)), 1)}  # fmt: skip
    if kind == "endpost":
        side = 1 if lying[coin][0] > 0 else -1
        return {"toward": [side * 540, int(rng.normal(0, 15))], "speed": speed}
    if kind == "anywhere":
        return {"angle_deg": int(rng.uniform(0, 360)), "speed": speed}
    near = min(WICKETS.values(), key=lambda at: abs(math.hypot(
        at[0] - lying[coin][0], 198 * at[1] - lying[coin][1]) - rng.uniform(60, 250)))  # fmt: skip
    return {"toward": [near[0], int(198 * near[1] + rng.normal(0, 20))], "speed": speed}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Arguments("traced_scenes", __doc__)
    parser.add_argument("tracer", type=Path)
    parser.add_argument("out", type=Path)
    add_choices(parser)
    parser.add_argument("--hard", nargs="*", choices=HARD, default=[])
    parser.add_argument("--still", action="store_true", help="nothing happens")
    chosen = parser.parse_args(arguments)
    tracer = Tracer(chosen.tracer)
    for seed in range(chosen.first, (chosen.last or chosen.first) + 1):
        hard = chosen.hard[(seed - chosen.first) % len(chosen.hard)] if chosen.hard else None
        scene = random_scene(tracer, seed, chosen.fps, offered_by(chosen), hard, still=chosen.still)
        write_scene(chosen.out, scene)


if __name__ == "__main__":
    main()
