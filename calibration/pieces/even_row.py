"""Finds which of many discs in a picture lie in a row: on a line, of one size, evenly spaced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

# Tuned on our own clips, except where a comment gives another source for a number.

# In radii: how far a centre may be from the row's line. Lenses bend straight rows a little.
OFF_LINE: Final = 0.5
# One coin's circle may be measured so many times larger than another's, because shadows are
# included.
_OTHER_SIZE: Final = 1.4
# In radii: the smallest distance between two coins' centres, with room for flattening and measuring
# errors.
_APART: Final = 1.7
# What it takes from a row, in discs, when a distance or a radius is e times the one before. A row
# with one coin missed, or laid by hand with every distance a fifth off, still loses less than it
# gains from a coin. A corner of a chequered cloth between two coins costs more than it adds.
_UNEVEN: Final = 2.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A round object in a picture: its centre and half its width, px, and its height divided by its
    width.
    """

    x_px: float
    y_px: float
    radius_px: float
    flattening: float = 1.0


def longest_row(discs: Sequence[Disc]) -> list[Disc]:
    """Find the longest even row of discs of about one size along one line, left to right. No two of
    them overlap. A disc that makes the row too uneven does not belong to it.
    """
    lines = {
        tuple(_along(discs, first, second))
        for first, second in combinations(discs, 2)
        if alike(first, second) and gap(first, second) >= _APART
    }
    best: tuple[float, list[Disc]] = (0.0, [])
    for line in sorted(lines, key=len, reverse=True):
        if len(line) <= best[0]:
            break  # no row is worth more than its number of discs
        best = max(best, _most_even(line), key=lambda row: row[0])
    return best[1]


def alike(first: Disc, second: Disc) -> bool:
    """Return whether two discs may be coins of one set."""
    return max(first.radius_px, second.radius_px) <= _OTHER_SIZE * min(
        first.radius_px, second.radius_px
    )


def gap(first: Disc, second: Disc) -> float:
    """Return the distance between two discs' centres in radii."""
    return _distance_px(first, second) / math.sqrt(first.radius_px * second.radius_px)


def unlikeness(row: Sequence[Disc]) -> float:
    """Return how far the discs of a row are from equal size and even spacing; 0 for a perfect
    row.
    """
    if len(row) < 2:
        return math.inf
    sizes = np.log([d.radius_px for d in row])
    steps = np.diff([d.x_px for d in row]) if len(row) > 2 else np.ones(2)
    return float(np.std(sizes) + np.std(steps) / max(float(np.mean(steps)), 1.0))


def _along(discs: Sequence[Disc], first: Disc, second: Disc) -> list[Disc]:
    """Return the discs of about the size of these two that lie along the line through them, left to
    right.
    """
    radius = math.sqrt(first.radius_px * second.radius_px)
    dx, dy = second.x_px - first.x_px, second.y_px - first.y_px
    length = math.hypot(dx, dy)
    near = [
        disc
        for disc in discs
        if abs(dx * (disc.y_px - first.y_px) - dy * (disc.x_px - first.x_px)) / length
        <= OFF_LINE * radius
        and 1 / _OTHER_SIZE <= disc.radius_px / radius <= _OTHER_SIZE
    ]
    return sorted(near, key=lambda d: d.x_px)


def _most_even(line: Sequence[Disc]) -> tuple[float, list[Disc]]:
    """Return the row along a line that is worth most, with what it is worth: a disc each, less what
    its unevenness takes.
    """
    # the best row that ends with two discs, by their places on the line
    rows: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
    for j, k in combinations(range(len(line)), 2):
        if gap(line[j], line[k]) < _APART:
            continue
        size = 1 - _UNEVEN * abs(math.log(line[k].radius_px / line[j].radius_px))
        longer = [
            (rows[i, j][0] + size - _uneven(line[i], line[j], line[k]), (*rows[i, j][1], k))
            for i in range(j)
            if (i, j) in rows
        ]
        rows[j, k] = max([(1 + size, (j, k)), *longer], key=lambda row: row[0])
    worth, chosen = max(rows.values(), key=lambda row: row[0], default=(0.0, ()))
    return worth, [line[i] for i in chosen]


def _uneven(first: Disc, second: Disc, third: Disc) -> float:
    """Return what it takes from a row that these three are unevenly spaced."""
    before_px, after_px = _distance_px(first, second), _distance_px(second, third)
    return _UNEVEN * abs(math.log(after_px / before_px))


def _distance_px(first: Disc, second: Disc) -> float:
    return math.hypot(first.x_px - second.x_px, first.y_px - second.y_px)
