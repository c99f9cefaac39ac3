"""Clips with an end or a gap in mid-flick: what is cut out, and what counts as claimed unseen."""

import json
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from benchmarks.clip_folder import ReadyClip
from benchmarks.ends_and_gaps import Row, as_text, counted, match_in_turn, shortfalls, turns_ended
from benchmarks.gap_clips import copied, cuts, first_slide, gaps, half_grey, sliding_frames
from benchmarks.worsened import Filmed
from calibration.lens.camera import Camera

FRAME_S = 0.1
SCENE = Filmed(Camera(64, 48, 50.0, 50.0, 32.0, 24.0), 5.9, 0.5, 3.0, 1.0)


def frame(number: int) -> dict[str, Any]:
    """Return a frame of a truth: moons slides from 1.0 s to 1.5 s and from 3.0 s to 3.2 s."""
    slides = 10 <= number <= 15 or 30 <= number <= 32
    coin = {
        "t_seen_s": number * FRAME_S,
        "mm": [0.0, 0.0],
        "speed_mm_s": 400.0 if slides else 0.0,
        "visible": 1.0,
        "state": "sliding" if slides else "rest",
    }
    return {"t_s": number * FRAME_S, "hand": False, "coins": {"moons": coin}}


CROSSED = {"kind": "line_crossed", "coin": "moons", "line": "wicket-1", "direction": "outward"}
TRUTH: dict[str, Any] = {
    "frames": [frame(number) for number in range(60)],
    "incidents": [
        {"kind": "flicked", "coin": "moons", "t_s": 0.98},
        {**CROSSED, "t_s": 1.2, "margin_mm": 30.0},
        {"kind": "contact", "coin": "moons", "with": "suns", "t_s": 1.4, "closing_mm_s": 500.0},
        {"kind": "flicked", "coin": "suns", "t_s": 3.0},
    ],
    "tile_contacts": [],
    "near_misses": [],
}
CLIP = ReadyClip("a", Path("clip.mp4"), "tabletop-croquet", *[Path()] * 3, {}, (), TRUTH)


