"""Unusable input is refused as a user sees it: exit status 2, one line on standard error that names
it, and nothing recorded is lost.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
import yaml

from benchmarks.clip_folder import made_ready
from benchmarks.true_survey import true_survey
from calibration.store.store import read_camera, write_table
from calibration.store.yaml_input import read_yaml
from referee import cli
from tests.commands.processes import IN_BACKGROUND, IN_TERMINAL, running

CLIP = Path(__file__).resolve().parents[2] / "fixtures" / "clips" / "pass-and-hit"
VIDEO, MATCH, CAMERA = CLIP / "clip.mp4", CLIP / "match.yaml", CLIP / "camera.yaml"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the clip's true table, like a survey."""
    folder = tmp_path_factory.mktemp("table")
    ready = made_ready(CLIP, folder)
    write_table(
        folder / "table.yaml", true_survey(ready.truth, read_camera(ready.camera), ready.sizes_mm)
    )
    return folder / "table.yaml"


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Run a command that must be refused. Return its one line."""

    def run(*words: object) -> str:
        try:
            status: object = cli.run([str(word) for word in words])
        except SystemExit as end:
            status = end.code
        assert status == 2
        err = capfd.readouterr().err
        assert err.count("\n") == 1, err
        return err.rstrip("\n")

    return run


def watch_words(
    source: object, table: Path, out: Path, *more: object, match: Path = MATCH
) -> list[object]:
    return ["watch", source, "--match", match, "--table", table, "--out", out, "--no-ui", *more]


def first_frames(video: Path, count: int) -> Path:
    """Write the clip's first frames as an AVI of still pictures."""
    frames = cv2.VideoCapture(str(VIDEO))
    written = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 60.0, (1280, 720))
    for _ in range(count):
        written.write(frames.read()[1])
    written.release()
    return video


def coin_words() -> list[str]:
    """Return where the coins lie, according to the scene that made the clip."""
    return [
        word
        for coin, (x, y) in read_yaml(CLIP / "scene.yaml")["coins"].items()
        for word in ("--name", f"{coin}={x},{y}")
    ]


def test_sources_that_give_no_video(refused, table: Path, tmp_path: Path) -> None:
    head = tmp_path / "head.mp4"
    head.write_bytes(VIDEO.read_bytes()[:60_000])
    for source, what in [
        (tmp_path / "none.mp4", "no such file"),
        (CLIP, "a folder, not a video"),
        (MATCH, "not a video that can be read"),
        (head, "not a video that can be read"),
        ("http://127.0.0.1:9/stream", "the stream cannot be read"),
    ]:
        assert refused(*watch_words(source, table, tmp_path / "out")).startswith(
            f"{source}: {what}"
        )
    assert not (tmp_path / "out" / "record.jsonl").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="cameras are files there only")
def test_a_camera_that_is_not_there(refused, table: Path, tmp_path: Path) -> None:
    assert (
        refused(*watch_words("97", table, tmp_path / "out"))
        == "camera 97: there is no /dev/video97; is the camera plugged in?"
    )


def test_a_picture_is_no_video(refused, table: Path, tmp_path: Path) -> None:
    camera = read_camera(CAMERA)
    still = tmp_path / "still.png"
    assert cv2.imwrite(str(still), np.full((camera.height, camera.width, 3), 128, np.uint8))
    assert (
        refused(*watch_words(still, table, tmp_path / "out"))
        == f"{still}: is a single picture, not a video"
    )


