"""The picture of a survey: its words can be read."""

from types import MappingProxyType

import numpy as np

from calibration.constants.palette import BLACK, BLUE
from calibration.lens.camera import Camera, TableView
from calibration.table.survey_picture import draw_survey
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.layout import Course, Tile, template_course
from referee.domain.pieces import PieceSizes

GREY = 120


def test_the_white_rim_of_a_word_ends_a_pixel_beyond_its_letters() -> None:
    """In some versions of OpenCV, thicker letters are wider. A rim drawn with them would not line
    up with its word, which then reads as another word.
    """
    down = np.diag([1.0, -1.0, -1.0])
    view = TableView(
        Camera(400, 200, 1000.0, 1000.0, 199.5, 99.5), down, np.array([0.0, 0.0, 1000.0])
    )
    course = Course(MappingProxyType({"left-endpost": Tile((0.0, 0.0), 0.0, 3)}), 50.8)
    table = SurveyedTable(
        "tabletop-croquet", view, course, PieceSizes(), (), 0.2, False, "left", ()
    )
    drawn = draw_survey(np.full((200, 400, 3), GREY, dtype=np.uint8), table).astype(int)
    below = drawn[130:]  # only the word: the tile ends 25 px below the middle
    letters = np.nonzero((below[..., 2] - below[..., 1] > 60).any(axis=0))[0]
    written = np.nonzero((below != GREY).any(axis=(0, 2)))[0]
    assert len(letters) > 40
    assert letters.min() - written.min() <= 2 and written.max() - letters.max() <= 2


def alike(picture: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    return np.abs(picture.astype(int) - np.array(colour)).max(axis=2) < 20


def test_numbers_can_be_read_and_the_ways_cross_wickets_on_their_own_right() -> None:
    """The camera looks straight down, a pixel to a millimetre, with y upward in the picture. For
    somebody who goes outward, to the right, the right half of a wicket is the lower one.
    """
    down = np.diag([1.0, -1.0, -1.0])
    view = TableView(
        Camera(1280, 720, 1000.0, 1000.0, 639.5, 359.5), down, np.array([-639.5, 0.0, 1000.0])
    )
    course = template_course("tabletop-croquet", 50.8)
    table = SurveyedTable(
        "tabletop-croquet", view, course, PieceSizes(), (), 0.2, False, "left", ()
    )
    numbers = [f"wicket-{n}" for n in (1, 2)]
    ways = {"outward": ("left-endpost", *numbers), "homeward": (*reversed(numbers), "left-endpost")}
    plain = np.full((720, 1280, 3), GREY, dtype=np.uint8)
    drawn = draw_survey(plain, table, ways)
    x, _y = (int(v) for v in view.to_image(np.array([course.tiles["wicket-1-left"].centre_mm]))[0])
    middle = 360
    digit = alike(drawn[middle - 16 : middle + 16, x - 14 : x + 15], BLUE)
    rows = np.nonzero(digit.sum(axis=1) > 2)[0]
    assert np.ptp(rows) >= 12  # 17 px of 720: more than a line of this text is high on a screen
    between = slice(x + 40, x + 60)  # behind wicket 1, before wicket 2
    outward, homeward = (np.nonzero(alike(drawn[:, between], c))[0] for c in (BLUE, BLACK))
    assert (outward > middle + 10).all() and len(outward)
    assert (homeward < middle - 10).all() and len(homeward)
