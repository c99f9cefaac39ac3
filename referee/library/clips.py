"""Clips: the moments around an incident, kept as the source's own compressed packets and never
encoded anew.

Packets are cheap to hold (some tens of kilobytes a frame), so a bounded ring always holds the last
seconds of a match. Browsers do not play every camera's packets: `playable` encodes a clip for them,
and only when somebody wants to see it.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
from av.error import FFmpegError

from referee.domain.errors import InputError

#: What plays in a browser inside mp4; everything else goes into Matroska, which takes any codec.
_MP4_CODECS = frozenset({"h264", "hevc", "av1", "vp9"})
#: What every browser of today decodes, and how its pixels must lie for that.
_PLAYED = frozenset({"h264", "av1", "vp9"})
_PLAYED_PIXELS = frozenset({"yuv420p", "yuvj420p"})


@dataclass(frozen=True, slots=True)
class ClipPacket:
    """One compressed frame as the source sent it. `t_s` is its time since the first frame, `pts`
    and `dts` count `ClipFormat.time_base`.
    """

    t_s: float
    pts: int
    dts: int
    keyframe: bool
    payload: bytes


@dataclass(frozen=True, slots=True)
class ClipFormat:
    """How a source's packets are wrapped: the codec's name, the ticks of the packets' clock in
    seconds, and a small file that shows the codec's setup.
    """

    codec: str
    time_base: Fraction
    sample: bytes

    @property
    def suffix(self) -> str:
        """The ending a clip's file should have: `.mp4` where browsers play it, else `.mkv`."""
        return ".mp4" if self.codec in _MP4_CODECS else ".mkv"


@dataclass(frozen=True, slots=True)
class SavedClip:
    """A clip on disk and the span it really covers, which begins at the keyframe before the span
    asked for.
    """

    path: Path
    from_s: float
    to_s: float


def format_of_stream(stream: av.VideoStream, first: ClipPacket) -> ClipFormat:
    """The format of an open stream, usable after the stream is closed. `first` is one of its
    keyframes.
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
    """Return the format of pictures that are JPEG files each (raw camera frames)."""
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
    """Write the packets, the earliest decoding time becoming 0 so that the clip starts at once.

    Not every container says when packets are to be decoded: in their order, as late as their being
    shown in time allows.
    """
    shown = sorted(p.pts for p in packets)
    delay = max(due - p.pts for due, p in zip(shown, packets, strict=True))
    for due, kept in zip(shown, packets, strict=True):
        packet = av.Packet(kept.payload)
        packet.pts, packet.dts = kept.pts - shown[0] + delay, due - shown[0]
        packet.time_base = time_base
        packet.is_keyframe = kept.keyframe
        packet.stream = stream
        out.mux_one(packet)


class ClipKeeper:
    """Holds the last `seconds` of packets, at most `most_bytes` of them, and writes spans of them.

    It drops whole groups, keyframe to keyframe, so that what it holds can always be decoded from
    the beginning.
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
    def held_bytes(self) -> int:
        """The memory that the packets take."""
        return self._bytes

    @property
    def span_s(self) -> tuple[float, float] | None:
        """The first and the last time held; None while nothing is."""
        if not self._groups:
            return None
        return self._groups[0][0].t_s, max(p.t_s for p in self._groups[-1])

    def add(self, packet: ClipPacket) -> None:
        """Take in the next packet of the source. Packets before the first keyframe cannot be shown
        and are dropped.
        """
        if packet.keyframe:
            self._groups.append([packet])
        elif self._groups:
            self._groups[-1].append(packet)
        else:
            return
        self._bytes += len(packet.payload)
        self._let_go(packet.t_s)

    def _let_go(self, now_s: float) -> None:
        while self._groups and (self._bytes > self._most_bytes or self._old(now_s)):
            self._bytes -= sum(len(p.payload) for p in self._groups.popleft())

    def _old(self, now_s: float) -> bool:
        return len(self._groups) > 1 and self._groups[1][0].t_s <= now_s - self._seconds

    def save(self, from_s: float, to_s: float, path: Path) -> SavedClip | None:
        """Write what is held between two times, from the keyframe before `from_s` on; None when
        nothing of it is held any more.

        The packets are copied as they are. Raises OSError where the file cannot be written.
        """
        packets = self.between(from_s, to_s)
        if not packets:
            return None
        path.parent.mkdir(parents=True, exist_ok=True)
        with av.open(io.BytesIO(self.format.sample)) as sample, av.open(str(path), "w") as out:
            _mux(
                out,
                out.add_stream_from_template(sample.streams.video[0], opaque=True),
                packets,
                self.format.time_base,
            )
        times = [p.t_s for p in packets]
        return SavedClip(path, min(times), max(times))

    def between(self, from_s: float, to_s: float) -> list[ClipPacket]:
        """What is held between two times, in the order it came, from the keyframe before `from_s`
        on.
        """
        started = [i for i, group in enumerate(self._groups) if group[0].t_s <= from_s]
        first = started[-1] if started else 0  # where the span begins before what is held
        kept = [p for i, group in enumerate(self._groups) if i >= first for p in group]
        wanted = [i for i, p in enumerate(kept) if p.t_s <= to_s]
        return kept[: wanted[-1] + 1] if wanted else []


def playable(clip: Path, copy: Path) -> Path:
    """A file that browsers play: the clip itself where they do, else `copy`, encoded as H.264 the
    first time and kept.

    One core is used, and the clip is left as it is. Raises InputError naming the clip where it
    cannot be read or the copy not be written.
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
            f"{clip}: cannot be made to play in a browser"
            f" ({getattr(error, 'strerror', None) or error})"
        ) from error
    return copy


def _encode(given: av.container.InputContainer, stream: av.VideoStream, copy: Path) -> None:
    """Encode beside the copy's place and put it there when it is whole, so that nobody is ever
    given half of it.
    """
    copy.parent.mkdir(parents=True, exist_ok=True)
    unfinished = copy.with_name(f"{copy.stem}.unfinished{copy.suffix}")
    stream.thread_count = 1
    width, height = (
        side - side % 2 for side in (stream.codec_context.width, stream.codec_context.height)
    )  # H.264 wants even sides
    with av.open(str(unfinished), "w", format="mp4", options={"movflags": "+faststart"}) as out:
        made = out.add_stream(
            "libx264",
            rate=stream.average_rate or 30,
            options={"preset": "veryfast", "crf": "21", "threads": "1"},
        )
        made.width, made.height, made.pix_fmt = width, height, "yuv420p"
        made.codec_context.time_base = stream.time_base or Fraction(1, 1000)
        for frame in given.decode(stream):
            # A decoder gives a time for every frame; what kind of picture it was matters no more.
            plain = frame.reformat(width, height, "yuv420p", dst_color_range="MPEG")
            plain.pict_type = 0
            out.mux(made.encode(plain))
        out.mux(made.encode(None))
    unfinished.replace(copy)
