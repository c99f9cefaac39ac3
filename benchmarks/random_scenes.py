"""Random scenes, each from its seed: tables, cameras, light, sets, and hands that flick, carry, lift, nudge and only rest there.

Usage: python -m benchmarks.random_scenes OUT_FOLDER FIRST_SEED [LAST_SEED] [--front]

Writes OUT_FOLDER/seed-NNN with scene.yaml, the clip and its truth, as `python -m referee.synthetic` does; `python -m benchmarks.clips
OUT_FOLDER --true-survey` then says what the referee makes of them. What happens in a scene is drawn first and played: a draw in which pieces overlap, a
coin leaves the picture or a hand is in another's way is thrown away. `--front` keeps the camera on the course's long near side, as `calibrate table` wants.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from calibration.camera import Camera
from referee.errors import InputError
from referee.geometry import Point, add, contains, distance, scale, subtract, unit
from referee.layout import Course
from referee.pieces import COINS
from referee.synthetic.clip import write_clip
from referee.synthetic.direct import tell
from referee.synthetic.hand import in_field
from referee.synthetic.scene import SETS, WOODS, Scene, look
from referee.synthetic.scene_file import scene_of
from referee.synthetic.story import Carried, Lying, Sliding, Story

SIZES_PX = (*((1280, 720),) * 7, (1920, 1080), (960, 540))
LEAST_COIN_PX = 12.0  # across; smaller coins are advised against
FIRST_S = (0.95, 1.7)  # before it the referee looks the table over, while a hand may be coming
LONG_S = 60.0  # a clip long enough for anything; cut when it is known what happens
DRAWS = 400
MOST_BENT_DEG = 80.0  # between arm and flick: nobody flicks a coin under his own arm

Plain = dict[str, Any]
Deed = Callable[["Draw"], list[Plain]]


class Draw:
    """One scene as it is being drawn: its plain fields so far, and what they mean."""

    def __init__(self, seed: int, front: bool) -> None:
        self.rng = np.random.default_rng((seed, 77))
        self.fields = _table(self.rng, seed, front)
        self.scene = scene_of(self.fields)
        self.coins: dict[str, Point] = {}
        self.at_s, self.first = 0.0, True

    def number(self, low: float, high: float) -> float:
        """A number between two."""
        return round(float(self.rng.uniform(low, high)), 2)

    def one_of(self, options: Sequence[Any]) -> Any:
        """One of several."""
        return options[int(self.rng.integers(len(options)))]

    def chance(self, share: float) -> bool:
        """Whether something happens that does so in this share of cases."""
        return bool(self.rng.random() < share)

    @property
    def coin_mm(self) -> float:
        """The coins' size."""
        return self.scene.sizes.coin_mm

    @property
    def course(self) -> Course:
        """The course."""
        return self.scene.course

    def speed_for(self, way_mm: float) -> float:
        """A speed, mm/s, that takes a coin at least so far; sometimes much further."""
        needed = math.sqrt(2 * self.scene.surface.slowing_mm_s2 * way_mm)
        return round(min(3200.0, needed * self.number(1.05, 1.5) if self.chance(0.6) else max(needed * 1.05, self.number(needed, 3200.0))), 0)

    def place(self) -> Point:
        """Somewhere on the table, a little off its edge."""
        (left, near), (right, far) = self.scene.outline_mm[0], self.scene.outline_mm[2]
        return (self.number(left + 25, right - 25), self.number(near + 25, far - 25))


