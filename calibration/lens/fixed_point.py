"""Converts points for OpenCV's drawing functions, which take places between pixels as integers in
sixteenths of a pixel.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: By definition: the number of binary places after the point in OpenCV's integers, here sixteenths
#: of a pixel.
SHIFT: Final = 4
_FARTHEST_PX: Final = 2.0**26  # By definition: OpenCV's integers cannot hold larger coordinates


def fixed_point(px: ArrayLike) -> NDArray[np.int32]:
    """Return points or lengths, given in pixels as an array of any shape, as the integers that
    OpenCV's drawing functions take with `SHIFT`.
    """
    near = np.clip(np.asarray(px, dtype=np.float64), -_FARTHEST_PX, _FARTHEST_PX)
    return np.asarray(np.round(near * 2**SHIFT), dtype=np.int32)
