"""Whether a shaken frame is shown as though the camera had stood still."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.lens.camera_change import (
    UNMOVED,
    CameraChange,
    changed_view,
    grown,
    moved_pixels,
    rotation_of,
)
from referee.vision.alignment.motion import FramePicture, Landmark, SteadyCamera
from referee.vision.image.picture import Picture, Rect, shrunk
from referee.vision.sources.frame import VideoFrame

Bytes = NDArray[np.uint8]
CAMERA = Camera(480, 360, 400.0, 400.0, 243.0, 177.0, (-0.12, 0.04, 0.0006, -0.0004, 0.0))


def seen(turn_rad: tuple[float, float, float], growth: float = 1.0) -> Bytes:
    """Return a smooth scene as the turned camera, whose picture has grown, sees it: a sum of waves,
    so every pixel is computed and none is interpolated.
    """
    x, y = np.meshgrid(np.arange(480.0), np.arange(360.0))
    back = moved_pixels(
        grown(CAMERA, growth),
        UNMOVED.since(CameraChange(rotation_of(np.array(turn_rad)), growth)),
        np.column_stack((x.ravel(), y.ravel())),
    )
    u, v = back.T
    waves = 128 + 30 * np.sin(u / 3) * np.cos(v / 4) + 40 * np.sin(u / 11 + v / 8)
    return np.asarray(np.rint(waves), dtype=np.uint8).reshape(360, 480)


def frame(luma: Bytes, number: int = 0) -> VideoFrame:
    """Return a frame whose colour planes are its luminance at half size."""
    half = np.asarray(cv2.resize(luma, (240, 180), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    bgr = np.repeat(luma[:, :, None], 3, axis=2)
    return VideoFrame(number, number / 30, luma, (), lambda: bgr, lambda: (half, half))


@pytest.mark.parametrize(
    ("turn_rad", "growth"),
    [
        pytest.param((0.00125, -0.0025, 0.0), 1.0, id="a shake of a pixel"),
        pytest.param((0.0, 0.02, 0.0), 1.0, id="a bump of eight pixels"),
        pytest.param((0.0, 0.0, 0.01), 1.0, id="half a degree about the axis"),
        pytest.param((0.0, 0.0, 0.0), 1.008, id="a focus that searches"),
    ],
)
def test_a_turned_camera_s_frame_looks_as_the_first_one(
    turn_rad: tuple[float, float, float], growth: float
) -> None:
    still = seen((0.0, 0.0, 0.0))
    camera = SteadyCamera(CAMERA)
    camera.steady(frame(still))
    steady, picture = camera.steady(frame(seen(turn_rad, growth), 1))
    inside = np.s_[12:-12, 12:-12]  # what the turned camera did not see is not known
    # the waves rise by up to 15 levels a pixel: 3 levels are a fifth of a pixel at the steepest
    off = picture.luma[inside].astype(int) - still[inside]
    assert float(np.abs(off).mean()) < 0.7
    assert np.abs(off).max() <= 3
    assert picture.u is not None
    half = cv2.resize(still, (240, 180), interpolation=cv2.INTER_AREA)
    assert np.abs(picture.u[8:-8, 8:-8].astype(int) - half[8:-8, 8:-8]).max() <= 4
    assert np.abs(steady.bgr()[inside][..., 1].astype(int) - still[inside]).max() <= 3
    # a small copy, and a part, are as those of the whole picture
    small = picture.small_luma(4)[3:-3, 3:-3].astype(int)
    assert np.abs(small - shrunk(still, 4)[3:-3, 3:-3]).max() <= 2
    colours = picture.small_colours((120, 90))
    assert colours is not None
    quarter = shrunk(still, 4)[3:-3, 3:-3]
    assert np.abs(colours[0][3:-3, 3:-3].astype(int) - quarter).max() <= 3
    values = picture.channels(Rect(101, 77, 160, 120))
    assert np.abs(values[..., 0] - picture.luma[77:120, 101:160]).max() <= 1
    half_values = Picture(picture.luma, picture.u, picture.v).channels(Rect(101, 77, 160, 120))
    assert np.abs(values - half_values).max() <= 1


def test_what_a_turned_camera_does_not_see_is_as_before() -> None:
    still = seen((0.0, 0.0, 0.0))
    camera = SteadyCamera(CAMERA)
    camera.steady(frame(still))
    turned = seen((0.0, 0.02, 0.0))  # the picture moves by 8 px to the right
    _, picture = camera.steady(frame(turned, 1))
    # what the first frame showed in its last columns is out of sight
    assert np.array_equal(picture.luma[:, -5:], still[:, -5:])
    assert np.abs(picture.luma[12:-12, 12:-12].astype(int) - still[12:-12, 12:-12]).max() <= 3


def test_a_still_camera_s_frames_pass_unchanged() -> None:
    camera, first = SteadyCamera(CAMERA), frame(seen((0.0, 0.0, 0.0)))
    assert camera.steady(first)[0] is first
    noisy = first.luma + np.random.default_rng(2).integers(0, 4, first.luma.shape, dtype=np.uint8)
    again = frame(noisy, 1)
    assert camera.steady(again)[0] is again


def test_a_frame_that_looks_as_the_one_before_is_not_measured() -> None:
    camera = SteadyCamera(CAMERA)
    for number in (0, 1):
        camera.steady(frame(seen((0.0, 0.0, 0.0)), number))
    turned = frame(seen((0.0, 0.02, 0.0)), 2)
    assert camera.steady(turned, same=True) is not None and camera.moved_since_s is None
    assert camera.steady(turned) is not None and camera.moved_since_s == 2 / 30


def test_frames_that_do_not_show_how_the_camera_moved_are_left_out_until_one_does() -> None:
    camera, still = SteadyCamera(CAMERA), seen((0.0, 0.0, 0.0))
    for number in (0, 1):
        camera.steady(frame(still, number))
    elsewhere = still[::-1, ::-1].copy()
    # though each looks as the one before
    shown_all = [camera.steady(frame(elsewhere, n), same=n > 2) for n in (2, 3, 4)]
    assert shown_all == [None] * 3
    assert camera.unmeasured_since_s == 2 / 30
    again = frame(still, 5)
    shown = camera.steady(again)
    assert shown is not None and shown[0] is again
    assert camera.unmeasured_since_s is None


@pytest.mark.parametrize("grey", [0, 90])
def test_a_hand_over_the_lens_does_not_look_like_a_camera_that_stands(grey: int) -> None:
    camera, still = SteadyCamera(CAMERA), seen((0.0, 0.0, 0.0))
    for number in (0, 1):
        camera.steady(frame(still, number))
    assert camera.steady(frame(np.full_like(still, grey), 2)) is None


def test_a_camera_that_sees_no_texture_counts_as_standing() -> None:
    camera = SteadyCamera(CAMERA)
    grey = np.full((360, 480), 128, np.uint8)
    assert camera.steady(frame(grey)) is not None
    assert camera.steady(frame(seen((0.0, 0.0, 0.0)), 1)) is not None


def test_a_shaking_camera_is_not_moved_for_good_and_a_bumped_one_is_though_it_shakes() -> None:
    for bump_rad, for_good in ((0.0, False), (0.02, True)):  # 8 px
        camera = SteadyCamera(CAMERA)
        camera.steady(frame(seen((0.0, 0.0, 0.0))))
        for number in range(1, 16):
            shake_rad = 0.0025 * (number % 2)  # a pixel, in every other frame
            camera.steady(frame(seen((0.0, bump_rad + shake_rad, 0.0)), number))
        assert camera.moved_for_good(15 / 30) is for_good


def test_the_view_of_the_frames_as_they_come_shows_a_place_where_they_show_it() -> None:
    view = TableView(CAMERA, np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 800.0]))
    camera, turn_rad = SteadyCamera(CAMERA), (0.0, 0.01, 0.0)
    camera.steady(frame(seen((0.0, 0.0, 0.0))))
    camera.steady(frame(seen(turn_rad), 1))
    place = np.array([[60.0, 30.0]])
    change = CameraChange(rotation_of(np.array(turn_rad)))
    expected = moved_pixels(CAMERA, change, view.to_image(place))
    assert changed_view(view, camera.change).to_image(place) == pytest.approx(expected, abs=0.1)


def test_a_frame_is_asked_for_its_colours_once_and_only_when_they_are_read():
    luma, asked = np.full((4, 6), 90, np.uint8), []
    half = np.full((2, 3), 140, np.uint8)

    def chroma():
        asked.append(True)
        return half, half + 1

    picture = FramePicture(VideoFrame(0, 0.0, luma, (), lambda: luma, chroma))
    assert picture.luma is luma and (picture.width, picture.height, asked) == (6, 4, [])
    assert picture.has_colour and picture.hue(Rect(0, 0, 6, 4)) == (12 / 90, 13 / 90)
    assert len(asked) == 1
    assert not FramePicture(VideoFrame(0, 0.0, luma, (), lambda: luma, lambda: None)).has_colour


@pytest.mark.parametrize(("plain_table", "is_told"), [(True, True), (False, False)])
def test_a_hand_over_the_only_texture_of_a_plain_table_is_no_motion(plain_table, is_told):
    still = np.full((360, 480), 90, np.uint8)
    for x, y in np.ndindex(4, 3):
        cv2.circle(still, (40 + 45 * x, 60 + 60 * y), 6, 200, cv2.FILLED)
    for x, y in ((400, 60), (430, 180), (380, 300), (330, 240)):
        cv2.circle(still, (x, y), 6, 200, cv2.FILLED)
    hidden = still.copy()
    hidden[:, :210] = 130  # less than half of the picture: 12 of 16 marks
    camera = SteadyCamera(CAMERA, plain_table=plain_table)
    darker = np.asarray(still - 12, dtype=np.uint8)
    for number, luma in enumerate((still, darker)):
        assert camera.steady(frame(luma, number)) is not None
    assert (camera.steady(frame(hidden, 2)) is not None) == is_told
    shifted = np.roll(hidden, (9, 7), (0, 1))
    assert camera.steady(frame(shifted, 3)) is None


@pytest.mark.parametrize("is_told", [True, False])
def test_a_disc_that_lies_where_it_lay_tells_that_the_camera_stands(is_told):
    """Compression changed the grain of the table, which was its only texture beside the disc."""
    part = Rect(220, 140, 261, 181)

    def grainy(seed: int) -> Bytes:
        noise = np.random.default_rng(seed).normal(0, 5, (360, 480))
        luma = cv2.GaussianBlur(90 + noise, (0, 0), 1.0)
        cv2.circle(luma, (240, 160), 14, 170.0, cv2.FILLED)
        return np.asarray(luma, dtype=np.uint8)

    marks = {"A": Landmark(part, part.of(grainy(1)))} if is_told else {}
    camera = SteadyCamera(CAMERA, plain_table=True, landmarks=marks)
    for number in range(2):
        assert camera.steady(frame(grainy(1), number)) is not None
    assert (camera.steady(frame(grainy(2), 2)) is not None) == is_told
    assert camera.steady(frame(np.roll(grainy(2), (2, 3), (0, 1)), 3)) is None