def _table(rng: np.random.Generator, seed: int, front: bool) -> Plain:
    def number(low: float, high: float, digits: int = 3) -> float:
        return round(float(rng.uniform(low, high)), digits)

    tile_mm = number(46, 62, 1)
    coin_mm = min(number(16, 25, 2), round(tile_mm * 0.48, 2))
    wood, colours = WOODS[int(rng.integers(len(WOODS)))], SETS[int(rng.integers(len(SETS)))]
    if colours == "one-colour" and wood == "pine":
        colours = "standard"  # pale wood on pale wood: no eye tells them apart either
    fps = 60 if rng.random() < 0.5 else 30
    size = (round(22.3 * tile_mm + number(80, 260), 0), round(12.0 * tile_mm + number(80, 260), 0))
    fields: Plain = {
        "title": f"random scene {seed}",
        "seed": seed,
        "light": {
            "lamp_mm": [number(-900, 900, 0), number(-700, 900, 0), number(1100, 2200, 0)],
            "lamp_size_mm": number(40, 200, 0),
            "ambient": number(0.2, 0.75, 2),
            "warmth": number(-0.05, 0.3, 2),
            "glare": number(0.0, 0.5, 2),
            "window": number(0.1, 0.7, 2) if rng.random() < 0.4 else 0.0,
            "window_from": [number(-1, 1, 2), number(-1, 1, 2)],
            "exposure": number(0.75, 1.2, 2),
        },
        "table": {"wood": wood, "size_mm": list(size), "tone": number(0.75, 1.2 if wood in ("oak", "walnut") else 1.0, 2), "grain": number(0.5, 1.4, 2)},
        "set": {
            "tile_mm": tile_mm,
            "tile_thickness_mm": number(3.0, 6.4, 2),
            "coin_mm": coin_mm,
            "coin_thickness_mm": number(2.8, 4.5, 2),
            "colours": colours,
        },
        "course": {"jitter_mm": number(0, 4, 1), "jitter_deg": number(0, 4, 1), "mirrored": bool(rng.random() < 0.4)},
        "surface": {
            "slowing_mm_s2": number(1500, 3200, 0),
            "tile_slowing_mm_s2": number(2300, 3500, 0),
            "coin_bounce": number(0.85, 0.95, 2),
            "tile_mass": round(8.5 * (tile_mm / 50.8) ** 2 * (22 / coin_mm) ** 2, 1),
        },
        "video": {"fps": fps, "exposure_s": number(0.002, 0.008, 4), "length_s": LONG_S, "hand_at_start": True},
        "picture": {"crf": int(rng.integers(18, 27)), "noise": number(1.0, 3.5, 1)},
    }
    fields["video"] |= fields.pop("picture")
    fields["camera"] = _camera(rng, size, tile_mm, coin_mm, front)
    return fields


def _camera(rng: np.random.Generator, size: Point, tile_mm: float, coin_mm: float, front: bool) -> Plain:
    """A camera that has the whole course, mostly the whole table, in its picture, and its coins large enough."""
    while True:
        width, height = SIZES_PX[int(rng.integers(len(SIZES_PX)))]
        side = 0.0 if front or rng.random() < 0.6 else float(rng.choice([90.0, 180.0, 270.0]))
        tilt = float(rng.uniform(15, 45 if front else 55))
        k1 = float(rng.uniform(-0.2, 0.05))
        pose: Plain = {
            "width": width,
            "height": height,
            "centre_px": [round(float(v), 1) for v in ((width - 1) / 2 + rng.normal(0, 4), (height - 1) / 2 + rng.normal(0, 4))],
            "distortion": [round(k1, 4), round(-0.25 * k1 + float(rng.normal(0, 0.005)), 4), *(round(float(v), 5) for v in rng.normal(0, 0.0005, 2)), 0.0],
            "height_mm": round(float(rng.uniform(750, 1400)), 0),
            "tilt_deg": round(tilt, 1),
            "heading_deg": round(side + float(rng.normal(0, 6)), 1),
            "roll_deg": round(float(rng.normal(0, 2)), 1),
            "aim_mm": [round(float(v), 0) for v in rng.normal(0, 20, 2)],
        }
        whole = rng.random() < 0.7
        frame = (size[0] / 2 + 8, size[1] / 2 + 8) if whole else (11.25 * tile_mm, 6.0 * tile_mm)
        fx = _widest(pose, frame)
        if fx * coin_mm * math.cos(math.radians(tilt)) / pose["height_mm"] > LEAST_COIN_PX and fx < 2.2 * width:
            return {"fx_px": fx, **pose}


