"""Clips: the moments around an incident. They hold the source's own compressed packets, which are
never encoded again.

Packets need little memory (some tens of kilobytes a frame), so a ring of limited size always holds
the last seconds of a match. Browsers cannot play every camera's packets. `playable` encodes a clip
for them, but only when somebody wants to see it.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
from av.error import FFmpegError

from referee.domain.errors import InputError
from referee.library.whole_file import replacing

#: The codecs that browsers can play in mp4. Everything else is written as Matroska, which takes any
#: codec.
_MP4_CODECS: Final = frozenset({"h264", "hevc", "av1", "vp9"})
#: The codecs and the pixel formats that every current browser can decode.
_PLAYED: Final = frozenset({"h264", "av1", "vp9"})
_PLAYED_PIXELS: Final = frozenset({"yuv420p", "yuvj420p"})


#: Chosen: a clip leaves this much of the disk to the record: some hundred flicks.
ROOM_FOR_RECORD_BYTES: Final = 1 << 20


class ClipError(Exception):
    """Raised when a clip cannot be saved. Its text says why, in a few words."""


@dataclass(frozen=True, slots=True)
class ClipPacket:
    """One compressed frame as the source sent it. `t_s` is its time since the first frame. `pts`
    and `dts` are times in units of `ClipFormat.time_base`.
    """

    t_s: float
    pts: int
    dts: int
    keyframe: bool
    payload: bytes


@dataclass(frozen=True, slots=True)
class ClipFormat:
    """How a source's packets are written to a file: the codec's name, the length of a clock tick in
    seconds, and a small sample file that holds the codec's settings.
    """

    codec: str
    time_base: Fraction
    sample: bytes

    @property
    def suffix(self) -> str:
        """Return the suffix of a clip's file: `.mp4` where browsers can play it, else `.mkv`."""
        return ".mp4" if self.codec in _MP4_CODECS else ".mkv"


@dataclass(frozen=True, slots=True)
class SavedClip:
    """A clip on disk and the times of its pictures, in their order, s. It begins at the last
    keyframe before the requested span.

    A player that shows second x of the clip shows what was filmed at `zero_s` + x. `zero_s` is
    earlier than the first picture if the pictures are not stored in the order in which they are
    shown.
    """

    path: Path
    frames_s: tuple[float, ...]
    zero_s: float

    @property
    def from_s(self) -> float:
        """Return the time of the first picture."""
        return self.frames_s[0]

    @property
    def to_s(self) -> float:
        """Return the time of the last picture."""
        return self.frames_s[-1]


def format_of_stream(stream: av.VideoStream, first: ClipPacket) -> ClipFormat:
    """Return the format of an open stream. It stays usable after the stream is closed. `first` is
    any of its keyframes; it serves as a sample.
    """
    if stream.time_base is None:
        raise ValueError("the stream has no clock")
    sample = io.BytesIO()
    with av.open(sample, "w", format="matroska") as out:
        _mux(out, out.add_stream_from_template(stream, opaque=True), [first], stream.time_base)
    return ClipFormat(
        stream.codec_context.codec.canonical_name, stream.time_base, sample.getvalue()
    )


def format_of_jpegs(
    width_px: int, height_px: int, first: ClipPacket, time_base: Fraction
) -> ClipFormat:
    """Return the format of a source whose pictures are single JPEG files (raw camera frames)."""
    sample = io.BytesIO()
    with av.open(sample, "w", format="matroska") as out:
        _mux(out, out.add_mux_stream("mjpeg", width=width_px, height=height_px), [first], time_base)
    return ClipFormat("mjpeg", time_base, sample.getvalue())


def _mux(
    out: av.container.OutputContainer,
    stream: av.stream.Stream,
    packets: Sequence[ClipPacket],
    time_base: Fraction,
) -> None:
    """Write the packets. The earliest decoding time becomes 0, so that the clip starts at once.

    Not every container says when packets must be decoded. So set these times here: the packets are
    decoded in their order, each as late as possible, but early enough for every picture to be shown
    in time.
    """
    shown, delay = sorted(p.pts for p in packets), _delay(packets)
    for due, kept in zip(shown, packets, strict=True):
        packet = av.Packet(kept.payload)
        packet.pts, packet.dts = kept.pts - shown[0] + delay, due - shown[0]
        packet.time_base = time_base
        packet.is_keyframe = kept.keyframe
        packet.stream = stream
        out.mux_one(packet)


def _delay(packets: Sequence[ClipPacket]) -> int:
    """Return how long after the clip's time 0 its first picture must be shown, in units of the
    packets' times. This delay leaves time to decode each picture before it must be shown.
    """
    shown = sorted(p.pts for p in packets)
    return max(due - p.pts for due, p in zip(shown, packets, strict=True))


