"""Writes a video with everything that was seen drawn over it, for people who want to check the
referee frame by frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from av.error import FFmpegError

from calibration.constants.palette import BLACK, WHITE, Colour
from calibration.lens.fixed_point import SHIFT, fixed_point
from referee.domain.errors import InputError
from referee.vision.sources.arrivals import ARRIVAL_TICKS
from referee.vision.sources.frame import Picture, SourceProperties

PointPx = tuple[float, float]

# Chosen: limits, sizes and colours that nothing was measured for.


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through pixels, `thickness_px` wide. If `closed`, its end is joined to its
    beginning.
    """

    points_px: tuple[PointPx, ...]
    colour: Colour = WHITE
    closed: bool = False
    thickness_px: int = 1


@dataclass(frozen=True, slots=True)
class Label:
    """Words whose lower left corner is at a pixel."""

    text: str
    at_px: PointPx
    colour: Colour = WHITE


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks to draw over one frame: strokes, labels, and lines of text in the upper left
    corner.
    """

    strokes: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()
    text: tuple[str, ...] = ()


def draw(bgr: Picture, marks: Marks) -> Picture:
    """Draw the marks over a copy of the frame, uint8 (height, width, 3). Parts of marks outside the
    frame are cut off.
    """
    picture = bgr.copy()
    for stroke in marks.strokes:
        if len(stroke.points_px) > 1:
            cv2.polylines(
                picture,
                [fixed_point(stroke.points_px)],
                stroke.closed,
                stroke.colour,
                stroke.thickness_px,
                cv2.LINE_AA,
                SHIFT,
            )
    scale = bgr.shape[0] / 1440
    for label in marks.labels:
        _write(picture, label.text, label.at_px, label.colour, scale)
    for i, line in enumerate(marks.text):
        _write(picture, line, (12.0, 40 * scale * (i + 1) + 12), WHITE, 1.4 * scale)
    return picture


def jpeg_of(bgr: Picture, marks: Marks) -> bytes:
    """Return a frame with marks as a JPEG file."""
    _, encoded = cv2.imencode(".jpg", draw(bgr, marks), [cv2.IMWRITE_JPEG_QUALITY, 85])
    return bytes(encoded)


def _write(picture: Picture, text: str, at_px: PointPx, colour: Colour, scale: float) -> None:
    """Write words with a dark rim, readable on any wood. OpenCV has only ASCII letters; other
    letters become `?`.
    """
    at = (round(at_px[0]), round(at_px[1]))
    text = text.encode("ascii", "replace").decode("ascii")
    for (right, down), letter_colour in [
        *(((x, y), BLACK) for x in (-1, 0, 1) for y in (-1, 0, 1)),
        ((0, 0), colour),
    ]:
        # The rim is the same letters moved by a pixel. Thicker letters are wider in some versions
        # of OpenCV, so they would not line up.
        cv2.putText(
            picture,
            text,
            (at[0] + right, at[1] + down),
            cv2.FONT_HERSHEY_SIMPLEX,
            max(0.4, scale),
            letter_colour,
            1,
            cv2.LINE_AA,
        )


class OverlayWriter:
    """Writes frames with marks as an H.264 video with the frames' own times. Use the writer in a
    `with` statement.

    Raises InputError if the file cannot be written. The file is closed properly even after an
    error elsewhere.
    """

    def __init__(self, path: Path, properties: SourceProperties) -> None:
        self._path = path
        self._size_px = (
            properties.width - properties.width % 2,
            properties.height - properties.height % 2,
        )  # H.264 requires even sides
        self._last_ticks = -1
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._out = av.open(
                str(path), "w", format="matroska" if path.suffix.lower() == ".mkv" else "mp4"
            )
        except (FFmpegError, OSError) as error:
            raise InputError(f"{path}: the overlay cannot be written ({error.strerror})") from error
        self._stream = self._out.add_stream(
            "libx264",
            rate=Fraction(properties.fps).limit_denominator(1001),
            options={"preset": "veryfast", "crf": "23"},
        )
        self._stream.width, self._stream.height = self._size_px
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = ARRIVAL_TICKS
        self._stream.codec_context.max_b_frames = 0

    def __enter__(self) -> OverlayWriter:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            try:
                if self._last_ticks >= 0:
                    self._out.mux(self._stream.encode(None))
            finally:
                self._out.close()
                if self._last_ticks < 0:  # without a single frame the file is not a video
                    self._path.unlink(missing_ok=True)
        except (FFmpegError, OSError) as error:
            raise self._cannot(error) from error

    def _cannot(self, error: Exception) -> InputError:
        why = getattr(error, "strerror", None) or error
        return InputError(f"{self._path}: the overlay cannot be written ({why})")

    def write(self, bgr: Picture, marks: Marks, t_s: float) -> None:
        """Add a frame, uint8 (height, width, 3), at its time, which must be later than that of the
        frame before.
        """
        ticks = round(t_s / ARRIVAL_TICKS)
        if ticks <= self._last_ticks:
            raise ValueError(f"a frame at {t_s} s is not later than the one before")
        self._last_ticks = ticks
        width, height = self._size_px
        frame = av.VideoFrame.from_ndarray(
            np.ascontiguousarray(draw(bgr, marks)[:height, :width]), format="bgr24"
        )
        frame.pts, frame.time_base = ticks, ARRIVAL_TICKS
        try:
            self._out.mux(self._stream.encode(frame))
        except (FFmpegError, OSError) as error:
            raise self._cannot(error) from error
