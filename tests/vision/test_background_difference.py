"""Where the background has edges of its own, so that they do not tell whether a hand has left."""

from __future__ import annotations

import numpy as np

from referee.vision.background_difference import bare_table, tile_boxes
from referee.vision.image.projection_cache import ProjectionCache
from tests.vision.drawn import SIZES, course, looking, table


def test_the_table_is_bare_inside_its_edge_and_beside_its_tiles() -> None:
    """The small copy is half as large as the picture. The table reaches 100 mm to either side
    of the origin, and 60 mm up and down."""
    view = looking(0.0)
    laid = course(("wicket-1-left", (60.0, 10.0)))
    surveyed = table(view, laid, half_mm=(100.0, 60.0))
    width, height = view.camera.width // 2, view.camera.height // 2
    seen = ProjectionCache(view, SIZES.coin_thickness_mm, 2, width, height)
    bare = bare_table(np.full((height, width), 255, np.uint8), surveyed, laid, seen)

    def at(x_mm: float, y_mm: float) -> int:
        column, row = (view.to_image(np.array([[x_mm, y_mm, 0.0]]))[0] / 2).round().astype(int)
        return int(bare[row, column])

    assert (at(-96.0, 0.0), at(-104.0, 0.0)) == (255, 0)
    assert (at(0.0, 56.0), at(0.0, 64.0)) == (255, 0)
    assert (at(60.0, 10.0), at(0.0, 10.0)) == (0, 255)


def test_a_tile_that_was_pushed_and_turned_lies_within_its_surroundings() -> None:
    """Pushed by 20 mm and turned by 45 degrees, its corner lies 20 + 50 / sqrt(2) = 55.4 mm from
    where its middle was.
    """
    view = looking(0.0)
    laid = course(("wicket-1-left", (0.0, 0.0)))
    width, height = view.camera.width // 2, view.camera.height // 2
    seen = ProjectionCache(view, SIZES.coin_thickness_mm, 2, width, height)
    (box,) = tile_boxes(table(view, laid), laid, seen)
    corner = view.to_image(np.array([[55.4, 0.0, SIZES.tile_thickness_mm]]))[0] / 2
    assert box.left < corner[0] < box.right