def _widest(pose: Plain, half: Point) -> float:
    """The longest focal length, px, at which a rectangle on the table with these half sides is wholly in the picture."""
    corners = np.array([(x * half[0], y * half[1], z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (0.0, 20.0)])
    for fx in np.arange(2.2 * pose["width"], 300, -10):
        camera = Camera(pose["width"], pose["height"], float(fx), float(fx), *pose["centre_px"], tuple(pose["distortion"]), 0.0)
        view = look(camera, tuple(pose["aim_mm"]), pose["height_mm"], pose["tilt_deg"], pose["heading_deg"], pose["roll_deg"])
        if in_field(view, corners).all():
            px = view.to_image(corners)
            if (px > 6).all() and (px < (pose["width"] - 7, pose["height"] - 7)).all():
                return float(fx)
    return 0.0


def towards(a: Point, b: Point) -> float:
    """The direction from one place to another, degrees."""
    return round(math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])), 2)


def flick(draw: Draw, coin: str, aim: Point, speed: float) -> Plain:
    """A flick of a coin towards a place."""
    deed: Plain = {"flick": _yaml_name(coin), "at_s": draw.at_s, "speed_mm_s": speed, "towards_deg": towards(draw.coins[coin], aim)}
    if draw.chance(0.3):
        deed |= {"aim_s": draw.number(0.25, 0.45 if draw.first else 0.9), "stay_s": draw.number(0.0, 0.8)}
    return deed


def _yaml_name(coin: str) -> Any:
    return int(coin) if coin.isdigit() else coin


def _other_than(draw: Draw, coin: str) -> str:
    return str(draw.one_of([c for c in draw.coins if c != coin]))


def _brought(draw: Draw, coin: str, target: Point, low: float, high: float) -> Point:
    """At the start of a scene, a place from which `target` is within reach of the coin; later, where it lies."""
    if not draw.first:
        return draw.coins[coin]
    turn, way = draw.number(0, 2 * math.pi), draw.number(low, high)
    draw.coins[coin] = (round(target[0] + way * math.cos(turn), 2), round(target[1] + way * math.sin(turn), 2))
    return draw.coins[coin]


def soft(draw: Draw) -> list[Plain]:
    """A soft flick anywhere."""
    coin = draw.one_of(list(draw.coins))
    return [flick(draw, coin, draw.place(), round(math.sqrt(2 * draw.scene.surface.slowing_mm_s2 * draw.number(35, 120)), 0))]


def hard(draw: Draw) -> list[Plain]:
    """A hard flick anywhere."""
    coin = draw.one_of(list(draw.coins))
    return [flick(draw, coin, draw.place(), draw.number(1200, 3100))]


def wicket(draw: Draw) -> list[Plain]:
    """Through a wicket, mostly near one of its tiles, or just stopping behind or before its line."""
    coin, line = draw.one_of(list(draw.coins)), draw.one_of(list(draw.course.lines.values()))
    along = unit(subtract(line.right_mm, line.left_mm))
    width = distance(line.left_mm, line.right_mm)
    share = draw.one_of([draw.number(0, 8) + draw.coin_mm / 2, width - draw.coin_mm / 2 - draw.number(0, 8), draw.number(15, width - 15)])
    aim = add(line.left_mm, scale(along, share))
    begin = _brought(draw, coin, aim, 60, 400)
    way = distance(begin, aim) + (draw.number(-8, 12) if draw.chance(0.3) else 40.0)
    return [flick(draw, coin, aim, round(min(3200.0, math.sqrt(2 * draw.scene.surface.slowing_mm_s2 * max(way, 5.0)) * draw.one_of([1.0, 1.2, 1.7])), 0))]


def hit(draw: Draw) -> list[Plain]:
    """At another coin, full or thin, or just past it."""
    coin = draw.one_of(list(draw.coins))
    target = draw.coins[_other_than(draw, coin)]
    begin = _brought(draw, coin, target, draw.coin_mm * 1.3, 400)
    offset = draw.one_of([0.0, draw.number(-0.6, 0.6), draw.number(0.75, 0.98), -draw.number(0.75, 0.98), draw.number(1.02, 1.3)]) * draw.coin_mm
    way = unit(subtract(target, begin))
    return [flick(draw, coin, add(target, (-way[1] * offset, way[0] * offset)), draw.speed_for(distance(begin, target)))]


