"""Decides which pictures are new and whole: not a repetition of the previous picture, and with no
part lost.

A repeated picture does not prove that nothing moves, and a lost half, which is grey, must not be
taken for a hand. The tests for repeated and for lost pictures examine only every sixteenth row.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from referee.vision.sources.frame import Picture, VideoFrame

ROWS: Final = 16  # Chosen: decoders lose blocks of 8 or 16 rows
COLUMNS: Final = 8  # Chosen: one column in this many is compared, only where much changed
# Measured: in a picture that was repeated and encoded again (H.264 at crf 20 and 28), at most this
# share of the usual number of pixels changes, from the second repetition on.
REPEATED_SHARE: Final = 0.1
CALM_PICTURES: Final = 60  # Chosen: one or two seconds show how many pixels noise changes
LEAST_CALM: Final = 8  # Chosen: fewer calm pictures do not show how many pixels noise changes
# Chosen: the usual share of changed pixels is this quantile over the calm pictures, because
# encoders let noise fade where nothing moves.
QUIETEST: Final = 0.1
CHANGED_STEP: Final = 12  # Chosen: grey levels; a lost part looks quite different
# Chosen: a share of the picture; a smaller lost part hides no coin for long
LEAST_PART: Final = 0.01
# Chosen: grey levels within which a part is one colour, also when it was compressed again.
ONE_COLOUR: Final = 2
# Chosen: a lost part fills at least this share of its upright box. Hands and sleeves fill less of
# theirs.
RECTANGLE: Final = 0.95
# On a table with texture, at least this share of the differences between one row and the next
# exceeds `ONE_COLOUR`.
# Measured: the share is over 0.27 on wood and laminate, 0.02 on the smoothest table.
TEXTURED: Final = 0.1
# Chosen: this many rows at the bottom of the small copy that repeat the row above are a lost part
LEAST_ROWS: Final = 3


@dataclass
class IntactPictures:
    """Follows the pictures of one source. Call `is_observation` for every picture, in order of
    time.
    """

    _last: Picture | None = None
    _calm: deque[float] = field(default_factory=lambda: deque(maxlen=CALM_PICTURES))

    def is_observation(self, frame: VideoFrame, *, sliding: bool, calm: bool) -> bool:
        """Return whether a frame shows what is on the table now.

        While something is `sliding`, a repeated picture shows an earlier moment, not the present
        one. `calm` says that nothing moved in the last picture, so that only noise makes this one
        differ from it.
        """
        return frame.sound and self._shows_all(frame.luma, sliding=sliding, calm=calm)

    def _shows_all(self, luma: Picture, *, sliding: bool, calm: bool) -> bool:
        small, last = np.ascontiguousarray(luma[::ROWS]), self._last
        if last is not None:
            difference = np.asarray(cv2.absdiff(small, last), dtype=np.uint8)
            share = cv2.countNonZero(difference) / difference.size
            if sliding and self._is_repeated(share):
                return False
            if share >= LEAST_PART and _lost_part(small, last, difference):
                return False
            if calm and not sliding:
                self._calm.append(share)
        self._last = small
        return True

    def _is_repeated(self, share: float) -> bool:
        if len(self._calm) < LEAST_CALM:
            return False
        return share < REPEATED_SHARE * sorted(self._calm)[int(QUIETEST * len(self._calm))]


def _lost_part(small: Picture, last: Picture, difference: Picture) -> bool:
    """Return whether a part of the picture has become one colour, or has become repetitions of one
    row.
    """
    _, changed = cv2.threshold(difference, CHANGED_STEP, 1, cv2.THRESH_BINARY)
    if cv2.countNonZero(changed) < LEAST_PART * difference.size:
        return False
    rows = _rows_alike(small)
    if rows >= LEAST_ROWS:
        texture = cv2.absdiff(last[-rows:], last[-rows - 1 : -1]) > ONE_COLOUR
        if texture.mean() > TEXTURED:
            return True
    return _lost_rectangle(small[:, ::COLUMNS], last[:, ::COLUMNS])


def _lost_rectangle(small: Picture, last: Picture) -> bool:
    """Return whether an upright rectangle has become one colour."""
    even = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) <= ONE_COLOUR
    if np.count_nonzero(even) < LEAST_PART * small.size:
        return False
    _, _, stats, _ = cv2.connectedComponentsWithStats(even.view(np.uint8), ltype=cv2.CV_16U)
    parts = stats[1:][stats[1:, cv2.CC_STAT_AREA] >= LEAST_PART * small.size]
    for left, top, width, height, area in parts:
        box = slice(top, top + height), slice(left, left + width)
        if area >= RECTANGLE * width * height and np.ptp(small[box]) <= 2 * ONE_COLOUR < np.ptp(
            last[box]
        ):
            return True
    return False


def _rows_alike(small: Picture) -> int:
    """Return how many rows at the bottom each repeat the row above them."""
    for count in range(1, len(small)):
        if int(cv2.absdiff(small[-count], small[-count - 1]).max()) > ONE_COLOUR:
            return count - 1
    return len(small) - 1
