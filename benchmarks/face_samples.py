"""Cuts the faces of coins out of rendered clips, with the known faces of their set. The face
network learns from them and from drawn sets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from benchmarks.clip_folder import PICTURES, camera_of, clip_file
from benchmarks.clips import COINS_IN_PICTURE
from benchmarks.true_survey import true_survey
from calibration.pieces.learning import find_pieces, learn
from calibration.store.picture_file import read_picture
from calibration.store.piece_store import FacePatch
from referee.domain.pieces import SIZE_NAMES, PieceSizes
from referee.vision.faces.face_patch import gather
from referee.vision.sources.video import open_source

FIRST_FRAME, EVERY_FRAMES, MOST_FRAMES = 2, 50, 4
IN_FULL_VIEW = 0.97  # of a coin's face
OFF_MM = 0.35  # how far off the place of a coin is found, along each axis


@dataclass(frozen=True, eq=False)
class SeenSet:
    """A set's known faces, and faces seen on a table, each with the number of its known face."""

    name: str
    known: list[FacePatch]
    seen: list[tuple[int, FacePatch]]


def rendered(folder: Path) -> SeenSet:
    """Return the faces of a clip with truth and a picture of its set. `faces.yaml` says which face
    each coin shows. If there is no such file, a coin's name is the name of its face.
    """
    random = np.random.default_rng(0)
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    facts = yaml.safe_load((folder / "facts.yaml").read_text(encoding="utf-8"))
    listed = folder / "faces.yaml"
    shown = yaml.safe_load(listed.read_text(encoding="utf-8")) if listed.exists() else {}
    left_mm = next(t["centre_mm"] for t in truth["tiles"] if t["tile"] == "left-endpost")
    turn = -1.0 if left_mm[0] > 0 else 1.0  # as the true table is turned
    sizes_mm = {key: float(facts[key]) for key in SIZE_NAMES if key in facts}
    table = true_survey(truth, camera_of(facts), sizes_mm)
    names = COINS_IN_PICTURE.split(",")
    seen = []
    with open_source(str(clip_file(folder))) as source:
        for frame, true in zip(source, truth["frames"], strict=False):
            if frame.number >= FIRST_FRAME + EVERY_FRAMES * MOST_FRAMES:
                break
            if frame.number % EVERY_FRAMES != FIRST_FRAME or "camera_rotation" in true:
                continue
            for coin, at in true["coins"].items():
                if not at["mm"] or at["state"] != "rest" or at["visible"] < IN_FULL_VIEW:
                    continue
                x, y = turn * np.array(at["mm"]) + random.normal(0, OFF_MM, 2)
                patch = gather(frame.bgr(), table.view, (x, y), table.sizes)
                if patch is not None:
                    seen.append((names.index(shown.get(coin, coin)), patch))
    return SeenSet(folder.name, list(_known(folder, sizes_mm, names).values()), seen)


def _known(
    folder: Path, sizes_mm: Mapping[str, float], names: list[str]
) -> Mapping[str, FacePatch]:
    """Return the faces in the picture of a clip's set. Raises InputError if they are not
    found.
    """
    path = next(folder / name for name in PICTURES if (folder / name).exists())
    picture = read_picture(path)
    found = find_pieces(picture, len(names), PieceSizes(**sizes_mm), "coin_mm" in sizes_mm)
    return learn(picture, found, names, path.name).faces
