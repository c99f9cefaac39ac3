"""A session's behaviour: what it writes, asks and refuses, and what it keeps when the video breaks
off.
"""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from calibration.store.piece_store import STORED_PX, FacePatch, PieceSet, write_pieces
from referee.domain.errors import InputError
from referee.domain.geometry import Point
from referee.library.archive import COLUMNS
from referee.record.reading import read_record
from referee.replay.adjudication import summary
from referee.replay.fold import fold
from referee.session.watch_options import WatchOptions
from referee.session.watching import SourceNotes, watch
from referee.vision.overlay.video_overlay import Marks, OverlayWriter
from tests.clips.bundled import CLIPS, off_mm, options, true_table, truth_of
from tests.vision.sources.serving import sent

CLIP = "wicket-missed"
NAMES: dict[str, Point] = {
    n: (c["mm"][0], c["mm"][1]) for n, c in truth_of(CLIP)["frames"][0]["coins"].items()
}
FLICKED_S = next(i["t_s"] for i in truth_of(CLIP)["incidents"] if i["kind"] == "flicked")


def asked(folder: Path, **more: Any) -> WatchOptions:
    return options(CLIP, true_table(CLIP), folder, **{"names_mm": NAMES, **more})


def entries(folder: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for line in (folder / "record.jsonl").read_text(encoding="utf-8").splitlines()
    ]


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Marks]]:
    """Return one whole run with the names given: its folder, and what was drawn over its frames, of
    which no video is written.
    """
    folder, marks = tmp_path_factory.mktemp("played"), list[Marks]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OverlayWriter, "write", lambda _self, _bgr, drawn, _t_s: marks.append(drawn))
        assert watch(asked(folder, overlay=folder / "seen.mp4")) == 0
    return folder / "out", marks


@pytest.fixture(scope="session")
def played(run: tuple[Path, list[Marks]]) -> Path:
    """Return the folder of one whole run with the names given."""
    return run[0]


@pytest.fixture(scope="session")
def drawn(run: tuple[Path, list[Marks]]) -> list[Marks]:
    """Return what was drawn over every frame of that run."""
    return run[1]


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the clip's first second and a bit. Everything lies still, at its end under a hand."""
    target = tmp_path_factory.mktemp("short") / "short.mp4"
    with av.open(str(CLIPS / CLIP / "clip.mp4")) as source, av.open(str(target), "w") as out:
        stream = source.streams.video[0]
        copy = out.add_stream_from_template(stream)
        for packet in source.demux(stream):
            if packet.pts is not None and float(packet.pts * stream.time_base) < 1.2:
                packet.stream = copy
                out.mux(packet)
    return str(target)


def alike_pieces(folder: Path) -> Path:
    """Write a set whose coins all show the same face, so that no coin's name is sure."""
    rng = np.random.default_rng(4)
    face = FacePatch(rng.uniform(60, 200, (STORED_PX, STORED_PX, 3)).astype(np.float32), 40.0)
    write_pieces(
        folder / "pieces.yaml", PieceSet(true_table(CLIP).sizes, {name: face for name in NAMES})
    )
    return folder / "pieces.yaml"


def test_the_record_begins_with_the_match_and_where_the_coins_lie(played: Path) -> None:
    setup, first, *rest = entries(played)
    assert (setup["entry"], setup["format"], setup["game"]) == (
        "setup",
        "piecepack-match/1",
        "tabletop-croquet",
    )
    assert [p["coin"] for p in setup["players"]] == ["moons", "arms", "ace"]
    assert setup["coin_mm"] == truth_of(CLIP)["sizes"]["coin_mm"]
    assert (first["entry"], first["kind"]) == ("incident", "at_rest")
    assert set(first["coins"]) == set(NAMES)
    assert max(off_mm(first["coins"][n], NAMES[n]) for n in NAMES) < 1.5
    assert [e["kind"] for e in rest] == ["flicked", "at_rest"]
    assert (rest[0]["coin"], rest[0]["touching"]) == ("ace", [])


def test_every_incident_has_an_id_of_its_own_and_its_time_in_order(played: Path) -> None:
    incidents = entries(played)[1:]
    ids = [e["id"] for e in incidents]
    assert len(set(ids)) == len(ids) and all(isinstance(i, str) and i for i in ids)
    times = [e["t_s"] for e in incidents]
    assert all(b > a for a, b in pairwise(times))
    assert all(0 <= t < 4.3 for t in times)


def test_the_record_can_be_read_and_judged(played: Path) -> None:
    outcome = summary(fold(read_record(played / "record.jsonl")))
    assert any(c.call == "flick_began" for c in outcome.calls) or outcome.irregularities


