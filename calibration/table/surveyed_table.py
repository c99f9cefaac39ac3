"""The result of a survey: the camera over the table, the table's outline, the course as it lies,
and the sizes of the set.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import EdgeSide


@dataclass(frozen=True)
class SurveyedTable:
    """A table as surveyed, all in its table frame. `residual_mm` is the root mean square of the
    tiles' corners.

    `scale_sigma` is the standard error of the whole table's scale, as a share of it. The distance
    between two places has this share of error.
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

    @property
    def edge_mm(self) -> tuple[Point, ...]:
        """Return the outline as a polygon, counter-clockwise; empty where no side is known."""
        return tuple(side.begin_mm for side in self.edge)