def touching(draw: Draw) -> list[Plain]:
    """A coin is flicked that touches another one."""
    coin = draw.one_of(list(draw.coins))
    other = _other_than(draw, coin)
    if not draw.first:
        return hit(draw)
    turn = draw.number(0, 2 * math.pi)
    apart = draw.coin_mm + draw.one_of([0.001, 0.001, draw.number(0.2, 1.5)])
    draw.coins[other] = add(draw.coins[coin], (apart * math.cos(turn), apart * math.sin(turn)))
    way = turn + draw.number(-2.4, 2.4)
    return [flick(draw, coin, add(draw.coins[coin], (100 * math.cos(way), 100 * math.sin(way))), draw.number(400, 2200))]


def tile(draw: Draw) -> list[Plain]:
    """At a tile or an endpost, full or at its corner."""
    coin, name = draw.one_of(list(draw.coins)), draw.one_of([*draw.course.tiles, *(["left-endpost", "right-endpost"] * 6)])
    target = draw.course.tiles[name].centre_mm
    begin = _brought(draw, coin, target, 70, 350)
    way = unit(subtract(target, begin))
    offset = draw.number(-0.95, 0.95) * (draw.scene.sizes.tile_mm + draw.coin_mm) / 2
    return [flick(draw, coin, add(target, (-way[1] * offset, way[0] * offset)), draw.speed_for(distance(begin, target)))]


def edge(draw: Draw) -> list[Plain]:
    """Over the table's edge, or just not."""
    coin = draw.one_of(list(draw.coins))
    (left, near), (right, far) = draw.scene.outline_mm[0], draw.scene.outline_mm[2]
    at = (draw.number(left, right), draw.number(near, far))
    aim = draw.one_of([(left, at[1]), (right, at[1]), (at[0], near), (at[0], far)])
    begin = _brought(draw, coin, aim, 40, 250)
    way = distance(begin, aim) * (1.0 if draw.chance(0.3) else draw.number(1.2, 4.0))
    return [flick(draw, coin, aim, round(min(3000.0, math.sqrt(2 * draw.scene.surface.slowing_mm_s2 * way)), 0))]


def fetched(draw: Draw) -> list[Plain]:
    """A hand moves a coin, near by or far, or brings one."""
    coin = draw.one_of(list(draw.coins))
    begin = draw.coins[coin]
    to = add(begin, (draw.number(-60, 60), draw.number(-60, 60))) if draw.chance(0.5) else draw.place()
    return [{"place": _yaml_name(coin), "at_s": round(draw.at_s + 0.8, 2), "to_mm": [round(v, 2) for v in to], "carry_s": draw.number(0.5, 1.2)}]


def lifted(draw: Draw) -> list[Plain]:
    """A hand takes a coin off the table."""
    return [{"lift": _yaml_name(draw.one_of(list(draw.coins))), "at_s": draw.at_s}]


def rests(draw: Draw) -> list[Plain]:
    """A hand rests on the table or passes over coins."""
    over = draw.one_of([*draw.coins.values(), draw.place()])
    return [{"pass": [round(v + draw.number(-30, 30), 1) for v in over], "at_s": draw.at_s, "stay_s": draw.number(0.2, 2.6), "height_mm": draw.number(10, 60)}]


def nudged(draw: Draw) -> list[Plain]:
    """A hand nudges a tile."""
    name = draw.one_of([n for n in draw.course.tiles if not n.endswith("endpost")])
    return [{"nudge": name, "at_s": round(draw.at_s + 0.2, 2), "by_mm": [draw.number(-12, 12), draw.number(-12, 12)], "turn_deg": draw.number(-10, 10)}]


DEEDS: tuple[tuple[Deed, float], ...] = (
    (soft, 1.0), (hard, 1.0), (wicket, 3.0), (hit, 3.5), (touching, 1.2), (tile, 2.0), (edge, 1.6), (fetched, 1.2), (lifted, 0.5), (rests, 0.8), (nudged, 0.7),
)  # fmt: skip


def random_scene(seed: int, front: bool = False) -> Plain:
    """The plain fields of a scene, as scene.yaml holds them. Raises RuntimeError where nothing that was drawn could be played."""
    draw = Draw(seed, front)
    for _ in range(DRAWS):
        fields = _peopled(draw)
        count = int(draw.rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))
        while fields is not None and count:
            fields = _grown(draw, fields)
            count -= 1
        if fields is not None:
            return _cut_to_length(fields)
    raise RuntimeError(f"seed {seed}: nothing that was drawn could be played")


