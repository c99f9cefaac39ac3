"""Photographs the usual ChArUco board in several poses, to test the calibration of lenses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Camera
from calibration.lens.lens import BoardKind

Array = NDArray[np.float64]

KIND: Final = BoardKind()
SQUARES: Final = (KIND.across, KIND.down)
_BOARD_PX_PER_SQUARE: Final = 60
_MARGIN_SQUARES: Final = 0.5


@dataclass(frozen=True)
class BoardPicture:
    """A grey picture (h, w) of the board, and the true pixels (n, 2) of its inner corners, row by
    row. Some may be outside the picture.
    """

    picture: NDArray[np.uint8]
    corners_px: Array


def _poses(count: int, rng: np.random.Generator) -> list[tuple[Array, Array]]:
    """Return rotations and shifts that show the board near and far, tilted up to 35 degrees,
    everywhere in the picture.
    """
    poses = []
    for _ in range(count):
        tilt = rng.uniform(-0.6, 0.6, 2)
        rvec = np.array([tilt[0], tilt[1], rng.uniform(-0.5, 0.5)])
        away = float(rng.uniform(10, 17)) * KIND.square_mm
        aside = rng.uniform(-0.3, 0.3, 2) * away * (1.0, 0.5)
        rotation = cv2.Rodrigues(rvec)[0]
        middle = np.array([SQUARES[0] / 2, SQUARES[1] / 2, 0.0]) * KIND.square_mm
        poses.append(
            (
                np.asarray(rotation, dtype=np.float64),
                np.array([aside[0], aside[1], away]) - rotation @ middle,
            )
        )
    return poses


def photograph_board(
    camera: Camera, poses: int = 12, seed: int = 1, noise: float = 2.0
) -> list[BoardPicture]:
    """Draw pictures of the board on grey ground through a camera with its lens. The same seed gives
    the same pictures.
    """
    rng = np.random.default_rng((seed, 6))
    margin = round(_MARGIN_SQUARES * _BOARD_PX_PER_SQUARE)
    size = tuple(n * _BOARD_PX_PER_SQUARE + 2 * margin for n in SQUARES)
    sheet = np.asarray(
        KIND.board().generateImage(size, marginSize=margin, borderBits=1), dtype=np.uint8
    )
    return [
        _photograph(camera, sheet, rotation, shift, margin, rng, noise)
        for rotation, shift in _poses(poses, rng)
    ]


def _photograph(
    camera: Camera,
    sheet: NDArray[np.uint8],
    rotation: Array,
    shift: Array,
    margin: int,
    rng: np.random.Generator,
    noise: float,
) -> BoardPicture:
    """Draw the board: intersect each pixel's ray with the board's plane. The sheet is blurred a
    little, as by a lens.
    """
    x, y = np.meshgrid(
        np.arange(camera.width, dtype=np.float32) / 4 + 2,
        np.arange(camera.height, dtype=np.float32) / 4 + 2,
    )
    rays = cv2.remap(_rays(camera), x, y, cv2.INTER_LINEAR)
    to_board = np.linalg.inv(np.column_stack((rotation[:, 0], rotation[:, 1], shift)))
    to_board /= np.abs(to_board).max()
    u, v, w = (
        rays[..., 0] * np.float32(r[0]) + rays[..., 1] * np.float32(r[1]) + np.float32(r[2])
        for r in to_board
    )
    scale, offset = np.float32(_BOARD_PX_PER_SQUARE / KIND.square_mm), np.float32(margin - 0.5)
    soft = cv2.GaussianBlur(sheet, (0, 0), 0.8)
    seen = cv2.remap(
        soft,
        u / w * scale + offset,
        v / w * scale + offset,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=110,
    )
    grain = rng.standard_normal(seen.shape, dtype=np.float32) * np.float32(noise)
    picture = np.clip(seen * np.float32(0.8) + 20 + grain, 0, 255).astype(np.uint8)
    inner = (
        np.array([(i, j, 0.0) for j in range(1, SQUARES[1]) for i in range(1, SQUARES[0])])
        * KIND.square_mm
    )
    corners, _ = cv2.projectPoints(
        inner.reshape(-1, 1, 3),
        cv2.Rodrigues(rotation)[0],
        shift,
        camera.matrix,
        np.array(camera.distortion),
    )
    return BoardPicture(picture, np.asarray(corners, dtype=np.float64).reshape(-1, 2))


def _rays(camera: Camera) -> NDArray[np.float32]:
    """Return the points of the ideal image plane under every fourth pixel, to two cells beyond the
    picture's border on each side.
    """
    cols, rows = camera.width // 4 + 5, camera.height // 4 + 5
    x, y = np.meshgrid((np.arange(cols) - 2.0) * 4, (np.arange(rows) - 2.0) * 4)
    return (
        camera.undistort(np.column_stack((x.ravel(), y.ravel())))
        .reshape(rows, cols, 2)
        .astype(np.float32)
    )