def test_the_paths_have_their_columns_and_follow_the_flick_to_its_end(played: Path) -> None:
    with (played / "paths.csv").open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        assert (
            tuple(reader.fieldnames or ())
            == COLUMNS
            == ("flick", "coin", "t_s", "x_mm", "y_mm", "sigma_mm", "seen")
        )
        points = list(reader)
    assert {(p["flick"], p["coin"]) for p in points} == {("1", "ace")}
    assert {p["seen"] for p in points} <= {"0", "1"}
    times = [float(p["t_s"]) for p in points]
    assert times == sorted(times) and times[0] == pytest.approx(FLICKED_S, abs=0.05)
    truly = next(r for r in truth_of(CLIP)["rest"] if r["coin"] == "ace")["at_mm"]
    assert off_mm((float(points[-1]["x_mm"]), float(points[-1]["y_mm"])), truly) < 1.5
    assert all(0 < float(p["sigma_mm"]) < 3 for p in points)


def test_a_clip_of_the_flick_is_kept_and_plays(played: Path) -> None:
    (flicked,) = [e for e in entries(played) if e.get("kind") == "flicked"]
    with av.open(str(played / flicked["clip"])) as clip:
        stream = clip.streams.video[0]
        times = [float(f.pts * stream.time_base) for f in clip.decode(stream) if f.pts is not None]
        assert (stream.codec_context.width, stream.codec_context.height) == (1280, 720)
    # The clip lasts from before the flick until nothing moves. ace slides for 0.39 s.
    assert times[-1] - times[0] > 0.8
    assert len(times) > 48
    assert {e.get("clip") for e in entries(played) if e.get("kind") == "at_rest"} == {None}


def test_names_that_stay_unsure_stop_it_before_play_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch(asked(tmp_path, names_mm={}, pieces=alike_pieces(tmp_path))) == 3
    lines = [line for line in capsys.readouterr().err.splitlines() if "--name" in line]
    (line,) = lines
    assert "not sure" in line
    told = [
        any(
            f"({round(x + dx)}, {round(y + dy)}) mm" in line
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        )
        for x, y in NAMES.values()
    ]
    assert sum(told) == len(NAMES) - 1  # the last name follows from the others
    assert not (tmp_path / "out" / "record.jsonl").exists()


def test_a_name_given_by_its_place_answers_it(tmp_path: Path, short: str) -> None:
    given = {n: (x + 6.0, y - 5.0) for n, (x, y) in NAMES.items()}  # 8 mm off, as read off a ruler
    assert watch(asked(tmp_path, source=short, names_mm=given, pieces=alike_pieces(tmp_path))) == 0
    first = entries(tmp_path / "out")[1]
    assert set(first["coins"]) == set(NAMES)
    for name, at in first["coins"].items():
        assert off_mm(at, NAMES[name]) < 1.5


def test_a_name_for_a_place_that_is_not_on_the_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--name ace=900,900: this place is not on the table"):
        watch(asked(tmp_path, names_mm={"ace": (900.0, 900.0)}))


def test_two_names_for_one_coin_are_refused(tmp_path: Path, short: str) -> None:
    given = {"moons": NAMES["ace"], "arms": NAMES["ace"]}
    with pytest.raises(InputError, match="already named") as refused:
        watch(asked(tmp_path, source=short, names_mm=given))
    assert "--name" in str(refused.value) and "\n" not in str(refused.value)


def test_a_folder_with_a_record_is_refused_and_left_as_it_was(tmp_path: Path, short: str) -> None:
    assert watch(asked(tmp_path, source=short)) == 0
    before = (tmp_path / "out" / "record.jsonl").read_bytes()
    with pytest.raises(InputError, match="already holds a match record"):
        watch(asked(tmp_path, source=short))
    assert (tmp_path / "out" / "record.jsonl").read_bytes() == before


def test_resumed_a_record_grows_and_its_ids_go_on(tmp_path: Path, short: str) -> None:
    assert watch(asked(tmp_path, source=short)) == 0
    before = (tmp_path / "out" / "record.jsonl").read_bytes()
    assert watch(asked(tmp_path, resume=True)) == 0
    after = (tmp_path / "out" / "record.jsonl").read_bytes()
    assert after.startswith(before) and len(after) > len(before)
    ids = [e["id"] for e in entries(tmp_path / "out")[1:]]
    assert len(set(ids)) == len(ids) > 2
    assert [e["entry"] for e in entries(tmp_path / "out")].count("setup") == 1
    read_record(tmp_path / "out" / "record.jsonl")
    with (tmp_path / "out" / "paths.csv").open(encoding="utf-8") as lines:
        assert {row["flick"] for row in csv.DictReader(lines)} == {"1"}


def test_overwritten_a_match_begins_anew(tmp_path: Path, short: str) -> None:
    assert watch(asked(tmp_path, source=short)) == 0
    (tmp_path / "out" / "clips" / "flick-0009.mp4").write_bytes(b"old")
    assert watch(asked(tmp_path, source=short, overwrite=True)) == 0
    assert [e.get("kind", e["entry"]) for e in entries(tmp_path / "out")] == ["setup", "at_rest"]
    assert not (tmp_path / "out" / "clips" / "flick-0009.mp4").exists()


