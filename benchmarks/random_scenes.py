"""Makes random scenes, each from its seed: tables, cameras, light, sets, and hands that flick,
carry, lift, nudge or only rest on the table.

Usage: python -m benchmarks.random_scenes OUT_FOLDER FIRST_SEED [LAST_SEED] [--front] [--printed]
           [--still]

Writes OUT_FOLDER/seed-NNN with scene.yaml, the clip and its truth, as `python -m referee.synthetic`
does. `python -m benchmarks.clips OUT_FOLDER --true-survey` then shows how well the referee does on
them. The actions of a scene are drawn first and played. A draw is rejected if pieces overlap, a
coin leaves the picture, or two hands get in each other's way. `--front` keeps the camera on the
course's long near side, as `calibrate table` requires. `--printed` lays a printed cloth on the
table and draws from all sets. With `--still`, all ten coins lie there and nothing happens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import yaml

from benchmarks.arguments import Arguments
from benchmarks.random_deeds import DEEDS, yaml_name
from benchmarks.random_tables import Draw, Plain
from referee.domain.errors import InputError
from referee.domain.geometry import Point, contains
from referee.domain.pieces import COINS
from referee.synthetic.clip import write_clip
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.hand import in_field
from referee.synthetic.scenario.scene import Scene
from referee.synthetic.scenario.scene_file import scene_of
from referee.synthetic.scenario.timeline import Carried, Lying, Sliding, Timeline

FIRST_S = (0.95, 1.7)  # before this the referee examines the table, while a hand may be coming
DRAWS = 400
STILL_S = 0.6
MOST_BENT_DEG = 80.0  # between arm and flick: nobody flicks a coin under his own arm


def random_scene(
    seed: int, front: bool = False, *, printed: bool = False, still: bool = False
) -> Plain:
    """Return the plain fields of a scene, as scene.yaml holds them. Raises RuntimeError if no
    draw could be played.
    """
    draw = Draw(seed, front, printed=printed)
    if still:
        return still_scene(draw)
    for _ in range(DRAWS):
        fields = peopled(draw)
        count = int(draw.rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))
        while fields is not None and count:
            fields = _grown(draw, fields)
            count -= 1
        if fields is not None:
            return cut_to_length(fields)
    raise RuntimeError(
        f"seed {seed}: in none of its {DRAWS} random scenes can the flicks be played"
    )


def still_scene(draw: Draw) -> Plain:
    """Return the table with all ten coins, where nothing happens."""
    names = [str(c) for c in draw.rng.permutation(COINS)]
    fields = {**draw.fields, "players": _players(names), "actions": []}
    fields["video"] |= {"length_s": STILL_S, "hand_at_start": False}
    for _ in range(DRAWS):
        laid = with_coins(fields, {c: draw.place() for c in names})
        if played(laid) is not None:
            return laid
    raise RuntimeError("the coins overlap in every draw")


def peopled(draw: Draw) -> Plain | None:
    """Return the table with its coins laid and no action yet; None if coins overlap."""
    names = [str(c) for c in draw.rng.permutation(COINS)[: int(draw.rng.integers(2, 7))]]
    draw.coins = {c: draw.place() for c in names}
    draw.at_s, draw.first = draw.number(*FIRST_S), True
    fields = {**draw.fields, "players": _players(names), "actions": []}
    return with_coins(fields, draw.coins)


def _players(names: Sequence[str]) -> list[Plain]:
    return [{"name": f"P{i}", "coin": yaml_name(coin)} for i, coin in enumerate(names)]


def with_coins(fields: Plain, coins: dict[str, Point]) -> Plain:
    return {**fields, "coins": {yaml_name(c): [round(v, 3) for v in at] for c, at in coins.items()}}


def _grown(draw: Draw, fields: Plain) -> Plain | None:
    """Return the scene with one more action; None if a few draws could not be played."""
    deeds, weights = [d for d, _ in DEEDS], np.array([w for _, w in DEEDS])
    laid = dict(draw.coins)
    for _ in range(25):
        draw.coins = dict(laid)
        done = deeds[int(draw.rng.choice(len(deeds), p=weights / weights.sum()))](draw)
        grown = {
            **(fields if fields["actions"] else with_coins(fields, draw.coins)),
            "actions": [*fields["actions"], *done],
        }
        timeline = played(grown)
        if timeline is not None:
            end_s = max(timeline.still_from_s, timeline.visits[-1].end_s)
            draw.coins = dict(timeline.resting(end_s))
            draw.at_s, draw.first = (
                round(
                    end_s
                    + 1.05
                    + (draw.number(0.3, 0.8) if draw.chance(0.85) else draw.number(0.0, 0.3)),
                    2,
                ),
                False,
            )
            return grown if len(draw.coins) > 1 else None
    return None


def played(fields: Plain) -> Timeline | None:
    """Return the scene's timeline; None if it cannot be played or does not show everything that
    it should.
    """
    try:
        scene = scene_of(fields)
        timeline = play_scene(scene)
    except (InputError, RuntimeError):
        return None
    return timeline if shows_all(scene, timeline) else None


def shows_all(scene: Scene, timeline: Timeline) -> bool:
    """Return whether all coins stay in the picture, none lies off the table, and no arm bends too
    far.
    """
    handy = all(
        abs(math.remainder(v.reach_deg - v.arm_deg, 360)) < MOST_BENT_DEG
        for v in timeline.visits
        if any(k.reach_mm for k in v.keys)
    )
    lying = [
        s.at_mm for stretches in timeline.coins.values() for s in stretches if isinstance(s, Lying)
    ]
    on_table = all(contains(scene.outline_mm, at) for at in lying)
    return handy and on_table and all(_in_picture(scene, at) for at in _waypoints(timeline))


def _waypoints(timeline: Timeline) -> list[Point]:
    places: list[Point] = []
    for stretches in timeline.coins.values():
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


def film_at(draw: Draw, fps: int, flicks: int) -> None:
    """Let a drawn scene be filmed at `fps` frames a second, and long enough for `flicks` flicks."""
    video = draw.fields["video"]
    exposure_s = min(video["exposure_s"], 0.9 / fps)
    video |= {"fps": fps, "exposure_s": exposure_s, "length_s": 40.0 + 12.0 * flicks}


def cut_to_length(fields: Plain) -> Plain:
    """Return the scene with a clip that is just long enough. In some scenes the first hand is there
    from the start.
    """
    timeline = play_scene(scene_of(fields))
    length_s = max(timeline.still_from_s, timeline.visits[-1].end_s) + 0.7
    return {**fields, "video": {**fields["video"], "length_s": math.ceil(length_s * 10) / 10}}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Arguments("random_scenes", __doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument(
        "--front",
        action="store_true",
        help="the camera on the long near side, at least 45 degrees high",
    )
    parser.add_argument(
        "--printed", action="store_true", help="a printed cloth, and any of the sets"
    )
    parser.add_argument("--still", action="store_true", help="ten coins, and nothing happens")
    options = parser.parse_args(arguments)
    for seed in range(options.first, (options.last or options.first) + 1):
        fields = random_scene(seed, options.front, printed=options.printed, still=options.still)
        film(fields, options.out / f"seed-{seed:03d}")
    return 0


def film(fields: Plain, folder: Path) -> None:
    """Film a scene into a folder, and print what is in it."""
    truth = write_clip(scene_of(fields), folder, file=str(folder), pieces_ext=".jpg")
    (folder / "scene.yaml").write_text(yaml.safe_dump(fields, sort_keys=False), encoding="utf-8")
    frames, incidents = len(truth["frames"]), len(truth["incidents"])
    print(f"{folder}: {frames} frames, {incidents} incidents", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
