"""Draws the table of a random scene at random: its wood, light, set, course and camera. Also draws
random numbers for what happens on the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from calibration.lens.camera import Camera
from referee.domain.geometry import Point, add
from referee.domain.layout import Course
from referee.domain.pieces import GUARDS
from referee.domain.slide import speed_over_mm
from referee.synthetic.scenario.hand import in_field
from referee.synthetic.scenario.scene import CLOTHS, SETS, WOODS, camera_looking
from referee.synthetic.scenario.scene_file import scene_of

PLAIN_SETS = SETS[:3]  # what a scene without a printed cloth has
SIZES_PX = (*((1280, 720),) * 7, (1920, 1080), (960, 540))
#: How far a course reaches from the middle of the table to each side, in tile widths.
REACH_TILES = {
    "tabletop-croquet": (11.15, 6.0),
    "carroms": (6.2, 6.2),
    "castle-croquetnole": (6.0, 6.0),
}
#: How much of that a camera must see.
LEAST_TILES = {
    "tabletop-croquet": (11.25, 6.0),
    "carroms": (6.3, 6.3),
    "castle-croquetnole": (5.7, 5.7),
}
LEAST_COIN_PX = 12.0  # across; smaller coins are not recommended
LONG_S = 60.0  # a clip long enough for everything; it is cut once it is known what happens

Plain = dict[str, Any]


class Draw:
    """One scene while it is being drawn: the plain fields drawn so far, and values computed from
    them.
    """

    def __init__(
        self, seed: int, front: bool, game: str = "tabletop-croquet", *, printed: bool = False
    ) -> None:
        self.rng = np.random.default_rng((seed, 77))
        self.fields = _table(self.rng, seed, front, game)
        if game == "carroms":
            self.fields["course"] |= {
                "game": game,
                "mirrored": False,
                "jitter_deg": self.number(0, 1.5),
                "pocket_tiles": self.number(2.0, 3.0),
            }
        if game == "castle-croquetnole":
            side = self.one_of(("near", "right", "far", "left"))
            self.fields["course"] |= {"game": game, "mirrored": False, "moons_side": side}
        if printed:
            chosen = np.random.default_rng((seed, 78))
            self.fields["table"]["cloth"] = str(chosen.choice(CLOTHS))
            self.fields["set"]["colours"] = str(chosen.choice(SETS))
        self.scene = scene_of(self.fields)
        self.coins: dict[str, Point] = {}
        self.at_s, self.first = 0.0, True

    def number(self, low: float, high: float) -> float:
        """Return a random number between two limits."""
        return round(float(self.rng.uniform(low, high)), 2)

    def one_of(self, options: Sequence[Any]) -> Any:
        """Return one of several options."""
        return options[int(self.rng.integers(len(options)))]

    def chance(self, share: float) -> bool:
        """Return True with this probability."""
        return bool(self.rng.random() < share)

    @property
    def coin_mm(self) -> float:
        """Return the coins' diameter."""
        return self.scene.sizes.coin_mm

    @property
    def course(self) -> Course:
        """Return the course."""
        return self.scene.course

    def beside_tower(self, castle: str) -> Point:
        """Return a place within a coin's width of a castle's tower, on the side of its door."""
        tower = self.course.tiles[f"tower-{castle}"]
        (x, y), half = tower.centre_mm, (self.scene.sizes.tile_mm + self.coin_mm) / 2
        away = half + self.number(0.5, 0.95 * self.coin_mm)
        aside = self.number(-half, half)
        to_middle = -math.copysign(away, x if abs(x) > abs(y) else y)
        step = (to_middle, aside) if abs(x) > abs(y) else (aside, to_middle)
        return add(tower.centre_mm, step)

    def garrisons(self) -> dict[str, Point]:
        """Return a place for the knight and the guard of each castle, beside its tower."""
        return {
            coin: self.beside_tower(knight)
            for knight, guard in GUARDS.items()
            for coin in (knight, guard)
        }

    def speed_for(self, way_mm: float) -> float:
        """Return a speed, mm/s, that takes a coin at least this far, and sometimes much farther."""
        needed = speed_over_mm(way_mm, self.scene.surface.slowing_mm_s2)
        return round(
            min(
                3200.0,
                (
                    needed * self.number(1.05, 1.5)
                    if self.chance(0.6)
                    else max(needed * 1.05, self.number(needed, 3200.0))
                ),
            ),
            0,
        )

    def place(self) -> Point:
        """Return a place on the table, a little inside its edge."""
        (left, near), (right, far) = self.scene.outline_mm[0], self.scene.outline_mm[2]
        return (self.number(left + 25, right - 25), self.number(near + 25, far - 25))


