"""Whether a camera that was moved is told, with how far, and seen from its new place."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.lens.camera_change import (
    UNMOVED,
    CameraChange,
    changed_view,
    moved_pixels,
    rotation_of,
)
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import square_corners
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.moved_camera import pose_from_tiles
from referee.vision.sources.frame import VideoFrame

Bytes = NDArray[np.uint8]
SIZES = PieceSizes()
CAMERA = Camera(960, 540, 700.0, 700.0, 483.0, 266.0, (-0.1, 0.03, 0.0006, -0.0004, 0.0))
# 900 mm above the middle of the course, looking straight down
VIEW = TableView(CAMERA, np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 900.0]))
PLACES = [(x, y) for x in (-440.0, -230.0, 0.0, 190.0, 430.0) for y in (-210.0, 10.0, 230.0)]
COURSE = Course({f"t{n}": Tile(at, 3.0 * (n % 5) - 6, 1) for n, at in enumerate(PLACES)}, 50.8)
TABLE = SurveyedTable("tabletop-croquet", VIEW, COURSE, SIZES, (), 0.1)
# 700 px times 0.01 rad is 7 px at the middle, downward in the picture
BUMP = CameraChange(rotation_of(np.array([-0.01, 0.0, 0.0])))


def drawn() -> Bytes:
    """Return pale tiles, quartered by two dark lines, on a grey table, as the view shows them."""
    picture = np.full((540, 960), 105, np.uint8)
    for tile in COURSE.tiles.values():
        corners = np.array(square_corners(tile.centre_mm, SIZES.tile_mm, tile.rotation_deg))
        top = np.column_stack((corners, np.full(4, SIZES.tile_thickness_mm)))
        px = np.rint(8 * VIEW.to_image(top)).astype(np.int32)
        cv2.fillConvexPoly(picture, px, 205, cv2.LINE_AA, shift=3)
        for half in (0, 1):
            middle = (px[half] + px[half + 1]) // 2, (px[half + 2] + px[(half + 3) % 4]) // 2
            cv2.line(picture, middle[0].tolist(), middle[1].tolist(), 120, 2, cv2.LINE_AA, 3)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), dtype=np.uint8)


STILL = drawn()


@cache
def seen(*, bumped: bool) -> Bytes:
    """Return the still table as the camera sees it before or after the bump."""
    x, y = np.meshgrid(np.arange(960.0), np.arange(540.0))
    change = BUMP if bumped else UNMOVED
    back = moved_pixels(CAMERA, UNMOVED.since(change), np.column_stack((x.ravel(), y.ravel())))
    where = back.astype(np.float32).reshape(540, 960, 2)
    edge = cv2.BORDER_REPLICATE  # a camera shows more of the table there, not black
    luma = cv2.remap(STILL, where, np.empty(0, np.float32), cv2.INTER_CUBIC, borderMode=edge)
    return np.asarray(luma, dtype=np.uint8)


def taken(number: int, *, bumped: bool, hand: bool = False) -> VideoFrame:
    """Return a noisy frame of the still table, under a hand that moves if there is a `hand`."""
    noise = np.random.default_rng(number).integers(0, 7, (540, 960), dtype=np.uint8)
    luma = seen(bumped=bumped) + noise
    if hand:
        cv2.circle(luma, (640, 60 + 10 * (number % 5)), 90, 160, -1)
    bgr = np.repeat(luma[:, :, None], 3, axis=2)
    return VideoFrame(number, number / 30, luma, (), lambda: bgr)


def test_a_camera_moved_since_the_survey_is_seen_from_its_new_place() -> None:
    view, survey = pose_from_tiles(TABLE, COURSE, TABLE.view, taken(0, bumped=True))
    assert survey is not None
    assert survey.moved_px == pytest.approx(7.0, abs=0.3)
    assert survey.layout is None
    place = np.array([[190.0, 10.0]])
    expected = changed_view(VIEW, BUMP).to_image(place)
    assert view.to_image(place) == pytest.approx(expected, abs=0.25)


def test_a_camera_that_stands_where_it_was_surveyed_keeps_its_view() -> None:
    view, survey = pose_from_tiles(TABLE, COURSE, TABLE.view, taken(0, bumped=False))
    assert view is TABLE.view
    assert survey is None


def test_a_bump_between_flicks_is_told_once_and_the_table_is_seen_from_there() -> None:
    builder = EpisodeBuilder(replace(TABLE), 0.0)
    for number in range(45):
        builder.take(taken(number, bumped=number >= 20))
    assert [round(survey.moved_px or 0.0) for _, survey in builder.bumps] == [7]
    since_s, _ = builder.bumps[0]
    assert since_s == pytest.approx(20 / 30)
    place = np.array([[190.0, 10.0]])
    expected = changed_view(VIEW, BUMP).to_image(place)
    assert builder.table.view.to_image(place) == pytest.approx(expected, abs=0.25)
    assert builder.view_now.to_image(place) == pytest.approx(expected, abs=0.25)


def test_a_bump_after_which_play_never_rests_is_told_when_the_source_ends() -> None:
    builder = EpisodeBuilder(replace(TABLE), 0.0)
    for number in range(45):
        builder.take(taken(number, bumped=number >= 20, hand=number >= 15))
    assert builder.bumps == []
    builder.finish()
    ((since_s, survey),) = builder.bumps
    assert since_s == pytest.approx(20 / 30)
    assert survey.moved_px == pytest.approx(7.0, abs=0.3)


def test_frames_in_which_the_camera_shows_something_else_are_not_measured() -> None:
    builder = EpisodeBuilder(replace(TABLE), 0.0)
    for number in range(30):
        builder.take(taken(number, bumped=False))
    elsewhere = np.random.default_rng(3).integers(0, 255, (540, 960), dtype=np.uint8)
    for number in range(30, 50):
        builder.take(replace(taken(number, bumped=False), luma=elsewhere))
    assert builder.observation is not None
    assert (builder.observation.frame, builder.observation.hand) == (29, False)
    assert builder.steady_camera.unmeasured_since_s == pytest.approx(1.0)
    assert builder.take(taken(50, bumped=False)) is None
    assert builder.observation.frame == 50
    assert builder.finish() is None  # everything lies where it lay


def test_where_what_the_patches_showed_has_left_the_tiles_tell_how_the_camera_stands() -> None:
    builder = EpisodeBuilder(replace(TABLE), 0.0)
    poster = np.kron(np.indices((27, 30)).sum(axis=0) % 2, np.full((20, 20), 250, np.uint8))
    for number in range(40):
        frame = taken(number, bumped=number >= 10)
        if number < 10:
            frame.luma[:, :600] = poster
        builder.take(frame)
    assert builder.steady_camera.unmeasured_since_s is None
    place = np.array([[190.0, 10.0]])
    expected = changed_view(VIEW, BUMP).to_image(place)
    assert builder.view_now.to_image(place) == pytest.approx(expected, abs=0.25)
