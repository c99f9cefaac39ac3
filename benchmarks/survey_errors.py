"""Measures whether the standard errors that surveys state are true. It surveys random tables, or
clips, as they are and with worse pictures, and compares the true errors with the stated ones.

Usage: python -m benchmarks.survey_errors OUT_FOLDER [FOLDER ...] [--seeds FIRST LAST]
       [--conditions NAME,NAME] [--game GAME]

`FOLDER` is a clip with its truth, or a folder of clips; `--seeds` draws random tables, a second of
each, with a course of GAME: Tabletop Croquet, or castles, of which the survey finds out by itself
which is Moons'. The short clips are kept in OUT_FOLDER and used again. Errors are those after the
rigid motion that fits the tiles best. A row shows the scale's error, the tiles' (root mean square /
worst), that of their rotations, that of the worst endpost or tower, and that of places on the table
as the view shows them; stated standard errors in brackets, and the mean of the errors' squares over
the stated ones ("nes", 1 where errors are true).
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import Arguments
from benchmarks.clip_folder import clip_file, made_ready
from benchmarks.places import rigid
from benchmarks.random_scenes import peopled, with_coins
from benchmarks.random_tables import Draw, Plain
from benchmarks.survey import GRID, orientation_of, true_view
from calibration.pieces.learning import find_pieces, learn
from calibration.store.picture_file import read_picture
from calibration.store.piece_store import PieceSet
from calibration.table.survey import survey_table
from calibration.table.survey_checks import checked
from calibration.table.surveyed_table import SurveyedTable
from referee.commands.calibration.still_pictures import read_stills
from referee.domain.errors import InputError
from referee.domain.pieces import COINS, PieceSizes
from referee.synthetic.clip import video_writer
from referee.synthetic.pictures.film import Studio
from referee.synthetic.pictures.pieces_picture import photograph_pieces
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene import Scene
from referee.synthetic.scenario.scene_file import scene_of
from referee.synthetic.truth import truth_of
from referee.vision.faces.tower_tops import order_log_likelihoods

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
TABLETOP, CASTLES = "tabletop-croquet", "castle-croquetnole"
SECONDS = 1.3
FPS_OF_TABLES = 10  # nothing moves there
NOISE, BLUR_PX, BLEACHED = 8.0, 1.5, 1.6
#: The conditions, each with the H.264 quality (crf) of its clip.
CONDITIONS = {
    "plain": 20,
    "half": 20,
    "crf30": 30,
    "crf32": 32,
    "blur": 20,
    "noise": 20,
    "bleached": 20,
}


@dataclass(frozen=True)
class Source:
    """A table to survey: its frames, the number of frames per second, and the files to write beside
    the clip.
    """

    frames: Iterator[Picture]
    fps: int
    truth: Mapping[str, Any]
    sizes: Mapping[str, float]
    options: Sequence[str]
    pieces: Picture | None = None


def changed(picture: Picture, condition: str, number: int) -> Picture:
    """Return the picture as a worse camera shows it."""
    if condition == "half":
        picture = np.asarray(
            cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        )
    elif condition == "blur":
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), BLUR_PX))
    elif condition == "noise":
        off = np.random.default_rng(number).normal(0.0, NOISE, picture.shape)
        picture = np.asarray((picture + off).clip(0, 255), dtype=np.uint8)
    elif condition == "bleached":
        picture = np.asarray((picture * BLEACHED).clip(0, 255), dtype=np.uint8)
    height, width = (size // 2 * 2 for size in picture.shape[:2])
    return picture[:height, :width]


def of_clip(folder: Path) -> Source:
    """Return the beginning of a clip."""
    with tempfile.TemporaryDirectory() as work:
        clip = made_ready(folder, Path(work))
    video = av.open(str(clip_file(folder)))
    stream = video.streams.video[0]
    fps = round(float(stream.average_rate or 30))

    def frames() -> Iterator[Picture]:
        with video:
            for number, frame in enumerate(video.decode(stream)):
                if number >= SECONDS * fps:
                    return
                yield np.asarray(frame.to_ndarray(format="bgr24"), dtype=np.uint8)

    return Source(frames(), fps, clip.truth, clip.sizes_mm, clip.options)


def garrisoned(draw: Draw) -> Plain:
    """Return a table with castles. In each castle, the knight and the guard lie beside the
    tower.
    """
    draw.coins = draw.garrisons()
    return with_coins({**draw.fields, "players": [], "actions": []}, draw.coins)


def table_of(seed: int, game: str = TABLETOP) -> tuple[Scene, Any]:
    """Return a random scene with coins on the table, in which nothing happens, and its timeline."""
    draw = Draw(seed, True, game)
    while True:
        fields = garrisoned(draw) if game == CASTLES else peopled(draw)
        if fields is None:
            continue
        fields["video"] = {**fields["video"], "hand_at_start": False, "length_s": 2.0}
        scene = scene_of(fields)
        try:
            return scene, play_scene(scene)
        except InputError:  # a coin lies upon a tile
            continue


def of_seed(seed: int, game: str = TABLETOP) -> Source:
    """Return a random table."""
    scene, timeline = table_of(seed, game)
    studio = Studio(scene, timeline)
    numbers = range(0, int(SECONDS * scene.fps), scene.fps // FPS_OF_TABLES)
    truth = truth_of(scene, timeline, [])
    options = ["--mirror"] if scene.mirrored else []
    frames = (studio.frame(n).picture for n in numbers)
    pieces = photograph_pieces(scene) if game == CASTLES else None
    return Source(frames, FPS_OF_TABLES, truth, truth["sizes"], options, pieces)


def of_half_size(camera: Mapping[str, Any]) -> dict[str, Any]:
    """Return a truth's camera for pictures of half the size."""
    matrix = np.array(camera["K"]) / 2
    matrix[:2, 2] -= 0.25
    matrix[2] = 0.0, 0.0, 1.0
    size = {key: camera[key] // 2 // 2 * 2 for key in ("width", "height")}
    return {**camera, "K": matrix.tolist(), **size}


def prepared(out: Path, name: str, condition: str, source: Callable[[], Source]) -> Path:
    """Return the folder of a short clip under a condition; it is made where it is missing."""
    folder = out / f"{name}.{condition}"
    if (folder / "case.json").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    table = source()
    first = changed(next(table.frames), condition, 0)
    size = (first.shape[1], first.shape[0])
    with video_writer(folder / "clip.mp4", size, table.fps, CONDITIONS[condition]) as append:
        append(first)
        for number, picture in enumerate(table.frames, 1):
            append(changed(picture, condition, number))
    camera = table.truth["camera"]
    if table.pieces is not None:
        cv2.imwrite(str(folder / "pieces.png"), table.pieces)
    case = {
        "game": table.truth["game"],
        "camera": of_half_size(camera) if condition == "half" else camera,
        "tiles": table.truth["tiles"],
        "sizes": dict(table.sizes),
        "options": list(table.options),
    }
    (folder / "case.json").write_text(json.dumps(case), encoding="utf-8")
    return folder


@dataclass(frozen=True)
class Measured:
    """A survey's true errors; also the squares of these errors in units of the stated errors
    ("nes").
    """

    tile_mm: Array
    tile_nes: Array
    turn_deg: Array
    turn_nes: Array
    place_mm: Array
    place_nes: Array
    post_mm: float
    post_sigma_mm: float
    scale: float
    scale_sigma: float


def measured(table: SurveyedTable, truth: Mapping[str, Any]) -> Measured:
    """Compare a survey with the truth of its table."""
    tops = {t["tile"]: t for t in truth["tiles"]}  # the top level of a stack is seen
    names, tiles = list(table.course.tiles), list(table.course.tiles.values())
    found = np.array([tile.centre_mm for tile in tiles])
    true = np.array([tops[n]["centre_mm"] for n in names])
    to_truth = rigid(found, true)
    off = np.hypot(*(to_truth(found) - true).T)
    sigma = np.hypot([tile.sigma_mm for tile in tiles], table.sigmas_mm(found))
    ahead = np.diff(to_truth(np.array([[0.0, 0.0], [1.0, 0.0]])), axis=0)[0]
    turned = [t.rotation_deg - tops[n]["rotation_deg"] for n, t in zip(names, tiles, strict=True)]
    turns = (np.array(turned) + np.degrees(np.arctan2(ahead[1], ahead[0])) + 45) % 90 - 45
    pixels = true_view(truth).to_image(GRID)
    size = (truth["camera"]["width"], truth["camera"]["height"])
    inside = (pixels > 0).all(axis=1) & (pixels < size).all(axis=1)
    seen = table.view.to_table(pixels[inside])
    places = np.hypot(*(to_truth(seen) - GRID[inside]).T)
    post = max((k for k, n in enumerate(names) if tiles[k].stack > 1), key=lambda k: off[k])
    return Measured(
        off,
        off**2 / (2 * sigma**2),
        turns,
        (turns / [tile.rotation_sigma_deg for tile in tiles]) ** 2,
        places,
        places**2 / (2 * table.sigmas_mm(seen) ** 2 + 1e-4),
        float(off[post]),
        float(sigma[post]),
        float(found.std(axis=0).sum() / true.std(axis=0).sum()) - 1.0,
        table.scale_sigma,
    )


def surveyed(folder: Path) -> tuple[SurveyedTable, Mapping[str, Any], float]:
    """Survey a prepared clip. Return the table, its truth, and the seconds of CPU time. Raises
    InputError if the survey is refused.
    """
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    camera, sizes = true_view(case).camera, PieceSizes(**case["sizes"])
    read_tops = partial(order_log_likelihoods, pieces=learnt(folder, sizes))
    begin = time.process_time()
    stills = read_stills(folder / "clip.mp4")
    game, orientation = case.get("game", TABLETOP), orientation_of(case["options"])
    table = survey_table(stills, camera, game, sizes, orientation, read_tops=read_tops)
    return checked(table), case, time.process_time() - begin


def learnt(folder: Path, sizes: PieceSizes) -> PieceSet | None:
    """Return the set of a prepared clip; None if its pieces were not photographed, or where
    they cannot be learnt.
    """
    if not (folder / "pieces.png").exists():
        return None
    picture = read_picture(folder / "pieces.png")
    try:
        return learn(picture, find_pieces(picture, len(COINS), sizes, True), COINS, folder.name)
    except InputError:
        return None


def row(found: Measured) -> str:
    """Return a line of text with a survey's errors."""

    def rms(errors: Array) -> str:
        return f"{np.sqrt(np.mean(errors**2)):.2f}/{np.abs(errors).max():.2f}"

    return (
        f"scale {100 * found.scale:+.2f} ({100 * found.scale_sigma:.2f}) %"
        f" tiles {rms(found.tile_mm)} nes {found.tile_nes.mean():.2f}"
        f" turns {rms(found.turn_deg)} nes {found.turn_nes.mean():.2f}"
        f" stack {found.post_mm:.2f} ({found.post_sigma_mm:.2f})"
        f" places {rms(found.place_mm)} nes {found.place_nes.mean():.2f}"
    )


def pooled(found: Sequence[Measured]) -> str:
    """Return a line of text about several surveys: how many they are, the mean of the normalised
    errors squared (nes) of their tiles, turns, places and scales, and the worst error of a stack.
    """
    parts = {
        "tiles": np.concatenate([f.tile_nes for f in found]),
        "turns": np.concatenate([f.turn_nes for f in found]),
        "places": np.concatenate([f.place_nes for f in found]),
        "scale": np.array([(f.scale / f.scale_sigma) ** 2 for f in found]),
    }
    worst = max(f.post_mm for f in found)
    words = ", ".join(f"{name} {values.mean():.2f}" for name, values in parts.items())
    return f"{len(found)} surveys: nes of {words}; worst stack {worst:.1f} mm"


def run(out: Path, sources: Mapping[str, Callable[[], Source]], condition: str) -> None:
    """Survey all tables under one condition, and print a row for each and one for all."""
    found = []
    for name, source in sources.items():
        folder = prepared(out, name, condition, source)
        try:
            table, truth, seconds = surveyed(folder)
        except InputError as error:
            print(f"{name[:18]:18} {condition:8} refused: {error}", flush=True)
            continue
        found.append(measured(table, truth))
        print(f"{name[:18]:18} {condition:8} {row(found[-1])} {seconds:.0f} s", flush=True)
    if found:
        print(f"{'all':18} {condition:8} {pooled(found)}", flush=True)


def sources_of(
    clips: Sequence[Path], seeds: Sequence[int], game: str
) -> dict[str, Callable[[], Source]]:
    """Return the tables by name: those of clips with a course of the game, and random ones."""
    sources: dict[str, Callable[[], Source]] = {}
    for folder in clips:
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        if truth["game"] == game:
            sources[folder.name] = lambda folder=folder: of_clip(folder)  # type: ignore[misc]
    for seed in seeds:
        sources[f"{'castles' if game == CASTLES else 'seed'}-{seed}"] = partial(of_seed, seed, game)
    return sources


def main(arguments: Sequence[str] | None = None) -> int:
    """Survey the tables that the arguments name. Return the exit status."""
    parser = Arguments("survey_errors", __doc__)
    parser.add_argument("out", type=Path, metavar="OUT_FOLDER")
    parser.add_argument("clips", type=Path, nargs="*", metavar="FOLDER")
    parser.add_argument("--seeds", type=int, nargs=2, metavar=("FIRST", "LAST"))
    parser.add_argument("--conditions", default="plain", help=", ".join(CONDITIONS))
    parser.add_argument("--game", choices=(TABLETOP, CASTLES), default=TABLETOP)
    options = parser.parse_args(arguments)
    first, last = options.seeds or (1, 0)
    sources = sources_of(parser.clips(options.clips), range(first, last + 1), options.game)
    for condition in options.conditions.split(","):
        run(options.out, sources, condition)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
