"""Every input has bounds: what exceeds one is refused in one line."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from calibration.store.picture_bounds import check_pixels
from calibration.store.picture_file import read_picture
from calibration.store.yaml_input import read_yaml
from referee.cli import run
from referee.domain.errors import InputError
from referee.record.reading import parse_record, read_record
from tests.record.matches import setup, text_of

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x" * 1_000_001, "is longer than 1 MB"),
        (BOMB, "line 7: aliases repeat too much"),
        ("[" * 101 + "]" * 101, "line 1: is nested too deeply"),
        ("a: !!bool x", "line 1: 'x' is not a value of bool"),
        ("a: !!timestamp x", "line 1: 'x' is not a value of timestamp"),
        ("a: !!int x", "line 1: 'x' is not a value of int"),
        ("a: !!float x", "line 1: 'x' is not a value of float"),
    ],
)
def test_yaml_beyond_a_bound_is_a_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "match.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_yaml(path)
    assert str(refused.value) == f"{path}: {told}"


@pytest.mark.parametrize(
    "content",
    [
        b"BM" + struct.pack("<IHHI", 154, 0, 0, 54)
        + struct.pack("<IiiHHIIiiII", 40, 40_000, 40_000, 1, 24, 0, 0, 0, 0, 0, 0) + bytes(100),
        b"P5\n40000 40000\n255\n" + bytes(1000),
    ],
    ids=["bmp", "pgm"],
)  # fmt: skip
def test_a_picture_of_any_kind_that_is_too_large_to_decode_is_a_line(
    tmp_path: Path, content: bytes
) -> None:
    """A picture of 1600 megapixels states its size, and holds nearly nothing."""
    path = tmp_path / "row.bmp"
    path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        read_picture(path)
    assert str(refused.value).startswith(f"{path}: is ")


def test_aliases_that_repeat_little_are_read(tmp_path: Path) -> None:
    path = tmp_path / "match.yaml"
    path.write_text("a: &a [1, 2]\nb: *a\nc: *a\n", encoding="utf-8")
    assert read_yaml(path) == {"a": [1, 2], "b": [1, 2], "c": [1, 2]}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"entry": "incident", "x": "' + b"x" * 1_000_000 + b'"}', "is longer than 1 MB"),
        (b'{"entry": "incident", "x": ' + b"[" * 100 + b"]" * 100 + b"}", "is nested too deeply"),
    ],
)
def test_a_line_beyond_a_bound_is_refused(line: bytes, told: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_record(text_of(setup(2)) + line + b"\n")
    assert str(refused.value) == f"record: line 2: json: {told}"


def test_brackets_in_a_text_are_no_nesting() -> None:
    line = b'{"entry": "incident", "kind": "at_rest", "coins": {}, "x": "' + b"[" * 200 + b'"}\n'
    assert len(parse_record(text_of(setup(2)) + line)) == 2


def test_a_name_of_over_80_characters_is_refused() -> None:
    named = text_of(setup(2)).replace(b'"Ann"', b'"' + b"n" * 81 + b'"')
    with pytest.raises(InputError, match=r"players\[0\]\.name: is longer than 80 characters"):
        parse_record(named)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
@pytest.mark.parametrize("command", ["adjudicate", "check", "rule"])
def test_a_pipe_is_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    pipe = tmp_path / "record.jsonl"
    os.mkfifo(pipe)
    ruling = ["i1", "--overturn", "--by", "Ann", "--reason", "so"] if command == "rule" else []
    try:
        status = run([command, str(pipe), *ruling])
    except SystemExit as ended:  # `adjudicate` ends by itself
        status = int(ended.code or 0)
    assert status == 2
    assert capsys.readouterr().err == f"{pipe}: is not a file\n"
    with pytest.raises(InputError, match="is not a file"):
        read_yaml(pipe)


def test_a_record_of_over_256_mb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    with path.open("wb") as file:
        file.truncate(256_000_001)
    with pytest.raises(InputError, match="is longer than 256 MB"):
        read_record(path)


def test_a_picture_of_over_100_megapixels_is_refused_before_it_is_decoded() -> None:
    head = struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", len(head)) + b"IHDR" + head + struct.pack(">I", zlib.crc32(head))
    with pytest.raises(InputError, match=r"x\.png: 20000x20000 is more than 100 megapixels"):
        check_pixels(b"\x89PNG\r\n\x1a\n" + chunk, "x.png")
    size = struct.pack(">HHBHH", 0xFFC0, 11, 8, 65_000, 65_000)
    with pytest.raises(InputError, match=r"x\.jpg: 65000x65000 is more"):
        check_pixels(b"\xff\xd8\xff\xe0\x00\x04ab" + size, "x.jpg")
    check_pixels(np.zeros(9, np.uint8).tobytes(), "x")