def test_a_video_cut_in_the_middle_keeps_what_was_seen_of_it(
    refused, table: Path, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    whole, cut, out = tmp_path / "clip.mp4", tmp_path / "cut.mp4", tmp_path / "out"
    with (
        av.open(str(VIDEO)) as given,
        av.open(str(whole), "w", options={"movflags": "faststart"}) as written,
    ):
        stream = written.add_stream_from_template(given.streams.video[0])
        for packet in given.demux(video=0):
            if packet.size:
                packet.stream = stream
                written.mux(packet)
    cut.write_bytes(
        whole.read_bytes()[: int(0.8 * whole.stat().st_size)]
    )  # after the hit at 1.58 s of 4 s
    line = refused(*watch_words(cut, table, out, *coin_words()))
    assert line.startswith(f"{cut}: cut short: it breaks off after 1.8")
    kinds = [
        json.loads(entry).get("kind") for entry in (out / "record.jsonl").read_text().splitlines()
    ]
    assert kinds[:5] == [None, "at_rest", "flicked", "line_crossed", "contact"]


def test_a_record_cut_in_a_line_is_refused_by_adjudicate_and_goes_on_when_resumed(
    refused, table: Path, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    out, begin = tmp_path / "out", first_frames(tmp_path / "begin.avi", 40)
    out.mkdir()
    record = out / "record.jsonl"
    setup = {"entry": "setup", "format": "piecepack-match/1", **yaml.safe_load(MATCH.read_text())}
    record.write_text(json.dumps(setup) + '\n{"entry": "incident", "kind": "flic')
    assert (
        refused("adjudicate", record)
        == f"{record}: line 2: json: the record is cut off in the middle of its last line"
    )
    other = tmp_path / "other.yaml"
    other.write_text(MATCH.read_text().replace("name: Ann", "name: Zoe"))
    line = refused(*watch_words(VIDEO, table, out, "--resume", match=other))
    assert line.startswith(
        f"{record}: line 1: players: the record is of tabletop-croquet by Ann (moons)"
    )
    assert record.read_text().endswith('"flic'), "a refusal leaves the record as it was"
    assert (
        cli.run([str(word) for word in watch_words(begin, table, out, "--resume", *coin_words())])
        == 0
    )
    lines = record.read_text().splitlines()
    assert json.loads(lines[0]) == setup
    assert json.loads(lines[1])["kind"] == "at_rest"
    assert (out / "record.jsonl.cut").read_text() == '{"entry": "incident", "kind": "flic\n'


def test_a_record_is_not_thrown_away_for_something_that_cannot_be_watched(
    refused, table: Path, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    record = tmp_path / "record.jsonl"
    record.write_text("{}\n")
    assert "already holds a match record" in refused(*watch_words(VIDEO, table, tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = [
            "watch",
            VIDEO,
            "--match",
            MATCH,
            "--table",
            table,
            "--out",
            tmp_path,
            "--overwrite",
            "--no-browser",
            "--port",
            port,
        ]
        assert refused(*words).startswith(f"port {port}: another program already uses this port")
    refused(*watch_words(tmp_path / "none.mp4", table, tmp_path, "--overwrite"))
    assert record.read_text() == "{}\n"


def test_a_folder_that_cannot_be_written(refused, table: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert (
        refused(*watch_words(VIDEO, table, tmp_path / "file"))
        == f"{tmp_path / 'file'}: is a file, not a folder"
    )
    assert refused(*watch_words(VIDEO, table, tmp_path / "file" / "below")).startswith(
        f"{tmp_path / 'file' / 'below'}: cannot be written ("
    )


def test_an_overlay_that_cannot_be_is_refused_before_anything_is_done(
    refused, table: Path, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    out, mine = tmp_path / "out", tmp_path / "clip.mp4"
    shutil.copy(VIDEO, mine)
    (tmp_path / "folder.mp4").mkdir()
    for overlay, what in [
        (tmp_path / "x.foo", "is not a kind of video that can be written (.mp4, .m4v, .mov, .mkv)"),
        (tmp_path / "x", "is not a kind of video that can be written (.mp4, .m4v, .mov, .mkv)"),
        (tmp_path / "folder.mp4", "a folder, not a file"),
        (mine, "is the video that is watched, and would be overwritten"),
        (mine / "x.mp4", f"{mine} is a file, not a folder"),
    ]:
        assert (
            refused(*watch_words(mine, table, out, "--overlay", overlay))
            == f"--overlay {overlay}: {what}"
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clip.mp4", "folder.mp4"]
    assert mine.read_bytes() == VIDEO.read_bytes()


def test_a_run_that_is_refused_leaves_no_folder(refused, table: Path, tmp_path: Path) -> None:
    refused(*watch_words(tmp_path / "none.mp4", table, tmp_path / "new" / "out"))
    refused(*watch_words(VIDEO, table, tmp_path / "new" / "out", "--name", "suns=0,9000"))
    assert list(tmp_path.iterdir()) == []


def test_a_name_for_a_place_off_the_table(refused, table: Path, tmp_path: Path) -> None:
    line = refused(*watch_words(VIDEO, table, tmp_path, "--name", "suns=0,9000"))
    assert line == "--name suns=0,9000: this place is not on the table"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("options: {}", "options: {}\ncolour: red", "colour: no such field"),
        (
            "options: {}",
            "options: {poisson: true}",
            "options.poisson: is not an option of tabletop-croquet",
        ),
        ("options: {}", "options: {poison: 7}", "options.poison: is 7, but must be true or false"),
        ("options: {}", "options: 5", "options: must hold fields"),
        ("coin: suns", "coin: sun", "players[1].coin: 'sun' is not a coin"),
        ("name: Ann", "name: 12", "players[0].name: 12 is not text"),
        (
            "game: tabletop-croquet",
            "game: chess",
            "game: 'chess' is not a game that can be watched",
        ),
        ("game: tabletop-croquet", "game: [chess", "line 2: "),
    ],
)
def test_match_yaml(refused, table: Path, tmp_path: Path, old: str, new: str, line: str) -> None:
    match = tmp_path / "match.yaml"
    match.write_text(MATCH.read_text().replace(old, new, 1))
    assert refused(*watch_words(VIDEO, table, tmp_path, match=match)).startswith(f"{match}: {line}")


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("colour", "red", "colour: unknown key"),
        ("residual_mm", "small", "residual_mm: must be a number, not 'small'"),
        ("edge", 5, "edge: must be a list, not 5"),
        (
            "game",
            "carroms",
            "game: this table was surveyed for carroms, but the match is of tabletop-croquet",
        ),
        ("camera.width", 1920, "camera: surveyed at 1920x720 but "),
        ("camera.wide", 1920, "camera.wide: unknown key"),
        (
            "tiles.wicket-3-links",
            {"centre_mm": [0, 0], "rotation_deg": 0},
            "tiles.wicket-3-links: is not a tile of the course of tabletop-croquet",
        ),
        ("tiles.wicket-3-left", None, "tiles.wicket-3-left: is missing"),
    ],
)
def test_table_yaml(
    refused, table: Path, tmp_path: Path, field: str, value: object, line: str
) -> None:  # type: ignore[no-untyped-def]
    plain = yaml.safe_load(table.read_text())
    *way, last = field.split(".")
    inner = plain[way[0]] if way else plain
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    changed = tmp_path / "table.yaml"
    changed.write_text(yaml.safe_dump(plain, sort_keys=False))
    assert refused(*watch_words(VIDEO, changed, tmp_path)).startswith(f"{changed}: {line}")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("coin_mm: wide", "coin_mm: 'wide' is not a number of millimetres"),
        ("colour: red", "colour: unknown key"),
        ("faces: {moon: {seen_px: 40, png: abc}}", "faces.moon: is not a coin"),
        ("faces: {moons: {seen_px: 40, png: abc}}", "faces.moons.png: is not a picture in base64"),
    ],
)
def test_pieces_yaml(refused, table: Path, tmp_path: Path, text: str, line: str) -> None:
    pieces = tmp_path / "pieces.yaml"
    pieces.write_text(text)
    assert refused(*watch_words(VIDEO, table, tmp_path, "--pieces", pieces)).startswith(
        f"{pieces}: {line}"
    )


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("colour", "red", "colour: unknown key"),
        ("fx_px", "wide", "fx_px: must be a number, not 'wide'"),
        ("height", 0, "height: must be a whole number above 0, not 0"),
        ("distortion", [1, 2], "distortion: must be a list of 5 numbers"),
    ],
)
def test_camera_yaml(refused, tmp_path: Path, field: str, value: object, line: str) -> None:
    camera = tmp_path / "camera.yaml"
    camera.write_text(yaml.safe_dump({**yaml.safe_load(CAMERA.read_text()), field: value}))
    words = [
        "calibrate",
        "table",
        VIDEO,
        "--game",
        "tabletop-croquet",
        "--camera",
        camera,
        "--out",
        tmp_path / "table.yaml",
    ]
    assert refused(*words).startswith(f"{camera}: {line}")


