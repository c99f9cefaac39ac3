"""The picture of a survey: its words can be read."""

from types import MappingProxyType

import numpy as np

from calibration.lens.camera import Camera, TableView
from calibration.table.survey_picture import draw_survey
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.layout import Course, Tile
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