def _peopled(draw: Draw) -> Plain | None:
    """The table with its coins laid, nothing done yet; None where they overlap."""
    names = [str(c) for c in draw.rng.permutation(COINS)[: int(draw.rng.integers(2, 7))]]
    draw.coins = {c: draw.place() for c in names}
    draw.at_s, draw.first = draw.number(*FIRST_S), True
    fields = {**draw.fields, "players": [{"name": f"P{i}", "coin": _yaml_name(c)} for i, c in enumerate(names)], "actions": []}
    return _with_coins(fields, draw.coins)


def _with_coins(fields: Plain, coins: dict[str, Point]) -> Plain:
    return {**fields, "coins": {_yaml_name(c): [round(v, 3) for v in at] for c, at in coins.items()}}


def _grown(draw: Draw, fields: Plain) -> Plain | None:
    """The scene with one deed more; None where a few that were drawn could not be played."""
    deeds, weights = [d for d, _ in DEEDS], np.array([w for _, w in DEEDS])
    laid = dict(draw.coins)
    for _ in range(25):
        draw.coins = dict(laid)
        done = deeds[int(draw.rng.choice(len(deeds), p=weights / weights.sum()))](draw)
        grown = {**(fields if fields["actions"] else _with_coins(fields, draw.coins)), "actions": [*fields["actions"], *done]}
        story = _played(grown)
        if story is not None:
            end_s = max(story.still_from_s, story.visits[-1].end_s)
            draw.coins = dict(story.resting(end_s))
            draw.at_s, draw.first = round(end_s + 1.05 + (draw.number(0.3, 0.8) if draw.chance(0.85) else draw.number(0.0, 0.3)), 2), False
            return grown if len(draw.coins) > 1 else None
    return None


def _played(fields: Plain) -> Story | None:
    """The scene's story; None where it cannot be played or does not show all it should."""
    try:
        scene = scene_of(fields)
        story = tell(scene)
    except (InputError, RuntimeError):
        return None
    handy = all(abs(math.remainder(v.reach_deg - v.arm_deg, 360)) < MOST_BENT_DEG for v in story.visits if any(k.reach_mm for k in v.keys))
    lying = [s.at_mm for stretches in story.coins.values() for s in stretches if isinstance(s, Lying)]
    on_table = all(contains(scene.outline_mm, at) for at in lying)
    return story if handy and on_table and all(_in_picture(scene, at) for at in _waypoints(story)) else None


def _waypoints(story: Story) -> list[Point]:
    places: list[Point] = []
    for stretches in story.coins.values():
        for stretch in stretches:
            if isinstance(stretch, Lying):
                places.append(stretch.at_mm)
            elif isinstance(stretch, Sliding):
                places += [stretch.slide.from_mm, stretch.slide.position(stretch.slide.end_s)]
            elif isinstance(stretch, Carried):
                continue
    return places


def _in_picture(scene: Scene, at: Point) -> bool:
    point = np.array([[*at, 0.0]])
    if not in_field(scene.view, point).all():
        return False
    x, y = scene.view.to_image(point)[0]
    return bool(10 < x < scene.camera.width - 10 and 10 < y < scene.camera.height - 10)


def _cut_to_length(fields: Plain) -> Plain:
    """The scene with a clip just long enough, its first hand sometimes there when it begins."""
    story = tell(scene_of(fields))
    length_s = max(story.still_from_s, story.visits[-1].end_s) + 0.7
    return {**fields, "video": {**fields["video"], "length_s": math.ceil(length_s * 10) / 10}}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.random_scenes", description="Film random scenes.")
    parser.add_argument("out", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--front", action="store_true", help="the camera on the long near side, at least 45 degrees high")
    options = parser.parse_args(arguments)
    for seed in range(options.first, (options.last or options.first) + 1):
        fields = random_scene(seed, options.front)
        folder = options.out / f"seed-{seed:03d}"
        truth = write_clip(scene_of(fields), folder, file=str(folder), pieces_ext=".jpg")
        (folder / "scene.yaml").write_text(yaml.safe_dump(fields, sort_keys=False), encoding="utf-8")
        print(f"{folder}: {len(truth['frames'])} frames, {len(truth['incidents'])} incidents", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