def test_a_stream_that_its_server_ends_is_a_match_that_has_ended(
    tmp_path: Path, short: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = tmp_path / "short.ts"
    with av.open(short) as source, av.open(str(stream), "w") as out:
        copy = out.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(source.streams.video[0]):
            if packet.pts is not None:
                packet.stream = copy
                out.mux(packet)
    with sent(stream.read_bytes()) as address:
        assert watch(asked(tmp_path, source=address, once=True)) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"Recorded in {tmp_path / 'out'}"
    assert [e.get("kind", e["entry"]) for e in entries(tmp_path / "out")] == ["setup", "at_rest"]


def test_a_video_that_breaks_off_is_told_and_what_was_seen_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # This is a Matroska file, which does not say when packets are to be decoded, cut in the middle
    # of a packet 3 s from its beginning.
    whole, held = tmp_path / "whole.mkv", 0
    with av.open(str(CLIPS / CLIP / "clip.mp4")) as source, av.open(str(whole), "w") as out:
        copy = out.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(source.streams.video[0]):
            if packet.pts is not None:
                held += packet.size if packet.pts * packet.time_base < 3 else 0
                packet.stream = copy
                out.mux(packet)
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole.read_bytes()[:held])
    with pytest.raises(InputError, match=r"cut\.mkv") as told:
        watch(asked(tmp_path, source=str(cut)))
    assert "\n" not in str(told.value)
    assert capsys.readouterr().out.splitlines()[-1] == f"Recorded in {tmp_path / 'out'}"
    kinds = [e.get("kind") for e in entries(tmp_path / "out")[1:]]
    assert kinds[0] == "at_rest" and "flicked" in kinds
    read_record(tmp_path / "out" / "record.jsonl")


def test_a_hand_over_a_coin_when_the_video_ends_has_not_taken_it(
    tmp_path: Path, short: str
) -> None:
    frames = [f for f in truth_of(CLIP)["frames"] if f["t_s"] < 1.2]
    assert frames[-1]["hand"] and min(c["visible"] for c in frames[-1]["coins"].values()) < 0.2
    assert watch(asked(tmp_path, source=short)) == 0
    assert {e["kind"] for e in entries(tmp_path / "out")[1:]} == {"at_rest"}
    assert all(set(e["coins"]) == set(NAMES) for e in entries(tmp_path / "out")[1:])


def test_a_table_surveyed_at_another_size_is_refused_before_anything_is_written(
    tmp_path: Path,
) -> None:
    table = true_table(CLIP)
    smaller = replace(
        table,
        view=replace(
            table.view,
            camera=replace(table.view.camera, width=640, height=360, cx_px=320.0, cy_px=180.0),
        ),
    )
    with pytest.raises(
        InputError, match=r"table\.yaml: camera: surveyed at 640x360 but .* is 1280x720"
    ):
        watch(options(CLIP, smaller, tmp_path, names_mm=NAMES))
    assert not (tmp_path / "out" / "record.jsonl").exists()


def test_a_missing_video_and_one_of_a_few_frames_are_refused(tmp_path: Path, short: str) -> None:
    with pytest.raises(InputError, match=r"nowhere\.mp4"):
        watch(asked(tmp_path, source=str(tmp_path / "nowhere.mp4")))
    blink = tmp_path / "blink.mp4"
    with av.open(short) as source, av.open(str(blink), "w") as out:
        copy = out.add_stream_from_template(source.streams.video[0])
        packets = [p for p in source.demux(source.streams.video[0]) if p.dts is not None][:4]
        for packet in packets:
            packet.stream = copy
            out.mux(packet)
    with pytest.raises(InputError, match=r"blink\.mp4"):
        watch(asked(tmp_path, source=str(blink), out=tmp_path / "blink"))


def test_a_missing_table_is_refused(tmp_path: Path, short: str) -> None:
    with pytest.raises(InputError, match=r"no-table\.yaml"):
        watch(replace(asked(tmp_path, source=short), table=tmp_path / "no-table.yaml"))


def test_what_happens_is_written_over_the_frames_at_once_and_anew_when_it_is_recorded(
    drawn: list[Marks],
) -> None:
    told = [marks.text[1:] for marks in drawn]
    first, last = told.index(("so far: ace is flicked",)), told.index(("recorded: ace is flicked",))
    assert first == pytest.approx(60 * FLICKED_S, abs=12)
    assert last > first
    assert all(words in ((), ("so far: ace is flicked",)) for words in told[:last])


def test_an_overlaid_video_has_every_frame(tmp_path: Path, short: str) -> None:
    assert watch(asked(tmp_path, source=short, overlay=tmp_path / "seen.mp4")) == 0
    with av.open(short) as source, av.open(str(tmp_path / "seen.mp4")) as seen:
        assert sum(1 for _ in seen.decode(video=0)) == sum(1 for _ in source.decode(video=0))


def test_each_kind_of_trouble_is_said_once_however_far_it_counts() -> None:
    said: list[str] = []
    notes = SourceNotes(said.append)
    notes.tell(["camera 0: damaged packets left out: 1"])
    notes.tell(["camera 0: damaged packets left out: 7"])
    notes.tell(["camera 0: damaged packets left out: 8", "camera 0: pictures in another size: 2"])
    assert said == [
        "camera 0: damaged packets left out: 1",
        "camera 0: pictures in another size: 2",
    ]
