"""Reads the size of a picture from its file's header, so that a picture that is too large is
refused before it is decoded.
"""

from __future__ import annotations

import struct
from typing import Final

from referee.domain.errors import InputError

# Chosen: more than any camera's picture has. A picture of this size takes 300 MB when decoded.
MOST_PIXELS: Final = 100_000_000
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8"
#: By definition: JPEG's markers of a frame's header, which states its size.
_FRAME_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def check_pixels(content: bytes, name: str) -> None:
    """Raise InputError if the header of a PNG or a JPEG file gives more pixels than may be
    decoded.
    """
    width, height = _size(content)
    if width * height > MOST_PIXELS:
        raise InputError(
            f"{name}: {width}x{height} is more than {MOST_PIXELS // 1_000_000} megapixels"
        )


def _size(content: bytes) -> tuple[int, int]:
    """Return width and height; zeros if the header does not give them."""
    try:
        if content.startswith(_PNG):
            width, height = struct.unpack_from(">II", content, 16)
            return int(width), int(height)
        return _jpeg_size(content) if content.startswith(_JPEG) else (0, 0)
    except struct.error:
        return 0, 0


def _jpeg_size(content: bytes) -> tuple[int, int]:
    at = len(_JPEG)
    while True:
        marker, length = struct.unpack_from(">HH", content, at)
        if marker & 0xFF in _FRAME_MARKERS:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return int(width), int(height)
        if marker < 0xFF00:
            return 0, 0
        at += 2 + length
