"""What `referee calibrate` refuses before it starts. It never overwrites its inputs."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee import cli
from referee.commands.calibration.table_survey import picture_beside

CLIP = Path(__file__).resolve().parents[3] / "fixtures" / "clips" / "demo"


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Run a command that must be refused. Return its one line."""

    def run(*words: object) -> str:
        assert cli.run([str(word) for word in words]) == 2
        out, err = capfd.readouterr()
        assert (out, err.count("\n")) == ("", 1), err
        return err.rstrip("\n")

    return run


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--squares", "40x40"], "--squares: 40x40 squares are too many for a4"),
        (
            ["--squares", "20x14", "--dictionary", "DICT_4X4_50"],
            "--squares: 20x14 squares need 140 markers, DICT_4X4_50 has 50",
        ),
        (
            ["--marker-mm", "40"],
            "--square-mm, --marker-mm: markers of 40 mm do not fit into squares of 30 mm",
        ),
        (["--square-mm", "nan"], "--square-mm, --marker-mm: markers of nan mm"),
        (["--square-mm", "35"], "--square-mm: 9x6 squares of 35 mm do not fit a4 (at most 31)"),
        (["--dictionary", "5X5"], "--dictionary: '5X5' is not a marker dictionary"),
    ],
)
def test_boards_that_cannot_be_printed(
    refused, tmp_path: Path, options: list[str], line: str
) -> None:  # type: ignore[no-untyped-def]
    """A board of n squares holds n / 2 markers, rounded down: one for each white square."""
    assert refused("calibrate", "sheet", "--out", tmp_path / "board.pdf", *options).startswith(line)
    assert not (tmp_path / "board.pdf").exists()


def grey(path: Path) -> Path:
    cv2.imwrite(str(path), np.full((120, 160, 3), 128, dtype=np.uint8))
    return path


def test_a_lens_is_not_measured_without_boards_nor_written_over_a_picture(
    refused, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    pictures = [grey(tmp_path / f"{k}.png") for k in range(3)]
    line = refused("calibrate", "lens", pictures[0], "--out", tmp_path / "camera.yaml")
    assert line.startswith(
        "the board (9x6 squares, DICT_5X5_100) was seen in 0 of 1 pictures, but it must be seen"
        " in at least 3;"
        " take ten or more"
    )
    assert "is it another board" in refused(
        "calibrate", "lens", *pictures, "--out", tmp_path / "camera.yaml"
    )
    assert (
        refused("calibrate", "lens", *pictures, "--out", pictures[1])
        == f"{pictures[1]}: is one of the pictures: it would be overwritten"
    )


def test_a_table_is_not_written_over_its_picture_nor_where_nothing_can_be(
    refused, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    source, out = grey(tmp_path / "course.png"), tmp_path / "table.yaml"
    before = source.read_bytes()
    words = ["calibrate", "table", source, "--game", "tabletop-croquet", "--out"]
    for options, line in [
        (
            [out, "--picture", tmp_path / "found.txt"],
            (f"{tmp_path / 'found.txt'}: no picture can be written under this name; try found.png"),
        ),
        ([out, "--picture", source], f"{source}: is the source, which the command would overwrite"),
        ([source], f"{source}: is the source, which the command would overwrite"),
        ([tmp_path], f"{tmp_path}: is a folder, not a file"),
        (
            [tmp_path / "a.png", "--picture", tmp_path / "a.png"],
            f"{tmp_path / 'a.png'}: --out and --picture name the same file",
        ),
    ]:
        assert refused(*words, *options) == line
    assert refused(*words, tmp_path / "course.yaml").startswith(f"{source}: no tiles found")
    assert source.read_bytes() == before


def test_the_picture_of_what_was_found_has_a_name_of_its_own() -> None:
    assert picture_beside(Path("t/table.yaml"), Path("clip.mp4")) == Path("t/table.png")
    assert picture_beside(Path("table.yaml"), Path("table.png")) == Path("table-found.png")
    assert picture_beside(Path("table.png"), Path("clip.mp4")) == Path("table-found.png")


def test_too_few_names_are_told_beside_the_number_of_coins_and_nothing_is_learnt(
    refused, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    """There are ten coins and nine names. A row with one missed coin would give faces to the wrong
    names.
    """
    source, out = CLIP.parent / "fall-far-edge" / "pieces.jpg", tmp_path / "pieces.yaml"
    line = refused(
        "calibrate", "pieces", source, "--names", "moons,suns,arms,crowns,ace,2,3,4,5", "--out", out
    )
    assert (
        line == f"{source}: the row found has 10 coins, but 9 names are given; look at"
        f" {tmp_path / 'pieces-found.png'}"
    )
    assert not out.exists()
