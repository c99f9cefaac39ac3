"""What random scenes for a path tracer share: the tracer itself, a table with its set, light and
camera, whether a coin has room and lies still, and the files that a scene is written to.
"""

from __future__ import annotations

import importlib
import math
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from benchmarks.arguments import Arguments, positive
from benchmarks.hard_tables import Plain

SURFACES = ("oak", "walnut", "pine", "parquet", "felt", "laminate", "cloth", "carpet")
STYLES = ("maple", "paper", "walnut", "card")
PALETTES = ("classic", "green", "faded")
TINTED = ("felt", "laminate", "carpet", "cloth")
SUITS = ("moon", "sun", "arms", "crown")
RANKS = ("null", "ace", "2", "3", "4", "5")
CLUTTER_MM = 150  # the farthest that a thing beside the course reaches from its middle
LAST_S = 5.2
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


def bare_table(
    rng: np.random.Generator, seed: int, fps: int | None, offered: Mapping[str, Any]
) -> Plain:
    """Return a random table with its set, light and camera, on which no coins lie yet."""
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
        "camera": looking_at(rng),
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


def looking_at(
    rng: np.random.Generator,
    elevation_deg: tuple[float, float] = (45.0, 80.0),
    far_mm: tuple[float, float] = (850, 1400),
) -> Plain:
    """Return a camera that looks at the middle of the table from in front of it."""
    steep, turned = math.radians(rng.uniform(*elevation_deg)), math.radians(rng.uniform(-8, 8))
    far, across = rng.uniform(*far_mm), rng.uniform(-40, 40)
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


def in_the_picture(scene: Any, least_wide: float = 0.7) -> bool:
    """Return whether every tile lies in the picture, two percent or more from the border, and the
    tiles take up `least_wide` of its width, so that they are large enough to be seen.
    """
    width, height = scene.cam.width, scene.cam.height
    pixels = scene.cam.project(np.array([[*tile["at"], 5.0] for tile in scene.tiles]))
    spread = float(np.ptp(pixels[:, 0]))
    margin = 0.06 * width
    inside = (pixels > margin * np.array([1.0, 0.55])).all() and (
        pixels < np.array([width - margin, height - 0.55 * margin])
    ).all()
    return bool(inside) and spread > least_wide * width


def free(point: np.ndarray, scene: Any, coins: Sequence[Plain], diameter_mm: float) -> bool:
    """Return whether a coin has room at a place, clear of other coins, tiles and things beside."""
    if any(math.dist(point, thing["at"]) < CLUTTER_MM for thing in scene.spec["clutter"]):
        return False
    apart = [math.dist(point, coin["at"]) > 1.15 * diameter_mm for coin in coins]
    off = [
        max(abs(point[0] - tile["at"][0]), abs(point[1] - tile["at"][1])) > 27 + diameter_mm / 2
        for tile in scene.tiles
    ]
    return all(apart) and all(off)


def with_actions(scene: Any, fields: Plain, actions: list[Plain]) -> Any:
    """Return the scene as it plays out with other actions."""
    return type(scene)(scene.spec | {"actions": actions, "coins": fields["coins"]})


def rests(scene: Any, coin: str, at_s: float) -> bool:
    """Return whether a coin lies still on the table."""
    body = scene.world.bodies[coin]
    gone = body.seg_at(at_s).mode == "gone"
    return not gone and math.dist(body.pos(at_s), body.pos(at_s - 0.3)) < 0.01


def still(scene: Any, at_s: float) -> bool:
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


def add_choices(parser: Arguments) -> None:
    """Add the seeds, and what the tracer can draw, to the arguments of a command."""
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--fps", type=positive)
    for name, known in (("surface", SURFACES), ("style", STYLES), ("palette", PALETTES)):
        parser.add_argument(f"--{name}", nargs="*", default=[], help=f"besides {', '.join(known)}")


def offered_by(chosen: Namespace) -> dict[str, list[str]]:
    """Return the surfaces, styles and palettes to draw from."""
    return {
        "surface": [*SURFACES, *chosen.surface],
        "style": [*STYLES, *chosen.style],
        "palette": [*PALETTES, *chosen.palette],
    }


def write_scene(out: Path, scene: Plain) -> None:
    """Write a scene and the picture of its set, and print its name."""
    (out / "pieces").mkdir(parents=True, exist_ok=True)
    for folder, fields in ((out, scene), (out / "pieces", picture_of_the_set(scene))):
        text = yaml.safe_dump(fields, sort_keys=False)
        (folder / f"{scene['name']}.yaml").write_text(text, encoding="utf-8")
    print(scene["name"], flush=True)
