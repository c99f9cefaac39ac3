"""Matches the squares found on the table to the tiles of a course's template, by their arrangement.

A course is laid by hand. It may be longer or shorter than its template along each axis, and each
tile may lie up to a tile width from its place in the stretched template (rules.md, Common to the
flicking games).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.constants.fitting import DIFFERENCE, MOST_STEPS
from referee.domain.geometry import Point
from referee.domain.layout import Course

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# Tuned on our own clips, except where a comment gives another source for a number.

_SCALES: Final = (0.55, 2.2)  # the least and the largest scale of the template along either axis
_UNEVEN: Final = 1.7  # one scale of a course is at most this many times the other

_MOST_STARTS: Final = 40


@dataclass(frozen=True)
class CourseFit:
    """How a template lies among the squares found: a point p of the template lies at `R(turn_rad)
    (scale * p) + shift_mm`.

    `turn_rad` is a turn counter-clockwise, `scale` a factor along each of the template's axes, and
    `shift_mm` (2,) a shift in the squares' frame. `squares` maps each tile's name to the index of
    its square. `score` is larger for a better match.
    """

    turn_rad: float
    scale: tuple[float, float]
    shift_mm: Point
    squares: Mapping[str, int]
    score: float

    def place(self, points_mm: Array) -> Array:
        """Return where the template's points (n, 2) lie, (n, 2) mm in the squares' frame."""
        return np.asarray(
            points_mm * np.array(self.scale) @ _turn(self.turn_rad).T + np.array(self.shift_mm),
            dtype=np.float64,
        )


def _turn(angle_rad: float) -> Array:
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return np.array([[cos, -sin], [sin, cos]])


@dataclass(frozen=True)
class _Starts:
    """Arrays of n first guesses: `turns` (n,) rad, `scales` (n, 2), `shifts` (n, 2) mm, and
    `scores` (n,), which say how well the tiles' places fit the squares if the guess is right.
    """

    turns: Array
    scales: Array
    shifts: Array
    scores: Array

    def best(self, number: int) -> list[tuple[float, tuple[float, float], Array]]:
        """Return turn, scales and shift of the `number` guesses that fit best."""
        order = np.argsort(-self.scores, kind="stable")[:number]
        return [
            (float(self.turns[k]), (float(self.scales[k, 0]), float(self.scales[k, 1])), shift)
            for k, shift in zip(order, self.shifts[order], strict=True)
        ]


def _starts(template: Array, seen: Array, tolerance_mm: float) -> _Starts:
    """Return first guesses. Each guess puts two template points, which are far apart along the
    course, onto two squares.
    """
    reach = np.ptp(template[:, 0])
    along = template[None, :, 0] - template[:, None, 0]
    level = np.abs(template[None, :, 1] - template[:, None, 1]) < 1.0
    i, j = np.nonzero(level & (along > reach / 2))
    found = []
    for a in range(len(seen)):
        for b in range(len(seen)):
            span = seen[b] - seen[a]
            length = float(np.hypot(*span))
            turn = float(np.arctan2(span[1], span[0]))
            # the template is symmetric: half of the turns are enough
            if not -np.pi / 2 < turn <= np.pi / 2:
                continue
            scale = length / along[i, j]
            fits = (scale > _SCALES[0]) & (scale < _SCALES[1])
            scales = np.repeat(scale[fits][:, None], 2, axis=1)
            shifts = seen[a] - (template[i[fits]] * scales) @ _turn(turn).T
            found.append((turn, scales, shifts))
    return _Starts(
        np.concatenate([np.zeros(0), *(np.full(len(own), turn) for turn, own, _ in found)]),
        np.concatenate([np.zeros((0, 2)), *(own for _, own, _ in found)]),
        np.concatenate([np.zeros((0, 2)), *(shifts for _, _, shifts in found)]),
        np.concatenate(
            [np.zeros(0), *(_rough_scores(template, seen, *each, tolerance_mm) for each in found)]
        ),
    )


def _rough_scores(
    template: Array, seen: Array, turn: float, scales: Array, shifts: Array, tolerance_mm: float
) -> Array:
    """Return how well the template's places fit the squares, (n,), for one turn and n pairs of
    `scales` and `shifts` (n, 2).
    """
    placed = (template * scales[:, None]) @ _turn(turn).T + shifts[:, None]
    off = placed[:, :, None] - seen
    gaps = np.einsum("ntsk,ntsk->nts", off, off).min(axis=2, initial=np.inf)
    return np.asarray(np.maximum(0.0, 1.0 - gaps / tolerance_mm**2).sum(axis=1), dtype=np.float64)


def _assign(placed: Array, seen: Array, tolerance_mm: float) -> tuple[Indices, Indices, float]:
    gaps = np.hypot(placed[:, None, 0] - seen[None, :, 0], placed[:, None, 1] - seen[None, :, 1])
    cost = np.minimum((gaps / tolerance_mm) ** 2, 1.0)
    rows, columns = linear_sum_assignment(cost)
    kept = gaps[rows, columns] < tolerance_mm
    return (
        rows[kept].astype(np.int64),
        columns[kept].astype(np.int64),
        float(np.sum(1.0 - cost[rows, columns][kept])),
    )


def _fit(template: Array, seen: Array, turn: float) -> tuple[float, tuple[float, float], Array]:
    """Fit turn, scales and shift by least squares. Scales and turn are computed alternately: each
    has a closed form if the other is given.
    """
    scales = np.ones(2)
    p = template - template.mean(axis=0)
    spread, moments = (p * p).sum(axis=0), p.T @ (seen - seen.mean(axis=0))
    for _ in range(MOST_STEPS):
        turned = moments @ _turn(turn)
        scales = np.clip(turned.diagonal() / np.maximum(spread, 1e-9), *_SCALES)
        low, high = scales.max() / _UNEVEN, scales.min() * _UNEVEN
        scales = np.clip(scales, low, max(low, high))
        (xx, xy), (yx, yy) = scales[:, None] * turned
        by = float(np.arctan2(xy - yx, xx + yy))
        turn += by
        if abs(by) < DIFFERENCE:
            break
    shift = seen.mean(axis=0) - _turn(turn) @ (template.mean(axis=0) * scales)
    return turn, (float(scales[0]), float(scales[1])), shift


def _settle(
    template: Array,
    seen: Array,
    start: tuple[float, tuple[float, float], Array],
    tolerance_mm: float,
) -> tuple[CourseFit, Indices, Indices]:
    turn, scales, shift = start
    rows: Indices = np.zeros(0, dtype=np.int64)
    columns = rows
    score = 0.0
    for _ in range(MOST_STEPS):
        placed = template * scales @ _turn(turn).T + shift
        before = rows, columns
        rows, columns, score = _assign(placed, seen, tolerance_mm)
        if len(rows) < 3:
            break
        turn, scales, shift = _fit(template[rows], seen[columns], turn)
        if all(map(np.array_equal, before, (rows, columns))):
            break
    fit = CourseFit(turn, scales, (float(shift[0]), float(shift[1])), {}, score)
    return fit, rows, columns


def fit_course(template: Course, squares_mm: Array) -> CourseFit | None:
    """Find the best match of the squares' centres (n, 2), mm in any frame, to a template; None for
    fewer than four squares.

    The turn lies in (-90, 90] degrees, so the course's x axis points to the right in the squares'
    frame. The function does not decide which end of the course is the left one.
    """
    names = list(template.tiles)
    points = np.array([template.tiles[n].centre_mm for n in names])
    if len(squares_mm) < 4:
        return None
    tolerance = template.tile_mm
    best: tuple[CourseFit, Indices, Indices] | None = None
    for start in _starts(points, squares_mm, 2 * tolerance).best(_MOST_STARTS):
        found = _settle(points, squares_mm, start, tolerance)
        if best is None or found[0].score > best[0].score:
            best = found
    if best is None:
        return None
    fit, rows, columns = best
    squares = {names[int(r)]: int(c) for r, c in zip(rows, columns, strict=True)}
    return CourseFit(fit.turn_rad, fit.scale, fit.shift_mm, squares, fit.score)
