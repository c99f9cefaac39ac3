"""Finds camera, course and tiles to within some millimetres. It finds squares in the picture, then
the plane through them, then the course by how its tiles are arranged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.course.course_fit import CourseFit
from calibration.lens.camera import Camera, TableView
from calibration.table.arranged_squares import ENOUGH, Arranged, fit_still, score_of
from calibration.table.surveyed_table import SIDES
from calibration.tiles.plane import guess_camera
from calibration.tiles.quadrilaterals import find_quads
from calibration.tiles.rims import top_height_mm
from referee.domain.errors import InputError
from referee.domain.layout import Course, Tile, template_course, within_quarter_turn
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

# of the template's tiles, weighted by how close they are to their places
_LEAST_SCORE: Final = 0.45
_FEWEST_TO_GUESS: Final = 6
_ALIKE_SCORE: Final = 0.75  # a later still must show almost a tile more to be better
_TOP_DOWN_SHARE: Final = 0.01


@dataclass(frozen=True)
class Orientation:
    """How the players see the course: at which of the picture's `SIDES` the left endpost is, and
    whether wicket 3 is on the side away from the camera. Where the course runs up or down the
    picture, `wicket_3_far` says that wicket 3 is at the left of the way from the left to the right
    endpost.
    """

    left_endpost: str = "left"
    wicket_3_far: bool = False

    def __post_init__(self) -> None:
        if self.left_endpost not in SIDES:
            raise ValueError(f"left_endpost is one of {SIDES}, not {self.left_endpost!r}")

    @property
    def upright(self) -> bool:
        """Whether the course runs up or down the picture."""
        return self.left_endpost in ("top", "bottom")


@dataclass(frozen=True)
class RoughView:
    """A first estimate of camera, course and tiles, to a few millimetres, in the table frame, and
    all quadrilaterals (4, 2) px in the still that shows most of the course.
    """

    view: TableView
    tiles: dict[str, Tile]
    template: Course
    mirrored: bool
    quads: tuple[Array, ...]


def rough_view(
    stills: Sequence[Picture],
    camera: Camera | None,
    game: str,
    sizes: PieceSizes,
    orientation: Orientation,
) -> tuple[RoughView, list[int]]:
    """Estimate camera, course and tiles to some millimetres. Also return the stills' indices, with
    the one that shows most of the course first.

    `stills` are (h, w, 3) BGR of one camera. Without a camera, its focal length is estimated too.
    Raises InputError where the pictures do not belong to the camera, or where no arrangement of
    squares is the game's course.
    """
    height, width = stills[0].shape[:2]
    if camera is not None and (camera.width, camera.height) != (width, height):
        raise InputError(
            f"the camera's file is for pictures of {camera.width}x{camera.height}, this one has"
            f" {width}x{height}"
        )
    template = template_course(game, sizes.tile_mm)
    fits: list[Arranged | None] = []
    found = []
    used = camera
    for still in stills:
        quads = find_quads(still)
        found.append(quads)
        used = (
            camera
            or used
            or (guess_camera(quads, width, height) if len(quads) >= _FEWEST_TO_GUESS else None)
        )
        fits.append(None if used is None else fit_still(still, quads, used, template))
        if score_of(fits[-1]) > ENOUGH * len(template.tiles):
            break
    scores = [score_of(fit) for fit in fits]
    first = next(k for k, score in enumerate(scores) if score >= max(scores) - _ALIKE_SCORE)
    best = fits[first]
    if best is None or best.fit is None or best.score < _LEAST_SCORE * len(template.tiles):
        most = max(map(len, found))
        raise InputError(_no_course(game, most, best.fit if best else None, template))
    order = sorted(range(len(stills)), key=lambda k: (k != first, abs(k - first)))
    return _named(best, best.fit, game, sizes, orientation, found[first]), order


def _no_course(game: str, squares: int, fit: CourseFit | None, template: Course) -> str:
    if fit is None:
        return (
            f"no tiles found: {squares} squares in the picture, too few of one size on one plane to"
            f" be a course of {game}"
        )
    missing = sorted(
        {
            n.rsplit("-", 1)[0] if n.startswith("wicket") else n
            for n in template.tiles
            if n not in fit.squares
        }
    )
    return (
        f"no course of {game}: the best arrangement places {len(fit.squares)} of"
        f" {len(template.tiles)} tiles, off or missing at {', '.join(missing)}"
    )


def _named(
    best: Arranged,
    fit: CourseFit,
    game: str,
    sizes: PieceSizes,
    orientation: Orientation,
    quads: Sequence[Array],
) -> RoughView:
    """Choose the table frame by the players' orientation, and return the squares in it as tiles by
    name.
    """
    view, centres, turns = best.view, best.centres_mm, best.turns_rad
    template = template_course(game, sizes.tile_mm)
    flipped = _is_flipped(view, fit, template, orientation)
    length = (
        template.tiles["left-endpost"].centre_mm[0] + template.tiles["right-endpost"].centre_mm[0]
    )
    turn = fit.turn_rad + (np.pi if flipped else 0.0)
    left = template.tiles["right-endpost" if flipped else "left-endpost"].centre_mm
    axis = np.array([np.cos(turn), np.sin(turn)])
    origin = fit.place(np.array([left]))[0] - 0.5 * sizes.tile_mm * axis
    view = _moved(view, turn, origin, sizes.tile_thickness_mm)
    up = not orientation.upright and _near_is_up(view, length / 2)
    mirrored = up != orientation.wicket_3_far
    labelled = template_course(game, sizes.tile_mm, mirrored=mirrored)
    tiles = {}
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for name, tile in labelled.tiles.items():
        x, y = tile.centre_mm
        there = (length - x, -y) if flipped else (x, y)
        twin = min(
            template.tiles,
            key=lambda n: np.hypot(
                template.tiles[n].centre_mm[0] - there[0], template.tiles[n].centre_mm[1] - there[1]
            ),
        )
        if twin in fit.squares:
            k = fit.squares[twin]
            centre = rotation @ (centres[k] - origin)
            degrees = within_quarter_turn(float(np.degrees(turns[k] - turn)))
            tiles[name] = Tile((float(centre[0]), float(centre[1])), degrees, tile.stack)
    tiles = {name: _at_its_height(tile, view, sizes) for name, tile in tiles.items()}
    return RoughView(view, tiles, labelled, mirrored, tuple(quads))


def _is_flipped(
    view: TableView, fit: CourseFit, template: Course, orientation: Orientation
) -> bool:
    """Return whether the left endpost is the one at the right in the picture."""
    if not orientation.upright:
        return orientation.left_endpost == "right"
    ends_mm = fit.place(
        np.array([template.tiles[name].centre_mm for name in ("left-endpost", "right-endpost")])
    )
    left_px, right_px = view.to_image(np.column_stack((ends_mm, np.zeros(2))))[:, 1]
    return bool(left_px < right_px) != (orientation.left_endpost == "top")


def _at_its_height(tile: Tile, view: TableView, sizes: PieceSizes) -> Tile:
    """Return a tile found on the plane of single tiles' faces where its stack's face is."""
    pixel = view.to_image(np.array([[*tile.centre_mm, sizes.tile_thickness_mm]]))
    x, y = view.to_table(pixel, top_height_mm(tile, sizes))[0]
    return replace(tile, centre_mm=(float(x), float(y)))


def _moved(view: TableView, turn_rad: float, origin_mm: Array, face_height_mm: float) -> TableView:
    """Return the view in a frame turned and shifted on its plane, with z = 0 lowered from the
    tiles' faces to the table.
    """
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    shift = np.array([origin_mm[0], origin_mm[1], -face_height_mm])
    rotation = view.R_camera_table
    return TableView(view.camera, rotation @ turn, view.t_camera_table_mm + rotation @ shift)


def _near_is_up(view: TableView, middle_mm: float) -> bool:
    """Return whether the side y > 0 of the course is closer to the camera. For a camera straight
    above, whether that side is the lower one in the picture.
    """
    sides = np.array([[middle_mm, -100.0, 0.0], [middle_mm, 100.0, 0.0]])
    gaps = np.linalg.norm(sides - view.position_mm, axis=1)
    if abs(gaps[1] - gaps[0]) > _TOP_DOWN_SHARE * gaps.mean():
        return bool(gaps[1] < gaps[0])
    pixels = view.to_image(sides)
    return bool(pixels[1, 1] > pixels[0, 1])
