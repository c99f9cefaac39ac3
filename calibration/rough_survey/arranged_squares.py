"""Finds the squares of a still picture that match a course's template best: by their outlines, by
their straight sides, by their colours, and by their similarity to the squares found so far.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MOST_STEPS
from calibration.course.course_fit import CourseFit, fit_course
from calibration.course.template_form import ELSEWHERE, FEWEST_OPENINGS, known_distances
from calibration.lens.camera import Camera, TableView
from calibration.rough_survey.alike_squares import FACES_TILES, squares_alike
from calibration.rough_survey.colours_of_squares import alike_in_colour
from calibration.rough_survey.quartered_squares import divided_squares
from calibration.rough_survey.straight_squares import straight_squares
from calibration.tiles.bundle import adjust
from calibration.tiles.plane import FEWEST_TILES, SquaresOnPlane, find_planes, other_sizes
from calibration.tiles.quadrilaterals import SEAMS_PX, SMALLEST_PX, find_quads_by_colour
from calibration.tiles.rims import even_light
from calibration.tiles.template_match import rims_by_template
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

#: The share of the template's tiles that is enough: the others are then searched for at their
#: places. With 0.8, a hand in the first still of footage d put a tile 2 mm off.
ENOUGH: Final = 0.85
# how much the score falls for each square of a tile's size that is not a tile of the course
_NO_TILE: Final = 0.2
# times the number of the course's tiles: more squares of one size are a pattern
_MOST_SQUARES: Final = 2
# Chosen: times the number of the course's tiles; a tile shows up to twenty squares with straight
# sides, and more of about one size are a pattern.
_MOST_STRAIGHT: Final = 40
# Chosen: squares whose sides differ by less than a factor of two are taken together, because a
# camera sees the farthest tiles up to half as large as the nearest. The next group begins at sides
# that are larger by this factor; so many groups reach beyond 300 px.
_SIZES_APART: Final = math.sqrt(2.0)
_SIZES: Final = 8
# the number of groups of squares that are grown in many rounds; a round takes 0.2 s
_MOST_GROWN: Final = 4


@dataclass(frozen=True)
class Arranged:
    """Squares on a plane. In `view` the plane is z = 0; `centres_mm` (n, 2) are the squares'
    centres, and `turns_rad` (n,) their turns. `fit` is their best match to the template; None if
    they do not match it. `larger` is by how much the squares seem larger now than as they were
    found.
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


def score_of(arranged: Arranged | None) -> float:
    """Return the score of some squares; 0 for None."""
    return 0.0 if arranged is None else arranged.score


def fit_still(
    still: Picture,
    quads: Sequence[Array],
    camera: Camera,
    template: Course,
    in_rows: Sequence[Array] = (),
) -> Arranged | None:
    """Find the squares of a still picture that match the template best. First they are searched for
    among its quadrilaterals, then, if these show too little of the course, among squares with
    straight sides, and at last among quadrilaterals found colour by colour. Then places that look
    like the best squares are added.

    `in_rows` are further quadrilaterals, cut from outlines that may be rows of tiles. The plane is
    searched for both with them and without them, because what looks like a row may be a strip of
    the table.
    """
    whole = len(template.tiles)
    planes = find_planes(quads, camera, template.tile_mm)
    fits = _fits(quads, planes, template)
    if in_rows:
        both = [*quads, *in_rows]
        fits += _fits(both, find_planes(both, camera, template.tile_mm), template)
    if max(map(score_of, fits), default=0.0) <= ENOUGH * whole:
        fits += _straight_fits(still, camera, template)
        found = best_grown(still, sorted(fits, key=_most_likely), template, rounds=1)
        if found is not None and found.fit is not None and found.score > ENOUGH * whole:
            return sized_by_rules(found, found.fit, template)
        fits += _colour_fits(still, quads, planes, camera, template)
    fits.sort(key=_most_likely)
    grown = best_grown(still, fits, template)
    best = max((each for each in (*fits[:1], grown) if each), key=score_of, default=None)
    if score_of(best) <= ENOUGH * whole:
        grown = best_grown(still, _of_quarters(quads, planes, template), template)
        best = max((each for each in (best, grown) if each), key=score_of, default=None)
    return None if best is None or best.fit is None else sized_by_rules(best, best.fit, template)


