"""The table of clips: bars, the summary, clips that could not be refereed, and the two layouts of a
clip's folder.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from benchmarks.clip_folder import clip_folders, made_ready
from benchmarks.clips import Runner, run_clip
from benchmarks.clips_table import as_text
from benchmarks.compare import Compared
from benchmarks.measured import Measured, failed, pooled
from benchmarks.places import Moving
from calibration.store.store import read_camera
from referee.session.match_file import read_match

GOOD = Measured(
    "good",
    60,
    Compared(3, 3, 0, 0, (0.1, 0.3), (0.02,), ()),
    np.array([0.2, 0.6]),
    Moving(np.array([1.0, 1.0]), np.array([0.8, 1.2]), 9, 10),
    np.array([0.1, 0.2]),
    np.array([0.3]),
    np.array([0.001]),
    12.0,
)

FACTS = {
    "game": "tabletop-croquet",
    "left_endpost": "right in the picture",
    "wicket_3_on_the_side": "far from the camera",
    "tile_mm": 50.8,
    "tile_thickness_mm": 5.0,
    "coin_mm": 22.0,
    "coin_thickness_mm": 4.0,
    "coins_on_the_table": ["2", "arms", "moons"],
    "video": {"width": 1280, "height": 720, "fps": 60, "exposure_s": 0.008, "frames": 240},
    "camera": {
        "width": 1280,
        "height": 720,
        "K": [[914.0, 0.0, 642.7], [0.0, 915.0, 357.1], [0.0, 0.0, 1.0]],
        "distortion_k1_k2_p1_p2_k3": [-0.1, 0.03, 0.0006, -0.0004, 0.0],
    },
}


def facts_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "clip"
    folder.mkdir()
    (folder / "facts.yaml").write_text(yaml.safe_dump(FACTS), encoding="utf-8")
    (folder / "truth.json").write_text(json.dumps({"game": "tabletop-croquet"}), encoding="utf-8")
    (folder / "pieces.png").write_bytes(b"")
    return folder


def test_a_clip_within_the_bars_is_good() -> None:
    assert GOOD.shortfalls() == []
    assert pooled([GOOD]).shortfalls() == []
    assert "nothing falls short" in as_text([GOOD], "today")


@pytest.mark.parametrize(
    "short",
    [
        replace(GOOD, rest_mm=np.array([0.71, 0.71])),
        replace(GOOD, rest_mm=np.array([0.1, 0.1, 1.51])),
        replace(GOOD, rest_mm=np.empty(0)),
        replace(GOOD, moving=replace(GOOD.moving, errors_mm=np.array([2.1, 2.1]))),
        replace(GOOD, moving=replace(GOOD.moving, seen_frames=7)),
        replace(GOOD, notes=("names asked",)),
        replace(GOOD, compared=replace(GOOD.compared, shortfalls=("missing: a hit",))),
        failed("good", "calibrate table: status 2: no tiles", 3.0),
    ],
)
def test_each_bar_can_be_missed(short: Measured) -> None:
    assert len(short.shortfalls()) == 1
    text = as_text([GOOD, short], "today")
    assert short.shortfalls()[0] in text
    assert text.count("SHORT") + text.count("FAILED") == 2  # the clip and the summary


@pytest.mark.parametrize(
    "short",
    [
        replace(GOOD, compared=replace(GOOD.compared, off_frames=(0.6, 0.6))),
        replace(GOOD, moving=replace(GOOD.moving, normalised=np.array([1.6]))),
        replace(GOOD, moving=replace(GOOD.moving, normalised=np.array([0.6]))),
    ],
)
def test_averages_are_judged_over_all_clips(short: Measured) -> None:
    assert short.shortfalls() == []
    assert len(pooled([short]).shortfalls()) == 1


def test_the_summary_adds_up() -> None:
    both = pooled(
        [
            GOOD,
            replace(GOOD, compared=replace(GOOD.compared, demanded=5, certain=4, invented=2)),
            failed("broken", "why", 1.0),
        ]
    )
    assert (both.compared.certain, both.compared.demanded, both.compared.invented) == (7, 8, 2)
    assert both.seen_share == 0.9
    assert both.took_s == 25.0


def test_facts_become_camera_match_and_options(tmp_path: Path) -> None:
    clip = made_ready(facts_folder(tmp_path), tmp_path)
    camera = read_camera(clip.camera)
    assert (camera.fx_px, camera.fy_px, camera.cx_px, camera.cy_px, camera.exposure_s) == (
        914.0,
        915.0,
        642.7,
        357.1,
        0.008,
    )
    assert camera.distortion == (-0.1, 0.03, 0.0006, -0.0004, 0.0)
    assert read_match(clip.match).coins == ("moons", "arms", "2")
    assert clip.options == ("--left-endpost", "right", "--mirror")
    assert clip.size_options == (
        "--tile-mm",
        "50.8",
        "--tile-thickness-mm",
        "5",
        "--coin-mm",
        "22",
        "--coin-thickness-mm",
        "4",
    )


def test_our_own_layout_is_taken_as_it_is(tmp_path: Path) -> None:
    folder = Path(__file__).parents[2] / "fixtures" / "clips" / "turned-course"
    clip = made_ready(folder, tmp_path)
    assert clip.options == ("--left-endpost", "right", "--mirror")
    assert clip.camera == folder / "camera.yaml"
    assert list(tmp_path.iterdir()) == []


def test_clips_are_found_one_by_one_or_by_the_folder(tmp_path: Path) -> None:
    folder = facts_folder(tmp_path)
    assert clip_folders([tmp_path]) == clip_folders([folder]) == [folder]
    with pytest.raises(FileNotFoundError, match="holds no clip"):
        clip_folders([tmp_path / "elsewhere"])


def test_a_clip_that_cannot_be_refereed_is_a_line_and_no_crash(tmp_path: Path) -> None:
    row = run_clip(facts_folder(tmp_path), tmp_path / "work", Runner())
    assert not row.ran
    assert row.shortfalls()[0].startswith("calibrate pieces: status 2: ")
    (tmp_path / "clip" / "pieces.png").unlink()
    assert (
        "has no picture of the pieces"
        in run_clip(tmp_path / "clip", tmp_path / "work", Runner()).shortfalls()[0]
    )
