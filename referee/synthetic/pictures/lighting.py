"""Computes light on a table: how much reaches a place, what the varnish mirrors into the camera,
and where shadows fall.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.synthetic.scenario.scene import Light

Array = NDArray[np.float64]
_SHADE_PX: Final = 16


@dataclass(frozen=True)
class Illumination:
    """The light on a horizontal surface at each pixel, linear: a factor that multiplies the albedo,
    (h, w, 3), and mirrored light that is added, (h, w, 3).
    """

    gain: NDArray[np.float32]
    sheen: NDArray[np.float32]


def light_colour(light: Light) -> Array:
    """Return the light's colour, BGR."""
    return np.array([1 - 0.9 * light.warmth, 1 - 0.25 * light.warmth, 1 + 0.15 * light.warmth])


def irradiance(light: Light, points_mm: Array) -> Array:
    """Return the light that reaches horizontal surfaces at (n, 3) mm: the lamp's light by the
    cosine and inverse square laws, 1 below the lamp, plus ambient light.
    """
    lamp = np.array(light.lamp_mm)
    to_lamp = lamp - points_mm
    square = (to_lamp**2).sum(axis=-1)
    cosine = to_lamp[..., 2] / np.sqrt(square)
    direct = np.clip(cosine, 0, 1) * lamp[2] ** 2 / square
    aside = points_mm[..., :2] @ np.array(light.window_from)
    window = light.window * np.clip(0.5 + aside / 1400.0, 0, 1.5)
    return np.asarray(light.ambient + (1 - light.ambient) * direct + 0.5 * window, dtype=np.float64)


def mirrored(light: Light, view: TableView, points_mm: Array) -> Array:
    """Return what varnish mirrors towards the camera at points (n, 3) mm: a soft spot around the
    lamp's image, and a broad one on the window's side.
    """
    lamp, camera_mm = np.array(light.lamp_mm), view.position_mm
    half = (lamp - points_mm) / np.linalg.norm(lamp - points_mm, axis=-1, keepdims=True)
    half = half + (camera_mm - points_mm) / np.linalg.norm(
        camera_mm - points_mm, axis=-1, keepdims=True
    )
    up = np.clip(half[..., 2] / np.linalg.norm(half, axis=-1), 0, 1)
    spot = light.glare * (0.75 * up**900 + 0.25 * up**120)
    aside = points_mm[..., :2] @ np.array(light.window_from)
    return np.asarray(
        spot + 0.35 * light.window * np.clip(aside / 650.0, 0, 2) ** 2, dtype=np.float64
    )


def illuminate(light: Light, view: TableView) -> Illumination:
    """Return the light on the table's plane over the whole picture, computed every few pixels and
    interpolated.
    """
    width, height = view.camera.width, view.camera.height
    cols, rows = width // _SHADE_PX + 5, height // _SHADE_PX + 5
    x, y = np.meshgrid((np.arange(cols) - 2.0) * _SHADE_PX, (np.arange(rows) - 2.0) * _SHADE_PX)
    flat = view.to_table(np.column_stack((x.ravel(), y.ravel())))
    points = np.column_stack((flat, np.zeros(len(flat))))
    amount = irradiance(light, points).reshape(rows, cols)
    sheen = mirrored(light, view, points).reshape(rows, cols)
    px, py = np.meshgrid(
        np.arange(width, dtype=np.float32) / _SHADE_PX + 2,
        np.arange(height, dtype=np.float32) / _SHADE_PX + 2,
    )
    fine = [
        np.asarray(cv2.remap(a.astype(np.float32), px, py, cv2.INTER_LINEAR), dtype=np.float32)
        for a in (amount, sheen)
    ]
    corner = np.hypot((px - 2) * _SHADE_PX - width / 2, (py - 2) * _SHADE_PX - height / 2) / (
        width / 2
    )
    vignette = 1 - 0.16 * corner**2
    gain = (fine[0] * vignette * light.exposure)[..., None] * light_colour(light).astype(np.float32)
    added = np.clip(fine[1] * light.exposure, 0, None)[..., None] * light_colour(light).astype(
        np.float32
    )
    return Illumination(np.asarray(gain, dtype=np.float32), np.asarray(added, dtype=np.float32))


def cast(light: Light, points_mm: Array) -> Array:
    """Return where points (n, 3) cast their shadows on the table, (n, 2) mm, as if all light came
    from the lamp's middle.
    """
    lamp = np.array(light.lamp_mm)
    share = points_mm[:, 2:] / (lamp[2] - points_mm[:, 2:])
    return np.asarray(points_mm[:, :2] + (points_mm[:, :2] - lamp[:2]) * share, dtype=np.float64)


def develop(linear_bgr: NDArray[np.float32]) -> NDArray[np.float32]:
    """Convert linear light to what a camera stores, 0 to 255: a soft shoulder for bright light,
    then gamma 2.2.
    """
    shoulder = 1.0 - np.exp(-1.5 * np.maximum(linear_bgr, 0.0))
    return np.asarray(255.0 * (shoulder / 0.92).clip(0, 1) ** (1 / 2.2), dtype=np.float32)
