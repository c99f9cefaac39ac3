"""Small videos drawn for each test. Frame i shows a bright bar whose left edge is at column 4 * i,
so a frame's number can be read from its pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

WIDTH, HEIGHT = 150, 90
TICKS = Fraction(1, 1000)


def drawn(i: int) -> np.ndarray:
    picture = np.full((HEIGHT, WIDTH), 60, dtype=np.uint8)
    picture[20:70, 4 * i : 4 * i + 8] = 200
    return picture


def write_video(
    path: Path,
    times_ms: Sequence[int],
    codec: str = "mjpeg",
    pixel_format: str = "yuvj420p",
    rotation_deg: int = 0,
    options: dict[str, str] | None = None,
    container_options: dict[str, str] | None = None,
) -> Path:
    with av.open(str(path), "w", options=container_options or {}) as out:
        stream = out.add_stream(codec, rate=30, options=options or {})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, pixel_format
        stream.codec_context.time_base = TICKS
        if rotation_deg:
            stream.set_display_rotation(rotation_deg)
        for i, t_ms in enumerate(times_ms):
            frame = av.VideoFrame.from_ndarray(
                np.stack([drawn(i)] * 3, axis=2), format="bgr24"
            ).reformat(format=pixel_format)
            frame.pts, frame.time_base = t_ms, TICKS
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


@pytest.fixture
def video(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a video into the test's own folder: `video("name.mp4",
    times_ms, ...)`.
    """

    def write(name: str, times_ms: Sequence[int], **how: object) -> Path:
        return write_video(tmp_path / name, times_ms, **how)  # type: ignore[arg-type]

    return write
