"""Caches the camera's view around places that are examined in frame after frame, because coins
rarely move.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.vision.image.disc import ProjectedDisc, spot_at
from referee.vision.image.picture import Bytes, Rect

# Chosen: limits, sizes and colours that nothing was measured for.

KEPT: Final = 512  # the most views, and the most rectangles, that are cached
# Places this close share one view. The scale then differs by far less than a thousandth of a pixel.
GRID_MM: Final = 0.1


@dataclass
class ProjectionCache:
    """A cache of the camera's views around places on the plane of the coins' top faces. `width` and
    `height` are the size of the small copy, and `shrink` the factor by which frames are shrunk to
    it.
    """

    view: TableView
    height_mm: float
    shrink: int
    width: int
    height: int
    _kept: dict[tuple[Point, float], ProjectedDisc] = field(default_factory=dict)
    _rects: dict[tuple[Point, float], Rect] = field(default_factory=dict)

    def at(self, at_mm: Point) -> ProjectedDisc:
        """Return the view around a place. The place is rounded to a tenth of a millimetre."""
        rounded = (round(at_mm[0] / GRID_MM) * GRID_MM, round(at_mm[1] / GRID_MM) * GRID_MM)
        return self.at_height(rounded, self.height_mm)

    def at_height(self, at_mm: Point, height_mm: float) -> ProjectedDisc:
        """Return the view around a place, unrounded, on the plane `height_mm` above the table."""
        key = (at_mm, height_mm)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            found = self._kept[key] = spot_at(self.view, at_mm, height_mm)
        return found

    def small(self, rect: Rect) -> Rect:
        """Convert a rectangle of the frame to pixels of the small copy, rounded outward and cut off
        at its border.
        """
        k = self.shrink
        return Rect(
            rect.left // k, rect.top // k, -(-rect.right // k), -(-rect.bottom // k)
        ).within(self.width, self.height)

    def small_rect(self, at_mm: Point, radius_mm: float) -> Rect:
        """Return the rectangle of the small copy that holds all within a radius of a place."""
        found = self._rects.get((at_mm, radius_mm))
        if found is None:
            if len(self._rects) >= KEPT:
                self._rects.clear()
            found = self.small(self.at(at_mm).rect(radius_mm))
            self._rects[at_mm, radius_mm] = found
        return found

    def any_in(self, small: Bytes, at_mm: Point, radius_mm: float) -> bool:
        """Return whether an image of the small copy's size has a pixel that is not 0 within a
        radius of a place.
        """
        rect = self.small_rect(at_mm, radius_mm)
        return not rect.empty and bool(np.count_nonzero(rect.of(small)))
