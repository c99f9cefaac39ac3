"""A coin as the camera meets it: the ellipse of its top face near one place, and the share of each pixel it fills."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import TableView
from referee.geometry import Point
from referee.vision.picture import Floats, Rect, rect_around

Array = NDArray[np.float64]

SOFT_PX = 2.5  # rims are softened over so many pixels: what lens, sensor and compression blur together, about 0.7 px rms
SHORTEST_SWEEP_PX = 0.5  # a shorter sweep is lost in the softness of any rim
_STEP_MM = 4.0  # over which the projection is taken as linear: a coin's radius is about 10 mm


@dataclass(frozen=True)
class Spot:
    """The camera's view of the plane of the coins' top faces around one place, linearised.

    `at_px` is the image of `at_mm`; `px_per_mm` (2, 2) takes small steps in mm to steps in px; `wall_px` is the step in the picture from
    there to the foot, the place right below it on the table.
    """

    at_mm: Point
    at_px: Point
    px_per_mm: Array
    wall_px: Point

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
        return (radius_mm * self._stretch[0], radius_mm * self._stretch[1])

    @cached_property
    def _stretch(self) -> tuple[float, float]:
        (a, b), (c, d) = self.px_per_mm.tolist()
        return (math.hypot(a, b), math.hypot(c, d))

    def rect(self, radius_mm: float) -> Rect:
        """The pixels within `radius_mm` of the place."""
        return rect_around(*self.at_px, *self.reach_px(radius_mm))


def spot_at(view: TableView, at_mm: Point, height_mm: float) -> Spot:
    """The camera's view around `at_mm` on the plane `height_mm` above the table."""
    x, y = at_mm
    around = np.array([[x, y], [x + _STEP_MM, y], [x - _STEP_MM, y], [x, y + _STEP_MM], [x, y - _STEP_MM]])
    px = view.to_image(np.vstack((np.column_stack((around, np.full(5, height_mm))), (x, y, 0.0))))
    scale = np.column_stack(((px[1] - px[2]), (px[3] - px[4]))) / (2 * _STEP_MM)
    wall = px[5] - px[0]
    return Spot(at_mm, (float(px[0][0]), float(px[0][1])), scale, (float(wall[0]), float(wall[1])))


def spot_behind(view: TableView, at_px: Point, height_mm: float) -> Spot:
    """The camera's view around the place that lies behind a pixel, on the plane `height_mm` above the table."""
    at = view.to_table(np.array([at_px]), height_mm)[0]
    return spot_at(view, (float(at[0]), float(at[1])), height_mm)


@dataclass(frozen=True)
class PixelGrid:
    """The pixels of a rectangle as places on the plane of a spot, mm from it: `along` and `across` a sweep (float32, rows x columns)."""

    along: Floats
    across: Floats
    turned: Array
    sweep_mm: float
    per_mm: float

    @staticmethod
    def of(spot: Spot, rect: Rect, sweep_mm: Point = (0.0, 0.0)) -> PixelGrid:
        """The grid of `rect` around a spot, for coins that go `sweep_mm` during the exposure, their middle being at the spot."""
        length = math.hypot(*sweep_mm)
        east, north = (sweep_mm[0] / length, sweep_mm[1] / length) if length > 0 else (1.0, 0.0)
        turned = np.array([[east, north], [-north, east]]) @ spot.mm_per_px
        px_per_mm = 1 / math.sqrt(abs(float(spot.mm_per_px[0, 0] * spot.mm_per_px[1, 1] - spot.mm_per_px[0, 1] * spot.mm_per_px[1, 0])))
        x = np.arange(rect.left - spot.at_px[0], rect.right - spot.at_px[0] - 0.5, dtype=np.float64)
        y = np.arange(rect.top - spot.at_px[1], rect.bottom - spot.at_px[1] - 0.5, dtype=np.float64)
        along = (turned[0, 0] * x).astype(np.float32)[None, :] + (turned[0, 1] * y).astype(np.float32)[:, None]
        across = (turned[1, 0] * x).astype(np.float32)[None, :] + (turned[1, 1] * y).astype(np.float32)[:, None]
        # A sweep over softened rims blurs as a slightly longer one over sharp ones would: variances add.
        soft_mm = math.hypot(length, SOFT_PX / px_per_mm) if length * px_per_mm > SHORTEST_SWEEP_PX else 0.0
        return PixelGrid(along, across, turned, soft_mm, px_per_mm / SOFT_PX)

    def coarser(self) -> PixelGrid:
        """Every second pixel of it, in both ways."""
        return PixelGrid(self.along[::2, ::2], self.across[::2, ::2], self.turned, self.sweep_mm, self.per_mm)

    def turn(self, offset_px: Point) -> Floats:
        """In which direction on the table each pixel lies from the spot moved by `offset_px`: 0 to 2 pi, from the sweep's direction on."""
        step = self.turned @ offset_px
        return np.asarray(cv2.phase(self.along - float(step[0]), self.across - float(step[1])), dtype=np.float32)

    def filled(self, radius_mm: float, offset_px: Point = (0.0, 0.0)) -> Floats:
        """The share of each pixel and of the exposure in which a coin moved by `offset_px` covers it, 0..1."""
        step = self.turned @ offset_px
        along, across = self.along - float(step[0]), self.across - float(step[1])
        if self.sweep_mm == 0.0:
            gap: Floats = np.asarray(cv2.magnitude(along, across), dtype=np.float32)
            gap *= -self.per_mm
            gap += radius_mm * self.per_mm + 0.5
            return np.clip(gap, 0.0, 1.0, out=gap)
        return self._swept(along, np.abs(across, out=across), radius_mm)

    def _swept(self, along: Floats, across: Floats, radius_mm: float) -> Floats:
        """The share of the exposure in which a coin's middle is within a chord of each pixel, cut off softly at the sides of the streak."""
        half = self.sweep_mm / 2
        chord = np.minimum(across, radius_mm - 0.25 / self.per_mm)
        chord *= -chord
        chord += radius_mm * radius_mm
        np.sqrt(chord, out=chord)
        share = np.clip(along + chord, -half, half)
        along -= chord
        share -= np.clip(along, -half, half, out=along)
        across *= -self.per_mm
        across += radius_mm * self.per_mm + 0.5
        share *= np.clip(across, 0.0, 1.0, out=across)
        share *= 1 / self.sweep_mm
        return share


def filled_share(spot: Spot, rect: Rect, radius_mm: float, offset_px: Point = (0.0, 0.0), sweep_mm: Point = (0.0, 0.0)) -> Floats:
    """The share of each pixel of `rect` and of the exposure in which a coin at `spot` covers it: float32 (rows, columns) in 0..1, see `PixelGrid`."""
    return PixelGrid.of(spot, rect, sweep_mm).filled(radius_mm, offset_px)