def _refuse_without_room(folder: Path, clip_bytes: int) -> None:
    """Raise OSError if a clip would take disk space that the record needs."""
    if shutil.disk_usage(folder).free < clip_bytes + ROOM_FOR_RECORD_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class ClipKeeper:
    """Holds the last `seconds` of packets, at most `most_bytes` of them, and writes spans of them
    to disk.

    It drops whole groups of packets. A group begins with a keyframe and ends before the next
    keyframe. So the packets that it holds can always be decoded from the first one on.
    """

    def __init__(
        self, clip_format: ClipFormat, seconds: float = 30.0, most_bytes: int = 96 * 1024 * 1024
    ) -> None:
        self.format = clip_format
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._groups: deque[list[ClipPacket]] = deque()
        self._bytes = 0

    @property
    def span_s(self) -> tuple[float, float] | None:
        """Return the times of the first and the last packet held; None while there is none."""
        if not self._groups:
            return None
        return self._groups[0][0].t_s, max(p.t_s for p in self._groups[-1])

    def add(self, packet: ClipPacket) -> None:
        """Take the next packet of the source. Packets before the first keyframe cannot be shown and
        are dropped.
        """
        if packet.keyframe:
            self._groups.append([packet])
        elif self._groups:
            self._groups[-1].append(packet)
        else:
            return
        self._bytes += len(packet.payload)
        self._drop_old(packet.t_s)

    def _drop_old(self, now_s: float) -> None:
        while self._groups and (self._bytes > self._most_bytes or self._old(now_s)):
            self._bytes -= sum(len(p.payload) for p in self._groups.popleft())

    def _old(self, now_s: float) -> bool:
        return len(self._groups) > 1 and self._groups[1][0].t_s <= now_s - self._seconds

    def save(self, from_s: float, to_s: float, path: Path) -> SavedClip | None:
        """Write the packets between two times, from the last keyframe before `from_s` on. Return
        None if none of these packets is held any more.

        The packets are copied without change. If they cannot be written, raise ClipError and leave
        no file.
        """
        packets = self.between(from_s, to_s)
        if not packets:
            return None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _refuse_without_room(path.parent, sum(len(p.payload) for p in packets))
            with replacing(path) as unfinished:
                self._write(packets, unfinished)
        except (FFmpegError, OSError, ValueError) as error:
            raise ClipError(getattr(error, "strerror", None) or str(error)) from error
        frames_s = tuple(sorted(p.t_s for p in packets))
        delay_s = float(_delay(packets) * self.format.time_base)
        return SavedClip(path, frames_s, frames_s[0] - delay_s)

    def _write(self, packets: Sequence[ClipPacket], path: Path) -> None:
        with av.open(io.BytesIO(self.format.sample)) as sample, av.open(str(path), "w") as out:
            _mux(
                out,
                out.add_stream_from_template(sample.streams.video[0], opaque=True),
                packets,
                self.format.time_base,
            )

    def between(self, from_s: float, to_s: float) -> list[ClipPacket]:
        """Return the packets between two times, in the order in which they came, from the last
        keyframe before `from_s` on.
        """
        started = [i for i, group in enumerate(self._groups) if group[0].t_s <= from_s]
        first = (
            started[-1] if started else 0
        )  # 0 where the span begins before the first packet held
        kept = [p for i, group in enumerate(self._groups) if i >= first for p in group]
        wanted = [i for i, p in enumerate(kept) if p.t_s <= to_s]
        return kept[: wanted[-1] + 1] if wanted else []


def playable(clip: Path, copy: Path) -> Path:
    """Return a file that browsers can play: the clip itself, or else `copy`, which is encoded as
    H.264 the first time and kept.

    Encoding uses one core and leaves the clip as it is. Raises InputError, which names the clip, if
    the clip cannot be read or the copy cannot be written.
    """
    try:
        with av.open(str(clip)) as given:
            stream = given.streams.video[0]
            context = stream.codec_context
            if (
                clip.suffix == ".mp4"
                and context.codec.canonical_name in _PLAYED
                and context.pix_fmt in _PLAYED_PIXELS
            ):
                return clip
            if not copy.exists():
                _encode(given, stream, copy)
    except (FFmpegError, OSError, IndexError) as error:
        raise InputError(
            f"{clip}: cannot be converted for a browser"
            f" ({getattr(error, 'strerror', None) or error})"
        ) from error
    return copy


def _encode(given: av.container.InputContainer, stream: av.VideoStream, copy: Path) -> None:
    """Encode into a temporary file, which becomes `copy` when it is complete, so that nobody reads
    half a clip.
    """
    copy.parent.mkdir(parents=True, exist_ok=True)
    stream.thread_count = 1
    width, height = (
        side - side % 2 for side in (stream.codec_context.width, stream.codec_context.height)
    )  # H.264 wants even sides
    with (
        replacing(copy) as unfinished,
        av.open(str(unfinished), "w", format="mp4", options={"movflags": "+faststart"}) as out,
    ):
        made = out.add_stream(
            "libx264",
            rate=stream.average_rate or 30,
            options={"preset": "veryfast", "crf": "21", "threads": "1"},
        )
        made.width, made.height, made.pix_fmt = width, height, "yuv420p"
        made.codec_context.time_base = stream.time_base or Fraction(1, 1000)
        for frame in given.decode(stream):
            # The decoder gives every frame a time. The kind of picture (I, P or B) does not matter
            # here.
            plain = frame.reformat(width, height, "yuv420p", dst_color_range="MPEG")
            plain.pict_type = 0
            out.mux(made.encode(plain))
        out.mux(made.encode(None))
