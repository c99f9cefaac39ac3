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

import importlib
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from benchmarks.arguments import Arguments, positive
from benchmarks.hard_tables import HARD, LOW_DEG, Plain, camera_move, make_hard

SURFACES = ("oak", "walnut", "pine", "parquet", "felt", "laminate", "cloth", "carpet")
STYLES = ("maple", "paper", "walnut", "card")
PALETTES = ("classic", "green", "faded")
TINTED = ("felt", "laminate", "carpet", "cloth")
SUITS = ("moon", "sun", "arms", "crown")
RANKS = ("null", "ace", "2", "3", "4", "5")
WICKETS = {
    "W1": (-360, 0), "W2": (-230, 0), "W3": (-118, 1), "W4": (0, 0), "W5": (118, 1),
    "W6": (230, 0), "W7": (360, 0), "W8": (118, -1), "W9": (-118, -1),
}  # fmt: skip
CLUTTER_MM = 150  # the farthest that a thing beside the course reaches from its middle
FIRST_S, SECOND_S, LAST_S = 1.0, 3.1, 5.2
STILL_S = 0.6
STILL_RAYS = 16  # a pixel: a quarter of the tracer's own number, and in the end as clean
DRAWS = 4000


class Tracer:
    """The part of the path tracer that plays a scene without drawing it."""

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        self.scenario = importlib.import_module("tablesim.scenario")

    def played(self, scene: Plain) -> Any:
        """Return how the scene plays out, as the tracer computes it. The scene may have no
        actions.
        """
        return self.scenario.load(scene)


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
        scene = _table(rng, seed, fps, offered)
        if hard:
            make_hard(rng, scene, hard)
        if hard == "low":
            scene["camera"] = _camera(rng, LOW_DEG)
        if not _in_the_picture(tracer.played(scene)):
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


def _table(
    rng: np.random.Generator, seed: int, fps: int | None, offered: Mapping[str, Any]
) -> Plain:
    number = lambda low, high: round(float(rng.uniform(low, high)), 3)  # noqa: E731
    surface = str(rng.choice(offered["surface"]))
    tile, coin = (str(rng.choice(offered["style"])) for _ in range(2))
    coin = tile if rng.random() < 0.4 else "solid" if rng.random() < 0.2 else coin
    side = -1.0 if rng.random() < 0.5 else 1.0
    rate = fps or int(rng.choice([30, 60], p=[0.75, 0.25]))
    palette = str(rng.choice(offered["palette"]))
    tint = [int(v) for v in rng.integers(25, 235, 3)]
    diameter = number(18.0, 25.0)
    return {
        "name": f"{seed:03d}-{surface}-{tile}-{coin}-{palette}",
        "seed": int(rng.integers(1, 2**30)),
        "video": {
            "fps": rate, "duration_s": LAST_S, "exposure_ms": number(4.0, 14.0),
            "crf": int(rng.integers(19, 26)), "rolling_ms": number(0.0, 12.0),
        },
        "camera": _camera(rng),
        "sensor": {
            "gain_db": number(3.0, 18.0), "exposure": number(0.7, 1.35), "nr": number(0.1, 0.6),
            "wb": [number(0.9, 1.1), 1.0, number(0.9, 1.1)], "sharpen": number(0.1, 0.9),
        },
        "table": {
            "surface": surface, "size": [number(1180, 1500), number(640, 900)],
            **({"tint": tint} if surface in TINTED and rng.random() < 0.6 else {}),
        },
        "lights": {
            "window": number(0.2, 1.3), "lamp": number(0.0, 1.2), "ambient": number(0.6, 1.6),
            "window_az_deg": number(0, 360), "window_el_deg": number(25, 60),
        },
        "pieces": {
            "tile_style": tile, "coin_style": coin, "palette": palette,
            "coin_diameter": diameter, "coin_thickness": number(3.0, 5.0),
        },
        "physics": {"mu_coin": number(0.15, 0.3)},
        "layout": {"name": "tabletop_croquet", "side_y": side * 198.0},
        "hand": {
            "skin": str(rng.choice(["light", "medium", "dark"])),
            "sleeve": [int(v) for v in rng.integers(10, 245, 3)],
        },
        "coins": [], "clutter": _clutter(rng), "actions": [],
    }  # fmt: skip


