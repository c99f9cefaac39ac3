"""The warnings about castles that lie differently from their template, and which course of castles
is refused. Expected offsets are those by which the tiles were moved.
"""

from dataclasses import replace

import pytest

from calibration.course.course_places import LAID_TILES
from calibration.course.course_words import course_warnings
from calibration.course.misplaced_tiles import misfit
from calibration.course.missing_tiles import whole_course
from referee.domain.layout import Course, Tile, template_course

TILE_MM = 50.0
TEMPLATE = template_course("castle-croquetnole", TILE_MM)


def moved(*moves: tuple[str, float, float], turned_deg: float = 0.0) -> Course:
    """Return the template with tiles moved by so many mm and turned."""
    course = TEMPLATE
    for name, dx, dy in moves:
        there = course.tiles[name]
        x, y = there.centre_mm
        course = course.with_tile(
            name, replace(there, centre_mm=(x + dx, y + dy), rotation_deg=turned_deg)
        )
    return course


def without(*names: str) -> dict[str, Tile]:
    return {name: tile for name, tile in TEMPLATE.tiles.items() if name not in names}


def words_of(course: Course) -> list[str]:
    return course_warnings(course, TEMPLATE, course.tiles)


def test_the_template_breaks_no_rule() -> None:
    assert words_of(TEMPLATE) == []


@pytest.mark.parametrize(
    ("course", "words"),
    [
        (
            moved(("tower-suns", 0.0, 15.0)),
            (
                "tower-suns lies 15 mm from its place, 15 mm towards Crowns' castle (it is"
                " refereed where it lies)"
            ),
        ),
        (
            moved(("door-arms-left", 14.0, 0.0), ("door-arms-right", 14.0, 0.0)),
            "door-arms lies 14 mm from its place, 14 mm towards Arms' castle (it is",
        ),
        (moved(("tower-moons", 0.0, 0.0), turned_deg=20.0), "tower-moons is turned by 20 degrees"),
        (
            moved(("door-crowns-left", 0.0, 0.0), turned_deg=17.0),
            "door-crowns-left is turned by 17 degrees in its door",
        ),
    ],
)
def test_what_lies_off_its_place_is_said_in_mm_and_degrees(course: Course, words: str) -> None:
    found = words_of(course)
    assert len(found) == 1 and found[0].startswith(words), found


@pytest.mark.parametrize(
    ("course", "words"),
    [
        # one tile width of 50 mm less 20, and 25 more
        (
            moved(("door-moons-left", 20.0, 0.0)),
            "door-moons is 0.6 tile widths open, 20 mm too narrow (about 1 is usual)",
        ),
        (
            moved(("door-suns-left", 0.0, 25.0)),
            "door-suns is 1.5 tile widths open, 25 mm too wide (about 1 is usual)",
        ),
        (
            moved(("tower-crowns", 0.0, 35.0)),
            "tower-crowns is 1.7 tile widths from door-crowns (1 is usual)",
        ),
        (
            moved(("door-arms-left", -25.0, 0.0), ("door-arms-right", -25.0, 0.0)),
            "door-arms is 0.5 tile widths from gate-arms (1 is usual)",
        ),
    ],
)
def test_what_the_rules_would_not_have_is_said(course: Course, words: str) -> None:
    assert words in words_of(course)


@pytest.mark.parametrize(
    ("lost", "line"),
    [
        (("tower-suns",), "tower-suns is missing"),
        (("door-arms-left", "door-arms-right"), "door-arms is missing"),
        (
            ("gatepost-sw", "gatepost-ne", "gatepost-nw"),
            "only 1 of the 4 tiles of gateposts are seen",
        ),
    ],
)
def test_castles_without_a_tower_or_a_door_are_refused_by_name(
    lost: tuple[str, ...], line: str
) -> None:
    found = misfit(without(*lost), TEMPLATE, [])
    assert found is not None and found.startswith(f"the course does not fit: {line} (")


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        (
            "door-suns-right",
            (
                "door-suns-right was not seen: its place follows from door-suns-left and the"
                " width of the other doors; calls at door-suns are less sure"
            ),
        ),
        (
            "gatepost-ne",
            (
                "gatepost-ne was not seen: its place follows from the other gateposts, as even as"
                " the course is; calls at its gates are less sure"
            ),
        ),
    ],
)
def test_a_tile_that_no_picture_shows_follows_from_the_others(lost: str, words: str) -> None:
    assert misfit(without(lost), TEMPLATE, []) is None
    tiles, said = whole_course(without(lost), TEMPLATE)
    assert said == [words]
    assert tiles[lost].centre_mm == pytest.approx(TEMPLATE.tiles[lost].centre_mm, abs=0.1)
    assert tiles[lost].sigma_mm == LAID_TILES * TILE_MM
