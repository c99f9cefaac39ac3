"""Reads a camera through OpenCV, on systems that give no compressed packets. A separate thread
reads the frames, so that they are never old.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import cv2
import numpy as np

from referee.domain.errors import InputError
from referee.library.clips import ClipPacket, format_of_jpegs
from referee.vision.sources.frame import (
    FIRST_PICTURE_S,
    CameraMode,
    Picture,
    SourceProperties,
    VideoFrame,
)

# Chosen: limits, sizes and colours that nothing was measured for.

#: At most this many frames wait while a flick is computed. If more come, the oldest is dropped, and
#: a note says so.
_WAITING: Final = 8
_STALLED_S: Final = 5.0
_JPEG_QUALITY: Final = 85
_TICKS: Final = Fraction(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class _Grab:
    number: int
    t_s: float
    bgr: Picture


class WebcamSource:
    """A camera's frames, each with the time of its arrival. Implements
    `referee.vision.sources.video.Source`.

    `capture` opens the camera (OpenCV's `VideoCapture`), `clock` returns seconds. Raises InputError
    when the camera gives no picture.
    """

    def __init__(
        self,
        number: int,
        mode: CameraMode,
        *,
        capture: Callable[[int], Any] = cv2.VideoCapture,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = f"camera {number}"
        self._clock = clock
        self._waiting: queue.Queue[_Grab | None] = queue.Queue(_WAITING)
        self._dropped = 0
        self._stop = threading.Event()
        self.shortfall: str | None = None
        self._capture = _opened(capture(number), self._name, mode)
        self._thread = threading.Thread(target=self._read, name=self._name, daemon=True)
        self._thread.start()
        self._first = self._next(FIRST_PICTURE_S)
        if self._first is None:
            self._close()
            raise InputError(f"{self._name}: gives no picture")
        height, width = self._first.bgr.shape[:2]
        fps = float(self._capture.get(cv2.CAP_PROP_FPS)) or mode.fps
        self.properties = SourceProperties(
            self._name, width, height, fps, None, None, True, "rawvideo", True, 0
        )
        self.clip_format = format_of_jpegs(width, height, _packet(self._first, 0.0), _TICKS)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the problems that did not end the video, one line each."""
        return (
            (
                (
                    f"{self._name}: {self._dropped} frames were left out because the referee could"
                    " not keep up"
                ),
            )
            if self._dropped
            else ()
        )

    def __enter__(self) -> WebcamSource:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def __iter__(self) -> Iterator[VideoFrame]:
        """Iterate over the frames, each later than the one before. The frames' `number` counts all
        frames, including those that are left out.
        """
        grab, origin_s, last_s = self._first, self._first.t_s if self._first else 0.0, -1.0
        while grab is not None:
            t_s = grab.t_s - origin_s
            if t_s > last_s:
                last_s = t_s
                yield _frame(grab, t_s)
            grab = self._next(_STALLED_S)
        self.shortfall = f"{self._name}: no more pictures came after {last_s:.2f} s"

    def _next(self, patience_s: float) -> _Grab | None:
        try:
            return self._waiting.get(timeout=patience_s)
        except queue.Empty:
            return None

    def _read(self) -> None:
        number = 0
        while not self._stop.is_set():
            there, bgr = self._capture.read()
            if not there:
                break
            self._put(_Grab(number, self._clock(), bgr))
            number += 1
        self._put(None)

    def _put(self, grab: _Grab | None) -> None:
        """Pass a frame on. If too many are waiting, drop the oldest. Only this thread adds frames,
        so there is room after that.
        """
        if self._waiting.full():
            try:
                self._waiting.get_nowait()
                self._dropped += 1
            except queue.Empty:
                pass  # the reader took the last frame meanwhile
        self._waiting.put(grab)

    def _close(self) -> None:
        self._stop.set()
        self._thread.join(timeout=_STALLED_S)
        self._capture.release()


def _opened(capture: Any, name: str, mode: CameraMode) -> Any:
    if not capture.isOpened():
        capture.release()
        raise InputError(
            f"{name}: cannot be opened; is it plugged in, and does no other program use it?"
        )
    for setting, value in (
        (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
        (cv2.CAP_PROP_FRAME_WIDTH, mode.width),
        (cv2.CAP_PROP_FRAME_HEIGHT, mode.height),
        (cv2.CAP_PROP_FPS, mode.fps),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ):
        capture.set(setting, value)
    return capture


def _frame(grab: _Grab, t_s: float) -> VideoFrame:
    luma = np.asarray(cv2.cvtColor(grab.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return VideoFrame(grab.number, t_s, luma, (_packet(grab, t_s),), grab.bgr.copy)


def _packet(grab: _Grab, t_s: float) -> ClipPacket:
    coded = cv2.imencode(".jpg", grab.bgr, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].tobytes()
    ticks = round(t_s / _TICKS)
    return ClipPacket(t_s, ticks, ticks, True, coded)