def _colour_fits(
    still: Picture,
    quads: Sequence[Array],
    planes: Sequence[SquaresOnPlane],
    camera: Camera,
    template: Course,
) -> list[Arranged]:
    """Match squares found colour by colour to the template. On a pattern of squares, squares of
    another colour or size than the pattern's come first.
    """
    whole = len(template.tiles)
    fits: list[Arranged] = []
    by_colour = [*find_quads_by_colour(still), divided_squares(quads)]
    if planes and len(planes[0].members) > _MOST_SQUARES * whole:
        by_size = [quads, *by_colour]
        for starts in (
            _of_other_colours(still, quads, planes[0], template),
            _of_other_sizes(by_size, planes[0], template),
        ):
            best = best_grown(still, starts, template, len(starts), rounds=1)
            fits += [best] if best is not None and best.fit is not None else []
            if score_of(best) > ENOUGH * whole:
                return fits
    for alike in by_colour:
        # a square of one colour may be found once for each width of seam
        if len(alike) <= len(SEAMS_PX) * _MOST_SQUARES * whole:
            fits += _fits(alike, find_planes(alike, camera, template.tile_mm), template)
    return fits


def _most_likely(arranged: Arranged) -> tuple[float, int]:
    """Order by score, then by the number of squares, the highest first."""
    return -arranged.score, -len(arranged.centres_mm)


def _straight_fits(still: Picture, camera: Camera, template: Course) -> list[Arranged]:
    """Match the squares with straight sides to the template, those of about one size at a time: the
    few lines of a large box make more squares than all tiles.
    """
    squares, whole = straight_squares(still), len(template.tiles)
    sides = np.sqrt(np.prod(np.linalg.norm(np.diff(squares[:, :3], axis=1), axis=2), axis=1))
    fits: list[Arranged] = []
    for least in SMALLEST_PX * _SIZES_APART ** np.arange(_SIZES):
        alike = [*squares[(sides >= least) & (sides < _SIZES_APART**2 * least)]]
        if FEWEST_TILES <= len(alike) <= _MOST_STRAIGHT * whole:
            fits += _fits(alike, find_planes(alike, camera, template.tile_mm), template)
    return fits


def _fits(
    quads: Sequence[Array], planes: Sequence[SquaresOnPlane], template: Course
) -> list[Arranged]:
    """Match the quadrilaterals on each of their planes to the template."""
    found = []
    for plane in planes:
        if FEWEST_TILES <= len(plane.members) <= _MOST_SQUARES * len(template.tiles):
            centres, turns = _squares_at(plane.view, [quads[k] for k in plane.members])
            found.append(Arranged(plane.view, centres, turns, fit_course(template, centres)))
    return found


def _of_other_colours(
    still: Picture, quads: Sequence[Array], pattern: SquaresOnPlane, template: Course
) -> list[Arranged]:
    """Return groups of squares that are as large as those of a pattern, but have another colour."""
    squares = [quads[k] for k in pattern.members]
    return [
        Arranged(pattern.view, *_squares_at(pattern.view, group), None)
        for group in alike_in_colour(still, squares)
        if len(group) <= _MOST_SQUARES * len(template.tiles)
    ]


def _of_other_sizes(
    lists: Sequence[Sequence[Array]], pattern: SquaresOnPlane, template: Course
) -> list[Arranged]:
    """Return groups of squares on the plane of a pattern of squares, of other sizes than those of
    the pattern; the most regular group first. The squares are chosen from lists of quadrilaterals,
    and only a few tiles may be among them. Groups with too many squares are parts of the pattern.
    """
    most = _MOST_SQUARES * len(template.tiles)
    found = [
        (plane.spread, Arranged(plane.view, *_squares_at(plane.view, members), None))
        for quads in lists
        for plane in other_sizes(quads, pattern, template.tile_mm)
        if FEWEST_TILES <= len(members := [quads[k] for k in plane.members]) <= most
    ]
    return [start for _, start in sorted(found, key=lambda each: each[0])]


def _of_quarters(
    quads: Sequence[Array], planes: Sequence[SquaresOnPlane], template: Course
) -> list[Arranged]:
    """Return, for each plane, the tiles of which three or four quarters are among the
    quadrilaterals. So two tiles are enough to find the others if quarters of more tiles showed the
    plane.
    """
    tiles = divided_squares(quads)
    if not tiles:
        return []
    starts = []
    for plane in planes:
        corners = np.array([plane.view.to_table(tile) for tile in tiles])
        sides_mm = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
        larger = float(np.median(sides_mm)) / template.tile_mm
        view = replace(plane.view, t_camera_table_mm=plane.view.t_camera_table_mm / larger)
        starts.append(Arranged(view, *_squares_at(view, tiles), None))
    return starts


