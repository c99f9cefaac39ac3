"""The bundled clips: their truth, exactly known tables made from it, and the result of a run over
one of them.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from calibration.course.orientation import Orientation
from calibration.lens.camera import TableView
from calibration.pieces.learning import find_pieces, learn
from calibration.store.picture_file import read_picture
from calibration.store.piece_store import PieceSet, write_pieces
from calibration.store.store import read_camera, write_table
from calibration.table.survey import survey_table
from calibration.table.surveyed_table import SurveyedTable
from referee.commands.calibration.still_pictures import read_stills
from referee.domain.layout import Course, Tile
from referee.domain.pieces import COINS, PieceSizes
from referee.domain.table_edge import EdgeSide
from referee.session.match_file import read_match
from referee.session.watch_options import WatchOptions

CLIPS = Path(__file__).resolve().parents[2] / "fixtures" / "clips"
EDGE_SHARES = 200


@dataclass(frozen=True)
class Run:
    """What a run over a clip wrote: the record's entries without the setup, the folder, and the
    clip's truth.
    """

    truth: dict[str, Any]
    folder: Path
    entries: tuple[dict[str, Any], ...]

    def of_kind(self, *kinds: str) -> list[dict[str, Any]]:
        return [e for e in self.entries if e["kind"] in kinds]


def truth_of(clip: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((CLIPS / clip / "truth.json").read_text(encoding="utf-8"))
    return read


def true_view(clip: str) -> TableView:
    """Return the camera in its true pose."""
    pose = truth_of(clip)["camera"]
    return TableView(
        read_camera(CLIPS / clip / "camera.yaml"),
        np.array(pose["R_world_to_cam"]),
        np.array(pose["t_world_to_cam_mm"]),
    )


def true_table(clip: str) -> SurveyedTable:
    """Return the table as it truly is. Of each side, the camera sees what lies in the picture."""
    truth, view = truth_of(clip), true_view(clip)
    stacks = {
        t["tile"]: 1 + max(o["level"] for o in truth["tiles"] if o["tile"] == t["tile"])
        for t in truth["tiles"]
    }
    tops = {t["tile"]: t for t in truth["tiles"] if t["level"] + 1 == stacks[t["tile"]]}
    tiles = {
        n: Tile((t["centre_mm"][0], t["centre_mm"][1]), t["rotation_deg"], stacks[n])
        for n, t in tops.items()
    }
    corners = [(float(x), float(y)) for x, y in truth["table_edge_mm"]]
    edge = tuple(
        side_in_view(view, a, b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    )
    left = "left" if truth["left_endpost"].startswith("left") else "right"
    sizes = PieceSizes(**truth["sizes"])
    return SurveyedTable(
        truth["game"],
        view,
        Course(MappingProxyType(tiles), sizes.tile_mm),
        sizes,
        edge,
        0.1,
        truth["mirrored"],
        left,
    )


def surveyed_table(clip: str) -> SurveyedTable:
    """Return the table as the survey finds it in the clip, with what its owner knows."""
    truth = truth_of(clip)
    left = "left" if truth["left_endpost"].startswith("left") else "right"
    camera = read_camera(CLIPS / clip / "camera.yaml")
    return survey_table(
        read_stills(CLIPS / clip / "clip.mp4"),
        camera,
        "tabletop-croquet",
        PieceSizes(**truth["sizes"]),
        Orientation(left, truth["mirrored"]),
    )


def side_in_view(view: TableView, begin: tuple[float, float], end: tuple[float, float]) -> EdgeSide:
    """Return a side of the table with the stretch of it that lies in the picture."""
    shares = np.linspace(0, 1, EDGE_SHARES + 1)
    points = np.array(begin) + shares[:, None] * np.subtract(end, begin)
    px = view.to_image(points)
    seen = shares[
        (px[:, 0] > 4)
        & (px[:, 0] < view.camera.width - 5)
        & (px[:, 1] > 4)
        & (px[:, 1] < view.camera.height - 5)
    ]
    return EdgeSide(
        begin,
        end,
        0.5,
        float(seen.min()) if len(seen) else 0.0,
        float(seen.max()) if len(seen) else 0.0,
    )


@cache
def pieces_of(clip: str) -> PieceSet:
    """Return the clip's set of pieces, learnt once from its picture of the coins in a row."""
    row = CLIPS / clip / "pieces.jpg"
    picture = read_picture(row)
    sizes = PieceSizes(**truth_of(clip)["sizes"])
    return learn(picture, find_pieces(picture, len(COINS), sizes, True), COINS, str(row))


def learnt_pieces(clip: str, path: Path) -> Path:
    """Write the clip's set of pieces to this file, and return the file."""
    write_pieces(path, pieces_of(clip))
    return path


def options(clip: str, table: SurveyedTable, folder: Path, **more: Any) -> WatchOptions:
    """Return options for a run over the clip without a dashboard. `table` is written into the
    folder first. The record goes to `folder / "out"`.
    """
    write_table(folder / "table.yaml", table)
    usual = {
        "source": str(CLIPS / clip / "clip.mp4"),
        "match": read_match(CLIPS / clip / "match.yaml"),
        "out": folder / "out",
        "ui": False,
    }
    return WatchOptions(table=folder / "table.yaml", **{**usual, **more})


def run_of(clip: str, out: Path) -> Run:
    """Return what is in the record that a run wrote."""
    lines = [
        json.loads(line) for line in (out / "record.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return Run(truth_of(clip), out, tuple(lines[1:]))


def exposure_half_s(truth: dict[str, Any]) -> float:
    """Return the time from the opening of the shutter to the middle of the exposure."""
    frame = next(f for f in truth["frames"] if f["coins"])
    return float(next(iter(frame["coins"].values()))["t_seen_s"]) - float(frame["t_s"])


def frame_s(truth: dict[str, Any]) -> float:
    """Return the time from one frame to the next."""
    return float(np.median(np.diff([f["t_s"] for f in truth["frames"]])))


def off_mm(a: tuple[float, float] | list[float], b: tuple[float, float] | list[float]) -> float:
    return math.dist(a, b)
