"""What is taken for a tile where the picture is white: an edge of the glare."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from calibration.table.glare import WHITE, without_glare
from referee.domain.layout import template_course

TILE_MM = 50.0
TEMPLATE = template_course("tabletop-croquet", TILE_MM)
POST = "right-endpost"
#: From 2 m straight above, 0.4 px a mm, with all tiles in the picture.
VIEW = TableView(
    Camera(640, 480, 800.0, 800.0, 85.0, 240.0),
    np.diag([1.0, -1.0, -1.0]),
    np.array([0.0, 0.0, 2000.0]),
)


@pytest.mark.parametrize(
    ("plain", "level", "aside_mm", "kept"),
    [
        (False, WHITE + 10, 23.0, False),
        (True, WHITE + 10, 23.0, True),
        (False, WHITE - 10, 23.0, True),
        (False, WHITE + 10, 3.0, True),
    ],
    ids=["in glare", "plainly seen", "no glare", "in its place"],
)
def test_a_tile_not_plainly_seen_beside_its_white_place_was_not_found(
    plain: bool, level: int, aside_mm: float, kept: bool
) -> None:
    post = TEMPLATE.tiles[POST]
    (x_mm, y_mm) = post.centre_mm
    aside = replace(post, centre_mm=(x_mm - aside_mm, y_mm - aside_mm))
    tiles = {**TEMPLATE.tiles, POST: aside}
    clear = {name for name in tiles if plain or name != POST}
    still = np.full((480, 640, 3), 120, np.uint8)
    x, y = (round(v) for v in VIEW.to_image(np.array([[*post.centre_mm, 0.0]]))[0])
    still[y - 40 : y + 40, x - 40 : x + 40] = level
    assert (POST in without_glare([still], VIEW, tiles, clear, TEMPLATE)) == kept
