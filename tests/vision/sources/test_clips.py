"""Clips written from the packets that were kept."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.errors import InputError
from referee.library.clips import ClipFormat, ClipKeeper, ClipPacket, playable
from referee.vision.sources.video import open_source

Video = Callable[..., Path]
NO_FORMAT = ClipFormat("mjpeg", Fraction(1, 1000), b"")


def number_in(luma: np.ndarray) -> int:
    return int(np.argmax(luma[30:60].mean(axis=0) > 130)) // 4


def kept_from(path: Path, seconds: float = 30.0) -> ClipKeeper:
    with open_source(str(path)) as source:
        assert source.clip_format is not None
        keeper = ClipKeeper(source.clip_format, seconds)
        for frame in source:
            for packet in frame.packets:
                keeper.add(packet)
    return keeper


def numbers_in_clip(path: Path) -> list[int]:
    with open_source(str(path)) as source:
        return [number_in(f.luma) for f in source]


def test_a_clip_of_pictures_that_stand_alone_is_exactly_the_span(
    video: Video, tmp_path: Path
) -> None:
    keeper = kept_from(video("match.avi", [33 * i for i in range(20)]))
    saved = keeper.save(0.180, 0.310, tmp_path / "clips" / "i5.mkv")
    assert saved is not None
    assert numbers_in_clip(saved.path) == [
        5,
        6,
        7,
        8,
        9,
    ]  # frame i comes at 33 i ms: the last before 180 ms is 5, the last before 310 ms is 9


@pytest.mark.parametrize("frames_between", ["0", "2"])
def test_a_clip_begins_at_the_keyframe_before_the_span(
    video: Video, tmp_path: Path, frames_between: str
) -> None:
    options = {"g": "10", "keyint_min": "10", "sc_threshold": "0", "bf": frames_between}
    path = video(
        "match.mp4",
        [40 * i for i in range(30)],
        codec="libx264",
        pixel_format="yuv420p",
        options=options,
    )
    keeper = kept_from(path)
    saved = keeper.save(0.60, 0.76, tmp_path / "i5.mp4")
    assert saved is not None
    numbers = numbers_in_clip(saved.path)
    assert numbers[0] == 10
    assert set(range(10, 20)) <= set(
        numbers
    )  # 0.60 s is frame 15, 0.76 s frame 19, and frame 10 is the keyframe before
    assert numbers == sorted(numbers)
    assert saved.from_s == pytest.approx(0.4, abs=1e-3)


def test_the_clips_own_times_are_the_sources(video: Video, tmp_path: Path) -> None:
    times_ms = [0, 40, 200, 210, 260, 1000]
    saved = kept_from(video("match.mkv", times_ms)).save(0.2, 0.3, tmp_path / "c.mkv")
    assert saved is not None
    with open_source(str(saved.path)) as source:
        assert [f.t_s for f in source] == pytest.approx([0.0, 0.01, 0.06], abs=1e-3)


def test_the_packets_are_not_coded_anew(video: Video, tmp_path: Path) -> None:
    path = video("match.avi", [33 * i for i in range(6)])
    saved = kept_from(path).save(0.0, 1.0, tmp_path / "c.mkv")
    assert saved is not None
    with av.open(str(path)) as whole, av.open(str(saved.path)) as clip:
        before = [bytes(p) for p in whole.demux(video=0) if p.size]
        after = [bytes(p) for p in clip.demux(video=0) if p.size]
    assert after == before


def test_a_span_that_is_no_longer_held_gives_no_clip(video: Video, tmp_path: Path) -> None:
    keeper = kept_from(video("match.avi", [100 * i for i in range(30)]), seconds=1.0)
    assert keeper.span_s == pytest.approx((1.9, 2.9), abs=0.02)
    assert keeper.save(0.0, 1.0, tmp_path / "c.mkv") is None
    assert not (tmp_path / "c.mkv").exists()


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 50)), max_size=200), st.integers(1, 400))
def test_memory_stays_bounded_and_what_is_held_begins_with_a_keyframe(
    packets: list[tuple[bool, int]], most_bytes: int
) -> None:
    keeper = ClipKeeper(NO_FORMAT, seconds=3.0, most_bytes=most_bytes)
    added = []
    for i, (keyframe, size) in enumerate(packets):
        packet = ClipPacket(0.1 * i, 100 * i, 100 * i, keyframe, bytes(size))
        added.append(packet)
        keeper.add(packet)
        held = keeper.between(-1.0, 1e9)
        assert sum(len(p.payload) for p in held) <= most_bytes
        assert held == added[len(added) - len(held) :]
        assert not held or held[0].keyframe


def test_old_groups_are_let_go_after_their_time() -> None:
    keeper = ClipKeeper(NO_FORMAT, seconds=2.0)
    for i in range(100):
        keeper.add(ClipPacket(0.1 * i, i, i, i % 10 == 0, b"x"))
    assert keeper.span_s == pytest.approx(
        (7.0, 9.9)
    )  # at 9.9 s the last 2 s begin at 7.9 s, whose keyframe is at 7.0 s


def test_what_browsers_play_is_given_as_it_is(video: Video, tmp_path: Path) -> None:
    clip = video("clip.mp4", [40 * i for i in range(5)], codec="libx264", pixel_format="yuv420p")
    assert playable(clip, tmp_path / "copy.mp4") == clip
    assert not (tmp_path / "copy.mp4").exists()


@pytest.mark.parametrize(
    ("name", "codec", "pixels"),
    [
        ("clip.mkv", "mjpeg", "yuvj422p"),
        ("clip.mp4", "libx264", "yuv444p"),
        ("clip.mkv", "libx264", "yuv420p"),
    ],
)
def test_what_browsers_do_not_play_is_encoded_for_them_once(
    video: Video, tmp_path: Path, name: str, codec: str, pixels: str
) -> None:
    times_ms = [0, 40, 200, 210, 260, 1000]
    clip, copy = (
        video(name, times_ms, codec=codec, pixel_format=pixels),
        tmp_path / "copies" / "clip.mp4",
    )
    recorded = clip.read_bytes()
    assert playable(clip, copy) == copy
    with av.open(str(copy)) as played:
        stream = played.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        frames = [
            (float(f.pts * stream.time_base), number_in(f.to_ndarray(format="gray")))
            for f in played.decode(stream)
            if f.pts is not None
        ]
    assert [t_s for t_s, _ in frames] == pytest.approx([t / 1000 for t in times_ms], abs=2e-3)
    assert [number for _, number in frames] == list(range(6))
    made = copy.stat().st_mtime_ns
    assert playable(clip, copy) == copy
    assert copy.stat().st_mtime_ns == made
    assert [path.name for path in copy.parent.iterdir()] == ["clip.mp4"]
    assert clip.read_bytes() == recorded


def test_a_clip_that_is_no_video_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "clip.mkv").write_bytes(b"nothing")
    with pytest.raises(
        InputError, match=r"clip\.mkv: cannot be converted for a browser \([^\n]+\)$"
    ):
        playable(tmp_path / "clip.mkv", tmp_path / "copy.mp4")
