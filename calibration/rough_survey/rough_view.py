"""Finds the camera's pose, the course and the tiles, accurate to a few millimetres. First it finds
squares in the picture, then the plane through them, and then the course by the arrangement of its
tiles.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MAJORITY
from calibration.course.course_frame import frame_of
from calibration.course.course_words import piece_of
from calibration.course.orientation import Orientation
from calibration.course.template_form import rows_of
from calibration.lens.camera import Camera, TableView
from calibration.rough_survey.arranged import (
    Arranged,
    has_tiles_size,
    is_enough,
    likeness,
    shown_elsewhere,
    tiles_aside,
)
from calibration.rough_survey.arranged_squares import fit_still
from calibration.tiles.plane import FEWEST_TILES, guess_camera
from calibration.tiles.quadrilaterals import find_quads, find_rows, outlines_of
from calibration.tiles.rims import top_height_mm
from referee.domain.errors import InputError
from referee.domain.layout import Course, Tile, template_course, within_quarter_turn
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import wall_in_words

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.


@dataclass(frozen=True)
class RoughView:
    """A first estimate of camera, course and tiles in the table frame, accurate to a few
    millimetres. `quads` are all quadrilaterals (4, 2) px in the still picture that shows most of
    the course. `larger` is how many times as wide as the squares that were found a tile is, if the
    distances that the rules fix are right.
    """

    view: TableView
    tiles: dict[str, Tile]
    template: Course
    mirrored: bool
    quads: tuple[Array, ...]
    larger: float = 1.0


def rough_view(
    stills: Sequence[Picture],
    camera: Camera | None,
    game: str,
    sizes: PieceSizes,
    orientation: Orientation,
) -> tuple[RoughView, list[int]]:
    """Estimate camera, course and tiles, accurate to a few millimetres. Also return the indices of
    the still pictures, with the one that shows most of the course first.

    `stills` are pictures (h, w, 3) BGR of one camera. If `camera` is None, its focal length is
    estimated, too. Raises InputError if the pictures do not belong to the camera, or if no
    arrangement of squares is the game's course.
    """
    height, width = stills[0].shape[:2]
    if camera is not None and (camera.width, camera.height) != (width, height):
        raise InputError(
            f"the camera's file is for pictures of {camera.width}x{camera.height}, but this"
            f" picture has {width}x{height}"
        )
    template = template_course(game, sizes.tile_mm)
    fitted = _fit_stills(stills, camera, template)
    first = _best_still(fitted, template)
    best, quads = fitted[first].arranged, fitted[first].quads
    if (
        best is None
        or best.fit is None
        or best.score < MAJORITY * len(template.tiles)
        or not has_tiles_size(best, template)
    ):
        most = max(len(still.quads) for still in fitted)
        raise InputError(_no_course(game, most, best, template))
    for k, still in enumerate(fitted):
        other = still.arranged
        if k != first and other is not None and is_enough(other, template):
            hidden = shown_elsewhere(best, other, fitted[first].aside, template.tile_mm)
            best, quads = _without(best, hidden, quads)
    order = sorted(range(len(stills)), key=lambda k: (k != first, abs(k - first)))
    return _named(best, game, sizes, orientation, quads), order


class _FittedStill(NamedTuple):
    """What one still picture shows: all quadrilaterals (4, 2) px, the course among them if there
    is one, and the names of the tiles that seem to lie aside.
    """

    quads: Sequence[Array]
    arranged: Arranged | None
    aside: frozenset[str]


def _fit_stills(
    stills: Sequence[Picture], camera: Camera | None, template: Course
) -> list[_FittedStill]:
    """Fit the course to each still picture, until one or two of them show enough of it. If `camera`
    is None, it is guessed from the first picture with enough quadrilaterals.
    """
    height, width = stills[0].shape[:2]
    lengths = sorted({len(row) for row in rows_of(template).values()})
    fitted: list[_FittedStill] = []
    enough = 0
    for still in stills:
        outlines = outlines_of(still)
        squares = find_quads(still, outlines)
        in_rows = [tile for length in lengths for tile in find_rows(still, outlines, length)]
        quads = [*squares, *in_rows]
        if camera is None and len(quads) >= FEWEST_TILES:
            camera = guess_camera(quads, width, height)
        arranged = None if camera is None else fit_still(still, squares, camera, template, in_rows)
        fitted.append(_FittedStill(quads, arranged, tiles_aside(arranged, template)))
        if is_enough(arranged, template):
            enough += 1
            # of two pictures that show enough, the second tells which tiles an arm hid in the first
            if enough > 1 or not fitted[-1].aside:
                break
    return fitted


def _best_still(fitted: Sequence[_FittedStill], template: Course) -> int:
    """Return the index of the still picture that shows most of the course. Of those whose scores
    are at most one tile below the best, it is the one with the fewest tiles aside; of equal ones,
    the first.
    """
    ranks = [likeness(still.arranged, template) for still in fitted]
    sized, score = max(ranks)
    alike = [k for k, rank in enumerate(ranks) if rank >= (sized, score - 1.0)]
    return min(alike, key=lambda k: len(fitted[k].aside))


def _without(
    arranged: Arranged, names: Collection[str], quads: Sequence[Array]
) -> tuple[Arranged, list[Array]]:
    """Return a match without some of its tiles, which are searched for later, and the
    quadrilaterals (4, 2) px that do not lie on these tiles.
    """
    assert arranged.fit is not None, "a match has tiles"
    squares = arranged.fit.squares
    kept = {name: k for name, k in squares.items() if name not in names}
    gone = arranged.centres_mm[[squares[name] for name in names]].reshape(-1, 2)
    gone_px = arranged.view.to_image(np.column_stack((gone, np.zeros(len(gone)))))
    at_px = [(float(x), float(y)) for x, y in gone_px]
    apart = [
        quad
        for quad in quads
        if not any(cv2.pointPolygonTest(quad.astype(np.float32), at, False) >= 0 for at in at_px)
    ]
    return replace(arranged, fit=replace(arranged.fit, squares=kept)), apart


def _no_course(game: str, squares: int, best: Arranged | None, template: Course) -> str:
    fit = None if best is None else best.fit
    if best is None or fit is None:
        return (
            f"no tiles found: {squares} squares in the picture, too few of one size on one plane to"
            f" be a course of {game}"
        )
    if not has_tiles_size(best, template):
        return (
            f"no course of {game}: squares that lie like one have the wrong size for its tiles;"
            " they may be printed on the table"
        )
    off = {piece_of(n) for n in template.tiles if n not in fit.squares}
    missing = [wall_in_words(piece) for piece in sorted(off)]
    return (
        f"no course of {game}: the best arrangement places {len(fit.squares)} of"
        f" {len(template.tiles)} tiles, off or missing at {', '.join(missing)}"
    )


def _named(
    best: Arranged, game: str, sizes: PieceSizes, orientation: Orientation, quads: Sequence[Array]
) -> RoughView:
    """Choose the table frame by the players' orientation, and return the squares as named tiles in
    that frame.
    """
    template, fit = template_course(game, sizes.tile_mm), best.fit
    assert fit is not None, "a match has tiles"
    frame = frame_of(best.view, fit, game, template, orientation)
    turn, origin = frame.turn_rad, frame.origin_mm
    view = _moved(best.view, turn, origin, sizes.tile_thickness_mm)
    tiles = {}
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for name, tile in frame.template.tiles.items():
        if (twin := frame.twins[name]) in fit.squares:
            k = fit.squares[twin]
            centre = rotation @ (best.centres_mm[k] - origin)
            degrees = within_quarter_turn(float(np.degrees(best.turns_rad[k] - turn)))
            tiles[name] = Tile((float(centre[0]), float(centre[1])), degrees, tile.stack)
    tiles = {name: _at_its_height(tile, view, sizes) for name, tile in tiles.items()}
    return RoughView(view, tiles, frame.template, frame.mirrored, tuple(quads), best.larger)


def _at_its_height(tile: Tile, view: TableView, sizes: PieceSizes) -> Tile:
    """Return the top tile of a stack, moved to its true place. It was found as if it lay on the
    plane of single tiles' faces, but it lies higher.
    """
    pixel = view.to_image(np.array([[*tile.centre_mm, sizes.tile_thickness_mm]]))
    x, y = view.to_table(pixel, top_height_mm(tile, sizes))[0]
    return replace(tile, centre_mm=(float(x), float(y)))


def _moved(view: TableView, turn_rad: float, origin_mm: Array, face_height_mm: float) -> TableView:
    """Return the view in another frame, which is turned and shifted on the plane of the tiles'
    faces. In the new frame, z = 0 is the table.
    """
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    shift = np.array([origin_mm[0], origin_mm[1], -face_height_mm])
    rotation = view.R_camera_table
    return TableView(view.camera, rotation @ turn, view.t_camera_table_mm + rotation @ shift)
