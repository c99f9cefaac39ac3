"""Clips under conditions: the worse video is made, the judge's counts are read, bars are held."""

import json
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest
import yaml

from benchmarks.condition_clips import CONDITIONS, made
from benchmarks.conditions import JudgeError, judge_of, judged, main, measured_once
from benchmarks.conditions_table import Row, as_text, shortfalls, total

SIZE, FRAMES = (96, 64), 60


def folder_of(clips: Path) -> Path:
    """Write a small clip's folder as the rendered ones are: a square that moves. Return it."""
    folder = clips / "square"
    folder.mkdir(parents=True)
    with av.open(str(folder / "clip.mp4"), "w") as video:
        stream = video.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in range(FRAMES):
            picture = np.full((SIZE[1], SIZE[0], 3), 90, dtype=np.uint8)
            picture[20:40, number : number + 20] = 200
            video.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        video.mux(stream.encode())
    size = {"width": SIZE[0], "height": SIZE[1]}
    frames = [{"t_s": n / 30, "hand": 20 < n < 40, "coins": {}} for n in range(FRAMES)]
    flick = {"kind": "flicked", "coin": "moons", "t_s": 1.0}
    truth = {"frames": frames, "incidents": [flick], "game": "tabletop-croquet"}
    matrix = [[70.0, 0, 48], [0, 70.0, 32], [0, 0, 1]]
    camera = {**size, "K": matrix, "distortion_k1_k2_p1_p2_k3": [0.0] * 5}
    (folder / "truth.json").write_text(json.dumps(truth))
    (folder / "facts.yaml").write_text(yaml.safe_dump({"video": size, "camera": camera}))
    return folder


def shape_and_times(path: Path) -> tuple[tuple[int, int], list[float]]:
    """Return width and height of a video and the times of its frames."""
    with av.open(str(path)) as video:
        seen = video.streams.video[0]
        size = (seen.width, seen.height)
        return size, [float(picture.time) for picture in video.decode(seen)]


@pytest.mark.parametrize("name", ["half-size", "dropped", "mjpeg"])
def test_a_worse_video_keeps_its_times(tmp_path: Path, name: str) -> None:
    folder = folder_of(tmp_path / "clips")
    (width, height), times = shape_and_times(folder / "clip.mp4")
    out = made(folder, name, tmp_path / "worse")
    size, worse = shape_and_times(out / ("clip.avi" if name == "mjpeg" else "clip.mp4"))
    assert size == ((width // 2, height // 2) if name == "half-size" else (width, height))
    nearest = [min(abs(t - before) for before in times) for t in worse]
    assert max(nearest) < 0.002
    assert (len(worse) < len(times)) == (name == "dropped")
    assert yaml.safe_load((out / "facts.yaml").read_text())["video"]["width"] == size[0]


def test_a_video_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "clips")
    out = made(folder, "crf-30", tmp_path / "worse")
    (out / "clip.mp4").write_bytes(b"as it was")
    made(folder, "crf-30", out)
    assert (out / "clip.mp4").read_bytes() == b"as it was"


def judge(folder: Path, last_line: str) -> Path:
    """Write a judge that says one line."""
    path = folder / "judge.py"
    path.write_text(f"print({last_line!r})")
    return path


def test_the_judges_counts_are_read(tmp_path: Path) -> None:
    said = "a: right 5 of 7, asked 1, silent 1, certain and wrong 2, needless questions 3"
    path = judge(tmp_path, said)
    assert judged(tmp_path / "a", tmp_path, path) == (5, 1, 1, 2, 3)
    assert said in (tmp_path / "judge.txt").read_text()
    with pytest.raises(JudgeError, match="cannot be read"):
        judged(tmp_path, tmp_path, judge(tmp_path, "FALLS SHORT: record.jsonl cannot be read"))


def test_the_judge_lies_beside_the_clips(tmp_path: Path) -> None:
    (tmp_path / "clips" / "a").mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match="--judge"):
        judge_of(tmp_path / "clips" / "a")
    path = judge(tmp_path / "clips", "")
    assert judge_of(tmp_path / "clips" / "a") == path


def row(condition: str, clip: str, right: int, **counts: int) -> Row:
    """Return a row of ten demanded incidents."""
    given = {"asked": 0, "silent": 0, "wrong": 0, "needless": 0} | counts
    return Row(condition, clip, right, 10, took_s=1.0, **given)


def test_a_total_is_held_against_its_bars() -> None:
    good = total([row("bands", "a", 10, needless=1), row("bands", "b", 10, needless=1)])
    assert shortfalls(good, 0.97) == []
    short = total([row("bands", "a", 10), row("bands", "b", 6, asked=3, silent=1, wrong=2)])
    assert (short.right, short.wanted, short.wrong) == (16, 20, 2)
    assert shortfalls(short, 0.8) == ["2 certain and wrong", "1 silent"]
    assert shortfalls(total([row("bands", "a", 10, failed=1)]), 0.8) == ["1 failed"]
    assert shortfalls(total([row("blur", "a", 7, needless=2)]), 0.8) == [
        "70 % right, 80 % demanded",
        "2 needless questions about one clip",
    ]


def test_the_table_has_a_line_for_each_run_and_a_total_for_each_condition() -> None:
    rows = [row("bands", "a", 10), row("bands", "b", 9, asked=1), row("blur", "a", 10)]
    lines = as_text(rows, {"bands": 0.97, "blur": 0.8}, "today").splitlines()
    assert [line.split()[:3] for line in lines[4:7]] == [
        ["bands", "a", "10/10"],
        ["bands", "b", "9/10"],
        ["blur", "a", "10/10"],
    ]
    assert lines[8].split() == [
        "bands",
        "all",
        "19/20",
        "1",
        "0",
        "0",
        "0",
        "2",
        "95",
        "%",
        "right,",
        "97",
        "%",
        "demanded",
    ]
    assert lines[9].split()[-1] == "ok"


def test_what_was_counted_before_is_not_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path / "clips")
    kept = tmp_path / "kept" / "bands" / "square"
    kept.mkdir(parents=True)
    (kept / "result.json").write_text(json.dumps(row("bands", "square", 9, asked=1).__dict__))
    status = main([str(folder), "--only", "bands", "--keep", str(tmp_path / "kept")])
    assert status == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[4].split()[:4] == ["bands", "square", "9/10", "1"]


def test_a_clip_that_cannot_be_refereed_is_silent_and_falls_short(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path / "clips")
    assert main([str(folder), "--only", "bands"]) == 1
    said = capsys.readouterr().out
    assert "has no picture of the pieces" in said
    assert "1 failed; 1 silent" in said


def test_an_unknown_condition_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.conditions", ".", "--only", "rain"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "rain" in done.stderr


def test_every_condition_has_a_bar() -> None:
    assert {condition.share for condition in CONDITIONS.values()} == {0.97, 0.8}


def test_what_failed_is_run_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, kept = folder_of(tmp_path / "clips"), tmp_path / "kept"
    main([str(folder), "--only", "bands", "--keep", str(kept)])
    assert not (kept / "bands" / "square" / "result.json").exists()
    assert (kept / "videos" / "bands" / "square" / "clip.mp4").exists()


def test_pieces_are_measured_once(tmp_path: Path) -> None:
    measured = []

    def measure() -> None:
        measured.append(1)
        (tmp_path / "pieces.yaml").write_text(f"run: {len(measured)}")

    for _ in range(2):
        (tmp_path / "pieces.yaml").unlink(missing_ok=True)
        measured_once("pieces.yaml", tmp_path / "kept", tmp_path, measure)
        assert (tmp_path / "pieces.yaml").read_text() == "run: 1"
