"""The warnings about a course that lies differently from its template, and which course is refused.
Expected offsets are those by which the tiles were moved.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.course.course_places import places_of
from calibration.course.course_words import course_warnings, rule_warnings
from calibration.course.misplaced_tiles import (
    alone,
    beside_squares,
    elsewhere,
    misfit,
    squares_among,
    upon_others,
    upon_places,
)
from calibration.lens.camera import Camera, TableView
from referee.domain.geometry import Point, square_corners
from referee.domain.layout import Course, Tile, template_course
from referee.domain.pieces import PieceSizes

TILE_MM = 50.8
TEMPLATE = template_course("tabletop-croquet", TILE_MM)
BOARD = template_course("carroms", TILE_MM)
MIRRORED = template_course("tabletop-croquet", TILE_MM, mirrored=True)
#: Another legal course: endposts four tile widths from the next wicket, pairs as close as possible,
#: the outer wickets farther out.
ALONG = {
    0.5: -0.5,
    4.5: 4.5,
    7.0: 7.0,
    9.5: 9.5,
    12.0: 12.0,
    14.5: 14.5,
    17.0: 17.0,
    19.5: 19.5,
    23.5: 24.5,
}


def moved(
    *moves: tuple[str, float, float], turn_deg: float = 0.0, template: Course = TEMPLATE
) -> Course:
    """Return the template with tiles (by name, or both tiles of a wicket) moved by so many mm and
    turned in their places.
    """
    course = template
    for name, dx, dy in moves:
        for tile in (n for n in template.tiles if n == name or n.rsplit("-", 1)[0] == name):
            there = course.tiles[tile]
            course = course.with_tile(
                tile,
                replace(
                    there,
                    centre_mm=(there.centre_mm[0] + dx, there.centre_mm[1] + dy),
                    rotation_deg=turn_deg,
                ),
            )
    return course


def without(course: Course, *names: str) -> dict[str, Tile]:
    return {
        n: t for n, t in course.tiles.items() if n not in names and n.rsplit("-", 1)[0] not in names
    }


def words_of(course: Course, template: Course = TEMPLATE) -> list[str]:
    return course_warnings(course, template, course.tiles)


def test_the_template_breaks_no_rule() -> None:
    assert words_of(TEMPLATE) == []
    assert words_of(MIRRORED, MIRRORED) == []


def test_another_legal_course_is_not_complained_of() -> None:
    tiles = {}
    for name, tile in TEMPLATE.tiles.items():
        x, y = (round(c / TILE_MM, 3) for c in tile.centre_mm)
        tiles[name] = Tile(
            (ALONG[x] * 1.1 * TILE_MM, (y * 1.06 if abs(y) > 2 else y) * TILE_MM), 3.0, tile.stack
        )
    assert words_of(Course(MappingProxyType(tiles), TILE_MM)) == []


@settings(max_examples=20, deadline=None)
@given(st.floats(0.8, 1.4), st.floats(0.9, 1.1), st.floats(-4, 4), st.integers(0, 1000))
def test_a_tile_moved_a_tile_width_is_told_to_the_width_of_the_laying(
    scale: float, ratio: float, turn_deg: float, seed: int
) -> None:
    """All tiles are shifted at random by up to 3 mm, and one wicket by (30, -20) mm in the course's
    own frame.
    """
    random = np.random.default_rng(seed)
    turn = np.radians(turn_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    tiles = {}
    for name, tile in TEMPLATE.tiles.items():
        push = np.array([30.0, -20.0]) if name.startswith("wicket-6") else np.zeros(2)
        place = rotation @ (
            np.array(tile.centre_mm) * (scale, scale * ratio) + push + random.uniform(-3, 3, 2)
        )
        tiles[name] = Tile((float(place[0]), float(place[1])))
    places = places_of(tiles, TEMPLATE)
    off = {n: places.off(n, t.centre_mm) for n, t in tiles.items()}
    for name, way in off.items():
        wanted = (30.0, -20.0) if name.startswith("wicket-6") else (0.0, 0.0)
        assert np.hypot(*(way - wanted)) < 9.0, name


@pytest.mark.parametrize(
    ("course", "words"),
    [
        (
            moved(("wicket-3", 14.0, 0.0)),
            (
                "wicket-3 lies 14 mm from its place, 14 mm towards the right endpost (it is"
                " refereed where it lies)"
            ),
        ),
        (
            moved(("wicket-8", -24.0, 18.0)),
            (
                "wicket-8 lies 30 mm from its place, 24 mm towards the left endpost and 18 mm"
                " towards wickets 8 and 9 (it is"
            ),
        ),
        (
            moved(("wicket-1", 0.0, -20.0)),
            "wicket-1 lies 20 mm from its place, 20 mm towards wickets 3 and 5 (it is",
        ),
        (
            moved(("right-endpost", 20.0, 0.0)),
            "right-endpost lies 20 mm from its place, 20 mm towards the right endpost",
        ),
        (
            moved(("wicket-5-left", 0.0, 30.0)),
            "wicket-5-left lies 30 mm from its place, 30 mm towards wickets 8 and 9",
        ),
        (moved(("left-endpost", 0.0, 0.0), turn_deg=-20.0), "left-endpost is turned by 20 degrees"),
        (
            moved(("wicket-4-left", 0.0, 0.0), turn_deg=17.0),
            "wicket-4-left is turned by 17 degrees in its wicket",
        ),
    ],
)
def test_what_lies_off_its_place_is_said_in_mm_and_degrees(course: Course, words: str) -> None:
    found = words_of(course)
    assert len(found) == 1 and found[0].startswith(words), found


def test_a_mirrored_course_is_told_by_its_own_wickets() -> None:
    (words,) = words_of(moved(("wicket-1", 0.0, 20.0), template=MIRRORED), MIRRORED)
    assert "20 mm towards wickets 3 and 5" in words


def test_a_wicket_askew_is_said_once() -> None:
    """The two tiles are 152.4 mm apart, and are moved by 20 mm along the course in opposite
    directions: atan(40 / 152.4) is 15 degrees.
    """
    found = words_of(moved(("wicket-9-left", 20.0, 0.0), ("wicket-9-right", -20.0, 0.0)))
    assert [w for w in found if "askew" in w] == ["wicket-9 stands 15 degrees askew"]
    assert not any("from its place" in w for w in found)


def test_one_tile_of_a_wicket_elsewhere_is_said_of_that_tile() -> None:
    """The tile is moved by 30 mm along the course. That turns its wicket by atan(30 / 152.4), 11
    degrees.
    """
    place, askew = words_of(moved(("wicket-5-left", 30.0, 0.0)))
    assert place.startswith(
        "wicket-5-left lies 30 mm from its place, 30 mm towards the right endpost"
    )
    assert askew == "wicket-5 stands 11 degrees askew"


@pytest.mark.parametrize(
    "course",
    [
        moved(("wicket-3", 9.0, 5.0)),
        moved(("left-endpost", -10.0, 0.0)),
        moved(("wicket-2", 0.0, 0.0), turn_deg=6.0),
    ],
)
def test_what_hands_leave_is_not_worth_a_word(course: Course) -> None:
    assert words_of(course) == []


def test_of_a_tile_taken_from_its_partner_nothing_is_said() -> None:
    course = moved(("wicket-3-left", 40.0, 0.0))
    assert course_warnings(course, TEMPLATE, without(course, "wicket-3-left")) == []


@pytest.mark.parametrize(
    ("course", "words"),
    [
        (moved(("wicket-3-left", 0.0, 60.0)), "wicket-3 is 3.2 tile widths open, 60 mm too wide"),
        (
            moved(("wicket-3-left", 0.0, -50.8)),
            "wicket-3 is 1.0 tile widths open, 51 mm too narrow",
        ),
        (moved(("left-endpost", 60.0, 0.0)), "left-endpost is only 1.8 tile widths from wicket-1"),
        (moved(("wicket-2", 60.0, 0.0)), "wicket-1 and wicket-2 are 2.7 tile widths apart"),
    ],
)
def test_what_the_rules_would_not_have_is_said(course: Course, words: str) -> None:
    """Openings and gaps by hand: two widths and 60 mm are 3.18; three tile widths less 60 mm are
    1.82; one and a half and 60 mm are 2.68.
    """
    assert any(words in warning for warning in rule_warnings(course, TEMPLATE))


@pytest.mark.parametrize(
    ("tiles", "strays", "line"),
    [
        (without(TEMPLATE, "wicket-3"), [], "wicket-3 is missing"),
        (without(TEMPLATE, "left-endpost"), [], "left-endpost is missing"),
        (without(TEMPLATE, "wicket-3", "wicket-5"), [], "wicket-3 is missing; wicket-5 is missing"),
        (
            without(TEMPLATE, "wicket-3"),
            [(482.6 + 70.0, -279.4), (482.6 + 70.0, -127.0)],
            "wicket-3 is off, 70 mm from its place, 70 mm towards the right endpost",
        ),
        (
            without(TEMPLATE, "wicket-3"),
            [(482.6 + 70.0, -127.0)],
            (
                "wicket-3-right is missing; wicket-3-left is off, 70 mm from its place, 70 mm"
                " towards the right endpost"
            ),
        ),
        (
            without(TEMPLATE, "right-endpost"),
            [(1193.8, 80.0)],
            "right-endpost is off, 80 mm from its place, 80 mm towards wickets 8 and 9",
        ),
        (
            without(TEMPLATE, "wicket-9-left"),
            [(482.6, 279.4 + 75.0)],
            "wicket-9-left is off, 75 mm from its place, 75 mm towards wickets 8 and 9",
        ),
        (
            without(TEMPLATE, "right-endpost"),
            [(1193.8, 8.0)],
            "right-endpost does not look like the other tiles (glare, or another face up?)",
        ),
    ],
)
def test_a_course_that_does_not_fit_is_refused_by_name_and_by_how_much(
    tiles: Mapping[str, Tile], strays: list[Point], line: str
) -> None:
    found = misfit(tiles, TEMPLATE, strays)
    assert found is not None
    assert (
        re.fullmatch(
            r"the course does not fit: (.*) \(a tile is looked for up to a tile width from its"
            r" place\)",
            found,
        ).group(1)
        == line
    )  # type: ignore[union-attr]


@pytest.mark.parametrize("strays", [[], [(1100.0, 500.0)], [(482.6, 279.4 - 8.0)]])
def test_a_tile_nobody_saw_is_no_reason_to_refuse_where_its_partner_lies(
    strays: list[Point],
) -> None:
    assert misfit(without(TEMPLATE, "wicket-9-left", "wicket-4-right"), TEMPLATE, strays) is None


@pytest.mark.parametrize("strays", [[(1100.0, 500.0)], [(1100.0, 500.0), (-200.0, 0.0)]])
def test_a_spare_tile_beside_a_whole_course_is_no_reason_to_refuse_it(strays: list[Point]) -> None:
    assert misfit(TEMPLATE.tiles, TEMPLATE, strays) is None


def test_a_square_is_one_of_the_tiles_or_none_and_a_tile_half_upon_one_is_doubted() -> None:
    """Tiles are 50.8 mm wide. Squares 25 mm beside a tile's centre and on it are that tile; one 60
    mm beside it is another.
    """
    tiles = {"wicket-1-left": Tile((100.0, 0.0)), "wicket-2-left": Tile((300.0, 0.0))}
    squares = [(125.0, 0.0), (301.0, 1.0), (360.0, 0.0)]
    assert elsewhere(tiles, squares, TILE_MM) == [(360.0, 0.0)]
    assert beside_squares(tiles, squares, TILE_MM) == {"wicket-1-left"}
    assert (
        beside_squares(tiles, [*squares, (102.0, 0.0)], TILE_MM) == set()
    )  # other squares, such as a stack with its walls, do not matter


def test_of_two_tiles_that_overlap_the_one_farther_from_its_place_is_doubted() -> None:
    """Tiles are 50.8 mm wide: no tile on the table lies 25 mm from another one's centre."""
    where = "wicket-4-left"
    x, y = TEMPLATE.tiles["wicket-4-right"].centre_mm
    upon = {**TEMPLATE.tiles, where: Tile((x + 25.0, y))}
    assert upon_others(TEMPLATE.tiles, TEMPLATE) == set()
    assert upon_others(upon, TEMPLATE) == {where}
    # one tile on another, as in a stack
    assert upon_others({**upon, where: Tile((x + 25.0, y), 0.0, 2)}, TEMPLATE) == set()


