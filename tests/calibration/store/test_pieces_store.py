"""pieces.yaml: what is written is read back, and unusable content is refused in one line."""

from __future__ import annotations

import base64
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.store.piece_store import STORED_PX, FacePatch, PieceSet, read_pieces, write_pieces
from referee.domain.errors import InputError
from referee.domain.pieces import PieceSizes


def png(side: int) -> str:
    return base64.b64encode(
        cv2.imencode(".png", np.zeros((side, side, 3), dtype=np.uint8))[1].tobytes()
    ).decode()


GOOD = f"{{seen_px: 40, png: {png(STORED_PX)}}}"


def test_a_set_is_read_back_as_written(tmp_path: Path) -> None:
    faces = {
        name: FacePatch(
            np.random.default_rng(seed)
            .integers(0, 256, (STORED_PX, STORED_PX, 3))
            .astype(np.float32),
            30.0 + seed,
        )
        for seed, name in enumerate(("moons", "null", "2"))
    }
    sizes = PieceSizes(tile_mm=60.0, tile_thickness_mm=3.0, coin_mm=24.0, coin_thickness_mm=3.5)
    write_pieces(tmp_path / "new" / "pieces.yaml", PieceSet(sizes, faces))
    back = read_pieces(tmp_path / "new" / "pieces.yaml")
    assert back.sizes == sizes
    assert list(back.faces) == ["moons", "null", "2"]
    for name, face in faces.items():
        np.testing.assert_array_equal(back.faces[name].bgr, face.bgr)
        assert back.faces[name].seen_px == face.seen_px


def test_sizes_left_out_are_the_usual_ones(tmp_path: Path) -> None:
    (tmp_path / "pieces.yaml").write_text("coin_mm: 22\n")
    pieces = read_pieces(tmp_path / "pieces.yaml")
    assert pieces.sizes == PieceSizes(coin_mm=22.0)
    assert not pieces.faces


def test_unquoted_null_and_2_are_coins(tmp_path: Path) -> None:
    (tmp_path / "pieces.yaml").write_text(f"faces:\n  null: {GOOD}\n  2: {GOOD}\n")
    assert list(read_pieces(tmp_path / "pieces.yaml").faces) == ["null", "2"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("- 1\n", "is not a file of pieces"),
        ("coin_m: 22\n", "coin_m: unknown key"),
        ("coin_mm: wide\n", "coin_mm: 'wide' is not a number"),
        ("coin_mm: yes\n", "coin_mm: True is not a number"),
        ("coin_mm: .nan\n", "coin_mm: nan"),
        ("coin_mm: -3\n", "coin_mm: -3"),
        ("coin_mm: 60\n", "coin_mm: a coin of 60 mm is not smaller than a tile of 50.8 mm"),
        ("faces: 3\n", "faces: must give for the name of each coin"),
        (f"faces: {{moon: {GOOD}}}\n", "faces.moon: is not a coin"),
        (f"faces: {{true: {GOOD}}}\n", "faces.True: is not a coin"),
        (f"faces: {{'2': {GOOD}, 2: {GOOD}}}\n", "faces.2: is given twice"),
        ("faces: {moons: {seen_px: 40}}\n", "faces.moons: must have exactly the keys"),
        (
            "faces: {moons: {seen_px: 0, png: AAAA}}\n",
            "faces.moons.seen_px: 0 is not a number of pixels",
        ),
        (
            "faces: {moons: {seen_px: 40, png: '!'}}\n",
            "faces.moons.png: is not a picture in base64",
        ),
        (
            "faces: {moons: {seen_px: 40, png: ''}}\n",
            "faces.moons.png: is not a picture of 64 x 64",
        ),
        ("faces: {moons: {seen_px: 40, png: 7}}\n", "faces.moons.png: is not a picture in base64"),
        (
            f"faces: {{moons: {{seen_px: 40, png: {png(32)}}}}}\n",
            "faces.moons.png: is not a picture of 64 x 64",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "pieces.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        read_pieces(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert what in str(refused.value)
    assert "\n" not in str(refused.value)


def test_of_a_picture_cut_short_our_line_alone_is_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The decoder would print its own message on the process's standard error."""
    whole = cv2.imencode(
        ".png", np.random.default_rng(0).integers(0, 256, (STORED_PX, STORED_PX, 3), dtype=np.uint8)
    )[1].tobytes()
    path = tmp_path / "pieces.yaml"
    path.write_text(
        "faces: {moons: {seen_px: 40, png:"
        f" {base64.b64encode(whole[: len(whole) // 2]).decode()}}}}}\n"
    )
    with pytest.raises(InputError, match=r"faces\.moons\.png: is not a picture"):
        read_pieces(path)
    assert capfd.readouterr().err == ""


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_pieces(tmp_path / "pieces.yaml")
