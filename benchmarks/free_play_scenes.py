"""Draws random videos of free play, each from its seed, with the exact truth.

Usage: python -m benchmarks.free_play_scenes OUT FIRST [LAST] [--discs KIND] [--table KIND]
                                             [--sizes one|several] [--fps N]

Writes OUT/seed-NNN.mp4 with OUT/seed-NNN.truth.json, for `python -m benchmarks.free_play OUT`.
Discs of some material lie on some table. A hand flicks one disc after the other: into another disc,
between two, or past one. Everything that no option fixes is chosen at random. In truth.json places
are pixels of the middles of the discs' upper faces (of balls, their middles) in the middle of each
exposure.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.arguments import Arguments, positive
from benchmarks.free_play_film import film
from benchmarks.free_play_truth import truth_of
from benchmarks.sliding_discs import Body, Motion, slide_all
from calibration.lens.camera import Camera, TableView
from referee.domain.geometry import Point
from referee.domain.slide import speed_over_mm
from referee.synthetic.scenario.hand import TIP_MM, Key, Visit, away
from referee.synthetic.scenario.scene import Light

TABLES: Final = ("plain", "oak", "walnut", "pine", "laminate", "cloth", "chequered")
MATERIALS: Final = ("wood", "metal", "painted", "dark")
# Chosen: of volume, against wood. What a hit does depends on it, and the program does not know it.
DENSITY: Final = {"wood": 1.0, "metal": 8.0, "painted": 1.2, "dark": 1.5, "ball": 1.7}
FIRST_S: Final = 1.2  # Chosen: of the first flick; before, everything lies still
BETWEEN_S: Final = 2.4  # Chosen: from flick to flick; hands come and go, and discs slide for 1 s
LIFT_MM: Final = 40.0  # Chosen: of a hand that comes or goes
FINGER_MM: Final = 10.7  # Chosen: from the bent fingertip to the disc that it will flick
ROOM_MM: Final = 8.0  # Chosen: between discs when a video begins
DRAWS: Final = 500
FLICKS: Final = 2  # Chosen: a video


@dataclass(frozen=True, slots=True)
class Look:
    """How a disc looks: its material, its width and thickness, mm, and its colour, BGR of 255."""

    material: str
    width_mm: float
    thickness_mm: float
    colour: tuple[float, float, float]
    turn_deg: float


@dataclass(frozen=True)
class FreeScene:
    """A video of free play: `motions` are where discs are through time, and `flicks` which disc a
    hand flicked when.
    """

    seed: int
    table: str
    colours: tuple[tuple[float, float, float], ...]
    check_mm: float
    looks: Mapping[str, Look]
    view: TableView
    light: Light
    fps: int
    exposure_s: float
    noise: float
    crf: int
    frames: int
    motions: Mapping[str, Motion]
    visits: tuple[Visit, ...]
    flicks: tuple[tuple[str, float], ...]
    hits: tuple[tuple[float, str, str, float], ...]  # when, who, whom, mm/s along the line


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command's options fix. A field is None if the scene draws it by chance."""

    discs: str | None = None
    table: str | None = None
    sizes: str | None = None
    fps: int | None = None


def free_scene(seed: int, wanted: Wanted = Wanted()) -> FreeScene:
    """Return the scene of a seed. Raises RuntimeError if no draw could be played."""
    rng = np.random.default_rng((seed, 14))
    empty = _empty_table(seed, rng, wanted)
    for _ in range(DRAWS):
        scene = _played(_laid(empty, rng, wanted), rng)
        if scene is not None:
            return scene
    raise RuntimeError(
        f"seed {seed}: in none of its {DRAWS} random scenes can the flicks be played"
    )


def _empty_table(seed: int, rng: np.random.Generator, wanted: Wanted) -> FreeScene:
    table = wanted.table or str(rng.choice(TABLES))
    if wanted.discs == "ball" and wanted.table is None:
        table = "cloth"
    width, height = (1280, 720) if rng.random() < 0.2 else (960, 540)
    fps = wanted.fps or int(rng.choice([30, 60], p=[0.7, 0.3]))
    tilt_deg = 0.0 if rng.random() < 0.3 else float(rng.uniform(5, 35))
    shown_mm = float(rng.uniform(450, 850))  # across the picture
    focal = float(rng.uniform(0.8, 1.3)) * width
    camera = Camera(width, height, focal, focal, (width - 1) / 2, (height - 1) / 2)
    view = _view(camera, tilt_deg, float(rng.uniform(-30, 30)), focal * shown_mm / width)
    light = Light(
        lamp_mm=(float(rng.uniform(-600, 600)), float(rng.uniform(-500, 500)), 1500.0),
        ambient=float(rng.uniform(0.35, 0.7)),
        warmth=float(rng.uniform(0.0, 0.25)),
        glare=0.0 if table in ("cloth", "chequered") else float(rng.uniform(0.0, 0.35)),
        exposure=float(rng.uniform(0.75, 1.05)),
    )
    return FreeScene(
        seed, table, _table_colours(table, rng, wanted.discs == "ball"),
        float(rng.uniform(14, 45)), {}, view, light, fps, float(rng.uniform(0.15, 0.5)) / fps,
        float(rng.uniform(1.0, 4.0)), int(rng.integers(18, 29)), 0, {}, (), (), (),
    )  # fmt: skip


