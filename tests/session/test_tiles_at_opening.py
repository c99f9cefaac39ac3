"""Tiles as play begins: one that lies elsewhere than surveyed is told, and so is one that cannot be
measured.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.layout import Tile
from referee.session.watching import watch
from tests.clips.bundled import CLIPS, off_mm, options, true_table, truth_of

CLIP = "wicket-missed"
TILE = "wicket-4-left"
PLAY_S = 0.7  # so long nothing moves
NAMES = {n: tuple(c["mm"]) for n, c in truth_of(CLIP)["frames"][0]["coins"].items()}


def begun(folder: Path, table: SurveyedTable, source: Path) -> list[dict[str, Any]]:
    """Return the entries of a record of which nothing is played."""
    assert watch(options(CLIP, table, folder, names_mm=NAMES, source=str(source))) == 0
    lines = (folder / "out" / "record.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def covered(target: Path, tile: Tile | None = None) -> Path:
    """Return the clip's beginning, with a grey disc as large as a hand over a tile."""
    table = true_table(CLIP)
    if tile is not None:
        x, y = table.view.to_image(np.array([[*tile.centre_mm, 0.0]]))[0]
    with av.open(str(CLIPS / CLIP / "clip.mp4")) as source, av.open(str(target), "w") as out:
        stream = source.streams.video[0]
        made = out.add_stream("libx264", rate=stream.average_rate, options={"crf": "18"})
        made.width, made.height, made.pix_fmt = stream.width, stream.height, "yuv420p"
        for frame in source.decode(stream):
            if frame.time is None or frame.time > PLAY_S:
                break
            bgr = frame.to_ndarray(format="bgr24")
            if tile is not None:
                cv2.circle(bgr, (round(x), round(y)), 75, (150, 170, 200), -1)
            out.mux(made.encode(av.VideoFrame.from_ndarray(bgr, format="bgr24")))
        out.mux(made.encode(None))
    return target


def test_a_tile_that_lies_elsewhere_than_surveyed_is_told_and_taken_where_it_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The survey is from before somebody pushed the tile by 1.6 mm and 4 degrees.
    table = true_table(CLIP)
    lies = table.course.tiles[TILE]
    x, y = lies.centre_mm
    surveyed = replace(lies, centre_mm=(x - 1.6, y), rotation_deg=lies.rotation_deg - 4.0)
    table = replace(table, course=table.course.with_tile(TILE, surveyed))
    setup, rest = begun(tmp_path, table, covered(tmp_path / "still.mp4"))
    (told,) = [line for line in capsys.readouterr().out.splitlines() if "survey" in line]
    assert told.startswith("The left tile of wicket 4 lies 1.") and "4 degrees" in told
    assert off_mm(setup["layout"]["tiles"][TILE]["centre_mm"], lies.centre_mm) < 0.5
    assert rest["kind"] == "at_rest"


def test_a_tile_that_cannot_be_measured_is_told_and_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = true_table(CLIP)
    source = covered(tmp_path / "covered.mp4", table.course.tiles[TILE])
    _, rest, unseen = begun(tmp_path, table, source)
    assert (rest["kind"], unseen["kind"], unseen["pieces"]) == ("at_rest", "unseen", [TILE])
    assert "cannot measure where these lie: the left tile of wicket 4." in capsys.readouterr().out
