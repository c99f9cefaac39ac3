"""Tells which coins were set in motion through others: a coin that runs into a heap of touching
coins moves those on its far side, and the ones between may lie still.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from referee.detectors.chance import SEEN_SIGMAS, frame_time_s
from referee.detectors.contact import SIZE_SIGMA_MM, hand_at
from referee.domain.episode import Episode
from referee.domain.geometry import distance
from referee.domain.path import Path, Run

# Chosen: a path begins within so many frames of when its coin was struck.
_TOGETHER_FRAMES: Final = 1.5


def knocked_through(episode: Episode, path: Path, run: Run, paths: Sequence[Path]) -> bool:
    """Return whether a coin that began to move with no hand at it lay in a heap, and another coin
    ran into that heap just then.
    """
    if run is not path.runs[0] or hand_at(episode, path.coin, run.begin_s):
        return False
    heap = _heap_of(episode, path, run.begin_s, paths)
    within_s = _TOGETHER_FRAMES * frame_time_s(episode)
    return any(
        heap.intersection(struck.met)
        for other in paths
        if other.coin not in heap
        for struck in other.runs[1:]
        if abs(struck.begin_s - run.begin_s) < within_s
    )


def _heap_of(episode: Episode, path: Path, t_s: float, paths: Sequence[Path]) -> frozenset[str]:
    """Return the coins that lay still until about `t_s` and touched this one, or one another in an
    unbroken chain from it; with this one.
    """
    since_s = t_s - _TOGETHER_FRAMES * frame_time_s(episode)
    lay = {
        p.coin: p for p in paths if p.rest_before_mm is not None and not _moved_before(p, since_s)
    }
    heap, edge = {path.coin}, [path]
    while edge:
        one = edge.pop()
        for coin, other in lay.items():
            if coin not in heap and _touch(episode, one, other):
                heap.add(coin)
                edge.append(other)
    return frozenset(heap)


def _moved_before(path: Path, t_s: float) -> bool:
    return any(run.begin_s < t_s for run in path.runs) or any(h.begin_s < t_s for h in path.held)


def _touch(episode: Episode, one: Path, other: Path) -> bool:
    """Return whether two coins touched where they lay, as far as that was seen."""
    if one.rest_before_mm is None or other.rest_before_mm is None:
        return False
    sigma_mm = math.hypot(one.rest_before_sigma_mm, other.rest_before_sigma_mm, SIZE_SIGMA_MM)
    gap_mm = distance(one.rest_before_mm, other.rest_before_mm) - episode.sizes.coin_mm
    return gap_mm < SEEN_SIGMAS * sigma_mm