def _table_colours(
    table: str, rng: np.random.Generator, green: bool
) -> tuple[tuple[float, float, float], ...]:
    if green:
        return ((70.0, float(rng.uniform(95, 140)), 30.0),) * 2
    light = tuple(float(v) for v in rng.uniform(90, 225, 3))
    if table == "chequered":
        hue = np.array([(40, 50, 190), (170, 90, 40), (60, 130, 60), (60, 60, 60)][rng.integers(4)])
        return ((225.0, 228.0, 230.0), (float(hue[0]), float(hue[1]), float(hue[2])))
    return (light[:3], light[:3])  # type: ignore[return-value]


def _view(camera: Camera, tilt_deg: float, round_deg: float, away_mm: float) -> TableView:
    """Return a tilted camera above the table's origin, turned about the table's vertical axis."""
    cos, sin = math.cos(math.radians(tilt_deg)), math.sin(math.radians(tilt_deg))
    tilt = np.array([[1.0, 0.0, 0.0], [0.0, -cos, -sin], [0.0, sin, -cos]])
    cos, sin = math.cos(math.radians(round_deg)), math.sin(math.radians(round_deg))
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    return TableView(camera, tilt @ turn, np.array([0.0, 0.0, away_mm]))


def _laid(empty: FreeScene, rng: np.random.Generator, wanted: Wanted) -> FreeScene:
    """Lay discs on a table: none of them touch, and all lie well inside the picture."""
    count = int(rng.integers(3, 7))
    several = wanted.sizes == "several" or (wanted.sizes is None and rng.random() < 0.5)
    usual_mm = float(rng.uniform(20, 34))
    material = wanted.discs or str(rng.choice([*MATERIALS, "mixed"]))
    looks: dict[str, Look] = {}
    places: list[Point] = []
    inner = 0.84 * np.array([empty.view.camera.width, empty.view.camera.height])
    while len(places) < count:
        width_mm = float(usual_mm * rng.uniform(0.7, 1.6)) if several else usual_mm
        px = (rng.uniform(-0.5, 0.5, 2) * inner) + inner / 0.84 / 2
        at = empty.view.place_of(float(px[0]), float(px[1]), 0.0)
        if all(
            math.dist(at, other) > (width_mm + look.width_mm) / 2 + ROOM_MM
            for other, look in zip(places, looks.values(), strict=True)
        ):
            looks[f"disc-{len(places) + 1}"] = _look(rng, material, width_mm)
            places.append(at)
    motions = {name: Motion.at(at) for name, at in zip(looks, places, strict=True)}
    return replace(empty, looks=looks, motions=motions)


def _look(rng: np.random.Generator, material: str, width_mm: float) -> Look:
    if material == "ball":
        colour = tuple(float(v) for v in rng.choice([(30, 30, 200), (200, 210, 220), (40, 190, 220),
                                                     (150, 60, 30), (30, 30, 30)]))  # fmt: skip
        return Look("ball", 40.0, 40.0, colour, 0.0)  # type: ignore[arg-type]
    own = str(rng.choice(MATERIALS)) if material == "mixed" else material
    shade = float(rng.uniform(0.8, 1.1))
    base = {
        "wood": (95, 150, 200),
        "metal": (150, 165, 175) if rng.random() < 0.6 else (70, 120, 170),
        "painted": tuple(rng.uniform(30, 220, 3)),
        "dark": (38, 36, 40),
    }[own]
    colour = (shade * base[0], shade * base[1], shade * base[2])
    thick = float(rng.uniform(0.07, 0.14)) * width_mm
    return Look(own, width_mm, thick, colour, float(rng.uniform(0, 360)))


def _played(scene: FreeScene, rng: np.random.Generator) -> FreeScene | None:
    """Let a hand flick some discs; None if a disc leaves the picture or the hand cannot get
    there.
    """
    motions, visits, flicks, hits = dict(scene.motions), [], [], []
    bodies = {n: body_of(look) for n, look in scene.looks.items()}
    ball = any(look.material == "ball" for look in scene.looks.values())
    slowing = float(rng.uniform(250, 450)) if ball else float(rng.uniform(1400, 2600))
    for number in range(FLICKS):
        t_s = FIRST_S + number * BETWEEN_S * (1.5 if ball else 1.0)
        name = str(rng.choice(list(motions)))
        lie = {n: m.last for n, m in motions.items()}
        target = _target(lie, name, bodies, rng)
        way = np.subtract(target, lie[name])
        length = float(np.hypot(*way))
        if length < 60:
            return None
        reach = length * float(rng.uniform(0.9, 1.5))
        speed = min(speed_over_mm(reach, slowing), 2600.0)
        heading = (float(way[0]) / length, float(way[1]) / length)
        visit = _visit(scene.view, lie[name], heading, bodies[name].radius_mm, t_s)
        if visit is None or _in_the_way(visit, lie, bodies, name):
            return None
        velocity = (speed * heading[0], speed * heading[1])
        part, met = slide_all(lie, bodies, name, velocity, slowing, t_s)
        motions = {n: m.then(part[n]) for n, m in motions.items()}
        visits.append(visit)
        flicks.append((name, t_s))
        hits += met
    end_s = max(m.end_s for m in motions.values()) + 0.7
    end_s = max(end_s, visits[-1].end_s + 0.5)
    if not all(_in_picture(scene, n, m) for n, m in motions.items()):
        return None
    return replace(
        scene, motions=motions, visits=tuple(visits), flicks=tuple(flicks), hits=tuple(hits),
        frames=round(end_s * scene.fps),
    )  # fmt: skip