def video(path: Path, frames: int = 60) -> Path:
    """Write a small video whose pictures get brighter, without reordering. Return its path."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=10, options={"bf": "0"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(frames):
            picture = np.full((48, 64, 3), 40 + 3 * number, dtype=np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        out.mux(stream.encode())
    return path


def shown(path: Path) -> dict[float, float]:
    """Return the brightness of the lower half of each picture of a video, by its time."""
    with av.open(str(path)) as source:
        return {
            round(float(picture.time), 3): float(picture.to_ndarray(format="gray")[30:].mean())
            for picture in source.decode(video=0)
        }


def test_only_frames_in_which_a_coin_slides_are_cut_at() -> None:
    assert sliding_frames(TRUTH) == [10, 11, 12, 13, 14, 15, 30, 31, 32]
    assert first_slide(TRUTH) == [10, 11, 12, 13, 14, 15]
    third = cuts(TRUTH, 3)
    assert [gap.name for gap in third] == ["cut-12", "cut-15", "cut-32"]
    assert [gap.from_s for gap in third] == pytest.approx([1.3, 1.6, 3.3])


def test_a_cut_video_ends_with_the_frame_it_was_cut_after(tmp_path: Path) -> None:
    whole = video(tmp_path / "whole.mp4")
    cut = cuts(TRUTH, 3)[0]
    cut.make(whole, tmp_path / "cut.mp4", SCENE)
    assert shown(tmp_path / "cut.mp4") == {
        t: bright for t, bright in shown(whole).items() if t <= 1.2
    }


def test_gaps_lie_in_the_middle_of_the_first_slide(tmp_path: Path) -> None:
    whole = video(tmp_path / "whole.mp4")
    missing, *_, grey = gaps(TRUTH)
    missing.make(whole, tmp_path / "missing.mp4", SCENE)
    times = sorted(shown(tmp_path / "missing.mp4"))
    assert [(a, b) for a, b in pairwise(times) if b - a > 0.15] == [(1.2, 3.3)]
    grey.make(whole, tmp_path / "grey.mp4", SCENE)
    before, after = shown(whole), shown(tmp_path / "grey.mp4")
    changed = [t for t, bright in after.items() if abs(bright - before[t]) > 10]
    assert changed == [1.3, 1.4, 1.5]


def test_lost_packets_are_left_out(tmp_path: Path) -> None:
    whole = video(tmp_path / "whole.mp4", 20)
    copied(whole, tmp_path / "lost.mp4", lambda number: number not in (5, 6, 7))
    with av.open(str(tmp_path / "lost.mp4")) as source:
        assert sum(packet.pts is not None for packet in source.demux(video=0)) == 17


def test_the_lower_half_of_a_picture_is_grey() -> None:
    half = half_grey(np.zeros((48, 64, 3), dtype=np.uint8))
    assert (half[:24].max(), half[24:].min(), half[24:].max()) == (0, 128, 128)


def told(kind: str, t_s: float, **fields: object) -> dict[str, Any]:
    """Return an incident of a record."""
    return {"entry": "incident", "kind": kind, "t_s": t_s, **fields}


FLICKED = told("flicked", 1.02, coin="moons")
CROSSING = {**told("line_crossed", 1.21), **{k: v for k, v in CROSSED.items() if k != "kind"}}


def test_what_was_told_three_frames_before_a_cut_is_right() -> None:
    record = [FLICKED, CROSSING]
    late = counted(CLIP, cuts(TRUTH, 3)[1], record, turns=0)  # ends at 1.6 s: both are due by 1.3 s
    assert (late.right, late.wanted, late.sliding, late.turns, late.invented) == (2, 2, 0, 0, 0)
    early = counted(CLIP, cuts(TRUTH, 3)[0], [FLICKED], turns=0)  # ends at 1.3 s: the flick is due
    assert (early.right, early.wanted) == (1, 1)
    unsure = counted(CLIP, cuts(TRUTH, 3)[1], [FLICKED, {**CROSSING, "probability": 0.6}], turns=0)
    assert (unsure.right, unsure.wanted, unsure.invented) == (1, 2, 0)


def test_a_coin_at_rest_that_slides_and_a_certain_invention_are_counted() -> None:
    record = [
        FLICKED,
        told("contact", 1.25, coin="moons", **{"with": "crowns"}),
        told("at_rest", 1.3, coins={"moons": [0, 0], "suns": [9, 9]}),
        told("left_table", 1.3, coin="moons", probability=0.5),
    ]
    row = counted(CLIP, cuts(TRUTH, 3)[0], record, turns=1)
    assert (row.sliding, row.invented, row.turns) == (1, 1, 1)
    assert Row(**json.loads(json.dumps(asdict(row)))) == row  # as a later run reads it


def test_a_contact_told_the_wrong_way_round_is_not_right() -> None:
    reverse = told("contact", 1.4, coin="suns", **{"with": "moons"})
    row = counted(CLIP, cuts(TRUTH, 1)[6], [FLICKED, CROSSING, reverse], turns=0)
    assert (row.right, row.wanted, row.invented) == (2, 3, 1)


def test_a_turn_may_pass_over_a_gap_only_when_all_was_told() -> None:
    missing = gaps(TRUTH)[0]
    touched = told("contact", 1.41, coin="moons", **{"with": "suns"})
    assert counted(CLIP, missing, [FLICKED, CROSSING, touched], turns=1).turns == 0
    assert counted(CLIP, missing, [FLICKED, CROSSING], turns=1).turns == 1


def test_players_stand_in_the_order_of_the_flicks(tmp_path: Path) -> None:
    given = tmp_path / "match.yaml"
    given.write_text(
        "game: tabletop-croquet\nplayers:\n- {name: A, coin: arms}\n- {name: B, coin: suns}\n"
        "- {name: C, coin: moons}\n"
    )
    text = match_in_turn(given, TRUTH, tmp_path / "in-turn.yaml").read_text()
    assert [text.index(coin) for coin in ("moons", "suns", "arms")] == sorted(
        text.index(coin) for coin in ("moons", "suns", "arms")
    )
    assert text.count("progress: 1") == 3


RECORD = """\
{"entry": "setup", "format": "piecepack-match/1", "game": "tabletop-croquet", "players": \
[{"name": "A", "coin": "moons", "progress": 1}, {"name": "B", "coin": "suns", "progress": 1}]}
{"entry": "incident", "kind": "at_rest", "t_s": 0.5, "coins": {"moons": [300, 0], "suns": [0, 0]}}
{"entry": "incident", "kind": "flicked", "t_s": 1.0, "coin": "moons"}
{"entry": "incident", "kind": "at_rest", "t_s": 1.6, "coins": {"moons": [330, 0], "suns": [0, 0]}}
"""


def test_a_turn_that_ends_with_an_at_rest_is_counted_in_its_time(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(RECORD)
    assert turns_ended(path, 1.0, 3.0) == 1
    assert turns_ended(path, 3.0, 9.0) == 0


def test_the_table_tells_what_falls_short() -> None:
    good = Row("a", "cut-12", right=9, wanted=10)
    assert shortfalls([good, Row("a", "missing", right=0, wanted=3)]) == []
    bad = [
        good,
        Row("a", "cut-15", right=8, wanted=10, sliding=1, turns=1),
        Row("a", "grey", note="?"),
    ]
    assert shortfalls(bad) == [
        "1 sliding coins at rest",
        "1 turns passed",
        "1 runs failed",
        "17 of 20 before a cut certain and right, 90 % demanded",
    ]
    assert "17 of 20" in as_text(bad, "today")
