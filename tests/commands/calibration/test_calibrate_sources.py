"""`referee calibrate` takes cameras and streams, says what it does, and asks which way round the
course lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import referee.commands.calibration.course_orientation as asking
import referee.vision.sources.video as module
from calibration.course.orientation import Orientation
from calibration.lens.board_views import WANTED_VIEWS, differing_views
from calibration.lens.camera import Camera
from calibration.lens.lens import BoardKind
from calibration.table.surveyed_table import SurveyedTable
from referee import cli
from referee.commands.calibration.course_orientation import castle_answered, orientation_of
from referee.commands.calibration.still_pictures import board_pictures, camera_mode, read_stills
from referee.domain.errors import InputError
from referee.vision.sources.frame import CameraMode, SourceProperties, VideoFrame
from tests.clips.bundled import true_table
from tests.vision.sources.conftest import write_video
from tests.vision.sources.serving import MULTIPART, multipart, sent

CLIPS = Path(__file__).resolve().parents[3] / "fixtures" / "clips"
KIND = BoardKind()
BOARD = cv2.cvtColor(KIND.board().generateImage((540, 360)), cv2.COLOR_GRAY2BGR)


class FakeCamera:
    """A camera that gives these pictures, ten a second."""

    notes = ()
    clip_format = None
    shortfall = None

    def __init__(self, pictures: list[np.ndarray]) -> None:
        self.pictures = pictures
        height, width = pictures[0].shape[:2]
        self.properties = SourceProperties(
            "camera 0", width, height, 10.0, None, None, True, "mjpeg", True, 0
        )

    def __enter__(self) -> FakeCamera:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __iter__(self) -> Iterator[VideoFrame]:
        for number, bgr in enumerate(self.pictures):
            yield VideoFrame(number, number / 10, bgr[..., 0], (), lambda bgr=bgr: bgr)


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[str, CameraMode]]]:
    """Plug in a camera that gives some pictures. Return a list of how it is opened."""

    def plug_in(pictures: list[np.ndarray]) -> list[tuple[str, CameraMode]]:
        opened: list[tuple[str, CameraMode]] = []

        def opening(source: str, *, camera: CameraMode) -> FakeCamera:
            opened.append((source, camera))
            return FakeCamera(pictures)

        monkeypatch.setattr(module, "open_source", opening)
        return opened

    return plug_in


def seen_at(x: int, y: int) -> np.ndarray:
    """Return a picture, 1280x720, in which the board has its upper left corner at x, y."""
    picture = np.full((720, 1280, 3), 160, dtype=np.uint8)
    picture[y : y + 360, x : x + 540] = BOARD
    return picture


def test_a_camera_shows_the_table_without_the_hand_that_was_over_it(camera) -> None:
    """A hand is there for 0.4 s of 3 s: less than half of any window of about a second."""
    table, hand = np.full((90, 160, 3), 60, dtype=np.uint8), np.full((90, 160, 3), 60, np.uint8)
    hand[20:60, 30:90] = 200
    opened = camera([hand if 12 <= k < 16 else table for k in range(30)])
    said: list[str] = []
    found = read_stills("0", CameraMode(160, 90), say=said.append)
    assert opened == [("0", CameraMode(160, 90))]
    assert all((still == table).all() for still in found)
    assert said == ["Opening camera 0.", "Taking pictures for 8 s. Keep your hands away."]


def test_a_camera_is_asked_for_the_size_that_its_lens_was_measured_in() -> None:
    lens = Camera(1920, 1080, 1500.0, 1500.0, 959.5, 539.5)
    assert camera_mode(None, lens) == CameraMode(1920, 1080)
    assert camera_mode("640x480", lens) == CameraMode(640, 480)
    assert camera_mode(None) == CameraMode(1280, 720)


def test_a_stream_shows_what_the_file_that_it_sends_shows(tmp_path: Path) -> None:
    file = write_video(tmp_path / "still.mkv", [100 * k for k in range(30)])
    with sent(file.read_bytes()) as address:
        streamed = read_stills(address, say=lambda _line: None)
    filmed = read_stills(file)
    assert [still.tolist() for still in streamed] == [still.tolist() for still in filmed]


def test_a_set_is_learnt_from_a_stream_as_from_the_picture(tmp_path: Path) -> None:
    """Network cameras send one JPEG after the other. The picture sent is that of the bundled set,
    so the same ten coins lie in it.
    """
    picture = cv2.imread(str(CLIPS / "demo" / "pieces.jpg"))
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 97])[1].tobytes()
    out = tmp_path / "pieces.yaml"
    names = "moons,suns,arms,crowns,null,ace,2,3,4,5"
    with sent(multipart([jpeg] * 20), MULTIPART) as address:
        done = CliRunner().invoke(
            cli.calibrate, ["pieces", address, "--names", names, "--out", str(out)]
        )
    assert done.exit_code == 0, done.output
    assert done.output.startswith(f"Opening {address}.\nTaking pictures for 2.5 s.")
    assert "10 coins" in done.output and out.exists()


def test_an_address_is_named_without_its_password() -> None:
    with pytest.raises(InputError) as refused:
        read_stills("http://ann:secret@127.0.0.1:9/live", say=print)
    assert str(refused.value).startswith("http://127.0.0.1:9/live: ")


def test_a_board_is_taken_where_it_lies_still_and_elsewhere_than_before(camera) -> None:
    """It lies at three places for half a second each, is carried between them, and comes back to
    the first: three views. Of a carried board no two pictures are alike.
    """
    at = [(60, 60)] * 5 + [(60 + 40 * k, 60) for k in range(1, 14)]
    at += [(620, 60)] * 5 + [(620, 60 + 40 * k) for k in range(1, 6)]
    at += [(620, 300)] * 5 + [(60, 60)] * 5
    camera([seen_at(x, y) for x, y in at])
    said: list[str] = []
    found = board_pictures(("0",), KIND, CameraMode(), said.append)
    places = [(60, 60), (620, 60), (620, 300)]
    assert len(found) == 3
    for picture, (x, y) in zip(found.values(), places, strict=True):
        assert (picture == seen_at(x, y)).all()
    assert said[2].startswith(f"Picture 1 of {WANTED_VIEWS}")


def test_a_film_without_the_board_gives_no_view() -> None:
    grey = np.full((360, 640, 3), 90, dtype=np.uint8)
    assert list(differing_views([(k / 10, grey) for k in range(20)], KIND)) == []


def test_without_a_terminal_the_usual_orientation_is_taken_and_told(monkeypatch) -> None:
    monkeypatch.setattr(asking, "_asked", lambda: pytest.fail("asked"))
    orientation, line = orientation_of("tabletop-croquet", None, None)
    assert orientation == Orientation("left", False)
    assert line is not None and "\n" not in line
    assert "--left-endpost right" in line and "--mirror" in line


@pytest.mark.parametrize(
    ("left_endpost", "mirror", "meant"),
    [
        ("right", None, Orientation("right", False)),
        (None, True, Orientation("left", True)),
        ("left", False, Orientation("left", False)),
    ],
)
def test_what_an_option_says_is_not_asked(
    monkeypatch, left_endpost: str | None, mirror: bool | None, meant: Orientation
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(asking, "_asked", lambda: pytest.fail("asked"))
    assert orientation_of("tabletop-croquet", left_endpost, mirror) == (meant, None)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("\n\n", Orientation("left", False)),
        ("right\nfar\n", Orientation("right", True)),
        ("up\nright\nnear\n", Orientation("right", False)),
        ("top\nright\n", Orientation("top", False)),
        ("bottom\nleft\n", Orientation("bottom", True)),
    ],
)
def test_on_a_terminal_both_are_asked(monkeypatch, typed: str, meant: Orientation) -> None:
    """What is no answer is asked again. The first answer offered is the default."""
    found: list[Orientation] = []

    @click.command()
    def command() -> None:
        monkeypatch.setattr(asking.sys.stdin, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(asking.sys.stderr, "isatty", lambda: True, raising=False)
        found.append(orientation_of("tabletop-croquet", None, None)[0])

    done = CliRunner().invoke(command, input=typed)
    assert done.exception is None, done.output
    assert found == [meant]
    assert "left endpost" in done.output and "wicket 3" in done.output


def test_on_a_terminal_a_castle_that_the_aces_do_not_tell_is_asked_for(monkeypatch) -> None:
    """The side that was assumed is the default. On the left of the camera lies Suns' castle, if
    Moons' is the one near it.
    """
    found: list[SurveyedTable] = []
    table = replace(true_table("castle"), castle_assumed="near")

    @click.command()
    def command() -> None:
        monkeypatch.setattr(asking.sys.stdin, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(asking.sys.stderr, "isatty", lambda: True, raising=False)
        found.append(castle_answered(table))

    for typed in ("\n", "left\n"):
        done = CliRunner().invoke(command, input=typed)
        assert done.exception is None and "Moons'" in done.output
    assert found[0].course == table.course and found[0].castle_assumed is None
    assert _at_px(found[1], "tower-moons") == pytest.approx(_at_px(table, "tower-suns"), abs=0.1)


def _at_px(table: SurveyedTable, name: str) -> tuple[float, float]:
    x, y = table.view.to_image(np.array([[*table.course.tiles[name].centre_mm, 0.0]]))[0]
    return float(x), float(y)
