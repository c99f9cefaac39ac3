"""Finds the squares of a still picture that match a course's template best: by their outlines, by
their straight sides, by their colours, and by their similarity to the squares found so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MOST_STEPS
from calibration.course.course_fit import fit_course
from calibration.lens.camera import Camera
from calibration.rough_survey.alike_squares import FACES_TILES, squares_alike
from calibration.rough_survey.arranged import Arranged, is_enough, likeness, size_by_rules
from calibration.rough_survey.first_matches import (
    colour_matches,
    group_matches,
    of_quarters,
    outline_matches,
    straight_matches,
)
from calibration.rough_survey.straight_squares import straight_squares
from calibration.tiles.bundle import adjust
from calibration.tiles.plane import FEWEST_TILES, find_planes
from calibration.tiles.rims import even_light
from calibration.tiles.template_match import rims_by_template
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

# `best_grown` adds squares to at most this many groups of squares; a round takes 0.2 s
_MOST_GROWN: Final = 4


def fit_still(
    still: Picture,
    quads: Sequence[Array],
    camera: Camera,
    template: Course,
    in_rows: Sequence[Array] = (),
) -> Arranged | None:
    """Find the squares of a still picture that match the template best. The search begins among its
    quadrilaterals. While too little of the course is found, it goes on among squares with straight
    sides, squares of one size and colour, quadrilaterals found colour by colour, and tiles with
    visible quarters. Each search also adds places that look like its best squares.

    `in_rows` are further quadrilaterals, cut from outlines that may be rows of tiles. The plane is
    searched for both with them and without them, because what looks like a row may be a strip of
    the table.
    """
    planes = find_planes(quads, camera, template.tile_mm)
    fits = outline_matches(quads, planes, template)
    if in_rows:
        both = [*quads, *in_rows]
        fits += outline_matches(both, find_planes(both, camera, template.tile_mm), template)
    straight: Array = np.empty((0, 4, 2))
    if is_enough(_best(fits, template), template):
        found = best_grown(still, fits, template)
    else:
        straight = straight_squares(still)
        fits += straight_matches(straight, camera, template)
        found = best_grown(still, fits, template, rounds=1)
    if not is_enough(found, template):
        groups = group_matches(still, [*quads, *straight], planes, template)
        found = _best((found, best_grown(still, groups, template, rounds=1)), template)
        fits += groups
    if not is_enough(found, template):
        fits += colour_matches(still, quads, camera, template)
        found = _best((found, best_grown(still, fits, template)), template)
    if not is_enough(found, template):
        of_backs = best_grown(still, of_quarters(quads, planes, template), template)
        found = _best((found, of_backs), template)
    return None if found is None or found.fit is None else sized_by_rules(found, template)


def _best(found: Iterable[Arranged | None], template: Course) -> Arranged | None:
    """Return the best match; None if there is none."""
    some = (each for each in found if each is not None)
    return max(some, key=lambda each: likeness(each, template), default=None)


def best_grown(
    still: Picture, starts: Sequence[Arranged], template: Course, rounds: int = MOST_STEPS
) -> Arranged | None:
    """Add to each of the best starts the places that look like its squares. Return the first result
    that shows enough of the course, otherwise the best result; None without a start.
    """
    grown: list[Arranged] = []
    for start in _most_likely_first(starts, template)[:_MOST_GROWN]:
        grown.append(_grown(still, start, template, rounds))
        if is_enough(grown[-1], template):
            break
    return _best(grown, template)


def _most_likely_first(fits: Sequence[Arranged], template: Course) -> list[Arranged]:
    """Order matches by their likeness to the course, then by the number of squares."""
    return sorted(
        fits, key=lambda fit: (likeness(fit, template), len(fit.centres_mm)), reverse=True
    )


def _grown(still: Picture, start: Arranged, template: Course, rounds: int) -> Arranged:
    """Match to the template the places that look most like the tiles found so far, as many as the
    template has tiles. If that shows more of the course, but not enough, repeat it with a view that
    is adjusted to the tiles found.
    """
    best = like = start
    for number in range(1, rounds + 1):
        before = best.score
        for width in FACES_TILES:
            alike = _alike(still, like, template, width)
            best = max(best, alike, key=lambda each: likeness(each, template))
            if is_enough(best, template):
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


def sized_by_rules(found: Arranged, template: Course) -> Arranged:
    """Return the squares at the size at which distances fixed by the rules are right. They may have
    been found at another size: as a tile's face without its printed border, or as a tile with its
    shadow.
    """
    tile = size_by_rules(found, template)
    if tile is None:
        return found
    view = replace(found.view, t_camera_table_mm=found.view.t_camera_table_mm / tile)
    centres = found.centres_mm / tile
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