def _camera(rng: np.random.Generator, elevation_deg: tuple[float, float] = (45.0, 80.0)) -> Plain:
    steep, turned = math.radians(rng.uniform(*elevation_deg)), math.radians(rng.uniform(-8, 8))
    far, across = rng.uniform(850, 1400), rng.uniform(-40, 40)
    return {
        "hfov_deg": round(float(rng.uniform(55, 75)), 2),
        "position": [
            round(float(far * math.cos(steep) * math.sin(turned) + across), 1),
            round(float(-far * math.cos(steep) * math.cos(turned)), 1),
            round(float(far * math.sin(steep)), 1),
        ],
        "look_at": [round(float(across), 1), round(float(rng.uniform(-20, 30)), 1), 0],
        "roll_deg": round(float(rng.normal(0, 0.8)), 2),
        "dist": [round(float(rng.uniform(-0.12, 0.0)), 4), 0.02, 0.0004, -0.0003, 0.0],
    }


def _clutter(rng: np.random.Generator) -> list[Plain]:
    spots = [[-480, 270], [490, 275], [-470, -280], [470, -270]]
    kinds = ("mug", "pencil", "phone", "book", "box")
    return [
        {"kind": str(rng.choice(kinds)), "at": spots[k], "rot": int(rng.integers(0, 180))}
        for k in rng.permutation(4)[: int(rng.choice([0, 0, 1, 2]))]
    ]


def _in_the_picture(scene: Any) -> bool:
    """Return whether every tile lies in the picture, two percent or more from the border, and is
    large enough to be seen.
    """
    width, height = scene.cam.width, scene.cam.height
    pixels = scene.cam.project(np.array([[*tile["at"], 5.0] for tile in scene.tiles]))
    spread = float(np.ptp(pixels[:, 0]))
    margin = 0.06 * width
    inside = (pixels > margin * np.array([1.0, 0.55])).all() and (
        pixels < np.array([width - margin, height - 0.55 * margin])
    ).all()
    return bool(inside) and spread > 0.7 * width


def _free(point: np.ndarray, scene: Any, coins: Sequence[Plain], diameter_mm: float) -> bool:
    if any(math.dist(point, thing["at"]) < CLUTTER_MM for thing in scene.spec["clutter"]):
        return False
    apart = [math.dist(point, coin["at"]) > 1.15 * diameter_mm for coin in coins]
    off = [
        max(abs(point[0] - tile["at"][0]), abs(point[1] - tile["at"][1])) > 27 + diameter_mm / 2
        for tile in scene.tiles
    ]
    return all(apart) and all(off)


def _coins(rng: np.random.Generator, scene: Any, diameter_mm: float) -> list[Plain]:
    suits = list(rng.permutation(SUITS)[: int(rng.integers(2, 5))])
    ranks = list(rng.permutation(RANKS)[: int(rng.integers(1, 4))])
    coins: list[Plain] = []
    for name, side in [(s, "suit") for s in suits] + [(r, "rank") for r in ranks]:
        for _ in range(200):
            at = np.array([rng.uniform(-480, 480), rng.uniform(-250, 250)]).round(2)
            if _free(at, scene, coins, diameter_mm):
                break
        suit = name if side == "suit" else str(rng.choice(SUITS))
        rank = name if side == "rank" else str(rng.choice(RANKS))
        coins.append({"id": str(name), "suit": str(suit), "rank": str(rank), "side": side,
                      "at": at.tolist()})  # fmt: skip
    return coins


def _action(rng: np.random.Generator, scene: Any, fields: Plain, at_s: float) -> Plain | None:
    """Return what a hand does at `at_s`, or None if it cannot be done."""
    lying = {c["id"]: scene.world.bodies[c["id"]].pos(at_s) for c in scene.coins
             if _rests(scene, c["id"], at_s)}  # fmt: skip
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
        if not _free(to, scene, others, fields["pieces"]["coin_diameter"]):
            return None
        return {"t": at_s, "action": "carry", "coin": coin, "to": to.tolist(),
                "duration": 0.9, "heading_deg": int(rng.uniform(60, 120))}  # fmt: skip
    aim = _aim(rng, lying, coin)
    flick = {"t": at_s, "action": "flick", "coin": coin, **aim,
             "arm_yaw_deg": int(rng.uniform(-30, 30))}  # fmt: skip
    after = [*fields["actions"], flick]
    ended = _still(_played_again(scene, fields, after), min(at_s + 1.7, LAST_S - 0.35))
    return flick if ended else None


