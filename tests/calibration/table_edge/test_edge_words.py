"""The warnings about a table's edge, with sides named as the camera sees them. The camera's place
determines which side is which.
"""

import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from calibration.table_edge.edge_words import edge_words
from referee.domain.geometry import Point
from referee.domain.table_edge import EdgeSide

LENS = Camera(1280, 720, 900.0, 900.0, 639.5, 359.5)
CORNERS: tuple[Point, ...] = ((0.0, 0.0), (1000.0, 0.0), (1000.0, 600.0), (0.0, 600.0))
WHOLE = ((0.0, 1.0),) * 4


def view_above(x_mm: float, y_mm: float, *, turned_deg: float = 0.0) -> TableView:
    """Return a camera 1 m above a place, looking straight down on 1422 x 800 mm. The table's x is
    turned by `turned_deg` from the picture's right.
    """
    turn = np.radians(turned_deg)
    down = np.diag([1.0, -1.0, -1.0]) @ np.array(
        [[np.cos(turn), -np.sin(turn), 0.0], [np.sin(turn), np.cos(turn), 0.0], [0.0, 0.0, 1.0]]
    )
    return TableView(LENS, down, -down @ np.array([x_mm, y_mm, 1000.0]))


def sides(*shares: tuple[float, float]) -> tuple[EdgeSide, ...]:
    """Return the table's four sides, counter-clockwise from y = 0, each seen between two shares of
    its length.
    """
    return tuple(
        EdgeSide(CORNERS[k], CORNERS[(k + 1) % 4], 1.0, low, high)
        for k, (low, high) in enumerate(shares)
    )


def test_an_edge_seen_whole_is_worth_no_word_and_none_is() -> None:
    assert edge_words(sides(*WHOLE), view_above(500.0, 300.0)) == []
    assert edge_words((), view_above(500.0, 300.0)) == [
        "the table's edge was not found: coins that leave the table cannot be refereed"
    ]


@pytest.mark.parametrize(
    ("turned_deg", "side", "ends"),
    [
        (0.0, "near", ("left", "right")),
        (8.0, "near", ("left", "right")),
        (90.0, "right", ("near", "far")),
        (180.0, "far", ("right", "left")),
        (-171.0, "far", ("right", "left")),
    ],
)
def test_what_is_not_seen_of_a_side_is_told_by_the_end_as_the_camera_sees_it(
    turned_deg: float, side: str, ends: tuple[str, str]
) -> None:
    """Along y = 0, the part from 300 to 900 of 1000 mm is seen. The table's x runs to the left in a
    picture turned by half.
    """
    (words,) = edge_words(
        sides((0.3, 0.9), *WHOLE[1:]), view_above(500.0, 300.0, turned_deg=turned_deg)
    )
    assert words.startswith(
        f"the {side} side of the table is seen only in part, not 300 mm at its {ends[0]} end nor"
        f" 100 mm at its {ends[1]} end: "
    )


def test_the_ends_of_a_side_that_leads_away_are_near_and_far() -> None:
    """The side is 600 mm long. Counter-clockwise, the right side begins near the camera, and the
    left one far from it.
    """
    words = edge_words(
        sides((0.0, 1.0), (0.5, 1.0), (0.0, 1.0), (0.5, 1.0)), view_above(500.0, 300.0)
    )
    assert [word.split(":")[0] for word in words] == [
        "the right side of the table is seen only in part, not 300 mm at its near end",
        "the left side of the table is seen only in part, not 300 mm at its far end",
    ]


def test_a_side_that_nobody_made_out_is_not_said_to_be_outside_a_picture_that_may_show_it() -> None:
    """The picture reaches 400 mm from its middle to the near side. So y = 0 is inside it from 300
    mm away, and outside from 450 mm.
    """
    near_unseen = sides((0.0, 0.0), *WHOLE[1:])
    assert edge_words(near_unseen, view_above(500.0, 450.0)) == [
        "the near side of the table is not in the picture: it is estimated, and falls over it"
        " cannot be refereed"
    ]
    (words,) = edge_words(near_unseen, view_above(500.0, 300.0))
    assert words.startswith(
        "the near side of the table may be in the picture, but was not made out (too dark there, "
    )
