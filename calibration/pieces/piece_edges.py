"""Finds where a picture changes sharply across the outline of a piece."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Array, TableView

Picture = NDArray[np.uint8]


def colours(
    picture: Picture,
    view: TableView,
    at_mm: Array,
    outward: Array,
    height_mm: float,
    offsets_mm: Array,
) -> Array:
    """Return the colours across stretches of an outline (stretches, offsets, 3), sampled at
    `offsets_mm` along the outward normals.

    `at_mm` are the outline's points and `outward` its normals there, (stretches, samples, 2) each.
    The colours along a stretch are averaged, so that wood grain, which does not follow the outline,
    disappears.
    """
    places = at_mm[:, :, None, :] + outward[:, :, None, :] * offsets_mm[:, None]
    flat = places.reshape(-1, 2)
    at_px = (
        view.to_image(np.column_stack((flat, np.full(len(flat), height_mm))))
        .astype(np.float32)
        .reshape(at_mm.shape[0], -1, 2)
    )
    values = cv2.remap(
        picture, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float64)
    return np.asarray(values.reshape(*places.shape[:3], 3).mean(axis=1), dtype=np.float64)


def changes(across: Array) -> Array:
    """Return how sharply colours (stretches, offsets, 3) change from one offset to the next:
    (stretches, offsets).
    """
    step = np.zeros(across.shape[:2])
    step[:, 1:-1] = np.linalg.norm(across[:, 2:] - across[:, :-2], axis=2)
    return step


def foot_mm(view: TableView, at_mm: Array, outward: Array, height_mm: float) -> Array:
    """Return how far outside the edge of a face the foot of its wall is seen (n,), mm in the plane
    of the face. The value is 0 or less where the wall is hidden.

    In the plane of the face, a point on the table is seen closer to the camera. It is shifted by
    its distance from the camera along the table, times the ratio of `height_mm` to the camera's
    height.
    """
    camera_mm = view.position_mm
    return np.asarray(
        np.sum((camera_mm[:2] - at_mm) * (height_mm / camera_mm[2]) * outward, axis=1),
        dtype=np.float64,
    )


def outermost(total: Array, clear: float) -> int:
    """Return the index of the last maximum of a row of values (n,) that reaches at least `clear`
    times its highest value.
    """
    tops = _tops(total, clear)
    return tops[-1] if tops else int(np.argmax(total))


def peaks(line: Array, offsets_mm: Array, clear: float) -> list[float]:
    """Return the offsets at which a row of changes has a maximum of at least `clear` times its
    highest value, innermost first.
    """
    spacing = float(offsets_mm[1] - offsets_mm[0])
    return [
        float(offsets_mm[i])
        + vertex(float(line[i - 1]), float(line[i]), float(line[i + 1])) * spacing
        for i in _tops(line, clear)
    ]


def _tops(line: Array, clear: float) -> list[int]:
    """Return the indices of the maxima that reach at least `clear` times the highest value."""
    return [
        i
        for i in range(1, len(line) - 1)
        if line[i] >= line[i - 1] and line[i] > line[i + 1] and line[i] >= clear * line.max()
    ]


def vertex(before: float, top: float, after: float) -> float:
    """Return where the parabola through three evenly spaced samples has its top: the distance from
    the middle sample, in steps between samples.
    """
    bend = before - 2 * top + after
    return 0.0 if bend == 0 else 0.5 * (before - after) / bend
