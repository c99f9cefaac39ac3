"""Reads files, streams and cameras in the same way, as frames with the source's own times.

The range of luminance, full or limited, is not converted, because measuring needs contrasts, not
absolute brightness. `SourceProperties.full_range` says which range it is.
"""

from __future__ import annotations

import errno
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Final, Protocol, cast

import av
from av.container import InputContainer
from av.error import FFmpegError

from calibration.store.picture_bounds import MOST_PIXELS
from referee.domain.errors import InputError
from referee.library.clips import ClipFormat, ClipPacket, format_of_stream
from referee.vision.sources.address import without_password
from referee.vision.sources.arrivals import ARRIVAL_TICKS, Arrivals
from referee.vision.sources.frame import (
    FIRST_PICTURE_S,
    CameraMode,
    Picture,
    SourceProperties,
    VideoFrame,
    bgr_of,
    chroma_of,
    luma_of,
    turned,
)
from referee.vision.sources.picture_parts import PictureParts
from referee.vision.sources.soundness import Soundness
from referee.vision.sources.stream_clock import StreamClock

# Chosen: limits, sizes and colours that nothing was measured for.

_USUAL_FPS: Final = 30.0
#: A complete file may end this much earlier than it says: containers round, and sound may last
#: longer than the pictures.
_SLACK_S: Final = 0.5
#: Formats of pictures without timestamps, as many network cameras send them. The demuxer would
#: assume 25 pictures per second, so these pictures are timed as they arrive.
_UNTIMED: Final = frozenset({"mpjpeg", "mjpeg"})
#: Formats with which the decoder would read any text or still picture as a video.
_NO_VIDEO: Final = frozenset({"tty", "ansi", "bin", "xbin", "idf"})


class Source(Protocol):
    """A source of frames. Use it in a `with`, and iterate over it once.

    After the last frame `shortfall` is None, or one line that says why the video ended early.
    `notes` are lines about problems that did not end the video (times estimated, frames skipped).
    """

    @property
    def properties(self) -> SourceProperties:
        """Return what is known before the first frame."""

    @property
    def clip_format(self) -> ClipFormat | None:
        """Return how the frames' packets can be written as clips; None if they cannot, because
        there is no keyframe at the beginning.
        """

    @property
    def shortfall(self) -> str | None:
        """Return why the video ended early, as one line for the user; None if it did not end
        early.
        """

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the problems that did not end the video, one line each."""

    def __iter__(self) -> Iterator[VideoFrame]:
        """Iterate over the frames in order of their times, each later than the one before."""

    def __enter__(self) -> Source:
        """Return the source itself."""

    def __exit__(self, *error: object) -> None:
        """Release the file, connection or camera."""


def open_source(
    source: str, realtime: bool = False, *, threads: int = 1, camera: CameraMode | None = None
) -> Source:
    """Open a video file, a stream address (`http://`, `rtsp://`, ...) or a camera by its number.

    With `realtime`, a file is played at its own speed instead of as fast as possible. `threads` is
    the number of decoding threads: 0 for as many as suit the machine, 1 for measuring. Raises
    InputError with one line if there is no video.
    """
    if source.isdecimal():
        return _open_camera(int(source), camera or CameraMode())
    if "://" in source:
        return StreamSource(
            _open_stream(source), without_password(source), live=True, threads=threads
        )
    path = Path(source)
    if not path.exists():
        raise InputError(f"{source}: no such file")
    if path.is_dir():
        raise InputError(f"{source}: a folder, not a video")
    container = _opened(
        source,
        "not a video that can be read",
        lambda: av.open(f"file:{path}", metadata_errors="replace"),
    )
    return StreamSource(container, source, live=False, threads=threads, realtime=realtime)


def _opened(name: str, trouble: str, opening: Callable[[], InputContainer]) -> InputContainer:
    try:
        return opening()
    except (FFmpegError, OSError, ValueError) as error:
        raise InputError(f"{name}: {trouble} ({reason(error)})") from error


def reason(error: BaseException) -> str:
    """Return an error's description by the operating system or the decoder, on one line."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())


def _open_stream(address: str) -> InputContainer:
    options = {"rtsp_transport": "tcp"} if address.startswith("rtsp") else {}
    name = without_password(address)
    return _opened(
        name,
        "the stream cannot be read",
        lambda: av.open(
            address,
            options=options,
            timeout=(FIRST_PICTURE_S, FIRST_PICTURE_S),
            metadata_errors="replace",
        ),
    )


