"""Chooses the table frame of a course: which way round the course lies. A course is symmetric, so
its tiles alone do not show this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.course.course_fit import CourseFit
from calibration.course.orientation import Orientation
from calibration.lens.camera import TableView
from referee.domain.layout import Course, facing_of, template_course

Array = NDArray[np.float64]

# Chosen: the two sides of a course count as equally far from the camera if their distances differ
# by less than this share.
_TOP_DOWN_SHARE: Final = 0.01
# Chosen: a camera looks straight down if the point of the table below it is nearer to the course's
# middle than this share of the camera's height. Then the upper side of the picture is the far side.
_ABOVE_SHARE: Final = 0.1
_QUARTERS: Final = 4  # By definition: the turns by which a square course looks the same


@dataclass(frozen=True)
class CourseFrame:
    """How the table frame lies on the plane of the squares, and which tiles the course has in that
    frame.

    `turn_rad` and `origin_mm` give the frame's direction and origin on that plane. `template` is
    the course's template with its tiles by name. `mirrored` says that the names are arranged as in
    a mirror. `twins` gives, for each tile, the name under which `CourseFit` has it.
    """

    turn_rad: float
    origin_mm: Array
    template: Course
    mirrored: bool
    twins: Mapping[str, str]


def frame_of(
    view: TableView, fit: CourseFit, game: str, template: Course, orientation: Orientation
) -> CourseFrame:
    """Return the frame in which the course lies as the players see it. In `view`, the squares'
    faces are at z = 0.
    """
    facing = facing_of(game)
    if facing is None:
        return _along_frame(view, fit, game, template, orientation)
    part, side = facing
    return _facing_frame(view, fit, template, part, orientation.facing_side or side)


def _facing_frame(
    view: TableView, fit: CourseFit, template: Course, part: str, side: str
) -> CourseFrame:
    """Return the table frame in which a part of the course lies towards a side of the table, as the
    camera sees it. Four frames that differ by quarter turns are possible. If the part lies along a
    diagonal, two of them are equally good, and one of the two is taken.
    """
    wanted = _way_to(view, fit.place(np.zeros((1, 2)))[0], side)
    centres = np.array([t.centre_mm for name, t in template.tiles.items() if name.startswith(part)])
    away = centres.mean(axis=0) - np.array(template.middle_mm)

    def towards(quarter: int) -> float:
        ends = fit.place(np.array([(0.0, 0.0), _turned(away, quarter)]))
        return float((ends[1] - ends[0]) @ wanted)

    best = max(range(_QUARTERS), key=towards)
    return CourseFrame(
        fit.turn_rad + best * np.pi / 2,
        fit.place(np.zeros((1, 2)))[0],
        template,
        False,
        {
            name: _nearest(template, _turned(np.array(tile.centre_mm), best))
            for name, tile in template.tiles.items()
        },
    )


def _turned(at: Array, quarters: int) -> Array:
    return np.asarray(np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), quarters) @ at)


def _way_to(view: TableView, middle_mm: Array, side: str) -> Array:
    """Return the unit vector (2,) on the plane that leads from the middle to a side of the table as
    the camera sees it: `near`, `far`, `left` or `right`.
    """
    away = middle_mm - view.position_mm[:2]
    if np.hypot(*away) < _ABOVE_SHARE * view.position_mm[2]:
        middle_px = view.to_image(middle_mm[None])[0]
        away = view.to_table(middle_px[None] - np.array([[0.0, 1.0]]))[0] - middle_mm
    away = away / np.hypot(*away)
    quarters = {"far": 0, "left": 1, "near": 2, "right": 3}[side]
    return _turned(away, quarters)


def _along_frame(
    view: TableView, fit: CourseFit, game: str, template: Course, orientation: Orientation
) -> CourseFrame:
    """Return the frame of a course that runs from a left to a right endpost."""
    flipped = _is_flipped(view, fit, template, orientation)
    length = (
        template.tiles["left-endpost"].centre_mm[0] + template.tiles["right-endpost"].centre_mm[0]
    )
    turn = fit.turn_rad + (np.pi if flipped else 0.0)
    left = template.tiles["right-endpost" if flipped else "left-endpost"].centre_mm
    axis = np.array([np.cos(turn), np.sin(turn)])
    origin = fit.place(np.array([left]))[0] - 0.5 * template.tile_mm * axis
    up = not orientation.upright and _near_is_left(view, origin + length / 2 * axis, axis)
    mirrored = up != orientation.wicket_3_far
    labelled = template_course(game, template.tile_mm, mirrored=mirrored)
    twins = {}
    for name, tile in labelled.tiles.items():
        x, y = tile.centre_mm
        twins[name] = _nearest(template, np.array([length - x, -y] if flipped else [x, y]))
    return CourseFrame(turn, origin, labelled, mirrored, twins)


def _nearest(template: Course, at: Array) -> str:
    return min(
        template.tiles,
        key=lambda n: np.hypot(
            template.tiles[n].centre_mm[0] - at[0], template.tiles[n].centre_mm[1] - at[1]
        ),
    )


def _is_flipped(
    view: TableView, fit: CourseFit, template: Course, orientation: Orientation
) -> bool:
    """Return whether the frame of the fit must be turned by half, so that the left endpost is at
    the side of the picture at which the players see it.
    """
    if not orientation.upright:
        return orientation.left_endpost == "right"
    ends_mm = fit.place(
        np.array([template.tiles[name].centre_mm for name in ("left-endpost", "right-endpost")])
    )
    left_px, right_px = view.to_image(np.column_stack((ends_mm, np.zeros(2))))[:, 1]
    return bool(left_px < right_px) != (orientation.left_endpost == "top")


def _near_is_left(view: TableView, middle_mm: Array, axis: Array) -> bool:
    """Return whether the side to the left of the axis is closer to the camera than the side to its
    right. If the camera is straight above, return whether that side is the lower one in the
    picture.
    """
    left = 100.0 * np.array([-axis[1], axis[0]])
    sides = np.array([[*(middle_mm - left), 0.0], [*(middle_mm + left), 0.0]])
    gaps = np.linalg.norm(sides - view.position_mm, axis=1)
    if abs(gaps[1] - gaps[0]) > _TOP_DOWN_SHARE * gaps.mean():
        return bool(gaps[1] < gaps[0])
    pixels = view.to_image(sides)
    return bool(pixels[1, 1] > pixels[0, 1])
