"""Damaged pictures, and those predicted from damaged or missing ones, are no frames. Frame i of the
videos is sent at 33 * i ms.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import pytest

from referee.vision.sources.video import open_source
from tests.vision.sources.serving import MULTIPART, multipart, packets_of, sent

Video = Callable[..., Path]
Change = Callable[[int, bytes], bytes | None]
EVEN_MS = [33 * i for i in range(30)]
#: A complete picture every fifteen frames.
PREDICTED: dict[str, Any] = {
    "codec": "libx264",
    "pixel_format": "yuv420p",
    "options": {"g": "15", "bf": "0", "sc_threshold": "0"},
}


def sent_on(video: Path, change: Change) -> Path:
    """Copy a video with its packets changed; None loses a packet."""
    target = video.with_name(f"changed-{video.name}")
    with av.open(str(video)) as source, av.open(str(target), "w") as out:
        stream = source.streams.video[0]
        copy = out.add_stream_from_template(stream)
        for number, packet in enumerate(source.demux(stream)):
            if packet.size and (content := change(number, bytes(packet))) is not None:
                new = av.Packet(content)
                new.pts, new.dts, new.time_base = packet.pts, packet.dts, packet.time_base
                new.is_keyframe, new.stream = packet.is_keyframe, copy
                out.mux(new)
    return target


def numbers_and_notes(source: str | Path) -> tuple[list[int], tuple[str, ...], str | None]:
    with open_source(str(source)) as opened:
        times = [frame.t_s for frame in opened if frame.sound]
        return [round(t_s / 0.033) for t_s in times], opened.notes, opened.shortfall


@pytest.mark.parametrize("name", ["lost.mp4", "lost.ts"])
@pytest.mark.parametrize("lost", [{5}, {5, 6, 7}])
def test_after_a_lost_packet_nothing_is_measured_until_the_next_complete_picture(
    video: Video, name: str, lost: set[int]
) -> None:
    changed = sent_on(video(name, EVEN_MS, **PREDICTED), lambda n, b: None if n in lost else b)
    numbers, notes, _ = numbers_and_notes(changed)
    assert numbers == [*range(5), *range(15, 30)]
    (note,) = notes
    assert note.endswith(f"were damaged: {10 - len(lost)}")


def test_a_picture_that_no_other_needs_may_be_lost(video: Video) -> None:
    """Such pictures are sent after the later one that they are predicted from."""
    how = {**PREDICTED, "options": {"g": "30", "bf": "1", "b_strategy": "0", "sc_threshold": "0"}}
    whole = video("between.mp4", EVEN_MS, **how)
    with av.open(str(whole)) as opened:
        sent_ms = [p.pts for p in opened.demux(video=0) if p.pts is not None]
    unneeded = [n for n in range(1, 30) if sent_ms[n] < sent_ms[n - 1]]
    changed = sent_on(whole, lambda n, b: None if n == unneeded[2] else b)
    numbers, notes, _ = numbers_and_notes(changed)
    assert len(unneeded) > 5 and len(numbers) == 29 and notes == ()


def test_a_complete_stream_is_measured_whole(video: Video) -> None:
    for how in (PREDICTED, {**PREDICTED, "options": {"g": "15", "bf": "2"}}):
        numbers, notes, shortfall = numbers_and_notes(video("whole.mp4", EVEN_MS, **how))
        assert numbers == [*range(30)] and notes == () and shortfall is None


def test_a_packet_with_wrong_bytes_makes_no_frame_of_it_nor_of_what_is_predicted_from_it(
    video: Video,
) -> None:
    def garble(number: int, packet: bytes) -> bytes:
        return packet if number != 5 else packet[:14] + bytes(b ^ 0x5A for b in packet[14:])

    numbers, notes, _ = numbers_and_notes(sent_on(video("bad.mp4", EVEN_MS, **PREDICTED), garble))
    assert numbers == [*range(5), *range(15, 30)] and notes


def test_half_a_picture_of_a_camera_is_left_out_and_the_next_is_measured(video: Video) -> None:
    changed = sent_on(video("half.avi", EVEN_MS), lambda n, b: b[: len(b) // 2] if n == 5 else b)
    numbers, notes, _ = numbers_and_notes(changed)
    assert numbers == [n for n in range(30) if n != 5]
    assert [note.split(": ", 1)[1] for note in notes] == ["damaged packets left out: 1"]


def test_one_bad_part_of_a_network_camera_is_told_and_on_it_goes(video: Video) -> None:
    parts = packets_of(video("live.avi", EVEN_MS))
    with sent(multipart([*parts[:5], b"no picture", *parts[6:]]), MULTIPART) as address:
        numbers, notes, shortfall = numbers_and_notes(address)
    assert len(numbers) == 29 and len(notes) == 1 and shortfall is None


def resized(video: Video, first: int, last: int, size: tuple[int, int]) -> list[bytes]:
    """Return the pictures of a camera that sends some of them in another size."""
    parts = packets_of(video("own.avi", EVEN_MS))
    encoder = av.CodecContext.create("mjpeg", "w")
    encoder.width, encoder.height, encoder.pix_fmt = *size, "yuvj420p"  # type: ignore[attr-defined]
    with av.open(str(video("own.avi", EVEN_MS))) as opened:
        for number, picture in enumerate(opened.decode(video=0)):
            if first <= number <= last:
                encoder.time_base = picture.time_base  # type: ignore[assignment]
                (packet,) = encoder.encode(picture.reformat(*size))  # type: ignore[attr-defined]
                parts[number] = bytes(packet)
    return parts


def test_pictures_of_half_the_size_are_measured_at_the_size_of_the_others(video: Video) -> None:
    parts = resized(video, 10, 14, (75, 45))
    with sent(multipart(parts), MULTIPART) as address, open_source(address) as source:
        pictures = [frame.luma for frame in source]
        assert {p.shape for p in pictures} == {(90, 150)} and len(pictures) == 30
        (note,) = source.notes
    assert note.endswith("pictures in another size, from 150x90 to 75x45: 5")
    columns = pictures[12].mean(axis=0)
    assert 46 <= columns.argmax() <= 57  # the bar of frame 12 covers columns 48 to 55


def test_pictures_of_another_shape_are_left_out_and_many_of_them_end_the_match(
    video: Video,
) -> None:
    with sent(multipart(resized(video, 10, 14, (150, 120))), MULTIPART) as address:
        numbers, notes, shortfall = numbers_and_notes(address)
    assert len(numbers) == 25 and len(notes) == 1 and shortfall is None
    parts = resized(video, 10, 29, (150, 120))
    with sent(multipart([*parts, *parts[20:]]), MULTIPART) as address:
        numbers, _, shortfall = numbers_and_notes(address)
    assert len(numbers) == 10 and shortfall is not None
    assert shortfall.endswith(
        "its pictures changed from 150x90 to 150x120: survey the table again in that size"
    )
