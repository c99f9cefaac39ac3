"""Writes a picture of what was found into a file."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.domain.errors import InputError


def write_picture(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a picture (h, w, 3) BGR in the format that its name says. Raises InputError if that
    fails.
    """
    done, packed = cv2.imencode(path.suffix, picture)
    if not done:
        raise InputError(f"{path}: cannot be written as a picture")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(packed.tobytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
