"""The image of a coin: the ellipse that its top face makes in the picture, and how much of each
pixel the face fills.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.vision.image.picture import Floats, Rect, rect_around

Array = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

# The width over which a rim is blurred, px. Lens, sensor and compression together blur about 0.7 px
# rms.
SOFT_PX: Final = 2.5
SHORTEST_SWEEP_PX: Final = 0.5  # a shorter motion is ignored, because the blur of the rim hides it
# the projection is treated as linear over this distance; a coin's radius is about 10 mm
_STEP_MM: Final = 4.0
SHADOW_MM: Final = 7.0  # how far a coin's side wall and shadow reach beyond its rim


@dataclass(frozen=True)
class ProjectedDisc:
    """The camera's view around one place on the plane of the coins' top faces, linearised.

    `at_px` is the image of `at_mm`. `px_per_mm` (2, 2) converts small steps in mm to steps in px.
    `wall_px` is the step in px from `at_px` to the image of the point on the table vertically below
    `at_mm`.
    """

    at_mm: Point
    at_px: Point
    px_per_mm: Array
    wall_px: Point

    @cached_property
    def mm_per_px(self) -> Array:
        """Return the inverse of `px_per_mm` (2, 2)."""
        (a, b), (c, d) = self.px_per_mm.tolist()
        over = 1 / (a * d - b * c)
        return np.array([[over * d, -over * b], [-over * c, over * a]])

    @cached_property
    def pixel_mm2(self) -> float:
        """Return the area that a pixel shows, square mm."""
        (a, b), (c, d) = self.mm_per_px.tolist()
        return float(abs(a * d - b * c))

    def reach_px(self, radius_mm: float) -> tuple[float, float]:
        """Return half the width and half the height of the image of a circle with this radius,
        px.
        """
        return (radius_mm * self._stretch[0], radius_mm * self._stretch[1])

    @cached_property
    def _stretch(self) -> tuple[float, float]:
        (a, b), (c, d) = self.px_per_mm.tolist()
        return (math.hypot(a, b), math.hypot(c, d))

    def rect(self, radius_mm: float) -> Rect:
        """Return the rectangle of pixels that holds everything within `radius_mm` of the place."""
        return rect_around(*self.at_px, *self.reach_px(radius_mm))


def spot_at(view: TableView, at_mm: Point, height_mm: float) -> ProjectedDisc:
    """Return the camera's view around `at_mm` on the plane `height_mm` above the table."""
    x, y = at_mm
    right, left = (
        view.pixel_of(x + _STEP_MM, y, height_mm),
        view.pixel_of(x - _STEP_MM, y, height_mm),
    )
    above, below = (
        view.pixel_of(x, y + _STEP_MM, height_mm),
        view.pixel_of(x, y - _STEP_MM, height_mm),
    )
    at_px, foot_px = view.pixel_of(x, y, height_mm), view.pixel_of(x, y, 0.0)
    scale = np.array([[right[k] - left[k], above[k] - below[k]] for k in (0, 1)]) / (2 * _STEP_MM)
    return ProjectedDisc(at_mm, at_px, scale, (foot_px[0] - at_px[0], foot_px[1] - at_px[1]))


def spot_behind(view: TableView, at_px: Point, height_mm: float) -> ProjectedDisc:
    """Return the camera's view around the place that the pixel `at_px` shows, on the plane
    `height_mm` above the table.
    """
    return spot_at(view, view.place_of(*at_px, height_mm), height_mm)


def middle_scale(view: TableView, height_mm: float) -> float:
    """Return how many pixels a square millimetre of the plane `height_mm` above the table covers in
    the middle of the picture.
    """
    middle = spot_behind(view, (view.camera.width / 2, view.camera.height / 2), height_mm)
    return abs(float(np.linalg.det(middle.px_per_mm)))


def place_behind(view: TableView, box: Rect, height_mm: float) -> tuple[Point, float]:
    """Return the place that the middle of a box of pixels shows, on the plane `height_mm` above the
    table, and the distance from there to the box's farthest corner, mm.
    """
    spot = spot_behind(view, ((box.left + box.right) / 2, (box.top + box.bottom) / 2), height_mm)
    corners = (
        np.array(
            [[x, y] for x in (box.left, box.right) for y in (box.top, box.bottom)], dtype=np.float64
        )
        - spot.at_px
    )
    return spot.at_mm, float(np.hypot(*(corners @ spot.mm_per_px.T).T).max())


