"""Checks, when a match begins, whether the tiles lie where the survey found them. A few tiles may
have been straightened since. If most tiles lie at other places, the survey is of another table or
another view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from calibration.lens.camera import TableView
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import Point, distance, square_corners, subtract
from referee.domain.layout import Course, Tile, shows_face, turned
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import wall_in_words
from referee.reports.wording.fields import place_in_words
from referee.vision.image.picture import Picture
from referee.vision.tiles.tile_measuring import (
    CommonFace,
    common_face,
    measure_tile,
    outlined_near,
    symmetric_about,
)

# Tuned on our own clips, except where a comment gives another source for a number.

# A smaller motion is within the error of measuring a tile, and its line stays where it was.
TILE_MOVED_MM: Final = 0.7
TILE_MOVED_DEG: Final = 1.0
FEWEST: Final = 6  # with fewer measurable tiles, the survey is not judged
# Chosen: if the tiles' median offset is so long, the tiles were not moved one by one: the survey is
# wrong. Measured: it is 0.0 to 0.2 mm with right surveys, and 0.9 to 1.1 mm on a chequered cloth,
# where outlines and faces disagree.
MOST_COMMON_OFFSET_MM: Final = 2.0
# Chosen: if this many measured tiles lie across this share of the course, their median offset
# decides. In a wrong view, tiles so far apart cannot all lie where the survey says. Otherwise all
# tiles decide, also those of which only the outline is seen. Measured: brown tiles whose shadows
# fall on a pale cloth measure 0.6 mm off, and their outlines 2.6 mm.
ENOUGH_MEASURED: Final = 3
ACROSS_COURSE: Final = 0.5
# A face must be this similar to its own mirror image about its middle, even in glare and seen at an
# angle.
HALF_ALIKE: Final = 0.7
#: No tile has its face up.
NO_FACES: Final[Mapping[str, CommonFace]] = MappingProxyType({})


def tiles_as_they_lie(
    picture: Picture,
    course: Course,
    view: TableView,
    sizes: PieceSizes,
    names: Iterable[str] | None = None,
    face: CommonFace | None = None,
    own: Mapping[str, CommonFace] = NO_FACES,
) -> dict[str, Tile]:
    """Return the tiles (all, or those named) that can be measured, at their present places. The
    others may lie in glare, or under a hand. `face` is the face that the tiles have in common; if
    it is None, it is taken from this picture. Tiles that lie face up are measured by their `own`
    faces.
    """
    wanted = [name for name in course.tiles if names is None or name in names]
    if not wanted:
        return {}
    face = common_face(picture, view, course, sizes) if face is None else face
    found = {}
    for name in wanted:
        tile = course.tiles[name]
        if shows_face(name):
            measured = measure_tile(picture, view, tile, sizes, own[name]) if name in own else None
        else:
            measured = measure_tile(picture, view, tile, sizes)
        if measured is None and face is not None and not shows_face(name):
            # By the symmetry of its own print, a tile is found only if it has hardly moved.
            measured = measure_tile(picture, view, tile, sizes, face)
        if measured is not None:
            found[name] = measured[0]
    return found


def has_moved(tile: Tile, measured: Tile) -> bool:
    """Return whether a tile has moved by more than the error of measuring it."""
    return (
        distance(measured.centre_mm, tile.centre_mm) > TILE_MOVED_MM
        or abs(turned(tile, measured)) > TILE_MOVED_DEG
    )


def moved_lines(surveyed: Course, measured: Mapping[str, Tile]) -> tuple[str, ...]:
    """Describe in words which tiles are not where the survey found them, and how far away they
    are.
    """
    return tuple(
        f"{tile_in_words(name)} lies {distance(was.centre_mm, measured[name].centre_mm):.1f} mm"
        f" and {abs(turned(was, measured[name])):.0f} degrees from where the survey found it"
        for name, was in surveyed.tiles.items()
        if name in measured and has_moved(was, measured[name])
    )


def unmeasured_line(unmeasured: Iterable[str]) -> str:
    """Describe in words which tiles cannot be measured."""
    names = ", ".join(tile_in_words(name) for name in sorted(unmeasured))
    return f"the camera cannot measure where these lie: {names}"


def tile_in_words(name: str) -> str:
    """Return a tile's name in plain words.

    >>> tile_in_words("wicket-3-left"), tile_in_words("left-endpost")
    ('the left tile of wicket 3', 'the left endpost')
    >>> tile_in_words("wall-n-3")
    'tile 3 of the north wall'
    """
    if name.startswith("wall-"):
        return wall_in_words(name)
    place, _, side = name.rpartition("-")
    if side in ("left", "right"):
        return f"the {side} tile of {place_in_words(place)}"
    return f"the {place_in_words(name)}"


def straightened(course: Course, measured: Mapping[str, Tile]) -> Course:
    """Return the course as it lies now. Tiles may have been straightened since the survey."""
    for name, tile in measured.items():
        course = course.with_tile(name, tile) if has_moved(course.tiles[name], tile) else course
    return course


def unlike_survey(
    picture: Picture,
    course: Course,
    view: TableView,
    sizes: PieceSizes,
    measured: Mapping[str, Tile],
) -> str | None:
    """Return what is wrong with a survey: at most half of the tiles in the picture are found near
    the places that it gives, or most of them are displaced by the same amount.

    Return None if the survey is right, or if too few tiles are in the picture to decide.
    """
    there = {name: tile for name, tile in course.tiles.items() if _in_picture(view, tile, sizes)}
    offsets = [
        subtract(tile.centre_mm, course.tiles[name].centre_mm) for name, tile in measured.items()
    ]
    if len(there) < FEWEST or (
        2 * len(measured) > len(there) and _common_offset_mm(offsets) < MOST_COMMON_OFFSET_MM
    ):
        return None
    laid = {name: _lies_near(picture, view, tile, sizes) for name, tile in there.items()}
    alike = [
        subtract(found.centre_mm, there[name].centre_mm)
        for name, found in laid.items()
        if found is not None
    ]
    if 2 * len(alike) <= len(there):
        return (
            f"only {len(alike)} of the {len(there)} tiles in the picture look as expected where"
            " the survey says they lie"
        )
    off_mm = _common_offset_mm(offsets if _lie_across(measured, there) else alike)
    return (
        f"the tiles lie some {off_mm:.0f} mm from where it says"
        if off_mm >= MOST_COMMON_OFFSET_MM
        else None
    )


def _lie_across(measured: Mapping[str, Tile], there: Mapping[str, Tile]) -> bool:
    """Return whether enough tiles are measured, and whether they lie across half of the course."""
    widths_mm = [
        max(np.ptp([tile.centre_mm for tile in tiles.values()], axis=0))
        for tiles in (measured, there)
        if tiles
    ]
    return len(measured) >= ENOUGH_MEASURED and widths_mm[0] >= ACROSS_COURSE * widths_mm[1]


def survey_again(table: SurveyedTable) -> str:
    """Describe in words why the picture may contradict a survey, and what to do. If the survey
    itself says that it is uncertain about a tile, perhaps nothing has moved.
    """
    tiles = list(table.course.tiles.values())
    of_view = table.sigmas_mm(np.array([tile.centre_mm for tile in tiles]))
    sigmas = dict(
        zip(table.course.tiles, np.hypot([tile.sigma_mm for tile in tiles], of_view), strict=True)
    )
    worst = max(sigmas, key=lambda name: float(sigmas[name]))
    if sigmas[worst] < MOST_COMMON_OFFSET_MM:
        return (
            "either the camera or the table was moved after the survey, or the survey is wrong:"
            " survey it again"
        )
    return (
        f"the survey itself says that it knows the place of {tile_in_words(worst)} to"
        f" {sigmas[worst]:.1f} mm only; it may be that nothing was moved: survey it again, and heed"
        " its warnings"
    )


def _lies_near(picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes) -> Tile | None:
    """Return a tile at the place where its face is found or, if the face is bleached, its outline;
    None if neither is found.
    """
    found = symmetric_about(picture, view, tile, sizes)
    if found is not None and found[1] > HALF_ALIKE:
        return found[0]
    return outlined_near(picture, view, tile, sizes)


def _in_picture(view: TableView, tile: Tile, sizes: PieceSizes) -> bool:
    """Return whether a tile's top face is completely in the picture."""
    corners = square_corners(tile.centre_mm, sizes.tile_mm, tile.rotation_deg)
    x, y = view.to_image(
        np.array([[*corner, tile.stack * sizes.tile_thickness_mm] for corner in corners])
    ).T
    return bool(
        (x > 0).all()
        and (y > 0).all()
        and (x < view.camera.width - 1).all()
        and (y < view.camera.height - 1).all()
    )


def _common_offset_mm(offsets_mm: list[Point]) -> float:
    """Return how far the tiles as a whole are displaced: the length of the median offset. Infinite
    if there are no offsets.
    """
    return float(np.hypot(*np.median(np.array(offsets_mm), axis=0))) if offsets_mm else float("inf")
