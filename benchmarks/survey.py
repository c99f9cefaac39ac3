"""Measures how well tables are surveyed: `python -m benchmarks.survey FOLDER ... [--unknown-lens]`
prints a row for every clip that has its truth beside it.

Clips are those of `clip_folder.py`, with the camera's pose, the tiles and the table's edge in their
truth. Lengths are in mm, after one rigid fit of the tiles. A row shows the error of tile centres
(mean/worst), the scale's error, the error of a grid of table points projected through the found
view (mean/worst), and for each side of the table the worst error over the stretch that was seen.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.arguments import Arguments
from benchmarks.clip_folder import made_ready
from benchmarks.places import rigid
from calibration.course.orientation import Orientation
from calibration.lens.camera import Camera, TableView
from calibration.store.store import read_camera
from calibration.table.survey import survey_table
from calibration.table.survey_picture import draw_survey
from calibration.table.surveyed_table import SurveyedTable
from referee.commands.calibration.still_pictures import read_stills
from referee.domain.errors import InputError
from referee.domain.pieces import PieceSizes
from referee.session.match_file import WATCHED

GRID = np.array([[x, y] for x in (-540, -270, 0, 270, 540) for y in (-250, 0, 250)], dtype=float)


def true_view(truth: Mapping[str, Any]) -> TableView:
    camera, matrix = truth["camera"], truth["camera"]["K"]
    lens = Camera(
        camera["width"],
        camera["height"],
        matrix[0][0],
        matrix[1][1],
        matrix[0][2],
        matrix[1][2],
        tuple(camera["dist_k1k2p1p2k3"]),
    )
    return TableView(
        lens, np.array(camera["R_world_to_cam"]), np.array(camera["t_world_to_cam_mm"])
    )


def orientation_of(options: Sequence[str]) -> Orientation:
    return Orientation("right" if "right" in options else "left", "--mirror" in options)


def row(table: SurveyedTable, truth: Mapping[str, Any]) -> str:
    tops = {
        t["tile"]: t["centre_mm"] for t in truth["tiles"]
    }  # the top level of a stack is the one that is seen
    names = list(table.course.tiles)
    found, true = (
        np.array([table.course.tiles[n].centre_mm for n in names]),
        np.array([tops[n] for n in names]),
    )
    to_truth = rigid(found, true)
    tiles = np.hypot(*(to_truth(found) - true).T)
    scale = np.sqrt(((found - found.mean(0)) ** 2).sum() / ((true - true.mean(0)) ** 2).sum()) - 1
    grid = np.hypot(*(to_truth(table.view.to_table(true_view(truth).to_image(GRID))) - GRID).T)
    outline = np.array(truth["table_edge_mm"])
    sides = []
    for k, side in enumerate(table.edge):
        a, b = outline[k], outline[(k + 1) % 4]
        normal = np.array([b[1] - a[1], a[0] - b[0]]) / np.hypot(*(b - a))
        ends = to_truth(np.array([side.begin_mm, side.end_mm]))
        projections = [ends[0] + (ends[1] - ends[0]) * s for s in (side.from_share, side.to_share)]
        off = max((float((s - a) @ normal) for s in projections), key=abs)
        sides.append(f"{off:+.1f}" if side.to_share > side.from_share else "guess")
    return (
        f"tiles {tiles.mean():.2f}/{tiles.max():.2f} scale {100 * scale:+.2f} % table"
        f" {grid.mean():.2f}/{grid.max():.2f} edge {' '.join(sides)} residual"
        f" {table.residual_mm:.2f}"
    )


def main() -> None:
    parser = Arguments("survey", __doc__)
    parser.add_argument("clips", type=Path, nargs="+")
    parser.add_argument("--unknown-lens", action="store_true")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of what was found")
    options = parser.parse_args()
    for folder in parser.clips(options.clips):
        with tempfile.TemporaryDirectory() as work:
            clip = made_ready(folder, Path(work))
            camera = None if options.unknown_lens else read_camera(clip.camera)
        if clip.game not in WATCHED:
            continue
        truth = clip.truth
        begin = time.process_time()
        stills = read_stills(clip.video)
        try:
            table = survey_table(
                stills, camera, clip.game, PieceSizes(**clip.sizes_mm), orientation_of(clip.options)
            )
        except InputError as error:
            print(f"{folder.name:22} refused: {error}", flush=True)
            continue
        print(
            f"{folder.name:22} {row(table, truth)}  {time.process_time() - begin:.0f} s", flush=True
        )
        for word in table.warnings:
            print(f"{'':24}{word}", flush=True)
        if options.pictures:
            cv2.imwrite(str(options.pictures / f"{folder.name}.png"), draw_survey(stills[0], table))


if __name__ == "__main__":
    main()
