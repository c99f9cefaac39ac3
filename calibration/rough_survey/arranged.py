"""Squares on a plane and their match to a course's template."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MAJORITY
from calibration.course.course_fit import CourseFit, fit_course
from calibration.course.template_form import ELSEWHERE, FEWEST_OPENINGS, known_distances
from calibration.lens.camera import TableView
from referee.domain.layout import Course

Array = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

#: The share of the template's tiles that is enough: the others are then searched for at their
#: places. With 0.8, a hand in the first still picture of one film put a tile 2 mm off.
ENOUGH: Final = 0.85
# The least and the largest size of a tile, in widths of the squares found. These squares may be
# faces without their printed borders, or tiles with their shadows. Measured: where checks of a
# cloth were taken for tiles, a tile was 0.74 squares wide.
_LIKE_A_TILE: Final = (0.8, 1.25)
# how much the score falls for each square of a tile's size that is not a tile of the course
_NO_TILE: Final = 0.2


@dataclass(frozen=True)
class Arranged:
    """Squares on a plane. In `view` the plane is z = 0; `centres_mm` (n, 2) are the squares'
    centres, and `turns_rad` (n,) their turns. `fit` is their best match to the template; None if
    they do not match it. `larger` is how many times as wide as the squares that were found a tile
    is; 1 before the rules' distances have set the size.
    """

    view: TableView
    centres_mm: Array
    turns_rad: Array
    fit: CourseFit | None
    larger: float = 1.0

    @property
    def score(self) -> float:
        """Return the score of the match to the template, lowered for each square that is not a tile
        of the course, because any course fits into a pattern of many squares.
        """
        if self.fit is None:
            return 0.0
        return self.fit.score - _NO_TILE * (len(self.centres_mm) - len(self.fit.squares))

    @property
    def on_course(self) -> Sequence[int]:
        """Return the indices of the squares that are tiles of the course; those of all squares if
        there is no match.
        """
        return range(len(self.centres_mm)) if self.fit is None else list(self.fit.squares.values())


def likeness(arranged: Arranged | None, template: Course) -> tuple[bool, float]:
    """Return the key by which matches are ordered: first whether squares of a tile's size show most
    of the course, then the score. So checks of a cloth that lie like a course rank below tiles.
    """
    if arranged is None:
        return False, 0.0
    most = arranged.score >= MAJORITY * len(template.tiles)
    return most and has_tiles_size(arranged, template), arranged.score


def is_enough(arranged: Arranged | None, template: Course) -> bool:
    """Return whether squares of a tile's size show enough of the course to end a search."""
    return likeness(arranged, template) > (True, ENOUGH * len(template.tiles))


def has_tiles_size(arranged: Arranged, template: Course) -> bool:
    """Return whether squares were about as large as the course's tiles when they were found. An
    unknown size counts as right.
    """
    size = size_by_rules(arranged, template)
    return size is None or _LIKE_A_TILE[0] < size * arranged.larger < _LIKE_A_TILE[1]


def size_by_rules(arranged: Arranged, template: Course) -> float | None:
    """Return how wide a tile is, in widths of the squares, by the distances between tiles that the
    rules fix. Return None if the squares show too few of these distances.
    """
    centres, fit = arranged.centres_mm, arranged.fit
    if fit is None:
        return None
    shares = [
        float(np.hypot(*(centres[fit.squares[a]] - centres[fit.squares[b]])))
        / (times * template.tile_mm)
        for a, b, times in known_distances(template)
        if a in fit.squares and b in fit.squares
    ]
    return float(np.median(shares)) if len(shares) >= FEWEST_OPENINGS else None


def squares_at(view: TableView, quads: Sequence[Array]) -> tuple[Array, Array]:
    """Return centres (n, 2) mm and rotations (n,) rad of squares on the view's plane."""
    corners = np.array([view.to_table(q) for q in quads])
    points = corners[:, :, 0] + 1j * corners[:, :, 1]
    circle = np.fft.fft(points, axis=1)[:, 3]
    return corners.mean(axis=1), np.angle(circle) - np.pi / 4


def matched(view: TableView, quads: Sequence[Array], template: Course) -> Arranged:
    """Match quadrilaterals (4, 2) px that are squares on the view's plane to the template."""
    centres, turns = squares_at(view, quads)
    return Arranged(view, centres, turns, fit_course(template, centres))


def shown_elsewhere(
    first: Arranged, other: Arranged, names: Collection[str], tile_mm: float
) -> frozenset[str]:
    """Return which of the tiles `names` of a match another picture shows elsewhere: not where the
    match has them, but less than a tile width away. Places are compared, not names, because in
    another picture a symmetric course may get other names.
    """
    if first.fit is None or other.fit is None:
        return frozenset()
    squares = other.centres_mm[list(other.fit.squares.values())]
    at_px = other.view.to_image(np.column_stack((squares, np.zeros(len(squares)))))
    there = first.view.to_table(at_px)
    away = {
        name: float(np.hypot(*(there - first.centres_mm[first.fit.squares[name]]).T).min())
        for name in names
    }
    return frozenset(n for n, mm in away.items() if ELSEWHERE * tile_mm < mm < tile_mm)


def tiles_aside(arranged: Arranged | None, template: Course) -> frozenset[str]:
    """Return the tiles that seem to lie far from their places. If an arm hides half of a tile, the
    tile's middle line and its rim may seem to be a square half a tile away.
    """
    if arranged is None or arranged.fit is None:
        return frozenset()
    fit, names = arranged.fit, [*arranged.fit.squares]
    places = fit.place(np.array([template.tiles[name].centre_mm for name in names]))
    squares = arranged.centres_mm[[fit.squares[name] for name in names]]
    off_mm = np.hypot(*(squares - places).T)
    far = off_mm > ELSEWHERE * template.tile_mm
    return frozenset(name for name, is_far in zip(names, far, strict=True) if is_far)
