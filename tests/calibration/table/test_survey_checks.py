"""What a survey says it does not know, and which surveys are refused.

The endposts' middles are 23 tile widths of 50.8 mm apart: each lies 584 mm from the course's
middle.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from calibration.table.survey_checks import checked
from calibration.table.surveyed_table import SurveyedTable
from calibration.tiles.field_error import FieldError
from referee.domain.errors import InputError
from referee.domain.layout import Tile, template_course
from referee.domain.pieces import PieceSizes

COURSE = template_course("tabletop-croquet", 50.8)
BOARD = template_course("carroms", 50.8)
PLACES = np.array([tile.centre_mm for tile in COURSE.tiles.values()])
MIDDLE = PLACES.mean(axis=0)


def table(
    *, scale_sigma: float = 0.0, stretch: float = 0.0, own_mm: float = 0.1, **moved: Tile
) -> SurveyedTable:
    """Return the reference course with these errors, and tiles that lie elsewhere."""
    tiles: Mapping[str, Tile] = {
        name.replace("_", "-"): tile for name, tile in (dict(COURSE.tiles) | moved).items()
    }
    posts = {n: replace(t, sigma_mm=own_mm) for n, t in tiles.items() if n.endswith("endpost")}
    shape = (PLACES - MIDDLE) * (stretch, -stretch)
    return SurveyedTable(
        "tabletop-croquet",
        TableView(
            Camera(1280, 720, 900.0, 900.0, 640.0, 360.0),
            np.diag([1.0, -1.0, -1.0]),
            np.array([-600.0, 0.0, 900.0]),
        ),
        replace(COURSE, tiles=MappingProxyType({**tiles, **posts})),
        PieceSizes(),
        (),
        0.1,
        scale_sigma=scale_sigma,
        field_error=FieldError.of(PLACES, shape[:, :, None]),
    )


def board(**moved: Tile) -> SurveyedTable:
    """Return the reference board of Carroms with some tiles that lie elsewhere."""
    course = BOARD
    for name, tile in moved.items():
        course = course.with_tile(name.replace("_", "-"), tile)
    return replace(table(), game="carroms", course=course)


def test_a_survey_that_knows_its_endposts_gets_no_words() -> None:
    # 0.4 % of 584 mm is 2.3 mm along the course and 0 across: 1.65 mm along one axis on average.
    sure = table(scale_sigma=0.004)
    assert checked(sure) is sure


@pytest.mark.parametrize(
    ("errors", "sigma_mm", "help_wanted"),
    [
        ({"scale_sigma": 0.01}, "4.1 mm", "--endposts-mm"),  # 5.84 / sqrt(2)
        ({"stretch": 0.01}, "4.1 mm", "hang it higher"),
        ({"own_mm": 3.0}, "3.0 mm", "badly seen"),
    ],
)
def test_where_an_endpost_is_not_known_to_two_millimetres_it_says_what_would_help(
    errors: dict[str, float], sigma_mm: str, help_wanted: str
) -> None:
    (words,) = checked(table(**errors)).warnings  # type: ignore[arg-type]
    assert f"endpost is known to {sigma_mm} only" in words
    assert help_wanted in words


def test_a_survey_of_no_use_is_refused() -> None:
    # 5 % of 584.2 mm / sqrt(2) is 20.65 mm, more than a quarter of a tile.
    with pytest.raises(InputError, match=r"known to 20\.7 mm only.*could not judge anything"):
        checked(table(scale_sigma=0.05))


@pytest.mark.parametrize(
    ("open_tiles", "refused"), [(-0.5, True), (0.9, True), (1.4, False), (4.2, True)]
)
def test_a_wicket_that_nobody_could_lay_is_refused(open_tiles: float, refused: bool) -> None:
    right = COURSE.tiles["wicket-4-right"]
    x, y = right.centre_mm
    left = replace(right, centre_mm=(x, y + (open_tiles + 1.0) * 50.8))
    wrong = table(**{"wicket-4-left": left})
    if not refused:
        assert checked(wrong) is wrong
        return
    with pytest.raises(InputError, match=r"opening of wicket-4 would be .* tile widths wide"):
        checked(wrong)


@pytest.mark.parametrize(("narrower_mm", "refused"), [(20.0, False), (30.0, True)])
def test_a_door_may_be_half_as_wide_as_the_rules_say(narrower_mm: float, refused: bool) -> None:
    """One tile width of 50.8 mm: 20 mm less are 0.61 of it, 30 mm less 0.41."""
    castles = template_course("castle-croquetnole", 50.8)
    x, y = castles.tiles["door-moons-left"].centre_mm
    course = castles.with_tile("door-moons-left", Tile((x + narrower_mm, y)))
    laid = replace(table(), game="castle-croquetnole", course=course)
    if not refused:
        assert checked(laid) is laid
        return
    with pytest.raises(InputError, match=r"opening of door-moons would be 0\.4 tile widths wide"):
        checked(laid)


@pytest.mark.parametrize(
    ("gap_mm", "errors_mm", "said"), [(49.0, 0.1, False), (40.0, 3.0, False), (40.0, 0.1, True)]
)
def test_tiles_that_overlap_by_more_than_their_errors_are_told(
    gap_mm: float, errors_mm: float, said: bool
) -> None:
    """Of two tiles of 50.8 mm, 0.9 of it is 45.7 mm. Errors of 3 mm each make 12.7 mm in three
    standard errors, so that 40 mm may be 45.7; errors of 0.1 mm make 0.4.
    """
    x, y = BOARD.tiles["wall-s-2"].centre_mm
    near = Tile((x + gap_mm, y), 0.0, 1, errors_mm)
    beside = Tile((x, y), 0.0, 1, errors_mm)
    words = checked(board(wall_s_2=beside, wall_s_3=near)).warnings
    upon = "tile 3 of the south wall would lie upon tile 2 of the south wall, 40 mm"
    assert any(upon in w for w in words) == said


def test_a_tile_more_upon_another_than_beside_it_is_refused_by_name() -> None:
    x, y = BOARD.tiles["wall-s-2"].centre_mm
    words = r"tile 3 of the south wall would lie upon tile 2 of the south wall, 25 mm.*survey again"
    with pytest.raises(InputError, match=words):
        checked(board(wall_s_3=Tile((x + 25.0, y), 0.0, 1, 1.5)))
