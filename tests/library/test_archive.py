"""The folder of a match."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from referee.domain.errors import InputError
from referee.library.archive import PathPoint, new_folder_name, open_folder

POINT = PathPoint(2, "suns", 1.2345678, 10.0, -3.25, 0.1234, True)
LINE = "2,suns,1.234568,10.000,-3.250,0.123,1\n"
HEADING = "flick,coin,t_s,x_mm,y_mm,sigma_mm,seen\n"


def with_record(path: Path) -> Path:
    folder = open_folder(path)
    folder.record.write_text('{"entry": "setup"}\n', encoding="utf-8")
    folder.put_paths(2, [POINT])
    folder.clip("i3", ".mp4").write_bytes(b"clip")
    return path


def test_a_new_folder_is_made_with_its_parents_and_an_empty_table_of_paths(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "a" / "b")
    assert folder.paths.read_text(encoding="utf-8") == HEADING
    assert not folder.record.exists()
    assert not folder.resumed


def test_paths_are_appended_flick_by_flick(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "m")
    folder.put_paths(2, [POINT])
    folder.put_paths(3, [PathPoint(3, "null", 2.0, 0.0, 0.0, 1.0, False)])
    assert (
        folder.paths.read_text(encoding="utf-8")
        == HEADING + LINE + "3,null,2.000000,0.000,0.000,1.000,0\n"
    )
    with folder.paths.open(encoding="utf-8", newline="") as lines:
        assert [row["seen"] for row in csv.DictReader(lines)] == ["1", "0"]


def test_a_folder_with_a_record_is_refused(tmp_path: Path) -> None:
    path = with_record(tmp_path / "m")
    with pytest.raises(
        InputError, match=r"m: already holds a match record; .*--resume.*--overwrite"
    ):
        open_folder(path)
    assert (path / "paths.csv").read_text(encoding="utf-8") == HEADING + LINE


def test_a_folder_with_other_things_is_taken_and_they_stay(tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text("x: 1\n", encoding="utf-8")
    open_folder(tmp_path)
    assert (tmp_path / "table.yaml").exists()


def test_resuming_keeps_what_is_there(tmp_path: Path) -> None:
    path = with_record(tmp_path / "m")
    folder = open_folder(path, resume=True)
    folder.put_paths(3, [replace(POINT, flick=3)])
    assert folder.resumed
    assert folder.record.read_text(encoding="utf-8") == '{"entry": "setup"}\n'
    assert folder.paths.read_text(encoding="utf-8") == HEADING + LINE + LINE.replace("2,", "3,", 1)
    assert folder.clip("i3", ".mp4").exists()


def test_resuming_drops_a_line_of_paths_that_was_cut_off(tmp_path: Path) -> None:
    path = with_record(tmp_path / "m")
    with (path / "paths.csv").open("a", encoding="utf-8") as out:
        out.write("3,moons,2.0")
    assert open_folder(path, resume=True).paths.read_text(encoding="utf-8") == HEADING + LINE


def test_the_lines_of_a_flick_are_written_once_however_often_they_are_given(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "m")
    for flick in (2, 3, 2):
        folder.put_paths(flick, [replace(POINT, flick=flick)])
    folder.put_paths(3, [replace(POINT, flick=3, coin="moons")])
    text = folder.paths.read_text(encoding="utf-8")
    assert text == HEADING + LINE + LINE.replace("2,suns", "3,moons", 1)


@pytest.mark.parametrize("written", ["", "flick,co", HEADING.strip()])
def test_a_heading_of_paths_that_was_cut_off_is_written_anew(tmp_path: Path, written: str) -> None:
    path = with_record(tmp_path / "m")
    (path / "paths.csv").write_text(written, encoding="utf-8")
    assert open_folder(path, resume=True).paths.read_text(encoding="utf-8") == HEADING


@pytest.mark.parametrize("written", ["", '{"entry": "set'])
def test_a_record_without_a_whole_setup_has_not_begun(tmp_path: Path, written: str) -> None:
    path = with_record(tmp_path / "m")
    (path / "record.jsonl").write_text(written, encoding="utf-8")
    folder = open_folder(path, resume=True)
    assert not folder.resumed and not folder.record.exists()
    assert not written or (path / "record.jsonl.cut").read_text(encoding="utf-8") == written


def test_resuming_with_other_columns_is_refused(tmp_path: Path) -> None:
    path = with_record(tmp_path / "m")
    (path / "paths.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"paths\.csv: line 1: the columns should be flick,coin,"):
        open_folder(path, resume=True)


def test_resuming_nothing_begins_anew(tmp_path: Path) -> None:
    assert not open_folder(tmp_path / "m", resume=True).resumed


def test_overwriting_removes_the_match_and_nothing_else(tmp_path: Path) -> None:
    path = with_record(tmp_path / "m")
    (path / "notes.txt").write_text("kept", encoding="utf-8")
    folder = open_folder(path, overwrite=True)
    assert not folder.record.exists()
    assert folder.paths.read_text(encoding="utf-8") == HEADING
    assert not folder.clip("i3", ".mp4").exists()
    assert (path / "notes.txt").exists()


def test_resume_and_overwrite_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only one of them"):
        open_folder(tmp_path, resume=True, overwrite=True)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="m: is a file, not a folder"):
        open_folder(path)
    with pytest.raises(InputError, match="below: cannot be written"):
        open_folder(path / "below")


def test_names_of_folders_sort_by_time() -> None:
    names = [
        new_folder_name("tabletop-croquet", datetime(2026, 5, day, 9, 30, 1)) for day in (2, 11)
    ]
    assert names[0] == "2026-05-02-093001-tabletop-croquet"
    assert names == sorted(names)


def test_a_folder_made_for_nothing_goes_again_and_one_that_was_there_stays(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    open_folder(tmp_path / "mine" / "a" / "b").remove_if_unused()
    assert list((tmp_path / "mine").iterdir()) == []
    (tmp_path / "mine" / "notes.txt").write_text("mine", encoding="utf-8")
    open_folder(tmp_path / "mine").remove_if_unused()
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_a_folder_with_a_record_or_paths_is_not_left(tmp_path: Path) -> None:
    begun = open_folder(tmp_path / "begun")
    begun.record.write_text('{"entry": "setup"}\n', encoding="utf-8")
    begun.remove_if_unused()
    assert begun.paths.exists() and begun.record.exists()
    played = open_folder(tmp_path / "played")
    played.put_paths(2, [POINT])
    played.remove_if_unused()
    assert played.paths.read_text(encoding="utf-8") == HEADING + LINE


@pytest.mark.parametrize("foreign", [b"1,\xff\xfe,1,1,1,1,1\n", b""])
def test_paths_are_written_whatever_others_made_of_the_file(tmp_path: Path, foreign: bytes) -> None:
    """What others wrote stays, byte for byte."""
    folder = open_folder(tmp_path / "m")
    heading = HEADING.encode() if foreign else b""
    folder.paths.write_bytes(heading + foreign)
    folder.put_paths(2, [POINT])
    assert folder.paths.read_bytes() == HEADING.encode() + foreign + LINE.encode()