def test_in_a_row_the_middle_lines_of_two_tiles_are_no_tile() -> None:
    """Tiles of a wall touch, 50.8 mm apart. Two that seem to lie half a tile to the east lie upon
    the place of their neighbour; one that was pushed out of its wall by 20 mm upon none.
    """
    half = {
        name: replace(tile, centre_mm=(tile.centre_mm[0] + 25.4, tile.centre_mm[1]))
        for name, tile in BOARD.tiles.items()
        if name in ("wall-s-2", "wall-s-3")
    }
    x, y = BOARD.tiles["wall-n-4"].centre_mm
    pushed = {"wall-n-4": replace(BOARD.tiles["wall-n-4"], centre_mm=(x, y + 20.0))}
    assert upon_places(BOARD.tiles, BOARD) == set()
    assert upon_places({**BOARD.tiles, **half, **pushed}, BOARD) == set(half)
    assert upon_places(TEMPLATE.tiles, TEMPLATE) == set()
    squares = [tile.centre_mm for tile in (*half.values(), *pushed.values())]
    assert alone(squares, BOARD.tiles, BOARD) == [(x, y + 20.0)]
    assert alone(squares, TEMPLATE.tiles, TEMPLATE) == squares


def test_the_square_of_a_stack_lies_where_the_stack_does() -> None:
    """The camera sees three tiles of 5 mm at 45 degrees. If they were taken for one tile, the top
    would seem 10 mm farther from the camera than it is.
    """
    tilt = np.radians(45.0)
    ahead = np.array([0.0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    turn = np.array([right, np.cross(ahead, right), ahead])
    view = TableView(
        Camera(1280, 720, 900.0, 900.0, 639.5, 359.5), turn, -turn @ np.array([0.0, -800.0, 815.0])
    )
    corners = np.array([(x, y, 15.0) for x, y in square_corners((0.0, 0.0), TILE_MM, 0.0)])
    quads = [view.to_image(corners)]
    sizes = PieceSizes(tile_mm=TILE_MM, tile_thickness_mm=5.0)
    assert squares_among(quads, view, sizes, stack=3) == [pytest.approx((0.0, 0.0), abs=1e-6)]
    ((x, y),) = squares_among(quads, view, sizes)
    assert (x, y) == pytest.approx((0.0, 10.0), abs=0.5)
