"""Adds the noise of a camera's sensor to drawn pictures."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synthetic.scenario.scene import Scene

_NOISE_POOL: Final = 8


def noise_pool(scene: Scene, rng: np.random.Generator) -> list[NDArray[np.int16]]:
    """Return noise fields (h, w, 3) of a camera's sensor: finer in grey than in colour."""
    width, height = scene.camera.width, scene.camera.height
    pool = []
    for _ in range(_NOISE_POOL):
        grey = rng.standard_normal((height, width, 1), dtype=np.float32) * scene.noise * 0.8
        colour = (
            rng.standard_normal((height // 2, width // 2, 3), dtype=np.float32) * scene.noise * 0.6
        )
        pool.append(np.rint(grey + cv2.resize(colour, (width, height))).astype(np.int16))
    return pool


def add_noise(picture: NDArray[np.uint8], pool: list[NDArray[np.int16]], number: int) -> None:
    """Add sensor noise that differs from frame to frame: one of a few noise fields, shifted
    differently for each frame.
    """
    field = pool[number % len(pool)]
    height, width = picture.shape[:2]
    dx, dy = (number * 211) % width, (number * 97) % height
    for rows, shifted_rows in (
        (slice(0, height - dy), slice(dy, height)),
        (slice(height - dy, height), slice(0, dy)),
    ):
        for cols, shifted_cols in (
            (slice(0, width - dx), slice(dx, width)),
            (slice(width - dx, width), slice(0, dx)),
        ):
            if rows.stop > rows.start and cols.stop > cols.start:
                picture[rows, cols] = cv2.add(
                    picture[rows, cols], field[shifted_rows, shifted_cols], dtype=cv2.CV_8U
                )
