"""Reads the option that says how large a camera's pictures are."""

from __future__ import annotations

from referee.domain.errors import InputError


def parse_size(text: str) -> tuple[int, int]:
    """Read a size such as `1280x720` as width and height. Raises InputError for anything else."""
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise InputError(f"--camera-size {text}: should read WxH, such as 1280x720")
    return int(width), int(height)
