"""How much a camera's pictures differ from each other where nothing moves, measured whether or not
something moves elsewhere.

Bright parts are noisier than dark ones, so noise is measured block by block, and the step beyond
which a difference is more than noise is that of the noisiest blocks. One in which a hand moves
looks noisy, too: each counts by the median of its last looks, and none is believed to be much
noisier than most.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.image.picture import Bytes, Floats

# Tuned on our own clips, except where a comment says what stands behind a number.

LEAST_STEP: Final = 4.0  # grey levels in the small copy: what video compression alone can do
# standard deviations of a difference: cameras have more outliers than Gauss
STEP_OVER_NOISE: Final = 6.5
BLOCK_PX: Final = 16  # of the small copy
LOOKS: Final = 9
EVERY_FRAMES: Final = 16
FIRST_FRAMES: Final = 4  # of the first frames each is looked at
NOISIEST: Final = 95.0  # percentile of the blocks
# the noisiest blocks beside the middle one: what lies between bright wood and a dark cloth
MOST_OVER_USUAL: Final = 1.7
# a step beyond this share of what coins stand out by would hide them: rather much noise is looked
# at
MOST_OF_CONTRAST: Final = 0.4
# The mean size of a Gaussian difference, in its standard deviations. By definition: sqrt(2 / pi).
MEAN_OVER_SIGMA: Final = 0.798


@dataclass
class Noise:
    """The noise of the small copies inside a mask, and `step`, in grey levels: two copies of a
    still scene differ by less.
    """

    mask: Bytes
    step: float = LEAST_STEP
    _frames: int = 0
    _whole: NDArray[np.bool_] = field(init=False)
    _looks: deque[Floats] = field(default_factory=lambda: deque(maxlen=LOOKS))

    def __post_init__(self) -> None:
        """Nothing seen yet."""
        self._whole = _blocks(self.mask) >= 255.0

    def take(self, now: Bytes, before: Bytes, contrast: float) -> None:
        """Update the noise from two consecutive small copies. Not every pair is used, as noise
        changes slowly.

        `contrast` is by how many grey levels coins stand out.
        """
        self._frames += 1
        if self._frames > FIRST_FRAMES and self._frames % EVERY_FRAMES:
            return
        if not self._whole.any():
            return
        change = np.asarray(cv2.absdiff(now, before), dtype=np.uint8)
        self._looks.append(_blocks(change)[self._whole] / MEAN_OVER_SIGMA)
        middle = len(self._looks) // 2
        usual = np.partition(np.stack(self._looks), middle, axis=0)[middle]
        sigma = min(
            float(np.percentile(usual, NOISIEST)), MOST_OVER_USUAL * float(np.median(usual))
        )
        self.step = max(LEAST_STEP, min(STEP_OVER_NOISE * sigma, MOST_OF_CONTRAST * contrast))


def _blocks(small: Bytes) -> Floats:
    """Return the mean of every whole block of a picture, float32."""
    rows, columns = small.shape[0] // BLOCK_PX, small.shape[1] // BLOCK_PX
    whole = small[: rows * BLOCK_PX, : columns * BLOCK_PX].astype(np.float32)
    return np.asarray(
        cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), dtype=np.float32
    )