def test_a_board_without_squares(refused, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for squares in ("0x0", "9x2", "9", "9x-6"):
        assert refused(
            "calibrate", "sheet", "--out", tmp_path / "board.pdf", "--squares", squares
        ).startswith("--squares")


def test_pictures_no_table_can_be_found_in(refused, tmp_path: Path) -> None:
    bare, damaged, out = tmp_path / "bare.png", tmp_path / "damaged.png", tmp_path / "table.yaml"
    assert cv2.imwrite(
        str(bare), np.random.default_rng(1).integers(100, 110, (360, 640, 3), dtype=np.uint8)
    )
    damaged.write_bytes(bare.read_bytes()[:5000])
    for source, game, line in [
        (bare, "tabletop-croquet", f"{bare}: no tiles found"),
        (damaged, "tabletop-croquet", f"{damaged}: is not a PNG or JPEG picture, or is damaged"),
        (tmp_path, "tabletop-croquet", f"{tmp_path}: a folder, not a file"),
        (bare, "carroms", f"{bare}: no tiles found"),
        (
            bare,
            "chess",
            "--game chess: is not a game whose course can be surveyed (tabletop-croquet,"
            " castle-croquetnole, carroms)",
        ),
    ]:
        assert refused("calibrate", "table", source, "--game", game, "--out", out).startswith(line)
    assert not out.exists()
    for option in (("--left-endpost", "left"), ("--mirror",), ("--endposts-mm", "1000")):
        words = ("calibrate", "table", bare, "--game", "carroms", "--out", out, *option)
        assert refused(*words).startswith(f"{option[0]}: a course of carroms has no endposts")
    words = ("calibrate", "table", bare, "--out", out, "--moons-side")
    assert (
        refused(*words, "left", "--game", "carroms")
        == "--moons-side: a course of carroms has no castles (leave it out)"
    )
    assert "'up' is not one of 'near', 'left'" in refused(
        *words, "up", "--game", "castle-croquetnole"
    )
    assert (
        refused("calibrate", "pieces", damaged, "--names", "moons,suns", "--out", out)
        == f"{damaged}: is not a PNG or JPEG picture, or is damaged"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="interrupted by a signal")
@pytest.mark.parametrize(
    ("program", "sent"),
    [(IN_TERMINAL, signal.SIGINT), (IN_BACKGROUND, signal.SIGTERM)],
    ids=["in a terminal", "in the background"],
)
def test_interrupted_the_record_stays(
    program: str, sent: signal.Signals, table: Path, tmp_path: Path
) -> None:
    words = watch_words(VIDEO, table, tmp_path / "out", "--realtime", *coin_words())
    record = tmp_path / "out" / "record.jsonl"
    with running("-c", program, *words, stderr=subprocess.PIPE) as watching:
        end_s = time.monotonic() + 40
        while (
            not (record.exists() and record.read_text().count("\n") >= 2)
            and time.monotonic() < end_s
        ):
            time.sleep(0.05)
        recorded = record.read_text()
        watching.send_signal(sent)
        _, err = watching.communicate(timeout=20)
    assert (watching.returncode, err.strip()) == (
        130,
        "Interrupted; what was recorded so far is kept.",
    )
    kept = record.read_text()
    assert kept.startswith(recorded) and kept.endswith("\n")
    kinds = [json.loads(line).get("kind") for line in kept.splitlines()]
    assert kinds[:2] == [None, "at_rest"]


def home() -> dict[str, str]:
    """Return the environment in which a shell outside the checkout finds the program."""
    return {**os.environ, "PYTHONPATH": str(CLIP.parents[2])}


def test_from_a_shell_too_there_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    shutil.copy(MATCH, tmp_path)
    words = [
        "watch",
        "none.mp4",
        "--match",
        "match.yaml",
        "--table",
        "none.yaml",
        "--out",
        "out",
        "--no-ui",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "referee", *words],
        cwd=tmp_path,
        env=home(),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("none.yaml: ")


@pytest.mark.parametrize(
    ("option", "value", "line"),
    [
        ("--tile-mm", "nan", "the sizes given: tile_mm: nan is not a possible size of a piece"),
        (
            "--tile-mm",
            "5000",
            "the sizes given: tile_mm: 5000 is not a possible size of a piece: it must be 0.5",
        ),
        (
            "--coin-mm",
            "60",
            "the sizes given: coin_mm: a coin of 60 mm is not smaller than a tile of 50.8 mm",
        ),
    ],
)
@pytest.mark.parametrize(
    "command", [["table", "--game", "tabletop-croquet"], ["pieces", "--names", "moons,suns"]]
)
def test_sizes_that_no_piece_has(
    refused, tmp_path: Path, command: list[str], option: str, value: str, line: str
) -> None:  # type: ignore[no-untyped-def]
    words = [
        "calibrate",
        *command,
        CLIP / "pieces.jpg",
        option,
        value,
        "--out",
        tmp_path / "out.yaml",
    ]
    assert refused(*words).startswith(line)