def _open_camera(number: int, mode: CameraMode) -> Source:
    """Open a camera. On Linux, read the camera's own packets, with the driver's times; elsewhere,
    read it through OpenCV.
    """
    if not sys.platform.startswith("linux"):
        from referee.vision.sources.webcam import WebcamSource

        return WebcamSource(number, mode)
    device, name = f"/dev/video{number}", f"camera {number}"
    if not Path(device).exists():
        raise InputError(f"{name}: there is no {device}; is the camera plugged in?")
    wanted = {"video_size": f"{mode.width}x{mode.height}", "framerate": f"{mode.fps:g}"}

    def opening() -> InputContainer:
        try:
            return av.open(device, format="v4l2", options={**wanted, "input_format": "mjpeg"})
        except (FFmpegError, OSError):
            return av.open(device, format="v4l2", options=wanted)

    return StreamSource(_opened(name, "cannot be opened", opening), name, live=True, threads=1)


class StreamSource:
    """A source for anything that PyAV can read. Frames are decoded in the calling thread and have
    the stream's own timestamps.
    """

    def __init__(
        self,
        container: InputContainer,
        name: str,
        *,
        live: bool,
        threads: int = 1,
        realtime: bool = False,
    ) -> None:
        self._container = container
        self._name = name
        self._realtime = realtime
        self._decoded_frames = 0
        self._cut = False
        self._arrivals: Arrivals | None = None
        self._parts: PictureParts | None = None
        self.shortfall: str | None = None
        try:
            self._begin(threads, live)
        except BaseException:
            self._close()
            raise

    def _begin(self, threads: int, live: bool) -> None:
        if not self._container.streams.video or self._container.format.name in _NO_VIDEO:
            raise InputError(f"{self._name}: holds no video")
        self._stream = self._container.streams.video[0]
        self._stream.thread_count = threads
        self._stream.thread_type = "SLICE" if live else "AUTO"
        if self._stream.codec_context.name == "mjpeg":
            # otherwise the decoder fills a lost half from the previous picture without an error
            self._stream.codec_context.options = {"err_detect": "explode"}
        width, height = self._stream.codec_context.width, self._stream.codec_context.height
        if width * height > MOST_PIXELS:
            raise InputError(
                f"{self._name}: {width}x{height} is more than {MOST_PIXELS // 1_000_000} megapixels"
            )
        self._soundness = Soundness(self._stream)
        # Over HTTP, the decoder reports the end of a stream of unknown length as an I/O error.
        over_http = live and self._container.name.startswith("http")
        self._promises_length = over_http and self._container.size > 0
        self._ends_in_error = over_http and not self._promises_length
        self._packets = self._container.demux(self._stream)
        self._time_base = self._stream.time_base or Fraction(1, 1000)
        if live and self._container.format.name in _UNTIMED:
            self._parts = PictureParts(lambda: self._container.demux(self._stream))
            self._arrivals = Arrivals(iter(self._parts))
            self._packets, self._time_base = iter(self._arrivals), ARRIVAL_TICKS
        self._frames = self._decoded()
        self._waiting: list[av.Packet[av.VideoStream]] = []
        first = next(self._frames, None)
        if first is None:
            raise InputError(
                f"{self._name}: none of its pictures can be decoded"
                + (f" ({self.shortfall})" if self.shortfall else "")
            )
        self._frames = itertools.chain([first], self._frames)
        self.properties = self._describe(first, live)
        self._clock = StreamClock(self._time_base, self.properties.fps)
        self.clip_format = self._format()

    def _describe(self, first: av.VideoFrame, live: bool) -> SourceProperties:
        stream = self._stream
        fps = float(stream.average_rate or stream.guessed_rate or _USUAL_FPS)
        duration_s = _duration_s(self._container, stream, self._time_base)
        sideways = first.rotation % 180 != 0
        return SourceProperties(
            name=self._name,
            width=first.height if sideways else first.width,
            height=first.width if sideways else first.height,
            fps=fps,
            frames=stream.frames or (round(duration_s * fps) if duration_s else None),
            duration_s=duration_s,
            live=live and duration_s is None and not self._promises_length,
            codec=stream.codec_context.name,
            full_range=first.color_range == 2
            or first.format.name.startswith("yuvj")
            or "gray" in first.format.name,
            rotation_deg=first.rotation % 360,
        )

    def _format(self) -> ClipFormat | None:
        for packet in self._waiting:
            kept = self._kept(packet)
            if kept is not None and kept.keyframe:
                try:
                    return replace(format_of_stream(self._stream, kept), time_base=self._time_base)
                except (FFmpegError, ValueError):
                    return None
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the problems that did not end the video, one line each."""
        parts = 0 if self._parts is None else self._parts.left_out
        bad = (
            (f"parts of the stream left out, because they were no pictures: {parts}",)
            if parts
            else ()
        )
        return tuple(
            f"{self._name}: {note}" for note in (*bad, *self._soundness.notes, *self._clock.notes)
        )

    def __enter__(self) -> StreamSource:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def _close(self) -> None:
        """Release the container. If its thread is still reading it, it is released when that thread
        ends.
        """
        if self._arrivals is None or self._arrivals.stop():
            self._container.close()

    def __iter__(self) -> Iterator[VideoFrame]:
        """Iterate over the frames, each later than the one before. The frames' `number` counts all
        pictures of the stream, including those that are left out.
        """
        began_s: float | None = None
        for number, picture in enumerate(self._frames):
            self._decoded_frames = number + 1
            t_s = self._clock.read(picture.pts)
            sound = self._soundness.is_sound(picture)
            if t_s is None or not self._soundness.fits(picture):
                if (why := self._soundness.unusable) is not None:
                    self.shortfall = f"{self._name}: {why}"
                    return
                continue
            if self._realtime:
                began_s = began_s if began_s is not None else time.monotonic() - t_s
                time.sleep(max(0.0, began_s + t_s - time.monotonic()))
            yield replace(self._frame(number, t_s, picture), sound=sound)
        self.shortfall = self.shortfall or self._missing_end()

    def _frame(self, number: int, t_s: float, picture: av.VideoFrame) -> VideoFrame:
        degrees, own = self.properties.rotation_deg, (self.properties.width, self.properties.height)
        if (size := own if degrees % 180 == 0 else own[::-1]) != (picture.width, picture.height):
            picture = picture.reformat(*size)
        kept = tuple(k for k in map(self._kept, self._waiting) if k is not None)
        self._waiting.clear()
        luma = turned(luma_of(picture), degrees)
        return VideoFrame(
            number,
            t_s,
            luma,
            kept,
            lambda: turned(bgr_of(picture), degrees),
            lambda: _turned_chroma(picture, degrees),
        )

    def _kept(self, packet: av.Packet[av.VideoStream]) -> ClipPacket | None:
        stamp = packet.pts if packet.pts is not None else packet.dts
        if stamp is None:
            return None
        dts = packet.dts if packet.dts is not None else stamp
        return ClipPacket(self._clock.place(stamp), stamp, dts, packet.is_keyframe, bytes(packet))

    def _decoded(self) -> Iterator[av.VideoFrame]:
        """Yield pictures in the order in which they are shown. Count the packets that could not be
        decoded, and keep the reason why reading ended.
        """
        while True:
            try:
                packet = self._next_packet()
                if packet is None:
                    return
                if packet.size:
                    self._cut = packet.is_corrupt
                if packet.is_corrupt:
                    self._soundness.add_damage()
                    continue
                if packet.size:
                    self._waiting.append(packet)
                self._soundness.add_packet(packet)
                yield from self._pictures(packet)
            except FFmpegError as error:
                self.shortfall = f"{self._name}: breaks off{self._after()} ({reason(error)})"
                return

    def _next_packet(self) -> av.Packet[av.VideoStream] | None:
        """Return the next packet, or None at the end. If the end is reported as an error, return an
        empty packet, so that the decoder returns the pictures that it still holds.
        """
        try:
            return next(self._packets, None)
        except FFmpegError as error:
            if not self._ends_in_error or error.errno != errno.EIO:
                raise
            emptying = cast("av.Packet[av.VideoStream]", av.Packet())
            emptying.stream = self._stream
            return emptying

    def _pictures(self, packet: av.Packet[av.VideoStream]) -> Iterator[av.VideoFrame]:
        try:
            yield from (p for p in packet.decode() if isinstance(p, av.VideoFrame))
        except av.error.InvalidDataError:
            self._soundness.add_damage()

    def _after(self) -> str:
        clock = getattr(self, "_clock", None)
        return "" if clock is None or clock.last_s is None else f" after {clock.last_s:.2f} s"

    def _missing_end(self) -> str | None:
        """Return a line when the last packet was cut off, or when the file holds clearly less than
        it promises.
        """
        last_s = self._clock.last_s
        if self.properties.live or self.properties.duration_s is None or last_s is None:
            return None
        promised_s = max(self.properties.duration_s, self._stream.frames / self.properties.fps)
        complete = 0 < self._stream.frames <= self._decoded_frames
        if self._cut or (
            not complete and last_s < promised_s - max(_SLACK_S, 3 / self.properties.fps)
        ):
            of = f" of {promised_s:.2f} s" if promised_s > last_s else ""
            return f"{self._name}: cut short: it breaks off after {last_s:.2f} s{of}"
        return None


def _duration_s(
    container: InputContainer, stream: av.VideoStream, time_base: Fraction
) -> float | None:
    if stream.duration:
        return float(stream.duration * time_base)
    if container.duration and len(container.streams) == 1:
        return container.duration / av.time_base
    return None


def _turned_chroma(picture: av.VideoFrame, degrees: int) -> tuple[Picture, Picture] | None:
    chroma = chroma_of(picture)
    return None if chroma is None else (turned(chroma[0], degrees), turned(chroma[1], degrees))
