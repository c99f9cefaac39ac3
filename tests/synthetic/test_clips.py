"""The clips in fixtures/: complete, small, and still what their scenes describe."""

import json
from itertools import pairwise
from pathlib import Path

import av
import pytest
import yaml

from benchmarks.alike_coins import without_contacts
from referee.synthetic.clip import camera_file, match_file
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene import Flick
from referee.synthetic.scenario.scene_file import read_scene
from referee.synthetic.truth import rounded

CLIPS = sorted(
    p.parent for p in (Path(__file__).parents[2] / "fixtures" / "clips").glob("*/scene.yaml")
)
NOTHING = {"hands-only", "placed-by-hand", "wicket-missed"}


@pytest.fixture(params=CLIPS, ids=lambda p: p.name)
def clip(request):
    return request.param


def test_there_are_clips_of_every_sort():
    scenes = [read_scene(c / "scene.yaml") for c in CLIPS]
    assert len(CLIPS) >= 13
    assert {c.name for c in CLIPS} >= NOTHING | {"demo"}
    assert {s.fps for s in scenes} == {30, 60}
    assert {s.wood for s in scenes} == {"oak", "walnut", "pine", "laminate"}
    assert {s.set_colours for s in scenes} == {"standard", "green-crowns", "one-colour"}
    assert min(s.sizes.coin_mm for s in scenes) < 20 < 23 < max(s.sizes.coin_mm for s in scenes)


def test_a_clip_is_whole_and_small(clip):
    names = {p.name for p in clip.iterdir()}
    assert names == {
        "scene.yaml",
        "clip.mp4",
        "truth.json",
        "camera.yaml",
        "match.yaml",
        "pieces.jpg",
    }
    assert sum(p.stat().st_size for p in clip.iterdir()) < (
        1_500_000 if clip.name in ("demo", "demo-carroms", "demo-castle", "castle") else 600_000
    )


def test_its_truth_is_what_its_scene_makes_happen(clip):
    truth, scene = json.loads((clip / "truth.json").read_text()), read_scene(clip / "scene.yaml")
    timeline = play_scene(scene)
    for key, told in (
        ("incidents", timeline.incidents),
        ("near_misses", timeline.near_misses),
        ("rest", timeline.rest),
    ):
        assert len(truth[key]) == len(told)
        for kept, now in zip(truth[key], told, strict=True):
            assert kept.keys() == now.keys()
            assert all(
                value == pytest.approx(rounded(now[name], 5), abs=1e-3)
                for name, value in kept.items()
                if name not in ("from", "to")
            )
    assert yaml.safe_load((clip / "camera.yaml").read_text()) == camera_file(scene)
    assert yaml.safe_load((clip / "match.yaml").read_text()) == match_file(scene)


def test_the_video_has_a_frame_for_every_frame_of_the_truth(clip):
    truth = json.loads((clip / "truth.json").read_text())
    with av.open(str(clip / "clip.mp4")) as container:
        stream = container.streams.video[0]
        times = sorted(
            float(p.pts * stream.time_base) for p in container.demux(stream) if p.pts is not None
        )
        assert (stream.codec_context.width, stream.codec_context.height) == (
            truth["camera"]["width"],
            truth["camera"]["height"],
        )
    assert times == pytest.approx([f["t_s"] for f in truth["frames"]], abs=1e-4)


def test_between_actions_all_is_still_for_a_while(clip):
    scene = read_scene(clip / "scene.yaml")
    visits = play_scene(scene).visits
    assert visits[0].begin_s >= 0.3
    assert all(b.begin_s - a.end_s >= 0.2 for a, b in pairwise(visits))
    truth = json.loads((clip / "truth.json").read_text())
    alone = [f["t_s"] for f in truth["frames"] if not f["hand"]]
    shortest = min(b.begin_s - a.end_s for a, b in pairwise(visits)) if len(visits) > 1 else 1.0
    assert shortest >= 0.4
    assert scene.length_s - alone[-1] < 0.1


def test_where_nothing_should_happen_nothing_does():
    for name in NOTHING:
        truth = json.loads((CLIPS[0].parent / name / "truth.json").read_text())
        assert {i["kind"] for i in truth["incidents"]} <= {"placed", "flicked"}
    missed = json.loads((CLIPS[0].parent / "wicket-missed" / "truth.json").read_text())
    (near,) = [n for n in missed["near_misses"] if n["kind"] == "line_crossed"]
    assert near["short_by_mm"] == pytest.approx(5.0, abs=1.0)


def test_what_happens_in_the_clips_is_clear(clip):
    """No incident of a clip is so close that a careful camera could miss it. Nothing that nearly
    happened is closer than 2 mm.
    """
    truth = json.loads((clip / "truth.json").read_text())
    if truth["game"] == "carroms":  # no rule asks about the contacts in a break
        truth = without_contacts(truth)
    for fact in truth["incidents"]:
        if "margin_mm" in fact:
            assert fact["margin_mm"] > 2.0
    assert all(n.get("gap_mm", n.get("short_by_mm")) > 2.0 for n in truth["near_misses"])
    assert len([a for a in read_scene(clip / "scene.yaml").actions if isinstance(a, Flick)]) == len(
        [i for i in truth["incidents"] if i["kind"] == "flicked"]
    )
