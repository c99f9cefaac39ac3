"""Surveys a table: finds the camera's pose, the course as it lies, and the table's edge from one or
several still pictures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.course.course_words import course_warnings
from calibration.course.misplaced_tiles import (
    alone,
    beside_squares,
    elsewhere,
    misfit,
    squares_among,
    upon_others,
    upon_places,
)
from calibration.course.missing_tiles import in_their_rows, whole_course
from calibration.course.orientation import Orientation
from calibration.lens.camera import Camera, TableView
from calibration.rough_survey.quarter_turns import by_quarters
from calibration.rough_survey.rough_view import RoughView, rough_view
from calibration.table.castle_order import CastleOrder, ReadTops, castle_order
from calibration.table.even_view import GUESSED_FOCAL_SHARE
from calibration.table.glare import white_tiles, without_glare
from calibration.table.openings import scaled_by_openings
from calibration.table.refine import Doing, refine, report_nothing
from calibration.table.row_places import put_in_rows
from calibration.table.surveyed_table import SurveyedTable
from calibration.table.tower_places import CENTRE_SHARE, unlike_sigma_mm
from calibration.table_edge.edge_finding import find_edge
from calibration.table_edge.edge_words import edge_words
from calibration.tiles.bundle import Adjusted
from calibration.tiles.outline_fit import unlike_pictures
from calibration.tiles.rims import even_light
from referee.domain.errors import InputError
from referee.domain.geometry import distance
from referee.domain.layout import Course, Tile, faces_up, facing_of
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import wall_in_words

# Tuned on our own clips, except where a comment gives another source for a number.

#: The survey warns if the line from some tile to the camera rises at less than this angle above the
#: table. The lower the camera, the larger is the error of a place that an error of a height causes.
LOW_DEG: Final = 45.0
#: By definition: a course runs up the picture if the vertical distance of its ends is more than
#: this many times the horizontal one (steeper than 60 degrees).
UPRIGHT: Final = math.sqrt(3.0)
#: The error of every rim of a set, mm, because sets are worn differently. It is added to the error
#: that follows from the scatter of the rims. Measured: on 13 path-traced tables that were not used
#: for tuning, the scale by the rims was 0.6 % (rms) off. With this value, the normalised error
#: squared of the scale from rims and openings falls from 1.5 to 1.0.
SETS_SIGMA_MM: Final = 0.05
SEEN_BADLY_MM: Final = 0.6  # a tile with a larger standard error gets a warning

Picture = NDArray[np.uint8]


def survey_table(
    pictures: Sequence[Picture] | Picture,
    camera: Camera | None,
    game: str,
    sizes: PieceSizes,
    orientation: Orientation | None = None,
    doing: Doing = report_nothing,
    read_tops: ReadTops | None = None,
) -> SurveyedTable:
    """Survey a table from still pictures (h, w, 3) BGR of one fixed camera. Parts that the first
    picture does not show are searched for in the others.

    If `camera` is None, the focal length is estimated from the tiles. `doing` gets a phrase for
    each stage. `read_tops` reads the aces on the towers, which show how a course of castles lies.
    Raises InputError if the course or its scale remains undetermined.
    """
    stills = [pictures] if isinstance(pictures, np.ndarray) else list(pictures)
    orientation = orientation or Orientation()
    doing("looking for tiles")
    rough, order = rough_view(stills, camera, game, sizes, orientation)
    stills = [stills[k] for k in order]
    lights = [even_light(still) for still in stills]
    tiles = put_in_rows(lights[0], rough.view, rough.tiles, rough.template, sizes)
    rough = replace(rough, tiles=tiles)
    adjusted = refine(
        lights,
        rough.view,
        rough.tiles,
        rough.template,
        sizes,
        stills,
        faces_up(game),
        found_larger=rough.larger,
        free_focal=camera is None,
        doing=doing,
    )
    castles = CastleOrder(0)
    if read_tops is not None and faces_up(game):
        doing("reading the aces on the towers")
        castles = _castle_order(stills, adjusted, game, sizes, orientation, read_tops)
        rough, adjusted = by_quarters(rough, adjusted, castles.steps)
    doing("looking for the table's edge")
    view = adjusted.view
    seen, doubts = _seen_tiles(stills, adjusted, rough, sizes)
    tiles, words = whole_course(seen, rough.template)
    course = Course(MappingProxyType({n: tiles[n] for n in rough.template.tiles}), sizes.tile_mm)
    edge = find_edge(stills[0], lights[0], view, list(tiles.values()), sizes.tile_mm)
    warnings = [
        *castles.warnings,
        *words,
        *doubts,
        *course_warnings(course, rough.template, seen),
        *edge_words(edge, view),
        *view_warnings(view, course, lens_known=camera is not None),
        *_direction_warnings(view, course, orientation),
    ]
    table = SurveyedTable(
        game,
        view,
        course,
        sizes,
        edge,
        adjusted.residual_mm,
        rough.mirrored,
        orientation.left_endpost,
        tuple(warnings),
        field_error=adjusted.field,
        notes=castles.notes,
        castle_assumed=castles.assumed,
    )
    worn = 2 * SETS_SIGMA_MM / sizes.tile_mm
    return scaled_by_openings(table, math.hypot(adjusted.scale_sigma, worn))


def _seen_tiles(
    stills: Sequence[Picture], adjusted: Adjusted, rough: RoughView, sizes: PieceSizes
) -> tuple[dict[str, Tile], list[str]]:
    """Return the tiles that are certainly where they were found, each with its error, and warnings
    about tiles whose places are not known well.
    """
    found = in_their_rows(adjusted.tiles, adjusted.off_mm, rough.template)
    found = without_glare(stills, adjusted.view, found, adjusted.off_mm, rough.template)
    seen = _fitting(stills, adjusted.view, found, rough, sizes)
    return _with_errors(seen, adjusted, sizes)


def _direction_warnings(view: TableView, course: Course, orientation: Orientation) -> list[str]:
    """Return a warning if the left endpost is easily confused with the right one, and nobody said
    where the left one is.
    """
    if orientation.upright or not is_upright(view, course):
        return []
    return [
        "the course runs up the picture, so its left endpost is easily taken for the right one:"
        " look at the drawing, and give --left-endpost top or bottom"
    ]


def _castle_order(
    stills: Sequence[Picture],
    adjusted: Adjusted,
    game: str,
    sizes: PieceSizes,
    orientation: Orientation,
    read_tops: ReadTops,
) -> CastleOrder:
    """Decide from the aces on the towers how a course of castles lies. Until the aces are read, the
    first suit's castle is assumed to be where the players or the layout put it.
    """
    suits = faces_up(game)
    towers = {suit: adjusted.tiles.get(name) for name, suit in suits.items()}
    looks = {
        suit: unlike_pictures(stills, adjusted.view, [] if tile is None else [tile], sizes)
        for suit, tile in towers.items()
    }
    facing = facing_of(game)
    assert facing is not None, "a course with faces up has a side that faces somewhere"
    return castle_order(
        read_tops(looks, adjusted.view, towers, sizes),
        tuple(suits.values()),
        orientation.facing_side or facing[1],
        given=orientation.facing_side is not None,
    )


def _fitting(
    stills: Sequence[Picture],
    view: TableView,
    tiles: Mapping[str, Tile],
    rough: RoughView,
    sizes: PieceSizes,
) -> dict[str, Tile]:
    """Return the tiles that are certainly where they were found. Raises InputError if these tiles
    do not determine the course.

    A tile that the first search found as a square is certain, unless it overlaps another tile. A
    tile that was found later, by its edges, is certain if in addition it does not partly overlap a
    square.
    """
    later = {n: t for n, t in tiles.items() if n not in rough.tiles}
    doubtful = upon_others(tiles, rough.template) | upon_places(tiles, rough.template)
    if not later and not doubtful and all(n in tiles for n in rough.template.tiles):
        return dict(tiles)
    doubtful |= {
        name
        for stack in {tile.stack for tile in later.values()}
        for name in beside_squares(
            {n: t for n, t in later.items() if t.stack == stack},
            alone(squares_among(rough.quads, view, sizes, stack), tiles, rough.template),
            sizes.tile_mm,
        )
    }
    squares = alone(squares_among(rough.quads, view, sizes), tiles, rough.template)
    seen = {n: t for n, t in tiles.items() if n not in doubtful}
    white = white_tiles(stills, view, seen, rough.template)
    unfit = misfit(seen, rough.template, elsewhere(seen, squares, sizes.tile_mm), white)
    if unfit is not None:
        raise InputError(unfit)
    return seen


def _with_errors(
    tiles: Mapping[str, Tile], adjusted: Adjusted, sizes: PieceSizes
) -> tuple[dict[str, Tile], list[str]]:
    """Set each tile's own error. It depends on the deviations of the tile's edges from the adjusted
    square (`adjusted.off_mm`, root mean square) and on those of the other tiles. Also return a
    warning that names the tiles whose places are not known well, if there are any.

    A tile whose face does not look like the other tiles' faces has no entry in `adjusted.off_mm`.
    """
    off_mm = adjusted.off_mm
    usual = float(np.median(list(off_mm.values())))
    sure = {}
    for name, tile in tiles.items():
        own_mm = (
            CENTRE_SHARE * float(np.hypot(off_mm[name], usual)) / np.sqrt(2)
            if (name in off_mm)
            else unlike_sigma_mm(adjusted.view, tile, sizes)
        )
        turn_deg = float(np.degrees(2 * own_mm / sizes.tile_mm))
        sure[name] = replace(tile, sigma_mm=own_mm, rotation_sigma_deg=turn_deg)
    badly = [name for name, tile in sure.items() if tile.sigma_mm > SEEN_BADLY_MM]
    worst = max((sure[name].sigma_mm for name in badly), default=0.0)
    words = [
        f"badly seen (glare, or something on it): {', '.join(map(wall_in_words, badly))}: known to"
        f" {worst:.1f} mm at worst, so that calls there are less sure"
    ]
    return sure, words if badly else []


def view_warnings(view: TableView, course: Course, *, lens_known: bool) -> list[str]:
    """Return warnings about what makes a view inaccurate: a lens that was estimated from the tiles,
    or a low camera.

    An error of 1 mm in height moves a place by 1 / tan(a) mm, where a is the angle above the table
    at which the camera is seen from that place.
    """
    words = []
    if not lens_known:
        focal = f"{view.camera.fx_px:.0f} px (to about {GUESSED_FOCAL_SHARE:.0%})"
        words.append(
            f"the lens is not known: its focal length was worked out from the tiles, {focal}; tiles"
            " may be placed some millimetres wrong, most at the course's ends, and get wrong"
            " warnings about their places: measure the lens (calibrate lens) and give --camera"
        )
    camera_mm = view.position_mm
    low_deg, name = min(
        (
            float(
                np.degrees(
                    np.arctan2(camera_mm[2], distance((camera_mm[0], camera_mm[1]), t.centre_mm))
                )
            ),
            n,
        )
        for n, t in course.tiles.items()
    )
    if low_deg < LOW_DEG:
        words.append(
            f"the camera is low: it sees {wall_in_words(name)} at {low_deg:.0f} degrees above the"
            f" table ({LOW_DEG:.0f} or more are needed); if the thickness of a coin or tile is"
            f" wrong by 1 mm, its place there is wrong by {1 / np.tan(np.radians(low_deg)):.1f} mm;"
            " measure thicknesses well, or hang the camera higher"
        )
    return words


def is_upright(view: TableView, course: Course) -> bool:
    """Return whether a course with two endposts runs up or down the picture rather than across
    it.
    """
    ends = [[*tile.centre_mm, 0.0] for tile in course.endposts.values()]
    if len(ends) < 2:
        return False
    across_px, along_px = np.abs(np.diff(view.to_image(np.array(ends)), axis=0)[0])
    return bool(along_px > UPRIGHT * across_px)
