"""`referee watch` and `referee demo`: what they ask of a session. The session here only remembers
what it was asked.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee import cli
from referee.commands import demo, watch
from referee.desk.serving.hosting import Hosting
from referee.domain.errors import InputError
from referee.session.watch_options import WatchOptions
from referee.vision.sources.frame import CameraMode

MATCH = "game: tabletop-croquet\nplayers: [{name: Ann, coin: moons}, {name: Ben, coin: null}]\n"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[WatchOptions]:
    """Return what a replacement for the session was asked. It ends with status 3."""
    received: list[WatchOptions] = []

    def remember(options: WatchOptions) -> int:
        received.append(options)
        return 3

    monkeypatch.setitem(sys.modules, "referee.session.watching", SimpleNamespace(watch=remember))
    return received


@pytest.fixture
def match_file(tmp_path: Path) -> str:
    (tmp_path / "match.yaml").write_text(MATCH, encoding="utf-8")
    return str(tmp_path / "match.yaml")


def test_what_is_not_said_is_usual(
    asked: list[WatchOptions], match_file: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(watch, "matches_root", lambda: tmp_path / "matches")
    assert cli.run(["watch", "0", "--match", match_file, "--table", "table.yaml"]) == 3
    (options,) = asked
    assert options.source == "0"
    assert options.match.coins == ("moons", "null")
    assert options.table == Path("table.yaml")
    assert options.out.parent == tmp_path / "matches"
    assert options.out.name.endswith("-tabletop-croquet")
    assert (
        options.ui,
        options.hosting.browser,
        options.resume,
        options.overwrite,
        options.realtime,
        options.linger,
    ) == (True, True, False, False, False, False)
    assert (options.pieces, options.overlay, options.names_mm) == (None, None, {})
    assert options.hosting == Hosting()
    assert (options.camera_px, options.camera_fps) == (None, None)


def test_the_help_states_what_a_camera_is_usually_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.run(["watch", "--help"]) == 0
    said, usual = " ".join(capsys.readouterr().out.split()), CameraMode()
    assert f"[default: {usual.width}x{usual.height}]" in said
    assert f"ask the camera for. [default: {usual.fps:g}]" in said


def test_everything_said_arrives(asked: list[WatchOptions], match_file: str) -> None:
    said = [
        "--pieces",
        "p.yaml",
        "--out",
        "o",
        "--overwrite",
        "--no-ui",
        "--no-browser",
        "--port",
        "8123",
        "--overlay",
        "v.mp4",
        "--name",
        "null=1,-2.5",
        "--name",
        "moons=3,4",
        "--realtime",
        "--camera-size",
        "640x480",
        "--camera-fps",
        "30",
    ]
    cli.run(["watch", "clip.mp4", "--match", match_file, "--table", "t.yaml", *said])
    (options,) = asked
    assert (options.pieces, options.out, options.overlay, options.hosting.port) == (
        Path("p.yaml"),
        Path("o"),
        Path("v.mp4"),
        8123,
    )
    assert (options.ui, options.hosting.browser, options.overwrite, options.realtime) == (
        False,
        False,
        True,
        True,
    )
    assert options.names_mm == {"null": (1.0, -2.5), "moons": (3.0, 4.0)}
    assert not options.linger
    assert (options.camera_px, options.camera_fps) == ((640, 480), 30.0)


def test_the_dashboard_stays_open_when_asked_to(
    asked: list[WatchOptions], match_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["watch", "clip.mp4", "--match", match_file, "--table", "t.yaml", "--stay"]
    cli.run(words)
    assert asked[0].linger
    assert cli.run([*words, "--no-ui"]) == 2
    assert capsys.readouterr().err == "--stay and --no-ui: there is no dashboard to keep open\n"


def test_resuming_needs_to_know_what(
    asked: list[WatchOptions], match_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["watch", "0", "--match", match_file, "--table", "t.yaml", "--resume"]) == 2
    assert capsys.readouterr().err == "--resume: name the folder of the match with --out\n"
    assert asked == []


@pytest.fixture
def clip_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a clip's folder, and set a place where its survey is kept."""
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "clip.mp4").write_bytes(b"clip")
    (folder / "match.yaml").write_text(MATCH, encoding="utf-8")
    monkeypatch.setattr(
        demo.platformdirs, "user_cache_dir", lambda *_, **__: str(tmp_path / "cache")
    )
    monkeypatch.setattr(demo, "demo_folder", lambda _game: folder)
    return folder


def test_the_demo_surveys_once_and_again_when_its_clip_has_changed(
    clip_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    surveys: list[Path] = []

    def survey(folder: Path, table: Path, pieces: Path) -> None:
        surveys.append(table)
        table.write_text("", encoding="utf-8")

    monkeypatch.setattr(demo, "_survey", survey)
    first = demo.surveyed(clip_folder)
    assert demo.surveyed(clip_folder) == first
    assert surveys == [first[0]]
    (clip_folder / "clip.mp4").write_bytes(b"another clip")
    assert demo.surveyed(clip_folder) != first
    assert len(surveys) == 2


def test_the_demo_is_a_session_at_the_clips_own_speed_that_goes_on_serving(
    clip_folder: Path, asked: list[WatchOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "surveyed", lambda _: (Path("t.yaml"), Path("p.yaml")))
    assert cli.run(["demo"]) == 3
    assert cli.run(["demo", "--once", "--no-browser"]) == 3
    first, second = asked
    assert first.source == str(clip_folder / "clip.mp4")
    assert (first.table, first.pieces) == (Path("t.yaml"), Path("p.yaml"))
    assert first.realtime and first.overwrite and first.hosting.browser and first.linger
    assert not second.linger
    assert not second.hosting.browser
    assert "Ctrl-C" in first.greeting


def test_ctrl_c_is_how_a_demo_ends(
    clip_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(options: WatchOptions) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "surveyed", lambda _: (Path("t.yaml"), Path("p.yaml")))
    monkeypatch.setitem(sys.modules, "referee.session.watching", SimpleNamespace(watch=interrupted))
    assert cli.run(["demo"]) == 0
    assert capsys.readouterr().out.endswith("\nEnded.\n")


def test_the_demo_needs_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(demo, "_CHECKOUT", tmp_path)
    with pytest.raises(InputError, match="comes with the source code"):
        demo.demo_folder()


def test_the_page_is_served_where_it_is_said(asked: list[WatchOptions], match_file: str) -> None:
    said = ["--host", "0.0.0.0", "--port", "8000", "--name", "Board.local", "--name", "moons=1,2"]
    cli.run(["watch", "clip.mp4", "--match", match_file, "--table", "t.yaml", *said])
    (options,) = asked
    assert options.hosting == Hosting("0.0.0.0", 8000, ("board.local",))
    assert options.names_mm == {"moons": (1.0, 2.0)}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["--host", "board.local"], "--host board.local"),
        (["--name", "moons"], "--name moons: should read COIN=X,Y"),
        (["--name", "suns:1,2"], "--name suns:1,2: should be a host name"),
    ],
)
def test_no_address_and_no_name_are_refused_in_a_line(
    match_file: str, said: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["watch", "clip.mp4", "--match", match_file, "--table", "t.yaml", *said]
    assert cli.run(words) == 2
    assert why in (line := capsys.readouterr().err) and line.count("\n") == 1
