"""Marks over a table seen straight from above: 1000 mm up with a focal length of 1000 px, one mm on
the table is one pixel.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.constants.palette import BLACK, GREY
from calibration.lens.camera import Camera, TableView
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.vision.overlay.overlay_marks import coin_marks, course_strokes, path_strokes, project

CAMERA = Camera(1280, 720, 1000.0, 1000.0, 640.0, 360.0)
#: x is to the right in the picture and y is up in it, so the camera's z points down.
ABOVE = TableView(CAMERA, np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 1000.0]))
SIZES = PieceSizes(tile_mm=50.0, tile_thickness_mm=10.0, coin_mm=20.0, coin_thickness_mm=0.0)
COURSE = Course(
    {
        "wicket-1-right": Tile((0, -75)),
        "wicket-1-left": Tile((0, 75)),
        "left-endpost": Tile((-200, 0), 45.0, 3),
    },
    50.0,
)


def test_points_are_seen_where_they_lie() -> None:
    assert project(ABOVE, [(10, 20)]) == [pytest.approx((650, 340))]
    assert project(ABOVE, []) == []


def test_height_moves_a_point_away_from_the_middle() -> None:
    assert project(ABOVE, [(90, 0)], height_mm=100) == [
        pytest.approx((740, 360))
    ]  # 90 mm at 900 mm from the camera


def test_a_point_behind_the_camera_is_left_out() -> None:
    assert project(ABOVE, [(0, 0)], height_mm=1100) == []


def test_the_courses_lines_and_tiles() -> None:
    strokes = course_strokes(ABOVE, COURSE, SIZES, ((-300, -200), (300, -200), (300, 200)))
    line, right, _, post, edge = strokes
    assert line.points_px == (
        pytest.approx((640, 310)),
        pytest.approx((640, 410)),
    )  # inner edges at y = 50 and -50 mm
    side = 25 * 1000 / 990  # half a tile, 10 mm up
    middle = 360 + 75 * 1000 / 990
    assert sorted(right.points_px) == [
        pytest.approx((640 - side, middle - side)),
        pytest.approx((640 - side, middle + side)),
        pytest.approx((640 + side, middle - side)),
        pytest.approx((640 + side, middle + side)),
    ]
    assert right.closed
    assert min(x for x, _ in post.points_px) == pytest.approx(
        640 - (200 + 50 / 2**0.5) * 1000 / 970
    )  # turned by 45 degrees, three tiles high
    assert edge.points_px == (
        pytest.approx((340, 560)),
        pytest.approx((940, 560)),
        pytest.approx((940, 160)),
    )


def test_a_coin_is_its_rim_and_its_name() -> None:
    strokes, labels = coin_marks(ABOVE, SIZES, {"suns": ((100.0, 0.0), 0.123)})
    distances = np.hypot(*(np.array(strokes[0].points_px) - (740, 360)).T)
    assert distances == pytest.approx(np.full(32, 10.0))
    assert [(label.text, label.at_px) for label in labels] == [
        ("suns +/-0.12 mm", pytest.approx((754, 360)))
    ]


def test_a_hidden_coin_is_dashed_all_round_and_says_so() -> None:
    strokes, labels = coin_marks(ABOVE, SIZES, {"suns": ((100.0, 0.0), None)})
    assert len(strokes) > 8 and {stroke.closed for stroke in strokes} == {False}
    assert {stroke.colour for stroke in strokes} == {GREY, BLACK}
    assert [a.points_px[-1] for a in strokes] == [
        b.points_px[0] for b in (*strokes[1:], strokes[0])
    ]
    assert [(label.text, label.colour) for label in labels] == [("suns hidden", GREY)]


def test_paths() -> None:
    assert path_strokes(ABOVE, [((0, 0), (10, 0))])[0].points_px == (
        pytest.approx((640, 360)),
        pytest.approx((650, 360)),
    )


def test_a_straight_edge_is_bent_as_the_lens_bends_it() -> None:
    barrel = replace(ABOVE, camera=replace(CAMERA, distortion=(-0.2, 0.0, 0.0, 0.0, 0.0)))
    *_, edge = course_strokes(barrel, COURSE, SIZES, ((-300, -200), (300, -200), (300, 200)))
    # At r from the middle of the undistorted picture, a point appears at r (1 - 0.2 r^2): (0, -200)
    # mm at 0.2 (1 - 0.2 * 0.04), its side's ends at 0.974 of theirs.
    nearest = min(edge.points_px, key=lambda spot: abs(spot[0] - 640) + abs(spot[1] - 558.4))
    assert nearest == (pytest.approx(640, abs=8), pytest.approx(558.4, abs=0.05))
    assert edge.points_px[0] == pytest.approx((640 - 300 * 0.974, 360 + 200 * 0.974))
    # The way back from the last point to the first is bent, too: the middle of the table is seen in
    # the middle of the picture.
    assert min(abs(x - 640) + abs(y - 360) for x, y in edge.points_px) < 12
    assert edge.closed


def test_where_the_lens_formula_folds_back_nothing_is_drawn() -> None:
    barrel = replace(ABOVE, camera=replace(CAMERA, distortion=(-0.2, 0.0, 0.0, 0.0, 0.0)))
    # r (1 - 0.2 r^2) is largest at r^2 = 1 / 0.6, which is 1291 mm from the middle. Points farther
    # out would appear closer to the middle.
    assert project(barrel, [(1280, 0)]) == [pytest.approx((640 + 1280 * (1 - 0.2 * 1.28**2), 360))]
    assert project(barrel, [(1300, 0)]) == []
