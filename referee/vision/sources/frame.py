"""One frame of video: when it was taken, and its pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import av

    from referee.library.clips import ClipPacket

Picture = NDArray[np.uint8]

# Chosen: limits, sizes and colours that nothing was measured for.

_TURNS: Final = {
    90: cv2.ROTATE_90_COUNTERCLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_CLOCKWISE,
}
#: Chosen: a source must show its first picture within this time.
FIRST_PICTURE_S: Final = 10.0
#: By definition: the index of the first luminance byte in formats where every second byte is
#: luminance.
_INTERLEAVED: Final = {"yuyv422": 0, "yvyu422": 0, "uyvy422": 1}
_PLANAR: Final = ("yuv", "nv", "gray")


@dataclass(frozen=True, slots=True)
class CameraMode:
    """The mode that is requested from a camera. The camera may choose another mode;
    `SourceProperties` says which one it chose.
    """

    width: int = 1280
    height: int = 720
    fps: float = 60.0


@dataclass(frozen=True, slots=True)
class SourceProperties:
    """What is known about a source before its first frame.

    `width` and `height` are the size of the frames after they were turned upright. `frames` and
    `duration_s` are estimates, None for a camera. `full_range` says whether luminance runs from 0
    to 255 (otherwise from 16 to 235); luminance is never converted. `rotation_deg` is how far the
    frames are turned counter-clockwise, because the file asks for this.
    """

    name: str
    width: int
    height: int
    fps: float
    frames: int | None
    duration_s: float | None
    live: bool
    codec: str
    full_range: bool
    rotation_deg: int


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """One frame. `luma` is uint8 (height, width), where possible a view of the decoder's own plane:
    do not write to it.

    `number` counts the pictures of the source from 0. `packets` are the compressed packets read
    since the previous frame. `chroma()` returns the two colour difference planes as views, uint8,
    at the stream's own (smaller) size; None if the format does not store them separately. A picture
    that is not `sound` was damaged, or predicted from a damaged picture, and must not be measured.
    """

    number: int
    t_s: float
    luma: Picture
    packets: tuple[ClipPacket, ...]
    picture: Callable[[], Picture]
    chroma: Callable[[], tuple[Picture, Picture] | None] = lambda: None
    sound: bool = True

    def bgr(self) -> Picture:
        """Return the frame in colour, uint8 (height, width, 3), blue first. Every call converts the
        frame, so call it only if colour is needed.
        """
        return self.picture()


def luma_of(picture: av.VideoFrame) -> Picture:
    """Return the luminance, uint8 (height, width): a view without padding where the format stores
    it separately, otherwise a copy.
    """
    name = picture.format.name
    if name in _INTERLEAVED:
        rows = _rows(picture)
        return np.ascontiguousarray(rows[:, _INTERLEAVED[name] : 2 * picture.width : 2])
    depth = picture.format.components[0].bits
    if name.startswith(_PLANAR) and depth == 8:
        return _rows(picture)[:, : picture.width]
    if name.startswith(("yuv", "gray")) and name.endswith("le") and 8 < depth <= 16:
        return np.asarray(
            _rows(picture).view(np.uint16)[:, : picture.width] >> (depth - 8), dtype=np.uint8
        )
    return np.asarray(picture.to_ndarray(format="gray"), dtype=np.uint8)


def chroma_of(picture: av.VideoFrame) -> tuple[Picture, Picture] | None:
    """Return the colour differences U and V, uint8, as views at their own size; None in formats
    that do not store them separately with 8 bits.
    """
    name = picture.format.name
    if not name.startswith(("yuv4", "yuvj4")) or name.endswith(("le", "be")):
        return None
    planes = picture.planes
    if len(planes) != 3:
        return None
    u, v = (
        np.frombuffer(memoryview(p), dtype=np.uint8).reshape(-1, p.line_size)[: p.height, : p.width]
        for p in planes[1:]
    )
    return u, v


def _rows(picture: av.VideoFrame) -> Picture:
    plane = picture.planes[0]
    flat: Picture = np.frombuffer(memoryview(plane), dtype=np.uint8)
    return flat.reshape(-1, plane.line_size)[: picture.height]


def bgr_of(picture: av.VideoFrame) -> Picture:
    """Return the picture in colour, uint8 (height, width, 3), blue first."""
    return np.asarray(picture.to_ndarray(format="bgr24"), dtype=np.uint8)


def turned(picture: Picture, degrees: int) -> Picture:
    """Turn the picture counter-clockwise by a quarter, half or three quarters of a turn. Any other
    angle leaves the picture unchanged.
    """
    return (
        picture
        if degrees not in _TURNS
        else np.asarray(cv2.rotate(picture, _TURNS[degrees]), dtype=np.uint8)
    )
