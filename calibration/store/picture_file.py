"""Reads a picture file. It refuses a damaged one, and one that is too large to be decoded."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.store.picture_bounds import check_pixels
from referee.domain.errors import InputError


def read_picture(path: Path) -> NDArray[np.uint8]:
    """Read a picture file as BGR (h, w, 3). Raises InputError if the file holds no picture."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    check_pixels(content, str(path))
    packed = np.frombuffer(content, dtype=np.uint8)
    try:
        picture = cv2.imdecode(packed, cv2.IMREAD_COLOR) if packed.size else None
    except cv2.error as error:  # OpenCV raises this for sizes that it does not decode
        raise InputError(f"{path}: is too large to be decoded, or is damaged") from error
    if picture is None:
        raise InputError(f"{path}: is not a PNG or JPEG picture, or is damaged")
    return np.asarray(picture, dtype=np.uint8)
