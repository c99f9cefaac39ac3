"""A coin as the camera meets it: the ellipse of its top face near one place, and the share of each pixel it fills."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.camera import TableView
from referee.geometry import Point
from referee.vision.picture import Floats, Rect, rect_around

Array = NDArray[np.float64]

_STEP_MM = 4.0  # over which the projection is taken as linear: a coin's radius is about 10 mm


@dataclass(frozen=True)
class Spot:
    """The camera's view of the plane of the coins' top faces around one place, linearised.

    `at_px` is the image of `at_mm`; `px_per_mm` (2, 2) takes small steps in mm to steps in px.
    """

    at_mm: Point
    at_px: Point
    px_per_mm: Array

    @cached_property
    def mm_per_px(self) -> Array:
        """The inverse of `px_per_mm` (2, 2)."""
        return np.asarray(np.linalg.inv(self.px_per_mm), dtype=np.float64)

    def to_px(self, at_mm: Point) -> Point:
        """A place near `at_mm` to pixels."""
        step = self.px_per_mm @ (at_mm[0] - self.at_mm[0], at_mm[1] - self.at_mm[1])
        return (self.at_px[0] + float(step[0]), self.at_px[1] + float(step[1]))

    def reach_px(self, radius_mm: float) -> tuple[float, float]:
        """Half the width and half the height of the image of a circle of that radius, px."""
        return (float(radius_mm * np.hypot(*self.px_per_mm[0])), float(radius_mm * np.hypot(*self.px_per_mm[1])))

    def rect(self, radius_mm: float) -> Rect:
        """The pixels within `radius_mm` of the place."""
        return rect_around(*self.at_px, *self.reach_px(radius_mm))


def spot_at(view: TableView, at_mm: Point, height_mm: float) -> Spot:
    """The camera's view around `at_mm` on the plane `height_mm` above the table."""
    x, y = at_mm
    around = np.array([[x, y], [x + _STEP_MM, y], [x - _STEP_MM, y], [x, y + _STEP_MM], [x, y - _STEP_MM]])
    px = view.to_image(np.column_stack((around, np.full(5, height_mm))))
    scale = np.column_stack(((px[1] - px[2]), (px[3] - px[4]))) / (2 * _STEP_MM)
    return Spot(at_mm, (float(px[0][0]), float(px[0][1])), scale)


def spot_behind(view: TableView, at_px: Point, height_mm: float) -> Spot:
    """The camera's view around the place that lies behind a pixel, on the plane `height_mm` above the table."""
    at = view.to_table(np.array([at_px]), height_mm)[0]
    return spot_at(view, (float(at[0]), float(at[1])), height_mm)


def filled_share(spot: Spot, rect: Rect, radius_mm: float, offset_px: Point = (0.0, 0.0), sweep_mm: Point = (0.0, 0.0), steps: int = 1) -> Floats:
    """The share of each pixel of `rect` and of the exposure in which a coin at `spot` (moved by `offset_px`) covers it.

    `sweep_mm` is the way the coin goes during the exposure, its middle being at the spot; `steps` places along it are averaged.
    Returns float32 (rows, columns) in 0..1. The rim is softened over one pixel.
    """
    inverse = spot.mm_per_px
    x = np.arange(rect.left, rect.right, dtype=np.float32) - np.float32(spot.at_px[0] + offset_px[0])
    y = np.arange(rect.top, rect.bottom, dtype=np.float32) - np.float32(spot.at_px[1] + offset_px[1])
    east = (np.float32(inverse[0, 0]) * x)[None, :] + (np.float32(inverse[0, 1]) * y)[:, None]
    north = (np.float32(inverse[1, 0]) * x)[None, :] + (np.float32(inverse[1, 1]) * y)[:, None]
    per_mm = np.float32(1 / np.sqrt(abs(inverse[0, 0] * inverse[1, 1] - inverse[0, 1] * inverse[1, 0])))
    edge = np.float32(radius_mm) * per_mm + np.float32(0.5)
    share = np.zeros_like(east)
    for k in range(steps):
        along = (k + 0.5) / steps - 0.5
        across_x, across_y = east - np.float32(along * sweep_mm[0]), north - np.float32(along * sweep_mm[1])
        gap = np.sqrt(across_x * across_x + across_y * across_y)
        gap *= -per_mm
        gap += edge
        share += np.minimum(np.maximum(gap, 0, out=gap), 1, out=gap)
    if steps > 1:
        share *= np.float32(1 / steps)
    return share
