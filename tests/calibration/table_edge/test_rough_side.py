"""Whether the table's colours end at a line."""

import numpy as np
import pytest

from calibration.table_edge.edge_line import EdgeLine
from calibration.table_edge.rough_side import ends_there
from calibration.table_edge.table_similarity import STEP_MM, SimilarityMap


@pytest.mark.parametrize(("rises_mm", "ends"), [(0.0, True), (6.0, True), (60.0, False)])
def test_a_line_along_the_grain_that_the_edge_only_crosses_is_no_edge(
    rises_mm: float, ends: bool
) -> None:
    """The floor begins at y = 0 at one end of the line, and this much farther out at the other."""
    shape = (60, 100)
    rows, columns = np.mgrid[: shape[0], : shape[1]].astype(np.float64)
    x_mm, y_mm = columns * STEP_MM, rows * STEP_MM - 150.0
    floor = y_mm > rises_mm * x_mm / x_mm.max()
    similarity = np.where(floor, 0.1, 0.95).astype(np.float32)
    seen = SimilarityMap(similarity, np.ones(shape, np.float32), (0.0, -150.0), np.zeros((4, 2)))
    line = EdgeLine((250.0, 0.0), (0.0, 1.0), 0.5, (-220.0, 220.0))
    assert ends_there(seen, line) is ends
