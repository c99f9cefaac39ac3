"""Tiles so bright that a part of the picture is bleached: what of it still says where they lie."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.table.refine import best_measured
from calibration.tiles.rim_model import BLEACHED_FACE
from calibration.tiles.rims import even_light
from tests.calibration.table.test_castle_survey import castles, drawn


@pytest.mark.parametrize(("noisy", "left_out"), [(True, True), (False, False)])
def test_bleached_parts_count_where_they_show_print_and_not_where_they_show_noise(
    noisy: bool, left_out: bool
) -> None:
    """Either the red of all faces is 250, as good as all of it noise, and blue and green show what
    is printed on them; or all three colours are so bright that only bleached parts show it.
    """
    scene = castles()
    tiles = {name: tile for name, tile in scene.course.tiles.items() if tile.stack == 1}
    picture = drawn(scene).astype(np.float64)
    face = np.percentile(picture[..., 2], 97)
    if noisy:
        picture[..., 2] *= 252 / face
        picture[..., 2] += np.random.default_rng(1).normal(0, 4, picture.shape[:2])
    else:
        picture = 255 - (255 - np.clip(picture, 0, face)) * 8 / (255 - face)
    light = even_light(np.clip(np.rint(picture), 0, 255).astype(np.uint8))
    assert float(light.max()) > BLEACHED_FACE
    (measured,) = best_measured([light], scene.view, tiles, scene.sizes, free_focal=False)
    assert (float(measured.max()) <= BLEACHED_FACE) == left_out
