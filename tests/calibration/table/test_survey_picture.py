"""The picture of a survey: words in it can be read."""

from types import MappingProxyType

import numpy as np

from calibration.lens.camera import Camera, TableView
from calibration.table.survey_picture import draw_survey
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes

GREY = 120


def test_the_white_rim_of_a_word_ends_a_pixel_beyond_its_letters() -> None:
    """Letters drawn thicker for a rim are wider in some versions of OpenCV: the rim then runs ahead
    of its word, and reads as another.
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
    below = drawn[130:]  # the word alone: the tile ends 25 px below the middle
    letters = np.nonzero((below[..., 2] - below[..., 1] > 60).any(axis=0))[0]
    written = np.nonzero((below != GREY).any(axis=(0, 2)))[0]
    assert len(letters) > 40
    assert letters.min() - written.min() <= 2 and written.max() - letters.max() <= 2
