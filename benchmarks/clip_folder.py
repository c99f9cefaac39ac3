"""Prepares a folder with one clip and its truth, in either of two layouts, for the referee's
commands.

Our layout (`fixtures/clips`, made by `python -m referee.synthetic`): `clip.mp4`, `camera.yaml`,
`match.yaml`, `pieces.jpg`, `scene.yaml`, `truth.json`. The other layout: `clip.mp4`, `facts.yaml`
(game, how the course lies, sizes, coins on the table, the camera's intrinsics), `pieces.png`,
`truth.json`. For the second layout, `camera.yaml` and `match.yaml` are made from the facts and
written into the run's folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from calibration.lens.camera import Camera
from calibration.store.store import write_camera
from referee.domain.pieces import COINS, SIZE_NAMES

PICTURES = ("pieces.png", "pieces.jpg")
CLIPS = ("clip.mp4", "clip.avi")
ENDED = ("tabletop-croquet",)  # games whose course has a left and a right end


@dataclass(frozen=True)
class ReadyClip:
    """The files and options for the commands. `options` are the options of `calibrate table` whose
    values only somebody at the table could know.
    """

    name: str
    video: Path
    game: str
    camera: Path
    match: Path
    pieces_picture: Path
    sizes_mm: Mapping[str, float]
    options: tuple[str, ...]
    truth: Mapping[str, Any]

    @property
    def size_options(self) -> tuple[str, ...]:
        """Return the sizes as options of the calibrating commands."""
        return tuple(
            word
            for key, mm in self.sizes_mm.items()
            for word in (f"--{key.replace('_', '-')}", f"{mm:g}")
        )


def clip_folders(given: Sequence[Path]) -> list[Path]:
    """Return the folders that hold a clip: each given folder, or those inside it. Raises
    FileNotFoundError if there is none.
    """
    found = []
    for folder in given:
        inside = (
            [folder]
            if (folder / "truth.json").exists()
            else sorted(path.parent for path in folder.glob("*/truth.json"))
        )
        if not inside:
            raise FileNotFoundError(f"{folder}: holds no clip with a truth.json")
        found += inside
    return found


def clip_file(folder: Path) -> Path:
    """Return the clip in a folder; `clip.mp4` where there is none."""
    return next((folder / name for name in CLIPS if (folder / name).exists()), folder / CLIPS[0])


def made_ready(folder: Path, work: Path) -> ReadyClip:
    """Prepare the clip in `folder`. Files that must be written go into `work`. Raises OSError,
    KeyError or ValueError if something is missing.
    """
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    picture = next((folder / name for name in PICTURES if (folder / name).exists()), None)
    if picture is None:
        raise FileNotFoundError(f"{folder}: has no picture of the pieces")
    if (folder / "facts.yaml").exists():
        return _from_facts(folder, work, truth, picture)
    scene = yaml.safe_load((folder / "scene.yaml").read_text(encoding="utf-8"))
    course = scene.get("course") or {}
    options = table_options(
        course.get("left_endpost", "left") == "right", bool(course.get("mirrored", False))
    )
    sizes = {key: float(mm) for key, mm in (scene.get("set") or {}).items() if key in SIZE_NAMES}
    return ReadyClip(
        folder.name,
        clip_file(folder),
        truth["game"],
        folder / "camera.yaml",
        folder / "match.yaml",
        picture,
        sizes,
        options,
        truth,
    )


def table_options(left_endpost_right: bool, mirrored: bool) -> tuple[str, ...]:
    """Return how the course lies, as options of `calibrate table`."""
    return (
        *(("--left-endpost", "right") if left_endpost_right else ()),
        *(("--mirror",) if mirrored else ()),
    )


def _from_facts(folder: Path, work: Path, truth: Mapping[str, Any], picture: Path) -> ReadyClip:
    facts = yaml.safe_load((folder / "facts.yaml").read_text(encoding="utf-8"))
    write_camera(work / "camera.yaml", camera_of(facts))
    (work / "match.yaml").write_text(
        yaml.safe_dump(match_of(facts), sort_keys=False), encoding="utf-8"
    )
    options = (
        ()
        if facts["game"] not in ENDED
        else table_options(
            "right" in str(facts.get("left_endpost", "left")),
            "far" in str(facts.get("wicket_3_on_the_side", "near")),
        )
    )
    sizes = {key: float(facts[key]) for key in SIZE_NAMES if key in facts}
    return ReadyClip(
        folder.name,
        clip_file(folder),
        facts["game"],
        work / "camera.yaml",
        work / "match.yaml",
        picture,
        sizes,
        options,
        truth,
    )


def camera_of(facts: Mapping[str, Any]) -> Camera:
    """Return the camera that the facts describe."""
    camera = facts["camera"]
    (fx, _, cx), (_, fy, cy), _ = camera["K"]
    k1, k2, p1, p2, k3 = camera["distortion_k1_k2_p1_p2_k3"]
    return Camera(
        camera["width"],
        camera["height"],
        fx,
        fy,
        cx,
        cy,
        (k1, k2, p1, p2, k3),
        facts["video"].get("exposure_s"),
    )


def match_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a match of the coins on the table: one player for each coin, in the standard order of
    coins; in Carroms two players, and in Castle Croquetnole its four.
    """
    if facts["game"] == "castle-croquetnole":
        knights = ("moons", "suns", "crowns", "arms")
        players = [{"name": f"Player {n}", "coin": coin} for n, coin in enumerate(knights, 1)]
        return {"game": facts["game"], "players": players, "options": {}}
    if facts["game"] == "carroms":
        players = [{"name": "Player 1", "coin": "suns"}, {"name": "Player 2", "coin": "arms"}]
        return {"game": "carroms", "players": players, "options": {}}
    coins = sorted(
        map(str, facts["coins_on_the_table"]),
        key=lambda coin: (COINS.index(coin) if coin in COINS else len(COINS), coin),
    )
    return {
        "game": facts["game"],
        "players": [{"name": f"Player {n}", "coin": coin} for n, coin in enumerate(coins, 1)],
        "options": {},
    }
