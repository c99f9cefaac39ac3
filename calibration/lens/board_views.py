"""Chooses still pictures of a board from a film in which somebody moves the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.lens import BoardKind, seen_corners

Picture = NDArray[np.uint8]
Array = NDArray[np.float64]
#: A corner of the board, identified by its x and y on the board, mm.
Place = tuple[float, float]

# Chosen: nothing was measured for these.

WANTED_VIEWS: Final = 15  # enough pictures to measure a lens well
WATCHED_S: Final = 180.0  # the longest part of a film that is examined
_EVERY_S: Final = 0.2  # the time between two frames that are examined
# a board whose corners moved by less than this since the last examined frame is not blurred
_STILL_PX: Final = 1.0
# as a share of the picture's width: views whose corners differ by more are different
_NEW_SHARE: Final = 0.06


def differing_views(
    frames: Iterable[tuple[float, Picture]], kind: BoardKind
) -> Iterator[tuple[float, Picture]]:
    """Yield the frames `(t_s, (h, w, 3) BGR)` that show at least half of the board's corners, while
    the board is still and in another position than in all frames yielded before. At most
    `WANTED_VIEWS` frames are yielded, from the first `WATCHED_S` seconds.
    """
    board = kind.board()
    fewest = (kind.across - 1) * (kind.down - 1) / 2
    taken: list[dict[Place, Array]] = []
    before: dict[Place, Array] = {}
    for t_s, picture in _looks(frames):
        places, points = seen_corners(picture, board)
        corners = {
            (float(x), float(y)): point for (x, y, _), point in zip(places, points, strict=True)
        }
        still = _moved_px(before, corners) < _STILL_PX
        before = corners
        new_px = _NEW_SHARE * picture.shape[1]
        if still and len(corners) >= fewest and all(_moved_px(v, corners) > new_px for v in taken):
            taken.append(corners)
            yield t_s, picture
            if len(taken) == WANTED_VIEWS:
                return


def _looks(frames: Iterable[tuple[float, Picture]]) -> Iterator[tuple[float, Picture]]:
    due_s = first_s = None
    for t_s, picture in frames:
        first_s = t_s if first_s is None else first_s
        if t_s - first_s > WATCHED_S:
            return
        if due_s is None or t_s >= due_s:
            due_s = t_s + _EVERY_S
            yield t_s, picture


def _moved_px(before: dict[Place, Array], now: dict[Place, Array]) -> float:
    """Return how far the corners that are seen both times have moved, root mean square, px;
    infinite if no corner is seen both times.
    """
    both = before.keys() & now.keys()
    if not both:
        return float("inf")
    steps = np.array([now[corner] - before[corner] for corner in both])
    return float(np.sqrt((steps**2).sum(axis=1).mean()))
