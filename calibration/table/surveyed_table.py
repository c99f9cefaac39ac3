"""The result of a survey: the camera over the table, the table's outline, the course as it lies,
and the sizes of the set.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tiles.field_error import FieldError
from referee.domain.geometry import Point
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import EdgeSide

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SurveyedTable:
    """A table as surveyed; all places are in its table frame. `residual_mm` is the root mean square
    residual of the tiles' corners.

    `notes` tell players what they should know although nothing is wrong; they are not stored in the
    file. `scale_sigma` is the relative standard error of the whole table's scale, and so of every
    distance. `field_error` is the error of the table's shape. `castle_assumed` is the side of the
    table at which the first suit's castle is only assumed to be; None if it is known, and on other
    courses.
    """

    game: str
    view: TableView
    course: Course
    sizes: PieceSizes
    edge: tuple[EdgeSide, ...]
    residual_mm: float
    mirrored: bool = False
    left_endpost: str = "left"
    warnings: tuple[str, ...] = field(default=())
    scale_sigma: float = 0.0
    field_error: FieldError = field(default=FieldError())
    notes: tuple[str, ...] = ()
    castle_assumed: str | None = None

    @property
    def edge_mm(self) -> tuple[Point, ...]:
        """Return the outline as a polygon, counter-clockwise; empty if no side is known."""
        return tuple(side.begin_mm for side in self.edge)

    def sigma_mm(self, at_mm: Point) -> float:
        """Return the standard error of one place; see `sigmas_mm`."""
        return float(self.sigmas_mm(np.array([at_mm]))[0])

    def sigmas_mm(self, places_mm: Array) -> Array:
        """Return the standard errors (n,), mm along one axis, of places (n, 2): how far the view
        may show them from their true places, relative to the course as a whole.
        """
        return self.field_error.sigmas_mm(places_mm, self.scale_sigma)
