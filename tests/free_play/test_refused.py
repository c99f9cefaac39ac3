"""What `referee paths` cannot use is refused in one line, with exit status 2."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import av
import cv2
import numpy as np
import pytest

from calibration.store.yaml_input import read_yaml
from referee.cli import run
from referee.domain.errors import InputError
from referee.free_play.free_lines import EXAMPLE, between_pairs, read_lines, without_own
from referee.free_play.play import FreePlay, letters
from tests.free_play.drawn_video import HEIGHT, WIDTH, Table, lying, write_video


def written(path, pictures, hz=10):
    with av.open(str(path), "w") as out:
        stream = out.add_stream("mjpeg", rate=hz)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuvj420p"
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuvj420p")
            frame.pts, frame.time_base = number, Fraction(1, hz)
            for packet in stream.encode(frame):
                out.mux(packet)
        for packet in stream.encode(None):
            out.mux(packet)
    return path


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        run(["paths", *map(str, arguments)])
    error = capsys.readouterr().err
    assert ended.value.code == 2 and error.count("\n") == 1 and "Traceback" not in error
    return error


def test_a_video_without_discs_is_refused(tmp_path, capsys):
    rng = np.random.default_rng(3)
    grain = rng.normal(150, 6, (12, HEIGHT, WIDTH, 3)).clip(0, 255).astype(np.uint8)
    video = written(tmp_path / "bare.avi", grain)
    assert "no disc was found" in refused(capsys, video, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists(), "what is refused leaves no results"


def test_a_camera_held_in_a_hand_is_refused(tmp_path, capsys):
    table = Table({"A": lying((-60.0, 10.0)), "B": lying((40.0, -30.0))})
    grain = np.random.default_rng(4).normal(0, 14, (HEIGHT // 6, WIDTH // 6, 1))
    cloth = np.repeat(np.repeat(grain, 6, axis=0), 6, axis=1)
    height, width = cloth.shape[:2]
    still = table.bgr(0.0)
    still[:height, :width] = (still[:height, :width] + cloth).clip(0, 255)
    moved = [np.roll(still, (7 * (k % 5), 9 * (k % 7)), (0, 1)) for k in range(80)]
    video = written(tmp_path / "held.avi", [still, still, *moved], 30)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "note.txt").write_text("mine")
    assert "the camera moves" in refused(capsys, video, "--out", tmp_path / "out")
    assert [left.name for left in (tmp_path / "out").iterdir()] == ["note.txt"]


def test_a_video_in_which_something_moves_all_the_time_is_refused(tmp_path, capsys):
    """Something else than discs that are flicked: two of them lie still, and balls roll past."""
    still = Table({"A": lying((-60.0, 10.0)), "B": lying((40.0, -30.0))}).bgr(0.0)
    pictures = []
    for k in range(40):
        pictures.append(still.copy())
        for ball in range(3):
            middle = ((17 * k + 210 * ball) % WIDTH, 40 + 110 * ball)
            cv2.circle(pictures[-1], middle, 30, (40, 60, 200), cv2.FILLED)
    video = written(tmp_path / "else.avi", pictures, 30)
    assert "something moves all the time" in refused(capsys, video, "--out", tmp_path / "out")


def test_a_video_in_which_nobody_flicks_is_refused(tmp_path, capsys):
    """What looks like discs lies still to the end: knots of the wood, buttons, letters."""
    still = Table({"A": lying((-60.0, 10.0)), "B": lying((40.0, -30.0))}).bgr(0.0)
    video = written(tmp_path / "still.avi", [still] * 40, 30)
    said = refused(capsys, video, "--out", tmp_path / "out")
    assert "nobody flicks a disc in it" in said and "discs (2) lies still" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("sure", "another"), [(1, True), (2, False)])
def test_a_video_that_never_rests_is_refused_unless_most_flicks_are_sure(sure, another):
    """In traffic, one of three movements looked like a sure flick."""
    play = FreePlay("street.mp4", None, flicks=3, _sure=sure, _frames=360)
    play._builder = SimpleNamespace(ready=True, finish=lambda: None)
    said = ""
    try:
        play.finish()
    except InputError as error:
        said = str(error)
    assert ("something moves all the time" in said) == another
    assert play.found_flicks != another  # what is refused leaves no results


def test_a_camera_that_sways_slowly_in_a_hand_is_refused(tmp_path, capsys):
    """It sways by 8 px in a second: at no instant it moves by more than 2 px a frame."""
    table = Table({"A": lying((-60.0, 10.0)), "B": lying((40.0, -30.0))})
    grain = cv2.resize(
        np.random.default_rng(4).normal(0, 14, (HEIGHT // 6, WIDTH // 6)), (WIDTH, HEIGHT)
    )
    still = np.clip(table.bgr(0.0) + grain[..., None], 0, 255).astype(np.uint8)
    pictures = [
        cv2.warpAffine(
            still,
            np.array([[1, 0, 8 * np.sin(k / 5)], [0, 1, 5 * np.cos(k / 7)]]),
            (WIDTH, HEIGHT),
            borderMode=cv2.BORDER_REFLECT,
        )
        for k in range(80)
    ]
    video = written(tmp_path / "sways.avi", pictures, 30)
    assert "the camera moves" in refused(capsys, video, "--out", tmp_path / "out")


def test_a_camera_that_is_held_over_a_table_without_texture_is_refused(tmp_path, capsys):
    """No texture tells how the camera moves, and the first quarter of a second looks still."""
    still = Table({"A": lying((-60.0, 10.0)), "B": lying((40.0, -30.0))}).bgr(0.0)
    pictures = [still] * 8 + [
        cv2.warpAffine(
            still,
            np.array([[1, 0, 14 * np.sin(k / 4)], [0, 1, 10 * np.cos(k / 5)]]),
            (WIDTH, HEIGHT),
            borderMode=cv2.BORDER_REFLECT,
        )
        for k in range(100)
    ]
    video = written(tmp_path / "plain.avi", pictures, 30)
    assert "moves all the time" in refused(capsys, video, "--out", tmp_path / "out")


def test_a_folder_with_results_is_never_written_over(tmp_path, capsys):
    (tmp_path / "paths.csv").write_text("mine")
    write_video(tmp_path / "a.avi", Table({"A": lying((0.0, 0.0))}), [0.0, 0.1], 10)
    error = refused(capsys, tmp_path / "a.avi", "--out", tmp_path)
    assert "paths.csv: exists already" in error
    assert (tmp_path / "paths.csv").read_text() == "mine"


@pytest.mark.parametrize("size", ["0", "-3", "500", "nan"])
def test_a_size_that_no_disc_has_is_refused(size, tmp_path, capsys):
    assert "--coin-mm" in refused(capsys, "x.mp4", "--coin-mm", size, "--out", tmp_path / "out")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "should be a list of lines"),
        ("[]", "should be a list of lines"),
        ("{a: 1}", "should be a list of lines"),
        ("- goal", "[0]: should read like"),
        ("- {name: goal}", "[0]: should have name, from_px and to_px"),
        ("- {name: a, from_px: [1, 2], to_mm: [3, 4]}", "[0]: should have name"),
        ("- {name: a, from_px: [1], to_px: [3, 4]}", "[0].from_px: should be two numbers"),
        ("- {name: a, from_px: [1, .nan], to_px: [3, 4]}", "from_px: should be two numbers"),
        ("- {name: a, from_px: [1, true], to_px: [3, 4]}", "from_px: should be two numbers"),
        ("- {name: '', from_px: [1, 2], to_px: [3, 4]}", "[0].name: should have 1 to 80"),
        ("- {name: a, from_px: [1, 2], to_px: [1, 2]}", "[0]: both ends of a are the same"),
        ("- {name: a, from_px: [1, 2], to_px: [3, 4], colour: red}", "[0].colour: no such field"),
        ("- {name: a, from_mm: [1, 2], to_mm: [3, 4]}", "[0]: for ends in mm, also give"),
        (
            "- {name: a, from_px: [1, 2], to_px: [3, 4]}\n"
            "- {name: a, from_px: [5, 2], to_px: [3, 4]}",
            "[1].name: the name a is given twice",
        ),
    ],
)
def test_a_line_that_cannot_be_drawn_is_named(text, said, tmp_path):
    file = tmp_path / "lines.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=r"lines\.yaml") as refusal:
        read_lines(file, with_mm=False)
    assert said in str(refusal.value)


def test_a_missing_file_of_lines_is_refused_before_the_video_is_opened(tmp_path, capsys):
    error = refused(capsys, "none.mp4", "--lines", tmp_path / "none.yaml", "--out", tmp_path / "o")
    assert "none.yaml" in error and not (tmp_path / "o").exists()


def test_lines_between_pairs_leave_out_the_flicked_disc_and_a_discs_own():
    places = {"A": (0.0, 0.0), "B": (10.0, 0.0), "C": (20.0, 0.0), "D": (30.0, 0.0)}
    lines = between_pairs(places, {"A": 0.3, "B": 0.3, "C": 0.4}, "A")
    assert set(lines) == {"B-C"}  # D was never measured at rest
    assert (lines["B-C"].left_mm, lines["B-C"].right_mm) == ((10.0, 0.0), (20.0, 0.0))
    assert without_own(lines, "B") == {} and without_own(lines, "A") == lines


@pytest.mark.parametrize(
    ("number", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ")]
)
def test_discs_are_lettered(number, name):
    assert letters(number) == name


def test_the_example_of_a_line_is_a_line(tmp_path):

    file = tmp_path / "lines.yaml"
    file.write_text(f"- {EXAMPLE}\n")
    assert read_yaml(file) and read_lines(file, with_mm=False)[0].name == "goal"