def body_of(look: Look) -> Body:
    """Return a disc as a body: its radius, and its mass in mm3 of wood."""
    radius = look.width_mm / 2
    volume = math.pi * radius**2 * look.thickness_mm
    if look.material == "ball":
        volume = 4 / 3 * math.pi * radius**3
    return Body(radius, volume * DENSITY[look.material])


def _target(
    lie: Mapping[str, Point], name: str, bodies: Mapping[str, Body], rng: np.random.Generator
) -> Point:
    """Return the place at which a disc is flicked: another disc, a place beside another disc, or
    between two.
    """
    others = [n for n in lie if n != name]
    one, two = (str(n) for n in rng.choice(others, 2, replace=False))
    if rng.random() < 0.4:
        share = float(rng.uniform(0.3, 0.7))
        ends = np.array([lie[one], lie[two]])
        x, y = ends[0] + share * (ends[1] - ends[0])
        return (float(x), float(y))
    reach = bodies[name].radius_mm + bodies[one].radius_mm
    way = np.subtract(lie[one], lie[name])
    across = np.array([-way[1], way[0]]) / max(1e-9, float(np.hypot(*way)))
    off = float(rng.choice([rng.uniform(-0.6, 0.6), rng.choice([-1, 1]) * rng.uniform(1.1, 1.7)]))
    x, y = np.asarray(lie[one]) + across * off * reach
    return (float(x), float(y))


def _visit(
    view: TableView, at: Point, heading: Point, radius_mm: float, t_s: float
) -> Visit | None:
    flick_deg = math.degrees(math.atan2(heading[1], heading[0]))
    up_deg = math.degrees(math.atan2(*(view.R_camera_table.T @ (0, -1, 0))[1::-1]))
    bend = (up_deg - flick_deg + 180) % 360 - 180
    arm_deg = flick_deg + max(-60.0, min(60.0, bend))
    back = radius_mm + TIP_MM + FINGER_MM
    tip = (at[0] - back * heading[0], at[1] - back * heading[1])
    try:
        start = away(view, tip, arm_deg, LIFT_MM)
    except ValueError:
        return None
    keys = (
        Key(t_s - 0.9, start, LIFT_MM),
        Key(t_s - 0.3, tip, 0.0),
        Key(t_s - 0.04, tip, 0.0),
        Key(t_s + 0.05, tip, 0.0, 24.0),
        Key(t_s + 0.2, tip, 4.0, 20.0),
        Key(t_s + 0.8, start, LIFT_MM),
    )
    return Visit(keys, arm_deg, flick_deg)


def _in_the_way(
    visit: Visit, lie: Mapping[str, Point], bodies: Mapping[str, Body], name: str
) -> bool:
    """Return whether the fingertip would be on another disc."""
    tip = visit.keys[1].tip_mm
    return any(
        math.dist(tip, at) < bodies[n].radius_mm + 2 * TIP_MM for n, at in lie.items() if n != name
    )


def _in_picture(scene: FreeScene, name: str, motion: Motion) -> bool:
    camera, reach = scene.view.camera, scene.looks[name].width_mm
    px = scene.view.to_image(np.array(motion.places_mm))
    room = reach * scene.view.px_per_mm(motion.last) * 0.7
    low, high = (px.min(axis=0), px.max(axis=0))
    return bool(
        (low > room).all() and high[0] < camera.width - room and high[1] < camera.height - room
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Arguments("free_play_scenes", __doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--discs", choices=[*MATERIALS, "mixed", "ball"])
    parser.add_argument("--table", choices=TABLES)
    parser.add_argument("--sizes", choices=["one", "several"])
    parser.add_argument("--fps", type=positive, choices=[25, 30, 50, 60])
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    wanted = Wanted(given.discs, given.table, given.sizes, given.fps)
    for seed in range(given.first, (given.last or given.first) + 1):
        scene = free_scene(seed, wanted)
        film(scene, given.out / f"seed-{seed:03d}.mp4")
        truth = json.dumps(truth_of(scene), separators=(",", ":"))
        (given.out / f"seed-{seed:03d}.truth.json").write_text(truth + "\n", encoding="utf-8")
        print(f"seed-{seed:03d}: {scene.frames} frames, {len(scene.looks)} discs", flush=True)


if __name__ == "__main__":
    main()
