"""What is drawn over a clip lies where the clip shows it. A bundled clip's truth says where."""

from __future__ import annotations

import json
from pathlib import Path

import av
import msgspec
import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from referee.desk.messages import ClipOutlines
from referee.session.recording.clip_outlines import ClipPictures, SeenViews
from referee.session.watching import watch
from tests.clips.bundled import options, true_table, true_view, truth_of

CLIP = "pass-and-hit"
#: As far as a coin in motion is measured wrongly here at most, px. The coin is some 20 px wide.
OFF_PX = 1.5


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that a run over the clip wrote."""
    folder = tmp_path_factory.mktemp("outlined")
    names = {n: tuple(c["mm"]) for n, c in truth_of(CLIP)["frames"][0]["coins"].items()}
    assert watch(options(CLIP, true_table(CLIP), folder, names_mm=names)) == 0
    return folder / "out"


@pytest.fixture(scope="module")
def outlines(kept: Path) -> ClipOutlines:
    file = kept / "clips" / "flick-0001.outlines.json"
    return msgspec.json.decode(file.read_bytes(), type=ClipOutlines)


def test_a_player_shows_each_picture_at_the_time_that_the_outlines_give(
    kept: Path, outlines: ClipOutlines
) -> None:
    with av.open(str(kept / "clips" / "flick-0001.mp4")) as clip:
        shown_s = [frame.time for frame in clip.decode(video=0)]
    assert len(shown_s) == len(outlines.frames_s)
    assert outlines.frames_s == pytest.approx(shown_s, abs=0.002)
    assert (outlines.width_px, outlines.height_px) == (1280, 720)


def test_paths_and_lines_are_where_the_true_camera_sees_them(outlines: ClipOutlines) -> None:
    view, truth = true_view(CLIP), truth_of(CLIP)
    true_px = {
        round(coin["t_seen_s"], 3): view.to_image(np.array([coin["mm"]]))[0]
        for frame in truth["frames"]
        for name, coin in frame["coins"].items()
        if name == "suns" and coin["mm"] is not None
    }
    seen = [
        (true_px[round(t_s + outlines.from_s, 3)], (x, y))
        for t_s, x, y, was_seen in outlines.paths["suns"]
        if was_seen
    ]
    assert len(seen) > 10
    assert max(float(np.hypot(*(a - np.array(b)))) for a, b in seen) < OFF_PX
    line = next(line for line in truth["lines"] if line["line"] == "wicket-1")
    ends = view.to_image(np.array([line["left_mm"], line["right_mm"]]))
    drawn = np.array(outlines.views[0].lines["wicket-1"])
    assert np.abs(drawn[[0, -1]] - ends).max() < 0.5


def test_at_a_crossing_the_coin_is_outlined_on_the_line(kept: Path, outlines: ClipOutlines) -> None:
    entries = [json.loads(line) for line in (kept / "record.jsonl").read_text().splitlines()]
    (crossed,) = (e for e in entries if e.get("line") == "wicket-1")
    outline = outlines.incidents[crossed["id"]]["suns"]
    (a, b), centre = np.array(outlines.views[0].lines["wicket-1"])[[0, -1]], outline.centre[0]
    along, to = b - a, np.array(centre) - a
    off_px = abs(along[0] * to[1] - along[1] * to[0]) / np.hypot(*along)
    assert off_px < 0.5
    assert np.array(outline.foot).mean(axis=0) == pytest.approx(centre, abs=0.5)
    # the upper side is nearer to the camera, which looks from below the picture: it stands higher
    assert np.array(outline.rim)[:, 1].mean() < np.array(outline.foot)[:, 1].mean()


def view_from(height_mm: float) -> TableView:
    return TableView(
        Camera(640, 480, 500.0, 500.0, 320.0, 240.0),
        np.diag([1.0, -1.0, -1.0]),
        np.array([0.0, 0.0, height_mm]),
    )


def test_the_view_of_a_picture_is_the_last_one_that_began_before_it() -> None:
    views, low, high = SeenViews(), view_from(500.0), view_from(900.0)
    for t_s, view in ((1.0, low), (1.1, low), (1.2, high), (1.3, high), (1.4, low)):
        views.add(t_s, view)
    assert [t_s for t_s, _ in views.between(1.1, 1.3)] == [1.0, 1.2]
    pictures = ClipPictures(1.1, (1.1, 1.2, 1.3), views.between(1.1, 1.3))
    assert [pictures.view_at(t_s) for t_s in (1.15, 1.2, 1.25)] == [low, high, high]
