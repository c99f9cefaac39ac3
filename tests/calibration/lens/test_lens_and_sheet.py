"""The printed board: its page has the true size, the board is found in a picture of the page, and
pictures of it give the lens back.
"""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lens.camera import Camera
from calibration.lens.lens import BoardKind, measure_lens
from calibration.lens.sheet import board_pdf, fitting_square_mm
from calibration.store.store import read_camera
from referee.cli import run
from referee.domain.errors import InputError
from referee.synthetic.pictures.lens_board import photograph_board

KIND = BoardKind(9, 6, 30.0, 22.0)
POINTS_PER_MM = 72.0 / 25.4


def page(pdf: bytes, px_per_mm: float) -> np.ndarray:
    """Draw the page's rectangles, with as much of a PDF reader as that needs."""
    text = pdf.decode("latin1")
    width, height = (
        float(v) / POINTS_PER_MM
        for v in re.search(r"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text).groups()
    )
    drawn = np.full((round(height * px_per_mm), round(width * px_per_mm)), 255, dtype=np.uint8)
    for x, y, w, h in (
        (float(v) for v in m) for m in re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f", text)
    ):
        left, top = round(x * px_per_mm), round((height - y - h) * px_per_mm)
        drawn[top : round((height - y) * px_per_mm), left : round((x + w) * px_per_mm)] = 0
    return drawn


def seen_corners(picture: np.ndarray) -> np.ndarray:
    corners, _, _, _ = cv2.aruco.CharucoDetector(KIND.board()).detectBoard(picture)
    return np.asarray(corners).reshape(-1, 2)


def test_the_page_holds_the_whole_board_at_true_size() -> None:
    pdf = board_pdf(KIND, "a4")
    # all units after this are millimetres
    assert f"{POINTS_PER_MM:.8f} 0 0" in pdf.decode("latin1")
    corners = seen_corners(page(pdf, 8.0))
    assert len(corners) == 8 * 5
    assert np.ptp(corners[:, 0]) / 8.0 == pytest.approx(7 * 30.0, abs=0.3)
    assert np.ptp(corners[:, 1]) / 8.0 == pytest.approx(4 * 30.0, abs=0.3)


def test_the_pdf_says_where_its_objects_are() -> None:
    pdf = board_pdf(KIND, "letter")
    begin = int(re.search(rb"startxref\n(\d+)", pdf).group(1))
    places = [int(line[:10]) for line in pdf[begin:].split(b"\n")[3:8]]
    assert [pdf[place:].split(b"\n")[0] for place in places] == [
        b"%d 0 obj" % k for k in range(1, 6)
    ]


def test_a_board_too_large_for_the_paper_is_refused() -> None:
    with pytest.raises(InputError, match="do not fit a4"):
        board_pdf(BoardKind(9, 6, 40.0, 29.0), "a4")
    assert fitting_square_mm(KIND, "a4") == 31.0


def pictures(fx: float) -> dict[str, np.ndarray]:
    """Return pictures of the board through a pinhole with focal length fx, from nine places."""
    flat = KIND.board().generateImage((1080, 720), marginSize=0)
    matrix = np.array([[fx, 0, 640.0], [0, fx, 360.0], [0, 0, 1]])
    found = {}
    for k in range(9):
        turn, _ = cv2.Rodrigues(
            np.radians(np.array([25.0 * ((k % 3) - 1), 25.0 * (k // 3 - 1), 7.0 * k]))
        )
        to_board = np.column_stack(
            (
                turn[:, 0],
                turn[:, 1],
                turn @ np.array([-135.0, -90.0, 0.0]) + np.array([0.0, 0.0, 330.0 + 15 * k]),
            )
        )
        grid_mm = np.diag([270.0 / 1080, 180.0 / 720, 1.0])
        soft = cv2.warpPerspective(
            flat, matrix @ to_board @ grid_mm, (1280, 720), flags=cv2.INTER_AREA, borderValue=255
        )
        found[f"picture {k}"] = cv2.GaussianBlur(soft, (0, 0), 0.7)
    return found


def test_the_lens_is_given_back() -> None:
    lens = measure_lens(pictures(900.0), KIND)
    assert lens.used == 9
    assert lens.error_px < 0.3
    assert lens.camera.fx_px == pytest.approx(900.0, abs=max(4.0, 4 * lens.sigma["fx_px"]))
    assert lens.camera.distortion == pytest.approx((0, 0, 0, 0, 0), abs=0.03)


@pytest.mark.parametrize("bends", [(-0.22, 0.06, 0.001, -0.0005, 0.0), (0.1, -0.05, 0.0, 0.0, 0.0)])
def test_a_lens_that_bends_is_given_back_and_says_how_sure_it_is(bends: tuple[float, ...]) -> None:
    """Barrel and pincushion, the optical axis not in the picture's middle. Every number is within
    three standard errors of the true one, and none of these is large.
    """
    true = Camera(1280, 720, 950.0, 955.0, 655.0, 350.0, bends)
    seen = photograph_board(true, 9)
    lens = measure_lens({f"picture {k}": one.picture for k, one in enumerate(seen)}, BoardKind())
    assert lens.used == 9
    names = ("fx_px", "fy_px", "cx_px", "cy_px")
    found = [*(getattr(lens.camera, name) for name in names), *lens.camera.distortion]
    wanted = [*(getattr(true, name) for name in names), *bends]
    sigmas = [lens.sigma[name] for name in (*names, "k1", "k2", "p1", "p2", "k3")]
    assert np.all(np.abs(np.subtract(found, wanted)) <= 3 * np.array(sigmas))
    assert max(sigmas[:4]) < 0.4 and max(sigmas[4:]) < 0.002


def test_pictures_without_the_board_are_named_and_refused() -> None:
    grey = np.full((720, 1280), 128, dtype=np.uint8)
    with pytest.raises(InputError, match="seen in 0 of 2 pictures"):
        measure_lens({"a": grey, "b": grey}, KIND)
    lens = measure_lens({**pictures(900.0), "grey": grey}, KIND)
    assert any(word.startswith("grey: only 0 corners") for word in lens.words)


def test_pictures_of_two_sizes_are_refused() -> None:
    with pytest.raises(InputError, match="differ in size"):
        measure_lens({"a": np.zeros((10, 10), np.uint8), "b": np.zeros((20, 10), np.uint8)}, KIND)


def test_the_commands_write_page_and_lens(tmp_path: Path) -> None:
    assert run(["calibrate", "sheet", "--out", str(tmp_path / "board.pdf")]) == 0
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF-1.4")
    names = []
    for k, picture in enumerate(pictures(900.0).values()):
        names.append(str(tmp_path / f"{k}.png"))
        cv2.imwrite(names[-1], picture)
    assert (
        run(
            [
                "calibrate",
                "lens",
                *names,
                "--marker-mm",
                "22",
                "--out",
                str(tmp_path / "camera.yaml"),
            ]
        )
        == 0
    )
    assert read_camera(tmp_path / "camera.yaml").width == 1280


@pytest.mark.parametrize(
    "options",
    [
        ["--squares", "9"],
        ["--dictionary", "DICT_NONE"],
        ["--square-mm", "90"],
        ["--squares", "2x2"],
    ],
)
def test_a_board_that_cannot_be_is_bad_input(tmp_path: Path, options: list[str]) -> None:
    assert run(["calibrate", "sheet", "--out", str(tmp_path / "board.pdf"), *options]) == 2