@dataclass(frozen=True)
class PixelGrid:
    """The pixels of a rectangle as places on the table: their distances in mm from a spot, along
    and across the direction of motion (float32, 2 x rows x columns).
    """

    places: Floats
    turned: tuple[tuple[float, float], tuple[float, float]]
    sweep_mm: float
    per_mm: float

    @staticmethod
    def of(
        spot: ProjectedDisc, rect: Rect, sweep_mm: Point = (0.0, 0.0), every: int = 1
    ) -> PixelGrid:
        """Make the grid of `rect` around a spot, for coins that move by `sweep_mm` during the
        exposure and are at the spot halfway through it. With `every` above 1, the grid has only
        every second (or third, ...) pixel in both directions.
        """
        length = math.hypot(*sweep_mm)
        east, north = (sweep_mm[0] / length, sweep_mm[1] / length) if length > 0 else (1.0, 0.0)
        (a, b), (c, d) = spot.mm_per_px.tolist()
        turned = (
            (east * a + north * c, east * b + north * d),
            (east * c - north * a, east * d - north * b),
        )
        px_per_mm = 1 / math.sqrt(abs(a * d - b * c))
        x, y = (
            np.arange(first - at, last - at - 0.5, every, dtype=np.float64)
            for first, last, at in zip(rect[:2], rect[2:], spot.at_px, strict=True)
        )
        places = np.empty((2, len(y), len(x)), dtype=np.float32)
        for k in (0, 1):
            np.add.outer(turned[k][1] * y, turned[k][0] * x, out=places[k], casting="same_kind")
        # A motion with blurred rims looks like a slightly longer motion with sharp rims: variances
        # add.
        soft_mm = (
            math.hypot(length, SOFT_PX / px_per_mm)
            if length * px_per_mm > SHORTEST_SWEEP_PX
            else 0.0
        )
        return PixelGrid(places, turned, soft_mm, px_per_mm / SOFT_PX)

    def turn(self, offset_px: Point) -> Floats:
        """Return the direction from the spot, moved by `offset_px`, to each pixel: an angle on the
        table from 0 to 2 pi, counted from the direction of motion.
        """
        along, across = self._from((offset_px,))
        return np.asarray(cv2.phase(along[0], across[0]), dtype=np.float32)

    def filled(self, *coins: tuple[float, Point]) -> Floats:
        """Return the share of each pixel that each coin covers, averaged over the exposure, 0 to 1
        (coins, rows, columns).

        A coin is given by its radius, mm, and its shift from the spot, px.
        """
        along, across = self._from([offset_px for _, offset_px in coins])
        radius = np.array([radius_mm for radius_mm, _ in coins], dtype=np.float32)[:, None, None]
        if self.sweep_mm == 0.0:
            flat = (-1, along.shape[2])
            gap: Floats = np.asarray(
                cv2.magnitude(along.reshape(flat), across.reshape(flat)), dtype=np.float32
            ).reshape(along.shape)
            gap *= -self.per_mm
            gap += radius * self.per_mm + 0.5
            return _within(gap, 0.0, 1.0)
        return self._swept(along, np.abs(across, out=across), radius)

    def _from(self, offsets_px: Sequence[Point]) -> tuple[Floats, Floats]:
        """Return each pixel's distance from the spot, moved by each offset: mm along the motion and
        mm across it, (offsets, rows, columns) each.
        """
        steps = np.array(
            [row[0] * x + row[1] * y for row in self.turned for x, y in offsets_px],
            dtype=np.float32,
        )
        moved = self.places[:, None] - steps.reshape(2, -1, 1, 1)
        return moved[0], moved[1]

    def _swept(self, along: Floats, across: Floats, radius: Floats) -> Floats:
        """Return for each pixel the share of the exposure during which a moving coin covers it. The
        edges of the streak are blurred.
        """
        half = self.sweep_mm / 2
        chord = np.minimum(across, radius - 0.25 / self.per_mm)
        chord *= -chord
        chord += radius * radius
        np.sqrt(chord, out=chord)
        share = _within(along + chord, -half, half)
        along -= chord
        share -= _within(along, -half, half)
        across *= -self.per_mm
        across += radius * self.per_mm + 0.5
        share *= _within(across, 0.0, 1.0)
        share *= 1 / self.sweep_mm
        return share


def _within(values: Floats, low: float, high: float) -> Floats:
    """Limit the values at both ends, in place."""
    np.maximum(values, low, out=values)
    return np.asarray(np.minimum(values, high, out=values), dtype=np.float32)


def filled_share(spot: ProjectedDisc, rect: Rect, radius_mm: float) -> Floats:
    """Return how much of each pixel of `rect` a coin at rest at `spot` covers: float32 (rows,
    columns) in 0..1, see `PixelGrid`.
    """
    covered = PixelGrid.of(spot, rect).filled((radius_mm, (0.0, 0.0)))
    return np.asarray(covered[0], dtype=np.float32)
