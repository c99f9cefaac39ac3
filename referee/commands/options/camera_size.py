"""Reads the option that says how large a camera's pictures are."""

from __future__ import annotations

from collections.abc import Callable

import click

from referee.domain.errors import InputError


def parse_size(text: str) -> tuple[int, int]:
    """Read a size such as `1280x720` as width and height. Raises InputError for anything else."""
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise InputError(f"--camera-size {text}: should read WxH, such as 1280x720")
    return int(width), int(height)


def camera_size_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option for the size of a camera's pictures."""
    return click.option(
        "--camera-size",
        metavar="WxH",
        help=(
            "The picture size to ask a camera for, as `referee watch` does. [default: that of"
            " --camera, or 1280x720]"
        ),
    )(command)