def _played_again(scene: Any, fields: Plain, actions: list[Plain]) -> Any:
    return type(scene)(scene.spec | {"actions": actions, "coins": fields["coins"]})


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


def _rests(scene: Any, coin: str, at_s: float) -> bool:
    body = scene.world.bodies[coin]
    gone = body.seg_at(at_s).mode == "gone"
    return not gone and math.dist(body.pos(at_s), body.pos(at_s - 0.3)) < 0.01


def _still(scene: Any, at_s: float) -> bool:
    """Return whether nothing slides any more, and everything that fell lies on the floor."""
    bodies = scene.world.bodies.values()
    return all(
        b.seg_at(at_s).mode == "gone" or math.dist(b.pos(at_s), b.pos(at_s - 0.1)) < 0.01
        for b in bodies
    )


def picture_of_the_set(scene: Plain) -> Plain:
    """Return the scene whose picture shows the set's ten faces, from left to right, and tiles."""
    faces = [(s, "null", "suit") for s in ("moon", "sun", "arms", "crown")]
    faces += [("moon", rank, "rank") for rank in RANKS]
    turns = (10, -35, 80, 150, -120, 200, -60, 30, 95, -10)
    return {
        **{key: scene[key] for key in ("table", "pieces", "sensor", "render") if key in scene},
        "name": f"{scene['name']}-pieces",
        "seed": scene["seed"] + 1,
        "video": {"fps": 30, "duration_s": 0.05, "exposure_ms": 8.0},
        "camera": {"hfov_deg": 70, "position": [0, -150, 420], "look_at": [0, 5, 0]},
        "lights": {**scene["lights"], "ambient": 1.5},
        "coins": [
            {"id": f"c{k}", "suit": suit, "rank": rank, "side": side,
             "at": [-202.5 + 45 * k, 0.0], "rot": turns[k]}
            for k, (suit, rank, side) in enumerate(faces)
        ],
        "tiles": [
            {"id": "t0", "at": [-120, 110], "rot": 4, "side": "back"},
            {"id": "t1", "at": [0, 112], "rot": -6, "side": "face", "suit": "sun", "rank": "3"},
            {"id": "t2", "at": [125, 108], "rot": 12, "side": "back"},
        ],
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Arguments("traced_scenes", __doc__)
    parser.add_argument("tracer", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--fps", type=positive)
    for name, known in (("surface", SURFACES), ("style", STYLES), ("palette", PALETTES)):
        parser.add_argument(f"--{name}", nargs="*", default=[], help=f"besides {', '.join(known)}")
    parser.add_argument("--hard", nargs="*", choices=HARD, default=[])
    parser.add_argument("--still", action="store_true", help="nothing happens")
    chosen = parser.parse_args(arguments)
    tracer = Tracer(chosen.tracer)
    offered = {
        "surface": [*SURFACES, *chosen.surface],
        "style": [*STYLES, *chosen.style],
        "palette": [*PALETTES, *chosen.palette],
    }
    (chosen.out / "pieces").mkdir(parents=True, exist_ok=True)
    for seed in range(chosen.first, (chosen.last or chosen.first) + 1):
        hard = chosen.hard[(seed - chosen.first) % len(chosen.hard)] if chosen.hard else None
        scene = random_scene(tracer, seed, chosen.fps, offered, hard, still=chosen.still)
        for folder, fields in (
            (chosen.out, scene),
            (chosen.out / "pieces", picture_of_the_set(scene)),
        ):
            text = yaml.safe_dump(fields, sort_keys=False)
            (folder / f"{scene['name']}.yaml").write_text(text, encoding="utf-8")
        print(scene["name"], flush=True)


if __name__ == "__main__":
    main()
