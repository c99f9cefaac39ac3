"""Whether a camera's turn is measured right: by geometry, on a drawn scene behind a distorting
lens.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera
from calibration.lens.camera_change import UNMOVED, CameraChange, grown, moved_pixels, rotation_of
from calibration.lens.camera_motion import Reference, motion_since
from calibration.lens.quick_motion_check import QuickMotionCheck

Luma = NDArray[np.uint8]
CAMERA = Camera(480, 360, 400.0, 400.0, 243.0, 177.0, (-0.12, 0.04, 0.0006, -0.0004, 0.0))
CORNERS = np.array([[240.0, 180.0], [20, 20], [460, 20], [20, 340], [460, 340]])
AXIS_PX = (0.0025, 0.0, 0.0)  # rad about x: at the middle 400 px times this, one pixel, upward


def drawn() -> Luma:
    """Return squares of random greys, soft as a lens draws them."""
    rough = np.random.default_rng(5).integers(40, 215, (18, 24)).astype(np.uint8)
    scene = cv2.resize(rough, (480, 360), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.GaussianBlur(scene, (0, 0), 1.2), dtype=np.uint8)


SCENE = drawn()


def turned(scene: Luma, turn_rad: tuple[float, float, float], growth: float = 1.0) -> Luma:
    """Return the scene as the camera sees it after a turn and a growth of its picture: each pixel
    shows what it showed where the change back takes it.
    """
    x, y = np.meshgrid(np.arange(480.0), np.arange(360.0))
    back = moved_pixels(
        grown(CAMERA, growth),
        UNMOVED.since(CameraChange(rotation_of(np.array(turn_rad)), growth)),
        np.column_stack((x.ravel(), y.ravel())),
    )
    where = back.astype(np.float32).reshape(360, 480, 2)
    return np.asarray(
        cv2.remap(
            scene, where, np.empty(0, np.float32), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        ),
        dtype=np.uint8,
    )


def off_px(luma: Luma, turn_rad: tuple[float, float, float], growth: float = 1.0) -> float:
    """Return how far the measured change is off, at the middle or a corner, px; infinite without
    one.
    """
    motion = motion_since(Reference.of(CAMERA, SCENE), luma)
    if motion is None:
        return float("inf")
    true = moved_pixels(CAMERA, CameraChange(rotation_of(np.array(turn_rad)), growth), CORNERS)
    off = moved_pixels(CAMERA, motion.change, CORNERS) - true
    return float(np.linalg.norm(off, axis=1).max())


def test_a_turn_moves_the_middle_by_the_focal_length_times_the_angle() -> None:
    middle = np.array([[243.0, 177.0]])
    moved = moved_pixels(CAMERA, CameraChange(rotation_of(np.array([0.0, 0.0025, 0.0]))), middle)
    # tan(0.0025) * 400 px to the right; the lens bends nothing at its own middle
    assert moved == pytest.approx(np.array([[244.0, 177.0]]), abs=0.01)


@pytest.mark.parametrize(
    "turn_rad",
    [
        pytest.param((0.0, 0.0, 0.0), id="none"),
        pytest.param((0.00125, -0.00125, 0.0), id="half a pixel both ways"),
        pytest.param((-0.0125, 0.0125, 0.0), id="five pixels both ways"),
        pytest.param((0.0, 0.05, 0.0), id="twenty pixels"),
        pytest.param(
            (0.005, -0.005, 0.0175), id="two pixels both ways and a degree about the axis"
        ),
    ],
)
def test_a_turn_is_measured_to_a_tenth_of_a_pixel(turn_rad: tuple[float, float, float]) -> None:
    assert off_px(turned(SCENE, turn_rad), turn_rad) < 0.1


def test_a_growth_moves_points_away_from_the_optical_axis() -> None:
    """By 1 % of their distance from it, with all that the lens bends there."""
    moved = moved_pixels(CAMERA, CameraChange(np.eye(3), 1.01), np.array([[443.0, 77.0]]))
    assert moved == pytest.approx(np.array([[445.0, 76.0]]), abs=0.001)


@pytest.mark.parametrize(
    ("turn_rad", "growth"),
    [
        pytest.param((0.0, 0.0, 0.0), 1.008, id="a focus that goes nearer"),
        pytest.param((0.0, 0.0, 0.0), 0.99, id="a focus that goes farther away"),
        pytest.param((0.005, -0.005, 0.0), 1.008, id="two pixels both ways too"),
    ],
)
def test_a_growth_of_the_picture_is_measured_to_a_tenth_of_a_pixel(
    turn_rad: tuple[float, float, float], growth: float
) -> None:
    assert off_px(turned(SCENE, turn_rad, growth), turn_rad, growth) < 0.1


def test_a_growth_counts_only_where_no_turn_fits_and_many_patches_agree_on_it() -> None:
    turn_rad = (0.0025, -0.0025, 0.0)
    motion = motion_since(Reference.of(CAMERA, SCENE), turned(SCENE, turn_rad))
    assert motion is not None and motion.change.growth == 1.0
    larger, middles = turned(SCENE, (0.0, 0.0, 0.0), 1.02), Reference.of(CAMERA, SCENE).middles
    some = [motion_since(Reference.at(CAMERA, SCENE, middles[:n]), larger) for n in (8, 24)]
    assert [None if m is None else m.change.growth > 1.01 for m in some] == [None, True]


def test_a_change_of_light_does_not_move_the_camera() -> None:
    turn_rad = (0.0025, 0.0025, 0.0)
    ramp = np.linspace(0.6, 0.9, 480)  # darker on the left, and 8 grey levels lifted
    darker = np.asarray(turned(SCENE, turn_rad) * ramp + 8, dtype=np.uint8)
    assert off_px(darker, turn_rad) < 0.1


def test_patches_under_a_hand_do_not_count() -> None:
    turn_rad = (0.0025, -0.0025, 0.0)
    seen = turned(SCENE, turn_rad)
    seen[:, :200] = 150  # an arm over two fifths of the picture
    assert off_px(seen, turn_rad) < 0.1


def test_a_tile_that_moves_by_itself_is_outvoted() -> None:
    seen = SCENE.copy()
    seen[100:220, 103:223] = SCENE[100:220, 100:220]  # a tenth of the picture, 3 px to the right
    assert off_px(seen, (0.0, 0.0, 0.0)) < 0.1


def test_another_scene_gives_no_motion() -> None:
    assert (
        motion_since(Reference.of(CAMERA, SCENE), np.ascontiguousarray(SCENE[::-1, ::-1])) is None
    )


def test_a_blank_picture_gives_no_motion() -> None:
    assert motion_since(Reference.of(CAMERA, SCENE), np.full_like(SCENE, 128)) is None
    assert motion_since(Reference.of(CAMERA, np.full_like(SCENE, 128)), SCENE) is None


def test_the_stated_error_holds_under_noise() -> None:
    rng = np.random.default_rng(3)
    turn_rad = (0.0025, 0.001, 0.0)
    reference, squares = Reference.of(CAMERA, SCENE), []
    true = moved_pixels(CAMERA, CameraChange(rotation_of(np.array(turn_rad))), reference.middles)
    for _ in range(12):
        noisy = (turned(SCENE, turn_rad) + rng.normal(0, 8, SCENE.shape)).clip(0, 255)
        motion = motion_since(reference, noisy.astype(np.uint8))
        assert motion is not None
        off = moved_pixels(CAMERA, motion.change, reference.middles) - true
        squares.append(float((off**2).sum(axis=1).mean()) / motion.sigma_px**2)
    assert 0.1 < np.mean(squares) < 1.5  # sigma is stated where it is largest


def test_a_still_camera_is_told_by_a_quick_check() -> None:
    look = QuickMotionCheck.of(Reference.of(CAMERA, SCENE), SCENE, UNMOVED)
    rng = np.random.default_rng(4)
    again = (SCENE + rng.normal(0, 2, SCENE.shape)).clip(0, 255).astype(np.uint8)
    assert not look.stirs(again)
    again[:, :150] = 150  # an arm comes
    assert not look.stirs(again)
    assert look.stirs(turned(SCENE, (0.0005, 0.0, 0.0)))  # a fifth of a pixel
    assert look.stirs(turned(SCENE, (0.0, 0.0, 0.002)))  # a third of a pixel at the sides
