"""Measures the noise of a camera's pictures: how much two pictures differ where nothing moves. The
measurement works even while something moves in another part of the picture.

Bright parts are noisier than dark parts. So noise is measured in blocks, and the noisiest blocks
decide how large a difference must be to count as more than noise. But a hand that moves in a block
makes the block look noisy, too. So each block counts with the median of its last few measurements,
and the noise of the noisiest blocks is limited to a multiple of the usual noise.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import COMPRESSION_LEVELS
from referee.vision.image.picture import FULL, Bytes, Floats

# Tuned on our own clips, except where a comment gives another source for a number.

# In standard deviations of a difference. The number is large, because cameras have more outliers
# than a normal distribution.
STEP_OVER_NOISE: Final = 6.5
BLOCK_PX: Final = 16  # of the small copy
MEASUREMENTS: Final = 9  # a block counts with the median of this many last measurements
EVERY_FRAMES: Final = 16  # after the first frames, one in this many is measured
FIRST_FRAMES: Final = 4  # the number of frames at the start that are all measured
NOISIEST: Final = 0.95  # the quantile of the blocks' noise that counts
# The noise of the noisiest blocks counts as at most this many times the median block's noise.
# Bright wood is this many times as noisy as a dark cloth.
MOST_OVER_USUAL: Final = 1.7
# The step is at most this share of the coins' contrast, because a larger step would hide coins. In
# a noisy picture, some noise then counts as a difference.
MOST_OF_CONTRAST: Final = 0.4
# The mean absolute value of a Gaussian difference, in sigmas. By definition: sqrt(2 / pi).
MEAN_OVER_SIGMA: Final = 0.798
CHANGED_PIXELS: Final = 3  # if fewer pixels side by side change in the small copy, that is noise
# Chosen: the pixels that noise changes are taken to lie in a quarter of the picture, along edges
# and in bright parts. In that quarter they are this many times as dense as on average.
CROWDED: Final = 4.0
# Chosen: changed pixels count as motion if noise alone puts as many together in less than this
# share of the frames.
RARE: Final = 0.05
#: By definition: the pixels in a square of three by three.
SQUARE_PX: Final = 9


@dataclass
class Noise:
    """The noise of the small copies inside a mask. Two copies in which nothing moved differ by less
    than `step` grey levels.
    """

    mask: Bytes
    step: float = COMPRESSION_LEVELS
    _frames: int = 0
    _whole: NDArray[np.bool_] = field(init=False)
    _measured: deque[Floats] = field(default_factory=lambda: deque(maxlen=MEASUREMENTS))

    def __post_init__(self) -> None:
        """Find the blocks that lie wholly inside the mask."""
        self._whole = _blocks(self.mask) >= FULL

    def needs_none(self) -> bool:
        """Return True if `take` would compare neither the next small copy nor the one after. The
        next copy then counts as taken. If the result is False, pass the next copy to `take`.
        """
        count = self._frames + 1
        if count <= FIRST_FRAMES or count % EVERY_FRAMES in (0, EVERY_FRAMES - 1):
            return False
        self._frames = count
        return True

    def take(self, now: Bytes, before: Bytes, contrast: float) -> None:
        """Update the noise from two consecutive small copies. Most pairs are skipped, because noise
        changes slowly.

        `contrast` is by how many grey levels coins differ from the table.
        """
        self._frames += 1
        if self._frames > FIRST_FRAMES and self._frames % EVERY_FRAMES:
            return
        if not self._whole.any():
            return
        change = np.asarray(cv2.absdiff(now, before), dtype=np.uint8)
        self._measured.append(_blocks(change)[self._whole] / MEAN_OVER_SIGMA)
        middle = len(self._measured) // 2
        usual = np.sort(np.partition(np.stack(self._measured), middle, axis=0)[middle])
        noisiest, half = (float(usual[int(share * (usual.size - 1))]) for share in (NOISIEST, 0.5))
        sigma = min(noisiest, MOST_OVER_USUAL * half)
        self.step = max(
            COMPRESSION_LEVELS, min(STEP_OVER_NOISE * sigma, MOST_OF_CONTRAST * contrast)
        )


def moved_together(change: Bytes, mask: Bytes) -> int:
    """Return how many changed pixels (`change` is not 0) lie side by side inside a mask, at most
    `SQUARE_PX`; 0 if chance alone may put as many together. The more pixels are changed by the
    camera's noise or by video compression, the more must lie together to count.
    """
    together = most_together(change)
    if together < CHANGED_PIXELS or together == SQUARE_PX:
        return together if together == SQUARE_PX else 0
    area = cv2.countNonZero(mask)
    share = min(1.0, CROWDED * cv2.countNonZero(change) / area)
    by_chance = area * math.comb(SQUARE_PX, together) * share**together
    return together if by_chance < RARE else 0


def most_together(mask: Bytes) -> int:
    """Return the largest number of pixels in any square of three by three pixels at which a mask is
    not 0. Something that moves changes pixels side by side; video compression changes single
    pixels.
    """
    x, y, w, h = cv2.boundingRect(mask)
    if not w:
        return 0
    ones = cv2.threshold(mask[y : y + h, x : x + w], 0, 1, cv2.THRESH_BINARY)[1]
    around = cv2.boxFilter(ones, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return int(cv2.minMaxLoc(around)[1])


def _blocks(small: Bytes) -> Floats:
    """Return the mean of every whole block of a picture, float32."""
    rows, columns = small.shape[0] // BLOCK_PX, small.shape[1] // BLOCK_PX
    whole = small[: rows * BLOCK_PX, : columns * BLOCK_PX].astype(np.float32)
    return np.asarray(
        cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), dtype=np.float32
    )