def best_grown(
    still: Picture,
    starts: Sequence[Arranged],
    template: Course,
    most: int = _MOST_GROWN,
    rounds: int = MOST_STEPS,
) -> Arranged | None:
    """Add to each of the first `most` starts the places that look like its squares. Return the
    first result that shows enough of the course, otherwise the best result.
    """
    grown: list[Arranged] = []
    for start in starts[:most]:
        grown.append(_grown(still, start, template, rounds))
        if grown[-1].score > ENOUGH * len(template.tiles):
            break
    return max(grown, key=score_of, default=None)


def _grown(still: Picture, start: Arranged, template: Course, rounds: int) -> Arranged:
    """Match to the template the places that look most like the tiles found so far, as many as the
    template has tiles. If that shows more of the course, but not enough, repeat it with a view that
    is adjusted to the tiles found.
    """
    best = like = start
    for number in range(1, rounds + 1):
        before = best.score
        for width in FACES_TILES:
            best = max(best, _alike(still, like, template, width), key=score_of)
            if best.score > ENOUGH * len(template.tiles):
                return best
        if best.score <= before or number == rounds:
            return best
        like = _adjusted(still, best, template)
    return best


def _alike(still: Picture, start: Arranged, template: Course, width: float) -> Arranged:
    centres, turns = squares_alike(
        still,
        start.view,
        start.centres_mm[start.on_course],
        start.turns_rad[start.on_course],
        template.tile_mm,
        len(template.tiles),
        width,
    )
    return Arranged(start.view, centres, turns, fit_course(template, centres))


def sized_by_rules(found: Arranged, fit: CourseFit, template: Course) -> Arranged:
    """Return the squares at the size at which distances fixed by the rules are right. They may have
    been found at another size: as a tile's face without its printed border, or as a tile with its
    shadow.
    """
    centres = found.centres_mm
    shares = [
        float(np.hypot(*(centres[fit.squares[a]] - centres[fit.squares[b]])))
        / (times * template.tile_mm)
        for a, b, times in known_distances(template)
        if a in fit.squares and b in fit.squares
    ]
    if len(shares) < FEWEST_OPENINGS:
        return found
    tile = float(np.median(shares))
    view = replace(found.view, t_camera_table_mm=found.view.t_camera_table_mm / tile)
    centres = centres / tile
    return Arranged(view, centres, found.turns_rad, fit_course(template, centres), tile)


def _adjusted(still: Picture, found: Arranged, template: Course) -> Arranged:
    """Return those squares that are tiles of the course and look alike, in a view adjusted to
    them.
    """
    sizes = PieceSizes(tile_mm=template.tile_mm, tile_thickness_mm=0.0)
    tiles = {
        str(k): Tile(
            (float(found.centres_mm[k, 0]), float(found.centres_mm[k, 1])),
            float(np.degrees(found.turns_rad[k])),
            1,
        )
        for k in found.on_course
    }
    rims = rims_by_template([even_light(still)], found.view, tiles, sizes)
    if len(rims) < FEWEST_TILES:
        return found
    adjusted = adjust(found.view, tiles, rims, sizes)
    clear = [adjusted.tiles[name] for name in rims]
    centres = np.array([tile.centre_mm for tile in clear])
    turns = np.radians([tile.rotation_deg for tile in clear])
    return Arranged(adjusted.view, centres, turns, None)


def _squares_at(view: TableView, quads: Sequence[Array]) -> tuple[Array, Array]:
    """Return centres (n, 2) mm and rotations (n,) rad of squares on the view's plane."""
    corners = np.array([view.to_table(q) for q in quads])
    points = corners[:, :, 0] + 1j * corners[:, :, 1]
    circle = np.fft.fft(points, axis=1)[:, 3]
    return corners.mean(axis=1), np.angle(circle) - np.pi / 4


def tiles_aside(arranged: Arranged | None, template: Course) -> int:
    """Return how many tiles seem to lie far from their places. If an arm hides half of a tile, the
    tile's middle line and its rim may seem to be a square half a tile away.
    """
    if arranged is None or arranged.fit is None:
        return 0
    fit, names = arranged.fit, [*arranged.fit.squares]
    places = fit.place(np.array([template.tiles[name].centre_mm for name in names]))
    squares = arranged.centres_mm[[fit.squares[name] for name in names]]
    off_mm = np.hypot(*(squares - places).T)
    return int(np.count_nonzero(off_mm > ELSEWHERE * template.tile_mm))
