"""Takes still pictures from a video of a fixed camera, without anything that moves in it: hands,
arms, sliding coins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

_WINDOW_S: Final = 1.2
_FRAMES_A_WINDOW: Final = 11
_UNTIL_S: Final = 8.0
_FEWEST_FOR_ALL: Final = 3
_BAND_ROWS: Final = 64


def stills(frames: Iterable[tuple[float, Picture]], until_s: float = _UNTIL_S) -> list[Picture]:
    """Return the median pictures of successive windows of about a second, from frames `(t_s, (h, w,
    3) BGR)` in order of time. The first window comes first, and the median of all windows comes
    last.

    What is at one place for less than half of a window disappears. An arm that stays longer
    disappears in the last picture. Empty without frames.
    """
    found: list[Picture] = []
    window: list[Picture] = []
    begin: float | None = None
    for t_s, picture in _spaced(frames, _WINDOW_S / _FRAMES_A_WINDOW, until_s):
        if begin is not None and t_s >= begin + _WINDOW_S and window:
            found.append(_median(window))
            window, begin = [], t_s
        begin = t_s if begin is None else begin
        window.append(picture)
    if len(window) > _FRAMES_A_WINDOW // 2 or (window and not found):
        found.append(_median(window))
    if len(found) >= _FEWEST_FOR_ALL:
        found.append(_median(found))
    return found


def _spaced(
    frames: Iterable[tuple[float, Picture]], step_s: float, until_s: float
) -> Iterator[tuple[float, Picture]]:
    first: float | None = None
    due = 0.0
    for t_s, picture in frames:
        first = t_s if first is None else first
        if t_s - first > until_s:
            return
        if t_s - first >= due:
            due = max(due + step_s, t_s - first)
            yield t_s, picture


def _median(pictures: list[Picture]) -> Picture:
    """Return the median of each pixel, computed in bands of rows so that large pictures fit in
    memory.
    """
    if len(pictures) == 1:
        return pictures[0]
    rows = pictures[0].shape[0]
    bands = [
        np.median([p[r : r + _BAND_ROWS] for p in pictures], axis=0)
        for r in range(0, rows, _BAND_ROWS)
    ]
    return np.asarray(np.rint(np.concatenate(bands)), dtype=np.uint8)
