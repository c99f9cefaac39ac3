"""Draws table tops and floors: planks of wood with their grain, laminate, carpet. Linear BGR
float32, drawn once per scene.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synthetic.pictures.faces import Picture, linear

TOP_PX_PER_MM: Final = 2.0
CARPET_PX: Final = 512

_TONES: Final = {
    "oak": ((76, 134, 194), (40, 84, 140), 0.6),
    "walnut": ((44, 66, 112), (24, 36, 66), 0.6),
    "pine": ((110, 172, 214), (78, 134, 186), 0.5),
    "laminate": ((150, 152, 150), (132, 134, 134), 0.35),
}
_PLANK_MM: Final = 127.0


def _noise(
    shape: tuple[int, int], cells: tuple[int, int], rng: np.random.Generator
) -> NDArray[np.float32]:
    seed = rng.normal(0, 1, cells).astype(np.float32)
    return np.asarray(
        cv2.resize(seed, shape[::-1], interpolation=cv2.INTER_CUBIC), dtype=np.float32
    )


def _plank(shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw the grain of one plank, 0 (light) to 1 (dark): rings cut along the trunk, and fine
    pores.
    """
    rows, cols = shape
    y = np.linspace(-1, 1, rows, dtype=np.float32)[:, None]
    wander = (
        0.9 * _noise(shape, (2, 5), rng)
        + 0.35 * _noise(shape, (4, 14), rng)
        + 0.08 * _noise(shape, (16, 50), rng)
    )
    rings = (5 + 3 * rng.random()) * (np.sqrt(0.08 + (y - 0.6 * rng.normal()) ** 2) + 0.35 * wander)
    line = 0.5 + 0.5 * np.sin(2 * np.pi * rings)
    pores = _noise(shape, (rows // 2, cols // 45), rng)
    return np.asarray(np.clip(0.55 * line**2 + 0.16 * pores + 0.12, 0, 1), dtype=np.float32)


def table_top(wood: str, size_mm: tuple[float, float], rng: np.random.Generator) -> Picture:
    """Draw a table top with TOP_PX_PER_MM pixels per millimetre. Row 0 is the far edge, column 0
    the left edge. Raises KeyError for an unknown wood.
    """
    light, dark, strength = _TONES[wood]
    cols, rows = (round(s * TOP_PX_PER_MM) for s in size_mm)
    if wood == "laminate":
        speckle = (
            _noise((rows, cols), (rows // 3, cols // 3), rng) * 0.5
            + _noise((rows, cols), (20, 30), rng) * 0.3
        )
        share = np.clip(0.5 + 0.25 * speckle, 0, 1)[..., None] * strength
        return np.asarray(linear(light) * (1 - share) + linear(dark) * share, dtype=np.float32)
    top = np.empty((rows, cols, 3), dtype=np.float32)
    height = round(_PLANK_MM * TOP_PX_PER_MM)
    first = int(rng.integers(0, height // 2))
    for begin in range(-first, rows, height):
        grain = _plank((height, cols), rng)[..., None] * strength
        tone = 1 + 0.2 * rng.uniform(-1, 1)
        plank = (linear(light) * (1 - grain) + linear(dark) * grain) * tone
        plank[:2] *= 0.7
        low, high = max(0, begin), min(rows, begin + height)
        top[low:high] = plank[low - begin : high - begin]
    return top


def carpet(rng: np.random.Generator, tone: float = 1.0) -> Picture:
    """Draw a carpet that can be repeated, CARPET_PX square: dark loops with lighter threads."""
    seed = rng.normal(0, 1, (CARPET_PX, CARPET_PX)).astype(np.float32)
    loops = cv2.GaussianBlur(np.pad(seed, 16, mode="wrap"), (0, 0), 1.0)[16:-16, 16:-16]
    loops = loops / loops.std()
    value = np.clip(1 + 0.42 * loops, 0.2, 3.0)
    return np.asarray(linear((84, 80, 80)) * tone * value[..., None], dtype=np.float32)
