"""Measures a lens from pictures of a printed ChArUco board: a chessboard with markers, so that any
part of it can be recognised.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Camera
from referee.domain.errors import InputError
from referee.domain.sighting import SEEN_SIGMAS

Picture = NDArray[np.uint8]
Array = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

_FEWEST_CORNERS: Final = 8  # a picture with fewer corners of the board is not used
_FEWEST_PICTURES: Final = 3
_PARAMETERS: Final = ("fx_px", "fy_px", "cx_px", "cy_px", "k1", "k2", "p1", "p2", "k3")


@dataclass(frozen=True)
class BoardKind:
    """A ChArUco board: squares across and down, the side of a square and of a marker (mm), and the
    dictionary of its markers (OpenCV's name).
    """

    across: int = 9
    down: int = 6
    square_mm: float = 30.0
    marker_mm: float = 22.0
    dictionary: str = "DICT_5X5_100"

    def board(self) -> cv2.aruco.CharucoBoard:
        """Return the board as OpenCV represents it. Raises InputError for an unknown dictionary or
        impossible sizes.
        """
        number = getattr(cv2.aruco, self.dictionary, None)
        if not self.dictionary.startswith("DICT_") or not isinstance(number, int):
            raise InputError(
                f"--dictionary: {self.dictionary!r} is not a marker dictionary (DICT_5X5_100,"
                " DICT_4X4_50, ...)"
            )
        if min(self.across, self.down) < 3:
            raise InputError(
                f"--squares: a board has at least 3x3 squares, not {self.across}x{self.down}"
            )
        if not 0 < self.marker_mm < self.square_mm < math.inf:
            raise InputError(
                f"--square-mm, --marker-mm: markers of {self.marker_mm:g} mm do not fit into"
                f" squares of {self.square_mm:g} mm"
            )
        dictionary = cv2.aruco.getPredefinedDictionary(number)
        markers = self.across * self.down // 2
        if markers > len(dictionary.bytesList):
            raise InputError(
                f"--squares: {self.across}x{self.down} squares need {markers} markers,"
                f" {self.dictionary} has {len(dictionary.bytesList)}"
            )
        return cv2.aruco.CharucoBoard(
            (self.across, self.down), self.square_mm, self.marker_mm, dictionary
        )


@dataclass(frozen=True)
class MeasuredLens:
    """A lens as measured. `error_px` is the reprojection error, root mean square. `sigma` holds the
    standard error of each parameter by its name. `used` is the number of pictures that were used.
    `words` are warnings for people.
    """

    camera: Camera
    error_px: float
    sigma: Mapping[str, float]
    used: int
    words: tuple[str, ...]


def seen_corners(picture: Picture, board: cv2.aruco.CharucoBoard) -> tuple[Array, Array]:
    """Find the board's corners in a picture: points on the board (n, 3) mm and in the picture (n,
    2) px.
    """
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(picture)
    if corners is None or numbers is None:
        return np.zeros((0, 3)), np.zeros((0, 2))
    places = np.asarray(board.getChessboardCorners(), dtype=np.float64)[np.asarray(numbers).ravel()]
    return places, np.asarray(corners, dtype=np.float64).reshape(-1, 2)


def measure_lens(pictures: Mapping[str, Picture], kind: BoardKind) -> MeasuredLens:
    """Measure the lens from pictures (h, w) or (h, w, 3) by name, at least three of them with most
    of the board.

    OpenCV's bundle adjustment computes intrinsics and distortion. k3 stays 0 if the pictures do not
    determine it. Raises InputError, which names the picture, if a picture cannot be used.
    """
    board = kind.board()
    sizes = {picture.shape[:2] for picture in pictures.values()}
    if len(sizes) > 1:
        raise InputError(
            f"the pictures differ in size ({', '.join(f'{w}x{h}' for h, w in sorted(sizes))}):"
            " take all of them with one camera and at one size"
        )
    seen = {name: seen_corners(picture, board) for name, picture in pictures.items()}
    used = {name: pair for name, pair in seen.items() if len(pair[0]) >= _FEWEST_CORNERS}
    words = [
        f"{name}: only {len(pair[0])} corners of the board seen, not used"
        for name, pair in seen.items()
        if name not in used
    ]
    if len(used) < _FEWEST_PICTURES:
        board_words = f"the board ({kind.across}x{kind.down} squares, {kind.dictionary})"
        advice = (
            "; take ten or more"
            if len(pictures) < _FEWEST_PICTURES
            else "; is it another board (--squares, --dictionary), or too small or blurred?"
        )
        raise InputError(
            f"{board_words} was seen in {len(used)} of {len(pictures)} pictures, but it"
            f" must be seen in at least {_FEWEST_PICTURES}{advice}"
        )
    height, width = next(iter(sizes))
    places = [pair[0].astype(np.float32) for pair in used.values()]
    points = [pair[1].astype(np.float32) for pair in used.values()]
    fit = _calibrate(places, points, width, height, 0)
    if abs(fit[2][4]) < SEEN_SIGMAS * fit[3]["k3"]:
        fit = _calibrate(places, points, width, height, cv2.CALIB_FIX_K3)
    error, matrix, bends, sigma = fit
    fx, fy, cx, cy = (float(matrix[i, j]) for i, j in ((0, 0), (1, 1), (0, 2), (1, 2)))
    camera = Camera(
        width, height, fx, fy, cx, cy, (bends[0], bends[1], bends[2], bends[3], bends[4])
    )
    return MeasuredLens(
        camera, error, sigma, len(used), (*words, *_doubts(error, camera, sigma, points))
    )


def _calibrate(
    places: Sequence[NDArray[np.float32]],
    points: Sequence[NDArray[np.float32]],
    width: int,
    height: int,
    flags: int,
) -> tuple[float, Array, list[float], dict[str, float]]:
    error, matrix, bends, _, _, spread, _, _ = cv2.calibrateCameraExtended(
        places, points, (width, height), np.eye(3), np.zeros(5), flags=flags
    )
    sigma = {
        name: float(value)
        for name, value in zip(_PARAMETERS, np.asarray(spread).ravel(), strict=False)
    }
    return (
        float(error),
        np.asarray(matrix, dtype=np.float64),
        [float(b) for b in np.asarray(bends).ravel()[:5]],
        sigma,
    )


def _doubts(
    error_px: float,
    camera: Camera,
    sigma: Mapping[str, float],
    points: Sequence[NDArray[np.float32]],
) -> list[str]:
    words = []
    if error_px > 1.0:
        words.append(
            f"a reprojection error of {error_px:.2f} px is large: is the board flat, and are the"
            " pictures sharp?"
        )
    if sigma["fx_px"] > 0.005 * camera.fx_px:
        words.append(
            "the focal length is uncertain: take more pictures with the board tilted, near and far"
        )
    projections = np.concatenate(points)
    middle = np.array([camera.width, camera.height]) / 2
    if np.abs(projections - middle).max(axis=0).min() < 0.35 * min(camera.width, camera.height):
        words.append(
            "the board never came near the picture's edges: distortion there is only estimated"
        )
    return words