def _table(rng: np.random.Generator, seed: int, front: bool, game: str) -> Plain:
    def number(low: float, high: float, digits: int = 3) -> float:
        return round(float(rng.uniform(low, high)), digits)

    tile_mm = number(46, 62, 1)
    coin_mm = min(number(16, 25, 2), round(tile_mm * 0.48, 2))
    wood, colours = (
        WOODS[int(rng.integers(len(WOODS)))],
        PLAIN_SETS[int(rng.integers(len(PLAIN_SETS)))],
    )
    if colours == "one-colour" and wood == "pine":
        colours = "standard"  # pale wood on pale wood: people cannot distinguish them either
    fps = 60 if rng.random() < 0.5 else 30
    reach = REACH_TILES[game]
    size = tuple(round(2 * half * tile_mm + number(80, 260), 0) for half in reach)
    fields: Plain = {
        "title": f"random scene {seed}",
        "seed": seed,
        "light": _light(rng),
        "table": {
            "wood": wood,
            "size_mm": list(size),
            "tone": number(0.75, 1.2 if wood in ("oak", "walnut") else 1.0, 2),
            "grain": number(0.5, 1.4, 2),
        },
        "set": {
            "tile_mm": tile_mm,
            "tile_thickness_mm": number(3.0, 6.4, 2),
            "coin_mm": coin_mm,
            "coin_thickness_mm": number(2.8, 4.5, 2),
            "colours": colours,
        },
        "course": {
            "jitter_mm": number(0, 4, 1),
            "jitter_deg": number(0, 4, 1),
            "mirrored": bool(rng.random() < 0.4),
        },
        "surface": {
            "slowing_mm_s2": number(1500, 3200, 0),
            "tile_slowing_mm_s2": number(2300, 3500, 0),
            "coin_bounce": number(0.85, 0.95, 2),
            "tile_mass": round(8.5 * (tile_mm / 50.8) ** 2 * (22 / coin_mm) ** 2, 1),
        },
        "video": {
            "fps": fps,
            "exposure_s": number(0.002, 0.008, 4),
            "length_s": LONG_S,
            "hand_at_start": True,
        },
        "picture": {"crf": int(rng.integers(18, 27)), "noise": number(1.0, 3.5, 1)},
    }
    fields["video"] |= fields.pop("picture")
    least = tuple(half * tile_mm for half in LEAST_TILES[game])
    fields["camera"] = _camera(rng, size, least, coin_mm, front)
    return fields


def _light(rng: np.random.Generator) -> Plain:
    def number(low: float, high: float, digits: int = 3) -> float:
        return round(float(rng.uniform(low, high)), digits)

    return {
        "lamp_mm": [number(-900, 900, 0), number(-700, 900, 0), number(1100, 2200, 0)],
        "ambient": number(0.2, 0.75, 2),
        "warmth": number(-0.05, 0.3, 2),
        "glare": number(0.0, 0.5, 2),
        "window": number(0.1, 0.7, 2) if rng.random() < 0.4 else 0.0,
        "window_from": [number(-1, 1, 2), number(-1, 1, 2)],
        "exposure": number(0.75, 1.2, 2),
    }


def _camera(
    rng: np.random.Generator, size: Point, least: Point, coin_mm: float, front: bool
) -> Plain:
    """Return a camera whose picture shows the course (up to `least` on each side of the middle),
    usually also the whole table, with large enough coins.
    """
    while True:
        width, height = SIZES_PX[int(rng.integers(len(SIZES_PX)))]
        side = 0.0 if front or rng.random() < 0.6 else float(rng.choice([90.0, 180.0, 270.0]))
        tilt = float(rng.uniform(15, 45 if front else 55))
        k1 = float(rng.uniform(-0.2, 0.05))
        pose: Plain = {
            "width": width,
            "height": height,
            "centre_px": [
                round(float(v), 1)
                for v in ((width - 1) / 2 + rng.normal(0, 4), (height - 1) / 2 + rng.normal(0, 4))
            ],
            "distortion": [
                round(k1, 4),
                round(-0.25 * k1 + float(rng.normal(0, 0.005)), 4),
                *(round(float(v), 5) for v in rng.normal(0, 0.0005, 2)),
                0.0,
            ],
            "height_mm": round(float(rng.uniform(750, 1400)), 0),
            "tilt_deg": round(tilt, 1),
            "heading_deg": round(side + float(rng.normal(0, 6)), 1),
            "roll_deg": round(float(rng.normal(0, 2)), 1),
            "aim_mm": [round(float(v), 0) for v in rng.normal(0, 20, 2)],
        }
        whole = rng.random() < 0.7
        frame = (size[0] / 2 + 8, size[1] / 2 + 8) if whole else least
        fx = _widest(pose, frame)
        if (
            fx * coin_mm * math.cos(math.radians(tilt)) / pose["height_mm"] > LEAST_COIN_PX
            and fx < 2.2 * width
        ):
            return {"fx_px": fx, **pose}


def _widest(pose: Plain, half: Point) -> float:
    """Return the longest focal length, px, at which a rectangle on the table with these half sides
    is completely in the picture.
    """
    corners = np.array(
        [(x * half[0], y * half[1], z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (0.0, 20.0)]
    )
    for fx in np.arange(2.2 * pose["width"], 300, -10):
        camera = Camera(
            pose["width"],
            pose["height"],
            float(fx),
            float(fx),
            *pose["centre_px"],
            tuple(pose["distortion"]),
            0.0,
        )
        view = camera_looking(
            camera,
            tuple(pose["aim_mm"]),
            pose["height_mm"],
            pose["tilt_deg"],
            pose["heading_deg"],
            pose["roll_deg"],
        )
        if in_field(view, corners).all():
            px = view.to_image(corners)
            if (px > 6).all() and (px < (pose["width"] - 7, pose["height"] - 7)).all():
                return float(fx)
    return 0.0
