"""How streams end. Over HTTP without a known length, the end is reported as an error. A stream with
less than its stated length breaks off.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee.vision.sources.video import open_source
from tests.vision.sources.serving import MULTIPART, multipart, packets_of, sent

Video = Callable[..., Path]
EVEN_MS = [33 * i for i in range(90)]
#: Pictures that are shown in another order than they are sent in. The decoder still holds some when
#: the last one has come.
REORDERED: dict[str, Any] = {"codec": "libx264", "pixel_format": "yuv420p", "options": {"bf": "2"}}


def times_and_shortfall(address: str) -> tuple[list[float], str | None]:
    with open_source(address) as source:
        return [f.t_s for f in source], source.shortfall


@pytest.mark.parametrize("name", ["live.ts", "live.mkv"])
def test_a_stream_of_unknown_length_ends_where_the_server_ends_it(video: Video, name: str) -> None:
    with sent(video(name, EVEN_MS, **REORDERED).read_bytes()) as address:
        times, shortfall = times_and_shortfall(address)
    assert times == pytest.approx([t / 1000 for t in EVEN_MS], abs=1e-3)
    assert shortfall is None


def test_pictures_without_times_end_where_the_server_ends_them(video: Video) -> None:
    with sent(multipart(packets_of(video("live.avi", EVEN_MS[:30]))), MULTIPART) as address:
        times, shortfall = times_and_shortfall(address)
    assert len(times) == 30
    assert shortfall is None


@pytest.mark.parametrize("kind", [MULTIPART, "video/mp2t"])
def test_a_stream_that_ends_before_the_length_it_promised_breaks_off(
    video: Video, kind: str
) -> None:
    body = (
        multipart(packets_of(video("live.avi", EVEN_MS[:30])))
        if kind == MULTIPART
        else video("live.ts", EVEN_MS, **REORDERED).read_bytes()
    )
    with sent(body, kind, promised=2 * len(body)) as address:
        times, shortfall = times_and_shortfall(address)
    assert len(times) >= 30
    assert all(a < b for a, b in pairwise(times))
    assert shortfall is not None
    assert shortfall.startswith(f"{address}: breaks off after {times[-1]:.2f} s (")


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("cut.mkv", {}),
        ("cut.avi", {}),
        ("cut.flv", {"codec": "flv1", "pixel_format": "yuv420p"}),
        # The file is in fragments of a second. The length that it states is that of the first
        # fragment.
        ("cut.mp4", {"container_options": {"movflags": "empty_moov", "frag_duration": "1000000"}}),
    ],
)
@pytest.mark.parametrize("length_known", [True, False])
def test_a_file_that_is_served_cut_short_is_told_as_cut_short(
    video: Video, name: str, how: dict[str, Any], length_known: bool
) -> None:
    whole = video(name, EVEN_MS, **how).read_bytes()
    with sent(
        whole[: len(whole) * 6 // 10], promised=len(whole) if length_known else None
    ) as address:
        times, shortfall = times_and_shortfall(address)
    assert 30 <= len(times) < 90
    assert shortfall is not None
    assert "\n" not in shortfall
    told = re.search(r"breaks off after ([\d.]+) s(?: of ([\d.]+) s)?", shortfall)
    assert told is not None
    assert float(told[1]) == pytest.approx(times[-1], abs=0.01)
    assert told[2] is None or float(told[2]) > float(told[1])


def part(content: bytes, kind: bytes = b"image/jpeg", length: int | None = None) -> bytes:
    stated = len(content) if length is None else length
    head = b"--next\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n" % (kind, stated)
    return head + content + b"\r\n"


@pytest.mark.parametrize(
    "bad",
    [
        part(b"hello", b"text/plain"),
        part(b""),
        b"\x00\x01 no part\r\nat all\r\n",
        part(b"\xff\xd8" + b"no picture\r\n" * 50, length=40),
    ],
    ids=["text", "empty", "noise", "longer than it says"],
)
def test_a_stream_goes_on_behind_a_part_that_is_no_picture(video: Video, bad: bytes) -> None:
    """All 30 pictures of the camera are there, and one line says that something was left out."""
    pictures = packets_of(video("live.avi", EVEN_MS[:30]))
    body = multipart(pictures[:10]) + bad + multipart(pictures[10:])
    with sent(body, MULTIPART) as address, open_source(address) as source:
        assert sum(frame.sound for frame in source) == 30
    assert source.shortfall is None
    assert any(
        "parts of the stream left out, because they were no pictures: 1" in note
        for note in source.notes
    )
